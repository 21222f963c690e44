// Conjugate gradient with a sparse matrix in rows; sums with dynamic shared memory and a template.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpu {

inline void check(cudaError_t status, const char *what) {
    if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

template <class T> class Vector {
    T *pointer;
    size_t count;
    Vector(const Vector &);
    Vector &operator=(const Vector &);

  public:
    explicit Vector(size_t n) : count(n) { check(cudaMalloc((void **)&pointer, n * sizeof(T)), "cudaMalloc"); }
    explicit Vector(const std::vector<T> &host) : count(host.size()) {
        check(cudaMalloc((void **)&pointer, count * sizeof(T)), "cudaMalloc");
        check(cudaMemcpy(pointer, &host[0], count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    ~Vector() { cudaFree(pointer); }
    operator T *() const { return pointer; }
    size_t size() const { return count; }
    std::vector<T> host() const {
        std::vector<T> copy(count);
        check(cudaMemcpy(&copy[0], pointer, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return copy;
    }
};

} // namespace gpu

__global__ void spmv(const int *rows, const int *columns, const float *values, const float *x, float *y, int n) {
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n; r += gridDim.x * blockDim.x) {
        float sum = 0.0f;
        for (int k = rows[r]; k < rows[r + 1]; k++) sum += values[k] * x[columns[k]];
        y[r] = sum;
    }
}

__global__ void axpy(float factor, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += factor * x[i];
}

__global__ void xpay(const float *x, float factor, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + factor * y[i];
}

template <typename T> __global__ void dot_kernel(const T *a, const T *b, T *result, int n) {
    extern __shared__ T part[];
    T sum = T();
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += a[i] * b[i];
    part[threadIdx.x] = sum;
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    }
    if (!threadIdx.x) *result = part[0];
}

float dot(const gpu::Vector<float> &a, const gpu::Vector<float> &b) {
    gpu::Vector<float> result(1);
    dot_kernel<float><<<1, 64, 64 * sizeof(float)>>>(a, b, result, (int)a.size());
    return result.host()[0];
}

int main() try {
    const int side = 12, n = side * side, threads = 48, blocks = n / threads;
    std::vector<int> rows(1, 0), columns;
    std::vector<float> values, right(n);
    for (int i = 0; i < n; i++) {
        int x = i % side, y = i / side;
        struct { int dx, dy; float value; } entries[] = {{0, -1, -1}, {-1, 0, -1}, {0, 0, 4.5f}, {1, 0, -1}, {0, 1, -1}};
        for (auto &e : entries) {
            if (x + e.dx < 0 || x + e.dx >= side || y + e.dy < 0 || y + e.dy >= side) continue;
            columns.push_back(i + e.dx + e.dy * side);
            values.push_back(e.value);
        }
        rows.push_back((int)columns.size());
    }
    // The solution is known: x[i] = i % 7.
    for (int i = 0; i < n; i++)
        for (int k = rows[i]; k < rows[i + 1]; k++) right[i] += values[k] * (columns[k] % 7);
    gpu::Vector<int> d_rows(rows), d_columns(columns);
    gpu::Vector<float> d_values(values), r(right), p(right), x(std::vector<float>(n, 0.0f)), q(n);
    float now = dot(r, r);
    const float first = now;
    int steps = 0;
    for (; steps < 100 && now > 1e-10f * first; steps++) {
        spmv<<<blocks, threads>>>(d_rows, d_columns, d_values, p, q, n);
        float alpha = now / dot(p, q);
        axpy<<<blocks, threads>>>(alpha, p, x, n);
        axpy<<<blocks, threads>>>(-alpha, q, r, n);
        float next = dot(r, r);
        xpay<<<blocks, threads>>>(r, next / now, p, n);
        now = next;
    }
    std::vector<float> result = x.host();
    double worst = 0;
    for (int i = 0; i < n; i++) worst = std::max(worst, (double)std::fabs(result[i] - i % 7));
    std::cout << values.size() << " entries, " << (steps > 10 && steps < 40 ? "few" : "many") << " steps\n";
    std::printf("x[5] = %.3f, x[100] = %.3f\n", result[5], result[100]);
    try {
        gpu::Vector<double> huge((size_t)1 << 45);
    } catch (const std::exception &error) {
        std::cout << error.what() << '\n';
    }
    std::cout << (worst < 1e-3 ? "PASSED" : "FAILED") << '\n';
    return 0;
} catch (std::exception &error) {
    std::cerr << error.what() << std::endl;
    return 1;
}
