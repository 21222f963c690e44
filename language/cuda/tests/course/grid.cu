// Stencils, convolutions and pictures.

#define FILTER_RADIUS 2
#define FILTER_SIZE (2 * FILTER_RADIUS + 1)
#define IN_TILE_DIM 16
#define OUT_TILE_DIM ((IN_TILE_DIM) - 2 * (FILTER_RADIUS))

__constant__ float F[FILTER_SIZE][FILTER_SIZE] = {
    {1, 2, 3, 2, 1}, {2, 4, 6, 4, 2}, {3, 6, 9, 6, 3}, {2, 4, 6, 4, 2}, {1, 2, 3, 2, 1}};

__global__ void convolution_2D_basic(float *N, float *P, int width, int height)
{
    int outCol = blockIdx.x * blockDim.x + threadIdx.x;
    int outRow = blockIdx.y * blockDim.y + threadIdx.y;
    float Pvalue = 0.0f;
    for (int fRow = 0; fRow < FILTER_SIZE; fRow++) {
        for (int fCol = 0; fCol < FILTER_SIZE; fCol++) {
            int inRow = outRow - FILTER_RADIUS + fRow;
            int inCol = outCol - FILTER_RADIUS + fCol;
            if (inRow >= 0 && inRow < height && inCol >= 0 && inCol < width) {
                Pvalue += F[fRow][fCol] * N[inRow * width + inCol];
            }
        }
    }
    if (outRow < height && outCol < width) P[outRow * width + outCol] = Pvalue;
}

__global__ void convolution_tiled_2D(float *N, float *P, int width, int height)
{
    int col = blockIdx.x * OUT_TILE_DIM + threadIdx.x - FILTER_RADIUS;
    int row = blockIdx.y * OUT_TILE_DIM + threadIdx.y - FILTER_RADIUS;
    __shared__ float N_s[IN_TILE_DIM][IN_TILE_DIM];
    if (row >= 0 && row < height && col >= 0 && col < width) {
        N_s[threadIdx.y][threadIdx.x] = N[row * width + col];
    } else {
        N_s[threadIdx.y][threadIdx.x] = 0.0;
    }
    __syncthreads();
    int tileCol = threadIdx.x - FILTER_RADIUS;
    int tileRow = threadIdx.y - FILTER_RADIUS;
    if (col >= 0 && col < width && row >= 0 && row < height) {
        if (tileCol >= 0 && tileCol < OUT_TILE_DIM && tileRow >= 0 && tileRow < OUT_TILE_DIM) {
            float Pvalue = 0.0f;
            for (int fRow = 0; fRow < FILTER_SIZE; fRow++) {
                for (int fCol = 0; fCol < FILTER_SIZE; fCol++) {
                    Pvalue += F[fRow][fCol] * N_s[tileRow + fRow][tileCol + fCol];
                }
            }
            P[row * width + col] = Pvalue;
        }
    }
}

// Seven points in three dimensions; a thread moves along z and keeps its column in registers.
__global__ void stencil7(const float *in, float *out, int nx, int ny, int nz)
{
#define AT(x, y, z) ((x) + nx * ((y) + ny * (z)))
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
    float bottom = in[AT(x, y, 0)], current = in[AT(x, y, 1)], top;
    for (int z = 1; z < nz - 1; z++) {
        top = in[AT(x, y, z + 1)];
        out[AT(x, y, z)] = 0.5f * current + 0.25f * (in[AT(x - 1, y, z)] + in[AT(x + 1, y, z)] +
            in[AT(x, y - 1, z)] + in[AT(x, y + 1, z)] + bottom + top);
        bottom = current;
        current = top;
    }
#undef AT
}

__global__ void heat(float *next, const float *prev, float k, int width)
{
    __shared__ float t[10][10];
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    int gx = blockIdx.x * 8 + x, gy = blockIdx.y * 8 + y, at = gy * width + gx;
    t[y][x] = prev[at];
    if (x == 1) t[y][0] = prev[at - 1];
    if (x == 8) t[y][9] = prev[at + 1];
    if (y == 1) t[0][x] = prev[at - width];
    if (y == 8) t[9][x] = prev[at + width];
    __syncthreads();
    next[at] = t[y][x] + k * (t[y - 1][x] + t[y + 1][x] + t[y][x - 1] + t[y][x + 1] - 4 * t[y][x]);
}

#define CHANNELS 3
__global__ void colorToGrayscale(unsigned char *Pout, unsigned char *Pin, int width, int height)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < width && row < height) {
        int grayOffset = row * width + col;
        int rgbOffset = grayOffset * CHANNELS;
        unsigned char r = Pin[rgbOffset];
        unsigned char g = Pin[rgbOffset + 1];
        unsigned char b = Pin[rgbOffset + 2];
        Pout[grayOffset] = (unsigned char)(0.25f * r + 0.5f * g + 0.25f * b);
    }
}

__global__ void blurKernel(unsigned char *in, unsigned char *out, int w, int h)
{
    const int BLUR_SIZE = 1;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < w && row < h) {
        int pixVal = 0, pixels = 0;
        for (int blurRow = -BLUR_SIZE; blurRow < BLUR_SIZE + 1; ++blurRow) {
            for (int blurCol = -BLUR_SIZE; blurCol < BLUR_SIZE + 1; ++blurCol) {
                int curRow = row + blurRow;
                int curCol = col + blurCol;
                if (curRow > -1 && curRow < h && curCol > -1 && curCol < w) {
                    pixVal += in[curRow * w + curCol];
                    pixels++;
                }
            }
        }
        out[row * w + col] = (unsigned char)(pixVal / pixels);
    }
}

__global__ void invert(uchar4 *picture, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uchar4 p = picture[i];
        p.x = 255 - p.x;
        p.y = 255 - p.y;
        p.z = 255 - p.z;
        picture[i] = p;
    }
}

struct cuComplex {
    float r, i;
    __device__ cuComplex(float a, float b) : r(a), i(b) {}
    __device__ float magnitude2(void) { return r * r + i * i; }
    __device__ cuComplex operator*(const cuComplex &a) { return cuComplex(r * a.r - i * a.i, i * a.r + r * a.i); }
    __device__ cuComplex operator+(const cuComplex &a) { return cuComplex(r + a.r, i + a.i); }
};

__device__ int julia(int x, int y, int dim)
{
    const float scale = 1.5f;
    float jx = scale * (float)(dim / 2 - x) / (dim / 2);
    float jy = scale * (float)(dim / 2 - y) / (dim / 2);
    cuComplex c(-0.75f, 0.125f);
    cuComplex a(jx, jy);
    int i = 0;
    for (i = 0; i < 50; i++) {
        a = a * a + c;
        if (a.magnitude2() > 1000) return 0;
    }
    return 1;
}

__global__ void juliaSet(unsigned char *ptr, int dim)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    ptr[x + y * dim] = 255 * julia(x, y, dim);
}

__global__ void mandelbrot(int *counts, int width, float x0, float y0, float step, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    float cx = x0 + px * step, cy = y0 + py * step;
    float x = 0, y = 0;
    int n = 0;
    while (x * x + y * y <= 4.0f && n < limit) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        n++;
    }
    counts[py * width + px] = n;
}

// Separable filter: rows, from a tile with its borders.
__constant__ float taps[7];
__device__ float *unusedPointer;
__global__ void convolutionRows(float *dst, const float *src, int imageW, const float *kernel)
{
    __shared__ float data[4][32 + 2 * 3];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    data[threadIdx.y][threadIdx.x + 3] = src[y * imageW + x];
    if (threadIdx.x < 3) {
        data[threadIdx.y][threadIdx.x] = x >= 3 ? src[y * imageW + x - 3] : 0;
        data[threadIdx.y][threadIdx.x + 35] = x + 32 < imageW ? src[y * imageW + x + 32] : 0;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int j = -3; j <= 3; j++)
        sum += kernel[3 - j] * data[threadIdx.y][threadIdx.x + 3 + j];
    dst[y * imageW + x] = sum;
}
