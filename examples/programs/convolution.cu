// Separable blur of a picture in a PGM file, with the weights in constant memory.
// Build: warpcc convolution.cu -o convolution && ./convolution [picture.pgm or width]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cutil_inline.h>

#define RADIUS 4
#define ROW_W 64
#define TILE_W 16
#define TILE_H 16

typedef unsigned char uchar_t;

struct Picture {
    int width, height;
    uchar_t *pixels;
};

__constant__ float weights[2 * RADIUS + 1];

// One row of a block of 64 pixels; pixels outside of the picture repeat its edge.
__global__ void rows(const uchar_t *in, float *out, int width, int height)
{
    __shared__ float line[ROW_W + 2 * RADIUS];
    int x = __mul24(blockIdx.x, ROW_W) + threadIdx.x, y = blockIdx.y;
    for (int i = threadIdx.x; i < ROW_W + 2 * RADIUS; i += ROW_W) {
        int from = min(max((int)(blockIdx.x * ROW_W) + i - RADIUS, 0), width - 1);
        line[i] = in[y * width + from];
    }
    __syncthreads();
    if (x >= width)
        return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += weights[k] * line[threadIdx.x + k];
    out[y * width + x] = sum;
}

__global__ void columns(const float *in, uchar_t *out, int width, int height)
{
    __shared__ float tile[TILE_H + 2 * RADIUS][TILE_W];
    int x = blockIdx.x * TILE_W + threadIdx.x, y = blockIdx.y * TILE_H + threadIdx.y;
    for (int i = threadIdx.y; i < TILE_H + 2 * RADIUS; i += TILE_H) {
        int from = min(max((int)(blockIdx.y * TILE_H) + i - RADIUS, 0), height - 1);
        tile[i][threadIdx.x] = x < width ? in[from * width + x] : 0.0f;
    }
    __syncthreads();
    if (x >= width || y >= height)
        return;
    float sum = 0.5f;
#pragma unroll
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += weights[k] * tile[threadIdx.y + k][threadIdx.x];
    out[y * width + x] = (uchar_t)fminf(sum, 255.0f);
}

static void write_pgm(const char *name, const Picture *picture)
{
    FILE *file = fopen(name, "wb");
    if (!file) {
        perror(name);
        exit(2);
    }
    fprintf(file, "P5\n# a picture\n%d %d\n255\n", picture->width, picture->height);
    fwrite(picture->pixels, 1, picture->width * picture->height, file);
    fclose(file);
}

static Picture read_pgm(const char *name)
{
    Picture picture;
    char line[256];
    int numbers[3], count = 0;
    FILE *file = fopen(name, "rb");
    if (!file || !fgets(line, sizeof line, file) || strncmp(line, "P5", 2) != 0) {
        fprintf(stderr, "%s: not a binary PGM file\n", name);
        exit(2);
    }
    while (count < 3 && fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        for (char *word = strtok(line, " \n"); word && count < 3; word = strtok(NULL, " \n"))
            numbers[count++] = atoi(word);
    }
    picture.width = numbers[0];
    picture.height = numbers[1];
    if (count != 3 || numbers[2] != 255 || picture.width < 1 || picture.height < 1) {
        fprintf(stderr, "%s: unknown kind of PGM file\n", name);
        exit(2);
    }
    size_t size = (size_t)picture.width * picture.height;
    picture.pixels = (uchar_t *)malloc(size);
    if (fread(picture.pixels, 1, size, file) != size) {
        fprintf(stderr, "%s: the file is too short\n", name);
        exit(2);
    }
    fclose(file);
    return picture;
}

// Circles and a bright square.
static Picture make_picture(int width)
{
    Picture picture = {width, width * 3 / 4, NULL};
    picture.pixels = (uchar_t *)malloc(picture.width * picture.height);
    for (int y = 0; y < picture.height; y++)
        for (int x = 0; x < width; x++) {
            int r2 = x * x + y * y;
            int square = x > width / 2 && x < width * 3 / 4 && y > width / 4 && y < width / 2;
            picture.pixels[y * width + x] = square ? 255 : (r2 / 64 % 2) * 180;
        }
    return picture;
}

int main(int argc, char **argv)
{
    float h_weights[2 * RADIUS + 1], total = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        total += h_weights[k + RADIUS] = expf(-k * k / 8.0f);
    for (int k = 0; k <= 2 * RADIUS; k++)
        h_weights[k] /= total;

    const char *name = "convolution_input.pgm";
    int width = argc > 1 ? atoi(argv[1]) : 80;
    if (argc > 1 && width == 0) {
        name = argv[1];
    } else if (width >= 4) {
        Picture made = make_picture(width);
        write_pgm(name, &made);
        free(made.pixels);
    } else {
        fprintf(stderr, "usage: convolution [picture.pgm or width]\n");
        return 2;
    }
    Picture picture = read_pgm(name);
    int w = picture.width, h = picture.height;

    uchar_t *d_in, *d_out;
    float *d_middle;
    cutilSafeCall(cudaMalloc((void **)&d_in, w * h));
    cutilSafeCall(cudaMalloc((void **)&d_out, w * h));
    cutilSafeCall(cudaMalloc((void **)&d_middle, w * h * sizeof(float)));
    cutilSafeCall(cudaMemcpy(d_in, picture.pixels, w * h, cudaMemcpyHostToDevice));
    cutilSafeCall(cudaMemcpyToSymbol(weights, h_weights, sizeof(h_weights)));
    rows<<<dim3((w + ROW_W - 1) / ROW_W, h), ROW_W>>>(d_in, d_middle, w, h);
    cutilCheckMsg("rows");
    dim3 tiles((w + TILE_W - 1) / TILE_W, (h + TILE_H - 1) / TILE_H);
    columns<<<tiles, dim3(TILE_W, TILE_H)>>>(d_middle, d_out, w, h);
    cutilCheckMsg("columns");
    Picture blurred = {w, h, (uchar_t *)malloc(w * h)};
    cutilSafeCall(cudaMemcpy(blurred.pixels, d_out, w * h, cudaMemcpyDeviceToHost));
    write_pgm("convolution_output.pgm", &blurred);
    free(blurred.pixels);

    // The file is read again and compared with a blur on the host; rounding may differ by 1.
    Picture result = read_pgm("convolution_output.pgm");
    float *middle = (float *)malloc(w * h * sizeof(float));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;
            for (int k = -RADIUS; k <= RADIUS; k++)
                sum += h_weights[k + RADIUS] * picture.pixels[y * w + min(max(x + k, 0), w - 1)];
            middle[y * w + x] = sum;
        }
    int wrong = 0, checksum = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0.5f;
            for (int k = -RADIUS; k <= RADIUS; k++)
                sum += h_weights[k + RADIUS] * middle[min(max(y + k, 0), h - 1) * w + x];
            wrong += abs((int)sum - result.pixels[y * w + x]) > 1;
            checksum += result.pixels[y * w + x];
        }
    printf("%d x %d pixels, sum %d, %d wrong\n", w, h, checksum, wrong);
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    cutilSafeCall(cudaFree(d_in));
    cutilSafeCall(cudaFree(d_out));
    cutilSafeCall(cudaFree(d_middle));
    free(middle);
    free(picture.pixels);
    free(result.pixels);
    return wrong ? 1 : 0;
}
