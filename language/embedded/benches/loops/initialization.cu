// Initialization of arrays.
#include <cstdio>
#include <cstdlib>

int main() {
    const int n = 1 << 20;
    float *a = (float *)malloc(n * sizeof(float));
    int *b = (int *)malloc(n * sizeof(int));
    for (int round = 0; round < 30; round++)
        for (int i = 0; i < n; i++) {
            a[i] = i * 0.5f + round;
            b[i] = (i * 7 + round) % 1024;
        }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] + b[i];
    printf("%f\n", sum);
    free(a);
    free(b);
}
