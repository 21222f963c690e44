// The left operand of a shift, the pointer of a subscript and the pointer of a called function are
// read before the rest.
#include <cstdio>

static int one(int x) { return x + 1; }
static int hundred(int x) { return x + 100; }

int main(int argc, char **) {
    long long v = 4 + argc;
    printf("%lld", v << (v = 2));
    v = 4 + argc;
    printf(" %lld", v << (((v = 1) ? (argc ? v : 5) : 3) & 63));
    unsigned w = 1024 * argc;
    printf(" %u", w >> ++w % 3);
    int x = argc;
    printf(" %d\n", (x = 1) << ++x);
    int (*function)(int) = one;
    printf("%d", function((function = hundred, 1)));
    printf(" %d\n", function(1));
    int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
    int *p = a;
    printf("%d", p[(p = b, 1)]);
    p = a;
    printf(" %d", *(p + argc));
    int at = 1;
    printf(" %d %d\n", a[at++], at);
}
