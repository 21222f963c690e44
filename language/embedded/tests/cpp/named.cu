// Members by qualified names: static members of instances of class templates, and operators.
#include <stdio.h>

template <class T, int N> struct Row {
    T item[N];
    static int made;
    static const int length = N;
    Row() { made++; }
    ~Row() { made--; }
};
template <class T, int N> int Row<T, N>::made = 0;

template <class T> struct Counter {
    static T count;
    static T next() { return ++count; }
};
template <class T> T Counter<T>::count = 10;

struct Base {
    int a;
    Base(int x = 0) : a(x) {}
    Base &operator=(const Base &o) { a = o.a + 1; return *this; }
    Base &operator+=(int x) { a += x; return *this; }
    int operator()(int x) const { return a * x; }
    int operator[](int x) const { return a + x; }
    bool operator<(const Base &o) const { return a < o.a; }
    Base operator-() const { return Base(-a); }
    operator int() const { return a; }
};

struct Plain { int x, y; };

struct Derived : Base {
    int b;
    Plain p;
    Derived(int x = 0) : Base(x), b(x) { p.x = x; p.y = x + 1; }
    Derived &operator=(const Derived &o) {
        Base::operator=(o);
        this->Base::operator+=(100);
        p.operator=(o.p);
        b = o.b;
        return *this;
    }
    Derived &operator+=(int x) { Base::operator+=(x); b += x; return *this; }
    bool operator<(const Derived &o) const { return Base::operator<(o) || b < o.b; }
    int twice() const { return Base::operator()(2) + operator()(3) + Base::operator[](1); }
};

struct Simple : Plain {
    int z;
    Simple &operator=(const Simple &o) { Plain::operator=(o); z = o.z; return *this; }
};

int main() {
    {
        Row<int, 3> a, b;
        Row<char, 2> c;
        Row<int, 3>::made += 10;
        printf("%d %d %d %d\n", Row<int, 3>::made, Row<char, 2>::made, Row<int, 4>::made, Row<int, 7>::length);
        int *p = &Row<int, 3>::made;
        ++*p;
        printf("%d\n", Row<int, 3>::made--);
    }
    printf("%d %d\n", Row<int, 3>::made, Row<char, 2>::made);
    int next = Counter<int>::next();
    printf("%d %d %ld\n", next, Counter<int>::count, Counter<long>::count);
    Derived a(3), b(4);
    a = b;
    printf("%d %d %d %d\n", a.a, a.b, a.p.x, a.p.y);
    a.Base::operator=(b);
    a.operator+=(2);
    (&a)->Base::operator+=(5);
    printf("%d %d %d %d\n", a.a, a.b, a < b, a.twice());
    Base c(9), d(1);
    c.operator=(d).operator+=(7);
    printf("%d %d %d\n", c.a, c.operator()(2), c.operator-().a);
    Simple s, t;
    s.x = 1, s.y = 2, s.z = 3;
    t = s;
    printf("%d %d %d\n", t.x, t.y, t.z);
    Plain u = {8, 9};
    t.Plain::operator=(u);
    printf("%d %d %d\n", t.x, t.y, t.z);
    return 0;
}
