// Host and device code agree about objects with several base classes.
#include <stdio.h>

struct Empty {};
struct Point {
    float x, y;
    __host__ __device__ Point(float x, float y) : x(x), y(y) {}
    __host__ __device__ float sum() const { return x + y; }
};
struct Mark {
    char mark;
    int number;
    __host__ __device__ Mark(int number) : mark('m'), number(number) {}
    __host__ __device__ int twice() const { return number * 2; }
};
struct Both : Empty, Point, Mark {
    double weight;
    __host__ __device__ Both(int n) : Point(n, n + 1), Mark(n * 10), weight(n * 0.5) {}
};
struct Like : Both {
    using Both::Both;
};

__host__ __device__ float of_point(const Point &point) { return point.sum() * 2; }
__host__ __device__ int of_mark(const Mark *mark) { return mark ? mark->twice() + mark->mark : -1; }
__host__ __device__ float all(Both *both) {
    Mark *mark = both;
    Both *back = static_cast<Both *>(mark);
    return of_point(*both) + of_mark(mark) + (float)back->weight + (mark == both ? 1000.0f : 0.0f);
}

__global__ void kernel(Both given, Both *list, float *out) {
    Like own(threadIdx.x);
    Both *none = threadIdx.x == 3 ? 0 : &list[threadIdx.x];
    out[threadIdx.x] = all(&list[threadIdx.x]) + all(&own) + all(&given) + of_mark(none);
    list[threadIdx.x].number = threadIdx.x;
}

int main() {
    Both host[4] = {Both(1), Both(2), Both(3), Both(4)};
    Both *list;
    float *out, result[4];
    cudaMalloc((void **)&list, sizeof(host));
    cudaMalloc((void **)&out, sizeof(result));
    cudaMemcpy(list, host, sizeof(host), cudaMemcpyHostToDevice);
    kernel<<<1, 4>>>(Both(7), list, out);
    cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
    Both given(7);
    for (int i = 0; i < 4; ++i) {
        Like own(i);
        Both *none = i == 3 ? 0 : &host[i];
        float expected = all(&host[i]) + all(&own) + all(&given) + of_mark(none);
        printf("%g %d\n", result[i], result[i] == expected);
    }
    cudaMemcpy(host, list, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%s\n", host[2].number == 2 ? "PASSED" : "FAILED");
    printf("%d %d %d\n", host[2].number, (int)sizeof(Both), (int)sizeof(Like));
    return 0;
}
