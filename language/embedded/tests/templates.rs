//! Templates of modern C++: packs, their expansions and fold expressions, in code of the host and in
//! kernels. The expected outputs are those of g++.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{printed, refused};

#[test]
fn fold_expressions_join_packs_in_their_order() {
    let text = r#"#include <cstdio>
template <typename... T> auto right(T... args) { return (args - ...); }
template <typename... T> auto left(T... args) { return (... - args); }
template <typename... T> auto from(T... args) { return (100 - ... - args); }
template <typename... T> auto to(T... args) { return (args - ... - 100); }
template <typename... T> bool all(T... a) { return (a && ...); }
template <typename... T> bool any(T... a) { return (... || a); }
template <typename... T> void each(T... a) { (printf("%d,", (int)a), ...); }
template <typename... T> void add(int &sum, T... a) { ((sum += a), ...); }
template <int... N> constexpr int total = (N + ... + 0);
int main() {
    printf("%d %d %d %d ", right(10, 3, 2), left(10, 3, 2), from(1, 2, 3), to(1, 2, 3));
    printf("%d %d %d %d ", all(), any(), all(1, 2, 0), any(0, 0, 3));
    printf("%g %d %d\n", right(1, 2.5f, 3.25), total<1, 2, 3>, total<>);
    each(1, 2.5, 'c');
    each();
    int sum = 4;
    add(sum, 1, 2.5, 3);
    printf(" %d\n", sum);
    return 0;
}
"#;
    assert_eq!(printed("main.cu", text), "9 5 94 -98 1 0 0 1 1.75 6 0\n1,2,99, 10\n");
}

#[test]
fn functions_recurse_over_packs() {
    let text = r#"#include <cstdio>
#include <utility>
void print() { printf(".\n"); }
template <typename H, typename... T> void print(const H &h, const T &...t) {
    printf("%d/%d ", (int)h, (int)sizeof...(t));
    print(t...);
}
template <typename T> T most(T a) { return a; }
template <typename T, typename... R> T most(T a, R... rest) { T b = most(rest...); return a > b ? a : b; }
template <typename H, typename... T> int depth(H, T... rest) {
    if constexpr (sizeof...(rest) > 0) return 1 + depth(rest...);
    else return 1;
}
template <typename R, typename... T> R sum(T... args) { return (R(0) + ... + R(args)); }
template <typename... T> int sizes() { return (0 + ... + (int)sizeof(T)); }
template <typename F, typename... A> auto call(F f, A &&...a) { return f(std::forward<A>(a)...); }
int bump(int &x, int by) { x += by; return x; }
struct P { int x, y; P(int a, int b) : x(a), y(b) {} };
template <typename T, typename... A> T make(A &&...a) { return T(std::forward<A>(a)...); }
template <int... N> int list() {
    int values[] = {N..., -1}, twice[] = {0, (N * 2)...};
    return values[sizeof...(N)] * 100 + twice[sizeof...(N)] + sizeof(values);
}
int main() {
    print(1, 2.5, 'c', 4L);
    printf("%d %d %g %d ", most(3, 9, 4), depth(1, 2, 3), sum<double>(1, 2.5f, 'a'), sizes<char, int, double>());
    int x = 5;
    printf("%d ", call(bump, x, 3));
    P p = make<P>(3, x);
    printf("%d %d %d\n", p.x, p.y, list<4, 5, 6>());
    auto times = [](auto... xs) { return (xs * ... * 1); };
    auto later = [](auto... xs) { return [=](int more) { return (xs + ... + more); }; };
    auto change = [](auto &...xs) { auto all = [&xs...] { ((xs *= 2), ...); }; all(); };
    int a = 1, b = 2;
    change(a, b);
    printf("%d %d %d %d\n", times(2, 3, 4), later(2, 3, 4)(10), a, b);
    return 0;
}
"#;
    let expected = "1/3 2/2 99/1 4/0 .\n9 3 100.5 13 8 3 8 -72\n24 19 2 4\n";
    assert_eq!(printed("main.cu", text), expected);
}

#[test]
fn class_templates_have_packs() {
    let text = r#"#include <cstdio>
template <typename... T> struct Tuple;
template <> struct Tuple<> { static constexpr int size = 0; int sum() const { return 0; } };
template <typename H, typename... T> struct Tuple<H, T...> {
    H head;
    Tuple<T...> tail;
    static constexpr int size = 1 + sizeof...(T);
    Tuple(H h, T... t) : head(h), tail(t...) {}
    int sum() const { return (int)head + tail.sum(); }
};
template <int... N> struct Sum;
template <> struct Sum<> { static const int value = 0; };
template <int H, int... T> struct Sum<H, T...> { static const int value = H + Sum<T...>::value; };
template <typename... T> struct Last;
template <typename T> struct Last<T> { typedef T type; };
template <typename H, typename... T> struct Last<H, T...> { typedef typename Last<T...>::type type; };
template <typename T, T... V> struct Sequence { static constexpr int count = sizeof...(V); };
template <typename F> struct Shape;
template <typename R, typename... A> struct Shape<R(A...)> { static constexpr int count = sizeof...(A); };
template <typename T> struct Kind { static const int value = 0; };
template <typename T> struct Kind<T *> { static const int value = 1; };
template <typename T> struct Kind<const T *> { static const int value = 2; };
template <typename T> struct Kind<T &> { static const int value = 3; };
template <typename T> struct Kind<T &&> { static const int value = 4; };
template <template <typename...> class C, typename... A> struct Apply { typedef C<A...> type; };
template <typename... T> int count(Tuple<T...>) { return sizeof...(T); }
template <typename T> constexpr int width() { return sizeof(T); }
int main() {
    Tuple<int, float, char> t(1, 2.5f, 3);
    Apply<Tuple, int, int>::type u(4, 5);
    printf("%d %d %d %d %d\n", t.size, t.sum(), count(t), u.sum(), Sum<1, 2, 3>::value + Sum<>::value);
    printf("%d %d %d\n", (int)sizeof(Last<char, int, double>::type), Sequence<char, 7, 8>::count, Shape<int(char, int)>::count);
    printf("%d %d %d %d %d\n", Kind<int>::value, Kind<int *>::value, Kind<const int *>::value, Kind<int &>::value, Kind<int &&>::value);
    constexpr int one = width<char>(), eight = width<double>();
    printf("%d %d\n", one, eight);
    return 0;
}
"#;
    assert_eq!(printed("main.cu", text), "3 6 3 9 6\n8 2 2\n0 1 2 3 4\n1 8\n");
}

#[test]
fn kernels_have_packs() {
    let text = r#"#include <cstdio>
template <typename... A> __global__ void fill(float *out, A... a) { out[threadIdx.x] = (float)(a + ...) + threadIdx.x; }
template <typename T> __device__ T total(T v) { return v; }
template <typename T, typename... R> __device__ T total(T v, R... r) { return v + total(r...); }
template <int... N> __global__ void constants(float *out) {
    int list[] = {N...};
    for (int i = 0; i < sizeof...(N); i++) out[i] = list[i] * 2;
}
template <typename... P> __global__ void add(int n, float *out, P... in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = total(in[i]...);
}
template <typename... A> void go(float *d, A... a) { fill<<<1, 4>>>(d, a...); }
void show(float *d) {
    float h[4];
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (float one : h) printf("%g ", one);
}
int main() {
    float *d, *a, x[4] = {1, 2, 3, 4};
    cudaMalloc(&d, 16);
    cudaMalloc(&a, 16);
    cudaMemcpy(a, x, 16, cudaMemcpyHostToDevice);
    fill<<<1, 4>>>(d, 1, 2.5f, 3.0);
    show(d);
    go(d, 1, 2);
    show(d);
    constants<7, 8, 9, 1><<<1, 1>>>(d);
    show(d);
    add<<<1, 4>>>(4, d, a, a, a);
    show(d);
    printf("\n");
    return 0;
}
"#;
    assert_eq!(printed("main.cu", text), "6.5 7.5 8.5 9.5 3 4 5 6 14 16 18 2 3 6 9 12 \n");
}

#[test]
fn wrong_packs_are_refused_with_their_line() {
    let cases = [
        (
            "template <typename... T> int f(T... a) { return a; }\nint main() { return f(1); }\n",
            "needs `...`",
            1,
        ),
        (
            "template <typename... T> int f(T... a) { return (a + ...); }\nint main() { return f(); }\n",
            "has no operands",
            1,
        ),
        (
            "template <typename T> int f(T a) { return g(a...); }\nint main() { return f(1); }\n",
            "expands a pack",
            1,
        ),
        (
            "template <typename... T, typename... U> int f(int x) { return 0; }\ntemplate <typename... T> struct S : T... {};\nint main() { return 0; }\n",
            "an expansion of base classes",
            2,
        ),
        (
            "template <int... N> struct S {};\nS<int> s;\nint main() { return sizeof(s); }\n",
            "the template expects a value here",
            2,
        ),
    ];
    for (text, expected, line) in cases {
        let found = refused("main.cu", text);
        let place = format!("main.cu:{line}:");
        assert!(found.contains(expected) && found.contains(&place), "{text}\n{found}");
    }
}
