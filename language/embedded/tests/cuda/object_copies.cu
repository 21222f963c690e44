// Lambda expressions of methods as arguments of kernels: they copy the object of `this`.
#include <cstdio>

template <class F>
__global__ void apply(int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

template <class F>
void launch(int n, F f) {
    apply<<<2, 32>>>(n, f);
    cudaDeviceSynchronize();
}

template <class T>
struct View {
    T *data;
    int stride;
    __host__ __device__ T &at(int i) const { return data[i * stride]; }
    __host__ __device__ T &operator[](int i) const { return data[i]; }
};

struct Scale {
    float factor = 2, offset = 0.5f;
    __host__ __device__ float of(float x) const { return factor * x + offset; }
};

class Solver : public Scale {
  public:
    View<float> x;
    int n;
    static const int K = 7;
    Solver(float *p, int n) : x{p, 1}, n(n) {}

    void fill() { launch(n, [*this] __device__ (int i) { x[i] = of(i); }); }
    void add(float c) { launch(n, [=, *this] __device__ (int i) { this->x.at(i) += c + K; }); }
    void change() const {
        launch(n, [*this, step = 3] __device__ (int i) mutable {
            int first = i * step;
            x[i] -= [&] { return first + factor; }();
        });
    }
    void count() {
        launch(n, [*this] __device__ (int i) mutable {
            n += i;
            offset = 1;
            x[i] += n + this->offset;
        });
    }
    template <class T> void generic(T value) {
        launch(n, [value, *this] __device__ (auto i) { x[i] *= of(value) - Scale::of(0); });
    }
    // On the device the whole method runs in a thread.
    __host__ __device__ float sum() const {
        float total = 0;
        auto add = [&](int i) { total += x[i]; };
        auto get = [*this](int i) { return i < n ? x[i] : 0; };
        for (int i = 0; i < n; i++) add(i);
        return total - get(n) - get(0) + [this] { return x[0]; }();
    }
};

__global__ void sum_of(Solver s, float *out) { *out = s.sum(); }

int main() {
    const int n = 40;
    float *d, *out;
    cudaMalloc(&d, n * sizeof(float));
    cudaMalloc(&out, sizeof(float));
    Solver s(d, n);
    float h[n], expected[n];
    s.fill();
    s.offset = 100;
    s.add(1.5f);
    s.change();
    s.count();
    s.generic(3);
    sum_of<<<1, 1>>>(s, out);
    float device_sum = 0, total = 0;
    cudaMemcpy(&device_sum, out, sizeof device_sum, cudaMemcpyDeviceToHost);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        float x = 2.0f * i + 0.5f;
        x += 1.5f + 7;
        x -= i * 3 + 2.0f;
        x += n + i + 1;
        x *= 2.0f * 3;
        expected[i] = x;
        total += x;
        wrong += h[i] != x;
    }
    printf("%g %g, sum %g, %d %g\n", h[1], h[n - 1], device_sum, s.n, s.offset);
    wrong += device_sum != total || s.n != n || s.offset != 100 || expected[0] != h[0];
    printf(wrong ? "FAILED: %d\n" : "PASSED\n", wrong);
    return wrong != 0;
}
