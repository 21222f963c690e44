// Idioms: captures in lists, friends that are instances of templates, designators of values, packs
// of base classes in constructors, throw in a conditional, lists among values.
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
template <typename T> class Box;
template <typename T> std::ostream &operator<<(std::ostream &, const Box<T> &);
template <typename T> bool operator==(const Box<T> &, const Box<T> &);
template <typename T> Box<T> operator+(const Box<T> &, const Box<T> &);
template <typename T> class Box {
    T v;
public:
    explicit Box(T v) : v(v) {}
    friend std::ostream &operator<< <>(std::ostream &, const Box &);
    friend bool operator== <T>(const Box &, const Box &);
    friend Box operator+ <>(const Box<T> &, const Box<T> &);
};
template <typename T> std::ostream &operator<<(std::ostream &o, const Box<T> &b) { return o << "[" << b.v << "]"; }
template <typename T> bool operator==(const Box<T> &a, const Box<T> &b) { return a.v == b.v; }
template <typename T> Box<T> operator+(const Box<T> &a, const Box<T> &b) { return Box<T>(a.v + b.v); }
struct job { int id, count; const char *name; };
struct point { float x, y; };
int sum(job j) { return j.id + j.count; }
struct X { int x; X(int x) : x(x) {} };
struct Y { int y; Y(int y) : y(y) {} };
template <class... T> struct All : T... { int n; All(T... t) : T(t)..., n(sizeof...(T)) {} };
template <class... F> struct Visit : F... { using F::operator()...; explicit Visit(F... f) : F{std::move(f)}... {} };
struct Text { std::string s; Text(bool x) : s(x ? throw std::runtime_error("boom") : "fine") {} };
int positive(int n) { return n > 0 ? n : throw std::invalid_argument("negative"); }
int main() {
    int k = 2, row[3] = {1, 2, 3};
    std::vector<std::function<int(int)>> calls;
    calls.push_back({[k](int x) { return x + k; }});
    calls.push_back([&k](int x) { return x * k; });
    std::map<std::string, std::function<int(int)>> table = {
        {"add", [k](int x) { return x + k; }}, {"row", [row](int i) { return row[i]; }}, {"this", [](int) { return 0; }}};
    printf("%d %d %d %d\n", calls[0](5), calls[1](5), table["add"](1), table["row"](2));
    int cells[4] = {[0] = 5, [1] = 6, [2] = 7, [3] = 8};
    printf("%d\n", cells[0] + cells[1]);
    std::cout << Box<int>(5) + Box<int>(6) << (Box<char>('a') == Box<char>('a')) << '\n';
    job jobs[2];
    for (int i = 0; i < 2; i++) jobs[i] = (struct job){ .id = i + 1, .count = 2, .name = "c" };
    jobs[1] = job{ .id = 3, .count = 4 };
    point p = (point){ .x = 1.5f };
    printf("%d %d %s %d %g %g %d\n", jobs[0].id, jobs[1].count, jobs[0].name, jobs[1].name == nullptr, p.x, p.y, sum(job{ .id = 8, .count = 1 }));
    All<X, Y> all(X(1), Y(2));
    Visit visit{[](int) { return 1; }, [](const char *) { return 2; }};
    printf("%d%d%d %d%d\n", all.x, all.y, all.n, visit(0), visit("x"));
    try { Text a(false); printf("%s\n", a.s.c_str()); Text b(true); } catch (const std::exception &e) { printf("caught %s\n", e.what()); }
    try { printf("%d\n", positive(3)); positive(-1); } catch (const std::invalid_argument &e) { printf("%s\n", e.what()); }
    for (auto [nx, ny] : {std::pair{128, 127}, std::make_pair(1, 2), {96, 160}}) printf("%d %d\n", nx, ny);
    return 0;
}
