// Values that containers, variants and optional values make in place, and small additions.
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
struct B {
    static int moves, copies;
    B() {}
    B(const B &) { copies++; }
    B(B &&) { moves++; }
    B &operator=(const B &) = default;
    int v = 4;
};
int B::moves = 0, B::copies = 0;
struct Fixed {
    Fixed() {}
    explicit Fixed(int v) : v(v) {}
    Fixed(const Fixed &) = delete;
    Fixed &operator=(const Fixed &) = delete;
    int v = 4;
};
struct Listed {
    int n;
    Listed(std::initializer_list<double> list) : n((int)list.size()) {}
};
template <std::size_t... I> void numbered(std::index_sequence<I...>) {
    ((printf("%d%s", (int)I + 1, I + 1 < sizeof...(I) ? "/" : " ")), ...);
}
template <class... A> int scaled(A... a) {
    int list[] = {(int)(a * sizeof...(A))...};
    return list[1];
}
int main() {
    std::map<int, B> m;
    m[1].v++;
    std::unordered_map<int, B> u;
    u[1].v++;
    m.try_emplace(2);
    std::map<int, Fixed> fixed;
    fixed.try_emplace(3, 9);
    printf("%d %d %d %d %d %d\n", B::moves, B::copies, m[1].v, u[1].v, fixed[1].v, fixed[3].v);
    std::variant<int, int> v(std::in_place_index<1>, 4);
    std::variant<int, std::string> w(std::in_place_type<std::string>, 3, 'x');
    printf("%zu %d %s\n", v.index(), std::get<1>(v), std::get<std::string>(w).c_str());
    std::variant<int, double> a = 1, b = 2.5, c = 3;
    printf("%d%d%d%d%d\n", a < b, b < a, a < c, a >= c, a != b);
    a = c;
    std::optional<std::string> o;
    o = "hi";
    std::optional<int> number = 4;
    number = {};
    printf("%d %s %d\n", std::get<int>(a), o->c_str(), number.has_value());
    Listed empty = {}, braces{}, two{1, 2};
    printf("%d%d%d\n", empty.n, braces.n, two.n);
    numbered(std::make_index_sequence<3>());
    int q, exact = std::ilogb(8);
    double rest = std::remquo(29, 3, &q);
    printf("%d %d %g %d\n", scaled(1, 2), q & 7, rest, exact);
}
