// `typeid`, `dynamic_cast` of references, and inherited constructors.
#include <cstdio>
#include <cstring>
#include <exception>
#include <typeinfo>

struct Shape {
    virtual ~Shape() {}
};
struct Circle : Shape {};
struct Square : Shape {};
namespace deep {
template <class T, int N> struct Box {};
}
static int calls = 0;
static int counted() { return ++calls; }

template <class T> const char *name_of() { return typeid(T).name(); }

struct Base {
    int a, b;
    double c;
    explicit Base(int a) : a(a), b(0), c(0) { printf("Base(int)\n"); }
    Base(int a, int b, double c = 2.5) : a(a), b(b), c(c) { printf("Base(int, int, double)\n"); }
    Base(const char *text) : a((int)strlen(text)), b(-1), c(0) {}
    virtual int sum() const { return a + b; }
};
struct Derived : Base {
    int extra = 40;
    using Base::Base;
    Derived(const char *) : Base(99) {}
    int sum() const override { return Base::sum() + extra; }
};
template <class T> struct Wrapped : T {
    using T::T;
};

template <class T> struct Holder {
    T value;
    Holder(T value) : value(value) {}
    operator T() const { return value; }
};
template <class T> struct Only {
    T value;
    operator int() const { return value; }
};

int main() {
    Circle circle;
    Square square;
    Shape *shapes[2] = {&circle, &square};
    for (int i = 0; i < 2; ++i) {
        printf("%s %d\n", typeid(*shapes[i]).name(), typeid(*shapes[i]) == typeid(Circle));
    }
    printf("%s %s %s\n", typeid(shapes[0]).name(), typeid(Shape *).name(), typeid(const Circle &).name());
    printf("%s %s %s\n", typeid(int).name(), typeid(1.0f).name(), typeid(unsigned long long).name());
    printf("%s %s\n", typeid(deep::Box<int, 3>).name(), typeid("text").name());
    printf("%s %s %s\n", name_of<char>(), name_of<void (*)(int, double)>(), name_of<const short *>());
    printf("%s %d\n", typeid(counted()).name(), calls);
    const std::type_info &info = typeid(double);
    printf("%d %d\n", info != typeid(float), info.hash_code() == typeid(1.5).hash_code());
    try {
        Square &wrong = dynamic_cast<Square &>(*shapes[0]);
        printf("%p\n", (void *)&wrong);
    } catch (std::bad_cast &error) {
        printf("%s\n", error.what());
    }
    Derived one(3), two(3, 4), three("text"), four(1, 2, 3.5);
    printf("%d %d %d %d %g\n", one.sum(), two.sum(), three.sum(), four.extra, two.c);
    const Base &base = two;
    printf("%d\n", base.sum());
    Wrapped<Base> wrapped(5, 6);
    printf("%d\n", wrapped.sum());
    Holder<int> held(20);
    Only<short> only = {7};
    printf("%d %d %d %g\n", held + 1, 1 + only, only * held, held / 8.0);
    printf("%d %d\n", held > only, -only);
    return 0;
}
