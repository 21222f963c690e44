// The left operand of a shift and the pointer of a subscript are read before the right side.
#include <cstdio>

int main(int argc, char **) {
    long long v = 4 + argc;
    printf("%lld", v << (v = 2));
    v = 4 + argc;
    printf(" %lld", v << (((v = 1) ? (argc ? v : 5) : 3) & 63));
    unsigned w = 1024 * argc;
    printf(" %u", w >> ++w % 3);
    int x = argc;
    printf(" %d\n", (x = 1) << ++x);
    int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
    int *p = a;
    printf("%d", p[(p = b, 1)]);
    p = a;
    printf(" %d", *(p + argc));
    int at = 1;
    printf(" %d %d\n", a[at++], at);
}
