// C++17. Pointers to members: variables, methods, virtual methods, conversions, comparisons, and
// callables.
#include <cstdio>
#include <functional>
struct A { int x; int y; int get() const { return x; } void set(int v) { x = v; } virtual int id() { return 1; } virtual int twice(int a) { return 2 * a; } virtual ~A() {} static int s(int a) { return a + 1; } int over(int a) { return a; } int over(double a) { return (int)(a * 10); } };
struct M { int m; int mm() { return m; } virtual int q() { return m; } };
struct B : M, A { int z; int id() override { return 2; } int own() { return z + y; } };
typedef int (A::*Getter)() const;
typedef void (A::*Setter)(int);
struct Machine;
typedef void (Machine::*Handler)(int);
struct Machine {
    int state = 0;
    void a(int v) { state += v; }
    void b(int v) { state -= v; }
    Handler table[2] = { &Machine::a, &Machine::b };
    void run(int i, int v) { (this->*table[i])(v); }
};
static int A::*fields[] = { &A::x, &A::y };
static Handler handlers[] = { &Machine::a, &Machine::b, nullptr };
template <class T, class R> R read(const T &t, R T::*p) { return t.*p; }
template <class T, class R> R call(T &t, R (T::*p)()) { return (t.*p)(); }
template <class T, class R> R callc(const T &t, R (T::*p)() const) { return (t.*p)(); }
template <class C, class R, class... X> R apply(C *c, R (C::*f)(X...), X... x) { return (c->*f)(x...); }
template <class T> struct Traits { static const int v = 0; };
template <class R, class C> struct Traits<R C::*> { static const int v = 1; };
template <class R, class C, class... X> struct Traits<R (C::*)(X...)> { static const int v = 2 + sizeof...(X); };
template <class R, class C, class... X> struct Traits<R (C::*)(X...) const> { static const int v = 20 + sizeof...(X); };
struct Holder { int A::*p; Getter g; int n; };
int main() {
    A a; a.x = 3; a.y = 4;
    int A::*p = &A::x;
    printf("%d ", a.*p); a.*p = 7; p = &A::y; A *pa = &a; printf("%d %d\n", pa->*p, a.x);
    Getter g = &A::get; Setter s = &A::set;
    (a.*s)(11); printf("%d %d\n", (a.*g)(), (pa->*g)());
    int (A::*v)() = &A::id; B b; b.x = 1; b.y = 2; b.z = 3; b.m = 9;
    A *pb = &b;
    printf("%d %d %d\n", (a.*v)(), (b.*v)(), (pb->*v)());
    int (B::*bv)() = &A::id; int (B::*bo)() = &B::own; int B::*bp = &A::y; int (B::*bm)() = &M::mm; int (B::*bq)() = &M::q;
    printf("%d %d %d %d %d\n", (b.*bv)(), (b.*bo)(), b.*bp, (b.*bm)(), (b.*bq)());
    Machine m; m.run(0, 5); m.run(1, 2); printf("%d\n", m.state);
    for (int i = 0; i < 3; i++) if (handlers[i]) (m.*handlers[i])(10 + i); printf("%d\n", m.state);
    for (int A::*f : fields) printf("%d ", a.*f); printf("\n");
    printf("%d %d %d %d\n", read(a, &A::x), call(a, &A::id), callc(a, &A::get), apply(&a, &A::twice, 21));
    printf("%d %d %d %d %d\n", Traits<int>::v, Traits<int A::*>::v, Traits<int (A::*)(int, int)>::v, Traits<Getter>::v, Traits<decltype(&A::set)>::v);
    int A::*np = nullptr; Setter ns = 0; Holder h = {}; Holder h2{&A::y, &A::get, 1};
    printf("%d %d %d %d %d %d\n", np == nullptr, !np, ns == nullptr, h.p == 0, h.g == nullptr, a.*h2.p + (a.*h2.g)());
    printf("%d %d %d %d\n", p == &A::y, p != &A::x, s == &A::set, v == &A::id);
    printf("%zu %zu %zu\n", sizeof(p), sizeof(s), sizeof(Holder));
    int (A::*oi)(int) = &A::over; int (A::*od)(double) = &A::over;
    printf("%d %d\n", (a.*oi)(3), (a.*od)(3.5));
    int (*st)(int) = &A::s; printf("%d\n", st(4));
    int A::*back = static_cast<int A::*>(bp); printf("%d\n", a.*back);
    auto pm = &A::twice; printf("%d\n", (pa->*pm)(8));
    int (A::*const cp)(int) = &A::twice; printf("%d\n", (b.*cp)(8));
    const A ca = a; printf("%d\n", ca.*p);
    int *addr = &(a.*p); *addr = 99; printf("%d\n", a.y);
    using F = int (A::*)(int); F arr[2] = {&A::twice, &A::over}; int sum = 0; for (F f : arr) sum += (a.*f)(5); printf("%d\n", sum);
    auto choose = [](bool t) -> int A::* { return t ? &A::x : &A::y; }; printf("%d %d\n", a.*choose(true), a.*choose(false));
    std::function<int(A &, int)> fn = &A::twice; printf("%d\n", fn(a, 6));
    auto mf = std::mem_fn(&A::twice); printf("%d %d\n", mf(a, 7), mf(&a, 8)); auto md = std::mem_fn(&A::x); printf("%d\n", md(a));
    std::function<int(const A &)> fx = &A::x; std::function<int(A *)> fg = &A::get; printf("%d %d\n", fx(a), fg(&a));
    printf("%d %d\n", std::invoke(&A::twice, a, 4), std::invoke(&A::y, &a));
    return 0;
}
