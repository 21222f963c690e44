// Allocators and the memory of containers.
#include <utility>
namespace std {
// An object without members takes no place.
template <class D, bool = __is_empty(D) && !__is_final(D)> struct __held {
    D __value;
    __held() : __value() {}
    explicit __held(const D &value) : __value(value) {}
    D &__get() { return __value; }
    const D &__get() const { return __value; }
};
template <class D> struct __held<D, true> : D {
    __held() {}
    explicit __held(const D &value) : D(value) {}
    D &__get() { return *this; }
    const D &__get() const { return *this; }
};
template <class T> class allocator {
public:
    typedef T value_type;
    typedef T *pointer;
    typedef const T *const_pointer;
    typedef T &reference;
    typedef const T &const_reference;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    template <class U> struct rebind {
        typedef allocator<U> other;
    };
    allocator() {}
    template <class U> allocator(const allocator<U> &) {}
    T *allocate(size_t count) { return (T *)__ws_malloc(count * sizeof(T)); }
    void deallocate(T *first, size_t) { free((void *)first); }
    template <class U, class... A> void construct(U *at, A &&...arguments) { new ((void *)at) U((A &&)arguments...); }
    template <class U> void destroy(U *at) { at->~U(); }
    size_t max_size() const { return 0x7fffffffffffffffUL / sizeof(T); }
    template <class U> bool operator==(const allocator<U> &) const { return true; }
    template <class U> bool operator!=(const allocator<U> &) const { return false; }
};
template <class A> inline constexpr bool __is_standard = false;
template <class T> inline constexpr bool __is_standard<allocator<T>> = true;
template <class A, class U, class V = void> struct __rebind;
template <template <class, class...> class A, class T, class... R, class U> struct __rebind<A<T, R...>, U, void> {
    typedef A<U, R...> type;
};
template <class A, class U> struct __rebind<A, U, typename __void<typename A::template rebind<U>::other>::type> {
    typedef typename A::template rebind<U>::other type;
};
// What an allocator declares, or else what holds for most of them.
#define __WS_ALLOCATOR_HAS(NAME, KEY)                                                                      \
    template <class A, class V = void> struct NAME : false_type {};                                        \
    template <class A> struct NAME<A, typename __void<typename A::KEY>::type> : A::KEY {};
__WS_ALLOCATOR_HAS(__copies_along, propagate_on_container_copy_assignment)
__WS_ALLOCATOR_HAS(__moves_along, propagate_on_container_move_assignment)
__WS_ALLOCATOR_HAS(__swaps_along, propagate_on_container_swap)
#undef __WS_ALLOCATOR_HAS
template <class A, class V = void> struct __always_equal : integral_constant<bool, __is_empty(A)> {};
template <class A> struct __always_equal<A, typename __void<typename A::is_always_equal>::type> : A::is_always_equal {};
// Whether an allocator makes or ends objects itself.
template <class V, class A, class T, class... B> inline constexpr bool __constructs = false;
template <class A, class T, class... B>
inline constexpr bool __constructs<typename __void<decltype(declval<A &>().construct((T *)0, declval<B>()...))>::type, A, T, B...> =
    !__is_standard<A>;
template <class A, class T, class V = void> inline constexpr bool __destroys = false;
template <class A, class T>
inline constexpr bool __destroys<A, T, typename __void<decltype(declval<A &>().destroy((T *)0))>::type> = !__is_standard<A>;
template <class A, class V = void> inline constexpr bool __selects = false;
template <class A> inline constexpr bool
    __selects<A, typename __void<decltype(declval<const A &>().select_on_container_copy_construction())>::type> = true;
template <class A> inline A __selected(const A &from) {
    if constexpr (__selects<A>) return from.select_on_container_copy_construction();
    else return from;
}
template <class A> inline bool __equal_allocators(const A &a, const A &b) {
    if constexpr (__always_equal<A>::value) return true;
    else return a == b;
}
template <class A> struct allocator_traits {
    typedef A allocator_type;
    typedef typename A::value_type value_type;
    typedef value_type *pointer;
    typedef const value_type *const_pointer;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef __copies_along<A> propagate_on_container_copy_assignment;
    typedef __moves_along<A> propagate_on_container_move_assignment;
    typedef __swaps_along<A> propagate_on_container_swap;
    typedef __always_equal<A> is_always_equal;
    template <class U> using rebind_alloc = typename __rebind<A, U>::type;
    template <class U> using rebind_traits = allocator_traits<rebind_alloc<U>>;
    static pointer allocate(A &from, size_t count) { return from.allocate(count); }
    static void deallocate(A &from, pointer first, size_t count) { from.deallocate(first, count); }
    template <class U, class... B> static void construct(A &from, U *at, B &&...arguments) {
        if constexpr (__constructs<void, A, U, B...>) from.construct(at, (B &&)arguments...);
        else new ((void *)at) U((B &&)arguments...);
    }
    template <class U> static void destroy(A &from, U *at) {
        if constexpr (__destroys<A, U>) from.destroy(at);
        else at->~U();
    }
    static size_t max_size(const A &) { return 0x7fffffffffffffffUL / sizeof(value_type); }
    static A select_on_container_copy_construction(const A &from) {
        return __selected(from);
    }
};
}
// In a container that does not call its allocator.
#define __WS_STANDARD_ALLOCATOR                                                                            \
    static_assert(__is_standard<__A>, "`std::vector` is the only container that takes an allocator of the program"); \
    typedef __A allocator_type;                                                                            \
    __A get_allocator() const { return __A(); }
