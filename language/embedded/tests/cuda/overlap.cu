// Halves of an array in two streams, with pinned memory and asynchronous copies.
#include <stdio.h>

__global__ void square(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= x[i];
}

int main() {
    const int n = 512, half = n / 2;
    int *pinned, *device;
    cudaMallocHost((void **)&pinned, n * sizeof(int));
    cudaMalloc((void **)&device, n * sizeof(int));
    for (int i = 0; i < n; i++) pinned[i] = i - 256;
    cudaStream_t streams[2];
    for (int s = 0; s < 2; s++) cudaStreamCreate(&streams[s]);
    for (int s = 0; s < 2; s++) {
        int from = s * half;
        cudaMemcpyAsync(device + from, pinned + from, half * sizeof(int), cudaMemcpyHostToDevice, streams[s]);
        square<<<half / 64, 64, 0, streams[s]>>>(device + from, half);
        cudaMemcpyAsync(pinned + from, device + from, half * sizeof(int), cudaMemcpyDeviceToHost, streams[s]);
    }
    cudaError_t code = cudaSuccess;
    for (int s = 0; s < 2 && code == cudaSuccess; s++) code = cudaStreamSynchronize(streams[s]);
    printf("%s, ready %d\n", cudaGetErrorString(code), cudaStreamQuery(streams[0]) == cudaSuccess);
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += pinned[i] != (i - 256) * (i - 256);
    printf("%d %d %d\n%s\n", pinned[0], pinned[256], pinned[511], wrong ? "FAILED" : "PASSED");
    for (int s = 0; s < 2; s++) cudaStreamDestroy(streams[s]);
    cudaFreeHost(pinned);
    cudaFree(device);
    return wrong ? 1 : 0;
}
