// Sparse matrix times vector (CSR) with a matrix struct by value: a thread or a warp for each row.
// Build: warpcc spmv.cu -o spmv && ./spmv [rows]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define WARP 32
#define BLOCK 128

// Pointers of the host or of the device.
struct Csr {
    int rows, columns;
    const int *starts;
    const int *column;
    const float *value;

    __host__ __device__ int length(int row) const { return starts[row + 1] - starts[row]; }
};

struct Scale {
    float alpha, beta;
};

__device__ float part(const Csr &matrix, const float *x, int row, int first, int step)
{
    float sum = 0;
    for (int i = matrix.starts[row] + first; i < matrix.starts[row + 1]; i += step)
        sum += matrix.value[i] * x[matrix.column[i]];
    return sum;
}

// y = alpha A x + beta y
__global__ void thread_rows(Csr matrix, Scale scale, const float *x, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < matrix.rows)
        y[row] = scale.alpha * part(matrix, x, row, 0, 1) + scale.beta * y[row];
}

__global__ void warp_rows(Csr matrix, Scale scale, const float *x, float *y)
{
    __shared__ float sums[BLOCK];
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    sums[threadIdx.x] = row < matrix.rows ? part(matrix, x, row, lane, WARP) : 0.0f;
    for (int s = WARP / 2; s > 0; s /= 2) {
        __syncthreads();
        if (lane < s)
            sums[threadIdx.x] += sums[threadIdx.x + s];
    }
    if (lane == 0 && row < matrix.rows)
        y[row] = scale.alpha * sums[threadIdx.x] + scale.beta * y[row];
}

template <typename T> static T *upload(const std::vector<T> &values)
{
    T *data = NULL;
    if (cudaMalloc((void **)&data, values.size() * sizeof(T)) != cudaSuccess ||
        cudaMemcpy(data, &values[0], values.size() * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess) {
        std::fprintf(stderr, "upload: %s\n", cudaGetErrorString(cudaGetLastError()));
        std::exit(2);
    }
    return data;
}

static bool close_to(const std::vector<float> &y, const std::vector<double> &expected)
{
    double worst = 0;
    for (size_t i = 0; i < y.size(); i++) {
        double d = std::fabs(y[i] - expected[i]);
        worst = d > worst || d != d ? d : worst;
    }
    return worst < 1e-3;
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? std::atoi(argv[1]) : 600;
    if (rows < 1) {
        std::fprintf(stderr, "usage: spmv [rows]\n");
        return 2;
    }
    // Rows of different lengths, some empty, a few long.
    std::vector<int> starts(1, 0), column;
    std::vector<float> value;
    std::srand(17);
    for (int r = 0; r < rows; r++) {
        int length = r % 11 == 3 ? 0 : r % 37 == 5 ? 40 : 1 + std::rand() % 9;
        for (int k = 0; k < length; k++) {
            column.push_back(std::rand() % rows);
            value.push_back((std::rand() % 200 - 100) / 64.0f);
        }
        starts.push_back((int)column.size());
    }
    std::vector<float> x(rows), y(rows);
    for (int r = 0; r < rows; r++) {
        x[r] = (r * 13 % 31) / 8.0f - 2;
        y[r] = r % 5;
    }
    const Scale scale = {1.5f, -0.5f};
    Csr host = {rows, rows, &starts[0], &column[0], &value[0]};
    std::vector<double> expected(rows);
    int longest = 0;
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int i = starts[r]; i < starts[r + 1]; i++)
            sum += (double)value[i] * x[column[i]];
        expected[r] = scale.alpha * sum + scale.beta * y[r];
        longest = std::max(longest, host.length(r));
    }

    Csr device = {rows, rows, upload(starts), upload(column), upload(value)};
    float *d_x = upload(x);
    bool passed = true;
    for (int variant = 0; variant < 2; variant++) {
        std::vector<float> result(rows);
        float *d_y = upload(y);
        int threads = variant == 0 ? rows : rows * WARP;
        int blocks = (threads + BLOCK - 1) / BLOCK;
        if (variant == 0)
            thread_rows<<<blocks, BLOCK>>>(device, scale, d_x, d_y);
        else
            warp_rows<<<blocks, BLOCK>>>(device, scale, d_x, d_y);
        cudaError_t error = cudaGetLastError();
        if (error == cudaSuccess)
            error = cudaMemcpy(&result[0], d_y, rows * sizeof(float), cudaMemcpyDeviceToHost);
        if (error != cudaSuccess) {
            std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
            return 2;
        }
        bool equal = close_to(result, expected);
        std::printf("a %s for each row: %s\n", variant ? "warp" : "thread", equal ? "equal" : "different");
        passed = passed && equal;
        cudaFree(d_y);
    }
    std::printf("%d rows, %d elements, at most %d in a row\n", rows, (int)value.size(), longest);
    cudaFree((void *)device.starts);
    cudaFree((void *)device.column);
    cudaFree((void *)device.value);
    cudaFree(d_x);
    std::puts(passed ? "PASSED" : "FAILED");
    return passed ? 0 : 1;
}
