// Which names templates mean, and which definitions and specializations are chosen.
#include <cstdio>
#include <string>
#include <type_traits>
int value() { return 1; }
int shared = 10;
template <class T> struct B { int value() { return 2; } int shared = 20; typedef int type; static int s() { return 5; } };
template <class T> struct D : B<T> { int f() { return value(); } int g() { return this->value(); } int h() { return shared; } int i() { return B<T>::shared; } };
void pick(double) { printf("double "); }
template <class T> void call(T) { pick(1); pick(T()); }
void pick(int) { printf("int "); }
template <class T> struct Around {
    struct Own { int value() { return 5; } };
    struct OfOwn : Own { int f() { return value() * 10 + this->value(); } };
    struct OfOther : B<T> { int f() { return value() * 10 + this->value(); } };
};
struct X {}; 
template <class T> void late(T t) { found(t); }
void found(X) { printf("adl "); }
template <class T> struct P { int f(); template <class U> int g(U); static int n; static const char *name(); };
template <class T> int P<T>::f() { return 1; }
template <class T> template <class U> int P<T>::g(U) { return 2; }
template <class T> int P<T>::n = 3;
template <class T> const char *P<T>::name() { return "any"; }
template <> int P<char>::f() { return 11; }
template <> template <> int P<int>::g<double>(double) { return 12; }
template <> template <class U> int P<short>::g(U) { return 14; }
template <> int P<char>::n = 13;
template <> const char *P<long>::name() { return "long"; }
template <class T> T twice(T x) { return x + x; }
template <> int twice(int x) { return x * 100; }
template <class T> int over(T) { return 1; }
template <class T> int over(T *) { return 2; }
template <class T> int over(const T *) { return 3; }
template <> int over<int *>(int *) { return 4; }
int over(char) { return 5; }
template <class T, class = void> struct HasX { static const bool value = false; };
template <class T> struct HasX<T, decltype((void)T::x)> { static const bool value = true; };
struct WithX { static int x; }; 
template <class T> int counter() { static int n = 0; return ++n; }
template <template <class> class C, class T> struct Hold { C<T> c; int f() { return sizeof(C<T>); } };
template <class T> struct One { T t; };
template <class T> struct Two { T a, b; };
template <class T> constexpr int rank_of = 0;
template <class T> constexpr int rank_of<T *> = 1 + rank_of<T>;
template <class T, int N> constexpr int rank_of<T[N]> = 10 + rank_of<T>;
template <class T> using Ptr = T *;
template <class Derived> struct Base { int run() { return static_cast<Derived *>(this)->impl() + 1; } int impl() { return 100; } };
struct Own : Base<Own> { int impl() { return 7; } };
struct None : Base<None> {};
template <class T> struct Conv { T v; template <class U> operator U() const { return U(v * 2); } };
template <int N> struct Fib { enum { value = Fib<N - 1>::value + Fib<N - 2>::value }; };
template <> struct Fib<0> { enum { value = 0 }; };
template <> struct Fib<1> { enum { value = 1 }; };
template <class T> class F { T v; public: F(T v) : v(v) {} template <class U> friend U get(const F<U> &); friend F operator+(F a, F b) { return F(a.v + b.v * 2); } };
template <class U> U get(const F<U> &f) { return f.v; }
template <class T, class U = T> struct Def { static int f() { return 1; } };
template <class T> struct Def<T> { static int f() { return 2; } };
template <class T> struct Def<T, int> { static int f() { return 3; } };
template <> struct Def<int> { static int f() { return 4; } };
template <class T> auto kind(T t) -> typename std::enable_if<std::is_integral<T>::value, const char *>::type { return "integral"; }
template <class T> auto kind(T t) -> typename std::enable_if<!std::is_integral<T>::value, const char *>::type { return "other"; }
template <class... T> int size(T...) { return sizeof...(T); }
template <class T> int size(T, T) { return -1; }
int size(int, long) { return -2; }
template <class T> struct Outer { T t; template <class U> struct In { static int f() { return sizeof(T) * 10 + sizeof(U); } }; };
template <class T> int deflt(T a, int b = sizeof(T)) { return b; }
struct Sh { int x; template <class T> Sh(T) : x(1) {} Sh(int) : x(2) {} Sh(const Sh &o) : x(o.x + 10) {} };
int main() {
    D<int> d; printf("%d %d %d %d\n", d.f(), d.g(), d.h(), d.i());
    printf("%d %d\n", Around<int>::OfOwn().f(), Around<int>::OfOther().f());
    call(1); call(1.0); late(X()); puts("");
    P<char> pc; P<int> pi; P<short> ps; P<long> pl;
    printf("%d %d %d %d %d %d %d\n", pc.f(), pi.f(), pi.g(1), pi.g(1.0), ps.g('x'), P<char>::n, P<int>::n);
    printf("%s %s\n", P<long>::name(), P<int>::name());
    int i = 0; const int ci = 0; char c = 'c'; 
    printf("%d %d %g | %d %d %d %d %d\n", twice(2), twice((short)2), twice(1.5), over(i), over(&i), over(&ci), over(c), over("x"));
    printf("%d %d\n", HasX<WithX>::value, HasX<int>::value);
    counter<int>(); counter<int>(); counter<char>(); printf("%d %d\n", counter<int>(), counter<char>());
    printf("%d %d\n", Hold<One, int>().f(), Hold<Two, int>().f());
    printf("%d %d %d\n", rank_of<int>, rank_of<int **>, rank_of<int *[3]>);
    Ptr<int> p = &i; printf("%d\n", p == &i);
    printf("%d %d\n", Own().run(), None().run());
    Conv<int> cv{21}; int a = cv; double b = cv; printf("%d %g\n", a, b);
    printf("%d\n", (int)Fib<20>::value);
    F<int> f = F<int>(1) + F<int>(2); printf("%d\n", get(f));
    printf("%d %d %d %d\n", Def<char>::f(), Def<char, int>::f(), Def<int>::f(), Def<char, double>::f());
    printf("%s %s\n", kind(1), kind(1.0));
    printf("%d %d %d %d\n", size(1, 2), size(1, 2L), size(1, 2.0), size());
    printf("%d\n", Outer<short>::In<double>::f());
    printf("%d %d\n", deflt('x'), deflt(1.0, 3));
    Sh s1(1), s2('c'), s3(s1); const Sh s4(2.0f); Sh s5(s4); printf("%d %d %d %d %d\n", s1.x, s2.x, s3.x, s4.x, s5.x);
}
