#include <cstdio>
#include <cstdlib>

const int LINE = 96;

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

// Stores the number of this thread in the line, and waits for the numbers of the other threads.
__device__ void share(int *part, int number) {
    part[threadIdx.x] = number;
    __syncthreads();
}

// Reverses the lines, every gridDim.x-th one in a block. The last line has the rest of the numbers.
__global__ void reverse(const int *numbers, int *result, int count) {
    __shared__ int part[LINE];
    for (int first = blockIdx.x * LINE; first < count; first += gridDim.x * LINE) {
        int i = first + threadIdx.x;
        int length = count - first < LINE ? count - first : LINE;
        share(part, i < count ? numbers[i] : 0);
        if (i < count) result[i] = part[length - 1 - threadIdx.x];
        __syncthreads();
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: divergent-barrier COUNT SEED\n");
        return 2;
    }
    int count = number(argv[1], 1, 100000);
    state = number(argv[2], 1, 9999);
    size_t bytes = count * sizeof(int);
    int *numbers = (int *)malloc(bytes);
    int *result = (int *)malloc(bytes);
    for (int i = 0; i < count; i++) numbers[i] = 1 + next_number(99);

    int *device_numbers, *device_result;
    check(cudaMalloc((void **)&device_numbers, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_result, bytes), "cudaMalloc");
    check(cudaMemcpy(device_numbers, numbers, bytes, cudaMemcpyHostToDevice), "first copy");

    int lines = (count + LINE - 1) / LINE;
    reverse<<<(lines + 1) / 2, LINE>>>(device_numbers, device_result, count);
    check(cudaGetLastError(), "launch of reverse");
    check(cudaMemcpy(result, device_result, bytes, cudaMemcpyDeviceToHost), "second copy");

    printf("first:");
    for (int i = 0; i < count && i < 6; i++) printf(" %d", result[i]);
    printf("\nlast: %d\n", result[count - 1]);
    for (int first = 0; first < count; first += LINE) {
        int total = 0;
        for (int i = first; i < count && i < first + LINE; i++) {
            total += (i - first + 1) * result[i];
        }
        printf("line %d: %d\n", first / LINE, total);
    }

    check(cudaFree(device_numbers), "cudaFree");
    check(cudaFree(device_result), "cudaFree");
    free(numbers);
    free(result);
    return 0;
}
