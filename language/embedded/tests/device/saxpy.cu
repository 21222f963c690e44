// Host code with classes that own memory and events of the device, exceptions and containers.
#include <iostream>
#include <fstream>
#include <sstream>
#include <vector>
#include <string>
#include <map>
#include <cmath>
#include <cstring>
#include <algorithm>
#include <stdexcept>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                   \
    do {                                                                                   \
        cudaError_t err = (call);                                                          \
        if (err != cudaSuccess) {                                                          \
            std::ostringstream os;                                                         \
            os << __FILE__ << ":" << __LINE__ << ": " << cudaGetErrorString(err);          \
            throw std::runtime_error(os.str());                                            \
        }                                                                                  \
    } while (0)

namespace gpu {
template <typename T> class DeviceArray {
    T *ptr_;
    size_t n_;
public:
    explicit DeviceArray(size_t n) : ptr_(nullptr), n_(n) { CUDA_CHECK(cudaMalloc(&ptr_, n * sizeof(T))); }
    ~DeviceArray() { if (ptr_) cudaFree(ptr_); }
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;
    DeviceArray(DeviceArray &&o) noexcept : ptr_(o.ptr_), n_(o.n_) { o.ptr_ = nullptr; o.n_ = 0; }
    void upload(const std::vector<T> &v) { CUDA_CHECK(cudaMemcpy(ptr_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice)); }
    std::vector<T> download() const {
        std::vector<T> v(n_);
        CUDA_CHECK(cudaMemcpy(v.data(), ptr_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
    T *get() { return ptr_; }
    operator T *() const { return ptr_; }
    size_t size() const { return n_; }
};

class Event {
    cudaEvent_t e_;
public:
    Event() { cudaEventCreate(&e_); }
    ~Event() { cudaEventDestroy(e_); }
    void record(cudaStream_t s = 0) { cudaEventRecord(e_, s); }
    float since(const Event &o) const { cudaEventSynchronize(e_); float ms = 0; cudaEventElapsedTime(&ms, o.e_, e_); return ms; }
};
}

template <typename T> __global__ void saxpy(int n, T a, const T *x, T *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

struct Config {
    int n = 1000;
    float a = 2.0f;
    std::string name = "default";
    bool verbose = false;
};

static Config parse(int argc, char **argv) {
    Config c;
    for (int i = 1; i < argc; ++i) {
        std::string arg = argv[i];
        if (arg == "-v") c.verbose = true;
        else if (arg.substr(0, 2) == "n=") c.n = std::stoi(arg.substr(2));
        else throw std::invalid_argument("unknown argument: " + arg);
    }
    return c;
}

class Shape {
protected:
    std::string label;
    double scale;
public:
    Shape(std::string l, double s) : label(l), scale(s) {}
    const std::string &getLabel() const { return label; }
    double area() const { return scale; }
};
class Circle : public Shape {
    double r;
public:
    Circle(double radius) : Shape("circle", 1.0), r(radius) {}
    double area() const { return 3.0 * r * r * scale; }
};

int main(int argc, char **argv) {
    try {
        Config config = parse(argc, argv);
        std::vector<float> x(config.n), y(config.n, 1.0f);
        for (int i = 0; i < config.n; ++i) x[i] = static_cast<float>(i);
        gpu::DeviceArray<float> dx(config.n), dy(config.n);
        dx.upload(x);
        dy.upload(y);
        gpu::Event start, stop;
        start.record();
        const int block = 256;
        saxpy<float><<<(config.n + block - 1) / block, block>>>(config.n, config.a, dx, dy.get());
        stop.record();
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaDeviceSynchronize());
        std::vector<float> out = dy.download();
        double err = 0;
        for (size_t i = 0; i < out.size(); ++i) err = std::max(err, (double)std::fabs(out[i] - (2.0f * x[i] + 1.0f)));
        std::cout << config.name << " n=" << config.n << " max error " << err << " " << (start.since(start) >= 0) << std::endl;
        gpu::DeviceArray<float> moved = std::move(dx);
        std::cout << moved.size() << " " << dx.size() << "\n";
        Circle c(2.0);
        std::cout << c.getLabel() << " " << c.area() << " " << c.Shape::area() << "\n";
        std::map<std::string, std::vector<int>> index;
        std::istringstream words("a b a c b a");
        std::string w;
        for (int i = 0; words >> w; ++i) index[w].push_back(i);
        for (auto &kv : index) {
            std::cout << kv.first << ":";
            for (int p : kv.second) std::cout << ' ' << p;
            std::cout << '\n';
        }
        int *grid[3];
        for (auto &g : grid) g = new int[4]{1, 2, 3};
        std::cout << grid[2][1] << grid[2][3] << "\n";
        for (auto g : grid) delete[] g;
        const char *const names[] = {"x", "y"};
        for (const char *n : names) std::cout << n;
        std::cout << std::endl;
        gpu::DeviceArray<float> huge(1ull << 60);
    } catch (const std::invalid_argument &e) {
        std::cerr << "usage: " << e.what() << std::endl;
        return EXIT_FAILURE;
    } catch (const std::exception &e) {
        std::cerr << "error: " << e.what() << std::endl;
        return 2;
    }
    return 0;
}
