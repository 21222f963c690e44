// Sparse products in the format ELL: buffers that move, exceptions with their own type.
#include <algorithm>
#include <exception>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

class CudaError : public std::exception {
    std::string text;

  public:
    CudaError(cudaError_t code, int line) : text("line " + std::to_string(line) + ": " + cudaGetErrorString(code)) {}
    const char *what() const noexcept override { return text.c_str(); }
};

#define TRY_CUDA(...)                                                       \
    if (cudaError_t code_ = (__VA_ARGS__)) throw CudaError(code_, __LINE__)

template <typename T> class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(std::size_t count) : size_(count) { TRY_CUDA(cudaMalloc(&data_, count * sizeof(T))); }
    Buffer(const std::vector<T> &from) : Buffer(from.size()) {
        TRY_CUDA(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    Buffer(Buffer &&other) noexcept { swap(other); }
    Buffer &operator=(Buffer &&other) noexcept {
        swap(other);
        return *this;
    }
    ~Buffer() { cudaFree(data_); }
    void swap(Buffer &other) {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }
    T *get() { return data_; }
    const T *get() const { return data_; }
    std::size_t size() const { return size_; }
    explicit operator bool() const { return data_ != nullptr; }
    std::vector<T> read() const {
        std::vector<T> to(size_);
        TRY_CUDA(cudaMemcpy(to.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return to;
    }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

template <typename T> struct EllView {
    int rows, width;
    const int *columns;
    const T *values;
    __device__ T times(int row, const T *x) const {
        T sum = 0;
        for (int k = 0; k < width; ++k) {
            const int column = columns[k * rows + row];
            if (column < 0) break;
            sum += values[k * rows + row] * x[column];
        }
        return sum;
    }
};

template <typename T> __global__ void multiply(EllView<T> a, const T *x, T *y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < a.rows) y[row] = a.times(row, x);
}

template <typename T> struct Entry {
    int row, column;
    T value;
};

template <typename T> class Ell {
    int rows_, width_;
    Buffer<int> columns_;
    Buffer<T> values_;

  public:
    Ell(int rows, const std::vector<Entry<T>> &entries) : rows_(rows), width_(0) {
        std::vector<int> used(rows, 0);
        for (const auto &e : entries) width_ = std::max(width_, ++used[e.row]);
        std::vector<int> columns(rows * width_, -1);
        std::vector<T> values(rows * width_);
        std::fill(used.begin(), used.end(), 0);
        for (const auto &e : entries) {
            const int at = used[e.row]++ * rows + e.row;
            columns[at] = e.column;
            values[at] = e.value;
        }
        columns_ = Buffer<int>(columns);
        values_ = values;
    }
    int width() const { return width_; }
    std::vector<T> operator*(const std::vector<T> &x) const {
        Buffer<T> in(x), out(rows_);
        EllView<T> view{rows_, width_, columns_.get(), values_.get()};
        multiply<T><<<(rows_ + 63) / 64, 64>>>(view, in.get(), out.get());
        TRY_CUDA(cudaGetLastError());
        return out.read();
    }
};

template <typename T> bool test(const char *name, int n) {
    std::vector<Entry<T>> entries;
    for (int row = 0; row < n; row++)
        for (int column = row % 3; column < n; column += 7 + row % 11) entries.push_back({row, column, T((row * column) % 13 - 6)});
    std::vector<T> x(n), expected(n);
    std::iota(x.begin(), x.end(), T(1));
    for (const auto &e : entries) expected[e.row] += e.value * x[e.column];
    std::unique_ptr<Ell<T>> matrix(new Ell<T>(n, entries));
    const auto y = *matrix * x;
    std::cout << name << ": " << entries.size() << " entries, width " << matrix->width() << ", sum " << std::accumulate(y.begin(), y.end(), T()) << "\n";
    return y == expected;
}

int main() {
    bool good = test<int>("int", 100);
    good &= test<float>("float", 130);
    good &= test<long long>("long long", 70);
    Buffer<int> none, some(std::vector<int>{4, 5, 6});
    none = std::move(some);
    good = good && none && !some && none.read().back() == 6;
    try {
        Buffer<char> huge(std::numeric_limits<std::size_t>::max() / 2);
        good = false;
    } catch (const CudaError &error) {
        const std::string text = error.what();
        std::cout << text.substr(text.find(':') + 2) << "\n";
    }
    std::cout << (good ? "PASSED" : "FAILED") << "\n";
    return 0;
}
