// Several base classes: layout, casts, virtual functions, `using`, exceptions and arrays.
#include <cstdio>
#include <stdexcept>

struct Empty {};
struct A {
    int a;
    A(int a = 1) : a(a) { printf("A(%d)\n", a); }
    virtual ~A() { printf("~A\n"); }
    virtual int f(int x) { return x + a; }
    int both() const { return 1; }
    int only(int) { return 10; }
    static int count() { return 3; }
};
struct B {
    double b;
    B(double b = 2) : b(b) { printf("B(%g)\n", b); }
    virtual ~B() { printf("~B\n"); }
    virtual int g(int x) { return x - (int)b; }
    virtual B *self() { return this; }
    int both() const { return 2; }
    int only(const char *) { return 20; }
};
struct D : Empty, A, B {
    int d;
    D() : B(7), d(5) { printf("D\n"); }
    ~D() { printf("~D\n"); }
    int f(int x) override { return x * 100; }
    int g(int x) override { return x * 1000 + d; }
    using B::both;
    using A::only;
    using B::only;
    int only(int) { return 11; }
    using A::a;
};
struct E : D {
    int g(int x) override { return D::g(x) + 1; }
};

static long off(const void *one, const void *other) { return (const char *)one - (const char *)other; }
static int by_base(B &b) { return b.g(2); }
static int close_to(A *) { return 1; }
static int close_to(D *) { return 2; }

struct Left { int at; Left() : at(1) {} };
struct Right { int at; Right() : at(2) {} };
struct Both : Left, Right {
    using Right::at;
    int left() { return Left::at; }
};

struct Same { int s; Same(int s) : s(s) {} };
struct One : Same { One() : Same(1) {} };
struct Two : Same { Two() : Same(2) {} };
struct Twice : One, Two {};

template <class T> struct Count {
    static int alive;
    Count() { ++alive; }
    Count(const Count &) { ++alive; }
    ~Count() { --alive; }
};
template <class T> int Count<T>::alive = 0;
template <class T> struct Less {
    friend bool operator>(const T &one, const T &other) { return other < one; }
};
struct Number : Count<Number>, Less<Number> {
    int n;
    explicit Number(int n) : n(n) {}
    bool operator<(const Number &other) const { return n < other.n; }
};
template <class... Parts> struct Joined : Parts... {
    Joined() {}
    int sum() { return this->One::s + this->Two::s; }
};

template <class T> struct Box {
    T value;
    Box(T value) : value(value) {}
};
template <class T> struct Boxes : Box<float>, Box<int>, T {
    typedef Box<int> Ints;
    Boxes() : Ints(4), Box<float>(2.5f), T(6) {}
};

struct Printable { virtual const char *text() const { return "printable"; } virtual ~Printable() {} };
struct Failure : std::runtime_error, Printable {
    int code;
    Failure(int code) : std::runtime_error("failure"), code(code) {}
    const char *text() const override { return "failure text"; }
};
class Hidden : A, public B {};

int main() {
    printf("%d %d %d\n", (int)sizeof(D), (int)sizeof(E), (int)sizeof(Twice));
    {
        D d;
        A *a = &d;
        B *b = &d;
        printf("%ld %ld %ld\n", off(a, &d), off(b, &d), off(&d.d, &d));
        printf("%d %d %d %d\n", a->f(3), b->g(3), d.both(), d.only("x"));
        printf("%d %d %d %d\n", d.only(1), d.A::both(), d.a, D::count());
        printf("%d %d %d\n", static_cast<D *>(b) == &d, b == &d, b->self() == b);
        printf("%d %d\n", by_base(d), close_to(&d));
        B *none = 0;
        D *still = static_cast<D *>(none);
        printf("%d %d\n", still == 0, (A *)still == 0);
        const B &bound = d;
        printf("%ld %d\n", off(&bound, &d), dynamic_cast<const A *>(&bound) == a);
        printf("%ld\n", off(dynamic_cast<void *>(b), &d));
        A copied = d;
        printf("%d\n", copied.f(1));
    }
    E *e = new E;
    B *as_b = e;
    printf("%d\n", as_b->g(1));
    D &back = static_cast<D &>(*as_b);
    printf("%d\n", back.f(1));
    bool first = as_b->b > 100;
    A *chosen = first ? (A *)0 : e;
    printf("%d\n", chosen->f(2));
    delete as_b;
    D list[2];
    B *second = &list[1];
    printf("%ld %d\n", off(second, list), second->g(0));
    Both both;
    both.at = 9;
    printf("%d %d %d\n", both.at, both.left(), both.Right::at);
    Twice twice;
    printf("%d %d\n", static_cast<One &>(twice).s, static_cast<Two *>(&twice)->s);
    {
        Number x(1), y(2), z = x;
        printf("%d %d\n", Count<Number>::alive, y > x);
    }
    printf("%d\n", Count<Number>::alive);
    Boxes<Same> boxes;
    printf("%g %d %d\n", static_cast<Box<float> &>(boxes).value, static_cast<Box<int> &>(boxes).value, boxes.s);
    Joined<One, Two> joined;
    printf("%d %d\n", joined.sum(), (int)sizeof(joined));
    for (int way = 0; way < 4; ++way) {
        try {
            if (way == 3) throw &joined;
            throw Failure(way);
        } catch (One *one) {
            printf("pointer %d\n", one->s);
        } catch (const Printable &caught) {
            printf("%s\n", caught.text());
            try {
                throw;
            } catch (std::exception &again) {
                printf("%s %d\n", again.what(), dynamic_cast<Failure &>(again).code);
            }
        }
    }
    try {
        throw Hidden();
    } catch (A &) {
        printf("private\n");
    } catch (B &caught) {
        printf("public %g\n", caught.b);
    }
    try {
        throw twice;
    } catch (Same &) {
        printf("ambiguous\n");
    } catch (Two &caught) {
        printf("two %d\n", caught.s);
    }
    return 0;
}
