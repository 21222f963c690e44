// C++17. Specializations and definitions of member templates outside their classes, friends that a
// class defines, names behind `decltype(e)::`, and comparisons that look like template arguments.
#include <cstdio>
#include <vector>
#include <string>
template <class T> struct Box { static const int value = sizeof(T); T v; template <class U> U as() const; template <class U> int kind(U) { return 0; } };
struct S { template <class T> const char *name(T); template <class T> static int st(T) { return 1; } template <class U> struct Box { static const int value = 7 + sizeof(U); }; int n; typedef int x; };
template <class T> const char *S::name(T) { return "any"; }
template <> const char *S::name<int>(int) { return "int"; }
template <> const char *S::name(double) { return "double"; }
template <> int S::st<char>(char) { return 2; }
template <class T> template <class U> U Box<T>::as() const { return (U)v + 1; }
template <> template <> int Box<float>::as<int>() const { return 100; }
template <> template <class U> int Box<char>::kind(U) { return 5; }
template <> template <> int Box<float>::kind(int) { return 9; }
struct E1 : Box<float> {}; struct P { int v; P(int v) : v(v) {} friend int total(const P &a, const P &b) { return helper(a) + b.v; } friend int helper(const P &a) { return a.v * 2; } friend P operator+(const P &a, const P &b) { return P(a.v + b.v); } void go(); };
void P::go() { printf("%d\n", total(*this, P(4))); }
template <class T> struct V { T x; friend T dot(const V &a, const V &b) { return a.x * b.x; } };
int f = 3;
struct Q { int f; int size; };
template <class T> int size(T) { return 0; }
template <class T> T max2(T a, T b) { return a < b ? b : a; }
struct W { int max2; int f; };
int main() {
    S s; s.n = 1;
    printf("%s %s %s %d %d\n", s.name(1), s.name(1.0), s.name('a'), s.st('a'), S::st(1));
    Box<float> b{2.5f}; Box<char> c{'a'};
    printf("%d %d %d %d %d\n", b.as<int>(), (int)b.as<double>(), c.as<int>(), c.kind(1), b.kind(1));
    printf("%d\n", E1().Box<float>::value);
    decltype(s)::x z = 5; printf("%d\n", z);
    P p(3); p.go(); P r = p + P(1); printf("%d %d\n", total(p, r), helper(p));
    V<int> v1{3}, v2{4}; printf("%d\n", dot(v1, v2));
    Q q{5, 2}; int bb = 4, cc = 1;
    printf("%d\n", q.size < bb > (cc)); printf("%d\n", q.size < bb);
    W w{2, 3}; printf("%d\n", w.max2 < bb > (cc)); bool t = w.max2 < bb && w.f > (cc); printf("%d\n", t);
    std::vector<int> vec{1, 2}; decltype(vec)::value_type e = 3; for (decltype(vec)::iterator it = vec.begin(); it != vec.end(); ++it) e += *it; printf("%d\n", e);
    return 0;
}
