// Computes a function of each element; copies and kernels overlap.
// Call: streams N SEED
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 128
#define PER_THREAD 4 // elements of a thread
#define STREAMS 4

// Ends the program if a call of the CUDA runtime failed.
#define CHECK(call) check((call), __LINE__)

static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

static unsigned int state;

// Returns the next pseudorandom number from 0 to bound - 1.
static int next_number(int bound)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 16) % (unsigned int)bound);
}

// Computes out[i] = in[i] * in[i] - 3 * in[i] for n elements.
__global__ void compute(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK * PER_THREAD + threadIdx.x;
    for (int k = 0; k < PER_THREAD; k++, i += BLOCK)
        if (i < n)
            out[i] = in[i] * in[i] - 3 * in[i];
}

static int blocks_for(int n)
{
    return (n + BLOCK * PER_THREAD - 1) / (BLOCK * PER_THREAD);
}

// Computes n elements on the device: from `in` to `out`, which are in host memory. The arrays
// `d_in` and `d_out` in device memory have n elements, too.
static void process(const int *in, int *out, int *d_in, int *d_out, int n)
{
    cudaStream_t streams[STREAMS];
    for (int s = 0; s < STREAMS; s++)
        CHECK(cudaStreamCreate(&streams[s]));

    // Each stream has one part: the copy to the device of a part overlaps with the kernel and with
    // the copy to the host of an earlier part.
    int part = (n + STREAMS - 1) / STREAMS;
    for (int s = 0; s * part < n; s++) {
        int first = s * part;
        int count = min(part, n - first);
        size_t bytes = count * sizeof(int);
        CHECK(cudaMemcpyAsync(d_in + first, in + first, bytes, cudaMemcpyHostToDevice, streams[s]));
        compute<<<blocks_for(count), BLOCK, 0, streams[s]>>>(d_in + first, d_out + first, count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost,
                              streams[s]));
    }
    for (int s = 0; s < STREAMS; s++) {
        CHECK(cudaStreamSynchronize(streams[s]));
        CHECK(cudaStreamDestroy(streams[s]));
    }
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[1]) : 0;
    if (n < 1 || n > 1000000) {
        fprintf(stderr, "usage: streams N SEED, with 1 to 1000000 elements\n");
        return 2;
    }
    state = (unsigned int)atoi(argv[2]);

    size_t bytes = n * sizeof(int);
    int *in, *out;
    CHECK(cudaMallocHost((void **)&in, bytes));
    CHECK(cudaMallocHost((void **)&out, bytes));
    for (int i = 0; i < n; i++) {
        in[i] = next_number(20001) - 10000;
        out[i] = 0;
    }

    int *d_in, *d_out;
    CHECK(cudaMalloc((void **)&d_in, bytes));
    CHECK(cudaMalloc((void **)&d_out, bytes));
    CHECK(cudaMemset(d_out, 0, bytes));

    process(in, out, d_in, d_out, n);

    for (int i = 0; i < n; i += (n + 7) / 8)
        printf("element %d: %d\n", i, out[i]);
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long long)out[i] * (i % 101 + 1);
    printf("last %d, weighted sum %lld\n", out[n - 1], sum);

    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return 0;
}
