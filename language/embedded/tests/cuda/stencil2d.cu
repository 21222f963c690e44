// Steps of heat in whole numbers on rows with a pitch: cudaMallocPitch and cudaMemcpy2D.
#include <cstdio>
#include <cstring>

enum { WIDTH = 37, HEIGHT = 21, STEPS = 5 };

__global__ void step(const int *from, int *to, size_t pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDTH || y >= HEIGHT) return;
    const int *row = (const int *)((const char *)from + y * pitch);
    int value = row[x];
    if (x > 0 && y > 0 && x < WIDTH - 1 && y < HEIGHT - 1) {
        const int *above = (const int *)((const char *)row - pitch), *below = (const int *)((const char *)row + pitch);
        value = (row[x - 1] + row[x + 1] + above[x] + below[x] + 4 * value) / 8;
    }
    ((int *)((char *)to + y * pitch))[x] = value;
}

typedef int Grid[HEIGHT][WIDTH];

static void on_host(Grid &grid) {
    Grid next;
    memcpy(next, grid, sizeof next);
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++)
            next[y][x] = (grid[y][x - 1] + grid[y][x + 1] + grid[y - 1][x] + grid[y + 1][x] + 4 * grid[y][x]) / 8;
    memcpy(grid, next, sizeof next);
}

int main() {
    Grid grid, result;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) grid[y][x] = x == 0 ? 1000 : y == 3 ? 5000 : (x * y) % 7;
    int *a, *b;
    size_t pitch, other;
    cudaMallocPitch(&a, &pitch, WIDTH * sizeof(int), HEIGHT);
    cudaMallocPitch(&b, &other, WIDTH * sizeof(int), HEIGHT);
    cudaMemcpy2D(a, pitch, grid, sizeof grid[0], sizeof grid[0], HEIGHT, cudaMemcpyHostToDevice);
    dim3 threads(16, 8), blocks((WIDTH + 15) / 16, (HEIGHT + 7) / 8);
    for (int i = 0; i < STEPS; i++) {
        step<<<blocks, threads>>>(a, b, pitch);
        int *swapped = a;
        a = b;
        b = swapped;
        on_host(grid);
    }
    cudaMemcpy2D(result, sizeof result[0], a, pitch, sizeof result[0], HEIGHT, cudaMemcpyDeviceToHost);
    long sum = 0;
    for (int *at = &result[0][0]; at != &result[0][0] + WIDTH * HEIGHT; ++at) sum += *at;
    bool same = memcmp(grid, result, sizeof grid) == 0 && pitch == other && pitch >= sizeof grid[0];
    printf("%ld %d %d\n%s\n", sum, result[3][5], result[10][1], same ? "PASSED" : "FAILED");
    cudaFree(a);
    cudaFree(b);
    return !same;
}
