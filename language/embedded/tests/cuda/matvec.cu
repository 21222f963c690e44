// A matrix times a vector, one warp for each row; a class of the host owns the matrix.
#include <iomanip>
#include <iostream>
#include <vector>

__global__ void multiply(const float *matrix, const float *x, float *y, int columns) {
    __shared__ volatile float part[4][32];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, row = blockIdx.x * 4 + warp;
    float sum = 0;
    for (int i = lane; i < columns; i += 32) sum += matrix[row * columns + i] * x[i];
    part[warp][lane] = sum;
    for (int step = 16; step > 0; step >>= 1)
        if (lane < step) part[warp][lane] += part[warp][lane + step];
    if (lane == 0) y[row] = part[warp][0];
}

class Matrix {
public:
    Matrix(int rows, int columns) : rows_(rows), columns_(columns), values_(rows * columns) {}
    float &operator()(int row, int column) { return values_[row * columns_ + column]; }
    const float *data() const { return values_.data(); }
    size_t bytes() const { return values_.size() * sizeof(float); }
    std::vector<float> operator*(const std::vector<float> &x) const {
        std::vector<float> y;
        for (int r = 0; r < rows_; r++) {
            float sum = 0;
            for (int c = 0; c < columns_; c++) sum += values_[r * columns_ + c] * x[c];
            y.push_back(sum);
        }
        return y;
    }

private:
    int rows_, columns_;
    std::vector<float> values_;
};

int main() {
    const int rows = 24, columns = 70;
    Matrix m(rows, columns);
    std::vector<float> x(columns), y(rows);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) m(r, c) = (r * c) % 9 * 0.5f;
    for (int c = 0; c < columns; c++) x[c] = c % 5 - 2.0f;
    float *dm, *dx, *dy;
    cudaMalloc(&dm, m.bytes());
    cudaMalloc(&dx, columns * sizeof(float));
    cudaMalloc(&dy, rows * sizeof(float));
    cudaMemcpy(dm, m.data(), m.bytes(), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), columns * sizeof(float), cudaMemcpyHostToDevice);
    multiply<<<rows / 4, 128>>>(dm, dx, dy, columns);
    cudaMemcpy(y.data(), dy, rows * sizeof(float), cudaMemcpyDeviceToHost);
    std::cout << std::fixed << std::setprecision(1);
    for (int r = 0; r < rows; r++) std::cout << std::setw(8) << y[r] << (r % 8 == 7 ? "\n" : "");
    std::cout << (y == m * x ? "PASSED" : "FAILED") << std::endl;
    return 0;
}
