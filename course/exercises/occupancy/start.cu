// Smooths a signal with a triangular window.
// Call: occupancy N SEED
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 32
#define RADIUS 8

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

// Adds RADIUS values on each side with falling weights. The first and the last value of the signal
// are used for positions outside of it.
__global__ void smooth(const int *in, int *out, int n)
{
    __shared__ int window[3072]; // enough for each number of threads
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    window[RADIUS + t] = in[min(i, n - 1)];
    if (t < RADIUS) {
        window[t] = in[min(max(i - RADIUS, 0), n - 1)];
        window[RADIUS + BLOCK + t] = in[min(i + BLOCK, n - 1)];
    }
    __syncthreads();

    if (i < n) {
        int sum = 0;
        for (int d = -RADIUS; d <= RADIUS; d++)
            sum += (RADIUS + 1 - abs(d)) * window[RADIUS + t + d];
        out[i] = sum;
    }
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[1]) : 0;
    if (n < 1 || n > 100000) {
        fprintf(stderr, "usage: occupancy N SEED, with 1 to 100000 values\n");
        return 2;
    }
    state = (unsigned int)atoi(argv[2]);

    size_t bytes = n * sizeof(int);
    int *signal = (int *)malloc(bytes);
    for (int i = 0; i < n; i++)
        signal[i] = next_number(1000);

    int *d_in, *d_out;
    CHECK(cudaMalloc((void **)&d_in, bytes));
    CHECK(cudaMalloc((void **)&d_out, bytes));
    CHECK(cudaMemcpy(d_in, signal, bytes, cudaMemcpyHostToDevice));

    smooth<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(signal, d_out, bytes, cudaMemcpyDeviceToHost));

    printf("first %d, middle %d, last %d\n", signal[0], signal[n / 2], signal[n - 1]);
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long long)signal[i] * (i % 1009 + 1);
    printf("weighted sum %lld\n", sum);

    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    free(signal);
    return 0;
}
