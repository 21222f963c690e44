// Electrostatic potential of atoms on a grid of points, with the atoms in constant memory.
// Call: coulomb WIDTH HEIGHT ATOMS SEED
#include <stdio.h>
#include <stdlib.h>

#define SIDE 16        // threads of a block in x and in y
#define MOST_ATOMS 256 // most atoms of a call
#define SPACING 0.5f   // distance of two points of the grid

// Ends the program if a call of the CUDA runtime failed.
#define CHECK(call) check((call), __LINE__)

static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

static unsigned int state;

// Returns the next pseudorandom number from 0 to bound - 1.
static int next_number(int bound)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 16) % (unsigned int)bound);
}

__constant__ float4 atoms[MOST_ATOMS];

// Stores the potential at each point of the grid: the sum of charge / distance over all atoms. The
// point in column x and row y is at (x * SPACING, y * SPACING, 0).
__global__ void potential(float *out, int width, int height, int count)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int a = 0; a < count; a++) {
        float dx = x * SPACING - atoms[a].x;
        float dy = y * SPACING - atoms[a].y;
        float dz = atoms[a].z;
        sum += atoms[a].w * rsqrtf(dx * dx + dy * dy + dz * dz);
    }
    out[y * width + x] = sum;
}

int main(int argc, char **argv)
{
    int width = argc == 5 ? atoi(argv[1]) : 0;
    int height = argc == 5 ? atoi(argv[2]) : 0;
    int count = argc == 5 ? atoi(argv[3]) : 0;
    if (width < 1 || width > 256 || height < 1 || height > 256 || count < 1 || count > MOST_ATOMS) {
        fprintf(stderr, "usage: coulomb WIDTH HEIGHT ATOMS SEED, with 1 to 256 points and atoms\n");
        return 2;
    }
    state = (unsigned int)atoi(argv[4]);

    // Atoms are above the grid: no distance is 0.
    float4 atom[MOST_ATOMS];
    for (int a = 0; a < count; a++) {
        atom[a].x = next_number(1000) * 0.001f * SPACING * width;
        atom[a].y = next_number(1000) * 0.001f * SPACING * height;
        atom[a].z = 0.5f + next_number(400) * 0.01f;
        atom[a].w = (float)(1 + next_number(9));
    }
    CHECK(cudaMemcpyToSymbol(atoms, atom, count * sizeof(float4)));

    int n = width * height;
    float *grid = (float *)malloc(n * sizeof(float));
    float *d_out;
    CHECK(cudaMalloc((void **)&d_out, n * sizeof(float)));
    CHECK(cudaMemset(d_out, 0, n * sizeof(float)));

    dim3 block(SIDE, SIDE);
    dim3 blocks((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE);
    potential<<<blocks, block>>>(d_out, width, height, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(grid, d_out, n * sizeof(float), cudaMemcpyDeviceToHost));

    printf("corners %.4f %.4f %.4f %.4f\n", grid[0], grid[width - 1], grid[n - width], grid[n - 1]);
    for (int y = 0; y < height; y += (height + 7) / 8) {
        double sum = 0;
        for (int x = 0; x < width; x++)
            sum += grid[y * width + x] * (x + 1);
        printf("row %d: first %.4f, weighted sum %.3f\n", y, grid[y * width], sum);
    }

    CHECK(cudaFree(d_out));
    free(grid);
    return 0;
}
