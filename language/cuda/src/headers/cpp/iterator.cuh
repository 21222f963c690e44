// <iterator>.
#include <__algobase>
namespace std {
class ios_base;
class istream;
class ostream;
typedef iterator<output_iterator_tag, void, void, void, void> __output_iterator;
template <class C> class back_insert_iterator : public __output_iterator {
public:
    C *__target;
    typedef C container_type;
    explicit back_insert_iterator(C &target) : __target(&target) {}
    template <class T> back_insert_iterator &operator=(T &&value) {
        __target->push_back((T &&)value);
        return *this;
    }
    back_insert_iterator &operator*() { return *this; }
    back_insert_iterator &operator++() { return *this; }
    back_insert_iterator operator++(int) { return *this; }
};
template <class C> inline back_insert_iterator<C> back_inserter(C &target) {
    return back_insert_iterator<C>(target);
}
template <class C> inline size_t size(const C &range) { return range.size(); }
template <class T, size_t N> inline size_t size(const T (&)[N]) { return N; }
template <class C> inline bool empty(const C &range) { return range.empty(); }
template <class C> inline auto data(C &range) { return range.data(); }
template <class T, size_t N> inline T *data(T (&list)[N]) { return list; }
template <class I> inline reverse_iterator<I> make_reverse_iterator(I at) { return reverse_iterator<I>(at); }
template <class C> class front_insert_iterator : public __output_iterator {
public:
    C *__target;
    explicit front_insert_iterator(C &target) : __target(&target) {}
    template <class T> front_insert_iterator &operator=(T &&value) {
        __target->push_front((T &&)value);
        return *this;
    }
    front_insert_iterator &operator*() { return *this; }
    front_insert_iterator &operator++() { return *this; }
    front_insert_iterator operator++(int) { return *this; }
};
template <class C> inline front_insert_iterator<C> front_inserter(C &target) {
    return front_insert_iterator<C>(target);
}
template <class C> class insert_iterator : public __output_iterator {
public:
    C *__target;
    typename C::iterator __at;
    insert_iterator(C &target, typename C::iterator at) : __target(&target), __at(at) {}
    template <class T> insert_iterator &operator=(T &&value) {
        __at = __target->insert(__at, (T &&)value);
        ++__at;
        return *this;
    }
    insert_iterator &operator*() { return *this; }
    insert_iterator &operator++() { return *this; }
    insert_iterator &operator++(int) { return *this; }
};
template <class C, class I> inline insert_iterator<C> inserter(C &target, I at) {
    return insert_iterator<C>(target, typename C::iterator(at));
}
// An iterator whose elements are moved from.
template <class I> class move_iterator {
public:
    typedef typename iterator_traits<I>::iterator_category iterator_category;
    typedef typename iterator_traits<I>::value_type value_type;
    typedef ptrdiff_t difference_type;
    typedef I pointer;
    typedef value_type &&reference;
    typedef I iterator_type;
    I __at;
    move_iterator() : __at() {}
    explicit move_iterator(I at) : __at(at) {}
    I base() const { return __at; }
    value_type &&operator*() const { return (value_type &&)*__at; }
    I operator->() const { return __at; }
    value_type &&operator[](ptrdiff_t at) const { return (value_type &&)__at[at]; }
    move_iterator &operator++() {
        ++__at;
        return *this;
    }
    move_iterator operator++(int) { return move_iterator(__at++); }
    move_iterator &operator--() {
        --__at;
        return *this;
    }
    move_iterator &operator+=(ptrdiff_t count) {
        __at += count;
        return *this;
    }
    move_iterator operator+(ptrdiff_t count) const { return move_iterator(__at + count); }
    move_iterator operator-(ptrdiff_t count) const { return move_iterator(__at - count); }
    ptrdiff_t operator-(const move_iterator &other) const { return __at - other.__at; }
    bool operator==(const move_iterator &other) const { return __at == other.__at; }
    bool operator!=(const move_iterator &other) const { return __at != other.__at; }
};
template <class I> inline move_iterator<I> make_move_iterator(I at) { return move_iterator<I>(at); }
template <class T> class ostream_iterator : public __output_iterator {
public:
    ostream *__to;
    const char *__between;
    ostream_iterator(ostream &to, const char *between = 0) : __to(&to), __between(between) {}
    template <class U> ostream_iterator &operator=(const U &value) {
        *__to << static_cast<const T &>(value);
        if (__between) *__to << __between;
        return *this;
    }
    ostream_iterator &operator*() { return *this; }
    ostream_iterator &operator++() { return *this; }
    ostream_iterator &operator++(int) { return *this; }
};
template <class T> class istream_iterator : public __iterated<input_iterator_tag, const T> {
public:
    istream *__from;
    T __value;
    istream_iterator() : __from(0), __value() {}
    istream_iterator(istream &from) : __from(&from), __value() { ++*this; }
    const T &operator*() const { return __value; }
    const T *operator->() const { return &__value; }
    istream_iterator &operator++() {
        if (__from && !(*__from >> __value)) __from = 0;
        return *this;
    }
    istream_iterator operator++(int) {
        istream_iterator old = *this;
        ++*this;
        return old;
    }
    bool operator==(const istream_iterator &other) const { return __from == other.__from; }
    bool operator!=(const istream_iterator &other) const { return __from != other.__from; }
};
// The characters of a stream. At its end the iterator is equal to one without a stream.
template <class C> class istreambuf_iterator : public __iterated<input_iterator_tag, const C> {
public:
    ios_base *__from;
    istreambuf_iterator() : __from(0) {}
    istreambuf_iterator(istream &from) : __from(from.rdbuf()) {}
    istreambuf_iterator(ios_base *from) : __from(from) {}
    C operator*() const {
        C c = 0;
        int got = __next();
        if (got >= 0) c = (C)got;
        return c;
    }
    istreambuf_iterator &operator++() {
        __from->__take();
        return *this;
    }
    istreambuf_iterator operator++(int) {
        istreambuf_iterator old = *this;
        ++*this;
        return old;
    }
    int __next() const {
        return __from ? __from->sgetc() : -1;
    }
    bool operator==(const istreambuf_iterator &other) const { return (__next() < 0) == (other.__next() < 0); }
    bool operator!=(const istreambuf_iterator &other) const { return !(*this == other); }
};
template <class C> class ostreambuf_iterator : public __output_iterator {
public:
    ios_base *__to;
    bool __failed;
    ostreambuf_iterator(ostream &to) : __to(to.rdbuf()), __failed(__to == 0) {}
    ostreambuf_iterator(ios_base *to) : __to(to), __failed(__to == 0) {}
    ostreambuf_iterator &operator=(C c) {
        if (!__failed) __failed = __to->sputc(c) < 0;
        return *this;
    }
    bool failed() const { return __failed; }
    ostreambuf_iterator &operator*() { return *this; }
    ostreambuf_iterator &operator++() { return *this; }
    ostreambuf_iterator &operator++(int) { return *this; }
};
}
