// One-dimensional stencil: each element of `out` is the sum of 2 * RADIUS + 1 elements of `in`,
// which has RADIUS elements before the first and after the last of them.
//   warpsim run stencil.cu --launch stencil.ron --chip g80

#define RADIUS 3
#define BLOCK 128

__global__ void stencil(int n, const float *in, float *out)
{
    __shared__ float tile[BLOCK + 2 * RADIUS];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int t = threadIdx.x + RADIUS;
    tile[t] = in[i + RADIUS];
    if (threadIdx.x < RADIUS) {
        tile[t - RADIUS] = in[i];
        tile[t + BLOCK] = in[i + BLOCK + RADIUS];
    }
    __syncthreads();
    if (i >= n)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        sum += tile[t + offset];
    out[i] = sum;
}
