// Lambda expressions that capture the object of `this`, by reference and as a copy.
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

static void show(const char *end, int x) { printf("%d%s", x, end); }

struct Noisy {
    int id;
    explicit Noisy(int i) : id(i) { printf("make %d\n", id); }
    Noisy(const Noisy &other) : id(other.id + 1) { printf("copy %d\n", id); }
    Noisy(Noisy &&other) : id(other.id + 10) { other.id = 0; printf("move %d\n", id); }
    ~Noisy() { printf("end %d\n", id); }
};

struct Counter {
    int n = 3;
    mutable int reads = 0;
    Noisy noise{1};
    std::string name = "counter";

    int twice() const { return 2 * n; }
    int next() { return ++n; }
    static int fixed() { return 40; }
    const char *which() { return "plain"; }
    const char *which() const { return "const"; }
    Counter *self() { return this; }

    auto copy() { return [*this]() mutable { n += 1; next(); return this->n; }; }
    auto constant() { return [*this] { reads++; return n + twice() + reads; }; }
    auto both(int x) { return [=, *this] { return x * n; }; }
    auto mixed(int &x) { return [&, *this]() mutable { x += n++; return x; }; }
    auto reference() { return [this] { return next(); }; }
    auto generic() { return [*this](auto x) mutable { n += 1; return x + n + this->twice(); }; }
    auto ordered(int a, int b) { return [a, *this, b] { return a + n + b; }; }
    auto nested() {
        return [*this]() mutable {
            auto inner = [=]() { n++; return next(); };
            auto copied = [*this]() mutable { return n += 100; };
            int first = inner();
            int second = copied();
            return first * 1000 + second + n * 10000;
        };
    }
    auto deep() { return [=] { return [=] { return [&] { return ++n; }(); }(); }; }
    void overloads() const {
        printf("%s\n", [*this] { return which(); }());
        printf("%s\n", [this] { return which(); }());
    }
    void choices() {
        printf("%s %s %s %s\n", [*this] { return which(); }(), [*this]() mutable { return which(); }(),
               [this] { return which(); }(), [=] { return this->which(); }());
    }
    void addresses() {
        auto copy = [*this]() mutable { return this; };
        auto same = [this] { return this; };
        printf("%d %d %d\n", copy() == this, same() == this, copy() == copy());
        printf("%d\n", (void *)copy() == (void *)&copy);
        printf("%d\n", [&] { return self() == this && self()->self() == (*this).self(); }());
        printf("%d\n", [*this]() mutable { return self() == this; }());
    }
    int operator()(int k) { return n * k; }
    int operator[](int k) const { return n + k; }
    void operators() {
        printf("%d %d %d\n", [this] { return (*this)(3); }(), [*this]() mutable { return operator()(4); }(),
               [&] { return operator[](5); }());
    }
    int fixed_calls() { return [] { return fixed(); }() + [this] { return fixed() + n; }(); }
    int by_name(int n) { return [=] { return n * 10 + this->n; }(); }
    int hidden() { return [this, n = 8] { return n * 100 + this->n; }(); }
};

// The copy is an object of the static type.
struct Animal {
    int legs = 4;
    virtual const char *sound() const { return "..."; }
    virtual ~Animal() {}
    auto keep() { return [*this] { return sound(); }; }
    auto refer() { return [this] { return sound(); }; }
};
struct Dog : Animal {
    const char *sound() const override { return "woof"; }
    auto kept() { return [*this] { return std::string(sound()) + Animal::sound(); }; }
    int all() {
        int copied = [*this]() mutable { legs--; return legs + Animal::legs; }();
        return copied * 10 + legs;
    }
};

struct Left { int l = 1; int left() { return l; } };
struct Right { int r = 2; int right() { return r++; } };
struct Pair : Left, Right {
    auto copied() { return [*this]() mutable { r += 5; int old = right(); return old * 100 + left() + r; }; }
};

template <class T, int N> struct Vector {
    T data[N];
    T sum() const { T s{}; for (T x : data) s += x; return s; }
    auto scaled(T factor) { return [*this, factor](auto... extra) { return ((sum() * factor) + ... + extra); }; }
    template <class F> auto mapped(F f) { return [*this, f]() mutable { for (T &x : data) x = f(x); return sum(); }; }
};

struct Widget {
    std::vector<std::function<int(int)>> callbacks;
    int base = 5;
    int add(int x) { return base + x; }
    void connect() {
        callbacks.push_back([this](int x) { return add(x); });
        callbacks.emplace_back([=](int x) { base++; return add(x); });
        callbacks.push_back([b = Inner{base}](int x) { return b.get(x); });
    }
    struct Inner { int v; int get(int x) const { return [*this, x] { return v * x; }(); } };
};

struct Defaults {
    int a = 2;
    int b = [this] { return a * 3; }();
    int c = [*this]() mutable { return a++ + b; }();
    int d = [&] { return a + b + c; }();
    int e;
    Defaults() : e([=] { return a + d; }()) { [&] { e += this->a; }(); }
};

int main() {
    {
        Counter c;
        auto copy = c.copy();
        show(" ", copy());
        show(" ", copy());
        show("\n", c.n);
        auto again = copy;
        show(" ", again());
        show(" ", again());
        show("\n", copy());
        auto constant = c.constant();
        show(" ", constant());
        show(" ", constant());
        show("\n", c.reads);
        int x = 7;
        c.n = 4;
        auto both = c.both(x);
        auto mixed = c.mixed(x);
        x = 1;
        c.n = 50;
        printf("%d\n", both());
        show(" ", mixed());
        show(" ", mixed());
        show("\n", x);
        auto reference = c.reference();
        show(" ", reference());
        show(" ", reference());
        show("\n", c.n);
        auto generic = c.generic();
        printf("%d ", generic(1));
        printf("%.1f %d\n", generic(0.5), c.n);
        printf("%d\n", c.ordered(1000, 2000)());
        printf("nested\n");
        auto nested = c.nested();
        show(" ", nested());
        show(" ", nested());
        show("\n", c.n);
        show(" ", c.deep()());
        show("\n", c.n);
        c.overloads();
        c.choices();
        c.addresses();
        c.operators();
        printf("%d %d %d\n", c.fixed_calls(), c.by_name(6), c.hidden());
    }
    Dog dog;
    printf("%s %s %s %d\n", dog.keep()(), dog.refer()(), dog.kept()().c_str(), dog.all());
    Pair pair;
    auto copied = pair.copied();
    printf("%d ", copied());
    printf("%d %d\n", copied(), pair.r);
    Vector<int, 3> v{{1, 2, 3}};
    auto scaled = v.scaled(10);
    auto mapped = v.mapped([](int x) { return x * x; });
    v.data[0] = 100;
    printf("%d %d %.2f ", scaled(), scaled(1), scaled(1, 0.25));
    printf("%d ", mapped());
    printf("%d %d\n", mapped(), v.sum());
    Widget w;
    w.connect();
    for (auto &f : w.callbacks) printf("%d ", f(3));
    printf("%d\n", w.base);
    Defaults d;
    printf("%d %d %d %d %d\n", d.a, d.b, d.c, d.d, d.e);
    auto l = pair.copied();
    printf("%d %d\n", (int)sizeof l, (int)sizeof v.scaled(1));
}
