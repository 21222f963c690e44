// The Mandelbrot set in fixed point, printed as characters.
#include <stdio.h>

typedef struct {
    int width, height, most;
} Picture;

__host__ __device__ inline int escape(Picture p, int px, int py) {
    int cx = -2 * 4096 + px * 3 * 4096 / p.width, cy = -5000 + py * 10000 / p.height;
    int x = 0, y = 0, n = 0;
    while (n < p.most && x * x / 4096 + y * y / 4096 < 4 * 4096) {
        int next = (x * x - y * y) / 4096 + cx;
        y = 2 * x * y / 4096 + cy;
        x = next;
        n++;
    }
    return n;
}

__global__ void draw(Picture p, unsigned char *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < p.width && y < p.height) out[y * p.width + x] = (unsigned char)escape(p, x, y);
}

int main() {
    Picture p = {60, 20, 40};
    unsigned char host[20][60], *device;
    cudaMalloc(&device, sizeof(host));
    dim3 block(16, 4);
    dim3 grid((p.width + block.x - 1) / block.x, (p.height + block.y - 1) / block.y, 1);
    draw<<<grid, block>>>(p, device);
    cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < p.height; y++) {
        for (int x = 0; x < p.width; x++) {
            wrong += host[y][x] != escape(p, x, y);
            putchar(" .:-=+*#%@"[host[y][x] * 9 / p.most]);
        }
        putchar('\n');
    }
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong > 0;
}
