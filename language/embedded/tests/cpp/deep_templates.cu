// Templates that are instantiated hundreds deep.
#include <cstdio>
#include <tuple>
#include <utility>
template <int N> struct Sum { static constexpr int value = N + Sum<N - 1>::value; };
template <> struct Sum<0> { static constexpr int value = 0; };
template <int N> struct Count { enum { value = 1 + Count<N - 1>::value }; };
template <> struct Count<0> { enum { value = 0 }; };
template <int N> int unrolled(const int *x) { return x[N - 1] + unrolled<N - 1>(x); }
template <> int unrolled<0>(const int *) { return 0; }
template <class... T> constexpr auto add(T... x) { return (x + ...); }
template <size_t... I> constexpr int all(std::index_sequence<I...>) { return add((int)I...); }
constexpr int power(int n) { return n == 0 ? 1 : (power(n - 1) * 3) % 1000; }
int main() {
    int x[150];
    for (int i = 0; i < 150; i++) x[i] = i;
    printf("%d %d %d %d %d\n", Sum<600>::value, (int)Count<300>::value, unrolled<150>(x),
           all(std::make_index_sequence<100>()), power(200));
    return 0;
}
