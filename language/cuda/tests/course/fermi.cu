// What compute capability 2.0 added.

// Votes, and values that the lanes of a warp exchange.
__global__ void __launch_bounds__(64, 2) votes(const int *in, unsigned *out)
{
    int t = threadIdx.x, lane = t % warpSize;
    int p = in[t] > 10;
    unsigned mask = __ballot(p);
    out[t] = __popc(mask & ((1u << lane) - 1)) + (__all(p) ? 1000 : 0) + (__any(p) ? 100 : 0) +
             10000 * __syncthreads_count(p);
}

__device__ double atomicAddDouble(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address;
    unsigned long long int old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__global__ void sumDoubles(const float *in, double *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAddDouble(sum, (double)in[i]);
}

typedef float (*Function)(float);
__device__ float half(float x) { return 0.5f * x; }
__device__ float square(float x) { return x * x; }
__device__ Function functions[2] = {half, square};
__global__ void callTable(const float *in, float *out, int n)
{
    int i = threadIdx.x;
    if (i < n) out[i] = functions[i % 2](in[i]);
}

__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void recursive(int *out) { out[threadIdx.x] = fib(threadIdx.x % 10); }
