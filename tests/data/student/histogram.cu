// A histogram with four bins in global memory: all threads add to the same words.
#include <stdio.h>

#define N 32768
#define BINS 4

__global__ void count(const unsigned char *in, unsigned int *bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[in[i] % BINS], 1u);
}

int main() {
    static unsigned char in[N];
    unsigned int bins[BINS] = {0, 0, 0, 0}, found[BINS];
    for (int i = 0; i < N; ++i) ++bins[(in[i] = i * 7) % BINS];
    unsigned char *device_in;
    unsigned int *device_bins;
    cudaMalloc((void **)&device_in, sizeof(in));
    cudaMalloc((void **)&device_bins, sizeof(bins));
    cudaMemcpy(device_in, in, sizeof(in), cudaMemcpyHostToDevice);
    cudaMemset(device_bins, 0, sizeof(bins));
    count<<<N / 256, 256>>>(device_in, device_bins);
    cudaMemcpy(found, device_bins, sizeof(bins), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int bin = 0; bin < BINS; ++bin) wrong += bins[bin] != found[bin];
    printf(wrong ? "FAILED\n" : "PASSED\n");
    cudaFree(device_in);
    cudaFree(device_bins);
    return wrong != 0;
}
