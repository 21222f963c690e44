//! Constructs of C++11 to C++17. The expected outputs are those of g++.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{printed, refused};

/// Checks the messages and the lines of programs that are refused.
fn all_refused(cases: &[(&str, &str, usize)]) {
    for (text, expected, line) in cases {
        let found = refused("main.cu", text);
        let place = format!("main.cu:{line}:");
        assert!(found.contains(expected) && found.contains(&place), "{text}\n{found}");
    }
}

#[test]
fn conditions_declare_variables_first() {
    let text = r#"#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <array>
struct D { int n; D(int n) : n(n) { printf("+%d ", n); } ~D() { printf("-%d ", n); } };
int f(int x) { return x * 2; }
int main() {
    for (int i = 0; i < 4; i++) {
        if (int x = f(i); x > 4) printf("a%d ", x);
        else if (D d(i); d.n == 1) printf("b%d,%d ", x, d.n);
        else printf("c%d,%d ", x, d.n);
    }
    int y;
    if (y = 3; y == 3) printf("y%d ", y);
    if (; y) printf("z ");
    if (D a(7), b(8); int k = a.n + b.n) printf("k%d ", k);
    switch (int k = f(2); k) { case 4: printf("four%d ", k); break; default: printf("no"); }
    switch (D d(9); int v = d.n) { case 9: printf("nine%d ", v); }
    std::map<std::string, int> m;
    if (auto [it, added] = m.insert(std::make_pair(std::string("k"), 5)); added) printf("%s=%d ", it->first.c_str(), it->second);
    if (auto it = m.find("k"); it != m.end()) printf("found%d\n", it->second);
    return 0;
}
"#;
    assert_eq!(
        printed("main.cu", text),
        "+0 c0,0 -0 +1 b2,1 -1 +2 c4,2 -2 a6 y3 z +7 +8 k15 -8 -7 four4 +9 nine9 -9 k=5 found5\n"
    );
}

#[test]
fn digits_have_separators() {
    let text = r#"#include <cstdio>
#define TEXT(x) #x
#define JOIN(a, b) a##b
#if 1'000 + 0x1'0 == 1016
#define OK 1
#else
#define OK 0
#endif
#if 0
don't 1'000 // it's skipped
1'0 /* a
'comment */ #endif
#endif
int main() {
    unsigned long long big = 18'446'744'073'709'551'615ull;
    printf("%d %x %d %o %llu %g %g\n", 1'000'000, 0xff'ff, 0b1010'1010, 01'7, big, 1'0.2'5e1'0, 0x1'0p0);
    printf("%s %d %d %d %c%c\n", TEXT(1'000), JOIN(1'0, 0'0), OK, '1'+'0', 'a','\'');
    return 0;
}
"#;
    assert_eq!(
        printed("main.cu", text),
        "1000000 ffff 170 17 18446744073709551615 1.025e+11 16\n\
         1'000 1000 1 97 a'\n"
    );
}

#[test]
fn attributes_are_accepted_everywhere() {
    let text = r#"#include <cstdio>
#include <vector>
[[nodiscard]] int f() { return 1; }
[[maybe_unused]] static int unused_variable;
[[noreturn]] void stop();
[[deprecated("use f")]] [[gnu::noinline]] int old(int a [[maybe_unused]], [[maybe_unused]] int b, [[maybe_unused]] int = 3) { return a; }
namespace [[deprecated]] n { int k = 3; }
struct [[nodiscard]] S {
    [[maybe_unused]] int a [[maybe_unused]] = 1, b = 2;
    [[nodiscard]] S() {}
    [[nodiscard("reason")]] int get() const noexcept [[gnu::pure]] { return a + b; }
};
struct [[gnu::packed]] P { char c; int i; };
struct Q { char c; [[gnu::packed]] int i; };
struct [[gnu::aligned(16)]] A { int i; };
struct alignas(8) [[gnu::packed]] B { char c; int i; };
struct [[using gnu: packed, aligned(4)]] C { char c; double d; };
enum class [[nodiscard]] E { a [[maybe_unused]] = 4, b [[deprecated]] };
enum [[maybe_unused]] G { g1 };
using T [[maybe_unused]] = int;
typedef int U [[maybe_unused]];
template <class X> [[nodiscard]] X twice(X x) { return x + x; }
template <class X> struct [[nodiscard]] W { X x; };
[[]] int empty() { return 9; }
int g(int k) {
    switch (k) {
    case 1: k += 10; [[fallthrough]];
    [[likely]] case 2: k += 100; break;
    [[unlikely]] default: k = 0;
    }
    if (k > 5) [[likely]] { k++; } else [[unlikely]] k--;
    for ([[maybe_unused]] int i = 0; i < 2; i++) [[likely]] k++;
    [[maybe_unused]] again: ;
    return k;
}
int main([[maybe_unused]] int argc, [[maybe_unused]] char **argv) {
    [[maybe_unused]] int q = 2, *p [[maybe_unused]] = &q;
    [[maybe_unused]] int arr [[maybe_unused]] [3] = {1, 2, 3};
    alignas(32) [[maybe_unused]] char buffer[4];
    [[gnu::aligned(64)]] char wide[4];
    std::vector<int> v(3, 5);
    for ([[maybe_unused]] auto x : v) q++;
    auto l = [](int a) [[gnu::const]] { return a; };
    try { throw 5; } catch ([[maybe_unused]] int e) { q += e; }
    S s; W<int> w{3};
    printf("%d %d %d %d %d %d\n", f(), old(1, 2), n::k, s.get(), q, l(4));
    printf("%d %d %d %d %d %d\n", (int)sizeof(P), (int)sizeof(Q), (int)sizeof(A), (int)sizeof(B), (int)sizeof(C), (int)alignof(A));
    printf("%d %d %d %d %d %d %d %d\n", (int)E::a, g(1), g(2), g(3), twice(4), w.x, empty(), (int)((unsigned long)wide % 64));
    return 0;
}
"#;
    assert_eq!(
        printed("main.cu", text),
        "1 1 3 3 10 4\n\
         5 5 16 8 12 16\n\
         4 114 105 1 8 3 9 0\n"
    );
}

#[test]
fn operators_are_words() {
    let text = r#"#include <cstdio>
#if defined(NOTHING) or not 1 and 1
#error wrong
#endif
#define S(x) #x
struct V { int x; bool operator not() const { return x == 0; } V operator bitor(V o) const { return {x | o.x}; } };
void ref(int bitand r, int and x) { r += x; }
int main() {
    bool a = true, b = false;
    int k = 12;
    k and_eq 10; printf("%d ", k); k or_eq 3; printf("%d ", k); k xor_eq 1; printf("%d ", k);
    ref(k, 2);
    if (a and not b or b) printf("%d %d %d %d ", 5 bitand 4, 5 bitor 2, 5 xor 1, compl 5);
    printf("%d %s %d %d\n", k not_eq 3, S(a and b), not V{0}, (V{1} bitor V{4}).x);
    return 0;
}
"#;
    assert_eq!(printed("main.cu", text), "8 11 10 4 7 4 -6 1 a and b 1 5\n");
}

#[test]
fn noexcept_knows_what_throws() {
    let text = r#"#include <cstdio>
#include <string>
struct A { int x; int f() const noexcept { return 1; } int g() { return 2; } A() noexcept(true) {} A(int) {} ~A() {} };
struct P { int a; double b; };
struct Q { std::string s; };
int h() noexcept(false);
int h() noexcept(false) { return 2; }
int old() throw() { return 3; }
template <class T> int t(T x) noexcept(sizeof(T) == 4) { return 1; }
template <class T> void sw(T &a, T &b) noexcept(noexcept(a.f())) {}
int main() {
    A a; int i = 1; P p, r; int *q = &i;
    printf("%d%d%d%d%d ", noexcept(a.f()), noexcept(a.g()), noexcept(i + 1), noexcept(throw 1), noexcept(h()));
    printf("%d%d%d%d ", noexcept(old()), noexcept(t(1)), noexcept(t(1.0)), noexcept(A()));
    printf("%d%d%d%d%d\n", noexcept(A(1)), noexcept(p = r), noexcept(P(p)), noexcept(*q++), noexcept(new int));
    static_assert(noexcept(a.f()) && !noexcept(a.g()), "");
    printf("%d %d %d\n", i, noexcept(sw(a, a)), a.f());
    return 0;
}
"#;
    assert_eq!(
        printed("main.cu", text),
        "10100 1101 01110\n\
         1 1 1\n"
    );
}

#[test]
fn structured_bindings_name_the_parts() {
    let text = r#"#include <cstdio>
#include <map>
#include <array>
#include <string>
#include <vector>
#include <utility>
struct P { int a; double b; };
struct D : P {};
struct B { unsigned a : 3, b : 5; };
class K { public: int u; std::string s; K(int u, const char *s) : u(u), s(s) {} K(const K &o) : u(o.u), s(o.s) { printf("copy "); } ~K() { printf("~%d ", u); } };
K make(int u) { return K(u, "made"); }
P pmake() { return {4, 5.5}; }
template <class T> auto sum(T t) { auto [x, y] = t; return x + y; }
int main() {
    P p = {1, 2.5};
    auto [x, y] = p; x = 10; printf("%d %g %d\n", x, y, p.a);
    auto &[u, v] = p; u = 7; v += 1; printf("%d %g\n", p.a, p.b);
    const auto &[c, d] = p; printf("%d %g\n", c, d);
    auto &&[e, f] = pmake(); e++; printf("%d %g\n", e, f);
    auto &&[e2, f2] = p; e2++; printf("%d\n", p.a);
    const auto [g, h] = D{{8, 9.5}}; printf("%d %g\n", g, h);
    int arr[3] = {3, 4, 5};
    auto [i, j, k] = arr; i = 100; printf("%d %d %d %d\n", i, j, k, arr[0]);
    auto &[l, m, n] = arr; l = 50; printf("%d %d %d\n", arr[0], m, n);
    const std::array<int, 2> sa = {6, 7}; auto [o, q] = sa; auto &[o2, q2] = sa; printf("%d %d %d\n", o, q, o2 + q2);
    std::map<std::string, int> mm; mm["k"] = 5; mm["z"] = 6;
    for (auto &[key, val] : mm) val *= 2;
    for (const auto &[key, val] : mm) printf("%s %d ", key.c_str(), val);
    for (auto [key, val] : mm) printf("%s %d ", key.c_str(), val);
    printf("\n");
    std::vector<std::pair<int, double>> vp; vp.push_back({1, 2.5}); vp.push_back({3, 4.5});
    for (auto [a, b] : vp) { auto twice = [=] { return a * 2 + b; }; auto more = [&] { return a + b; }; printf("%g %g ", twice(), more()); }
    int grid[2][2] = {{1, 2}, {3, 4}};
    for (auto &[a, b] : grid) printf("%d ", a * b);
    for (auto [a, b] : grid) printf("%d ", a + b);
    std::pair<int, double> pr(1, 2.0); auto [s1, s2] = pr; auto [t1, t2](pr); auto [w1, w2]{pr};
    printf("%d %g %d %g %d\n", s1, s2, t1, t2, w1);
    B bits = {5, 17}; auto [ba, bb] = bits; printf("%d %d\n", ba, bb);
    { auto [ku, ks] = make(3); printf("%d %s ", ku, ks.c_str()); }
    { K one(4, "one"); auto [ku, ks] = one; auto &[ru, rs] = one; rs = "changed"; printf("%d %s %s ", ku, ks.c_str(), one.s.c_str()); }
    { auto &&[ku, ks] = make(5); printf("%d %s ", ku, ks.c_str()); }
    printf("\n%g %d %d\n", sum(P{1, 2.5}), (int)sizeof(x), (int)sizeof(y));
    return 0;
}
"#;
    assert_eq!(
        printed("main.cu", text),
        "10 2.5 1\n\
         7 3.5\n\
         7 3.5\n\
         5 5.5\n\
         8\n\
         8 9.5\n\
         100 4 5 3\n\
         50 4 5\n\
         6 7 13\n\
         k 10 z 12 k 10 z 12 \n\
         4.5 3.5 10.5 7.5 2 12 3 7 1 2 1 2 1\n\
         5 17\n\
         3 made ~3 copy 4 one changed ~4 ~4 5 made ~5 \n\
         3.5 4 8\n"
    );
}

#[test]
fn constant_conditions_select_code() {
    let text = r#"#include <cstdio>
#include <string>
#include <type_traits>
template <class T> int f(T t) { if constexpr (std::is_integral<T>::value) return t + 1; else return (int)t.size(); }
template <class T> auto g(T t) { if constexpr (std::is_pointer_v<T>) return *t; else if constexpr (std::is_floating_point_v<T>) { return t / 2; } else return std::string("other"); }
template <int N> int fact() { if constexpr (N <= 1) return 1; else return N * fact<N - 1>(); }
template <class T> struct C { T t; int size() { if constexpr (sizeof(T) == 1) return t; else { return t.a; } } };
auto plain() { if constexpr (sizeof(int) == 4) return 1; else return "text"; }
template <class T> void nothing(T) { if constexpr (std::is_same_v<T, int>) printf("int "); printf("done "); }
struct X { int a; };
int main() {
    int k = 5;
    auto lam = [](auto v) { if constexpr (std::is_integral_v<decltype(v)>) return v * 2; else return v.a; };
    printf("%d %d %d %g %s %d\n", f(1), f(std::string("abc")), g(&k), g(3.0), g('c').c_str(), fact<5>());
    C<char> c{'A'}; C<X> x{{3}};
    nothing(1); nothing(2.0);
    if constexpr (constexpr int n = 3; n > 2) printf("n%d ", n);
    printf("%d %d %d %d %d\n", c.size(), x.size(), plain(), lam(4), lam(X{9}));
    return 0;
}
"#;
    assert_eq!(
        printed("main.cu", text),
        "2 3 5 1.5 other 120\n\
         int done done n3 65 3 1 8 9\n"
    );
}

#[test]
fn decltype_auto_keeps_references() {
    let text = r#"#include <cstdio>
struct S { int a; int &ref() { return a; } int val() { return a; } };
decltype(auto) g(int &x) { return (x); }
decltype(auto) c(int x) { return x; }
decltype(auto) r(int &x) { return x; }
decltype(auto) m(S &s) { return s.a; }
decltype(auto) mp(S &s) { return (s.a); }
decltype(auto) call(S &s) { return s.ref(); }
decltype(auto) value(S &s) { return s.val(); }
template <class T> decltype(auto) at(T *p, int i) { return p[i]; }
int main() {
    int k = 1; g(k) = 9; r(k) += 1;
    S s{3}; mp(s) = 7; call(s) += 1;
    int a[2] = {1, 2}; at(a, 1) = 5;
    decltype(auto) x = (k); x = 20; decltype(auto) y = k; y = 30;
    auto l = [&]() -> decltype(auto) { return (k); }; l()++;
    printf("%d %d %d %d %d %d %d\n", k, c(3), s.a, m(s), value(s), a[1], y);
    return 0;
}
"#;
    assert_eq!(printed("main.cu", text), "21 3 8 8 8 5 30\n");
}

#[test]
fn conversions_are_defined_outside_classes() {
    let text = r#"#include <cstdio>
#include <string>
struct A { int v; operator bool() const; explicit operator int() const; operator const char *(); };
A::operator bool() const { return v != 0; }
A::operator int() const { return v * 2; }
A::operator const char *() { return "text"; }
namespace n { struct B { typedef double real; double d; operator real() const; }; }
n::B::operator real() const { return d + 1; }
template <class T> struct C { T t; operator T() const; operator T *(); T get() const; };
template <class T> C<T>::operator T() const { return t; }
template <class T> C<T>::operator T *() { return &t; }
template <class T> T C<T>::get() const { return t; }
struct R { int k; operator int *(); };
inline R::operator int *() { return &k; }
int main() {
    A a{3}; const A z{0};
    if (a) printf("yes "); if (!z) printf("no ");
    const char *s = a;
    n::B b{2.5}; double d = b;
    C<int> c{8}; const C<int> cc{9}; int *p = c; *p = 11;
    R r{6}; int *rp = r; ++*rp;
    printf("%d %s %g %d %d %d\n", static_cast<int>(a), s, d, (int)cc, c.get(), r.k);
    return 0;
}
"#;
    assert_eq!(printed("main.cu", text), "yes no 6 text 3.5 9 11 7\n");
}

#[test]
fn templates_of_variables_have_instances() {
    let text = r#"#include <cstdio>
#include <type_traits>
template <class T> constexpr T pi = T(3.14159);
template <class T> inline constexpr bool small = sizeof(T) <= 4;
template <class T> constexpr bool is_ptr = false;
template <class T> constexpr bool is_ptr<T *> = true;
template <> constexpr bool is_ptr<long> = true;
template <int N> constexpr int square = N * N;
template <int N> constexpr int fact = N * fact<N - 1>;
template <> constexpr int fact<0> = 1;
template <class T> T counter = T(5);
namespace n { template <class T, class U = int> const int both = sizeof(T) + sizeof(U); }
struct S { template <class T> static constexpr int bytes = sizeof(T); };
template <class T> T area(T r) { return pi<T> * r * r; }
int main() {
    int a[square<3>];
    counter<int>++; counter<int> += 2; counter<double> = 1.5;
    printf("%g %d %d %d %d %d %d\n", pi<double>, pi<int>, small<char>, small<double>, is_ptr<int>, is_ptr<int *>, is_ptr<long>);
    printf("%d %d %d %g %d %g\n", (int)(sizeof a / 4), fact<5>, counter<int>, counter<double>, n::both<double>, area(2.0));
    static_assert(std::is_integral_v<int> && !std::is_integral_v<float> && std::is_same_v<int, int>, "");
    printf("%d%d%d%d %d\n", std::is_pointer_v<int *>, std::is_const_v<int>, std::is_signed_v<char>, std::is_arithmetic_v<float>, S::bytes<short>);
    return 0;
}
"#;
    assert_eq!(
        printed("main.cu", text),
        "3.14159 3 1 0 0 1 1\n\
         9 120 8 1.5 12 12.5664\n\
         1011 2\n"
    );
}

#[test]
fn kernels_use_the_same_constructs() {
    let text = r#"#include <cstdio>
struct P { int a; float b; };
template <class T> __device__ int width(T t) { if constexpr (sizeof(T) == 1) return 1; else { return t.a; } }
[[maybe_unused]] static int unused;
__global__ void k(int *out, [[maybe_unused]] int n) {
    P p = {1'000, 2.5f};
    auto [a, b] = p;
    auto &[ra, rb] = p;
    ra += 1; rb *= 2;
    int pair[2] = {5, 6};
    auto [x, y] = pair;
    if (int i = threadIdx.x; i == 0 and not (n < 0)) { [[likely]] out[0] = a + p.a + (int)(b + rb) + x * y; }
    switch (int i = threadIdx.x; i) { case 1: out[1] = width('c'); break; case 2: out[2] = width(p); [[fallthrough]]; default: break; }
}
int main() {
    int *d, h[3] = {0, 0, 0};
    cudaMalloc(&d, sizeof h);
    k<<<1, 32>>>(d, 3);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h[0], h[1], h[2]);
    return 0;
}
"#;
    assert_eq!(printed("main.cu", text), "2038 1 1001\n");
}

#[test]
fn conditions_that_are_refused() {
    all_refused(&[
        (
            "int main() {\n    if (int x = 3; int y) return 1;\n    return 0;\n}\n",
            "expected `=` and a value",
            2,
        ),
        ("int main() {\n    while (int x = 3; x) {}\n    return 0;\n}\n", "expected `)`, found `;`", 2),
        ("int main() {\n    if (int x = 3; x > 2) {}\n    return x;\n}\n", "`x` is not declared", 3),
        (
            "int main(int argc, char **argv) {\n    if constexpr (argc > 1) return 1;\n    return 0;\n}\n",
            "the condition of `if constexpr` must be a constant",
            2,
        ),
        (
            "template <class T> int f(T t) {\n    if constexpr (sizeof(T) == 4) return t.size();\n    else return 0;\n}\nint main() { return f(1); }\n",
            "`int` has no member `size`",
            2,
        ),
        (
            "int main() {\n    if constexpr (sizeof(int) == 8) return undefined;\n    return 0;\n}\n",
            "`undefined` is not declared",
            2,
        ),
    ]);
}

#[test]
fn tokens_that_are_refused() {
    all_refused(&[
        ("int main() {\n    int n = 1''000;\n    return n;\n}\n", "expected `;`", 2),
        ("int main() {\n    int n = 0x'ff;\n    return n;\n}\n", "`0x'ff` is not a number", 2),
        ("int main() {\n    int n = 1'000'u;\n    return n;\n}\n", "`1'000'u` is not a number", 2),
        ("int main() {\n    int and = 1;\n    return 0;\n}\n", "expected a name, found", 2),
    ]);
}

#[test]
fn attributes_that_are_refused() {
    all_refused(&[
        (
            "struct E {};\nstruct S {\n    [[no_unique_address]] E e;\n    int x;\n};\nint main() { return sizeof(S); }\n",
            "the attribute `no_unique_address` is not supported",
            3,
        ),
        (
            "typedef float v4 [[gnu::vector_size(16)]];\nint main() { return sizeof(v4); }\n",
            "the attribute `gnu::vector_size` is not supported",
            1,
        ),
        (
            "int main() {\n    [[gnu::packed]] int x = 1;\n    return x;\n}\n",
            "`packed` for anything but a class or a member",
            2,
        ),
        (
            "int main() {\n    int x [[gnu::aligned(16)]] = 1;\n    return x;\n}\n",
            "`gnu::aligned` at this place",
            2,
        ),
        ("[[3]] int f();\nint main() { return 0; }\n", "expected the name of an attribute, found `3`", 1),
    ]);
}

#[test]
fn bindings_that_are_refused() {
    all_refused(&[
        (
            "struct P { int a, b; };\nint main() {\n    P p = {1, 2};\n    auto [x] = p;\n    return x;\n}\n",
            "`P` has 2 parts, but the structured binding has 1",
            4,
        ),
        ("int main() {\n    auto [x, y] = 5;\n    return x;\n}\n", "`int` has no parts", 2),
        (
            "int main() {\n    int [x, y] = 5;\n    return x;\n}\n",
            "a structured binding needs the type `auto`",
            2,
        ),
        (
            "int main() {\n    auto [x, y];\n    return x;\n}\n",
            "a structured binding needs an initializer",
            2,
        ),
        (
            "class P { int a, b; public: P() : a(1), b(2) {} };\nint main() {\n    P p;\n    auto [x, y] = p;\n    return x;\n}\n",
            "`a` is a private member of `P`",
            4,
        ),
        (
            "struct A { int a; };\nstruct B : A { int b; };\nint main() {\n    B s;\n    auto [x, y] = s;\n    return x;\n}\n",
            "it and its base class both have member variables",
            5,
        ),
        (
            "union U { int a; float b; };\nint main() {\n    U u = {1};\n    auto [x] = u;\n    return x;\n}\n",
            "a structured binding to the union `U`",
            4,
        ),
        (
            "struct V { union { int a; float b; }; int c; };\nint main() {\n    V v;\n    auto [x, y] = v;\n    return x;\n}\n",
            "which has an anonymous member, is not supported",
            4,
        ),
        (
            "struct B { int a : 3, b : 5; };\nint main() {\n    B v = {1, 2};\n    auto &[x, y] = v;\n    return [&] { return x; }();\n}\n",
            "`x` refers to a bit field and cannot be captured",
            5,
        ),
        (
            "struct P { int a, b; };\nint main() {\n    P p = {1, 2};\n    const auto &[x, y] = p;\n    x = 5;\n    return y;\n}\n",
            "a `const int` cannot be changed",
            5,
        ),
        (
            "struct P { int a, b; };\nP p = {1, 2};\nauto [x, y] = p;\nint main() { return x; }\n",
            "a structured binding outside of a function",
            3,
        ),
        (
            "struct P { int a, b; };\nint main() {\n    static auto [x, y] = P{1, 2};\n    return x;\n}\n",
            "a structured binding that is `static`",
            3,
        ),
        (
            "struct P { int a, b; };\nint main() {\n    P p = {1, 2};\n    auto [x, x] = p;\n    return x;\n}\n",
            "`x` is declared twice",
            4,
        ),
        (
            "struct P { int a, b; };\nP f() { return P{1, 2}; }\nint main() {\n    auto &[x, y] = f();\n    return x;\n}\n",
            "cannot refer to a temporary value",
            4,
        ),
    ]);
}

#[test]
fn variables_of_templates_that_are_refused() {
    all_refused(&[
        (
            "template <class T> constexpr T pi = T(3);\nint main() {\n    return pi;\n}\n",
            "variable template `pi` needs arguments",
            3,
        ),
        (
            "template <class T> constexpr T pi = T(3);\nint main() {\n    return pi<undefined>;\n}\n",
            "unknown type name `undefined`",
            3,
        ),
        (
            "template <class T> constexpr T pi = T(3);\nint main() {\n    return pi<int, int>;\n}\n",
            "too many template arguments",
            3,
        ),
        (
            "template <class T> constexpr T pi = T(3);\nint main() {\n    pi<int> = 4;\n    return 0;\n}\n",
            "cannot be changed",
            3,
        ),
        ("int main() {\n    return noexcept(undefined());\n}\n", "`undefined` is not declared", 2),
        (
            "decltype(auto) f() { int k = 1; return (k); }\nint main() {\n    decltype(auto) x;\n    return 0;\n}\n",
            "`auto` needs an initializer",
            3,
        ),
    ]);
}

#[test]
fn functions_of_memory_and_of_the_system_that_are_refused() {
    all_refused(&[
        (
            "#include <cstdlib>\nvoid *operator new(size_t n) { return malloc(n); }\nint main() {}\n",
            "a replacement of `operator new` is not supported",
            2,
        ),
        (
            "#include <cstdlib>\nvoid operator delete(void *p, size_t) { free(p); }\nint main() {}\n",
            "a replacement of `operator delete` is not supported",
            2,
        ),
        (
            "struct A { virtual ~A() {} };\nstruct B : A {\n    void operator delete(void *) {}\n};\nint main() { delete new B; }\n",
            "`operator delete` below a base class with a virtual destructor is not supported",
            3,
        ),
        (
            "struct A { void *operator new(size_t, int) { return 0; } };\nint main() {\n    A *a = new A;\n}\n",
            "A::operator new",
            3,
        ),
        ("int main() {\n    return system(\"ls\");\n}\n", "starts no other programs", 2),
        ("#include <sys/mman.h>\nint main() {\n    return PROT_READ;\n}\n", "maps no files", 3),
        (
            "#include <setjmp.h>\njmp_buf here;\nint main() {\n    return setjmp(here);\n}\n",
            "`jmp_buf` is not supported",
            2,
        ),
        ("int main() {\n    constexpr auto n = 3;\n    n = 4;\n}\n", "cannot be changed", 3),
        ("int main() {\n    int *p = 0;\n    return p == 5;\n}\n", "does not take", 3),
    ]);
}

#[test]
fn kernels_and_host_code_share_a_class_with_members_of_the_host() {
    let text = r#"#include <iostream>
#include <string>
using namespace std;
template <class T> class Cell {
    T x;
public:
    __host__ __device__ Cell(T a) : x(a) {}
    __host__ __device__ T get() const { return x; }
    std::string name() const { return "cell"; }
    friend std::ostream &operator<<(std::ostream &os, const Cell<T> &cell) { return os << cell.name() << cell.x; }
};
class Plain {
    int v;
public:
    __host__ __device__ Plain(int a) : v(a) {}
    friend ostream &operator<<(ostream &out, const Plain &plain) { out << plain.v; return out; }
    __host__ __device__ int get() const { return v; }
};
__global__ void k(int *o) { Cell<int> c(3); Plain p(4); o[0] = c.get() + p.get(); }
int main() {
    int *d, h;
    cudaMalloc(&d, 4);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    cout << Cell<int>(5) << " " << Plain(6) << " " << h << endl;
}
"#;
    assert_eq!(printed("main.cu", text), "cell5 6 7\n");
    // What an object consists of is known to both halves.
    let text = "#include <vector>\nstruct P { std::vector<int> v; int n; };\n__global__ void k(P p, int *o) { *o = p.n; }\n\
                int main() { P p; k<<<1, 1>>>(p, 0); }\n";
    assert!(refused("main.cu", text).contains("main.cu:3:"));
}

#[test]
fn kernels_use_constants_that_stand_outside_of_functions() {
    let text = r#"#include <cstdio>
#define smaller(x, y) ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x < _y ? _x : _y; })
static constexpr auto gradients = 8;
constexpr int depths[5] = {110, 64, 48, 36};
const float scales[2] = {.5f, 2};
enum dir { left, right };
template <int n> struct Meta { int sizes[depths[n]]; int last; };
template <int N> __global__ void k(float *o, int *dir, Meta<N> meta) {
    int buffer[depths[3]];
    buffer[35] = meta.last;
    o[0] = gradients + dir::right + sizeof(meta) / 4;
    o[1] = smaller(buffer[depths[N] - 13], 9) * scales[1] + depths[threadIdx.x + 1];
}
template <typename T> __constant__ T mask[3];
template <typename T> __device__ T shift = 2;
template <typename T> __global__ void of_template(T *o) { o[2] = mask<T>[1] + shift<T>; }
int main() {
    float *d, h[3], m[3] = {1, 2.5f, 3};
    cudaMalloc(&d, 12);
    Meta<2> meta;
    meta.last = 11;
    k<<<1, 1>>>(d, nullptr, meta);
    cudaMemcpyToSymbol(mask<float>, m, sizeof m);
    of_template<<<1, 1>>>(d);
    cudaMemcpy(h, d, 12, cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", h[0], h[1], h[2]);
}
"#;
    assert_eq!(printed("main.cu", text), "58 82 4.5\n");
    all_refused(&[
        (
            "int main() {\n    return ({ return 3; 4; });\n}\n",
            "`return` in a statement that is an expression",
            2,
        ),
        (
            "int x = 3;\nstruct S {\n    int a[x];\n};\nint main() { return sizeof(S); }\n",
            "must be a constant",
            3,
        ),
        ("int x;\nauto y;\nint main() { return 0; }\n", "`auto` needs an initializer", 2),
        ("auto x = undefined();\nint main() { return 0; }\n", "`undefined` is not declared", 1),
    ]);
}

#[test]
fn a_missing_include_is_read_with_a_warning() {
    let text = "#include <cstdio>\nusing namespace std;\nint main() {\n    std::vector<int> v(2);\n    map<int, float> m;\n    \
                m[1] = 2;\n    return v.size() + m.size();\n}\n";
    let target = cuda::target::Target::from_name("sm_20").expect("a target");
    let (_, warnings) =
        common::compile("main.cu", text, target, &|_: &str, _: &str, _: bool| None).expect("it compiles");
    for expected in
        ["`std::vector` is used without `#include <vector>`", "`std::map` is used without `#include <map>`"]
    {
        assert!(warnings.contains(expected), "{warnings}");
    }
    // Several headers have some names.
    let included = "#include <array>\n#include <iostream>\nusing namespace std;\n\
                    std::ostream &f(std::ostream &to) { return to << std::get<0>(std::array<int, 2>{3, 4}); }\n\
                    int main() { f(std::cout); throw std::exception(); }\n";
    let (_, warnings) =
        common::compile("main.cu", included, target, &|_: &str, _: &str, _: bool| None).expect("it compiles");
    assert!(!warnings.contains("missing-include"), "{warnings}");
    // Names of the program are its own.
    let own = "#include <cstdio>\nusing namespace std;\ntemplate <class T> class vector { T v; };\nint main() {\n    \
               vector<int> v;\n    return sizeof v;\n}\n";
    let (_, warnings) =
        common::compile("main.cu", own, target, &|_: &str, _: &str, _: bool| None).expect("it compiles");
    assert!(!warnings.contains("missing-include"), "{warnings}");
}

#[test]
fn the_first_local_variable_is_not_at_a_null_pointer() {
    let text = r#"#include <cstdio>
struct Pair { int a[4], b[4]; };
__device__ int of(const int *p) { return p ? *p : -1; }
__global__ void k(Pair given, int n, int *out) {
    int own[4];
    for (int i = 0; i < 4; i++) own[i] = given.b[(i + n) & 3] + i;
    int *maybe = threadIdx.x < 2 ? &own[n] : nullptr;
    int *given_or_null = threadIdx.x & 1 ? &given.a[n] : nullptr;
    out[threadIdx.x] = of(maybe) * 100 + of(given_or_null) * 10 + (of(&own[n - n]) != -1);
    given.a[threadIdx.x] = own[threadIdx.x];
    out[threadIdx.x] += given.a[(threadIdx.x + n) & 3] * 1000;
}
int main() {
    Pair pair = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    int *out, host[4];
    cudaMalloc(&out, 16);
    k<<<1, 4>>>(pair, 0, out);
    cudaMemcpy(host, out, 16, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
}
"#;
    assert_eq!(printed("main.cu", text), "5491 7511 8891 10911\n");
}

#[test]
fn a_null_pointer_to_shared_memory_has_a_warning_where_it_is_an_address() {
    let text = "__global__ void k(int *out, int n) {\n    __shared__ int s[4];\n    s[n] = 5;\n    \
                const int *a = n & 1 ? &s[n] : nullptr;\n    if (a) out[0] = *a;\n}\n\
                int main() { k<<<1, 1>>>(0, 0); }\n";
    for (target, warns) in [("sm_10", true), ("sm_20", false)] {
        let target = cuda::target::Target::from_name(target).expect("a target");
        let load = |_: &str, _: &str, _: bool| None;
        let (_, warnings) = common::compile("main.cu", text, target, &load).expect("it compiles");
        assert_eq!(
            warnings.contains("main.cu:5") && warnings.contains("shared memory, which can be 0"),
            warns,
            "{warnings}"
        );
    }
}

/// Headers of libraries that host code does not have.
#[test]
fn skipped_headers_are_named() {
    // Host code has the names of the others without them.
    let text = "#include <cstdio>\n#include <mpi.h>\n#include \"cub/cub.cuh\"\n\
                #include <cctype>\n#include <cstdarg>\n#include <ciso646>\n#include <memory.h>\n\
                #include <malloc.h>\n#include <sys/types.h>\n#include <cuda_profiler_api.h>\n\
                #if __has_include(<mpi.h>) || __has_include(<thrust/sort.h>) || !__has_include(<vector>)\n\
                #error\n#endif\nint main() { puts(\"runs\"); }\n";
    let run = common::run("headers.cu", text, "fermi", &[]);
    assert_eq!((run.code, &*run.out), (0, "runs\n"), "{}", run.message);
    let warnings = common::warnings("headers.cu", text);
    for (header, note) in [
        ("mpi.h", "the program cannot use what it declares"),
        ("cub/cub.cuh", "cuRAND and other libraries of CUDA"),
    ] {
        assert!(warnings.contains(&format!("header <{header}> is not known; it is skipped")), "{warnings}");
        assert!(warnings.contains(note), "{warnings}");
    }
    assert_eq!(warnings.matches("missing-header").count(), 2, "{warnings}");
}

#[test]
fn functions_with_an_ellipsis_are_called_in_kernels() {
    let text = include_str!("device/ellipsis.cu");
    assert_eq!(printed("ellipsis.cu", text), "1132034 1132034\nPASSED\n");
}

/// As in the standard ([expr.sub]) and with clang; g++ 12 reads the pointer after the index.
#[test]
fn the_array_of_a_subscript_is_found_before_the_index() {
    let text = "#include <cstdio>\nstruct A { int v[2]; };\nint main() {\n    int m[2][2] = {{1, 2}, {3, 4}};\n    \
                int (*rows)[2] = m;\n    printf(\"%d\", (*rows)[(rows++, 0)]);\n    \
                A a[2] = {{{5, 6}}, {{7, 8}}}, *p = a;\n    printf(\" %d\\n\", p->v[(p++, 1)]);\n}\n";
    assert_eq!(printed("main.cu", text), "1 6\n");
}
