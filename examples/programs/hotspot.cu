// Heat in a plate: a 5-point stencil with a tile in shared memory, two grids that swap roles.
// Build: warpcc hotspot.cu -o hotspot && ./hotspot [side] [steps]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define TILE 16

#define SAFE(call)                                                                                 \
    {                                                                                              \
        cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) {                                                               \
            fprintf(stderr, "error %d in line %d: %s\n", status, __LINE__,                         \
                    cudaGetErrorString(status));                                                   \
            exit(EXIT_FAILURE + 1);                                                                \
        }                                                                                          \
    }

// One step. The halo of the tile is loaded by the threads at its edges; the plate is insulated.
__global__ void step(const float *in, const float *power, float *out, int side, float flow, float gain)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    int last = side - 1;
    int cx = min(x, last), cy = min(y, last);

    tile[ty][tx] = in[cy * side + cx];
    if (threadIdx.x == 0)
        tile[ty][0] = in[cy * side + max(x - 1, 0)];
    if (threadIdx.x == TILE - 1)
        tile[ty][TILE + 1] = in[cy * side + min(x + 1, last)];
    if (threadIdx.y == 0)
        tile[0][tx] = in[max(y - 1, 0) * side + cx];
    if (threadIdx.y == TILE - 1)
        tile[TILE + 1][tx] = in[min(y + 1, last) * side + cx];
    __syncthreads();

    if (x < side && y < side) {
        float here = tile[ty][tx];
        float around = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
        out[y * side + x] = here + flow * (around - 4.0f * here) + gain * power[y * side + x];
    }
}

void step_on_host(const float *in, const float *power, float *out, int side, float flow, float gain)
{
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            float here = in[y * side + x];
            float left = in[y * side + (x > 0 ? x - 1 : 0)];
            float right = in[y * side + (x < side - 1 ? x + 1 : x)];
            float up = in[(y > 0 ? y - 1 : 0) * side + x];
            float down = in[(y < side - 1 ? y + 1 : y) * side + x];
            float around = left + right + up + down;
            out[y * side + x] = here + flow * (around - 4.0f * here) + gain * power[y * side + x];
        }
}

int main(int argc, char *argv[])
{
    int side = argc > 1 ? atoi(argv[1]) : 60;
    int steps = argc > 2 ? atoi(argv[2]) : 8;
    if (side < 2 || steps < 1) {
        fprintf(stderr, "usage: hotspot [side] [steps]\n");
        return 2;
    }
    size_t bytes = (size_t)side * side * sizeof(float);
    float *heat = (float *)malloc(bytes), *power = (float *)malloc(bytes), *result = (float *)malloc(bytes);
    for (int i = 0; i < side * side; i++) {
        heat[i] = 320.0f + (i * 37 % 101) * 0.1f;
        power[i] = i % side > side / 2 && i / side < side / 3 ? 2.0f : 0.0f;
    }

    float *d_grid[2], *d_power;
    SAFE(cudaMalloc((void **)&d_grid[0], bytes));
    SAFE(cudaMalloc((void **)&d_grid[1], bytes));
    SAFE(cudaMalloc((void **)&d_power, bytes));
    SAFE(cudaMemcpy(d_grid[0], heat, bytes, cudaMemcpyHostToDevice));
    SAFE(cudaMemcpy(d_power, power, bytes, cudaMemcpyHostToDevice));

    dim3 threads(TILE, TILE), blocks((side + TILE - 1) / TILE, (side + TILE - 1) / TILE);
    int src = 0;
    for (int t = 0; t < steps; t++, src = !src)
        step<<<blocks, threads>>>(d_grid[src], d_power, d_grid[!src], side, 0.1f, 0.25f);
    SAFE(cudaThreadSynchronize());
    SAFE(cudaMemcpy(result, d_grid[src], bytes, cudaMemcpyDeviceToHost));

    float *other = (float *)malloc(bytes);
    for (int t = 0; t < steps; t++) {
        step_on_host(heat, power, other, side, 0.1f, 0.25f);
        float *swap = heat;
        heat = other;
        other = swap;
    }
    float worst = 0.0f, hottest = 0.0f;
    for (int i = 0; i < side * side; i++) {
        worst = fmaxf(worst, fabsf(result[i] - heat[i]) / heat[i]);
        hottest = fmaxf(hottest, result[i]);
    }
    printf("%d x %d points, %d steps: hottest %.3f\n", side, side, steps, hottest);
    printf("%s\n", worst < 1e-5f ? "PASSED" : "FAILED");

    SAFE(cudaFree(d_grid[0]));
    SAFE(cudaFree(d_grid[1]));
    SAFE(cudaFree(d_power));
    free(heat);
    free(power);
    free(result);
    free(other);
    return worst < 1e-5f ? 0 : 1;
}
