#include <cstdio>
#include <cstdlib>

const int THREADS = 128;
const int STEPS = 80;

// Ends the program if a call of the CUDA runtime failed.
static void check(cudaError_t status, const char *call) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
    exit(1);
}

// Returns the number in `text`. Ends the program if it is not between `least` and `most`.
static int number(const char *text, int least, int most) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > most) {
        fprintf(stderr, "%s: expected a number from %d to %d\n", text, least, most);
        exit(2);
    }
    return (int)value;
}

// Returns the next number of a pseudorandom sequence, from 0 to `limit` - 1.
static unsigned state;

static int next_number(int limit) {
    state = state * 1664525u + 1013904223u;
    return (int)(state >> 16) % limit;
}

// Changes each number in 80 steps, with one rule for even indices and one for odd indices.
__global__ void walk(unsigned *numbers, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int odd = i % 2;
    if (i >= count) return;
    unsigned value = numbers[i];
    if (odd) {
#pragma unroll 8
        for (int step = 0; step < STEPS; step++) value = value * 5u + (value >> 7);
    } else {
#pragma unroll 8
        for (int step = 0; step < STEPS; step++) value = (value ^ (value << 3)) + 11u;
    }
    numbers[i] = value;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: divergence COUNT SEED\n");
        return 2;
    }
    int count = number(argv[1], 1, 100000);
    state = number(argv[2], 1, 9999);
    size_t bytes = count * sizeof(unsigned);
    unsigned *numbers = (unsigned *)malloc(bytes);
    for (int i = 0; i < count; i++) numbers[i] = 1 + next_number(9999);

    unsigned *device_numbers;
    check(cudaMalloc((void **)&device_numbers, bytes), "cudaMalloc");
    check(cudaMemcpy(device_numbers, numbers, bytes, cudaMemcpyHostToDevice), "first copy");

    int blocks = (count + THREADS - 1) / THREADS;
    walk<<<blocks, THREADS>>>(device_numbers, count);
    check(cudaGetLastError(), "launch of walk");
    check(cudaMemcpy(numbers, device_numbers, bytes, cudaMemcpyDeviceToHost), "second copy");

    printf("first:");
    for (int i = 0; i < count && i < 6; i++) printf(" %u", numbers[i]);
    printf("\nlast: %u\n", numbers[count - 1]);
    for (int first = 0; first < count; first += 128) {
        int end = first + 128 < count ? first + 128 : count;
        unsigned total = 0;
        for (int i = first; i < end; i++) total += numbers[i] % 1000;
        printf("numbers %d to %d: %u\n", first, end - 1, total);
    }

    check(cudaFree(device_numbers), "cudaFree");
    free(numbers);
    return 0;
}
