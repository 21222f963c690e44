// Sums of seven neighbours, with a halo in shared memory.
#include <assert.h>
#include <stdio.h>

const int RADIUS = 3;
const int BLOCK = 64;
const int N = 500;

__global__ void stencil(const float *in, float *out) {
    __shared__ float tile[BLOCK + 2 * RADIUS];
    int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + RADIUS;
    tile[l] = g < N ? in[g] : 0;
    if (threadIdx.x < RADIUS) {
        tile[l - RADIUS] = g >= RADIUS && g - RADIUS < N ? in[g - RADIUS] : 0;
        tile[l + BLOCK] = g + BLOCK < N ? in[g + BLOCK] : 0;
    }
    __syncthreads();
    if (g >= N) return;
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++) sum += tile[l + k];
    out[g] = sum;
}

static float in[N], out[N];

int main(void) {
    for (int i = 0; i < N; ++i) in[i] = (float)((i * i) % 101) / 4;
    float *device[2];
    for (float **d = device; d < device + 2; ++d) cudaMalloc(d, sizeof in);
    cudaMemcpy(device[0], in, sizeof in, cudaMemcpyHostToDevice);
    stencil<<<dim3((N + BLOCK - 1) / BLOCK), dim3(BLOCK)>>>(device[0], device[1]);
    assert(cudaGetLastError() == cudaSuccess);
    cudaMemcpy(out, device[1], sizeof out, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; ++i) {
        float sum = 0;
        for (int k = i - RADIUS; k <= i + RADIUS; ++k) sum += k < 0 || k >= N ? 0 : in[k];
        wrong += sum != out[i];
    }
    printf("%.2f %8.3e %g, %d wrong\n%s\n", out[0], out[250], out[N - 1], wrong, wrong ? "FAILED" : "PASSED");
    return wrong;
}
