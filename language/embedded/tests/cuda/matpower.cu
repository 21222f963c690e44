// Powers of a matrix modulo a prime, with a class that owns device memory and operators.
#include <cassert>
#include <initializer_list>
#include <iostream>
#include <vector>

typedef unsigned long long u64;
static const u64 P = 1000000007ULL;

template <unsigned TILE> __global__ void multiply(const u64 *a, const u64 *b, u64 *c, unsigned n) {
    __shared__ u64 as[TILE][TILE], bs[TILE][TILE + 1];
    const unsigned tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    u64 sum = 0;
    for (unsigned k = 0; k < n; k += TILE) {
        as[ty][tx] = row < n && k + tx < n ? a[row * n + k + tx] : 0;
        bs[ty][tx] = column < n && k + ty < n ? b[(k + ty) * n + column] : 0;
        __syncthreads();
#pragma unroll
        for (unsigned j = 0; j < TILE; j++) sum = (sum + as[ty][j] * bs[j][tx]) % P;
        __syncthreads();
    }
    if (row < n && column < n) c[row * n + column] = sum;
}

class Matrix {
    u64 *data_;
    unsigned n_;
    static int alive_;

  public:
    explicit Matrix(unsigned n) : data_(nullptr), n_(n) {
        cudaMalloc(&data_, bytes());
        cudaMemset(data_, 0, bytes());
        ++alive_;
    }
    Matrix(const Matrix &other) : Matrix(other.n_) { cudaMemcpy(data_, other.data_, bytes(), cudaMemcpyDeviceToDevice); }
    Matrix(Matrix &&other) noexcept : data_(other.data_), n_(other.n_) {
        other.data_ = nullptr;
        ++alive_;
    }
    ~Matrix() {
        cudaFree(data_);
        --alive_;
    }
    Matrix &operator=(Matrix other) {
        std::swap(data_, other.data_);
        std::swap(n_, other.n_);
        return *this;
    }
    Matrix &operator=(const std::vector<u64> &values) {
        assert(values.size() == n_ * n_);
        cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice);
        return *this;
    }
    std::size_t bytes() const { return sizeof(u64) * n_ * n_; }
    static Matrix identity(unsigned n) {
        std::vector<u64> values(n * n);
        for (unsigned i = 0; i < n; i++) values[i * (n + 1)] = 1;
        Matrix m(n);
        m = values;
        return m;
    }
    friend Matrix operator*(const Matrix &a, const Matrix &b) {
        Matrix c(a.n_);
        const unsigned tiles = (a.n_ + 3) / 4;
        multiply<4><<<dim3(tiles, tiles), dim3(4, 4)>>>(a.data_, b.data_, c.data_, a.n_);
        return c;
    }
    Matrix &operator*=(const Matrix &b) { return *this = *this * b; }
    u64 operator()(unsigned row, unsigned column) const {
        u64 value;
        cudaMemcpy(&value, data_ + row * n_ + column, sizeof value, cudaMemcpyDeviceToHost);
        return value;
    }
    static int alive() { return alive_; }
};

int Matrix::alive_ = 0;

Matrix power(Matrix base, u64 exponent) {
    Matrix result = Matrix::identity(7);
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result *= base;
        base *= base;
    }
    return result;
}

int main() {
    // x[i] = x[i-1] + 2 x[i-3] + x[i-7], as a matrix of 7 rows.
    const u64 factors[7] = {1, 0, 2, 0, 0, 0, 1};
    bool right = true;
    {
        std::vector<u64> values(49, 0);
        for (int i = 0; i < 7; i++) values[i] = factors[i];
        for (int i = 1; i < 7; i++) values[i * 7 + i - 1] = 1;
        Matrix step(7);
        step = values;
        std::vector<u64> x(7, 1);
        for (int i = 7; i <= 1006; i++) x.push_back((x[i - 1] + 2 * x[i - 3] + x[i - 7]) % P);
        for (u64 exponent : {1u, 2u, 13u, 1000u}) {
            Matrix m = power(step, exponent);
            u64 sum = 0;
            for (int i = 0; i < 7; i++) sum += m(0, i);
            std::cout << exponent << ": " << sum % P << "\n";
            right = right && sum % P == x[exponent + 6];
        }
        Matrix huge = power(step, 1000000000000000ULL), more = power(step, 999999999999999ULL) * step;
        std::cout << huge(0, 0) << " " << more(0, 0) << " alive " << Matrix::alive() << "\n";
        right &= huge(0, 0) == more(0, 0) && huge(3, 4) == more(3, 4);
    }
    right &= Matrix::alive() == 0;
    std::cout << (right ? "PASSED" : "FAILED") << std::endl;
    return right ? 0 : 1;
}
