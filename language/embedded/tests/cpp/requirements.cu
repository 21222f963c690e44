// Requirements of many forms (C++20).
#include <concepts>
#include <cstdio>
#include <span>
#include <vector>
#include <numeric>
#include <type_traits>
template <class T> concept HasSum = requires(const T &t) { { t.sum() } -> std::same_as<int>; };
struct S1 { int sum() const { return 1; } };
struct S2 { int &sum() const { static int x; return x; } };
struct S3 { int sum() { return 1; } };
struct S4 { private: int sum() const { return 1; } };
struct S5 { int sum() const = delete; };
template <class T> concept Member = requires(T t) { { t.n } -> std::same_as<int &>; };
struct N { int n; };
struct NC { const int n; };
template <class T> struct Only { static_assert(sizeof(T) < 100); void go() requires(sizeof(T) == 4) {} };
template <class T> concept CanGo = requires(Only<T> o) { o.go(); };
template <class T> concept Deref = requires(T p) { *p; p[0]; ++p; p++; p + 1; p - p; p == p; !p; };
template <class T> concept Casts = requires(T t) { (double)t; static_cast<int>(t); T{}; T(); new T; sizeof(T); };
template <class T> concept Assign = requires(T t, const T c) { t = c; t += c; { t = c } -> std::same_as<T &>; };
template <class F> concept Call = requires(F f) { f(); } || requires(F f) { f(1); };
template <class... T> concept AllSame = (std::same_as<T, int> && ...);
template <class T, class... R> requires(std::same_as<T, R> && ...) int same(T, R...) { return 1; }
template <class... T> int same(T...) { return 0; }
template <class T> void overload(T) requires(!std::integral<T>) { std::puts("not"); }
template <class T> void overload(T) requires std::integral<T> { std::puts("int"); }
void overload(int) { std::puts("plain"); }
template <class T> struct Opt { T v; constexpr Opt(T t) : v(t) {} Opt(const Opt &) = default; T get() const requires std::copyable<T> { return v; } };
template <std::size_t N> int fixed(std::span<int, N> s) { return (int)N + s[0]; }
int dyn(std::span<const int> s = {}) { return (int)s.size(); }
namespace lib { template <class T> concept Tag = T::tag; struct Yes { static constexpr bool tag = true; }; struct No { static constexpr bool tag = false; }; struct Int { static constexpr int tag = 1; };
template <Tag T> struct Use { static constexpr int v = 1; }; }
using lib::Tag;
template <Tag T> int useTag() { return lib::Use<T>::v; }
template <class T> concept Nested = requires { requires sizeof(T) == 4; requires std::integral<T>; };
struct Base {}; struct Derived : Base {}; struct Private : private Base {};
template <class T = int> requires std::integral<T> T def() { return 7; }
enum E { e0 }; enum class EC { c0 };
auto deduce(std::integral auto x) -> decltype(x + 1L) { return x; }
std::vector<int> make() { return {1, 2, 3}; }
int main() {
    std::printf("%d%d%d%d%d\n", HasSum<S1>, HasSum<S2>, HasSum<S3>, HasSum<S4>, HasSum<S5>);
    std::printf("%d%d%d\n", Member<N>, Member<NC>, Member<S1>);
    std::printf("%d%d\n", CanGo<int>, CanGo<char>);
    std::printf("%d%d%d\n", Deref<int *>, Deref<int>, Deref<void *>);
    std::printf("%d%d%d\n", Casts<int>, Casts<N>, Casts<float>);
    std::printf("%d%d%d\n", Assign<int>, Assign<N>, Assign<const int>);
    auto l0 = [] {}; auto l1 = [](int) {}; auto l2 = [](int, int) {};
    std::printf("%d%d%d%d\n", Call<decltype(l0)>, Call<decltype(l1)>, Call<decltype(l2)>, Call<int (*)()>);
    std::printf("%d%d %d%d\n", AllSame<int, int>, AllSame<int, long>, same(1, 2, 3), same(1, 2.0));
    overload(1); overload(1L); overload(1.5);
    std::printf("%d\n", Opt<int>(3).get());
    int a[3] = {5, 6, 7};
    std::printf("%d %d %d %d\n", fixed(std::span<int, 3>(a)), dyn(), dyn(a), dyn(std::vector<int>(9)));
    std::printf("%d%d %d\n", lib::Tag<lib::Yes>, Tag<lib::No>, useTag<lib::Yes>());
    std::printf("%d%d%d\n", Nested<int>, Nested<float>, Nested<char>);
    std::printf("%d%d%d%d\n", std::derived_from<Derived, Base>, std::derived_from<Private, Base>, std::convertible_to<Derived *, Base *>, std::convertible_to<Base *, Derived *>);
    std::printf("%d %zu %d\n", def(), sizeof(deduce(1)), std::integral<E>);
    std::printf("%d%d%d%d\n", std::convertible_to<E, int>, std::convertible_to<EC, int>, std::same_as<int, const int>, std::integral<const int>);
    std::printf("%d%d%d%d\n", std::movable<int>, std::copyable<std::vector<int>>, std::default_initializable<NC>, std::equality_comparable<N>);
    std::printf("%d%d%d\n", std::invocable<decltype(l1), int>, std::invocable<decltype(l1)>, std::predicate<bool (*)(int), int>);
    std::printf("%d%d%d%d\n", std::signed_integral<char>, std::unsigned_integral<bool>, std::floating_point<int>, std::swappable<N>);
    std::printf("%d\n", std::accumulate(a, a + 3, 0, [](auto x, std::integral auto y) { return x + y; }));
    const std::vector<int> v = make();
    std::span s = v;
    static_assert(std::is_same_v<decltype(s), std::span<const int>>);
    static_assert(std::is_same_v<decltype(s)::element_type, const int> && std::is_same_v<decltype(s)::value_type, int>);
    std::span<int> all = a;
    auto [x, y] = std::pair(all.first<2>(), all.last(1));
    std::printf("%zu %zu %d %d\n", x.size(), y.size(), x[1], y[0]);
    for (std::size_t i = 0; auto &e : all) e += i++;
    std::printf("%d %d %d\n", a[0], a[1], a[2]);
    std::printf("%d\n", std::is_trivially_copyable_v<std::span<int>>);
}
