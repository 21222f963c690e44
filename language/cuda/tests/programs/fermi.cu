__device__ __noinline__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

typedef int (*Operation)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int times(int a, int b) { return a * b; }

struct Pair {
    int first, second;
};

__device__ __noinline__ Pair reversed(Pair pair)
{
    Pair result = {pair.second, pair.first};
    return result;
}

extern "C" __global__ void calls(int *out)
{
    int t = threadIdx.x;
    Operation operation = t & 1 ? plus : times;
    Pair pair = {t, 100 - t};
    pair = reversed(pair);
    out[4 * t] = factorial(t % 8);
    out[4 * t + 1] = operation(t, 3);
    out[4 * t + 2] = pair.first * 1000 + pair.second;
    __shared__ int shared[32];
    int local[2] = {t, 7 * t};
    int *p = t & 2 ? shared + t : local + (t & 1);
    shared[t] = 5 * t;
    out[4 * t + 3] = *p + __popc(t) + __clz(t + 1);
}

extern "C" __global__ void histogram_shared(const int *in, int *bins, int n)
{
    __shared__ int mine[8];
    if (threadIdx.x < 8)
        mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&mine[in[i] & 7], 1);
    __syncthreads();
    if (threadIdx.x < 8)
        bins[threadIdx.x] = mine[threadIdx.x];
}

extern "C" __global__ void doubles(const float *in, float *out)
{
    int t = threadIdx.x;
    double x = in[t];
    out[t] = (float)(x * x / 3.0 + 0.5);
}
