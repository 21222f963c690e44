// Gather and scatter by a permutation, timed by events.
#include <cstdio>
#include <utility>
#include <vector>

__global__ void gather(const long long *in, const int *where, long long *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[where[i]];
}

__global__ void scatter(const long long *in, const int *where, long long *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[where[i]] = in[i];
}

template <typename T> T *copied(const std::vector<T> &v) {
    T *device = nullptr;
    cudaMalloc(&device, v.size() * sizeof(T));
    cudaMemcpy(device, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

int main() {
    const int n = 777;
    std::vector<int> where(n);
    std::vector<long long> in(n), out(n), back(n);
    for (int i = 0; i < n; i++) {
        where[i] = i;
        in[i] = (1LL << 40) + i * i;
    }
    unsigned seed = 7;
    for (int i = n - 1; i > 0; i--) {
        seed = seed * 1664525u + 1013904223u;
        std::swap(where[i], where[seed % (i + 1)]);
    }
    long long *a = copied(in), *b = copied(out), *c = copied(back);
    int *w = copied(where);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start, 0);
    gather<<<(n + 127) / 128, 128>>>(a, w, b, n);
    scatter<<<(n + 127) / 128, 128>>>(b, w, c, n);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    float ms = 0;
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(out.data(), b, n * sizeof(long long), cudaMemcpyDeviceToHost);
    cudaMemcpy(back.data(), c, n * sizeof(long long), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += out[i] != in[where[i]] || back[i] != in[i];
    // The functional machine has no time.
    std::printf("time >= 0: %d\n%d %lld\n%s\n", ms >= 0, where[0], out[0], wrong ? "FAILED" : "PASSED");
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return wrong;
}
