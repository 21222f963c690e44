// Prefix sums, reductions and histograms.

#define SECTION_SIZE 64
#define BLOCK_DIM 64

__global__ void Kogge_Stone_scan(int *X, int *Y, unsigned int N)
{
    __shared__ int XY[SECTION_SIZE];
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        XY[threadIdx.x] = X[i];
    } else {
        XY[threadIdx.x] = 0;
    }
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        int temp = 0;
        if (threadIdx.x >= stride)
            temp = XY[threadIdx.x] + XY[threadIdx.x - stride];
        __syncthreads();
        if (threadIdx.x >= stride)
            XY[threadIdx.x] = temp;
    }
    if (i < N)
        Y[i] = XY[threadIdx.x];
}

__global__ void Brent_Kung_scan(int *X, int *Y, unsigned int N)
{
    __shared__ int XY[2 * SECTION_SIZE];
    unsigned int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
    XY[threadIdx.x] = i < N ? X[i] : 0;
    XY[threadIdx.x + blockDim.x] = i + blockDim.x < N ? X[i + blockDim.x] : 0;
    for (unsigned int stride = 1; stride <= blockDim.x; stride *= 2) {
        __syncthreads();
        unsigned int index = (threadIdx.x + 1) * 2 * stride - 1;
        if (index < 2 * SECTION_SIZE)
            XY[index] += XY[index - stride];
    }
    for (int stride = SECTION_SIZE / 2; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned int index = (threadIdx.x + 1) * stride * 2 - 1;
        if (index + stride < 2 * SECTION_SIZE)
            XY[index + stride] += XY[index];
    }
    __syncthreads();
    if (i < N) Y[i] = XY[threadIdx.x];
    if (i + blockDim.x < N) Y[i + blockDim.x] = XY[threadIdx.x + blockDim.x];
}

// Exclusive scan of two elements a thread with padding against bank conflicts.
#define CONFLICT_FREE_OFFSET(n) ((n) >> 4)
__global__ void blellochScan(int *g_odata, const int *g_idata, int n)
{
    extern __shared__ int temp[];
    int thid = threadIdx.x;
    int offset = 1;
    int ai = thid, bi = thid + n / 2;
    temp[ai + CONFLICT_FREE_OFFSET(ai)] = g_idata[ai];
    temp[bi + CONFLICT_FREE_OFFSET(bi)] = g_idata[bi];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0) temp[n - 1 + CONFLICT_FREE_OFFSET(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    g_odata[ai] = temp[ai + CONFLICT_FREE_OFFSET(ai)];
    g_odata[bi] = temp[bi + CONFLICT_FREE_OFFSET(bi)];
}

// Inclusive scan of sections, with the sum of each section for the next kernel.
__global__ void scanSections(const int *input, int *output, int *sums, int n)
{
    __shared__ int buffer1[BLOCK_DIM];
    __shared__ int buffer2[BLOCK_DIM];
    int *in = buffer1, *out = buffer2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    in[threadIdx.x] = (i < n) ? input[i] : 0;
    __syncthreads();
    for (int stride = 1; stride <= BLOCK_DIM / 2; stride *= 2) {
        if (threadIdx.x >= stride) {
            out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x - stride];
        } else {
            out[threadIdx.x] = in[threadIdx.x];
        }
        __syncthreads();
        int *tmp = in;
        in = out;
        out = tmp;
    }
    if (threadIdx.x == BLOCK_DIM - 1) sums[blockIdx.x] = in[threadIdx.x];
    if (i < n) output[i] = in[threadIdx.x];
}

__global__ void addSums(int *data, const int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) {
        int before = 0;
        for (int b = 0; b < blockIdx.x; b++) before += sums[b];
        data[i] += before;
    }
}

// The last warp needs no barrier.
template <unsigned int blockSize> __device__ void warpReduce(volatile int *sdata, unsigned int tid)
{
    if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
    if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
    if (blockSize >= 16) sdata[tid] += sdata[tid + 8];
    if (blockSize >= 8) sdata[tid] += sdata[tid + 4];
    if (blockSize >= 4) sdata[tid] += sdata[tid + 2];
    if (blockSize >= 2) sdata[tid] += sdata[tid + 1];
}

template <unsigned int blockSize> __global__ void reduceUnrolled(int *g_idata, int *g_odata, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += g_idata[i];
        if (i + blockSize < n) sdata[tid] += g_idata[i + blockSize];
        i += gridSize;
    }
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) { sdata[tid] += sdata[tid + 256]; } __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } __syncthreads(); }
    if (tid < 32) warpReduce<blockSize>(sdata, tid);
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
template __global__ void reduceUnrolled<128>(int *, int *, unsigned int);

// The last block that ends adds the sums of all blocks.
__device__ unsigned int blocksDone = 0;
__global__ void reduceSinglePass(const float *in, float *partial, float *result, int n)
{
    __shared__ float s[128];
    __shared__ bool isLast;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int k = blockDim.x >> 1; k; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        unsigned int value = atomicInc(&blocksDone, gridDim.x);
        isLast = (value == gridDim.x - 1);
    }
    __syncthreads();
    if (isLast && threadIdx.x == 0) {
        float total = 0;
        for (int b = 0; b < gridDim.x; b++) total += ((volatile float *)partial)[b];
        *result = total;
        blocksDone = 0;
    }
}

// Index of the largest element.
__global__ void argmax(const float *values, int n, float *bestValue, int *bestIndex)
{
    __shared__ float v[64];
    __shared__ int at[64];
    int t = threadIdx.x;
    float best = -3.402823466e+38f;
    int where = -1;
    for (int i = t; i < n; i += blockDim.x)
        if (values[i] > best) { best = values[i]; where = i; }
    v[t] = best;
    at[t] = where;
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        __syncthreads();
        if (t < s && (v[t + s] > v[t] || (v[t + s] == v[t] && at[t + s] < at[t]))) {
            v[t] = v[t + s];
            at[t] = at[t + s];
        }
    }
    if (!t) { *bestValue = v[0]; *bestIndex = at[0]; }
}

// Private bins in shared memory; each thread takes neighbours, and counts runs before it adds.
#define NUM_BINS 32
__global__ void histo_private_kernel(const char *data, unsigned int length, unsigned int *histo)
{
    __shared__ unsigned int histo_s[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) {
        histo_s[bin] = 0u;
    }
    __syncthreads();
    unsigned int accumulator = 0;
    int prevBinIdx = -1;
    unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned int i = tid; i < length; i += blockDim.x * gridDim.x) {
        int alphabet_position = data[i] - 'a';
        if (alphabet_position >= 0 && alphabet_position < 26) {
            int bin = alphabet_position / 4;
            if (bin == prevBinIdx) {
                ++accumulator;
            } else {
                if (accumulator > 0) {
                    atomicAdd(&(histo_s[prevBinIdx]), accumulator);
                }
                accumulator = 1;
                prevBinIdx = bin;
            }
        }
    }
    if (accumulator > 0) {
        atomicAdd(&(histo_s[prevBinIdx]), accumulator);
    }
    __syncthreads();
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) {
        unsigned int binValue = histo_s[bin];
        if (binValue > 0) {
            atomicAdd(&(histo[bin]), binValue);
        }
    }
}

// Keeps the positive elements, in any order.
__global__ void compact(const int *in, int *out, int *count, int n)
{
    __shared__ int kept, base;
    if (threadIdx.x == 0) kept = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] > 0;
    int slot = keep ? atomicAdd(&kept, 1) : 0;
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(count, kept);
    __syncthreads();
    if (keep) out[base + slot] = in[i];
}
