// Host code with the C++ library between device code: classes that kernels only point to, default
// arguments, templates and operators.
#include <cstdio>
#include <string>
#include <vector>
struct Mesh {
    int n;
    std::vector<int> host;
    int *device;
};
int length(const std::string &text, int times = 1, const char *more = "") { return (int)text.size() * times; }
__device__ int base() { return 7; }
template <class T, class A = std::vector<T>> T total(const A &list) {
    T sum = T();
    for (const T &one : list) sum += one;
    return sum;
}
__device__ int more() { return 3; }
class Names {
public:
    std::vector<std::string> list;
    Names &operator=(const std::string &text);
};
Names &Names::operator=(const std::string &text) {
    list.assign(1, text);
    return *this;
}
__device__ int most() { return 1; }
std::vector<int> made(int n = 2) { return std::vector<int>(n, 5); }
__global__ void run(const Mesh *mesh, int *out) { *out = base() + more() + most() + (mesh == nullptr); }
int main() {
    int *out, result = 0;
    cudaMalloc(&out, sizeof(int));
    run<<<1, 1>>>(nullptr, out);
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
    Names names;
    names = "abc";
    Mesh mesh = {2, made(), nullptr};
    bool right = result == 12 && length("ab", 2) == 4 && total<int>(mesh.host) == 10 && names.list[0] == "abc";
    printf("%s\n", right ? "PASSED" : "FAILED");
    return !right;
}
