// Bit fields: they are promoted to `int` or `unsigned` if it has all of their values, also from a
// type of 64 bits. Without a promotion they keep their type.
#include <stdio.h>

typedef unsigned long long u64;
enum Color { Red, Green = 5 };

struct Fields {
    long long a : 20;
    unsigned long long b : 20;
    unsigned long long c : 31;
    unsigned long long d : 32;
    long long e : 32;
    unsigned f : 31;
    unsigned g : 32;
    unsigned long h : 7;
    unsigned char i : 5;
    bool j : 1;
    Color k : 4;
    long long l : 64;
    unsigned long long m : 64;
};

static void kind(int) { printf("int "); }
static void kind(unsigned) { printf("unsigned "); }
static void kind(long) { printf("long "); }
static void kind(unsigned long) { printf("unsigned long "); }
static void kind(long long) { printf("long long "); }
static void kind(unsigned long long) { printf("unsigned long long "); }
static void kind(bool) { printf("bool "); }
static void kind(unsigned char) { printf("unsigned char "); }
template <class T> static void deduced(T x) { kind(x); }
static void few(int) { printf("int "); }
static void few(double) { printf("double "); }

#define SHOW(m)                                                                                              \
    {                                                                                                        \
        Fields s = {};                                                                                       \
        printf(#m ": ");                                                                                     \
        kind(+s.m);                                                                                          \
        kind(~s.m);                                                                                          \
        kind(-s.m);                                                                                          \
        kind(s.m + 1);                                                                                       \
        kind(s.m >> 1);                                                                                      \
        kind(s.m);                                                                                           \
        deduced(s.m);                                                                                        \
        auto x = s.m;                                                                                        \
        kind(x);                                                                                             \
        kind(1 ? s.m : s.m);                                                                                 \
        printf("%d %d %d ", -1 < s.m, -1 > s.m, s.m - 1 < 0);                                                \
        printf("%llx %llx %llx\n", (u64)~s.m, (u64)(s.m - 1), (u64)-s.m);                                    \
    }

#define CHANGE(m)                                                                                            \
    {                                                                                                        \
        Fields s = {};                                                                                       \
        s.m = 1;                                                                                             \
        s.m = s.m + 6;                                                                                       \
        printf(#m " %llu ", (u64)s.m);                                                                       \
        s.m /= -1;                                                                                           \
        printf("%llx ", (u64)s.m);                                                                           \
        s.m >>= 1;                                                                                           \
        s.m -= 3;                                                                                            \
        printf("%llx ", (u64)s.m);                                                                           \
        printf("%d ", -1 < (s.m = 5));                                                                       \
        printf("%d ", -1 < ++s.m);                                                                           \
        printf("%d ", -1 < (s.m += 1));                                                                      \
        int values[4] = {1, 2, 3, 4};                                                                        \
        s.m = 3;                                                                                             \
        int *end = values + 4;                                                                               \
        printf("%d %d ", values[s.m], *(end - s.m));                                                         \
        switch (s.m - 4) {                                                                                   \
        case -1: printf("minus one\n"); break;                                                               \
        default: printf("other\n");                                                                          \
        }                                                                                                    \
    }

int main() {
    SHOW(a) SHOW(b) SHOW(c) SHOW(d) SHOW(e) SHOW(f) SHOW(g) SHOW(h) SHOW(i) SHOW(l) SHOW(m)
    CHANGE(a) CHANGE(b) CHANGE(c) CHANGE(e) CHANGE(f) CHANGE(h) CHANGE(i)
    Fields s = {};
    kind(+s.j);
    kind(+s.k);
    few(s.i);
    s.b = 7;
    s.f = 9;
    printf("\n%d %d %d\n", s.b, s.f, s.h);
    const Fields &r = s;
    printf("%d %d\n", -1 < r.b, r.c - 1 < 0);
    return 0;
}
