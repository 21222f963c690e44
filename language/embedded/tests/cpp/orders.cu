// Orders of classes (C++20).
#include <algorithm>
#include <compare>
#include <cstdio>
#include <string>
#include <vector>
#include <map>
struct A { int x; bool operator==(const A &o) const { return x == o.x; } };
struct B { int x; bool operator<(const B &o) const { return x < o.x; } };
struct C { int x; operator int() const { return x; } };
struct D { int x; operator int() const { return 100; } bool operator==(const D &o) const { return x == o.x; } };
struct E { float f; int i; auto operator<=>(const E &) const = default; };
template <class T> struct P { T a, b; auto operator<=>(const P &) const = default; };
struct F { const char *s; std::strong_ordering operator<=>(const F &o) const { return std::string(s) <=> std::string(o.s); } bool operator==(const F&o) const { return (*this <=> o) == 0; } };
enum class Level { low, mid, high };
struct G { Level l; bool b; char c; unsigned long u; int *p; auto operator<=>(const G&) const = default; };
struct Money { long cents; friend auto operator<=>(const Money &a, const Money &b) { return a.cents <=> b.cents; } friend bool operator==(const Money &a, const Money &b) { return a.cents == b.cents; } };
struct H { std::string a; int n; auto operator<=>(const H&) const = default; };
constexpr auto three(int a, int b) { return a <=> b; }
const char *text(std::partial_ordering o) { if (o < 0) return "less"; if (o > 0) return "greater"; if (o == 0) return "equal"; return "unordered"; }
int main() {
    A a{1}, b{2};
    std::printf("%d%d\n", a == b, a != b);
    C c{1}, d{2};
    std::printf("%d%d%d\n", c != d, c < d, c == 1);
    D e{1}, f{2};
    std::printf("%d %d\n", e != f, e == f);
    E g{1, 2}, h{1, 3}, n{0.0f / 0.0f, 1};
    std::printf("%s %s %s %d\n", text(g <=> h), text(g <=> n), text(n <=> n), n == n);
    P<int> p{1, 2}, q{1, 1};
    P<double> r{1, 2}, s{1, 2};
    P<P<int>> t{{1, 2}, {3, 4}}, u{{1, 2}, {3, 5}};
    std::printf("%d%d%d%d %d%d\n", p > q, p >= q, r == s, r <= s, t < u, t != u);
    std::printf("%d%d\n", F{"a"} < F{"b"}, F{"a"} == F{"a"});
    int x = 0;
    G k{Level::low, true, 'a', 1, &x}, l{Level::mid, false, 'b', 2, &x};
    std::printf("%d%d%d\n", k < l, k == l, (Level::low <=> Level::high) < 0);
    std::printf("%d%d%d\n", Money{5} < Money{6}, Money{5} != Money{5}, Money{7} >= Money{7});
    std::vector<H> list = {{"b", 1}, {"a", 2}, {"a", 1}};
    std::sort(list.begin(), list.end());
    for (auto &one : list) std::printf("%s%d ", one.a.c_str(), one.n);
    std::printf("%d %s %s\n", three(1, 2) < 0, text(1.5 <=> 2), text(1 <=> 0.5f));
    auto o = 1 <=> 2;
    std::printf("%d %d %d\n", std::is_lt(o), std::is_gteq(o), o == std::strong_ordering::less);
    std::map<P<int>, int> m = {{{2, 1}, 1}, {{1, 5}, 2}};
    for (auto &[key, value] : m) std::printf("%d,%d=%d ", key.a, key.b, value);
    switch (auto z = 3 <=> 2; z > 0) { case true: std::puts("gt"); break; default: std::puts("le"); }
    const A ca{3};
    std::printf("%d %d %d\n", ca == a, ca != a, *&ca == ca);
    long long big = 1LL << 40;
    std::printf("%d %d\n", (big <=> 5) > 0, ('a' <=> 98) < 0);
}
