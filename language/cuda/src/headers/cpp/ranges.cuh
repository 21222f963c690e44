// Algorithms over a whole range, with a projection of the elements; part of <algorithm>.
#include <__algobase>
#include <type_traits>
namespace std {
namespace ranges {
struct identity {
    template <class T> T &&operator()(T &&value) const { return (T &&)value; }
};
struct less {
    template <class A, class B> bool operator()(const A &a, const B &b) const { return a < b; }
};
struct greater {
    template <class A, class B> bool operator()(const A &a, const B &b) const { return b < a; }
};
template <class I, class O> struct __in_out {
    I in;
    O out;
};
template <class I, class F> struct __in_fun {
    I in;
    F fun;
};
template <class P, class T> inline decltype(auto) __project(P &by, T &value) {
    if constexpr (requires { by(value); }) return by(value);
    else if constexpr (is_member_function_pointer_v<P>) return (value.*by)();
    else return (value.*by);
}
template <class R> using __at_of = decltype(std::begin(declval<R &>()));
template <class R, class F = less, class P = identity>
inline __at_of<R> sort(R &&range, F before = {}, P by = {}) {
    auto ordered = [&](auto &a, auto &b) -> bool { return before(__project(by, a), __project(by, b)); };
    std::sort(std::begin(range), std::end(range), ordered);
    return std::end(range);
}
template <class R, class F = less, class P = identity>
inline __at_of<R> stable_sort(R &&range, F before = {}, P by = {}) {
    auto ordered = [&](auto &a, auto &b) -> bool { return before(__project(by, a), __project(by, b)); };
    std::stable_sort(std::begin(range), std::end(range), ordered);
    return std::end(range);
}
template <class R, class F, class P = identity>
inline __in_fun<__at_of<R>, F> for_each(R &&range, F call, P by = {}) {
    auto at = std::begin(range);
    for (; at != std::end(range); ++at) call(__project(by, *at));
    return {at, call};
}
template <class R, class O> inline __in_out<__at_of<R>, O> copy(R &&range, O to) {
    auto at = std::begin(range);
    for (; at != std::end(range); ++at) {
        *to = *at;
        ++to;
    }
    return {at, to};
}
template <class R, class O, class F, class P = identity>
inline __in_out<__at_of<R>, O> transform(R &&range, O to, F call, P by = {}) {
    auto at = std::begin(range);
    for (; at != std::end(range); ++at) {
        *to = call(__project(by, *at));
        ++to;
    }
    return {at, to};
}
template <class R, class F, class P = identity> inline __at_of<R> find_if(R &&range, F takes, P by = {}) {
    auto at = std::begin(range);
    while (at != std::end(range) && !takes(__project(by, *at))) ++at;
    return at;
}
template <class R, class T, class P = identity> inline __at_of<R> find(R &&range, const T &value, P by = {}) {
    return ranges::find_if(range, [&](const auto &one) { return one == value; }, by);
}
template <class R, class F, class P = identity> inline ptrdiff_t count_if(R &&range, F takes, P by = {}) {
    ptrdiff_t count = 0;
    for (auto &&one : range) count += takes(__project(by, one)) ? 1 : 0;
    return count;
}
template <class R, class T, class P = identity> inline ptrdiff_t count(R &&range, const T &value, P by = {}) {
    return ranges::count_if(range, [&](const auto &one) { return one == value; }, by);
}
template <class R, class F, class P = identity> inline bool any_of(R &&range, F takes, P by = {}) {
    return ranges::find_if(range, takes, by) != std::end(range);
}
template <class R, class F, class P = identity> inline bool none_of(R &&range, F takes, P by = {}) {
    return !ranges::any_of(range, takes, by);
}
template <class R, class F, class P = identity> inline bool all_of(R &&range, F takes, P by = {}) {
    return !ranges::any_of(range, [&](auto &&one) { return !takes(one); }, by);
}
template <class R, class T> inline __at_of<R> fill(R &&range, const T &value) {
    auto at = std::begin(range);
    for (; at != std::end(range); ++at) *at = value;
    return at;
}
template <class R> inline __at_of<R> reverse(R &&range) {
    std::reverse(std::begin(range), std::end(range));
    return std::end(range);
}
template <class R, class F = less, class P = identity>
inline __at_of<R> max_element(R &&range, F before = {}, P by = {}) {
    auto best = std::begin(range);
    for (auto at = best; at != std::end(range); ++at)
        if (before(__project(by, *best), __project(by, *at))) best = at;
    return best;
}
template <class R, class F = less, class P = identity>
inline __at_of<R> min_element(R &&range, F before = {}, P by = {}) {
    auto best = std::begin(range);
    for (auto at = best; at != std::end(range); ++at)
        if (before(__project(by, *at), __project(by, *best))) best = at;
    return best;
}
}
}
