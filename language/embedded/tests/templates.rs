//! Templates of modern C++: packs, their expansions and fold expressions, in host code and kernels,
//! and choices by substitution. The expected outputs are those of g++.

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
fn substitution_chooses_overloads_and_specializations() {
    let text = r#"#include <cstdio>
#include <type_traits>
#include <utility>
template <class T> std::enable_if_t<std::is_integral<T>::value, int> kind(T) { return 1; }
template <class T> std::enable_if_t<std::is_floating_point<T>::value, int> kind(T) { return 2; }
template <class T, class = std::enable_if_t<std::is_pointer<T>::value>> int ptr(T) { return 3; }
int ptr(...) { return 4; }
template <class T, std::enable_if_t<(sizeof(T) > 4), int> = 0> int big(T) { return 1; }
template <class T, std::enable_if_t<(sizeof(T) <= 4), int> = 0> int big(T) { return 0; }
template <class T, class = void> struct has_size { static const bool value = false; };
template <class T> struct has_size<T, std::void_t<decltype(T().size())>> { static const bool value = true; };
struct S { int size() const { return 1; } };
template <size_t... N> int sum(std::index_sequence<N...>) { return (0 + ... + (int)(N * N)); }
int main() {
    int x;
    printf("%d %d %d %d\n", kind(1), kind(2.5), ptr(&x), big(1.0) * 10 + big(1));
    printf("%d %d\n", has_size<S>::value, has_size<int>::value);
    printf("%d %d\n", sum(std::make_index_sequence<5>()), (int)std::make_index_sequence<20>::size());
}
"#;
    assert_eq!(printed("main.cu", text), "1 2 3 10\n1 0\n30 20\n");
}

#[test]
fn traits_of_types_have_the_values_of_the_standard() {
    let text = r#"#include <cstdio>
#include <type_traits>
#include <utility>
#include <vector>
#include <string>
template <class T> auto twice(T x) -> std::enable_if_t<std::is_arithmetic_v<T>, T> { return x * 2; }
template <class T> typename std::enable_if<!std::is_arithmetic<T>::value, T>::type twice(T x) { return x + x; }
template <class T> void only(T, typename std::enable_if<std::is_same<T, int>::value>::type * = 0) { printf("int "); }
template <class T> void only(T, typename std::enable_if<!std::is_same<T, int>::value>::type * = 0) { printf("other "); }
template <class T> std::string name() { if constexpr (std::is_pointer_v<T>) return name<std::remove_pointer_t<T>>() + "*"; else if constexpr (std::is_const_v<T>) return "const " + name<std::remove_const_t<T>>(); else if constexpr (std::is_same_v<T, int>) return "int"; else return "?"; }
template <size_t... I> void show(const char *s, std::index_sequence<I...>) { ((printf("%c", s[I])), ...); printf("\n"); }
template <class... T> struct all_int : std::conjunction<std::is_same<T, int>...> {};
int main() {
    printf("%d %g %s\n", twice(4), twice(1.5), twice(std::string("ab")).c_str());
    only(1); only(2.0); printf("%s\n", name<const int *>().c_str());
    show("hello", std::make_index_sequence<4>());
    printf("%d %d %d\n", all_int<int, int>::value, all_int<int, char>::value, all_int<>::value);
    printf("%d %d %d %d\n", std::is_same_v<std::decay_t<const int &>, int>, std::is_same_v<std::decay_t<int[3]>, int *>, std::is_same_v<std::make_unsigned_t<int>, unsigned>, std::is_same_v<std::remove_cvref_t<const int &&>, int>);
    printf("%d %d %d %d %d\n", std::is_reference_v<int>, std::is_reference_v<int &>, std::is_rvalue_reference_v<int &&>, std::is_integral_v<const int>, std::is_void_v<void>);
    printf("%d %d\n", std::is_same_v<std::conditional_t<true, int, char>, int>, std::is_array_v<int[2]>);
    std::integral_constant<int, 7> seven; printf("%d %d\n", seven(), (int)seven + 1);
}
"#;
    let expected = "8 3 abab\nint other const int*\nhell\n1 0 1\n1 1 1 1\n0 1 1 1 1\n1 1\n7 8\n";
    assert_eq!(printed("main.cu", text), expected);
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
            "template <typename... T, typename... U> int f(int x) { return 0; }\ntemplate <typename... T> struct S : T {};\nint main() { return sizeof(S<int>); }\n",
            "`T` is a pack and needs `...`",
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
