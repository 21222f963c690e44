// Transposes of several types through a tile: templates of kernels and of host functions.
#include <iostream>
#include <vector>

template <typename T, int TILE>
__global__ void transpose(const T *in, T *out, int width, int height) {
    __shared__ T tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

template <typename T, int TILE> bool check(const char *name, int width, int height) {
    std::vector<T> in(width * height), out(in.size());
    for (size_t i = 0; i < in.size(); i++) in[i] = static_cast<T>(i * 3 % 127);
    const size_t bytes = in.size() * sizeof(T);
    T *from, *to;
    cudaMalloc(&from, bytes);
    cudaMalloc(&to, bytes);
    cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice);
    transpose<T, TILE><<<dim3((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), dim3(TILE, TILE)>>>(from, to, width, height);
    cudaMemcpy(&out[0], to, bytes, cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (out[x * height + y] != in[y * width + x]) return false;
    std::cout << name << ' ' << width << 'x' << height << " last " << static_cast<double>(out.back()) << std::endl;
    return true;
}

int main() {
    bool right = check<int, 8>("int", 40, 24) & check<float, 16>("float", 33, 17);
    right &= check<unsigned char, 8>("unsigned char", 10, 50) & check<double, 4>("double", 9, 9);
    std::cout << (right ? "PASSED" : "FAILED") << "\n";
    return right ? 0 : 1;
}
