// <type_traits>: questions about types, and types from types.
#include <utility>
namespace std {
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_volatile { typedef T type; };
template <class T> struct remove_volatile<volatile T> { typedef T type; };
template <class T> struct remove_cv { typedef typename remove_volatile<typename remove_const<T>::type>::type type; };
template <class T> struct remove_cvref { typedef typename remove_cv<typename remove_reference<T>::type>::type type; };
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <class T> struct remove_pointer<T *const> { typedef T type; };
template <class T> struct remove_extent { typedef T type; };
template <class T> struct remove_extent<T[]> { typedef T type; };
template <class T, size_t N> struct remove_extent<T[N]> { typedef T type; };
template <class T> struct add_volatile { typedef volatile T type; };
template <class T> struct add_cv { typedef const volatile T type; };
template <class T> struct add_const { typedef const T type; };
template <class T> struct add_pointer { typedef typename remove_reference<T>::type *type; };
template <class T> struct add_lvalue_reference { typedef T &type; };
template <class T> struct add_rvalue_reference { typedef T &&type; };
template <> struct add_lvalue_reference<void> { typedef void type; };
template <> struct add_rvalue_reference<void> { typedef void type; };
template <class T> struct type_identity { typedef T type; };
template <bool C, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <class... T> using void_t = typename __void<T...>::type;
template <bool C, class A, class B> struct conditional { typedef A type; };
template <class A, class B> struct conditional<false, A, B> { typedef B type; };
template <class T> struct __decayed { typedef typename remove_cv<T>::type type; };
template <class T> struct __decayed<T[]> { typedef T *type; };
template <class T, size_t N> struct __decayed<T[N]> { typedef T *type; };
template <class R, class... A> struct __decayed<R(A...)> { typedef R (*type)(A...); };
template <class T> struct decay { typedef typename __decayed<typename remove_reference<T>::type>::type type; };
template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_pointer : false_type {};
template <class T> struct is_pointer<T *> : true_type {};
template <class T> struct is_pointer<T *const> : true_type {};
template <class T> struct is_void : is_same<typename remove_cv<T>::type, void> {};
template <class T> struct is_null_pointer : is_same<typename remove_cv<T>::type, nullptr_t> {};
template <class T> struct is_array : false_type {};
template <class T> struct is_array<T[]> : true_type {};
template <class T, size_t N> struct is_array<T[N]> : true_type {};
template <class T> struct is_volatile : false_type {};
template <class T> struct is_volatile<volatile T> : true_type {};
template <class T> struct is_lvalue_reference : false_type {};
template <class T> struct is_lvalue_reference<T &> : true_type {};
template <class T> struct is_rvalue_reference : false_type {};
template <class T> struct is_rvalue_reference<T &&> : true_type {};
template <class T> struct is_reference : false_type {};
template <class T> struct is_reference<T &> : true_type {};
template <class T> struct is_reference<T &&> : true_type {};
template <class T> struct is_integral : false_type {};
template <class T> struct is_integral<const T> : is_integral<T> {};
template <class T> struct is_floating_point : false_type {};
template <class T> struct is_floating_point<const T> : is_floating_point<T> {};
template <class T> struct is_unsigned : false_type {};
template <class T> struct is_unsigned<const T> : is_unsigned<T> {};
#define __WS_INTEGRAL(TYPE, UNSIGNED)                                                                      \
    template <> struct is_integral<TYPE> : true_type {};                                                   \
    template <> struct is_unsigned<TYPE> : integral_constant<bool, UNSIGNED> {};
__WS_INTEGRAL(bool, true)
__WS_INTEGRAL(char, false)
__WS_INTEGRAL(signed char, false)
__WS_INTEGRAL(unsigned char, true)
__WS_INTEGRAL(short, false)
__WS_INTEGRAL(unsigned short, true)
__WS_INTEGRAL(int, false)
__WS_INTEGRAL(unsigned int, true)
__WS_INTEGRAL(long, false)
__WS_INTEGRAL(unsigned long, true)
__WS_INTEGRAL(long long, false)
__WS_INTEGRAL(unsigned long long, true)
#undef __WS_INTEGRAL
template <> struct is_floating_point<float> : true_type {};
template <> struct is_floating_point<double> : true_type {};
template <class T> struct is_arithmetic : integral_constant<bool, is_integral<T>::value || is_floating_point<T>::value> {};
template <class T> struct is_signed : integral_constant<bool, is_arithmetic<T>::value && !is_unsigned<T>::value> {};
template <class T> struct make_signed;
template <class T> struct make_unsigned;
#define __WS_SIGNS(SIGNED, UNSIGNED)                                                                       \
    template <> struct make_signed<SIGNED> { typedef SIGNED type; };                                       \
    template <> struct make_signed<UNSIGNED> { typedef SIGNED type; };                                     \
    template <> struct make_unsigned<SIGNED> { typedef UNSIGNED type; };                                   \
    template <> struct make_unsigned<UNSIGNED> { typedef UNSIGNED type; };
__WS_SIGNS(signed char, unsigned char)
__WS_SIGNS(short, unsigned short)
__WS_SIGNS(int, unsigned int)
__WS_SIGNS(long, unsigned long)
__WS_SIGNS(long long, unsigned long long)
#undef __WS_SIGNS
template <> struct make_signed<char> { typedef signed char type; };
template <> struct make_unsigned<char> { typedef unsigned char type; };
template <class T> void __converted(T);
template <class F, class T, class = void> struct is_convertible : is_same<F, T> {};
template <class F, class T> struct is_convertible<F, T, void_t<decltype(__converted<T>(declval<F>()))>> : true_type {};
template <class V, class T, class... A> struct __constructible : false_type {};
template <class T, class... A> struct __constructible<void_t<decltype(T(declval<A>()...))>, T, A...> : true_type {};
// One argument in parentheses would be a cast.
template <class V, class T, class A> struct __constructible_of : false_type {};
template <class T, class A> struct __constructible_of<void_t<decltype(new T(declval<A>()))>, T, A> : true_type {};
template <class T, class A> struct __constructible_of<void_t<decltype(__converted<T &>(declval<A>()))>, T &, A> : true_type {};
template <class T, class A> struct __constructible_of<void_t<decltype(__converted<T &&>(declval<A>()))>, T &&, A> : true_type {};
template <class T, class... A> struct is_constructible : __constructible<void, T, A...> {};
template <class T, class A> struct is_constructible<T, A>
    : integral_constant<bool, !is_array<T>::value && __constructible_of<void, T, A>::value> {};
template <class T> struct is_constructible<T> : integral_constant<bool, __constructible<void, T>::value && !__is_abstract(T) && !__lacks_default(T)> {};

template <> struct is_constructible<void> : false_type {};
template <class T> struct is_default_constructible : is_constructible<T> {};
template <class T> struct is_copy_constructible : is_constructible<T, const T &> {};
template <class T> struct is_move_constructible : is_constructible<T, T &&> {};
template <class V, class T, class U> struct __assignable : false_type {};
template <class T, class U> struct __assignable<void_t<decltype(declval<T>() = declval<U>())>, T, U> : true_type {};
template <class T, class U> struct is_assignable
    : integral_constant<bool, __assignable<void, T, U>::value && (is_reference<T>::value || __is_class(T))> {};
template <class T> struct is_copy_assignable : is_assignable<T &, const T &> {};
template <class T> struct is_move_assignable : is_assignable<T &, T &&> {};
template <class F> struct __as_called { typedef F type; };
template <class R, class... A> struct __as_called<R(A...)> { typedef R (*type)(A...); };
template <class V, class F, class... A> struct __invoked {};
template <class F, class... A> struct __invoked<void_t<decltype(declval<F>()(declval<A>()...))>, F, A...> {
    typedef decltype(declval<F>()(declval<A>()...)) type;
};
template <class F, class... A> struct invoke_result : __invoked<void, typename __as_called<F>::type, A...> {};
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
template <class V, class F, class... A> struct __invocable : false_type {};
template <class F, class... A>
struct __invocable<void_t<decltype(declval<F>()(declval<A>()...))>, F, A...> : true_type {};
// Of C++11, with the arguments in the type of a function.
template <class T> struct result_of;
template <class F, class... A> struct result_of<F(A...)> : invoke_result<F, A...> {};
template <class T> using result_of_t = typename result_of<T>::type;
template <class F, class... A> struct is_invocable : __invocable<void, typename __as_called<F>::type, A...> {};
template <class F, class... A> inline constexpr bool is_invocable_v = is_invocable<F, A...>::value;
template <class F, class T> inline constexpr bool is_convertible_v = is_convertible<F, T>::value;
template <class T, class... A> inline constexpr bool is_constructible_v = is_constructible<T, A...>::value;
template <class T, class U> inline constexpr bool is_assignable_v = is_assignable<T, U>::value;
template <class... T> struct common_type;
template <class T> struct common_type<T> : decay<T> {};
template <class A, class B> struct common_type<A, B> : decay<decltype(true ? declval<A>() : declval<B>())> {};
template <class A, class B, class... C>
struct common_type<A, B, C...> : common_type<typename common_type<A, B>::type, C...> {};
template <class... T> using common_type_t = typename common_type<T...>::type;
template <class T> struct is_function : false_type {};
template <class R, class... A> struct is_function<R(A...)> : true_type {};
#define __WS_QUESTION(NAME, ASKED)                                                                         \
    template <class T> struct NAME : integral_constant<bool, ASKED(T)> {};                                  \
    template <class T> inline constexpr bool NAME##_v = ASKED(T);
__WS_QUESTION(is_class, __is_class)
__WS_QUESTION(is_union, __is_union)
__WS_QUESTION(is_enum, __is_enum)
__WS_QUESTION(is_scoped_enum, __is_scoped_enum)
__WS_QUESTION(is_empty, __is_empty)
__WS_QUESTION(is_polymorphic, __is_polymorphic)
__WS_QUESTION(is_abstract, __is_abstract)
__WS_QUESTION(is_final, __is_final)
__WS_QUESTION(is_trivial, __is_trivial)
__WS_QUESTION(is_trivially_copyable, __is_trivially_copyable)
__WS_QUESTION(is_trivially_destructible, __is_trivially_destructible)
__WS_QUESTION(is_trivially_default_constructible, __is_trivially_made)
__WS_QUESTION(is_standard_layout, __is_standard_layout)
__WS_QUESTION(has_virtual_destructor, __has_virtual_destructor)
#undef __WS_QUESTION
template <class T> struct is_pod : integral_constant<bool, __is_trivial(T) && __is_standard_layout(T)> {};
template <class B, class T> struct is_base_of : integral_constant<bool, __is_base_of(B, T)> {};
template <class B, class T> inline constexpr bool is_base_of_v = __is_base_of(B, T);
template <class T> struct underlying_type { typedef decltype(__underlying(T)) type; };
template <class V, class T> struct __destructible : false_type {};
template <class T> struct __destructible<void_t<decltype(declval<T &>().~T())>, T> : true_type {};
template <class T> struct is_destructible : __destructible<void, T> {};
template <class T> struct is_object
    : integral_constant<bool, !is_void<T>::value && !is_reference<T>::value && !is_function<T>::value> {};
template <class T> struct is_fundamental
    : integral_constant<bool, is_arithmetic<T>::value || is_void<T>::value || is_null_pointer<T>::value> {};
template <class T> struct is_compound : integral_constant<bool, !is_fundamental<T>::value> {};
template <class T> struct is_scalar
    : integral_constant<bool, is_arithmetic<T>::value || __is_enum(T) || is_pointer<T>::value || is_null_pointer<T>::value> {};
template <bool C, class T, class... A> struct __constructs_quietly : false_type {};
template <class T, class... A> struct __constructs_quietly<true, T, A...>
    : integral_constant<bool, noexcept(T(declval<A>()...))> {};
template <class T, class... A> struct is_nothrow_constructible
    : __constructs_quietly<is_constructible<T, A...>::value, T, A...> {};
template <class T> struct is_nothrow_default_constructible : is_nothrow_constructible<T> {};
template <class T> struct is_nothrow_copy_constructible : is_nothrow_constructible<T, const T &> {};
template <class T> struct is_nothrow_move_constructible : is_nothrow_constructible<T, T &&> {};
template <bool C, class T, class U> struct __assigns_quietly : false_type {};
template <class T, class U> struct __assigns_quietly<true, T, U>
    : integral_constant<bool, noexcept(declval<T>() = declval<U>())> {};
template <class T, class U> struct is_nothrow_assignable : __assigns_quietly<is_assignable<T, U>::value, T, U> {};
template <class T> struct is_nothrow_copy_assignable : is_nothrow_assignable<T &, const T &> {};
template <class T> struct is_nothrow_move_assignable : is_nothrow_assignable<T &, T &&> {};
template <class T> struct __member_pointer { static const int kind = 0; };
template <class T, class C> struct __member_pointer<T C::*> { static const int kind = 1; };
template <class R, class C, class... A> struct __member_pointer<R (C::*)(A...)> { static const int kind = 2; };
template <class R, class C, class... A> struct __member_pointer<R (C::*)(A...) const> { static const int kind = 2; };
template <class T> inline constexpr int __member_kind = __member_pointer<typename remove_cv<T>::type>::kind;
template <class T> struct is_member_pointer : integral_constant<bool, __member_kind<T> != 0> {};
template <class T> struct is_member_object_pointer : integral_constant<bool, __member_kind<T> == 1> {};
template <class T> struct is_member_function_pointer : integral_constant<bool, __member_kind<T> == 2> {};
template <class T> struct rank : integral_constant<size_t, 0> {};
template <class T> struct rank<T[]> : integral_constant<size_t, 1 + rank<T>::value> {};
template <class T, size_t N> struct rank<T[N]> : integral_constant<size_t, 1 + rank<T>::value> {};
template <class T, unsigned N = 0> struct extent : integral_constant<size_t, 0> {};
template <class T, size_t C, unsigned N>
struct extent<T[C], N> : integral_constant<size_t, N == 0 ? C : extent<T, N - 1>::value> {};
template <class T> struct alignment_of : integral_constant<size_t, alignof(T)> {};
template <class T> struct remove_all_extents { typedef T type; };
template <class T> struct remove_all_extents<T[]> : remove_all_extents<T> {};
template <class T, size_t N> struct remove_all_extents<T[N]> : remove_all_extents<T> {};
template <class T> class reference_wrapper;
template <class T> struct __unwrapped { typedef T type; };
template <class T> struct __unwrapped<reference_wrapper<T>> { typedef T &type; };
template <class... B> struct conjunction : integral_constant<bool, (bool(B::value) && ...)> {};
template <class... B> struct disjunction : integral_constant<bool, (bool(B::value) || ...)> {};
template <class B> struct negation : integral_constant<bool, !bool(B::value)> {};
#define __WS_VALUE(NAME) template <class T> inline constexpr bool NAME##_v = NAME<T>::value;
__WS_VALUE(is_const)
__WS_VALUE(is_pointer)
__WS_VALUE(is_reference)
__WS_VALUE(is_integral)
__WS_VALUE(is_floating_point)
__WS_VALUE(is_arithmetic)
__WS_VALUE(is_signed)
__WS_VALUE(is_unsigned)
__WS_VALUE(is_void)
__WS_VALUE(is_array)
__WS_VALUE(is_volatile)
__WS_VALUE(is_lvalue_reference)
__WS_VALUE(is_rvalue_reference)
__WS_VALUE(negation)
__WS_VALUE(is_null_pointer)
__WS_VALUE(is_default_constructible)
__WS_VALUE(is_copy_constructible)
__WS_VALUE(is_move_constructible)
__WS_VALUE(is_copy_assignable)
__WS_VALUE(is_move_assignable)
__WS_VALUE(is_function)
__WS_VALUE(is_pod)
__WS_VALUE(is_object)
__WS_VALUE(is_fundamental)
__WS_VALUE(is_compound)
__WS_VALUE(is_scalar)
__WS_VALUE(is_destructible)
__WS_VALUE(is_nothrow_default_constructible)
__WS_VALUE(is_nothrow_copy_constructible)
__WS_VALUE(is_nothrow_move_constructible)
__WS_VALUE(is_nothrow_copy_assignable)
__WS_VALUE(is_nothrow_move_assignable)
__WS_VALUE(is_member_pointer)
__WS_VALUE(is_member_object_pointer)
__WS_VALUE(is_member_function_pointer)
#undef __WS_VALUE
template <class T> inline constexpr size_t rank_v = rank<T>::value;
template <class T, unsigned N = 0> inline constexpr size_t extent_v = extent<T, N>::value;
template <class T> inline constexpr size_t alignment_of_v = alignof(T);
template <class... B> inline constexpr bool conjunction_v = (bool(B::value) && ...);
template <class... B> inline constexpr bool disjunction_v = (bool(B::value) || ...);
#define __WS_TYPE(NAME) template <class T> using NAME##_t = typename NAME<T>::type;
__WS_TYPE(remove_const)
__WS_TYPE(remove_volatile)
__WS_TYPE(remove_cv)
__WS_TYPE(remove_cvref)
__WS_TYPE(remove_reference)
__WS_TYPE(remove_pointer)
__WS_TYPE(remove_extent)
__WS_TYPE(add_const)
__WS_TYPE(add_pointer)
__WS_TYPE(add_lvalue_reference)
__WS_TYPE(add_rvalue_reference)
__WS_TYPE(type_identity)
__WS_TYPE(decay)
__WS_TYPE(remove_all_extents)
__WS_TYPE(make_signed)
__WS_TYPE(make_unsigned)
__WS_TYPE(underlying_type)
__WS_TYPE(add_volatile)
__WS_TYPE(add_cv)
#undef __WS_TYPE
template <size_t N, size_t A = 16> struct aligned_storage {
    struct type { alignas(A) unsigned char __bytes[N]; };
};
template <size_t N, size_t A = 16> using aligned_storage_t = typename aligned_storage<N, A>::type;
template <bool C, class T = void> using enable_if_t = typename enable_if<C, T>::type;
template <bool C, class A, class B> using conditional_t = typename conditional<C, A, B>::type;
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
}
