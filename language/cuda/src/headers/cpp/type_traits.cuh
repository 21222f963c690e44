// <type_traits>: questions about types, and types from types.
#include <utility>
namespace std {
template <class T, T V> struct integral_constant {
    typedef T value_type;
    static const T value = V;
};
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_cv { typedef typename remove_const<T>::type type; };
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <class T> struct decay { typedef typename remove_const<typename remove_reference<T>::type>::type type; };
template <bool C, class A, class B> struct conditional { typedef A type; };
template <class A, class B> struct conditional<false, A, B> { typedef B type; };
template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_pointer : false_type {};
template <class T> struct is_pointer<T *> : true_type {};
template <class T> struct is_reference : false_type {};
template <class T> struct is_reference<T &> : true_type {};
template <class T> struct is_integral : false_type {};
template <class T> struct is_floating_point : false_type {};
template <class T> struct is_unsigned : false_type {};
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
#define __WS_VALUE(NAME) template <class T> inline constexpr bool NAME##_v = NAME<T>::value;
__WS_VALUE(is_const)
__WS_VALUE(is_pointer)
__WS_VALUE(is_reference)
__WS_VALUE(is_integral)
__WS_VALUE(is_floating_point)
__WS_VALUE(is_arithmetic)
__WS_VALUE(is_signed)
__WS_VALUE(is_unsigned)
#undef __WS_VALUE
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
}
