// The longest of many sequences: a maximum of packed numbers with compare and swap.
#include <cstdio>
#include <cstdint>
#include <cstdlib>

union Best {
    unsigned long long packed;
    struct {
        uint32_t start;
        uint32_t length;
    } part;
};

__device__ unsigned long long best_of_all;
__device__ unsigned int lengths[8];

__host__ __device__ inline int length_of(uint64_t n) {
    int steps = 0;
    for (; n != 1; steps++) n = n & 1 ? 3 * n + 1 : n >> 1;
    return steps;
}

__device__ void keep_best(unsigned long long *address, unsigned long long mine) {
    unsigned long long old = *address, seen;
    while (old < mine) {
        seen = atomicCAS(address, old, mine);
        if (seen == old) break;
        old = seen;
    }
}

__global__ void collatz(uint32_t from, uint32_t to) {
    Best mine;
    mine.packed = 0;
    for (uint32_t n = from + blockIdx.x * blockDim.x + threadIdx.x; n < to; n += blockDim.x * gridDim.x) {
        Best now;
        now.part.length = length_of(n);
        now.part.start = ~n;
        if (now.packed > mine.packed) mine = now;
        int slot = now.part.length / 20;
        atomicAdd(&lengths[slot > 7 ? 7 : slot], 1);
    }
    keep_best(&best_of_all, mine.packed);
}

int main() {
    const uint32_t limits[] = {1, 10, 100, 1000, 3000};
    const unsigned long long zero = 0;
    unsigned histogram[8] = {0}, expected[8] = {0};
    bool good = true;
    for (size_t i = 1; i < sizeof limits / sizeof *limits; i++) {
        Best best;
        if (cudaMemcpyToSymbol(best_of_all, &zero, sizeof zero) != cudaSuccess) return EXIT_FAILURE;
        collatz<<<4, 64>>>(limits[i - 1], limits[i]);
        if (cudaDeviceSynchronize() != cudaSuccess) return EXIT_FAILURE;
        cudaMemcpyFromSymbol(&best.packed, best_of_all, sizeof best);
        int longest = -1;
        uint32_t start = 0;
        for (uint32_t n = limits[i - 1]; n < limits[i]; n++) {
            const int length = length_of(n);
            ++expected[length / 20 < 7 ? length / 20 : 7];
            if (length > longest) longest = length, start = n;
        }
        printf("%4u to %4u: %u with %u steps\n", limits[i - 1], limits[i] - 1, ~best.part.start, best.part.length);
        good = good && ~best.part.start == start && (int)best.part.length == longest;
    }
    cudaMemcpyFromSymbol(histogram, lengths, sizeof histogram);
    for (int i = 0; i < 8; i++) {
        printf("%3d%s %5u ", i * 20, i == 7 ? "+" : " ", histogram[i]);
        for (unsigned k = 0; k < histogram[i]; k += 40) putchar('*');
        printf("\n");
        good &= histogram[i] == expected[i];
    }
    printf("%s\n", good ? "PASSED" : "FAILED");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
