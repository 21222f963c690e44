// Polynomials with coefficients in constant memory, evaluated by Horner's rule on both sides.
#include <stdio.h>
#include <stdlib.h>

#define DEGREE 7

__constant__ int coefficients[DEGREE + 1];

__host__ __device__ int horner(const int *c, int x) {
    unsigned value = 0;
    for (int i = DEGREE; i >= 0; i--) value = value * x + c[i];
    return (int)value;
}

__global__ void evaluate(int *out, int from) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = horner(coefficients, from + i);
}

static void check(cudaError_t code, int line) {
    if (code != cudaSuccess) {
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(code));
        exit(1);
    }
}

#define CHECK(call) check(call, __LINE__)

int main() {
    const int sets[3][DEGREE + 1] = {{1, 2, 3, 4, 5, 6, 7, 8}, {-3, 0, 0, 1}, {1000003, -77, 12, 0, 0, 0, 5, -1}};
    int *device, host[96], wrong = 0;
    CHECK(cudaMalloc(&device, sizeof(host)));
    for (int set = 0; set < 3; set++) {
        CHECK(cudaMemcpyToSymbol(coefficients, sets[set], sizeof(sets[set])));
        evaluate<<<3, 32>>>(device, -48);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost));
        for (int i = 0; i < 96; i++) wrong += host[i] != horner(sets[set], i - 48);
        printf("p%d(-48) = %d, p(0) = %d, p(1) = %d\n", set, host[0], host[48], host[49]);
    }
    CHECK(cudaFree(device));
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
