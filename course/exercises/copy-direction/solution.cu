#include <cstdio>
#include <cstdlib>

const int THREADS = 128;

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

// Returns the sum of the elements from `first` to `end` - 1.
static int sum(const int *values, int first, int end) {
    int total = 0;
    for (int i = first; i < end; i++) total += values[i];
    return total;
}

__global__ void multiply(const int *prices, const int *pieces, int *totals, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) totals[i] = prices[i] * pieces[i];
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: copy-direction COUNT SEED\n");
        return 2;
    }
    int count = number(argv[1], 1, 100000);
    state = number(argv[2], 1, 9999);
    size_t bytes = count * sizeof(int);
    int *prices = (int *)malloc(bytes);
    int *pieces = (int *)malloc(bytes);
    int *totals = (int *)malloc(bytes);
    for (int i = 0; i < count; i++) {
        prices[i] = 1 + next_number(99);
        pieces[i] = 1 + next_number(8);
    }

    int *device_prices, *device_pieces, *device_totals;
    check(cudaMalloc((void **)&device_prices, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_pieces, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_totals, bytes), "cudaMalloc");
    check(cudaMemcpy(device_prices, prices, bytes, cudaMemcpyHostToDevice), "first copy");
    check(cudaMemcpy(device_pieces, pieces, bytes, cudaMemcpyHostToDevice), "second copy");
    printf("sum of the prices: %d\n", sum(prices, 0, count));
    printf("sum of the pieces: %d\n", sum(pieces, 0, count));

    int blocks = (count + THREADS - 1) / THREADS;
    multiply<<<blocks, THREADS>>>(device_prices, device_pieces, device_totals, count);
    check(cudaGetLastError(), "launch of multiply");
    check(cudaMemcpy(totals, device_totals, bytes, cudaMemcpyDeviceToHost), "copy of the totals");

    printf("first:");
    for (int i = 0; i < count && i < 6; i++) printf(" %d", totals[i]);
    printf("\nlast: %d\n", totals[count - 1]);
    for (int first = 0; first < count; first += 256) {
        int end = first + 256 < count ? first + 256 : count;
        printf("articles %d to %d: %d\n", first, end - 1, sum(totals, first, end));
    }

    check(cudaFree(device_prices), "cudaFree");
    check(cudaFree(device_pieces), "cudaFree");
    check(cudaFree(device_totals), "cudaFree");
    free(prices);
    free(pieces);
    free(totals);
    return 0;
}
