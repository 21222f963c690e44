// Functions with `...` in kernels, which clang refuses: any argument fits them, worse than others.
#include <cstdio>

template <class T> __host__ __device__ auto size_of(int) -> decltype(T().size(), 1) { return T().size(); }
template <class T> __host__ __device__ int size_of(...) { return -7; }

struct Sized { __host__ __device__ int size() const { return 4; } };

__host__ __device__ int rank(int) { return 1; }
__host__ __device__ int rank(...) { return 2; }
__host__ __device__ int count(int n, ...) { return n; }

template <class T> struct IsClass {
    template <class U> static char test(int U::*);
    template <class U> static long test(...);
    enum { value = sizeof(test<T>(nullptr)) == 1 };
};

__host__ __device__ int all(int x) {
    int calls = 0;
    int made = count(3, 1.5f, (char)x, &calls, calls++);
    return size_of<Sized>(0) + 10 * size_of<int>(0) + 100 * rank(x) + 1000 * rank(&x) + 10000 * made +
           100000 * calls + 1000000 * IsClass<Sized>::value + 2000000 * IsClass<int>::value;
}

__global__ void kernel(int *out) { *out = all(5); }

int main() {
    int *d, h = 0;
    cudaMalloc(&d, sizeof(int));
    kernel<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n%s\n", h, all(5), h == all(5) && h == 1132034 ? "PASSED" : "FAILED");
    return h != all(5);
}
