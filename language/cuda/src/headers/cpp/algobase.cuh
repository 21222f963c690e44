// Algorithms and ranges that the containers of GNU's library include.
#include <utility>
namespace std {
template <class C> inline auto begin(C &range) { return range.begin(); }
template <class C> inline auto end(C &range) { return range.end(); }
template <class T, size_t N> inline T *begin(T (&list)[N]) { return list; }
template <class T, size_t N> inline T *end(T (&list)[N]) { return list + N; }
#if __cplusplus >= 202002L
template <class C> inline ptrdiff_t ssize(const C &range) { return range.size(); }
template <class T, size_t N> inline ptrdiff_t ssize(const T (&)[N]) { return N; }
// Removes elements; the number of those that are gone.
template <class C, class F> inline size_t __erase_if(C &from, F takes) {
    size_t before = from.size();
    for (auto at = from.begin(); at != from.end();) {
        if (takes(*at)) at = from.erase(at);
        else ++at;
    }
    return before - from.size();
}
template <class C, class F> inline size_t __erase_moved(C &from, F takes) {
    size_t before = from.size();
    auto to = from.begin();
    for (auto at = from.begin(); at != from.end(); ++at) {
        if (takes(*at)) continue;
        if (to != at) *to = move(*at);
        ++to;
    }
    from.erase(to, from.end());
    return before - from.size();
}
#endif
template <class I> inline ptrdiff_t distance(I first, I last) {
    if constexpr (__is_random<I>) return last - first;
    ptrdiff_t count = 0;
    for (; first != last; ++first) ++count;
    return count;
}
template <class I> inline void advance(I &at, ptrdiff_t count) {
    if constexpr (__is_random<I>) {
        at += count;
    } else {
        for (; count > 0; --count) ++at;
        if constexpr (__can_go_back<I>)
            for (; count < 0; ++count) --at;
    }
}
template <class I> inline I next(I at, ptrdiff_t count = 1) {
    advance(at, count);
    return at;
}
template <class I> inline I prev(I at, ptrdiff_t count = 1) {
    advance(at, -count);
    return at;
}
template <class C> inline auto rbegin(C &range) { return range.rbegin(); }
template <class C> inline auto rend(C &range) { return range.rend(); }
template <class T, size_t N> inline reverse_iterator<T *> rbegin(T (&list)[N]) {
    return reverse_iterator<T *>(list + N);
}
template <class T, size_t N> inline reverse_iterator<T *> rend(T (&list)[N]) {
    return reverse_iterator<T *>(list);
}
template <class T, size_t N> inline reverse_iterator<const T *> crbegin(const T (&list)[N]) {
    return reverse_iterator<const T *>(list + N);
}
template <class T, size_t N> inline reverse_iterator<const T *> crend(const T (&list)[N]) {
    return reverse_iterator<const T *>(list);
}
template <class C> inline auto crbegin(const C &range) { return rbegin(range); }
template <class C> inline auto crend(const C &range) { return rend(range); }
template <class C> inline auto cbegin(const C &range) { return begin(range); }
template <class C> inline auto cend(const C &range) { return end(range); }
template <class T, class F> inline const T &min(const T &a, const T &b, F less) { return less(b, a) ? b : a; }
template <class T, class F> inline const T &max(const T &a, const T &b, F less) { return less(a, b) ? b : a; }
template <class I, class T> inline void fill(I first, I last, const T &value) {
    for (; first != last; ++first) *first = value;
}
template <class I, class N, class T> inline I fill_n(I first, N count, const T &value) {
    for (N i = 0; i < count; ++i) {
        *first = value;
        ++first;
    }
    return first;
}
template <class I, class O> inline O copy(I first, I last, O to) {
    for (; first != last; ++first) {
        *to = *first;
        ++to;
    }
    return to;
}
template <class I, class J> inline J copy_backward(I first, I last, J to) {
    while (first != last) *--to = *--last;
    return to;
}
template <class I, class J> inline J move_backward(I first, I last, J to) {
    while (first != last) *--to = move(*--last);
    return to;
}
template <class I, class J> inline bool equal(I first, I last, J other) {
    for (; first != last; ++first) {
        if (!(*first == *other)) return false;
        ++other;
    }
    return true;
}
template <class A, class B> inline constexpr bool __differ = true;
template <class A> inline constexpr bool __differ<A, A> = false;
template <class I, class J> inline bool __equal_to_end(I first, I last, J other, J end) {
    while (first != last && other != end) {
        if (!(*first == *other)) return false;
        ++first;
        ++other;
    }
    return first == last && other == end;
}
template <class I, class J, class F> inline bool equal(I first, I last, J other, F same) {
    if constexpr (!__differ<J, F>) return __equal_to_end(first, last, other, same);
    else return __equal_by(first, last, other, same);
}
template <class I, class J, class F> inline bool __equal_by(I first, I last, J other, F same) {
    for (; first != last; ++first) {
        if (!same(*first, *other)) return false;
        ++other;
    }
    return true;
}
template <class I> inline constexpr bool __is_pointer_type = false;
template <class T> inline constexpr bool __is_pointer_type<T *> = true;
template <class T> inline void __swap_at(T &a, T &b) { swap(a, b); }
template <class I> inline void iter_swap(I a, I b) { __swap_at(*a, *b); }
template <class I, class J> inline J swap_ranges(I first, I last, J other) {
    for (; first != last; ++first) {
        iter_swap(first, other);
        ++other;
    }
    return other;
}
template <class I, class J> inline pair<I, J> mismatch(I first, I last, J other) {
    while (first != last && *first == *other) {
        ++first;
        ++other;
    }
    return pair<I, J>(first, other);
}
template <class I, class J> inline pair<I, J> mismatch(I first, I last, J other, J end) {
    while (first != last && other != end && *first == *other) {
        ++first;
        ++other;
    }
    return pair<I, J>(first, other);
}
struct __less {
    template <class T, class U> bool operator()(const T &a, const U &b) const { return a < b; }
};
template <class I, class J, class F>
inline bool lexicographical_compare(I first, I last, J other, J end, F less) {
    for (; other != end; ++other) {
        if (first == last || less(*first, *other)) return true;
        if (less(*other, *first)) return false;
        ++first;
    }
    return false;
}
template <class I, class J> inline bool lexicographical_compare(I first, I last, J other, J end) {
    return lexicographical_compare(first, last, other, end, __less());
}
template <class I, class T, class F> inline I lower_bound(I first, I last, const T &value, F less) {
    ptrdiff_t count = distance(first, last);
    while (count > 0) {
        ptrdiff_t half = count / 2;
        I middle = first;
        advance(middle, half);
        if (less(*middle, value)) {
            first = ++middle;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}
template <class I, class T> inline I lower_bound(I first, I last, const T &value) {
    return lower_bound(first, last, value, __less());
}
}
