// Lambda expressions with `__device__` as arguments of kernels.
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

template <class F>
__global__ void apply(F f, int n, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = f(i);
}

template <class F>
__global__ void for_each(int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <class F>
void launch(int n, F f) {
    for_each<<<4, 64>>>(n, f);
    cudaDeviceSynchronize();
}

struct Line { float slope, offset; __host__ __device__ float at(float x) const { return slope * x + offset; } };

__device__ float twice(float x) { return 2 * x; }
__constant__ float table[4] = {1, 10, 100, 1000};

template <class T>
void fill(T *out, int n, T value) {
    using Wide = double;
    const int step = 3;
    launch(n, [=] __device__ (int i) {
        Wide w = static_cast<Wide>(value) + i * step;
        out[i] = T(w);
    });
}

class Solver {
  public:
    typedef float Real;
    static const int K = 7;
    void run(float *x, int n) {
        Real factor = m_factor;
        launch(n, [=] __device__ (int i) { Real r = factor * K; x[i] = r + i; });
    }
    void out(float *x, int n);
    float m_factor = 0.5f;
};
void Solver::out(float *x, int n) {
    Real factor = m_factor;
    launch(n, [=] __device__ (int i) { Real r = factor + K; x[i] = r * i; });
}
namespace deep { namespace er {
    __device__ int secret(int i) { return i * i; }
    void go(float *x, int n) { launch(n, [x] __device__ (int i) { x[i] = secret(i); }); }
}}

#define LAMBDA [=] __device__
#define SET(E) [=] __device__ (int i) { x[i] = (E); }

static void show(const char *what, const float *x, int n) {
    printf("%s:", what);
    for (int i = 0; i < n; i++) printf(" %g", x[i]);
    printf("\n");
}

void plain() {
    const int n = 10;
    float *x;
    cudaMallocManaged(&x, n * sizeof(float));
    float a = 1.5f;
    apply<<<1, 32>>>([=] __device__ (int i) { return a * i; }, n, x);
    cudaDeviceSynchronize();
    show("direct", x, n);
    auto f = [=] __device__ (int i) -> float { return twice(a) + i; };
    apply<<<1, 32>>>(f, n, x);
    cudaDeviceSynchronize();
    show("stored", x, n);
    Line line{2, 1};
    launch(n, [=] __device__ (int i) { x[i] = line.at(i); });
    show("struct", x, n);
    auto both = [=] __host__ __device__ (float v) { return v * v + a; };
    launch(n, [=] __device__ (int i) { x[i] = both(i); });
    show("nested", x, n);
    printf("%g\n", both(3));
    fill(x, n, 4.0f);
    show("template", x, n);
    int *k;
    cudaMallocManaged(&k, n * sizeof(int));
    fill(k, n, 5);
    for (int i = 0; i < n; i++) printf("%d ", k[i]);
    printf("\n");
    Solver s;
    s.run(x, n);
    show("method", x, n);
    s.out(x, n);
    show("outside", x, n);
    deep::er::go(x, n);
    show("namespace", x, n);
    launch(n, LAMBDA (int i) { x[i] = table[i & 3]; });
    show("macro", x, n);
    launch(n, SET(i + 1)); show("set", x, n);
    launch(n, SET(i - 1)); show("set", x, n);
    int weights[3] = {1, 2, 3};
    launch(n, [=] __device__ (int i) { x[i] = weights[i % 3]; });
    show("array", x, n);
    std::vector<float> v(n, 2.0f);
    float *y; cudaMalloc(&y, n * sizeof(float));
    cudaMemcpy(y, v.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    launch(n, [x, d = y] __device__ (int i) { x[i] = d[i]; });
    show("init", x, n);
    int *count;
    cudaMallocManaged(&count, sizeof(int)); *count = 0;
    launch(n, [=] __device__ (int i) { if (i % 2) atomicAdd(count, i); });
    printf("%d\n", *count);
    launch(n, [=] __device__ (auto i) { x[i] = sqrtf(i); });
    show("generic", x, n);
    int c = 0;
    auto m = [=] __device__ (int i) mutable { c += i; x[i] = c; };
    launch(n, m);
    show("mutable", x, n);
    cudaFree(x); cudaFree(k); cudaFree(y); cudaFree(count);
}
template <class F, class... Args> __global__ void call(F f, Args... args) { f(args...); }
template <class F> struct Wrap { F f; int scale; __device__ void operator()(int *p) const { p[threadIdx.x] = f(threadIdx.x) * scale; } };
template <class F> __global__ void kw(Wrap<F> w, int *p) { w(p); }
template <class F, class... Args> void run(F f, Args... args) {
    call<<<1, 4>>>([=] __device__ (int *p) { f(args..., p); }, args...);
}
template <typename T, template <class> class W, int N> void tt(int *p) {
    auto f = [=] __device__ (int i) { W<T> *w = nullptr; T t = N; return int(t) + i + (w ? 1 : 0); };
    kw<<<1, 4>>>(Wrap<decltype(f)>{f, 2}, p);
}
template <class T> struct Box { T t; };
auto global = [] __device__ (int i) { return i + 1000; };
enum class Mode { A, B };
struct Vec { float v[3]; __host__ __device__ Vec operator+(const Vec &o) const { Vec r; for (int i = 0; i < 3; i++) r.v[i] = v[i] + o.v[i]; return r; } };
__host__ __device__ inline int helper(int x) { auto inner = [] (int y) { return y + 1; }; return inner(x); }
void types() {
    int *p; cudaMallocManaged(&p, 16);
    auto show = [&] (const char *s) { cudaDeviceSynchronize(); printf("%s %d %d %d %d\n", s, p[0], p[1], p[2], p[3]); };
    tt<float, Box, 5>(p); show("tt");
    tt<int, Box, 6>(p); show("tt");
    kw<<<1, 4>>>(Wrap<decltype(global)>{global, 1}, p); show("global");
    Mode m = Mode::B;
    constexpr float half = 0.5f;
    const int n = 3;
    call<<<1, 4>>>([=] __device__ (int *q) { q[threadIdx.x] = m == Mode::B ? n * threadIdx.x + half * 2 : -1; }, p); show("mode");
    Vec u{{1, 2, 3}}, w{{4, 5, 6}};
    call<<<1, 3>>>([u, w] __device__ (int *q) { q[threadIdx.x] = (u + w).v[threadIdx.x]; }, p); show("vec");
    call<<<1, 4>>>([] __host__ __device__ (int *q) { q[threadIdx.x] = helper(threadIdx.x); }, p); show("hd");
    auto pred = [=] __device__ (int i) { return i % 2 == 0; };
    auto comp = [=] __device__ (int i) { auto sq = [=] (int k) { return k * k; }; return pred(i) ? sq(i) : -i; };
    call<<<1, 4>>>([=] __device__ (int *q) { int t = threadIdx.x; q[t] = comp(t); }, p); show("comp");
    for (int round = 0; round < 2; round++) {
        call<<<dim3(1), dim3(4)>>>([=] __device__ (int *q) {
            __shared__ int s[4];
            s[threadIdx.x] = threadIdx.x * 10 + round;
            __syncthreads();
            q[threadIdx.x] = s[3 - threadIdx.x];
        }, p); show("shared");
    }
    int x = 3;
    run([=] __device__ (int *q, int *r) { q[threadIdx.x] = x + (q == r); }, p); show("run");
    cudaFree(p);
}
template <class F> __global__ void kk(F f) { f(); }
#define RUN(E) kk<<<1, 1>>>([=] __device__ () { E; })
#define TWO(A, B) do { RUN(A); RUN(B); cudaDeviceSynchronize(); } while (0)
struct Outer {
    template <class T> struct In { T t; };
    template <class T> static void go(int *p, T v) {
        In<T> in{v};
        kk<<<1, 1>>>([=] __device__ () { In<T> copy = in; *p += copy.t; });
    }
};
namespace { struct Anon { int a; }; }
template <class F> struct Launcher {
    F f;
    void operator()(int *p) { F g = f; kk<<<1, 1>>>([=] __device__ () { g(p); }); }
};
template <class F> Launcher<F> make(F f) { return {f}; }
void places() {
    int *p; cudaMallocManaged(&p, 16); *p = 0;
    TWO(*p += 1, *p += 20);
    printf("%d\n", *p);
    Outer::go(p, 5); Outer::go(p, 2.5f);
    cudaDeviceSynchronize(); printf("%d\n", *p);
    Anon a{7};
    kk<<<1, 1>>>([=] __device__ () { *p += a.a; });
    cudaDeviceSynchronize(); printf("%d\n", *p);
    cudaDeviceSynchronize(); printf("%d\n", *p);
    auto l = make([] __device__ (int *q) { *q += 1000; });
    l(p);
    cudaDeviceSynchronize(); printf("%d\n", *p);
    [=] { kk<<<1, 1>>>([=] __device__ () { *p += 3; }); }();
    cudaDeviceSynchronize(); printf("%d\n", *p);
    for (auto fn : {0, 1}) kk<<<1, 1>>>([=] __device__ { *p += fn; });
    cudaDeviceSynchronize(); printf("%d\n", *p);
    cudaFree(p);
}

int main() {
    plain();
    types();
    places();
    printf("PASSED\n");
}
