// Ranks of conversions.
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>
struct A { int a; }; struct B : A { int b; }; struct C : B { int c; };
int p(A *) { return 1; } int p(B *) { return 2; } int p(void *) { return 3; }
int q(const A &) { return 1; } int q(const B &) { return 2; }
int r(A) { return 1; } int r(B) { return 2; }
int m(int A::*) { return 1; } int m(int B::*) { return 2; }
enum E { one }; enum class F { two }; enum S : short { three };
int n(int) { return 1; } int n(long) { return 2; } int n(double) { return 3; } int n(bool) { return 4; } int n(unsigned) { return 5; }
int o(long) { return 1; } int o(float) { return 2; } 
int s(const char *) { return 1; } int s(const std::string &) { return 2; } int s(bool) { return 3; }
int t(bool) { return 1; } int t(const std::string &) { return 2; }
int u(int, ...) { return 1; } int u(int, double) { return 2; }
int v(std::initializer_list<int>) { return 1; } int v(int, int = 0) { return 2; } int v(std::vector<int>) { return 3; }
int w(int *) { return 1; } int w(const int *) { return 2; } int w(volatile int *) { return 3; }
int x(int (&)[3]) { return 1; } int x(int *) { return 2; }
int x2(int (&)[3]) { return 1; } int x2(const int (&)[3]) { return 2; }
int y(char) { return 1; } int y(int) { return 2; } int y(unsigned char) { return 3; }
int z(short) { return 1; } int z(double) { return 2; }
int aa(std::nullptr_t) { return 1; } int aa(int) { return 2; } int aa(char *) { return 3; }
int bb(float) { return 1; } int bb(double) { return 2; }
int cc(unsigned char) { return 1; } int cc(unsigned short) { return 2; } int cc(unsigned long long) { return 3; }
struct Conv { operator int() const { return 1; } operator double() { return 2; } };
int dd(int) { return 1; } int dd(double) { return 2; }
struct Str { Str(const char *) {} }; struct Num { Num(int) {} Num(double) {} };
int ee(Str) { return 1; } int ee(Num) { return 2; }
struct Ref { int f() & { return 1; } int f() const & { return 2; } int f() && { return 3; } };
int gg(int &) { return 1; } int gg(const int &) { return 2; } int gg(int &&) { return 3; }
int hh(void (*)(int)) { return 1; } int hh(bool) { return 2; }
void fn(int) {}
struct D1 { virtual int g(int) { return 1; } virtual ~D1() {} }; struct D2 : D1 { using D1::g; int g(double) { return 2; } int g(const char *) { return 3; } };
int ii(const A *) { return 1; } int ii(void *) { return 2; } int ii(const void *) { return 3; }
int jj(long long) { return 1; } int jj(int, int = 1) { return 2; }
int kk(size_t) { return 1; } int kk(int) { return 2; }
enum Truth : bool { is_false, is_true };
enum class Both : bool { low, high };
int main() {
    A a; B b; C c; const C cc1 = {}; 
    printf("%d%d%d%d %d%d%d %d%d\n", p(&a), p(&b), p(&c), p((int *)0), q(a), q(c), q(cc1), r(c), r(a));
    printf("%d%d\n", m(&A::a), m(&B::b));
    short sh = 1; char ch = 'a'; unsigned char uc = 1; bool bo = true; long lo = 1; float fl = 1; unsigned short us = 1; long long ll = 1;
    printf("%d%d%d%d%d%d%d%d%d%d\n", n(sh), n(ch), n(uc), n(bo), n(lo), n(fl), n(one), n(three), n(1u), n(us));
    printf("%d%d %d%d%d %d%d\n", o(1.0f), o(1L), s("x"), s(std::string("y")), s(bo), t("x"), t(std::string()));
    printf("%d%d%d %d%d%d%d\n", u(1), u(1, 2), u(1, "x"), v({1, 2}), v(1), v({}), v({1}));
    int i = 1; const int ci = 1; volatile int vi = 1; int arr[3]; const int carr[3] = {};
    printf("%d%d%d %d%d %d%d%d%d%d\n", w(&i), w(&ci), w(&vi), x2(arr), x2(carr), y('a'), y(1), y(uc), y(sh), y((signed char)1));
    printf("%d %d%d%d %d%d%d %d\n", z(fl), aa(nullptr), aa(0), aa("x" ? (char *)0 : 0), bb(1.0f), bb(1.0), bb(fl), cc(ll > 0 ? 1ull : 0ull));
    Conv co; const Conv cco = {}; int fromc = co; double d = co;
    printf("%d%d %d%d\n", (int)(fromc), (int)d, ee("x"), ee(1.5));
    Ref re; const Ref cre = {}; printf("%d%d%d %d%d%d\n", re.f(), cre.f(), Ref().f(), gg(i), gg(ci), gg(3));
    D2 d2; printf("%d%d%d %d%d\n", d2.g(1), d2.g(1.5), d2.g("x"), hh(fn), hh(&fn));
    printf("%d%d%d%d %d%d\n", ii(&c), ii(&i), ii(&ci), ii(&a), jj(1), jj(1LL)); 
    printf("%d%d\n", kk(sizeof(int)), kk(1));
    Truth truth = (Truth)(i & 1), no = static_cast<Truth>(0);
    printf("%d %d %d %d\n", truth, no, (int)(Both)i, +truth);
}
