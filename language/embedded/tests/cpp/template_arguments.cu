// Template arguments: addresses, alias templates, the class around; calls of converted objects (C++17).
#include <cstdio>
#include <list>
#include <memory>
#include <vector>

static int count = 77;
int table[3] = {1, 2, 3};
const char text[] = "text";
namespace inner { double count = 2.5; }
struct Shared { static int level; };
int Shared::level = 4;
template <class T, T *P> struct At { static T get() { return *P; } static void set(T v) { *P = v; } };
template <int *P> int first() { return P[0] + *P; }
template <const char *S> struct Named { static const char *name() { return S; } };
template <int &R> int bump() { return ++R; }
template <int (*A)[3]> int last() { return (*A)[2]; }
template <auto *P> auto value() { return *P; }
template <class T, T *A, T *B> struct Same { static const bool value = false; };
template <class T, T *A> struct Same<T, A, A> { static const bool value = true; };
template <int *P> struct Outer { int get() { return At<int, P>::get() + first<P>(); } };

template <class T> using Unique = std::unique_ptr<T>;
template <class T> using Pointer = T *;
template <class T> using Listed = std::list<T>;
template <template <class> class Own> struct Owner {
    Own<int> own;
    Owner(int x) : own(new int(x)) {}
};
template <template <class> class C = Listed> struct Holder { C<int> items; };
template <class T, template <class> class C> int size(C<T> *, int n) { C<T> c; for (int i = 0; i < n; ++i) c.push_back(T()); return c.size(); }

template <class T> struct M {
    T t;
    M(T x) : t(x) {}
    std::unique_ptr<M> clone() const { return std::make_unique<M>(*this); }
};
struct Base {
    virtual ~Base() {}
    virtual std::unique_ptr<Base> clone() const = 0;
    virtual int v() const = 0;
};
template <class T> struct N : Base {
    T t;
    N(T x) : t(x) {}
    std::unique_ptr<Base> clone() const override { return std::make_unique<N>(*this); }
    int v() const override { return t; }
};

struct Twice {
    typedef int (*F)(int);
    static int twice(int x) { return 2 * x; }
    operator F() const { return twice; }
};

int main() {
    printf("%d %d %g %d\n", At<int, &count>::get(), first<table>(), At<double, &inner::count>::get(), At<int, &Shared::level>::get());
    At<int, &count>::set(5);
    printf("%d %s %d\n", count, Named<text>::name(), last<&table>());
    printf("%d\n", bump<count>());
    printf("%d %d %d\n", value<&count>(), (int)Same<int, &count, &count>::value, (int)Same<int, &count, &Shared::level>::value);
    printf("%d\n", Outer<&count>().get());
    Owner<Unique> u(9);
    Owner<Pointer> p(8);
    Holder<> h;
    h.items.push_back(3);
    printf("%d %d %zu %d\n", *u.own, *p.own, h.items.size(), h.items.back());
    delete p.own;
    M<int> m(5);
    N<int> n(6);
    printf("%d %d\n", m.clone()->t, n.clone()->v());
    Twice t;
    printf("%d\n", t(21));
}
