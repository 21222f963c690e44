// Functors as arguments of kernel templates; lambdas and algorithms on the host.
#include <algorithm>
#include <functional>
#include <iostream>
#include <numeric>
#include <vector>

struct Scale {
    int factor;
    __host__ __device__ int operator()(int x) const { return x * factor; }
};

struct Clamp {
    int low, high;
    __host__ __device__ int operator()(int x) const { return x < low ? low : x > high ? high : x; }
};

template <typename F, typename G> struct Both {
    F f;
    G g;
    __host__ __device__ int operator()(int x) const { return g(f(x)); }
};

template <typename F, typename G> Both<F, G> both(F f, G g) { return Both<F, G>{f, g}; }

template <typename T, typename F> __global__ void apply(T *x, int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = f(x[i]);
}

template <typename F> std::vector<int> transformed(std::vector<int> v, F f) {
    int *device;
    cudaMalloc(&device, v.size() * sizeof(int));
    cudaMemcpy(device, v.data(), v.size() * sizeof(int), cudaMemcpyHostToDevice);
    apply<<<((int)v.size() + 63) / 64, 64>>>(device, (int)v.size(), f);
    cudaMemcpy(v.data(), device, v.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(device);
    return v;
}

int main() {
    std::vector<int> v(100);
    std::iota(v.begin(), v.end(), -50);
    int checks = 0;
    auto check = [&checks, &v](const char *name, const std::vector<int> &found, std::function<int(int)> f) {
        std::vector<int> expected(v.size());
        std::transform(v.begin(), v.end(), expected.begin(), f);
        checks += expected == found;
        std::cout << name << ": " << std::accumulate(found.begin(), found.end(), 0) << "\n";
    };
    Scale scale{3};
    Clamp clamp{-20, 75};
    check("scale", transformed(v, scale), scale);
    check("clamp", transformed(v, clamp), clamp);
    check("both", transformed(v, both(scale, clamp)), [=](int x) { return clamp(scale(x)); });
    check("other order", transformed(v, both(clamp, scale)), [&](int x) { return scale(clamp(x)); });
    std::reverse(v.begin(), v.end());
    v.erase(std::remove_if(v.begin(), v.end(), [](int x) { return x % 2; }), v.end());
    std::cout << v.size() << " " << v.front() << " " << v.back() << "\n" << (checks == 4 ? "PASSED" : "FAILED") << "\n";
    return 0;
}
