// Lists in braces, iterators that go back, enumerations as numbers, `mutable`, `try` bodies.
#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>
enum { W = 3, H = 4 };
enum Color { red, green };
enum Huge { huge = 0xffffffffu };
struct V { float x; V(float x) : x(x) {} };
V operator*(float s, const V &v) { return V(s * v.x); }
Color operator+(Color a, int n) { return Color((int(a) + n) % 2); }
const Color &operator++(Color &c) { return c = c + 1; }
const char *name(int) { return "int"; }
const char *name(unsigned) { return "unsigned"; }
int size(const std::vector<int> &v) { return (int)v.size(); }
std::vector<int> make() { return std::vector<int>{5, 1}; }
struct B { int n; explicit B(const std::vector<int> &v) : n((int)v.size()) {} };
struct S { mutable std::vector<int> v; mutable int n; S() : v(3), n(0) {} int get(int i) const { n++; v[i] = 5; v.push_back(1); return v[i] + n; } };
int half(int n) try {
    if (n % 2) throw n;
    return n / 2;
} catch (int odd) {
    return -odd;
}
int main() try {
    B one(std::vector<int>{1, 2});
    Color c = red;
    ++c;
    int minus = -1;
    std::cout << (minus < H) << (minus < c) << ' ' << name(c + 0) << name(W) << name(+huge) << ' ' << -7 / W << ' ' << (minus - c) / 2 << "\n";
    std::cout << size(std::vector<int>{4, 7}) << size(make()) << size({4, 7, 9}) << std::vector<std::vector<int>>(3).size();
    std::cout << std::vector<std::pair<int, std::string>>{{1, "a"}, {2, "b"}}[1].second << "\n";
    std::cout << W * H << " " << c << " " << one.n << " " << (W * V(2)).x << "\n";
    std::vector<int> v{3, 1, 2};
    for (auto i = v.rbegin(); i != v.rend(); ++i) std::cout << *i << ' ';
    std::sort(v.rbegin(), v.rend());
    for (std::vector<int>::const_reverse_iterator i = v.crbegin(); i != v.crend(); i++) std::cout << *i << ' ';
    std::string s = "hello";
    std::cout << std::string(s.rbegin(), s.rend()) << std::string(3, 'x') << std::string(v.size(), '-') << (s == std::string(s.rbegin(), s.rend())) << '\n';
    std::map<std::string, int> m;
    m["a"] = 1, m["b"] = 2;
    for (auto i = m.rbegin(); i != m.rend(); ++i) std::cout << i->first << i->second << ' ';
    std::set<int> t(v.begin(), v.end());
    std::cout << *t.rbegin() << ' ' << *t.crbegin() << v.rbegin()[1] << (v.rend() - v.rbegin()) << '\n';
    std::deque<int> d(v.rbegin(), v.rend());
    std::array<int, 3> a{{7, 8, 9}};
    auto found = std::find(a.rbegin(), a.rend(), 8);
    std::cout << d.front() << *found << (found.base() - a.begin()) << *std::max_element(d.rbegin(), d.rend()) << "\n";
    std::vector<unsigned char> bytes{'o', 'k'};
    std::cout << std::string(bytes.begin(), bytes.end()) << std::string(d.begin(), d.begin()) << half(8) << half(5) << "\n";
    const S x;
    std::cout << x.get(1) << x.v.size() << std::minmax(4, 2).first << "\n";
    throw std::string("out");
} catch (const std::string &text) {
    std::cout << text << "\n";
    return 3;
}
