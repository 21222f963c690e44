// Concepts as courses use them (C++20).
#include <algorithm>
#include <concepts>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

template <typename T> concept Printable = requires(std::ostream &os, T a) { os << a; };
template <typename T> concept Numeric = std::is_arithmetic_v<T>;
template <typename C> concept Container = requires(C c, const C cc) {
    typename C::value_type;
    typename C::iterator;
    { c.begin() } -> std::same_as<typename C::iterator>;
    { cc.size() } -> std::same_as<std::size_t>;
    { cc.empty() } -> std::convertible_to<bool>;
    requires std::copyable<typename C::value_type>;
};
template <int N> concept PowerOfTwo = N > 0 && (N & (N - 1)) == 0;
template <int N> requires PowerOfTwo<N> struct Ring {
    int data[N] = {};
    int &operator[](int i) { return data[i & (N - 1)]; }
};
template <typename T> requires std::is_integral_v<T> || std::is_floating_point_v<T> T square(T x) { return x * x; }
template <typename C> requires requires(C c) { c.push_back(typename C::value_type()); }
void add(C &c, typename C::value_type v) { c.push_back(v); }
template <typename C> requires requires(C c) { c.insert(typename C::value_type()); }
void add(C &c, typename C::value_type v) { c.insert(v); }

template <Numeric T> class Vector {
    std::vector<T> items;
public:
    Vector(std::initializer_list<T> list) : items(list) {}
    template <Numeric U> requires(!std::same_as<T, U>) explicit Vector(const Vector<U> &other);
    T dot(const Vector &other) const;
    std::span<const T> view() const { return items; }
    template <std::invocable<T> F> auto map(F f) const -> Vector<std::invoke_result_t<F, T>>;
    auto norm() const requires std::floating_point<T> { return dot(*this) * T(0.5); }
    void push(T v) { items.push_back(v); }
    Vector() = default;
    friend Vector operator+(const Vector &a, Numeric auto b) {
        Vector out;
        for (T v : a.items) out.items.push_back(v + b);
        return out;
    }
    friend std::ostream &operator<<(std::ostream &os, const Vector &v) requires Printable<T> {
        for (const T &x : v.items) os << x << ' ';
        return os;
    }
};
template <Numeric T> T Vector<T>::dot(const Vector &other) const {
    return std::inner_product(items.begin(), items.end(), other.items.begin(), T{});
}
template <Numeric T> template <Numeric U> requires(!std::same_as<T, U>) Vector<T>::Vector(const Vector<U> &other) {
    for (U u : other.view()) items.push_back(static_cast<T>(u));
}
template <Numeric T> template <std::invocable<T> F>
auto Vector<T>::map(F f) const -> Vector<std::invoke_result_t<F, T>> {
    Vector<std::invoke_result_t<F, T>> out;
    for (T v : items) out.push(f(v));
    return out;
}
struct Shape { virtual ~Shape() = default; virtual double area() const = 0; };
struct Square : Shape { double s; explicit Square(double s) : s(s) {} double area() const override { return s * s; } };
template <std::derived_from<Shape> T, class... A> std::unique_ptr<Shape> make(A &&...a) requires std::constructible_from<T, A...> {
    return std::make_unique<T>(std::forward<A>(a)...);
}
template <class T> concept Hashable = requires(T a) { { std::hash<T>{}(a) } -> std::convertible_to<std::size_t>; };
struct Opaque {};
template <class T> struct Traits { static constexpr int rank = 0; };
template <class T> requires Numeric<T> struct Traits<T> { static constexpr int rank = 1; };
template <class T> requires Container<T> struct Traits<T> { static constexpr int rank = 1 + Traits<typename T::value_type>::rank; };
template <class T> struct Traits<T *> { static constexpr int rank = 10; };

template <class A, class B> concept SameSize = sizeof(A) == sizeof(B);
void swapBytes(SameSize<int> auto &a, SameSize<int> auto &b) { auto t = a; a = (decltype(+a))b; b = t; }
template <class T> requires SameSize<T, int> const char *pick(T) { return "same"; }
template <class T> const char *pick(T) { return "other"; }
template <class T> constexpr bool isBig = sizeof(T) > 4 && !std::integral<T>;
template <auto N> requires std::integral<decltype(N)> constexpr int twice = N * 2;

template <class F> concept Callback = std::regular_invocable<F, int, int> && requires(F f) { { f(1, 2) } -> std::same_as<int>; };
int apply(Callback auto f, int a, int b) { return f(a, b); }
int plain(int a, int b) { return a - b; }
float mean(std::span<const float> list) {
    return list.empty() ? 0 : std::accumulate(list.begin(), list.end(), 0.0f) / list.size();
}
struct Matrix {
    std::vector<float> data;
    std::size_t width;
    std::span<float> row(std::size_t i) { return std::span(data).subspan(i * width, width); }
    std::span<const float> row(std::size_t i) const { return {data.data() + i * width, width}; }
};
template <class T> void kindOf(const T &) {
    if constexpr (std::integral<T>) std::puts("integral");
    else if constexpr (Container<T>) std::puts("container");
    else if constexpr (!requires(T t) { t.x; }) std::puts("no x");
    else std::puts("x");
}
struct X { int x; };
template <class T> auto sizeOf(const T &t) requires requires { t.size(); } { return t.size(); }
template <class T, std::size_t N> std::size_t sizeOf(const T (&)[N]) { return N; }
template <class T> requires(sizeof(T) == 1) void width(T) { std::puts("1"); }
template <class T> requires(sizeof(T) == 2 || sizeof(T) == 4) void width(T) { std::puts("2 or 4"); }
template <class T> requires(sizeof(T) > 4) void width(T) { std::puts("more"); }

int main() {
    std::printf("%d %d %d\n", Printable<int>, Printable<Opaque>, Printable<std::string>);
    std::printf("%d %d %d\n", Container<std::vector<int>>, Container<std::string>, Container<int>);
    Ring<4> ring;
    ring[5] = 3;
    std::printf("%d %g %d\n", ring[1], square(1.5), square(4));
    std::vector<int> list;
    add(list, 3);
    Vector<int> v{1, 2, 3};
    Vector<double> d(v);
    std::cout << v + 1 << d << v.dot(v) << ' ' << d.norm() << '\n';
    std::cout << v.map([](int i) { return i * 0.5; }) << '\n';
    std::printf("%g\n", make<Square>(3.0)->area());
    std::printf("%d %d\n", Hashable<std::string>, Hashable<Opaque>);
    std::printf("%d %d %d %d %d\n", Traits<Opaque>::rank, Traits<int>::rank, Traits<std::vector<std::vector<int>>>::rank, Traits<int *>::rank, Traits<std::string>::rank);
    int a = 1;
    unsigned b = 2;
    swapBytes(a, b);
    std::printf("%d %u %s %s %d %d %d\n", a, b, pick(1.5f), pick(1.5), isBig<double>, isBig<long>, twice<21>);
    std::printf("%d %d %d\n", apply(plain, 5, 3), apply([](int a, int b) { return a * b; }, 5, 3), apply(std::plus<int>(), 5, 3));
    float values[] = {1, 2, 6};
    Matrix m{{1, 2, 3, 4, 5, 6}, 3};
    m.row(1)[0] = 40;
    const Matrix &c = m;
    std::printf("%g %g %g %g\n", mean(values), mean({}), mean(c.row(1)), mean(std::vector<float>{1, 2}));
    kindOf(1);
    kindOf(list);
    kindOf(Opaque{});
    kindOf(X{});
    std::printf("%zu %zu\n", (std::size_t)sizeOf(list), sizeOf(values));
    width('a');
    width(short(1));
    width(1.5);
}
