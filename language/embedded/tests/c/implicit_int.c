/* Variables without a type, and pointers that mix with integers. */
#include <stdio.h>

extern count;
int count = 3;
static k = 4, list[2] = {5, 6};

main()
{
    unsigned char bytes[64];
    unsigned char (*rows)[16] = (unsigned char((*)[16]))bytes;
    int x = 3;
    int *p = &x;
    long q = (long)p;
    int *r = q;
    long s = p;
    rows[1][2] = 7;
    if (p == q) printf("same\n");
    if (q != p) printf("different\n");
    *r = 9;
    printf("%d %d %d %d %d %d\n", count, k, list[1], bytes[18], x, s == q);
    return 0;
}
