// Heaps.
#include <__algobase>
namespace std {
// The steps of GNU's library, so that heaps have its order.
template <class I, class T, class F> inline void __sift_up(I first, ptrdiff_t hole, ptrdiff_t top, T value, F &less) {
    while (hole > top && less(first[(hole - 1) / 2], value)) {
        first[hole] = move(first[(hole - 1) / 2]);
        hole = (hole - 1) / 2;
    }
    first[hole] = move(value);
}
template <class I, class T, class F>
inline void __sift_down(I first, ptrdiff_t hole, ptrdiff_t count, T value, F &less) {
    ptrdiff_t top = hole, child = hole;
    while (child < (count - 1) / 2) {
        child = 2 * (child + 1);
        if (less(first[child], first[child - 1])) --child;
        first[hole] = move(first[child]);
        hole = child;
    }
    if (count % 2 == 0 && child == (count - 2) / 2) {
        child = 2 * (child + 1);
        first[hole] = move(first[child - 1]);
        hole = child - 1;
    }
    __sift_up(first, hole, top, move(value), less);
}
template <class I, class F> inline void push_heap(I first, I last, F less) {
    if (last - first > 1) __sift_up(first, last - first - 1, 0, move(first[last - first - 1]), less);
}
template <class I> inline void push_heap(I first, I last) { push_heap(first, last, __less()); }
template <class I, class F> inline void pop_heap(I first, I last, F less) {
    if (last - first < 2) return;
    --last;
    auto value = move(*last);
    *last = move(*first);
    __sift_down(first, 0, last - first, move(value), less);
}
template <class I> inline void pop_heap(I first, I last) { pop_heap(first, last, __less()); }
template <class I, class F> inline void make_heap(I first, I last, F less) {
    ptrdiff_t count = last - first;
    for (ptrdiff_t at = (count - 2) / 2; count > 1 && at >= 0; --at)
        __sift_down(first, at, count, move(first[at]), less);
}
template <class I> inline void make_heap(I first, I last) { make_heap(first, last, __less()); }
template <class I, class F> inline void sort_heap(I first, I last, F less) {
    for (; last - first > 1; --last) pop_heap(first, last, less);
}
template <class I> inline void sort_heap(I first, I last) { sort_heap(first, last, __less()); }
}
