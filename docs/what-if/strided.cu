// Each thread reads one word of every 64 bytes.
__global__ void strided(const float *in, float *out, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 4; k++)
        sum += in[(k * n + i) * stride];
    out[i] = sum;
}
