#include <cstdio>
#include <cstdlib>

const int SEGMENT = 128;

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

// Smooths each segment twice. The arrays have one more element at each end, which is always 0.
__global__ void smooth(const int *samples, int *results, int count) {
    __shared__ int before[SEGMENT + 2];
    __shared__ int after[SEGMENT + 2];
    int i = blockIdx.x * SEGMENT + threadIdx.x;
    int t = threadIdx.x + 1;
    if (threadIdx.x == 0) {
        before[0] = 0;
        before[SEGMENT + 1] = 0;
        after[0] = 0;
        after[SEGMENT + 1] = 0;
    }
    before[t] = i < count ? samples[i] : 0;
    __syncthreads();
    after[t] = before[t - 1] + 2 * before[t] + before[t + 1];
    int result = after[t - 1] + 2 * after[t] + after[t + 1];
    if (i < count) results[i] = result;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: missing-barrier COUNT SEED\n");
        return 2;
    }
    int count = number(argv[1], 1, 100000);
    state = number(argv[2], 1, 9999);
    size_t bytes = count * sizeof(int);
    int *samples = (int *)malloc(bytes);
    int *results = (int *)malloc(bytes);
    for (int i = 0; i < count; i++) samples[i] = 1 + next_number(9);

    int *device_samples, *device_results;
    check(cudaMalloc((void **)&device_samples, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_results, bytes), "cudaMalloc");
    check(cudaMemcpy(device_samples, samples, bytes, cudaMemcpyHostToDevice), "first copy");

    int segments = (count + SEGMENT - 1) / SEGMENT;
    smooth<<<segments, SEGMENT>>>(device_samples, device_results, count);
    check(cudaGetLastError(), "launch of smooth");
    check(cudaMemcpy(results, device_results, bytes, cudaMemcpyDeviceToHost), "second copy");

    printf("first:");
    for (int i = 0; i < count && i < 6; i++) printf(" %d", results[i]);
    printf("\nlast: %d\n", results[count - 1]);
    for (int first = 0; first < count; first += 32) {
        int end = first + 32 < count ? first + 32 : count;
        int total = 0;
        for (int i = first; i < end; i++) total += results[i];
        printf("samples %d to %d: %d\n", first, end - 1, total);
    }

    check(cudaFree(device_samples), "cudaFree");
    check(cudaFree(device_results), "cudaFree");
    free(samples);
    free(results);
    return 0;
}
