// <stack>.
#include <deque>
namespace std {
template <class T, class C = deque<T> > class stack {
public:
    typedef C container_type;
    typedef T value_type;
    typedef size_t size_type;
    typedef T &reference;
    C __items;
    stack() {}
    explicit stack(const C &items) : __items(items) {}
    bool empty() const { return __items.empty(); }
    size_t size() const { return __items.size(); }
    T &top() { return __items.back(); }
    const T &top() const { return __items.back(); }
    void push(const T &value) { __items.push_back(value); }
    void push(T &&value) { __items.push_back((T &&)value); }
    template <class... A> decltype(auto) emplace(A &&...arguments) { return __items.emplace_back((A &&)arguments...); }
    void pop() { __items.pop_back(); }
    void swap(stack &other) noexcept(noexcept(declval<C &>().swap(declval<C &>()))) { __items.swap(other.__items); }
    bool operator==(const stack &other) const { return __items == other.__items; }
    bool operator!=(const stack &other) const { return !(__items == other.__items); }
};
template <class T, class C> inline void swap(stack<T, C> &a, stack<T, C> &b) noexcept(noexcept(a.swap(b))) { a.swap(b); }
}
