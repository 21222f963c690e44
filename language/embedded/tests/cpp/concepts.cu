// Concepts, `requires` and constrained functions (C++20).
#include <concepts>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

template <class T> concept Addable = requires(T a, T b) { a + b; };
template <class T> concept Sized = requires(const T &t) {
    typename T::value_type;
    { t.size() } -> std::convertible_to<std::size_t>;
    requires sizeof(typename T::value_type) >= 1;
};
template <class T> concept Small = sizeof(T) <= 4;
template <class T> concept SmallInteger = Small<T> && std::integral<T>;
template <class T, class U> concept Same = std::is_same_v<T, U>;
template <class T> concept QuietCall = requires(T f) {
    { f() } noexcept;
};
struct Plain {};
struct Number {
    int n;
    Number operator+(Number other) const { return {n + other.n}; }
};
struct Quiet {
    int operator()() const noexcept { return 1; }
};
struct Loud {
    int operator()() const { return 1; }
};

// Overloads: by constraint, and by the stronger constraint.
template <class T> const char *kind(T) { return "any"; }
template <std::integral T> const char *kind(T) { return "integral"; }
template <std::floating_point T> const char *kind(T) { return "floating"; }
template <SmallInteger T> const char *small(T) { return "small integer"; }
template <Small T> const char *small(T) { return "small"; }
template <class T> const char *small(T) { return "large"; }

template <class T> requires Addable<T> T twice(T a) { return a + a; }
template <class T> T thrice(T a) requires Addable<T> && (!std::integral<T>) { return a + a + a; }
template <class T> T thrice(T a) requires std::integral<T> { return 3 * a; }

// Abbreviated templates.
auto sum(auto a, auto b) { return a + b; }
std::integral auto half(std::integral auto a) { return a / 2; }
void show(const std::convertible_to<double> auto &a) { std::printf("show %g\n", (double)a); }
int count(const auto &...all) { return sizeof...(all); }
int integers(std::integral auto... all) { return (0 + ... + all); }
template <class T> T with(T a, auto b) { return a + T(b); }

// Classes.
template <std::integral T> struct Counter {
    T n = 0;
    void add(T by) { n += by; }
    void negate() requires std::signed_integral<T> { n = -n; }
    bool isNegative() const requires std::signed_integral<T> { return n < 0; }
    bool isNegative() const requires std::unsigned_integral<T> { return false; }
};
template <class T> struct Name { static const char *text() { return "primary"; } };
template <std::integral T> struct Name<T> { static const char *text() { return "integral"; } };
template <std::signed_integral T> struct Name<T> { static const char *text() { return "signed"; } };
template <class T> requires Sized<T> struct Name<T> { static const char *text() { return "sized"; } };
template <class T> struct Box {
    T value;
    Box() requires std::default_initializable<T> : value{} {}
    explicit Box(T v) : value(v) {}
    template <std::convertible_to<T> U> void set(U u) { value = u; }
    void print() const requires Same<T, int> { std::printf("box %d\n", value); }
    void print() const requires Same<T, std::string> { std::printf("box %s\n", value.c_str()); }
};
template <class T> requires std::integral<T> inline constexpr T largest = T(-1) / 2;
template <std::integral T> using List = std::vector<T>;
template <std::integral auto N> int value() { return N; }
template <class... T> requires (std::integral<T> && ...) int all(T...) { return sizeof...(T); }
template <class... T> int all(T...) { return -1; }
template <std::integral... T> int packed(T... list) { return (list + ... + 0); }

template <class T> concept Shape = requires(const T &s) {
    { s.area() } -> std::same_as<double>;
    { s.name() } -> std::convertible_to<std::string>;
};
struct Square {
    double side;
    double area() const { return side * side; }
    std::string name() const { return "square"; }
};
struct Wrong {
    float area() const { return 1; }
    std::string name() const { return "wrong"; }
};
void describe(const Shape auto &shape) { std::printf("%s %g\n", shape.name().c_str(), shape.area()); }
template <class T> void describe(const T &) { std::printf("no shape\n"); }

template <class T> void report(T t) {
    if constexpr (requires { t.size(); }) std::printf("size %zu\n", (std::size_t)t.size());
    else if constexpr (requires(T a) { { -a } -> std::same_as<T>; }) std::printf("negated %g\n", (double)-t);
    else std::printf("nothing\n");
}
template <class F, class... A> requires std::invocable<F, A...> auto call(F f, A... a) { return f(a...); }
template <std::predicate<int> P> int matches(P p) {
    int n = 0;
    for (int i = 0; i < 10; i++) n += p(i);
    return n;
}
template <class T> concept Animal = requires(T a) { a.speak(); } || requires(T a) { a.bark(); };
struct Dog { void bark() {} };

int main() {
    std::printf("%d %d %d\n", Addable<int>, Addable<Plain>, Addable<Number>);
    std::printf("%d %d %d\n", Sized<std::vector<int>>, Sized<std::string>, Sized<int>);
    std::printf("%d %d %d\n", QuietCall<Quiet>, QuietCall<Loud>, QuietCall<int>);
    std::printf("%s %s %s\n", kind(1), kind(1.5), kind("x"));
    std::printf("%s %s %s\n", small('c'), small(1.5f), small(1.5));
    std::printf("%d %d %g %d\n", twice(4), twice(Number{3}).n, thrice(1.5), thrice(4));
    std::printf("%g %d\n", sum(1, 2.5), half(9));
    show(3);
    show(2.5f);
    std::printf("%d %d %d\n", count(), count(1, "a", 2.0), integers(1, 2L, 'a'));
    std::printf("%g\n", with(1.5, 2));
    Counter<int> c;
    c.add(5);
    c.negate();
    Counter<unsigned> u;
    std::printf("%d %d %d\n", c.n, c.isNegative(), u.isNegative());
    std::printf("%s %s %s %s\n", Name<double>::text(), Name<unsigned>::text(), Name<int>::text(),
                Name<std::vector<int>>::text());
    Box<int> b;
    b.set(7.9);
    b.print();
    Box<std::string> s(std::string("text"));
    s.print();
    std::printf("%d %d\n", largest<int>, (int)List<int>(3).size());
    std::printf("%d %d %d %d\n", value<4>(), all(1, 2), all(1, 2.5), packed(1, 2, 3));
    describe(Square{3});
    describe(Wrong{});
    report(std::vector<int>(4));
    report(2.5);
    report(Plain{});
    std::printf("%d\n", call([](int a, int b) { return a * b; }, 6, 7));
    std::printf("%d\n", matches([](int i) { return i % 3 == 0; }));
    auto add = []<class T>(T a, T b) { return a + b; };
    auto only = []<std::integral T>(T a) { return a + 1; };
    auto limited = [](auto a) requires std::integral<decltype(a)> { return a - 1; };
    auto typed = [](std::floating_point auto a) -> std::floating_point auto { return a * 2; };
    std::printf("%d %d %d %g\n", add(1, 2), only(5), limited(5), typed(1.25));
    std::integral auto n = 5;
    const std::floating_point auto &r = 2.5;
    auto f = [] { return 1; };
    std::printf("%d %g %d\n", n, r, std::invocable<decltype(f)>);
    std::printf("%d %d %d\n", Animal<Dog>, Animal<int>, requires { typename std::vector<int>::iterator; });
    static_assert(std::same_as<decltype(half(3)), int> && !std::same_as<int, long>);
    static_assert(std::derived_from<Square, Square> && !std::derived_from<Square, Dog>);
    static_assert(std::default_initializable<Plain> && std::copyable<std::string> && std::movable<Plain>);
    static_assert(std::equality_comparable<int> && !std::equality_comparable<Plain>);
    static_assert(std::totally_ordered<std::string> && std::regular<int>);
    static_assert(std::convertible_to<int, double> && !std::convertible_to<Plain, int>);
    static_assert(std::signed_integral<int> && std::unsigned_integral<unsigned char>);
    static_assert(std::constructible_from<std::string, const char *> && std::swappable<int>);
    static_assert(std::assignable_from<int &, double> && std::destructible<int>);
}
