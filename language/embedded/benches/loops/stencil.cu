// Four neighbours of each point.
#include <cstdio>
#include <vector>

int main() {
    const int n = 512;
    std::vector<float> a(n * n), b(n * n);
    for (int i = 0; i < n * n; i++) a[i] = (i * 13) % 101;
    for (int step = 0; step < 40; step++) {
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++)
                b[y * n + x] = 0.25f * (a[(y - 1) * n + x] + a[(y + 1) * n + x] + a[y * n + x - 1] + a[y * n + x + 1]);
        a.swap(b);
    }
    double sum = 0;
    for (float value : a) sum += value;
    printf("%f\n", sum);
}
