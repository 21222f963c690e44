// A class that kernels use names types that only host code has.
#include <cstdio>
#include <functional>
#include <iterator>
#include <string>
#include <vector>
template <class T> class View {
    T *p;
public:
    using value_type = T;
    using host_type = std::vector<T>;
    using iterator_category = std::random_access_iterator_tag;
    typedef std::string name_type;
    typedef typename std::vector<T>::iterator iterator;
    using callback = std::function<void(int)>;
    __host__ __device__ explicit View(T *p) : p(p) {}
    __host__ __device__ T &operator[](int i) const { return p[i]; }
    host_type fetch(int n) const {
        host_type all(n);
        cudaMemcpy(all.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
        return all;
    }
};
struct Settings {
    using names = std::vector<std::string>;
    int factor;
    names all() const { return names{"a", "b"}; }
};
__global__ void fill(View<int> view, Settings s) {
    View<int>::value_type v = threadIdx.x * s.factor;
    view[threadIdx.x] = v;
}
int main() {
    int *d;
    cudaMalloc(&d, 8 * sizeof(int));
    View<int> view(d);
    Settings s{3};
    fill<<<1, 8>>>(view, s);
    View<int>::host_type all = view.fetch(8);
    View<int>::name_type name = s.all()[1];
    bool right = name == "b";
    for (int i = 0; i < 8; i++) right &= all[i] == 3 * i;
    printf(right ? "PASSED\n" : "FAILED\n");
    cudaFree(d);
    return !right;
}
