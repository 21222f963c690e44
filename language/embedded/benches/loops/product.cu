// Product of matrices.
#include <cstdio>
#include <cstdlib>

int main() {
    int n = 300;
    float *a = (float *)malloc(n * n * 4), *b = (float *)malloc(n * n * 4), *c = (float *)malloc(n * n * 4);
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    double sum = 0;
    for (int i = 0; i < n * n; i++) sum += c[i];
    printf("%f\n", sum);
    free(a);
    free(b);
    free(c);
}
