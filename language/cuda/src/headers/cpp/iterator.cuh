// <iterator>.
#include <utility>
namespace std {
template <class C> inline auto begin(C &range) { return range.begin(); }
template <class C> inline auto end(C &range) { return range.end(); }
template <class T, size_t N> inline T *begin(T (&list)[N]) { return list; }
template <class T, size_t N> inline T *end(T (&list)[N]) { return list + N; }
template <class I> inline ptrdiff_t distance(I first, I last) {
    ptrdiff_t count = 0;
    for (; first != last; ++first) ++count;
    return count;
}
template <class T> inline ptrdiff_t distance(T *first, T *last) { return last - first; }
template <class I> inline void advance(I &at, ptrdiff_t count) {
    for (; count > 0; --count) ++at;
    for (; count < 0; ++count) --at;
}
template <class I> inline I next(I at, ptrdiff_t count = 1) {
    advance(at, count);
    return at;
}
template <class I> inline I prev(I at, ptrdiff_t count = 1) {
    advance(at, -count);
    return at;
}
template <class C> class back_insert_iterator {
public:
    C *__target;
    explicit back_insert_iterator(C &target) : __target(&target) {}
    template <class T> back_insert_iterator &operator=(const T &value) {
        __target->push_back(value);
        return *this;
    }
    back_insert_iterator &operator*() { return *this; }
    back_insert_iterator &operator++() { return *this; }
    back_insert_iterator &operator++(int) { return *this; }
};
template <class C> inline back_insert_iterator<C> back_inserter(C &target) {
    return back_insert_iterator<C>(target);
}
}
