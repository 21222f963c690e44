// <queue>: a queue, and a heap with the largest element in front.
#include <__functions>
#include <__heap>
#include <deque>
#include <vector>
namespace std {
template <class T, class C = deque<T> > class queue {
public:
    typedef C container_type;
    typedef T value_type;
    typedef size_t size_type;
    typedef T &reference;
    C __items;
    queue() {}
    explicit queue(const C &items) : __items(items) {}
    bool empty() const { return __items.empty(); }
    size_t size() const { return __items.size(); }
    T &front() { return __items.front(); }
    const T &front() const { return __items.front(); }
    T &back() { return __items.back(); }
    const T &back() const { return __items.back(); }
    void push(const T &value) { __items.push_back(value); }
    void push(T &&value) { __items.push_back((T &&)value); }
    template <class... A> decltype(auto) emplace(A &&...arguments) { return __items.emplace_back((A &&)arguments...); }
    void pop() { __items.pop_front(); }
    void swap(queue &other) noexcept(noexcept(declval<C &>().swap(declval<C &>()))) { __items.swap(other.__items); }
    bool operator==(const queue &other) const { return __items == other.__items; }
    bool operator!=(const queue &other) const { return !(__items == other.__items); }
    bool operator<(const queue &other) const { return __items < other.__items; }
};
template <class T, class C> inline void swap(queue<T, C> &a, queue<T, C> &b) noexcept(noexcept(a.swap(b))) { a.swap(b); }
template <class T, class C = vector<T>, class F = less<T> > class priority_queue {
public:
    typedef C container_type;
    typedef T value_type;
    typedef F value_compare;
    typedef size_t size_type;
    C __items;
    F __less;
    priority_queue() : __less() {}
    explicit priority_queue(const F &less) : __less(less) {}
    priority_queue(const F &less, const C &items) : __items(items), __less(less) {
        make_heap(__items.begin(), __items.end(), __less);
    }
    template <class __Iterator> priority_queue(__Iterator first, __Iterator last, const F &less = F())
        : __items(first, last), __less(less) {
        make_heap(__items.begin(), __items.end(), __less);
    }
    bool empty() const { return __items.empty(); }
    size_t size() const { return __items.size(); }
    const T &top() const { return __items.front(); }
    void push(const T &value) {
        __items.push_back(value);
        push_heap(__items.begin(), __items.end(), __less);
    }
    void push(T &&value) {
        __items.push_back((T &&)value);
        push_heap(__items.begin(), __items.end(), __less);
    }
    template <class... A> void emplace(A &&...arguments) {
        __items.emplace_back((A &&)arguments...);
        push_heap(__items.begin(), __items.end(), __less);
    }
    void pop() {
        pop_heap(__items.begin(), __items.end(), __less);
        __items.pop_back();
    }
    void swap(priority_queue &other) {
        __items.swap(other.__items);
        __swap_parts(__less, other.__less);
    }
};
}
