// Partial specializations whose arguments are expressions of other ones.
#include <cstdio>
template <class T> struct A { T t; static inline int made = 0; static constexpr int n = 3; int f; };
template <class T> using X = decltype((void)T::made);
template <class T> using Y = decltype((void)T().f);
template <class A, class B> struct same { enum { value = 0 }; }; template <class A> struct same<A, A> { enum { value = 1 }; };
template <class T, class = void> struct H { enum { v = 0 }; }; template <class T> struct H<T, decltype((void)T::made)> { enum { v = 1 }; };
template <class T, class = void> struct G { enum { v = 0 }; }; template <class T> struct G<T, decltype((void)T::n)> { enum { v = 1 }; };
template <class T, class = void> struct F { enum { v = 0 }; }; template <class T> struct F<T, decltype((void)sizeof(T))> { enum { v = 1 }; };
template <class T, class = int> struct E { enum { v = 0 }; }; template <class T> struct E<T, decltype(T::made)> { enum { v = 1 }; };
int main() {
  printf("%d %d\n", same<X<A<int>>, void>::value, same<Y<A<int>>, void>::value);
  printf("%d %d %d %d\n", H<A<int>>::v, G<A<int>>::v, F<A<int>>::v, E<A<int>>::v);
}
template <class T, int N> struct V { enum { v = 0 }; }; template <class T> struct V<T, sizeof(T)> { enum { v = 1 }; };
template <class T, int N> struct W { enum { v = 0 }; }; template <int N> struct W<int[N], N + 1> { enum { v = 1 }; };
static int more = (printf("%d %d %d\n", V<int, 4>::v, V<int, 5>::v, W<int[3], 4>::v), 0);
