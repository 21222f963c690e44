// Virtual functions in kernels and in host code: several base classes, objects under construction,
// calls that name a class, covariant results, placement `new`, arrays, templates and copies. The
// kernel and the host write the same text.
#include <cstdio>
#include <cstring>
#include <new>
#define BOTH __host__ __device__

struct Text {
    char *at;
    BOTH void add(const char *s) { while (*s) *at++ = *s++; *at = 0; }
    BOTH void add(int n) {
        char digits[12];
        int count = 0;
        if (n < 0) { *at++ = '-'; n = -n; }
        do digits[count++] = '0' + n % 10; while (n /= 10);
        while (count > 0) *at++ = digits[--count];
        *at++ = ' ';
        *at = 0;
    }
};

struct A {
    Text *text;
    int a;
    BOTH A(Text *text, int a) : text(text), a(a) { text->add("A"); text->add(who()); }
    BOTH A(const A &o) : text(o.text), a(o.a + 100) { text->add("copy"); text->add(who()); }
    BOTH virtual ~A() { text->add("~A"); text->add(who()); }
    BOTH virtual int who() const { return 1; }
    BOTH virtual int twice(int n = 10) { return 2 * n + a; }
    BOTH virtual A *self() { return this; }
    BOTH int plain() { return who() * 1000; }
};

struct Counter {
    int count;
    BOTH Counter() : count(7) {}
    BOTH virtual int step(int by) { return count += by; }
    BOTH virtual long long wide(char c, double d) const { return c + (long long)d; }
    BOTH virtual Counter *same() { return this; }
    BOTH virtual ~Counter() { count = -1; }
};

struct Plain { double d; };

struct B : A {
    int b;
    BOTH B(Text *text, int b) : A(text, b + 1), b(b) { text->add("B"); text->add(who()); }
    BOTH ~B() { text->add("~B"); text->add(who()); }
    BOTH int who() const override { return 2; }
    BOTH int twice(int n = 20) override { return A::twice(n) + b; }
    BOTH B *self() override { return this; }
};

struct C : Plain, B, Counter {
    short s;
    BOTH C(Text *text) : B(text, 5), s(3) { d = 2.5; text->add("C"); text->add(who()); }
    BOTH ~C() { text->add("~C"); text->add(who()); }
    BOTH int who() const override { return 3; }
    BOTH int step(int by) override { return count += by * s; }
    BOTH long long wide(char c, double e) const override { return c * 1000LL + (long long)(d * e); }
    BOTH C *same() override { return this; }
    BOTH C *self() override { return this; }
    BOTH virtual int last() { return b + s; }
};

struct D final : C {
    C part;
    BOTH D(Text *text) : C(text), part(text) {}
    BOTH int who() const final { return 4; }
    BOTH int last() override { return part.last() + C::last(); }
};

template <class T> struct Op {
    BOTH virtual T run(T x) const = 0;
    BOTH T four(T x) const { return run(run(run(run(x)))); }
};
template <class T, int N> struct Add : Op<T> { BOTH T run(T x) const override { return x + N; } };
template <class T> struct Chain : Op<T> {
    const Op<T> *one, *two;
    BOTH Chain(const Op<T> *one, const Op<T> *two) : one(one), two(two) {}
    BOTH T run(T x) const override { return two->run(one->run(x)); }
};

struct Point { int x, y, z; };
struct Maker {
    BOTH virtual Point make(Point p, bool flip) const { Point q = {p.x + 1, p.y, p.z}; return flip ? p : q; }
    BOTH virtual bool is(bool b) const { return !b; }
    BOTH virtual float half(float f) { return f / 2; }
    BOTH virtual Maker &operator+=(int) { return *this; }
};
struct Other { int pad; BOTH virtual int none() { return 0; } };
struct Turned : Other, Maker {
    int added;
    BOTH Turned() : added(0) {}
    BOTH Point make(Point p, bool flip) const override { Point q = {p.z, p.y, p.x + added}; return flip ? q : p; }
    BOTH bool is(bool b) const override { return b; }
    BOTH float half(float f) override { return f / 4 + added; }
    BOTH Turned &operator+=(int n) override { added += n; return *this; }
};

BOTH void all(Text *text) {
    A *list[3] = {new A(text, 11), new B(text, 22), new C(text)};
    text->add("\n");
    for (int i = 0; i < 3; i++) {
        A *p = list[i];
        text->add(p->who());
        text->add(p->twice());
        text->add(p->A::twice());
        text->add(p->plain());
        text->add(p->self()->a);
        delete p;
        text->add("\n");
    }
    {
        D d(text);
        Counter *c = &d;
        text->add(c->step(4));
        text->add((int)c->wide('x', 3));
        text->add(c->Counter::step(1));
        text->add(c->same() == c);
        text->add(d.same() == &d);
        text->add(static_cast<C *>(c)->last());
        text->add(((A &)d).who());
        A sliced = d;
        text->add(sliced.who());
        A *p = &sliced;
        text->add(p->who());
        text->add("\n");
    }
    text->add("\n");
    Counter *c = new C(text);
    delete c;
    text->add("\n");
    long long room[(sizeof(C) + 7) / 8];
    C *placed = new (room) C(text);
    Counter *part = placed;
    text->add(part->step(2));
    placed->~C();
    text->add("\n");
    Counter *many = new Counter[3];
    text->add(many[1].step(2));
    delete[] many;
    text->add("\n");
    Add<int, 3> three;
    Add<int, -1> less;
    Chain<int> chain(&three, &less), both(&chain, &chain);
    const Op<int> *op = &both;
    text->add(op->four(100));
    Turned turned;
    Maker *maker = &turned, base;
    Maker *makers[2] = {maker, &base};
    for (int i = 0; i < 2; i++) {
        Point p = {1, 2, 3};
        Maker *m = makers[i];
        p = ((*m += 5) += 6).make(p, true);
        text->add(p.x);
        text->add(p.z);
        text->add(m->is(true));
        text->add((int)m->half(100));
    }
    *maker = base;
    text->add(maker->make(Point(), true).z);
    text->add(sizeof(A));
    text->add(sizeof(C));
    text->add(sizeof(D));
    text->add(sizeof(Turned));
    text->add("\n");
}

__global__ void kernel(char *out) {
    Text text = {out};
    all(&text);
}

int main() {
    static char own[4096];
    char *other;
    cudaMallocManaged(&other, 4096);
    kernel<<<1, 1>>>(other);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) printf("FAILED: %s\n", cudaGetErrorString(error));
    Text text = {own};
    all(&text);
    printf("%s", own);
    if (strcmp(own, other)) printf("FAILED, the kernel wrote:\n%s", other);
    else puts("PASSED");
    cudaFree(other);
}
