//! Class templates without arguments, `decltype`, and the parts of the library that are built on
//! them. The expected outputs are those of g++ -std=c++17.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{printed, refused};

#[test]
fn initializers_determine_the_arguments_of_class_templates() {
    let text = r#"#include <cstdio>
#include <string>
#include <utility>
#include <vector>
template <class T> struct Box { T v; Box(T x) : v(x) {} T get() const { return v; } };
template <class T, int N> struct Arr { T a[N]; };
template <class T, class... U> Arr(T, U...) -> Arr<T, 1 + sizeof...(U)>;
template <class A, class B> struct Two { A a; B b; Two(A x, B y) : a(x), b(y) {} };
template <class T> struct Str { T t; Str(T x) : t(x) {} };
Str(const char *) -> Str<std::string>;
template <class F> struct Guard { F f; Guard(F g) : f(g) {} ~Guard() { f(); } };
template <class... F> struct Over { int n = sizeof...(F); Over(F...) {} };
Box file(6);
int main() {
    std::pair p(1, 2.5); auto q = std::pair{3, 'c'};
    std::vector v{1, 2, 3}; std::vector w(v); std::vector z(3, 2.5); std::vector it(v.begin(), v.end());
    Box b(4); Box b2 = 2.5; Box b3{b}; Box<int> b4(7); auto b5 = Box(8L); const Box cb(3); static Box sb(4);
    Arr a{1, 2, 3}; Two t(1, "x"); Str s("hi");
    { Guard gd([&] { printf("end "); }); }
    Over o(1, 2.0, 'c');
    auto *np = new Box(5); printf("%d ", np->get()); delete np;
    printf("%d %g %d %c %zu %zu %g %zu\n", p.first, p.second, q.first, q.second, v.size(), w.size(), z[1], it.size());
    printf("%d %g %d %d %ld %d %d %d\n", b.v, b2.v, b3.v, b4.v, b5.v, cb.v, sb.v, file.v);
    printf("%zu %d %s %s %d\n", sizeof(a.a) / sizeof(a.a[0]), t.a, t.b, s.t.c_str(), o.n);
    return 0;
}
"#;
    let expected = "end 5 1 2.5 3 c 3 3 2.5 3\n\
         4 2.5 4 7 8 3 4 6\n\
         3 1 x hi 3\n";
    assert_eq!(printed("main.cu", text), expected);
}

#[test]
fn decltype_and_traits_know_categories_of_values() {
    let text = r#"#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
struct A { int f(int) const { return 1; } };
struct FromInt { FromInt(int) {} };
struct NoCopy { NoCopy() {} NoCopy(const NoCopy &) = delete; };
template <class T, class = void> struct has_begin : std::false_type {};
template <class T> struct has_begin<T, std::void_t<decltype(std::declval<T>().begin())>> : std::true_type {};
template <class T> auto add(T a, T b) -> decltype(a + b) { return a + b; }
template <class T, class U> auto mul(T a, U b) -> decltype(a * b) { return a * b; }
template <class T> auto p(T t, int) -> decltype(t.f(1), 0) { return 1; }
template <class T> int p(T t, long) { return 2; }
template <class T> auto first(T &c) -> decltype(c[0]) { return c[0]; }
struct Own { std::vector<int> v; auto at(int i) -> decltype(v[i]) { return v[i]; } };
int never(double);
const int &pick(bool c, const int &a, const int &b) { return c ? a : b; }
int &one(int k, int &a, int &b, int &c) { return k == 0 ? a : k == 1 ? b : c; }
int main() {
    int x = 0; const int cx = 1; int &rx = x; struct S { int m; } s{1}; const S cs{2};
    printf("%d%d%d%d%d", std::is_same_v<decltype(x), int>, std::is_same_v<decltype((x)), int &>, std::is_same_v<decltype(cx), const int>, std::is_same_v<decltype(std::move(x)), int &&>, std::is_same_v<decltype(rx), int &>);
    printf("%d%d%d%d%d\n", std::is_same_v<decltype(cs.m), int>, std::is_same_v<decltype((cs.m)), const int &>, std::is_same_v<decltype(x + 1), int>, std::is_same_v<decltype(never), int(double)>, std::is_same_v<decltype(never(1)), int>);
    printf("%d%d%d%d ", std::is_convertible_v<int, double>, std::is_convertible_v<int, FromInt>, std::is_convertible_v<const char *, std::string>, std::is_convertible_v<A, int>);
    printf("%d%d%d%d ", std::is_constructible_v<FromInt, int>, std::is_default_constructible_v<FromInt>, std::is_copy_constructible_v<NoCopy>, std::is_copy_constructible_v<A>);
    printf("%d%d%d\n", std::is_same_v<std::invoke_result_t<decltype(never), double>, int>, std::is_invocable_v<decltype(never), double>, std::is_invocable_v<decltype(never), A>);
    printf("%d%d %g %g %d%d\n", has_begin<std::vector<int>>::value, has_begin<int>::value, add(1.5, 2.0), mul(2, 1.5), p(A(), 0), p(3, 0));
    std::vector<int> v{1, 2}; first(v) = 7; Own o{{4, 5}}; o.at(1) = 6; decltype(x) y = 3; decltype((y)) z = y; z = 5;
    int a = 1, b = 2, c = 3; one(1, a, b, c) = 9; int &r = x > 0 ? a : c; r = 8;
    printf("%d %d %d %d %d %d %d\n", v[0], o.v[1], y, a, b, c, &pick(true, a, b) == &a);
    printf("%d %zu %zu %zu %d\n", (int)std::rank_v<int[2][3]>, std::extent_v<int[2][3]>, std::extent_v<int[2][3], 1>, std::alignment_of_v<double>, std::is_same_v<std::common_type_t<int, double>, double>);
    return 0;
}
"#;
    let expected = "1111111111\n\
         1110 1001 110\n\
         10 3.5 3 12\n\
         7 6 5 1 9 8 1\n\
         2 2 3 8 1\n";
    assert_eq!(printed("main.cu", text), expected);
}

#[test]
fn tuples_have_parts() {
    let text = r#"#include <cstdio>
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>
std::tuple<int, double, std::string> f() { return {1, 2.5, "x"}; }
std::tuple<int, int> g() { return std::make_tuple(3, 4); }
int add(int a, int b, int c) { return a + b + c; }
struct Hidden { int k; template <size_t N> int get() const { return k + N; } };
template <size_t N> int get(const Hidden &h) { return h.get<N>(); }
namespace std { template <> struct tuple_size<Hidden> { static constexpr size_t value = 2; }; template <size_t N> struct tuple_element<N, Hidden> { typedef int type; }; }
int main() {
    auto [a, b, c] = f(); int x, y; std::tie(x, y) = g(); printf("%d %g %s %d %d ", a, b, c.c_str(), x, y);
    std::tie(x, std::ignore) = std::make_tuple(9, 8); std::tie(y, x) = std::make_pair(x, 2); printf("%d %d\n", x, y);
    std::tuple t(1, 2.5, 'c'); std::get<0>(t) = 7; std::get<double>(t) += 1; auto &[t0, t1, t2] = t; t2 = 'd';
    printf("%d %g %c %zu\n", std::get<0>(t), std::get<1>(t), std::get<char>(t), std::tuple_size<decltype(t)>::value);
    printf("%d %d ", std::apply(add, std::make_tuple(1, 2, 3)), std::get<2>(std::tuple_cat(std::make_tuple(1, 2), std::make_tuple(3))));
    printf("%d%d%d\n", std::make_tuple(1, 2) < std::make_tuple(1, 3), std::make_tuple(1, 2) == std::make_tuple(1, 2), std::tie(x, y) < std::tie(y, x));
    std::vector<std::tuple<int, std::string>> v; v.emplace_back(3, "c"); v.push_back({1, "a"}); v.push_back(std::make_tuple(2, "b"));
    std::sort(v.begin(), v.end()); for (auto &[n, s] : v) printf("%d%s ", n, s.c_str());
    std::pair<int, char> pr(1, 'x'); std::tuple<int, char> tp = pr; printf("%d %c %d\n", std::get<0>(pr), std::get<1>(pr), std::get<0>(tp));
    auto fw = std::forward_as_tuple(x, y); std::get<0>(fw) = 100; auto [h0, h1] = Hidden{5}; printf("%d %d %d\n", x, h0, h1);
    std::apply([](auto... n) { printf("%zu ", sizeof...(n)); }, t); std::map<std::tuple<int, int>, int> m; m[std::make_tuple(1, 2)] = 3; m[std::make_tuple(0, 5)] = 4; for (auto &kv : m) printf("%d ", kv.second); printf("\n");
    return 0;
}
"#;
    let expected = "1 2.5 x 3 4 2 9\n\
         7 3.5 d 3\n\
         6 3 111\n\
         1a 2b 3c 1 x 1\n\
         100 5 6\n\
         3 4 3 \n";
    assert_eq!(printed("main.cu", text), expected);
}

#[test]
fn optional_values_may_be_absent() {
    let text = r#"#include <cstdio>
#include <optional>
#include <string>
std::optional<int> find(int k) { if (k > 0) return k * 2; return std::nullopt; }
std::optional<std::string> name(bool b) { if (b) return "yes"; return {}; }
struct S { int a; S(int x, int y) : a(x + y) {} ~S() { printf("~%d ", a); } };
int main() {
    auto a = find(3); if (a) printf("%d %d %d\n", *a, a.value(), a.has_value());
    auto b = find(-1); printf("%d %d\n", b.value_or(9), (bool)b);
    if (auto c = name(true)) printf("%s %zu\n", c->c_str(), c->size());
    try { b.value(); } catch (const std::bad_optional_access &e) { printf("bad %s\n", e.what()); }
    std::optional<S> s; s.emplace(1, 2); printf("%d\n", s->a); s.reset(); std::optional<S> s2(std::in_place, 3, 4); s = s2; s = std::nullopt; printf("\n");
    std::optional<int> x = 4, y; y = 5; printf("%d %d %d %d %d\n", x < y, x == 4, y != std::nullopt, x == y, std::optional<int>() < x);
    auto m = std::make_optional(2.5); std::optional d(3); printf("%g %d\n", *m, *d); std::swap(x, y); printf("%d\n", *x);
    const std::optional<int> k = 3; printf("%d\n", *k); *x += 2; printf("%d\n", *x); std::optional<int> z = x; z.swap(y); printf("%d %d\n", *z, *y);
}
"#;
    let expected = "6 6 1\n\
         9 0\n\
         yes 3\n\
         bad bad optional access\n\
         3\n\
         ~3 ~7 \n\
         1 1 1 0 1\n\
         2.5 3\n\
         5\n\
         3\n\
         7\n\
         4 7\n\
         ~7 ";
    assert_eq!(printed("main.cu", text), expected);
}

#[test]
fn variants_hold_one_of_several_types() {
    let text = r#"#include <cstdio>
#include <variant>
#include <string>
#include <vector>
#include <iostream>
struct Circle { double r; }; struct Square { double s; };
using Shape = std::variant<Circle, Square>;
double area(const Shape &s) { return std::visit([](const auto &x) { using T = std::decay_t<decltype(x)>; if constexpr (std::is_same_v<T, Circle>) return 3 * x.r * x.r; else return x.s * x.s; }, s); }
int main() {
    std::variant<int, double, std::string> v = 5; printf("%d %zu\n", std::get<int>(v), v.index()); v = 2.5; printf("%g %d\n", std::get<1>(v), std::holds_alternative<double>(v)); v = "str"; v = std::string("abc"); std::cout << std::get<std::string>(v) << "\n";
    try { std::get<int>(v); } catch (const std::bad_variant_access &e) { printf("bad\n"); }
    if (auto p = std::get_if<std::string>(&v)) std::cout << p->size() << "\n"; if (!std::get_if<int>(&v)) printf("no\n");
    std::vector<Shape> sh{Circle{1}, Square{2}}; for (auto &s : sh) printf("%g ", area(s)); printf("\n");
    
    std::variant<std::monostate, int> e; printf("%zu\n", e.index()); e = 3; printf("%d\n", std::get<int>(e)); v.emplace<int>(8); printf("%d\n", std::get<0>(v)); auto w = v; printf("%d\n", w == v);
    int r = std::visit([](auto &&x, auto &&y) -> int { return sizeof(x) * 100 + sizeof(y); }, std::variant<int, char>('c'), std::variant<double, short>(1.0)); printf("%d\n", r);
}
"#;
    let expected = "5 0\n\
         2.5 1\n\
         abc\n\
         bad\n\
         3\n\
         no\n\
         3 4 \n\
         0\n\
         3\n\
         8\n\
         1\n\
         108\n";
    assert_eq!(printed("main.cu", text), expected);
}

#[test]
fn algorithms_and_functions_have_the_results_of_the_standard() {
    let text = r#"#include <cstdio>
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>
void show(const std::vector<int> &list) { for (int one : list) printf("%d ", one); printf("\n"); }
struct Pixel { int size, data; };
int size(Pixel p) { return p.size; }
int reduce(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
using namespace std;
int main() {
    std::function<int(int, int, int, int, int)> g = [](int a, int b, int c, int d, int e) { return a + b + c + d + e; };
    std::function<void(int)> h = [](int a) { return a; }; h(1); printf("%d %d ", g(1, 2, 3, 4, 5), g == nullptr);
    Pixel p = {3, 4}; int n = 9, m = 2; if (p.size < n && m > (1)) printf("%d ", size(p)); int raw[] = {1, 2}; printf("%d\n", reduce(raw, 2));
    vector<int> v{5, 3, 9, 1, 7, 3}, r(6), s{1, 3, 3, 5, 7, 9}, w{1, 3, 6}, o; sort(v.begin(), v.end(), greater<>()); show(v);
    transform(v.begin(), v.end(), s.begin(), r.begin(), minus<>()); show(r);
    exclusive_scan(v.begin(), v.end(), r.begin(), 0); show(r); inclusive_scan(v.begin(), v.end(), r.begin(), plus<>(), 10); show(r);
    printf("%d %d %d %d\n", reduce(v.begin(), v.end()), reduce(v.begin(), v.end(), 1, multiplies<>()), transform_reduce(v.begin(), v.end(), s.begin(), 0), inner_product(v.begin(), v.end(), s.begin(), 0, plus<>(), minus<>()));
    set_union(s.begin(), s.end(), w.begin(), w.end(), back_inserter(o)); show(o); o.clear(); set_symmetric_difference(s.begin(), s.end(), w.begin(), w.end(), back_inserter(o)); show(o);
    make_heap(v.begin(), v.end()); show(v); pop_heap(v.begin(), v.end()); show(v); vector<int> q{1, 2, 3}; do show(q); while (next_permutation(q.begin(), q.end()) && q[0] < 2);
    auto e = equal_range(s.begin(), s.end(), 3); auto mm = minmax_element(s.begin(), s.end()); printf("%d %d %d %d %d\n", (int)(e.first - s.begin()), (int)(e.second - s.begin()), *mm.first, *mm.second, (int)(search(s.begin(), s.end(), w.begin(), w.begin() + 2) - s.begin()));
    auto half = stable_partition(s.begin(), s.end(), [](int x) { return x > 3; }); show(s); printf("%d %d %d\n", (int)(half - s.begin()), clamp(5, 1, 3), lcm(4, 6));
    return 0;
}
"#;
    let expected = "15 0 3 3\n\
         9 7 5 3 3 1 \n\
         8 4 2 -2 -4 -8 \n\
         0 9 16 21 24 27 \n\
         19 26 31 34 37 38 \n\
         28 2835 90 0\n\
         1 3 3 5 6 7 9 \n\
         3 5 6 7 9 \n\
         9 7 5 3 3 1 \n\
         7 3 5 3 1 9 \n\
         1 2 3 \n\
         1 3 2 \n\
         1 3 1 9 0\n\
         5 7 9 1 3 3 \n\
         3 3 12\n";
    assert_eq!(printed("main.cu", text), expected);
}

#[test]
fn what_does_not_follow_is_refused_with_its_line() {
    let cases = [
        (
            "template <class T, class U> struct A { A(T) {} };\nint main() {\n    A a(1);\n    return 0;\n}\n",
            "the template arguments of `A` do not follow from this initializer",
            3,
        ),
        (
            "template <class T> struct A { T a, b; A(T x, T y) : a(x), b(y) {} };\nint main() {\n    A a(1, 2.5);\n    return 0;\n}\n",
            "the template arguments of `A` do not follow from this initializer",
            3,
        ),
        (
            "int A(int);\nint main() {\n    decltype(A(nothing)) x = 1;\n    return x;\n}\n",
            "`nothing` is not declared",
            3,
        ),
        (
            "template <class T> auto f(T t) -> decltype(t.size()) { return t.size(); }\nint main() {\n    return f(1);\n}\n",
            "`f` does not fit these arguments",
            3,
        ),
    ];
    for (text, expected, line) in cases {
        let found = refused("main.cu", text);
        let place = format!("main.cu:{line}:");
        assert!(found.contains(expected) && found.contains(&place), "{text}\n{found}");
    }
}

#[test]
fn arrays_have_the_interface_of_a_tuple() {
    let text = r#"#include <array>
#include <cstdio>
#include <tuple>
int main() {
    std::array<int, 3> a{1, 2, 3};
    std::get<1>(a) = 9;
    const auto &c = a;
    printf("%d %d %zu\n", std::get<1>(c), std::get<2>(std::array<int, 3>{4, 5, 6}), std::tuple_size<std::array<int, 3>>::value);
    auto [x, y, z] = a;
    printf("%d %d %d %d\n", x, y, z, std::apply([](int p, int q, int r) { return p + q * r; }, a));
}
"#;
    assert_eq!(printed("main.cu", text), "9 6 3\n1 9 3 28\n");
}
