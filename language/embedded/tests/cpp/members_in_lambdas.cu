// Members and methods of the object of `this` in lambda expressions.
#include <cstdio>
#include <vector>
#include <functional>
template <class T> struct Base { T b = 5; T get() const { return b; } template <class U> U as() const { return U(b); } static int st(int x) { return x; } };
template <class T> struct D : Base<T> {
    T k = 2;
    int f(int x) { auto l = [this](int y) -> decltype(k + y) { return this->get() * k + y; }; return l(x); }
    auto g() { return [=](auto y) { return this->template as<long>() + y + k; }; }
    int h() { return [&] { decltype(k) z = 4; return z + sizeof(this->b) + Base<T>::get() + Base<T>::st(3); }(); }
};
struct A {
    int n = 1; int arr[4] = {1, 2, 3, 4}; int &r = n; A *next = nullptr; std::function<int(int)> fn;
    struct In { int q = 3; int get() { return q; } }; In in;
    int sum() { int s = 0; auto add = [&](int i) { s += arr[i]; }; for (int i = 0; i < 4; i++) add(i); return s; }
    int all() { return [this] { int t = 0; for (int x : arr) t += x; return t + in.get() + in.q + r; }(); }
    auto cp() { return [*this]() mutable { for (int &x : arr) x *= 2; int t = 0; for (int x : arr) t += x; in.q++; return t + in.get(); }; }
    int rec(int d) { fn = [this](int k) { return k < 2 ? 1 : k * fn(k - 1); }; return fn(d); }
    int local(int n) { struct L { int n; int f() { return [this] { return n * 3; }(); } }; L l{n}; return l.f() + [&] { return l.f() + this->n + n; }(); }
    int dec() { return [] { return sizeof(n) + sizeof(A::arr); }(); }
    int nested() { return [&] { return [this] { return [=] { return [&] { n++; return sum(); }(); }(); }(); }(); }
    static int stat(A *a) { return [a] { return a->n; }() + [&] { return a->sum(); }(); }
    A &self() { return [&]() -> A & { return *this; }(); }
    A *chain() { return [this] { return this; }(); }
    const A *cc() const { return [this] { return this; }(); }
    template <class... T> int packs(T... t) { return [&](auto f) { return (f(t) + ... + n); }([this](auto x) { return x * n; }); }
    template <class... T> int more(T... t) { int s = 0; ([&, t] { s += t * n; }(), ...); ([this, &s, t] { s += t * sum(); }(), ...); return s; }
    template <class... T> int deep(T... t) { return [=] { return ([=] { return t * n; }() + ... + 0); }(); }
    A() { [this] { n = 7; }(); [&] { set(9); }(); }
    A(const A &o) : n([&] { return o.n + 1; }()), next([this] { return this; }()) {}
    ~A() { [this] { printf("end %d\n", n); }(); }
    void set(int x) { n = x; }
    int conv() { int x = 3; auto l = [this, x](int y = 4) mutable noexcept { return x++ + y + n; }; return l() + l(1); }
    operator int() const { return [this] { return n; }(); }
    int op() { return [this] { return int(*this) + *this; }(); }
    int stmt() { return ({ int z = n; z + sum(); }); }
};
int g = [] { return 3; }();
int main() {
    D<int> d; printf("%d %ld %d\n", d.f(3), d.g()(2), d.h());
    A a; printf("%d %d\n", a.sum(), a.all()); auto c = a.cp(); printf("%d\n", c()); printf("%d\n", c()); printf("%d\n", a.rec(5)); printf("%d\n", a.local(4)); printf("%d\n", a.dec());
    printf("%d\n", a.nested()); printf("%d\n", A::stat(&a)); printf("%d %d %d\n", &a.self() == &a, a.chain() == &a, a.cc() == &a); printf("%d\n", a.packs(1, 2, 3)); printf("%d\n", a.more(1, 2)); printf("%d\n", a.deep(1, 2));
    printf("%d %d\n", a.conv(), a.op()); printf("%d\n", a.stmt()); A b(a); printf("%d %d\n", b.n, b.next == &b);
}
template <class T> struct Un { T t; int f() { int x = 3; long y = 4; int &r = x; auto a = [] { return sizeof(x) + sizeof(y) + sizeof(r); }; auto b = [&y](auto q) -> decltype(y + q) { return y + q; }; auto c = [=](auto z) { auto d = [] { decltype(x + y) k = 3; return sizeof(k); }; return d() + z + y; }; return a() + b(1) + c(2); } };
static int un = (printf("%d\n", Un<int>{1}.f()), 0);
