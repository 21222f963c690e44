// Texture fetches: a table in linear memory, and a picture in a CUDA array with a linear filter.
// Build: warpcc texture.cu -o texture && ./texture [side]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <helper_cuda.h>

texture<float4, 1, cudaReadModeElementType> colors;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> picture;
texture<int, 2> exact;

// Turns and scales the picture: one texel with a filter, as an index of the table of colors.
__global__ void turn(float4 *out, int side, int entries, float cosine, float sine)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side)
        return;
    float u = (x + 0.5f) / side - 0.5f, v = (y + 0.5f) / side - 0.5f;
    float gray = tex2D(picture, cosine * u - sine * v + 0.5f, sine * u + cosine * v + 0.5f);
    int entry = (int)(gray * (entries - 1) + 0.5f);
    float4 color = tex1Dfetch(colors, entry);
    color.w = gray;
    out[y * side + x] = color;
}

// Sum of the 3 x 3 neighbors without a filter; the address mode repeats the edge.
__global__ void neighbors(int *out, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side)
        return;
    int sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += tex2D(exact, x + dx, y + dy);
    out[y * side + x] = sum;
}

static int clamp(int value, int side)
{
    return value < 0 ? 0 : value >= side ? side - 1 : value;
}

// The linear filter of the programming guide.
static float filtered(const unsigned char *pixels, int side, float u, float v)
{
    float x = u * side - 0.5f, y = v * side - 0.5f;
    int i = (int)floorf(x), j = (int)floorf(y);
    float a = x - i, b = y - j;
#define AT(x, y) (pixels[clamp(y, side) * side + clamp(x, side)] / 255.0f)
    return (1 - a) * (1 - b) * AT(i, j) + a * (1 - b) * AT(i + 1, j) + (1 - a) * b * AT(i, j + 1) +
           a * b * AT(i + 1, j + 1);
#undef AT
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 48;
    if (side < 2) {
        fprintf(stderr, "usage: texture [side]\n");
        return 2;
    }
    const int entries = 64;
    int area = side * side;
    float4 h_colors[entries];
    for (int i = 0; i < entries; i++)
        h_colors[i] = make_float4(i, 2 * i, entries - i, 0);
    unsigned char *pixels = (unsigned char *)malloc(area);
    int *numbers = (int *)malloc(area * sizeof(int));
    for (int i = 0; i < area; i++) {
        pixels[i] = 100 + 90 * sinf(i % side * 0.3f) + 60 * cosf(i / side * 0.2f);
        numbers[i] = i * i % 1001;
    }

    // Linear memory.
    float4 *d_colors, *d_out, *out = (float4 *)malloc(area * sizeof(float4));
    checkCudaErrors(cudaMalloc(&d_colors, sizeof h_colors));
    checkCudaErrors(cudaMalloc(&d_out, area * sizeof(float4)));
    checkCudaErrors(cudaMemcpy(d_colors, h_colors, sizeof h_colors, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaBindTexture(0, colors, d_colors, sizeof h_colors));

    // An array with 8 bits for each texel, read as numbers from 0 to 1.
    cudaArray *array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
    checkCudaErrors(cudaMallocArray(&array, &desc, side, side));
    checkCudaErrors(cudaMemcpyToArray(array, 0, 0, pixels, area, cudaMemcpyHostToDevice));
    picture.normalized = true;
    picture.filterMode = cudaFilterModeLinear;
    picture.addressMode[0] = picture.addressMode[1] = cudaAddressModeClamp;
    checkCudaErrors(cudaBindTextureToArray(picture, array));

    // Pitched linear memory.
    int *d_numbers, *d_sums, *sums = (int *)malloc(area * sizeof(int));
    size_t pitch;
    checkCudaErrors(cudaMallocPitch(&d_numbers, &pitch, side * sizeof(int), side));
    checkCudaErrors(cudaMemcpy2D(d_numbers, pitch, numbers, side * sizeof(int), side * sizeof(int), side,
                                 cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMalloc(&d_sums, area * sizeof(int)));
    checkCudaErrors(cudaBindTexture2D(0, exact, d_numbers, cudaCreateChannelDesc<int>(), side, side, pitch));

    dim3 block(16, 8), grid((side + 15) / 16, (side + 7) / 8);
    const float cosine = 0.8f, sine = 0.6f;
    turn<<<grid, block>>>(d_out, side, entries, cosine, sine);
    neighbors<<<grid, block>>>(d_sums, side);
    getLastCudaError("kernels with textures");
    checkCudaErrors(cudaMemcpy(out, d_out, area * sizeof(float4), cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(sums, d_sums, area * sizeof(int), cudaMemcpyDeviceToHost));

    int wrong_filter = 0, wrong_table = 0, wrong_sums = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            float u = (x + 0.5f) / side - 0.5f, v = (y + 0.5f) / side - 0.5f;
            float gray = filtered(pixels, side, cosine * u - sine * v + 0.5f, sine * u + cosine * v + 0.5f);
            float4 got = out[y * side + x];
            wrong_filter += !(fabsf(got.w - gray) < 0.01f); // weights have 8 bits
            int entry = (int)(got.w * (entries - 1) + 0.5f);
            wrong_table += got.x != entry || got.y != 2 * entry || got.z != entries - entry;
            int sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += numbers[clamp(y + dy, side) * side + clamp(x + dx, side)];
            wrong_sums += sums[y * side + x] != sum;
        }
    printf("wrong of %d: filter %d, table %d, neighbors %d\n", area, wrong_filter, wrong_table, wrong_sums);
    bool passed = wrong_filter + wrong_table + wrong_sums == 0;
    checkCudaErrors(cudaUnbindTexture(colors));
    checkCudaErrors(cudaUnbindTexture(picture));
    checkCudaErrors(cudaUnbindTexture(exact));
    checkCudaErrors(cudaFreeArray(array));
    checkCudaErrors(cudaFree(d_colors));
    checkCudaErrors(cudaFree(d_out));
    checkCudaErrors(cudaFree(d_numbers));
    checkCudaErrors(cudaFree(d_sums));
    free(pixels);
    free(numbers);
    free(out);
    free(sums);
    printf("%s\n", passed ? "PASSED" : "FAILED");
    return passed ? 0 : 1;
}
