// Templates of kernels in namespaces, launched by templates, static members and pointers.
#include <cstdio>

namespace outer {
namespace inner {
struct Item {
    int value;
};
template <typename T, int N = 3> __global__ void fill(T *p) { p[threadIdx.x].value = N; }
template <int N> __global__ void number(int *p) { *p = N; }
template <> __global__ void number<13>(int *p) { *p = 1300; }
template <typename T, typename U = int> __global__ void overload(const T *in, T *out, U n) {
    if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x] + T(1);
}
template <typename T> __global__ void overload(T *out) { *out = T(5); }
template __global__ void overload<double>(double *);
template <int N> __global__ void declared(int *p);
}
namespace {
template <class T> __global__ void hidden(T *p, T value) { *p = value; }
struct Local {
    int value;
};
template <class T> struct Box {
    T item;
};
template <class T> __global__ void boxed(int *p, T box) { *p = box.item.value; }
}
template <class T> struct Runner {
    static void run(T *p) {
        inner::fill<T><<<1, 1>>>(p);
        inner::fill<T, 9><<<1, 1>>>(p + 1);
    }
};
void boxes(int *p) {
    Box<Local> box;
    box.item.value = 77;
    boxed<<<1, 1>>>(p, box);
}
}
template <int N> __global__ void outer::inner::declared(int *p) { *p = N; }
template <> __global__ void outer::inner::number<7>(int *p) { *p = 700; }

using outer::inner::number;
namespace alias = outer::inner;
namespace {
template <class T, int B> struct Launcher {
    static void run(T *p) {
        outer::inner::overload<T><<<1, B>>>(p);
        alias::overload<<<1, B>>>((const T *)p, p, 1u);
    }
    void one(T *p) const { alias::overload<T><<<1, 1>>>(p); }
};
template <class T> void both(T *p) { Launcher<T, 32>::run(p); }
}
enum Mode { ONE, TWO };
namespace modes {
enum class Kind { A, B };
__device__ int plus(int x) { return x + 1; }
}
template <Mode M, modes::Kind K> __global__ void enumerated(int *p) { *p = 10 * M + (int)K; }
template <bool F, char C, unsigned U, long long L> __global__ void values(int *p) {
    *p = (F ? 1 : 0) + C + U + (int)L;
}
__device__ int minus(int x) { return x - 1; }
template <int (*F)(int)> __global__ void applied(int *p) { *p = F(*p); }
struct Base {
    template <class T> struct Inner {
        T value;
    };
    enum { X = 3 };
};
template <class F> struct Wrap {
    F inner;
};
template <typename F> __global__ void wrapped(Wrap<F> w, int *p) { *p = w.inner.value * 2; }
namespace functors {
struct Add {
    int n;
    __host__ __device__ int operator()(int x) const { return x + n; }
};
template <class Op> __global__ void call(int *p, Op op) { *p = op(*p); }
}
template <void (*K)(int *)> void launched(int *p) { K<<<1, 1>>>(p); }
__global__ void plain(int *p) { *p = 50; }

static bool passed = true;
static void expect(int *p, int expected) {
    int value;
    cudaMemcpy(&value, p, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", value);
    passed = passed && value == expected;
}

int main() {
    int *p;
    cudaMalloc((void **)&p, 64);
    outer::Runner<outer::inner::Item>::run((outer::inner::Item *)p);
    expect(p, 3);
    expect(p + 1, 9);
    outer::inner::number<5><<<1, 1>>>(p);
    expect(p, 5);
    number<6><<<1, 1>>>(p);
    expect(p, 6);
    number<7><<<1, 1>>>(p);
    expect(p, 700);
    outer::inner::number<13><<<1, 1>>>(p);
    expect(p, 1300);
    alias::declared<8><<<1, 1>>>(p);
    expect(p, 8);
    outer::hidden<<<1, 1>>>(p, 12);
    expect(p, 12);
    outer::boxes(p);
    expect(p, 77);
    both(p);
    expect(p, 6);
    Launcher<int, 1>().one(p);
    expect(p, 5);
    enumerated<TWO, modes::Kind::B><<<1, 1>>>(p);
    expect(p, 11);
    values<true, 'a', 7u, -5LL><<<1, 1>>>(p);
    expect(p, 100);
    values<false, 'a', Base::X, -5LL><<<1, 1>>>(p);
    expect(p, 95);
    applied<modes::plus><<<1, 1>>>(p);
    expect(p, 96);
    applied<&minus><<<1, 1>>>(p);
    expect(p, 95);
    Wrap<Base::Inner<int> > wrap;
    wrap.inner.value = 21;
    wrapped<<<1, 1>>>(wrap, p);
    expect(p, 42);
    functors::Add add = {100};
    functors::call<<<1, 1>>>(p, add);
    expect(p, 142);
    launched<plain>(p);
    expect(p, 50);
    void (*kernels[])(int *) = {alias::number<1>, number<2>, plain};
    for (int i = 0; i < 3; i++) {
        kernels[i]<<<1, 1>>>(p);
        expect(p, i < 2 ? i + 1 : 50);
    }
    void *arguments[] = {&p};
    cudaLaunchKernel((const void *)number<21>, dim3(1), dim3(1), arguments, 0, 0);
    expect(p, 21);
    cudaFuncAttributes attributes;
    int blocks, grid, block;
    passed = passed && cudaFuncGetAttributes(&attributes, number<20>) == cudaSuccess;
    passed = passed && cudaFuncSetCacheConfig(number<20>, cudaFuncCachePreferL1) == cudaSuccess;
    passed = passed && cudaFuncSetCacheConfig((const void *)plain, cudaFuncCachePreferL1) == cudaSuccess;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, number<20>, 64, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, number<20>, 0, 0);
    printf("%d %d\n", blocks, block);
    cudaFree(p);
    const char *error = cudaGetErrorString(cudaGetLastError());
    printf("%s\n%s\n", error, passed ? "PASSED" : "FAILED");
    return 0;
}
