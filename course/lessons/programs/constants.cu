// The potential of atoms at points of a line, with the atoms in constant or in global memory.
// With `spread` 1 the lanes of a warp begin at different atoms, with 0 at the same one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ATOMS 256
#define POINTS 4096

__constant__ float2 atoms[ATOMS];

__global__ void from_constant(float *potential, int spread)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, first = threadIdx.x * spread;
    float x = i * 0.5f + 0.25f, sum = 0;
    for (int k = 0; k < ATOMS; k++) {
        float2 atom = atoms[(k + first) % ATOMS];
        sum += atom.y / fabsf(x - atom.x);
    }
    potential[i] = sum;
}

__global__ void from_global(const float2 *list, float *potential, int spread)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, first = threadIdx.x * spread;
    float x = i * 0.5f + 0.25f, sum = 0;
    for (int k = 0; k < ATOMS; k++) {
        float2 atom = list[(k + first) % ATOMS];
        sum += atom.y / fabsf(x - atom.x);
    }
    potential[i] = sum;
}

int main(int argc, char **argv)
{
    int spread = argc > 1 ? atoi(argv[1]) : 0;
    static float2 list[ATOMS];
    static float result[2][POINTS];
    for (int k = 0; k < ATOMS; k++)
        list[k] = make_float2(8.0f * k, k % 2 ? 1.0f : -1.0f);
    float *d_potential;
    float2 *d_list;
    cudaMalloc((void **)&d_potential, sizeof(result[0]));
    cudaMalloc((void **)&d_list, sizeof(list));
    cudaMemcpyToSymbol(atoms, list, sizeof(list));
    cudaMemcpy(d_list, list, sizeof(list), cudaMemcpyHostToDevice);
    from_constant<<<POINTS / 128, 128>>>(d_potential, spread);
    cudaMemcpy(result[0], d_potential, sizeof(result[0]), cudaMemcpyDeviceToHost);
    from_global<<<POINTS / 128, 128>>>(d_list, d_potential, spread);
    cudaMemcpy(result[1], d_potential, sizeof(result[1]), cudaMemcpyDeviceToHost);
    int different = 0;
    for (int i = 0; i < POINTS; i++)
        different += result[0][i] != result[1][i];
    printf("%d points, %d results differ\n", POINTS, different);
    cudaFree(d_potential);
    cudaFree(d_list);
    return different != 0;
}
