// Inclusive prefix sums of one block (Hillis and Steele), in two halves of dynamic shared memory.
//   warpsim run scan.cu --launch scan.ron --chip g80

__global__ void scan(const int *in, int *out)
{
    extern __shared__ int halves[];
    int n = blockDim.x, t = threadIdx.x;
    int from = 0, to = n;
    halves[t] = in[t];
    for (int distance = 1; distance < n; distance *= 2) {
        __syncthreads();
        int sum = halves[from + t];
        if (t >= distance)
            sum += halves[from + t - distance];
        halves[to + t] = sum;
        int other = from;
        from = to;
        to = other;
    }
    out[t] = halves[from + t];
}
