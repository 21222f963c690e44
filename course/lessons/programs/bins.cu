// Histograms of bytes in 16 bins: without atomics, with atomics on global memory, and with
// atomics on shared memory. The program runs on chips from compute capability 1.2 on.
#include <stdio.h>

#define N 16384
#define BINS 16

__global__ void lost(const unsigned char *in, int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bins[in[i] % BINS] += 1;
}

__global__ void global_atomics(const unsigned char *in, int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[in[i] % BINS], 1);
}

__global__ void shared_atomics(const unsigned char *in, int *bins)
{
    __shared__ int counts[BINS];
    if (threadIdx.x < BINS)
        counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[in[i] % BINS], 1);
    __syncthreads();
    if (threadIdx.x < BINS)
        atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

static void show(const char *name, const int *d_bins)
{
    int bins[BINS], sum = 0;
    cudaMemcpy(bins, d_bins, sizeof(bins), cudaMemcpyDeviceToHost);
    for (int b = 0; b < BINS; b++)
        sum += bins[b];
    printf("%s: %d of %d bytes counted\n", name, sum, N);
}

int main()
{
    static unsigned char in[N];
    for (int i = 0; i < N; i++)
        in[i] = (i * 7 + i / 64) % 251;
    unsigned char *d_in;
    int *d_bins;
    cudaMalloc((void **)&d_in, N);
    cudaMalloc((void **)&d_bins, BINS * sizeof(int));
    cudaMemcpy(d_in, in, N, cudaMemcpyHostToDevice);

    cudaMemset(d_bins, 0, BINS * sizeof(int));
    lost<<<N / 256, 256>>>(d_in, d_bins);
    show("no atomics", d_bins);
    cudaMemset(d_bins, 0, BINS * sizeof(int));
    global_atomics<<<N / 256, 256>>>(d_in, d_bins);
    show("global atomics", d_bins);
    cudaMemset(d_bins, 0, BINS * sizeof(int));
    shared_atomics<<<16, 256>>>(d_in, d_bins);
    show("shared atomics", d_bins);
    cudaFree(d_in);
    cudaFree(d_bins);
    return 0;
}
