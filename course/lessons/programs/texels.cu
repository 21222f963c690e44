// Thread i reads a vector through a texture and with loads, at the places of a table.
#include <stdio.h>

#define N 4096

texture<float, 1, cudaReadModeElementType> fetched;

__global__ void with_texture(const int *places, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += tex1Dfetch(fetched, places[i] + k);
    out[i] = sum;
}

__global__ void with_loads(const float *in, const int *places, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += in[places[i] + k];
    out[i] = sum;
}

int main()
{
    static float in[N + 8], out[2][N];
    static int places[N];
    for (int i = 0; i < N + 8; i++)
        in[i] = i;
    for (int i = 0; i < N; i++)
        places[i] = i / 256 * 256 + i * 37 % 256;
    float *d_in, *d_out;
    int *d_places;
    cudaMalloc((void **)&d_in, sizeof(in));
    cudaMalloc((void **)&d_out, sizeof(out[0]));
    cudaMalloc((void **)&d_places, sizeof(places));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    cudaMemcpy(d_places, places, sizeof(places), cudaMemcpyHostToDevice);
    cudaBindTexture(NULL, fetched, d_in, sizeof(in));
    with_texture<<<N / 128, 128>>>(d_places, d_out);
    cudaMemcpy(out[0], d_out, sizeof(out[0]), cudaMemcpyDeviceToHost);
    with_loads<<<N / 128, 128>>>(d_in, d_places, d_out);
    cudaMemcpy(out[1], d_out, sizeof(out[1]), cudaMemcpyDeviceToHost);
    int different = 0;
    for (int i = 0; i < N; i++)
        different += out[0][i] != out[1][i];
    printf("%d elements, %d results differ\n", N, different);
    cudaUnbindTexture(fetched);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_places);
    return different != 0;
}
