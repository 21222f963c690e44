// Wrong calls of the runtime, and the names and texts of their errors.
#include <stdio.h>
#include <string.h>

__global__ void nothing(int *x) {
    if (x) *x = 1;
}

static int number = 0;

static void show(const char *what, cudaError_t code) {
    printf("%d %-22s %s: %s\n", ++number, what, cudaGetErrorName(code), cudaGetErrorString(code));
}

int main() {
    int host[4] = {0}, *device = NULL, count = -1;
    show("no error", cudaGetLastError());
    show("malloc", cudaMalloc(&device, 16));
    show("too much", cudaMalloc((void **)&host, (size_t)1 << 50));
    show("last", cudaGetLastError());
    show("last again", cudaGetLastError());
    nothing<<<1, 100000>>>(device);
    show("threads", cudaPeekAtLastError());
    show("threads, last", cudaGetLastError());
    nothing<<<0, 1>>>(device);
    show("blocks", cudaGetLastError());
    nothing<<<1, 32, 1 << 20>>>(device);
    show("shared memory", cudaGetLastError());
    show("direction", cudaMemcpy(host, device, 16, (cudaMemcpyKind)9));
    show("device", cudaSetDevice(1000));
    show("free null", cudaFree(NULL));
    show("free", cudaFree(device));
    cudaGetLastError();
    show("count", cudaGetDeviceCount(&count));
    bool right = count > 0 && number == 14 && strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0;
    puts(right ? "PASSED" : "FAILED");
    return !right;
}
