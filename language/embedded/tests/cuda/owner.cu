// Classes that own device memory: moved, kept in a vector, with errors as exceptions.
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

static int living = 0;

void check(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(code));
}

template <typename T> class Buffer {
public:
    explicit Buffer(size_t n) : n_(n) {
        check(cudaMalloc(&data_, n * sizeof(T)));
        ++living;
    }
    Buffer(Buffer &&other) : data_(other.data_), n_(other.n_) { other.data_ = nullptr; }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() {
        if (!data_) return;
        cudaFree(data_);
        --living;
    }
    T *get() const { return data_; }
    std::vector<T> read() const {
        std::vector<T> host(n_);
        check(cudaMemcpy(host.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }

private:
    T *data_ = nullptr;
    size_t n_;
};

template <typename T> __global__ void fill(T *x, T first, T step, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = first + step * (T)i;
}

template <typename T> Buffer<T> series(T first, T step, int n) {
    Buffer<T> made(n);
    fill<<<(n + 31) / 32, 32>>>(made.get(), first, step, n);
    check(cudaGetLastError());
    return made;
}

int main() {
    bool right = true, refused = false;
    {
        std::vector<Buffer<int>> all;
        for (int i = 1; i <= 4; i++) all.push_back(series(i, i * i, 40));
        for (const auto &one : all) {
            auto host = one.read();
            std::cout << host[0] << ' ' << host[39] << "; ";
        }
        right = right && all[3].read()[39] == 4 + 16 * 39;
        Buffer<float> f = series(0.5f, 0.25f, 10);
        Buffer<float> moved(std::move(f));
        std::cout << moved.read().back() << ' ' << living << std::endl;
        try {
            Buffer<char> large((size_t)1 << 45);
        } catch (const std::exception &error) {
            std::cout << error.what() << std::endl;
            refused = true;
        }
    }
    std::cout << living << (right && refused && living == 0 ? " PASSED" : " FAILED") << std::endl;
    return 0;
}
