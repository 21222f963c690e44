// Two-dimensional convolution with a mask in constant memory; elements outside the image are zeros.
//   warpsim run convolution.cu --launch convolution.ron --chip g80

#define MASK 3

__constant__ float mask[MASK][MASK] = {
    {1.0f, 2.0f, 1.0f},
    {2.0f, 4.0f, 2.0f},
    {1.0f, 2.0f, 1.0f},
};

__device__ float pixel(const float *image, int x, int y, int width, int height)
{
    bool inside = x >= 0 && x < width && y >= 0 && y < height;
    return inside ? image[y * width + x] : 0.0f;
}

__global__ void convolution(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int row = 0; row < MASK; row++)
        for (int column = 0; column < MASK; column++)
            sum += mask[row][column] * pixel(in, x + column - 1, y + row - 1, width, height);
    out[y * width + x] = sum;
}
