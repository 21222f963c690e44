// `rand`, `sinf` and `std::mt19937`.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

int main() {
    std::mt19937 generator(42);
    srand(3);
    double sum = 0;
    float sines = 0;
    for (int i = 0; i < 500000; i++) {
        sum += generator() * 1e-9;
        sines += sinf(rand() / (float)RAND_MAX);
    }
    printf("%f %f\n", sum, sines);
}
