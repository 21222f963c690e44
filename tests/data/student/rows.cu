// Sums of rows, one thread for each row: neighbors read words that lie a row apart.
#include <stdio.h>
#include <stdlib.h>

#define ROWS 512
#define COLUMNS 256

__global__ void sums(const float *in, float *out) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int column = 0; column < COLUMNS; ++column) sum += in[row * COLUMNS + column];
    out[row] = sum;
}

int main() {
    float *in = (float *)malloc(ROWS * COLUMNS * sizeof(float)), *out = (float *)malloc(ROWS * sizeof(float));
    for (int i = 0; i < ROWS * COLUMNS; ++i) in[i] = i % 7;
    float *device_in, *device_out;
    cudaMalloc((void **)&device_in, ROWS * COLUMNS * sizeof(float));
    cudaMalloc((void **)&device_out, ROWS * sizeof(float));
    cudaMemcpy(device_in, in, ROWS * COLUMNS * sizeof(float), cudaMemcpyHostToDevice);
    sums<<<ROWS / 64, 64>>>(device_in, device_out);
    cudaMemcpy(out, device_out, ROWS * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int row = 0; row < ROWS; ++row) {
        float sum = 0;
        for (int column = 0; column < COLUMNS; ++column) sum += in[row * COLUMNS + column];
        wrong += sum != out[row];
    }
    printf(wrong ? "FAILED: %d\n" : "PASSED\n", wrong);
    cudaFree(device_in);
    cudaFree(device_out);
    free(in);
    free(out);
    return wrong != 0;
}
