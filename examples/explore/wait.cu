// All warps but the first one wait for it.

__global__ void wait(volatile int *flag, int *out)
{
    int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (threadIdx.x % 32 != 0)
        return;
    if (warp == 0) {
        out[0] = 5;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        __threadfence();
        out[warp] = out[0];
    }
}
