// The same work behind a branch on the lane, on the warp, and in a loop of 1 to 4 trips.
#include <stdio.h>

__device__ float even(float x) { return x * 3.0f + 1.0f; }
__device__ float odd(float x) { return (x - 2.0f) * 0.5f; }

// Neighboring lanes take different sides.
__global__ void by_lane(float *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = values[i];
    if (threadIdx.x % 2 == 0) {
        for (int k = 0; k < 20; k++)
            x = even(x);
    } else {
        for (int k = 0; k < 20; k++)
            x = odd(x);
    }
    values[i] = x;
}

// All lanes of a warp take the same side.
__global__ void by_warp(float *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = values[i];
    if (threadIdx.x / 32 % 2 == 0) {
        for (int k = 0; k < 20; k++)
            x = even(x);
    } else {
        for (int k = 0; k < 20; k++)
            x = odd(x);
    }
    values[i] = x;
}

// A lane makes 1, 2, 3 or 4 trips.
__global__ void trips(float *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = values[i];
    int n = threadIdx.x % 4 + 1;
    for (int k = 0; k < n; k++)
        x = even(x);
    values[i] = x;
}

int main()
{
    const int n = 1024;
    float *values;
    cudaMalloc((void **)&values, n * sizeof(float));
    cudaMemset(values, 0, n * sizeof(float));
    by_lane<<<n / 256, 256>>>(values);
    by_warp<<<n / 256, 256>>>(values);
    trips<<<n / 256, 256>>>(values);
    float last;
    cudaMemcpy(&last, values + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
    printf("last value %g\n", last);
    cudaFree(values);
    return 0;
}
