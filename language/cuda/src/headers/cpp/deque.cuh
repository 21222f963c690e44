// <deque>, <stack> and <queue>: a deque is a vector that also grows in front.
#include <algorithm>
#include <functional>
#include <vector>
namespace std {
template <class T> class deque : public vector<T> {
public:
    deque() {}
    explicit deque(size_t count) : vector<T>(count) {}
    deque(size_t count, const T &value) : vector<T>(count, value) {}
    deque(initializer_list<T> list) : vector<T>(list) {}
    template <class __Iterator> deque(__Iterator first, __Iterator last) : vector<T>(first, last) {}
    void push_front(const T &value) { this->insert(this->begin(), value); }
    void pop_front() { this->erase(this->begin()); }
};
template <class T, class C = deque<T> > class stack {
public:
    typedef T value_type;
    C __items;
    bool empty() const { return __items.empty(); }
    size_t size() const { return __items.size(); }
    T &top() { return __items.back(); }
    const T &top() const { return __items.back(); }
    void push(const T &value) { __items.push_back(value); }
    template <class A> void emplace(A &&a) { __items.emplace_back((A &&)a); }
    template <class A, class B> void emplace(A &&a, B &&b) { __items.emplace_back((A &&)a, (B &&)b); }
    void pop() { __items.pop_back(); }
};
// Elements that have left stay in front until they are half of the list.
template <class T, class C = deque<T> > class queue {
public:
    typedef T value_type;
    C __items;
    size_t __from;
    queue() : __from(0) {}
    bool empty() const { return __from == __items.size(); }
    size_t size() const { return __items.size() - __from; }
    T &front() { return __items[__from]; }
    const T &front() const { return __items[__from]; }
    T &back() { return __items.back(); }
    const T &back() const { return __items.back(); }
    void push(const T &value) { __items.push_back(value); }
    template <class A> void emplace(A &&a) { __items.emplace_back((A &&)a); }
    template <class A, class B> void emplace(A &&a, B &&b) { __items.emplace_back((A &&)a, (B &&)b); }
    void pop() {
        __items[__from] = T();
        ++__from;
        if (__from > 16 && 2 * __from > __items.size()) {
            __items.erase(__items.begin(), __items.begin() + __from);
            __from = 0;
        }
    }
};
// A heap with the largest element in front.
template <class T, class C = vector<T>, class F = less<T> > class priority_queue {
public:
    typedef T value_type;
    C __items;
    F __less;
    priority_queue() {}
    bool empty() const { return __items.empty(); }
    size_t size() const { return __items.size(); }
    const T &top() const { return __items.front(); }
    void push(const T &value) {
        __items.push_back(value);
        size_t at = __items.size() - 1;
        while (at > 0 && __less(__items[(at - 1) / 2], __items[at])) {
            __swap_at(__items[(at - 1) / 2], __items[at]);
            at = (at - 1) / 2;
        }
    }
    template <class A> void emplace(A &&a) { push(T((A &&)a)); }
    template <class A, class B> void emplace(A &&a, B &&b) { push(T((A &&)a, (B &&)b)); }
    void pop() {
        __swap_at(__items.front(), __items.back());
        __items.pop_back();
        size_t at = 0, count = __items.size();
        for (;;) {
            size_t largest = at, left = 2 * at + 1;
            if (left < count && __less(__items[largest], __items[left])) largest = left;
            if (left + 1 < count && __less(__items[largest], __items[left + 1])) largest = left + 1;
            if (largest == at) return;
            __swap_at(__items[at], __items[largest]);
            at = largest;
        }
    }
};
}
