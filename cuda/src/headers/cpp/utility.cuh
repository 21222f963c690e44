// <utility>: moves and pairs.
#include <initializer_list>
namespace std {
typedef decltype(nullptr) nullptr_t;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> inline typename remove_reference<T>::type &&move(T &&value) {
    return static_cast<typename remove_reference<T>::type &&>(value);
}
template <class T> inline T &&forward(typename remove_reference<T>::type &value) {
    return static_cast<T &&>(value);
}
template <class T> inline T exchange(T &object, const T &value) {
    T old = (T &&)object;
    object = value;
    return old;
}
template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    pair() : first(), second() {}
    pair(const A &a, const B &b) : first(a), second(b) {}
    template <class C, class D> pair(const pair<C, D> &other) : first(other.first), second(other.second) {}
};
template <class A, class B> inline pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
template <class A, class B> inline bool operator==(const pair<A, B> &a, const pair<A, B> &b) {
    return a.first == b.first && a.second == b.second;
}
template <class A, class B> inline bool operator!=(const pair<A, B> &a, const pair<A, B> &b) {
    return !(a == b);
}
template <class A, class B> inline bool operator<(const pair<A, B> &a, const pair<A, B> &b) {
    return a.first < b.first || !(b.first < a.first) && a.second < b.second;
}
template <class A, class B> inline bool operator>(const pair<A, B> &a, const pair<A, B> &b) { return b < a; }
template <class A, class B> inline bool operator<=(const pair<A, B> &a, const pair<A, B> &b) {
    return !(b < a);
}
template <class A, class B> inline bool operator>=(const pair<A, B> &a, const pair<A, B> &b) {
    return !(a < b);
}
}
