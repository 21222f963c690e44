// Launches through pointers to kernels, and from generic lambda expressions.
#include <cstdio>
#include <vector>
#include <iostream>
template <typename T> __global__ void scale(T *x, T a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= a; }
__global__ void addOne(float *x, float a, int n) { int i = threadIdx.x; if (i < n) x[i] += 1; }
typedef void (*Kernel)(float *, float, int);
static const Kernel table[] = {scale<float>, addOne};
struct Op { const char *name; void (*kernel)(float *, float, int); };
int main() {
    const int n = 64;
    std::vector<float> h(n, 2.0f);
    float *d;
    cudaMalloc(&d, n * sizeof(float));
    Op ops[] = {{"scale", scale<float>}, {"add", addOne}};
    for (const Op &op : ops) {
        cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
        op.kernel<<<1, n>>>(d, 3.0f, n);
        cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
        std::cout << op.name << " " << h[n - 1] << "\n";
    }
    for (Kernel k : table) k<<<1, 32>>>(d, 2.0f, n);
    cudaFuncSetCacheConfig(addOne, cudaFuncCachePreferL1);
    cudaMemcpy(&h[0], d, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::cout << h[0] << " " << h[40] << " " << cudaGetErrorString(cudaGetLastError()) << std::endl;
    dim3 grid{2}, block(32, 1);
    scale<<<grid, block>>>(d, 0.5f, n);
    auto launch = [&](auto *p) { scale<<<1, n>>>(p, 2.0f, n); };
    launch(d);
    cudaMemcpy(h.data(), d, n * 4, cudaMemcpyDeviceToHost);
    std::cout << h[0] << " " << h[40] << std::endl;
    cudaFree(d);
}
