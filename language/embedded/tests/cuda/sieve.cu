// The sieve of Eratosthenes: cudaMemset, a counter and bytes of the device.
#include <stdio.h>
#include <stdlib.h>

__device__ unsigned primes;

__global__ void strike(unsigned char *composite, int prime, int n) {
    int step = blockDim.x * gridDim.x;
    for (int k = prime + blockIdx.x * blockDim.x + threadIdx.x; k * prime < n; k += step) composite[k * prime] = 1;
}

__global__ void count(const unsigned char *composite, int n) {
    int i = 2 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && !composite[i]) atomicInc(&primes, 0xffffffffu);
}

int main() {
    int const n = 2000;
    unsigned char *device, *host = (unsigned char *)malloc(n);
    if (!host) return EXIT_FAILURE;
    cudaMalloc((void **)&device, n);
    cudaMemset(device, 0, n);
    int p = 2;
    while (p * p < n) {
        strike<<<2, 32>>>(device, p, n);
        do {
            ++p;
            cudaMemcpy(host, device + p, 1, cudaMemcpyDeviceToHost);
        } while (*host);
    }
    unsigned zero = 0, found = 0, expected = 0;
    cudaMemcpyToSymbol(primes, &zero, sizeof zero);
    count<<<(n + 99) / 100, 100>>>(device, n);
    cudaMemcpyFromSymbol(&found, primes, sizeof found);
    cudaMemcpy(host, device, n, cudaMemcpyDeviceToHost);
    for (int i = 2, printed = 0; i < n; i++) {
        bool prime = true;
        for (int d = 2; d * d <= i && prime; d++) prime = i % d != 0;
        expected += prime;
        if (prime && host[i]) goto wrong;
        if (prime && printed < 10) printf("%d%c", i, ++printed == 10 ? '\n' : ' ');
    }
    if (found != expected) goto wrong;
    printf("%u primes\nPASSED\n", found);
    free(host);
    return EXIT_SUCCESS;
wrong:
    puts("FAILED");
    return EXIT_FAILURE;
}
