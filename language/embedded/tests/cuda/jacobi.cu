// Jacobi iterations on a plate until the largest change is small; the change is a maximum of bits.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define W 34
#define H 26
#define IDX(x, y) ((y) * W + (x))
#define SWAP(T, a, b) { T swapped = a; a = b; b = swapped; }

__device__ int d_change;

__global__ void sweep(const float *__restrict__ in, float *__restrict__ out) {
    __shared__ float tile[10][18];
    const int x = blockIdx.x * 16 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    tile[ty][tx] = in[IDX(x, y)];
    if (tx == 1) tile[ty][0] = in[IDX(x - 1, y)];
    if (tx == 16) tile[ty][17] = in[IDX(x + 1, y)];
    if (ty == 1) tile[0][tx] = in[IDX(x, y - 1)];
    if (ty == 8) tile[9][tx] = in[IDX(x, y + 1)];
    __syncthreads();
    float value = 0.25f * ((tile[ty][tx - 1] + tile[ty][tx + 1]) + (tile[ty - 1][tx] + tile[ty + 1][tx]));
    out[IDX(x, y)] = value;
    atomicMax(&d_change, __float_as_int(fabsf(value - tile[ty][tx])));
}

float sweep_on_host(const float *in, float *out) {
    float change = 0.f;
    for (int y = 1; y < H - 1; ++y)
        for (int x = 1; x < W - 1; ++x) {
            float value = 0.25f * ((in[IDX(x - 1, y)] + in[IDX(x + 1, y)]) + (in[IDX(x, y - 1)] + in[IDX(x, y + 1)]));
            change = std::fmax(change, std::fabs(value - in[IDX(x, y)]));
            out[IDX(x, y)] = value;
        }
    return change;
}

int main() {
    const size_t size = W * H * sizeof(float);
    float *plate = (float *)calloc(W * H, sizeof(float)), *other = (float *)malloc(size), *result = new float[W * H];
    for (int x = 0; x < W; x++) plate[IDX(x, 0)] = 100.0f;
    for (int y = 1; y < H; y++) plate[IDX(W - 1, y)] = 4.0f * y;
    memcpy(other, plate, size);
    float *d_a = NULL, *d_b = NULL;
    cudaMalloc(&d_a, size);
    cudaMalloc(&d_b, size);
    cudaMemcpy(d_a, plate, size, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, d_a, size, cudaMemcpyDeviceToDevice);
    int steps = 0, zero = 0;
    float change;
    bool same = true;
    do {
        cudaMemcpyToSymbol(d_change, &zero, sizeof zero);
        sweep<<<dim3((W - 2) / 16, (H - 2) / 8), dim3(16, 8)>>>(d_a, d_b);
        cudaMemcpyFromSymbol(&change, d_change, sizeof change);
        same = same && change == sweep_on_host(plate, other);
        SWAP(float *, d_a, d_b)
        SWAP(float *, plate, other)
        if (++steps % 20 == 0) printf("%4d: %.5f\n", steps, change);
    } while (change > 0.1f && steps < 1000);
    cudaMemcpy(result, d_a, size, cudaMemcpyDeviceToHost);
    same &= !memcmp(result, plate, size);
    printf("%d steps, middle %.4f\n", steps, result[IDX(W / 2, H / 2)]);
    for (int y = 2; y < H; y += 6) {
        for (int x = 0; x < W; x++) putchar(" .:-=+*#%@"[(int)(result[IDX(x, y)] / 100.01f * 10)]);
        putchar('|'), putchar('\n');
    }
    printf(same ? "PASSED\n" : "FAILED\n");
    cudaFree(d_a), cudaFree(d_b), free(plate), free(other), delete[] result;
    return !same;
}
