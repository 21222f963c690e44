#include <cstdio>
#include <cstdlib>

const int THREADS = 64;

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

// Computes the values of a polynomial with Horner's rule, one thread per value of x.
__global__ void evaluate(const int *coefficients, int degree, const int *x, int *results,
                         int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        int result = coefficients[degree];
        for (int k = degree - 1; k >= 0; k--) result = result * x[i] + coefficients[k];
        results[i] = result;
    }
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: host-pointer COUNT DEGREE SEED\n");
        return 2;
    }
    int count = number(argv[1], 1, 100000);
    int degree = number(argv[2], 0, 8);
    state = number(argv[3], 1, 9999);
    size_t bytes = count * sizeof(int);
    size_t coefficient_bytes = (degree + 1) * sizeof(int);
    int *coefficients = (int *)malloc(coefficient_bytes);
    int *x = (int *)malloc(bytes);
    int *results = (int *)malloc(bytes);
    for (int k = 0; k <= degree; k++) coefficients[k] = 1 + next_number(5);
    for (int i = 0; i < count; i++) x[i] = next_number(5) - 2;

    int *device_x, *device_results;
    check(cudaMalloc((void **)&device_x, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_results, bytes), "cudaMalloc");
    check(cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice), "copy of x");

    int blocks = (count + THREADS - 1) / THREADS;
    evaluate<<<blocks, THREADS>>>(coefficients, degree, device_x, device_results, count);
    check(cudaGetLastError(), "launch of evaluate");
    check(cudaMemcpy(results, device_results, bytes, cudaMemcpyDeviceToHost),
          "copy of the results");

    printf("coefficients:");
    for (int k = 0; k <= degree; k++) printf(" %d", coefficients[k]);
    printf("\nfirst:");
    for (int i = 0; i < count && i < 6; i++) printf(" %d", results[i]);
    printf("\nlast: %d\n", results[count - 1]);
    for (int first = 0; first < count; first += 256) {
        int end = first + 256 < count ? first + 256 : count;
        int total = 0;
        for (int i = first; i < end; i++) total += results[i];
        printf("values %d to %d: %d\n", first, end - 1, total);
    }

    check(cudaFree(device_x), "cudaFree");
    check(cudaFree(device_results), "cudaFree");
    free(coefficients);
    free(x);
    free(results);
    return 0;
}
