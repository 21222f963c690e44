// Objects of constant expressions, which host code and kernels use.
#include <array>
#include <cstdio>
#include <cstddef>
#include <utility>
constexpr int sum(int n) { return n ? n + sum(n - 1) : 0; }
static_assert(sum(200) == 20100, "");
struct Base { int b; constexpr Base(int x) : b(x) {} constexpr int twice() const { return 2 * b; } };
struct Derived : Base { int d; constexpr Derived(int x) : Base(x + 1), d(x) {} constexpr int all() const { return twice() + d; } };
constexpr Derived dd(4);
static_assert(dd.all() == 14 && dd.b == 5, "");
template <class D> struct Crtp { constexpr int call() const { return static_cast<const D &>(*this).value(); } };
struct Own : Crtp<Own> { int v = 3; constexpr int value() const { return v; } };
static_assert(Own{}.call() == 3, "");
constexpr Own own{};
static_assert(own.call() == 3, "");
struct Flags { unsigned a : 3, b : 5; int c : 4; };
constexpr Flags flags{5, 17, -3};
static_assert(flags.a == 5 && flags.b == 17 && flags.c == -3, "");
constexpr Flags next(Flags f) { f.a++; f.b += 20; f.c--; return f; }
static_assert(next(flags).a == 6 && next(flags).b == 5 && next(flags).c == -4, "");
constexpr int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
static_assert(grid[1][2] == 6, "");
constexpr int total() { int t = 0; for (auto &row : grid) for (int v : row) t += v; return t; }
static_assert(total() == 21, "");
constexpr const char *names[] = {"one", "three"};
static_assert(names[1][4] == 'e', "");
constexpr std::size_t len(const char *s) { return *s ? 1 + len(s + 1) : 0; }
static_assert(len(names[1]) == 5, "");
template <std::size_t N> constexpr unsigned hash(const char (&s)[N]) { unsigned h = 2166136261u; for (std::size_t i = 0; i + 1 < N; ++i) h = (h ^ (unsigned char)s[i]) * 16777619u; return h; }
constexpr std::array<int, 8> sorted(std::array<int, 8> a) {
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = i + 1; j < a.size(); ++j)
            if (a[j] < a[i]) { int t = a[i]; a[i] = a[j]; a[j] = t; }
    return a;
}
constexpr auto order = sorted({5, 2, 8, 1, 9, 3, 7, 4});
static_assert(order[0] == 1 && order[7] == 9 && order.size() == 8, "");
constexpr int add(int a, int b) { return a + b; }
constexpr int mul(int a, int b) { return a * b; }
constexpr int (*ops[])(int, int) = {add, mul};
static_assert(ops[1](3, 4) == 12, "");
constexpr int fold(int (*f)(int, int), int n) { int r = 1; do { r = f(r, n); } while (--n); return r; }
static_assert(fold(mul, 5) == 120 && fold(add, 5) == 16, "");
constexpr int swap_max(int a, int b) { int *p = &a, *q = &b; if (*p < *q) { int *t = p; p = q; q = t; } return *p - *q + (p != q); }
static_assert(swap_max(3, 9) == 7, "");
constexpr void set(int &r, int v) { r = v; }
constexpr int by_reference() { int x = 1; set(x, 5); int &y = x; y += 2; return x; }
static_assert(by_reference() == 7, "");
constexpr double half(double d) { return d / 2; }
static_assert(half(3) == 1.5, "");
struct Vec { float v[3]; constexpr float dot(const Vec &o) const { float s = 0; for (int i = 0; i < 3; ++i) s += v[i] * o.v[i]; return s; } };
constexpr Vec ux{{1, 2, 3}};
static_assert(ux.dot(ux) == 14.0f, "");
constexpr float d3 = ux.dot({{1, 1, 1}});
template <int... I> struct Seq { static constexpr int v[] = {I...}; static constexpr int at(int i) { return v[i]; } };
static_assert(Seq<4, 5, 6>::at(1) == 5 && Seq<4, 5, 6>::v[2] == 6, "");
struct Node { const Node *next; int v; };
constexpr Node n1{nullptr, 1}, n2{&n1, 2};
constexpr int sum_list(const Node *n) { int s = 0; for (; n; n = n->next) s += n->v; return s; }
static_assert(sum_list(&n2) == 3, "");
enum class Color { red, green };
struct Pixel { Color c; bool on; char k; };
constexpr Pixel px{Color::green, true, 'z'};
static_assert(px.c == Color::green && px.on && px.k == 'z', "");
constexpr int sw(Color c) { switch (c) { case Color::red: return 1; case Color::green: { int q = 2; return q; } } return 0; }
static_assert(sw(px.c) == 2, "");
constexpr std::pair<int, char> pr{3, 'c'};
static_assert(pr.first == 3, "");
struct Counter { int n = 0; constexpr Counter &inc() { ++n; return *this; } constexpr operator int() const { return n; } };
static_assert(Counter{}.inc().inc() == 2, "");
constexpr int lambda_sum() { int s = 0; auto f = [&s](int x) { s += x; }; for (int i = 0; i < 5; ++i) f(i); return s; }
static_assert(lambda_sum() == 10, "");
constexpr auto adder = [](auto a, auto b) { return a + b; };
static_assert(adder(1, 2L) == 3, "");
constexpr int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
constexpr bool prime(int n) { for (int i = 2; i * i <= n; ++i) { if (n % i) continue; return false; } return n > 1; }
template <int N> struct Primes { int p[N] = {}; constexpr Primes() { int c = 0; for (int i = 2; c < N; ++i) if (prime(i)) p[c++] = i; } constexpr int operator[](int i) const { return p[i]; } };
constexpr Primes<20> primes;
constexpr Primes<20> primes2{};
static_assert(primes[19] == 71, "");
union U { int i; char c; constexpr U(int x) : i(x) {} };
constexpr U u(7);
static_assert(u.i == 7, "");
struct P {
    int x, y;
    constexpr P(int a, int b) : x(a), y(b) {}
    constexpr int area() const { return x * y; }
    constexpr bool operator==(const P &o) const { return x == o.x && y == o.y; }
    constexpr P operator+(const P &o) const { return {x + o.x, y + o.y}; }
};
constexpr P origin{2, 3}, other = origin + P{1, 1};
static_assert(origin.area() == 6, "");
static_assert(origin == P{2, 3}, "");
template <int N> struct Sz { char c[N]; };
constexpr std::array<unsigned, 4> table() {
    std::array<unsigned, 4> t{};
    for (unsigned i = 0; i < 4; i++) t[i] = i * i;
    return t;
}
constexpr auto tab = table();
static_assert(tab[3] == 9, "");
constexpr unsigned at(const char *s) {
    unsigned c = 0;
    for (; *s; ++s) c += tab[*s & 3];
    return c;
}
static_assert(at("12") == 5, "");
constexpr const char *str = "banana";
static_assert(str[1] == 'a', "");
constexpr auto sqr = [](int q) { return q * q; };
static_assert(sqr(4) == 16, "s");
constexpr int jump(int x) {
    switch (x) {
    case 1: return 10;
    case 2: x = 5;
    default: return x * 2;
    }
}
static_assert(jump(1) == 10 && jump(2) == 10 && jump(7) == 14, "");
static_assert(__builtin_popcount(7) == 3, "");
enum E { first = origin.x, second = other.area() };
struct Holder {
    static constexpr P p{4, 5};
    static constexpr int area = p.area();
    char bytes[p.x];
};
#ifdef __CUDACC__
__constant__ P cp = P(1, 2);
__device__ P dp{7, 8};
__constant__ std::array<unsigned, 4> ctab = table();
#define KERNEL __global__
#else
constexpr P cp = P(1, 2), dp{7, 8};
constexpr auto ctab = table();
#define KERNEL
#endif
KERNEL void kernel(int *o, int i) {
    constexpr auto own = table();
    constexpr P q = origin + other;
    static_assert(own[2] == 4 && q.x == 5, "");
    int a[sqr(3)] = {};
    char s[q.area()];
    switch (i) {
    case q.x: o[0] = 1; break;
    case tab[1] + origin.x: o[0] = 2; break;
    }
    o[1] = tab[i];
    o[2] = origin.area() + origin.x;
    o[3] = cp.y;
    o[4] = dp.area();
    o[5] = ctab[i];
    o[6] = sizeof(Sz<origin.area() + origin.x>);
    o[7] = sizeof a + sizeof s;
    o[8] = Holder::p.y;
    o[9] = str[i];
    o[10] = own[i];
    o[11] = sqr(i);
    o[12] = at("33") + first + second;
    o[13] = other.area() + Holder::area + primes[i] + grid[1][i - 1] + order[i];
}
int main() {
    constexpr unsigned h = hash("kernel");
    const int n = order[3];
    int arr[n];
    printf("%u %zu %g %d %d\n", h, sizeof arr, d3, primes2[4], gcd(12, 18));
    static constexpr auto local = sorted({8, 7, 6, 5, 4, 3, 2, 1});
    constexpr auto &ref = local;
    constexpr const int *third = &order[2];
    static_assert(*third == 3 && ref[1] == 2, "");
    char x[local[4]];
    switch (gcd(8, 12)) { case primes[0]: break; case order[3]: puts("four"); }
    printf("%zu %d %s %d\n", sizeof x, u.i, names[0], ops[0](2, 2));
    if constexpr (px.on && dd.d == 4) puts("yes");
    int k = 2;
    printf("%d %d %d\n", local[k], order[k], primes[k]);
    auto twice = [](int q) constexpr { return 2 * q; };
    static_assert(twice(3) == 6, "");
    int made[14];
#ifdef __CUDACC__
    int *d;
    cudaMalloc((void **)&d, sizeof made);
    kernel<<<1, 1>>>(d, 3);
    cudaMemcpy(made, d, sizeof made, cudaMemcpyDeviceToHost);
#else
    kernel(made, 3);
#endif
    for (int v : made) printf("%d ", v);
    puts("");
}
