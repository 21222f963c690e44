// Histogram of bytes.
#include <cstdio>
#include <cstdlib>

int main() {
    const int n = 1 << 22;
    unsigned char *data = (unsigned char *)malloc(n);
    unsigned bins[256] = {0}, x = 7;
    for (int i = 0; i < n; i++) {
        x = x * 1664525 + 1013904223;
        data[i] = x >> 24;
    }
    for (int round = 0; round < 4; round++)
        for (int i = 0; i < n; i++) bins[data[i]]++;
    unsigned long sum = 0;
    for (int i = 0; i < 256; i++) sum += (unsigned long)bins[i] * i;
    printf("%lu\n", sum);
    free(data);
}
