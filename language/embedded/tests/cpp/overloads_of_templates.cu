// Overloads of function templates, specializations, packs and what they deduce.
#include <cstdio>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
template <class T> struct Tag {};
template <class T> const char *which(T) { return "T"; }
template <class T> const char *which(T *) { return "T*"; }
template <class T> const char *which(const T &, int *) { return ""; }
template <class T> const char *which(Tag<T>) { return "Tag"; }
template <class T, class U> const char *which(T, U) { return "T,U"; }
template <class T> const char *which(T, T) { return "T,T"; }
template <class... T> const char *which(T...) { return "T..."; }
template <class T> const char *ref(T &) { return "T&"; }
template <class T> const char *ref(const T &) { return "cT&"; }
template <class T> const char *ref(T &&) { return "T&&"; }
template <int N> struct Int { static constexpr int value = N; template <int M> using add = Int<N + M>; };
template <class... T> struct List { static constexpr int size = sizeof...(T); };
template <class L> struct Front; template <class T, class... R> struct Front<List<T, R...>> { using type = T; using rest = List<R...>; };
template <class L, class T> struct Append; template <class... A, class T> struct Append<List<A...>, T> { using type = List<A..., T>; };
template <class L> struct Reverse { using type = L; };
template <class T, class... R> struct Reverse<List<T, R...>> { using type = typename Append<typename Reverse<List<R...>>::type, T>::type; };
template <class T> struct Strip { using type = T; static constexpr int n = 0; };
template <class T> struct Strip<const T> { using type = typename Strip<T>::type; static constexpr int n = 1 + Strip<T>::n; };
template <class T> struct Strip<T *> { using type = typename Strip<T>::type; static constexpr int n = 10 + Strip<T>::n; };
template <class T> struct Strip<T &> { using type = typename Strip<T>::type; static constexpr int n = 100 + Strip<T>::n; };
template <class R, class... A> struct Strip<R (*)(A...)> { using type = R; static constexpr int n = 1000 + sizeof...(A); };
template <class T, class = void> struct Size { static int of(const T &) { return -1; } };
template <class T> struct Size<T, std::void_t<decltype(std::declval<T>().size())>> { static int of(const T &t) { return t.size(); } };
template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0> int en(T) { return 1; }
template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0> int en(T) { return 2; }
template <class T> auto member(const T &t, int) -> decltype(t.x) { return t.x; }
template <class T> int member(const T &, long) { return -7; }
struct HasX { int x = 42; };
template <class T> int branch(T t) { if constexpr (std::is_pointer_v<T>) return *t; else if constexpr (std::is_same_v<T, std::string>) return t.size(); else return t + 1; }
template <class... T> auto sum(T... t) { return (t + ... + 0); }
template <class... T> int left(T... t) { return (100 - ... - t); }
template <class... T> void print(T &&...t) { ((printf("%d;", (int)t)), ...); puts(""); }
template <class F, class... T> auto apply(F f, T... t) { return f(t...); }
template <std::size_t... I> int indices(std::index_sequence<I...>) { int r = 0; ((r = r * 10 + I), ...); return r; }
template <class T> class Box { T v; public: Box(T v) : v(v) {} template <class U> Box(const Box<U> &o) : v(o.get() + 1) {} T get() const { return v; } Box &operator=(const Box &) = default; template <class U> Box &operator=(const Box<U> &o) { v = o.get() + 100; return *this; } };
Box(const char *) -> Box<std::string>;
template <class T> struct Singleton { static T &get() { static T t; return t; } };
struct N { int n = 5; };
template <class T> int friendly(T);
template <class T> class Secret { int s = 9; friend int friendly<>(Secret); };
template <class T> int friendly(T t) { return t.s; }
template <class T, T V> struct Const { static constexpr T value = V; constexpr operator T() const { return V; } };
template <auto V> struct Auto { static constexpr auto value = V; };

int global = 77;
template <int (*F)(int)> int twice(int x) { return F(F(x)); }
int inc3(int x) { return x + 3; }
template <class T> struct Vis { T *self; int operator()(int) { return 1; } int operator()(double) { return 2; } template <class U> int operator()(U *) { return 3; } };
template <class... B> struct Over : B... { using B::operator()...; };
template <class... B> Over(B...) -> Over<B...>;
template <class T> constexpr T power(T b, int n) { T r = 1; while (n-- > 0) r *= b; return r; }
template <class T> struct Node { T v; Node *next = nullptr; struct It { Node *n; T &operator*() { return n->v; } It &operator++() { n = n->next; return *this; } bool operator!=(It o) const { return n != o.n; } }; It begin() { return {this}; } It end() { return {nullptr}; } };
int main() {
    int i = 1; const int ci = 2; Tag<int> tag;
    printf("%s %s %s %s %s %s %s %s\n", which(i), which(&i), which(tag), which(i, 2.0), which(2.0, 2.0), which(i, i, i), which(), which("a", 1));
    printf("%s %s %s\n", ref(i), ref(ci), ref(3));
    printf("%d %d\n", Int<3>::add<4>::value, (int)List<int, char>::size);
    printf("%d %d\n", std::is_same_v<Front<List<char, int>>::rest, List<int>>, std::is_same_v<Reverse<List<char, int, long>>::type, List<long, int, char>>);
    printf("%d %d %d %d\n", Strip<const int *const *&>::n, Strip<int>::n, Strip<char (*)(int, int)>::n, std::is_same_v<Strip<const int *const>::type, int>);
    printf("%d %d %d %d\n", Size<int>::of(3), Size<std::string>::of("abc"), en(1), en(1.0f));
    printf("%d %d\n", member(HasX(), 0), member(3, 0));
    printf("%d %d %d\n", branch(&i), branch(std::string("four")), branch(9));
    printf("%d %d %g\n", sum(1, 2, 3), left(1, 2, 3), sum(1.5, 2)); print(1, 'a', 2.5);
    printf("%d %d\n", apply([](int a, int b) { return a * b; }, 6, 7), indices(std::make_index_sequence<5>()));
    Box<int> b(5); Box<long> bl(b); Box<int> b2(b); Box<int> b3(1); b3 = bl; b2 = b3; Box bs("text"); printf("%d %ld %d %d %s\n", b.get(), bl.get(), b2.get(), b3.get(), bs.get().c_str());
    Singleton<N>::get().n++; printf("%d\n", Singleton<N>::get().n);
    printf("%d\n", friendly(Secret<int>()));
    printf("%d %c %d %d %d\n", Const<int, 4>() + 1, Auto<'x'>::value, Auto<12>::value, 77, twice<inc3>(1));
    Vis<int> vis{}; printf("%d %d %d\n", vis(1), vis(1.0), vis(&i));
    Over over{[](int) { return 10; }, [](const char *) { return 20; }}; printf("%d %d\n", over(1), over("x"));
    static_assert(power(2, 10) == 1024); constexpr auto p = power(1.5, 3); int arr[power(2, 3)]; printf("%zu %g\n", sizeof(arr) / sizeof(int), p);
    Node<int> n3{3}, n2{2, &n3}, n1{1, &n2}; int s = 0; for (int &x : n1) s = s * 10 + x; printf("%d\n", s);
    auto [a, c, d] = std::make_tuple(1, 'z', 2.5); printf("%d %c %g\n", a, c, d); std::tuple<int, std::string> t{3, "three"}; std::get<0>(t) += 4; auto &[x, y] = t; y += "!"; printf("%d %s\n", x, std::get<1>(t).c_str());
    auto gen = [](auto a, auto... rest) { return a + (int)sizeof...(rest); }; printf("%d %g\n", gen(1, 2, 3), gen(1.5));
    std::vector<std::pair<int, std::string>> v{{2, "b"}, {1, "a"}}; v.emplace_back(3, "c"); for (const auto &[k, w] : v) printf("%d%s ", k, w.c_str()); puts("");
}
