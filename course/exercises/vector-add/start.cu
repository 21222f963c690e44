#include <cstdio>
#include <cstdlib>

const int THREADS = 128;
const int PART = 512;

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

__global__ void add(const int *a, const int *b, int *sum, int count) {
    // Your code: compute the index of this thread, and add one pair of elements.
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: vector-add COUNT SEED\n");
        return 2;
    }
    int count = number(argv[1], 1, 100000);
    state = number(argv[2], 1, 9999);
    size_t bytes = count * sizeof(int);
    int *a = (int *)malloc(bytes);
    int *b = (int *)malloc(bytes);
    int *sum = (int *)malloc(bytes);
    for (int i = 0; i < count; i++) {
        a[i] = 1 + next_number(9);
        b[i] = 1 + next_number(9);
    }

    int *device_a, *device_b, *device_sum;
    check(cudaMalloc((void **)&device_a, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_b, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_sum, bytes), "cudaMalloc");
    check(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice), "copy of a");
    check(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice), "copy of b");

    // Your code: launch at least one thread for each element.
    int blocks = 1;
    add<<<blocks, THREADS>>>(device_a, device_b, device_sum, count);
    check(cudaGetLastError(), "launch of add");
    check(cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost), "copy of the result");

    printf("first:");
    for (int i = 0; i < count && i < 6; i++) printf(" %d", sum[i]);
    printf("\nlast: %d\n", sum[count - 1]);
    for (int first = 0; first < count; first += PART) {
        int end = first + PART < count ? first + PART : count;
        int total = 0;
        for (int i = first; i < end; i++) total += sum[i];
        printf("elements %d to %d: %d\n", first, end - 1, total);
    }

    check(cudaFree(device_a), "cudaFree");
    check(cudaFree(device_b), "cudaFree");
    check(cudaFree(device_sum), "cudaFree");
    free(a);
    free(b);
    free(sum);
    return 0;
}
