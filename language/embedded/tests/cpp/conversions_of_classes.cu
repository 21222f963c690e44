// Conversions of objects: templates, references, operands, classes; enumerators inside their list.
#include <cstdio>
#include <iostream>
#include <string>
enum class Color : short { red = 8, green, blue = green * 2 + 30, last };
enum Plain { p0 = 3, p1 = p0 * 2, p2 = p1 + p0 };
struct Number {
    int v;
    template <class T> operator T() const { return T(v); }
};
struct Pointer {
    int v;
    operator int *() { return &v; }
    operator const int *() const { return &v; }
};
struct Index {
    int i;
    operator int() const { return i; }
    explicit operator const char *() const { return "explicit"; }
};
struct B {
    int v;
};
struct A {
    int x;
    operator B() const { return {x}; }
};
int by_value(B b) { return b.v; }
int by_reference(const B &b) { return b.v + 1; }
struct Text {
    operator std::string() const { return "str"; }
};
void show(const std::string &s) { printf("<%s>", s.c_str()); }
struct Holder {
    B b;
    operator B &() { return b; }
    operator const B &() const { return b; }
};
template <class T, int N> struct Vec {
    T e[N];
    template <class U> explicit operator Vec<U, N>() const {
        Vec<U, N> r;
        for (int i = 0; i < N; i++) r.e[i] = (U)e[i];
        return r;
    }
};
// Temporaries of derived classes behind references to their bases.
template <class D> struct Expression {
    int get() const { return static_cast<const D &>(*this).value(); }
};
struct Leaf : Expression<Leaf> {
    int y;
    Leaf(int v) : y(v) {}
    int value() const { return y; }
};
template <class D> int evaluated(const Expression<D> &e) { return e.get(); }
struct Base {
    int v = 1;
    virtual int id() const { return v; }
    virtual ~Base() { printf("~B "); }
};
struct Derived : Base {
    int w;
    Derived(int a) : w(a) {}
    int id() const override { return w; }
    ~Derived() { printf("~D "); }
};
int identity(const Base &b) { return b.id(); }
int moved(Base &&b) { return b.id(); }
struct List {
    std::string text;
    List(const std::string &s) : text(s) {}
};
int main() {
    Color c{9};
    printf("%d %d %d %d\n", c == Color::green, (int)Color::blue, (int)Color::last, p2);
    Number n{7};
    long l = n;
    double d = n;
    printf("%ld %g %d\n", l, d, (int)n + static_cast<int>(n));
    Pointer r{3};
    *r += 1;
    const Pointer cr{9};
    printf("%d %d %d %d %d %d\n", *r, r[0], r + 0 == &r.v, r ? 1 : 0, *cr, cr[0]);
    Index i{2};
    int t[3] = {5, 6, 7};
    switch (i) {
    case 2: printf("two %d\n", t[i]);
    }
    std::cout << i << std::endl;
    A a{4};
    B b = a;
    b = a;
    printf("%d %d %d\n", by_value(a), by_reference(a), b.v);
    show(Text());
    std::string s = Text(), s2;
    s2 = Text();
    printf("%s %s %s\n", s.c_str(), s2.c_str(), std::string(Text()).c_str());
    Holder h{{6}};
    B &referred = h;
    referred.v = 8;
    printf("%d %d %d\n", by_value(h), by_reference(h), h.b.v);
    Vec<float, 2> v = {{1.5f, 2.5f}};
    printf("%d\n", static_cast<Vec<int, 2>>(v).e[1]);
    printf("%d\n", evaluated(Leaf(4)));
    printf("%d\n", identity(Derived(5)));
    printf("%d\n", moved(Derived(6)));
    const Base &kept = Derived(7);
    printf("%d\n", kept.id());
    List made({'a', 'b'});
    printf("%s\n", made.text.c_str());
    return 0;
}
