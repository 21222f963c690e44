// `_Generic`: types that select expressions.
#include <stdio.h>
#include <math.h>
static int imax(int a, int b) { return a > b ? a : b; }
static double dmax(double a, double b) { return a > b ? a : b; }
#define max(a, b) _Generic((a), int : imax, double : dmax)(a, b)
#define name(x)                                                                                                        \
    _Generic((x),                                                                                                      \
        char : "char",                                                                                                 \
        signed char : "signed char",                                                                                   \
        unsigned char : "unsigned char",                                                                               \
        short : "short",                                                                                               \
        int : "int",                                                                                                   \
        unsigned : "unsigned",                                                                                         \
        long : "long",                                                                                                 \
        unsigned long : "unsigned long",                                                                               \
        float : "float",                                                                                               \
        double : "double",                                                                                             \
        char * : "char *",                                                                                             \
        const char * : "const char *",                                                                                 \
        int * : "int *",                                                                                               \
        const int * : "const int *",                                                                                   \
        void * : "void *",                                                                                             \
        struct pair : "struct pair",                                                                                   \
        int (*)(int, int) : "function",                                                                                \
        default : "other")
struct pair {
    int a, b;
};
#define root(x) _Generic((x), float : sqrtf, default : sqrt)(x)

int main(void)
{
    char c = 1;
    signed char s = 1;
    unsigned char u = 1;
    short h = 1;
    const int i = 1;
    unsigned long l = 1;
    float f = 2;
    int array[3] = {0};
    const int fixed[2] = {0};
    char text[] = "abc";
    const char *p = text;
    void *v = array;
    struct pair pair = {1, 2};
    printf("%d %.1f\n", max(3, 7), max(2.5, 1.5));
    printf("%s, %s, %s, %s, %s, %s\n", name(c), name(s), name(u), name(h), name(i), name(l));
    printf("%s, %s, %s, %s, %s\n", name(f), name(2.0), name(array), name(fixed), name(text));
    printf("%s, %s, %s, %s, %s\n", name(p), name(v), name(pair), name(imax), name(&pair));
    printf("%s, %s, %s, %s, %s\n", name(c + c), name('a'), name(1u), name(f * 2), name(l > 1));
    printf("%.4f %.4f\n", root(f), root(2.0));
    int calls = 0;
    // The selecting expression has no effect.
    int made = _Generic(calls++, int : calls + 10, default : calls++);
    printf("%d %d\n", made, calls);
    int place = 1;
    _Generic(place, int : place) = 5;
    printf("%d\n", place);
    return 0;
}
