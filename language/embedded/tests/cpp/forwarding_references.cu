// Deduced references, and the order of compound assignments (C++17).
#include <cstdio>
#include <utility>
#include <string>
#include <type_traits>
void g(int &) { puts("l"); } void g(int &&) { puts("r"); } void g(const int &) { puts("c"); }
template <class F, class... A> auto call(F &&f, A &&...a) -> decltype(auto) { return std::forward<F>(f)(std::forward<A>(a)...); }
int numbers[5];
int t(const char *s, int v) { printf("%s ", s); return v; }
int &el(int i) { return numbers[i]; }
void orders() {
    numbers[t("A", 2)] += el(t("B", 1));
    el(t("A", 1)) -= el(t("B", 1));
    el(t("A", 1)) += t("B", 1);
    numbers[t("A", 1)] *= numbers[t("B", 2)] + 1;
    puts("");
}
int main() {
    auto f = [](auto &&x) { g(std::forward<decltype(x)>(x)); };
    int i = 1; const int c = 2; f(i); f(3); f(c); f(std::move(i));
    auto &&a = 5; auto &&b = i; auto &&d = std::string("x"); 
    printf("%d %d %d\n", (int)std::is_rvalue_reference<decltype(a)>::value, (int)std::is_lvalue_reference<decltype(b)>::value, (int)std::is_rvalue_reference<decltype(d)>::value);
    auto h = [](auto &&...x) { (g(std::forward<decltype(x)>(x)), ...); }; h(i, 2, c);
    call([](auto &&x) { g(std::forward<decltype(x)>(x)); }, 4);
    for (auto &&x : {1, 2}) printf("%d", (int)std::is_same<decltype(x), const int &>::value);
    puts("");
    orders();
}
