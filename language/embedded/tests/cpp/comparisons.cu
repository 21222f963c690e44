// Comparisons, enumerations and small additions (C++20).
#include <algorithm>
#include <bit>
#include <compare>
#include <cstdio>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

struct Point {
    int x, y;
    auto operator<=>(const Point &) const = default;
};
struct Named {
    std::string name;
    double weight = 0;
    int list[3] = {1, 2, 3};
    std::partial_ordering operator<=>(const Named &other) const = default;
    bool operator==(const Named &other) const = default;
};
struct Base { int b; bool operator==(const Base &) const = default; };
struct Derived : Base {
    char c;
    bool operator==(const Derived &) const = default;
};
struct Version {
    int major, minor;
    std::strong_ordering operator<=>(const Version &o) const {
        if (auto c = major <=> o.major; c != 0) return c;
        return minor <=> o.minor;
    }
    bool operator==(const Version &o) const { return major == o.major && minor == o.minor; }
    bool operator==(int whole) const { return major == whole && minor == 0; }
};
enum class Color { red, green, blue };
const char *name(Color c) {
    using enum Color;
    switch (c) {
    case red: return "red";
    case green: return "green";
    default: return "other";
    }
}
struct Config { int width = 1, height = 2; double scale = 0.5; };
consteval int square(int n) { return n * n; }
constinit int counter = square(3);
template <class T> int order(T a, T b) { return (a <=> b) < 0 ? -1 : (a <=> b) > 0 ? 1 : 0; }

int main() {
    Point p{1, 2}, q{1, 3};
    std::printf("%d%d%d%d%d%d\n", p == q, p != q, p < q, p <= q, p > q, p >= q);
    std::printf("%d %d\n", (p <=> q) == std::strong_ordering::less, (p <=> p) == 0);
    Named a{"a", 1.5}, b{"b", 1.0}, c{"a", 0.0 / 0.0};
    std::printf("%d%d%d %d%d%d\n", a < b, a == a, a != b, a < c, a > c, (a <=> c) == std::partial_ordering::unordered);
    b = a;
    b.list[2] = 9;
    std::printf("%d%d%d\n", a < b, a == b, b > a);
    Derived d{{1}, 'a'}, e{{2}, 'a'};
    std::printf("%d%d\n", d == e, d != e);
    Version v{1, 0}, w{1, 4};
    std::printf("%d%d%d%d%d\n", v < w, v >= w, v == 1, 1 == v, 1 != w);
    std::printf("%d %d %d %d\n", order(1, 2), order(2.5, 1.5), order('a', 'a'), order(std::string("x"), std::string("y")));
    std::set<Point> points = {{2, 1}, {1, 2}, {1, 1}};
    for (auto [x, y] : points) std::printf("(%d,%d) ", x, y);
    std::printf("%s %s\n", name(Color::green), name(Color::blue));
    Config config = {.width = 7, .scale = 2.5};
    std::printf("%d %d %g %d\n", config.width, config.height, config.scale, counter);
    for (std::vector<int> list = {3, 1, 2}; int value : list) std::printf("%d ", value);
    auto twice = []<typename T>(const std::vector<T> &list) { return list.size() * 2; };
    std::printf("%zu\n", twice(std::vector<int>(4)));
    if (p < q) [[likely]] std::printf("likely\n");
    else [[unlikely]] std::printf("unlikely\n");
    std::vector<int> list = {5, 3, 8, 1, 8};
    std::printf("%d ", (int)std::ssize(list));
    std::printf("%d\n", (int)std::erase(list, 8));
    std::ranges::sort(list);
    std::printf("%d %d ", list[0], list[2]);
    std::printf("%d\n", (int)std::erase_if(list, [](int i) { return i > 3; }));
    std::map<std::string, int> map = {{"a", 1}, {"b", 2}};
    std::printf("%d %d\n", map.contains("a"), map.contains("z"));
    std::string text = "prefix.cu";
    std::printf("%d %d\n", text.starts_with("pre"), text.ends_with(".cpp"));
    std::vector<Point> all = {{1, 5}, {2, 3}, {0, 4}};
    std::ranges::sort(all, {}, &Point::y);
    std::ranges::for_each(all, [](const Point &p) { std::printf("%d ", p.x); });
    std::printf("%d\n", (int)std::ranges::count_if(all, [](int y) { return y > 3; }, &Point::y));
    std::printf("%d %d %d %d %u\n", std::popcount(255u), std::countl_zero(1u), std::countr_zero(8u), std::has_single_bit(64u), std::bit_ceil(17u));
    std::printf("%u %g %08x %d\n", std::rotl(1u, 31), std::bit_cast<float>(0x40490fdbu), std::bit_cast<unsigned>(1.0f), std::bit_width(1023u));
    std::printf("%.15f %.6f\n", std::numbers::pi, std::numbers::e_v<float>);
}
