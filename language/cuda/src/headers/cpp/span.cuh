// <span>: elements that follow each other in an array of somebody else.
#include <concepts>
#include <cstddef>
namespace std {
inline constexpr size_t dynamic_extent = (size_t)-1;
template <class T, size_t N> struct array;
template <class T, size_t N> class span;
template <class T> inline constexpr bool __is_span = false;
template <class T, size_t N> inline constexpr bool __is_span<span<T, N>> = true;
template <class T> inline constexpr bool __is_std_array = false;
template <class T, size_t N> inline constexpr bool __is_std_array<array<T, N>> = true;
// An array of `U` is an array of `T`: at most `const` is added.
template <class U, class T> concept __elements_of = is_same_v<U, T> || is_same_v<const U, T>;
template <class R> using __data_of = remove_pointer_t<decltype(declval<R &>().data())>;
template <class R, class T> concept __span_range =
    !__is_span<remove_cvref_t<R>> && !__is_std_array<remove_cvref_t<R>> && !is_array_v<remove_cvref_t<R>>
    && requires(R &range) { range.size(); } && __elements_of<__data_of<R>, T>
    && (is_lvalue_reference_v<R> || is_const_v<T>);
template <class I> using __referred = remove_reference_t<decltype(*declval<I &>())>;
// The number of elements: a member only where the type does not say it.
template <size_t N> struct __span_size {
    constexpr __span_size(size_t) {}
    constexpr size_t __size() const { return N; }
};
template <> struct __span_size<dynamic_extent> {
    size_t __count;
    constexpr __span_size(size_t count) : __count(count) {}
    constexpr size_t __size() const { return __count; }
};
template <class T, size_t N = dynamic_extent> class span : __span_size<N> {
    T *__first;
public:
    typedef T element_type;
    typedef remove_cv_t<T> value_type;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef T *pointer;
    typedef const T *const_pointer;
    typedef T &reference;
    typedef const T &const_reference;
    typedef T *iterator;
    typedef std::reverse_iterator<T *> reverse_iterator;
    static constexpr size_t extent = N;
    constexpr span() requires (N == dynamic_extent || N == 0) : __span_size<N>(0), __first(nullptr) {}
    template <class I> requires __elements_of<__referred<I>, T>
    constexpr span(I first, size_t count) : __span_size<N>(count), __first(&*first) {}
    template <class I, class E> requires __elements_of<__referred<I>, T> && (!is_convertible_v<E, size_t>)
    constexpr span(I first, E last) : __span_size<N>(last - first), __first(&*first) {}
    template <class U, size_t M> requires __elements_of<U, T> && (N == dynamic_extent || N == M)
    constexpr span(U (&list)[M]) : __span_size<N>(M), __first(list) {}
    template <class U, size_t M> requires __elements_of<U, T> && (N == dynamic_extent || N == M)
    constexpr span(array<U, M> &list) : __span_size<N>(M), __first(list.data()) {}
    template <class U, size_t M> requires __elements_of<const U, T> && (N == dynamic_extent || N == M)
    constexpr span(const array<U, M> &list) : __span_size<N>(M), __first(list.data()) {}
    template <class R> requires __span_range<R, T>
    constexpr span(R &&range) : __span_size<N>(range.size()), __first(range.data()) {}
    template <class U, size_t M>
        requires __elements_of<U, T> && (N == dynamic_extent || M == dynamic_extent || N == M)
    constexpr span(const span<U, M> &other) : __span_size<N>(other.size()), __first(other.data()) {}
    constexpr size_t size() const { return this->__size(); }
    constexpr size_t size_bytes() const { return size() * sizeof(T); }
    constexpr bool empty() const { return size() == 0; }
    constexpr T *data() const { return __first; }
    constexpr T &operator[](size_t at) const { return __first[at]; }
    constexpr T &front() const { return __first[0]; }
    constexpr T &back() const { return __first[size() - 1]; }
    constexpr iterator begin() const { return __first; }
    constexpr iterator end() const { return __first + size(); }
    constexpr reverse_iterator rbegin() const { return reverse_iterator(end()); }
    constexpr reverse_iterator rend() const { return reverse_iterator(begin()); }
    constexpr span<T> first(size_t count) const { return span<T>(__first, count); }
    constexpr span<T> last(size_t count) const { return span<T>(__first + (size() - count), count); }
    constexpr span<T> subspan(size_t from, size_t count = dynamic_extent) const {
        return span<T>(__first + from, count == dynamic_extent ? size() - from : count);
    }
    template <size_t C> constexpr span<T, C> first() const { return span<T, C>(__first, C); }
    template <size_t C> constexpr span<T, C> last() const { return span<T, C>(__first + (size() - C), C); }
    template <size_t F, size_t C = dynamic_extent> constexpr auto subspan() const {
        constexpr size_t own = C != dynamic_extent ? C : N != dynamic_extent ? N - F : dynamic_extent;
        return span<T, own>(__first + F, C == dynamic_extent ? size() - F : C);
    }
};
template <class T, size_t N> span(T (&)[N]) -> span<T, N>;
template <class T, size_t N> span(array<T, N> &) -> span<T, N>;
template <class T, size_t N> span(const array<T, N> &) -> span<const T, N>;
template <class I, class E> span(I, E) -> span<__referred<I>>;
template <class R> requires (!__is_std_array<remove_cvref_t<R>> && !is_array_v<remove_cvref_t<R>>)
span(R &&) -> span<__data_of<R>>;
template <size_t N, class T> inline constexpr size_t __bytes_in = N == dynamic_extent ? N : N * sizeof(T);
template <class T, size_t N> inline span<const byte, __bytes_in<N, T>> as_bytes(span<T, N> list) {
    return span<const byte, __bytes_in<N, T>>((const byte *)list.data(), list.size_bytes());
}
template <class T, size_t N> inline span<byte, __bytes_in<N, T>> as_writable_bytes(span<T, N> list) {
    return span<byte, __bytes_in<N, T>>((byte *)list.data(), list.size_bytes());
}
}
