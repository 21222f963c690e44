// Copies that the language defines: they fit better than a constructor or an assignment to whose
// parameter the object converts.
#include <stdio.h>

struct Base {
    int m, id;
    explicit Base(int x = 44, int y = 5) : m(x), id(y) { printf("Base(%d, %d)\n", x, y); }
    ~Base() { printf("~Base %d\n", id); }
    operator unsigned long long() const { printf("converts\n"); return m; }
};

struct Derived : Base {
    int k;
    explicit Derived(int x = 10, int y = 7) : Base(x, 6), k(y) {}
    Derived(const Derived &o) : Base(o), k(o.k + 1) { printf("copy\n"); }
    Derived &operator=(const Derived &o) {
        if (this != &o) {
            static_cast<Base &>(*this) = o;
            k = o.k;
            printf("assigned\n");
        }
        return *this;
    }
    ~Derived() { printf("~Derived %d\n", k); }
    Derived operator++(int) { Derived old(*this); ++m; return old; }
};

static Derived made(int x) {
    Derived r(x, 2);
    if (x & 1) return r;
    r.m += r.m;
    return r;
}
static Derived &chosen(Derived &a, Derived &b, bool first) { return first ? a : b; }

// A constructor or an assignment for the derived class itself, or for any class, fits better.
struct Late;
struct Early {
    int how;
    Early() : how(1) {}
    Early(const Late &) : how(2) {}
};
struct Late : Early { int x; };
struct Any {
    int how;
    Any() : how(1) {}
    template <class T> Any(const T &) : how(3) {}
};
struct Some : Any { int x; };

struct Number {
    int m;
    Number(int m = 0) : m(m) {}
    operator int() const { return m + 100; }
    Number &operator=(int x) { m = x + 1000; return *this; }
};
struct Larger : Number { int n; };

// The assignment that the language defines assigns each part, as its class says.
struct Adds {
    int a;
    Adds &operator=(const Adds &o) { a = o.a + 1; return *this; }
};
struct OfAdds : Adds { int b; };
struct HasAdds { int q; Adds m; Adds list[2]; };
struct OfBoth : OfAdds { HasAdds h; };

// The name of a class in front of a member selects the member of the base class.
struct One { int x; int f() { return 1; } };
struct Two : One { int x; int f() { return 2; } typedef One Parent; };

// The value of an assignment is a temporary object, which is destroyed behind it.
struct Loud {
    int x;
    Loud(int x) : x(x) {}
    ~Loud() { printf("~Loud %d\n", x); }
};
static Loud loud(int x) { return Loud(x); }
static void assigned() {
    Loud a(1), list[2] = {Loud(2), Loud(3)};
    Loud *p = list;
    a = loud(4);
    printf("a %d\n", a.x);
    a = Loud(5);
    *p = loud(6), printf("list %d\n", list[0].x);
    p[1] = a = loud(7);
    printf("list %d\n", list[1].x);
}

static void parts() {
    OfAdds x, y;
    x.a = 1, x.b = 2, y.a = 3, y.b = 4;
    x = y;
    printf("%d %d\n", x.a, x.b);
    HasAdds m = {1, {2}, {{3}, {4}}}, n = {5, {6}, {{7}, {8}}};
    m = n;
    printf("%d %d %d %d\n", m.q, m.m.a, m.list[0].a, m.list[1].a);
    OfBoth r, s;
    s.a = 1, s.b = 2, s.h = n;
    r = s;
    OfBoth t = s;
    printf("%d %d %d %d %d\n", r.a, r.b, r.h.q, r.h.m.a, r.h.list[1].a);
    printf("%d %d %d %d %d\n", t.a, t.b, t.h.q, t.h.m.a, t.h.list[1].a);
    Two z;
    z.x = 3, z.One::x = 4;
    printf("%d %d %d %d %d %d\n", z.f(), z.One::f(), (&z)->One::f(), z.Two::f(), z.x, (&z)->One::x);
}

int main() {
    parts();
    assigned();
    Derived a, b(3);
    printf("%d\n", a++.m);
    chosen(a, b, true) = made(4);
    chosen(a, b, false) = made(5);
    {
        Base c(1, 2);
        static_cast<Base &>(a) = b;
        c = a;
        Base d = a;
        Base e(a);
        Base f = Base(b);
        printf("%d %d %d %d\n", c.m, d.m, e.m, f.m);
    }
    {
        Derived c = a;
        Derived d(b);
        c = d;
    }
    Late late;
    Early one = late, two(late), three = one;
    Some some;
    Any four(some), five = four;
    printf("%d %d %d %d %d\n", one.how, two.how, three.how, four.how, five.how);
    Number n(1), o(2);
    n = o;
    printf("%d\n", n.m);
    n = 5;
    printf("%d\n", n.m);
    Larger l;
    l.m = 7;
    n = l;
    printf("%d\n", n.m);
    Number q(l), r = l;
    printf("%d %d\n", q.m, r.m);
    printf("end\n");
    return 0;
}
