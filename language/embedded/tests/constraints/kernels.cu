// Concepts and `std::span` in kernels (C++20).
#include <bit>
#include <compare>
#include <concepts>
#include <cstdio>
#include <cuda_runtime.h>
#include <numbers>
#include <span>
#include <vector>

template <class T> concept Number = std::integral<T> || std::floating_point<T>;
template <class Op, class T> concept Binary = requires(Op op, T a, T b) {
    { op(a, b) } -> std::convertible_to<T>;
};
struct Add { template <Number T> __device__ T operator()(T a, T b) const { return a + b; } };
struct Max { template <Number T> __device__ T operator()(T a, T b) const { return a > b ? a : b; } };

template <std::integral T> __device__ T half(T a) { return a >> 1; }
template <std::floating_point T> __device__ T half(T a) { return a * T(0.5); }
__device__ auto sum(std::integral auto a, Number auto b) { return a + b; }

template <Number T, class Op> requires Binary<Op, T>
__global__ void combine(std::span<const T> a, std::span<const T> b, std::span<T> out, Op op) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = half(op(a[i], b[i]));
}
template <class T> __global__ void name(int *out) { *out = 0; }
template <std::integral T> __global__ void name(int *out) { *out = 1; }
template <std::signed_integral T> __global__ void name(int *out) { *out = 2; }
__global__ void rows(std::span<float> all, int width) {
    auto row = all.subspan(threadIdx.x * width, width);
    float total = 0;
    for (float value : row) total += value;
    row.front() = total * std::numbers::pi_v<float>;
    row.back() = sum(1, row.size()) + std::popcount(7u);
}
struct Key {
    int a, b;
    __host__ __device__ auto operator<=>(const Key &) const = default;
};
__global__ void smallest(std::span<const Key> keys, Key *out) {
    Key best = keys[0];
    for (const Key &key : keys)
        if (key < best) best = key;
    if constexpr (requires { best.a; }) *out = best;
}
template <class T> std::span<T> upload(const std::vector<T> &host) {
    T *memory;
    cudaMalloc(&memory, host.size() * sizeof(T));
    cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return {memory, host.size()};
}
template <class T> std::vector<T> download(std::span<T> device) {
    std::vector<T> host(device.size());
    cudaMemcpy(host.data(), device.data(), device.size_bytes(), cudaMemcpyDeviceToHost);
    return host;
}
int main() {
    auto a = upload<int>({2, 4, 6, 8}), b = upload<int>({10, 3, 20, 1}), out = upload<int>({0, 0, 0, 0});
    combine<int><<<1, 32>>>(a, b, out, Add());
    for (int value : download(out)) std::printf("%d ", value);
    auto x = upload<float>({1.5f, 2}), y = upload<float>({0.5f, 7}), z = upload<float>({0, 0});
    combine<float><<<1, 32>>>(x, y, z, Max());
    for (float value : download(z)) std::printf("%g ", value);
    std::printf("\n");
    auto names = upload<int>({0, 0, 0});
    name<float><<<1, 1>>>(names.data());
    name<unsigned><<<1, 1>>>(names.data() + 1);
    name<int><<<1, 1>>>(names.data() + 2);
    for (int value : download(names)) std::printf("%d ", value);
    auto all = upload<float>({1, 2, 3, 4, 5, 6});
    rows<<<1, 2>>>(all, 3);
    for (float value : download(all)) std::printf("%g ", value);
    auto keys = upload<Key>({{3, 1}, {1, 9}, {1, 2}});
    auto best = upload<Key>({{0, 0}});
    smallest<<<1, 1>>>(keys, best.data());
    std::printf("\n%d %d\n", download(best)[0].a, download(best)[0].b);
}
