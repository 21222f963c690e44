// Matrix product as a C++ template, with RAII buffers, std::vector and errors as exceptions.
// Build: warpcc -std=c++11 matmul.cu -o matmul && ./matmul [size]
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

class CudaError : public std::runtime_error {
public:
    CudaError(cudaError_t error, const std::string &where)
        : std::runtime_error(where + ": " + cudaGetErrorString(error)), code(error)
    {
    }
    const cudaError_t code;
};

static void check(cudaError_t error, const std::string &where)
{
    if (error != cudaSuccess)
        throw CudaError(error, where);
}

// Device memory that is freed at the end of its scope.
template <typename T> class Buffer {
public:
    explicit Buffer(size_t count) : count_(count)
    {
        check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
    }
    explicit Buffer(const std::vector<T> &values) : Buffer(values.size())
    {
        check(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "upload");
    }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() { cudaFree(data_); }

    std::vector<T> read() const
    {
        std::vector<T> values(count_);
        check(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "download");
        return values;
    }
    T *get() const { return data_; }

private:
    T *data_ = nullptr;
    size_t count_;
};

struct PlusTimes {
    template <typename T> __host__ __device__ static T zero() { return T(0); }
    template <typename T> __host__ __device__ static T step(T sum, T a, T b) { return sum + a * b; }
};

// Shortest paths: the product of distances.
struct MinPlus {
    template <typename T> __host__ __device__ static T zero() { return T(1 << 20); }
    template <typename T> __host__ __device__ static T step(T best, T a, T b)
    {
        return a + b < best ? a + b : best;
    }
};

template <typename Ring, typename T, int TILE>
__global__ void multiply(const T *a, const T *b, T *c, int size)
{
    __shared__ T tile_a[TILE][TILE];
    __shared__ T tile_b[TILE][TILE];
    const int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    T sum = Ring::template zero<T>();
    for (int k = 0; k < size; k += TILE) {
        const bool has_a = row < size && k + threadIdx.x < size;
        const bool has_b = col < size && k + threadIdx.y < size;
        const T zero = Ring::template zero<T>();
        tile_a[threadIdx.y][threadIdx.x] = has_a ? a[row * size + k + threadIdx.x] : zero;
        tile_b[threadIdx.y][threadIdx.x] = has_b ? b[(k + threadIdx.y) * size + col] : zero;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum = Ring::step(sum, tile_a[threadIdx.y][i], tile_b[i][threadIdx.x]);
        __syncthreads();
    }
    if (row < size && col < size)
        c[row * size + col] = sum;
}

template <typename Ring, typename T, int TILE> bool run(const std::string &name, int size)
{
    std::vector<T> a(size * size), b(size * size), expected(size * size);
    int next = 0;
    std::generate(a.begin(), a.end(), [&next] { return T((next += 7) % 19); });
    std::generate(b.begin(), b.end(), [&next] { return T((next += 5) % 23); });
    for (int row = 0; row < size; row++)
        for (int col = 0; col < size; col++) {
            T sum = Ring::template zero<T>();
            for (int k = 0; k < size; k++)
                sum = Ring::step(sum, a[row * size + k], b[k * size + col]);
            expected[row * size + col] = sum;
        }

    Buffer<T> d_a(a), d_b(b), d_c(a.size());
    const dim3 block(TILE, TILE);
    const dim3 grid((size + TILE - 1) / TILE, (size + TILE - 1) / TILE);
    multiply<Ring, T, TILE><<<grid, block>>>(d_a.get(), d_b.get(), d_c.get(), size);
    check(cudaGetLastError(), name);
    const bool equal = d_c.read() == expected; // whole numbers below 2^24: exact also in float
    std::cout << name << ": " << (equal ? "equal" : "different") << std::endl;
    return equal;
}

// A launch that no device accepts has to throw.
static bool refuses_large_blocks()
{
    try {
        Buffer<float> small(1);
        multiply<PlusTimes, float, 8><<<1, dim3(8, 8, 65)>>>(small.get(), small.get(), small.get(), 0);
        check(cudaGetLastError(), "block of 8 x 8 x 65");
    } catch (const CudaError &error) {
        std::cout << "expected: " << error.what() << std::endl;
        return error.code == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess;
    }
    return false;
}

int main(int argc, char **argv)
{
    try {
        int size = 44;
        if (argc > 1 && !(std::istringstream(argv[1]) >> size && size > 0))
            throw std::invalid_argument("usage: matmul [size]");
        bool passed = run<PlusTimes, float, 16>("float, tiles of 16", size);
        passed = run<PlusTimes, int, 8>("int, tiles of 8", size) && passed;
        passed = run<MinPlus, int, 16>("shortest paths", size) && passed;
        passed = refuses_large_blocks() && passed;
        std::cout << (passed ? "PASSED" : "FAILED") << std::endl;
        return passed ? 0 : 1;
    } catch (const std::exception &error) {
        std::cerr << error.what() << std::endl;
        return 2;
    }
}
