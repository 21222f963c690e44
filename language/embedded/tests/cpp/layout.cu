// Sizes and offsets of classes: members of a derived class use the padding at the end of a base
// class, unless the base class is an aggregate as in C++ of 2003.
#include <stddef.h>
#include <stdio.h>

#define SIZE(X)                                                                                              \
    {                                                                                                        \
        struct Derived : X {                                                                                 \
            char last;                                                                                       \
        };                                                                                                   \
        char memory[sizeof(Derived)];                                                                        \
        Derived *d = (Derived *)memory;                                                                      \
        printf(#X " %d %d at %d\n", (int)sizeof(X), (int)sizeof(Derived), (int)(&d->last - (char *)d));      \
    }

struct Pod { int a; char c; };
struct WithInitializer { int a = 1; char c; };
struct WithConstructor { WithConstructor() {} int a; char c; };
struct DefaultedConstructor { DefaultedConstructor() = default; int a; char c; };
struct WithAssignment { WithAssignment &operator=(const WithAssignment &) { return *this; } int a; char c; };
struct DefaultedAssignment { DefaultedAssignment &operator=(const DefaultedAssignment &) = default; int a; char c; };
struct WithDestructor { ~WithDestructor() {} int a; char c; };
struct DefaultedDestructor { ~DefaultedDestructor() = default; int a; char c; };
struct PrivateMember { int a; private: char c; };
struct ProtectedMember { int a; protected: char c; };
struct PrivateFunction { int a; char c; private: static int z; void f() {} typedef int T; };
class PublicClass { public: int a; char c; };
struct WithBase : Pod { short x; };
struct Member { WithConstructor x; char c; };
struct LastMember { int q; WithConstructor x; };
struct Array { int q; WithConstructor x[2]; };
struct PodArray { int q; Pod x[2]; };
struct Bits { Bits() {} int a : 3; };
struct PodBits { int a : 3; };
struct LongBits { LongBits() {} long long a : 35; };
struct EndsAtUnit { EndsAtUnit() {} int a : 3; int : 0; };
struct EndsWithGap { EndsWithGap() {} int a; int : 9; };
struct Empty {};
struct EmptyWithConstructor { EmptyWithConstructor() {} };
struct EmptyDerived : Empty {};
struct OfEmpty : Empty { int a; char c; };
struct OfEmptyDerived : EmptyDerived { int a; };
struct Conversion { operator int() { return 1; } int a; char c; };
struct OtherAssignment { OtherAssignment &operator=(int) { return *this; } int a; char c; };
struct Nested { Nested() {} Pod p; };
struct WithUnion { WithUnion() {} int a; union { char c; short s; }; };
struct Second : WithConstructor { short s; };
struct Third : Second { char x; };
struct BitsOfBits : Bits { int e : 5; int f : 20; };
struct Pointer { Pointer() {} Pointer *p; bool b; };
template <class T> struct Pair { Pair() {} T first; char second; };

// A copy of a base class leaves the members in its padding as they are.
struct Base {
    int a;
    char c;
    Base(int x = 1) : a(x), c((char)(x + 1)) {}
};
struct Derived : Base {
    char d;
    short e;
    Derived(int x = 5) : Base(x), d((char)(x + 2)), e((short)(x + 3)) {}
};
struct BitBase {
    unsigned a : 3;
    BitBase(int x = 1) : a(x) {}
};
struct BitDerived : BitBase {
    unsigned b : 5;
    char c;
    BitDerived(int x = 2) : BitBase(x), b(x + 1), c((char)(x + 2)) {}
};
struct Tag {};
struct Tagged : Tag { int x; Tagged(int x) : x(x) {} };

static void show(const Derived &d) { printf("%d %d %d %d\n", d.a, d.c, d.d, d.e); }
static Base made(int x) { return Base(x); }
static Derived changed(Derived d) { static_cast<Base &>(d) = Base(40); return d; }

static Derived all[2] = {Derived(1), Derived(2)};

int main() {
    SIZE(Pod) SIZE(WithInitializer) SIZE(WithConstructor) SIZE(DefaultedConstructor) SIZE(WithAssignment)
    SIZE(DefaultedAssignment) SIZE(WithDestructor) SIZE(DefaultedDestructor) SIZE(PrivateMember)
    SIZE(ProtectedMember) SIZE(PrivateFunction) SIZE(PublicClass) SIZE(WithBase) SIZE(Member)
    SIZE(LastMember) SIZE(Array) SIZE(PodArray) SIZE(Bits) SIZE(PodBits) SIZE(LongBits) SIZE(EndsAtUnit)
    SIZE(EndsWithGap) SIZE(Empty) SIZE(EmptyWithConstructor) SIZE(EmptyDerived) SIZE(OfEmpty)
    SIZE(OfEmptyDerived) SIZE(Conversion) SIZE(OtherAssignment) SIZE(Nested) SIZE(WithUnion) SIZE(Second)
    SIZE(Third) SIZE(BitsOfBits) SIZE(Pointer) SIZE(Pair<short>) SIZE(Pair<double>)
    Derived a(10), b(20);
    show(a);
    static_cast<Base &>(a) = b;
    show(a);
    static_cast<Base &>(a) = made(30);
    show(a);
    Base *p = &b;
    *p = Base(50);
    show(b);
    show(changed(b));
    Derived c = a;
    a = b;
    show(a);
    show(c);
    Base one = c, many[3] = {Base(1), c, made(3)};
    printf("%d %d %d %d %d\n", one.a, one.c, many[0].a, many[1].a, many[2].c);
    static_cast<Base &>(all[0]) = all[1];
    show(all[0]);
    show(all[1]);
    BitDerived x(2), y(4);
    static_cast<BitBase &>(x) = y;
    printf("%d %d %d\n", x.a, x.b, x.c);
    static_cast<BitBase &>(x) = BitBase(6);
    printf("%d %d %d\n", x.a, x.b, x.c);
    x = y;
    printf("%d %d %d\n", x.a, x.b, x.c);
    Tagged t(3);
    static_cast<Tag &>(t) = Tag();
    printf("%d\n", t.x);
    return 0;
}
