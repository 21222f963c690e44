// References, static objects, recursion, base classes, and `exit` with objects that are alive.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <iostream>
#include <stdexcept>
struct S { const char *n; S(const char *n) : n(n) { printf("+%s\n", n); } ~S() { printf("-%s\n", n); } };
static S global("global");
struct Ref { std::vector<int> &v; const int k; Ref(std::vector<int> &v) : v(v), k(3) {} int get() const { return v[0] + k; } };
struct Lazy { S &get() { static S inner("inner"); return inner; } };
static int depth(int n) { std::string s = "abc"; return n == 0 ? (int)s.size() : depth(n - 1) + 1; }
static void finish(int code) { S local("local"); exit(code); }
struct Thrower { ~Thrower() noexcept(false) { } };
template <int N> struct Fib { static const int value = Fib<N - 1>::value + Fib<N - 2>::value; };
template <> struct Fib<0> { static const int value = 0; };
template <> struct Fib<1> { static const int value = 1; };
class Singleton { Singleton() {} public: static Singleton &instance() { static Singleton s; return s; } int next() { return ++n; } int n = 0; Singleton(const Singleton &) = delete; void operator=(const Singleton &) = delete; };
struct Base { int b; Base(int b) : b(b) { printf("B%d ", b); } ~Base() { printf("~B%d ", b); } int who() const { return 1; } };
struct Mid : public Base { Mid(int b) : Base(b) {} };
struct Derived : Base { std::string name; Derived(int b, std::string n) : Base(b), name(std::move(n)) {} Derived(const Derived &) = default; int who() const { return Base::who() + 1; } };
int main() {
    std::vector<int> v = {4};
    Ref r(v); v[0] = 5; printf("%d\n", r.get());
    Lazy().get(); Lazy().get();
    printf("%d %d\n", depth(500), Fib<10>::value);
    printf("%d", Singleton::instance().next()); printf("%d\n", Singleton::instance().next());
    { Derived d(1, "one"), e = d; Base &b = e; printf("%s %d %d ", e.name.c_str(), e.who(), b.who()); Base sliced = d; }
    printf("\n");
    { Mid m(7); printf("%d\n", m.b); }
    printf("\n");
    int x = 5; int &rx = x; rx += 2; const int *const px = &x; printf("%d %d\n", *px, x);
    std::string a = "x", b = a; b[0] = 'y'; printf("%s%s %d\n", a.c_str(), b.c_str(), a == b);
    fflush(stdout);
    finish(3);
}
