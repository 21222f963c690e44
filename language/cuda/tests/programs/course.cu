// Kernels of a course: compiled and executed by tests/programs.rs.

#define TILE 16

extern "C" __global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

extern "C" __global__ void matmul_naive(const float *M, const float *N, float *P, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < width; k++)
        sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
}

extern "C" __global__ void matmul_tiled(const float *M, const float *N, float *P, int width)
{
    __shared__ float Ms[TILE][TILE];
    __shared__ float Ns[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int phase = 0; phase < width / TILE; phase++) {
        Ms[ty][tx] = M[row * width + phase * TILE + tx];
        Ns[ty][tx] = N[(phase * TILE + ty) * width + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += Ms[ty][k] * Ns[k][tx];
        __syncthreads();
    }
    P[row * width + col] = sum;
}

extern "C" __global__ void reduce(const float *in, float *out, int n)
{
    __shared__ float sums[512];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0.0f;
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            sums[t] += sums[t + stride];
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}

extern "C" __global__ void reduce_interleaved(const float *in, float *out, int n)
{
    __shared__ float sums[512];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0.0f;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        if (t % (2 * stride) == 0)
            sums[t] += sums[t + stride];
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}

extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width)
        out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

#define RADIUS 3

extern "C" __global__ void stencil(const int *in, int *out, int n)
{
    __shared__ int temp[64 + 2 * RADIUS];
    int g = threadIdx.x + blockIdx.x * blockDim.x;
    int l = threadIdx.x + RADIUS;
    temp[l] = in[g + RADIUS];
    if (threadIdx.x < RADIUS) {
        temp[l - RADIUS] = in[g];
        temp[l + 64] = in[g + RADIUS + 64];
    }
    __syncthreads();
    int result = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        result += temp[l + offset];
    if (g < n)
        out[g] = result;
}

__constant__ float mask[5] = {1.0f, 2.0f, 4.0f, 2.0f, 1.0f};

extern "C" __global__ void convolution(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    int start = i - 2;
    for (int j = 0; j < 5; j++)
        if (start + j >= 0 && start + j < n)
            sum += in[start + j] * mask[j];
    if (i < n)
        out[i] = sum;
}

extern "C" __global__ void scan(const int *in, int *out, int n)
{
    extern __shared__ int buffer[];
    int t = threadIdx.x, from = 1, to = 0;
    buffer[t] = t > 0 ? in[t - 1] : 0;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        to = 1 - to;
        from = 1 - to;
        if (t >= offset)
            buffer[to * n + t] = buffer[from * n + t] + buffer[from * n + t - offset];
        else
            buffer[to * n + t] = buffer[from * n + t];
        __syncthreads();
    }
    out[t] = buffer[to * n + t];
}

extern "C" __global__ void spmv(const int *starts, const int *columns, const float *values, const float *x,
                                float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float dot = 0;
        for (int k = starts[row]; k < starts[row + 1]; k++)
            dot += values[k] * x[columns[k]];
        y[row] += dot;
    }
}

struct Atom {
    float x, y, z, q;
};

extern "C" __global__ void coulomb(const Atom *atoms, float *grid, int count, float spacing, float z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    float x = spacing * i, y = spacing * j, energy = 0.0f;
    for (int n = 0; n < count; n++) {
        float dx = x - atoms[n].x, dy = y - atoms[n].y, dz = z - atoms[n].z;
        energy += atoms[n].q * rsqrtf(dx * dx + dy * dy + dz * dz);
    }
    grid[j * gridDim.x * blockDim.x + i] += energy;
}

extern "C" __global__ void saxpy4(const float4 *x, float4 *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 u = x[i], v = y[i];
        y[i] = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
    }
}

extern "C" __global__ void grid_stride(const int *in, int *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = 3 * in[i] + 1;
}

template <typename T> __device__ T square(T x) { return x * x; }
template <int N> __device__ int sum_of(const int *p)
{
    int sum = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        sum += p[i];
    return sum;
}

__device__ void swap(int &a, int &b)
{
    int t = a;
    a = b;
    b = t;
}

extern "C" __global__ void features(const int *in, int *out)
{
    int t = threadIdx.x;
    int local[4];
    for (int i = 0; i < 4; i++)
        local[i] = in[t] + i;
    if (t & 1)
        swap(local[0], local[3]);
    int kind;
    switch (t % 5) {
    case 0: kind = 10; break;
    case 1: kind = 11;
    case 2: kind = 12; break;
    default: kind = 13;
    }
    out[4 * t] = local[0] - local[3];
    out[4 * t + 1] = kind + local[t & 3];
    out[4 * t + 2] = square(t) + (int)square(1.5f * t);
    out[4 * t + 3] = sum_of<4>(local);
}
