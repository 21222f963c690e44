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
template <class C> inline auto rbegin(C &range) { return range.rbegin(); }
template <class C> inline auto rend(C &range) { return range.rend(); }
template <class C> inline auto cbegin(const C &range) { return begin(range); }
template <class C> inline auto cend(const C &range) { return end(range); }
template <class C> inline size_t size(const C &range) { return range.size(); }
template <class T, size_t N> inline size_t size(const T (&)[N]) { return N; }
template <class C> inline bool empty(const C &range) { return range.empty(); }
template <class C> inline auto data(C &range) { return range.data(); }
template <class T, size_t N> inline T *data(T (&list)[N]) { return list; }
template <class I> inline reverse_iterator<I> make_reverse_iterator(I at) { return reverse_iterator<I>(at); }
template <class C> class front_insert_iterator {
public:
    C *__target;
    explicit front_insert_iterator(C &target) : __target(&target) {}
    template <class T> front_insert_iterator &operator=(const T &value) {
        __target->push_front(value);
        return *this;
    }
    front_insert_iterator &operator*() { return *this; }
    front_insert_iterator &operator++() { return *this; }
    front_insert_iterator &operator++(int) { return *this; }
};
template <class C> inline front_insert_iterator<C> front_inserter(C &target) {
    return front_insert_iterator<C>(target);
}
}
