// Mandelbrot set as an image: writes mandelbrot.pgm. Points in the set take the most iterations.
// Build: warpcc mandelbrot.cu -o mandelbrot && ./mandelbrot [width]
#include <stdio.h>
#include <stdlib.h>

#define LIMIT 48

// The iterations until the point leaves the circle of radius 2. Additions and products are rounded
// each, so that host and device have the same result.
__host__ __device__ int iterations(float re, float im)
{
    float x = 0, y = 0;
    int n = 0;
    while (n < LIMIT) {
#ifdef __CUDA_ARCH__
        float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y), xy = __fmul_rn(x, y);
        if (__fadd_rn(xx, yy) > 4.0f)
            break;
        x = __fadd_rn(__fadd_rn(xx, -yy), re);
        y = __fadd_rn(__fadd_rn(xy, xy), im);
#else
        float xx = x * x, yy = y * y, xy = x * y;
        if (xx + yy > 4.0f)
            break;
        x = xx - yy + re;
        y = xy + xy + im;
#endif
        n++;
    }
    return n;
}

// One pixel for each thread; the step between pixels is a power of two, so places are exact.
__global__ void mandelbrot(unsigned char *image, int width, int height, float step)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        image[y * width + x] = 255 - 5 * iterations((x - width * 3 / 4) * step, (y - height / 2) * step);
}

int main(int argc, char **argv)
{
    int width = argc > 1 ? atoi(argv[1]) : 96;
    if (width < 16 || width > 4096) {
        fprintf(stderr, "usage: mandelbrot [width], 16 to 4096\n");
        return 2;
    }
    int height = width * 3 / 4;
    float step = 1;
    while (step * width > 4)
        step /= 2;
    unsigned char *image = (unsigned char *)malloc(width * height), *d_image;
    cudaMalloc((void **)&d_image, width * height);
    dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
    mandelbrot<<<grid, block>>>(d_image, width, height, step);
    cudaError_t error = cudaMemcpy(image, d_image, width * height, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
        return 2;
    }

    int wrong = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            wrong += image[y * width + x] != 255 - 5 * iterations((x - width * 3 / 4) * step, (y - height / 2) * step);
    FILE *file = fopen("mandelbrot.pgm", "wb");
    if (file) {
        fprintf(file, "P5\n%d %d\n255\n", width, height);
        fwrite(image, 1, width * height, file);
        fclose(file);
        printf("mandelbrot.pgm has %d x %d pixels\n", width, height);
    }
    printf("%d of %d pixels are wrong\n", wrong, width * height);
    cudaFree(d_image);
    free(image);
    printf(wrong == 0 ? "PASSED\n" : "FAILED\n");
    return wrong != 0;
}
