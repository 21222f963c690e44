// Addresses of functions in variables of the device, and variables that the host names in text.
#include <stdio.h>

typedef float (*Function)(float);
__device__ float square(float x) { return x * x; }
__host__ __device__ float twice(float x) { return 2 * x; }
template <class T> __device__ T negated(T x) { return -x; }
namespace other {
__device__ float half(float x) { return x / 2; }
struct Shift {
    static __device__ float ten(float x) { return x + 10; }
};
__constant__ int inside = 4;
}
struct Entry {
    const char *name;
    Function function;
    int arity;
    struct {
        Function inner;
    } part;
};
__device__ Function one = square;
__device__ Function two = &twice;
__constant__ Function table[4] = {square, twice, negated<float>, other::half};
__constant__ Entry entries[2] = {{"a", square, 1, {twice}}, {"b", other::Shift::ten, 2, {&other::half}}};
__device__ Function square2[2][2] = {{square, 0}, {NULL, twice}};
__device__ void *untyped = (void *)square;
__device__ int counter = 3;
__constant__ float factors[2];
__device__ char message[8];
Function host = twice;
Function hosts[] = {twice, &twice};

__global__ void all(float *out) {
    out[0] = one(3);
    out[1] = two(3);
    for (int i = 0; i < 4; i++) out[2 + i] = table[i](3);
    out[6] = entries[1].function(3);
    out[7] = entries[0].part.inner(4);
    out[8] = square2[1][1](5) + (square2[0][1] == 0);
    out[9] = ((Function)untyped)(5);
    out[10] = factors[0] + factors[1] + counter + message[0] + other::inside;
}
__global__ void apply(Function function, float *out) { *out = function(7); }

int main() {
    float h[11] = {0}, *d;
    cudaMalloc((void **)&d, sizeof(h));
    float values[2] = {0.25f, 0.5f};
    int seven = 7, back = 0;
    const char *name = "counter";
    printf("%s\n", cudaGetErrorString(cudaMemcpyToSymbol("factors", values, sizeof(values))));
    printf("%s\n", cudaGetErrorString(cudaMemcpyToSymbol(name, &seven, sizeof(int), 0, cudaMemcpyHostToDevice)));
    printf("%s\n", cudaGetErrorString(cudaMemcpyFromSymbol(&back, "counter", sizeof(int))));
    printf("%s\n", cudaGetErrorString(cudaMemcpyToSymbolAsync("message", "A", 2, 0, cudaMemcpyHostToDevice, 0)));
    printf("%s\n", cudaGetErrorString(cudaMemcpyToSymbol("unknown", values, 4)));
    cudaGetLastError();
    all<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 11; i++) printf("%g ", h[i]);
    printf("\n");
    Function function, many[4];
    cudaMemcpyFromSymbol(&function, one, sizeof(function));
    apply<<<1, 1>>>(function, d);
    cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(many, "table", sizeof(many));
    apply<<<1, 1>>>(many[2], d);
    cudaMemcpy(h + 1, d, 4, cudaMemcpyDeviceToHost);
    printf("%d %g %g %g %g\n", back, h[0], h[1], host(4), hosts[1](5));
    void *address, *same;
    size_t size;
    cudaGetSymbolAddress(&address, "message");
    cudaGetSymbolAddress(&same, message);
    cudaGetSymbolSize(&size, "factors");
    printf("%d %d\n", address == same, (int)size);
    bool passed = h[0] == 49 && h[1] == -7 && h[10] == 76.75f && back == 7 && address == same && size == 8;
    cudaFree(d);
    printf("%s\n", passed ? "PASSED" : "FAILED");
    return 0;
}
