// Types of members in `decltype`, and specializations for classes that have a member.
#include <cstdio>
template <class T, T V> struct Int { using type = T; static constexpr T value = V; };
template <class T> struct A { T t; static inline int made = 0; static constexpr int n = 3; static const int m = 4; static int q; int f; };
template <class T> struct P { T t; };
template <class T, class = void> struct Has : Int<bool, false> {}; template <class T> struct Has<T, decltype((void)T::made)> : Int<bool, true> {};
template <class T, class = void> struct Has2 : Int<bool, false> {}; template <class T> struct Has2<T, decltype(void(T::made))> : Int<bool, true> {};
template <class T, class = void> struct Has3 : Int<bool, false> {}; template <class T> struct Has3<T, decltype((void)T::n)> : Int<bool, true> {};
template <class T, class = void> struct Has4 : Int<bool, false> {}; template <class T> struct Has4<T, decltype((void)T().f)> : Int<bool, true> {};
template <class T, class = void> struct Has5 : Int<bool, false> {}; template <class T> struct Has5<T, decltype((void)0)> : Int<bool, true> {};
template <class A, class B> struct same { enum { value = 0 }; }; template <class A> struct same<A, A> { enum { value = 1 }; };
int main() {
  A<int> a; printf("%d %d %d %d %d %d\n", Has<A<int>>::value, Has<P<int>>::value, Has2<A<int>>::value, Has3<A<int>>::value, Has4<A<int>>::value, Has5<int>::value);
  printf("%d %d %d %d\n", same<decltype(a.n), const int>::value, same<decltype(A<int>::n), const int>::value, same<decltype((a.n)), const int &>::value, same<decltype((A<int>::n)), const int &>::value);
  printf("%d %d %d\n", same<decltype(a.m), const int>::value, same<decltype((a.m)), const int &>::value, same<decltype(a.made), int>::value);
}
