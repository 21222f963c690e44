// Variables outside functions with deduced types, constant arrays, names in front of `::`, statements
// as expressions, and functions of two numbers of different types.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

auto start = std::chrono::steady_clock::now();
static constexpr auto gradients = 8;
constexpr auto half = .5f;
const auto third = 1.0 / 3;
auto text = std::string("hello");
auto square = [](int a) { return a * a; };
auto counter = [] { static int calls; return ++calls; };
auto *pointer = &start;
std::vector<int> list{1, 2, 3};
auto size = list.size();
struct Held {
    static constexpr auto limit = 40L;
    static const int count = 3;
};

constexpr int depths[5] = {110, 64, 48, 36};
constexpr double scales[] = {.5, 2.5};
template <int n> struct Meta {
    int sizes[depths[n - 1]];
    static const int left = depths[n];
};
static_assert(depths[4] == 0 && depths[2] == 48 && scales[1] == 2.5, "elements are constants");

enum dir { left, right };
struct part { enum { size = 7 }; };
int hidden(int dir) {
    int part = 2;
    return dir::right + part::size + part + dir;
}

template <class T> T of_result(int) { return 0; }
template <> int of_result(int v) { return v; }
template <> float of_result(int v) { return v + .5f; }
template <> const char *of_result(int) { return "text"; }
template <class T> T *to_result(int) { return nullptr; }
template <> double *to_result(int) { static double d = 4; return &d; }

#define smaller(x, y) ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x < _y ? _x : _y; })
struct Of {
    int own = 5;
    int twice() { return ({ int a = own; own++; a * 2; }); }
};

template <class A, class B> const char *kind(A a, B b) {
    return std::is_same<decltype(std::pow(a, b)), float>::value ? "float" : "double";
}

int main() {
    namespace ch = std::chrono;
    auto now = ch::steady_clock::now();
    printf("%d %d %d\n", now >= start, now != start + ch::seconds(9), pointer == &start);
    printf("%d %.1f %.3f %s %d %d\n", gradients, half, third, text.c_str(), square(7), counter());
    printf("%zu %ld %d\n", size, Held::limit, Held::count);
    int array[depths[3] / 6];
    const int at = 3;
    array[5] = depths[at];
    printf("%zu %d %zu %d %d %g\n", sizeof(Meta<3>) / 4, Meta<3>::left, sizeof array / 4, array[5], depths[list[1]], scales[1]);
    printf("%d\n", hidden(10));
    printf("%d %g %s %g\n", of_result<int>(5), of_result<float>(5), of_result<const char *>(1), *to_result<double>(1));
    int three = 3, sum = 0;
    for (int i = 0; i < 4; i++) sum += ({ int r = 0; for (int j = 0; j < i; j++) { if (j == 2) break; r += j + 1; } r; });
    printf("%d %d %d %.1f\n", smaller(three, 2), smaller(smaller(9, 8), 10), sum, smaller(2.5, three));
    Of of;
    printf("%d ", of.twice());
    printf("%d\n", of.own);
    ({ three = 8; });
    printf("%d\n", three);
    size_t j = 3;
    unsigned u = 2;
    long l = 2;
    short s = 2;
    bool b = true;
    printf("%g %g %g %g %g %g %g\n", pow(4, j), pow(2, u), pow(3.f, l), pow(u, u), pow(s, b), std::fmax(u, 2.5f), atan2(l, j));
    printf("%s %s %s %s\n", kind(1.f, 2.f), kind(1.f, 2), kind(u, 1.f), kind(2, 2));
    long long most = (long long)(std::numeric_limits<int>::max()) + 1LL;
    printf("%lld\n", most);
}
