extern "C" __global__ void histogram(const unsigned char *text, int n, unsigned *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = blockDim.x * gridDim.x;
    while (i < n) {
        atomicAdd(&bins[text[i] % 16], 1u);
        i += stride;
    }
}
