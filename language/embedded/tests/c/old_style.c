/* Functions without prototypes, as C had them before its standard. */
#include <stdio.h>

double half();
int f(int), g(int), *h(void), limit = 7;
float negated(), twice(float);
int abs();

float squash(x)
float x;
{
    return x / (1.0 + x);
}

scale(a, b, c)
int a, *b;
double c;
{
    *b += a;
    return (int)(c * a);
}

static int sum(values, count)
int values[];
int count;
{
    int total = 0;
    while (count--) total += values[count];
    return total;
}

main()
{
    int v = 3, list[3] = {1, 20, 300};
    char small = 'a';
    printf("%g %d %d %d\n", half(3.0), f(1), g(2), limit + *h());
    printf("%g %d\n", squash(3.0f), scale(2, &v, 2.5));
    printf("%d\n", v);
    printf("%d %d\n", sum(list, 3), abs(-f(41)));
    printf("%g %g\n", negated(1.5f), twice(0.25f));
    printf("%d %d\n", later(small, 4), later(1, 1));
    return 0;
}

int f(int a) { return a + 1; }
int g(int a) { return a * 2; }
int *h(void)
{
    static int x = 5;
    return &x;
}
int later(int a, int b) { return a * b; }
double half(double x) { return x / 2; }
float negated(double x) { return -x; }
float twice(float x) { return 2 * x; }
