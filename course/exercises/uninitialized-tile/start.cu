#include <cstdio>
#include <cstdlib>

const int TILE = 64;

// Ends the program if a call of the CUDA runtime failed.
static void check(cudaError_t status, const char *call) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
    exit(1);
}

// Returns the number in `text`. Ends the program if it is not between `least` and `most`.
static int number(const char *text, int least, int most) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > most) {
        fprintf(stderr, "%s: expected a number from %d to %d\n", text, least, most);
        exit(2);
    }
    return (int)value;
}

// Returns the next number of a pseudorandom sequence, from 0 to `limit` - 1.
static unsigned state;

static int next_number(int limit) {
    state = state * 1664525u + 1013904223u;
    return (int)(state >> 16) % limit;
}

// Computes the sum of charge[j] * |position[i] - position[j]| over all charges j.
__global__ void potential(const int *position, const int *charge, int *result, int count) {
    __shared__ int tile_position[TILE];
    __shared__ int tile_charge[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    int mine = i < count ? position[i] : 0;
    int sum = 0;
    for (int first = 0; first < count; first += TILE) {
        // All threads have finished with the previous tile.
        if (first > 0) __syncthreads();
        int j = first + threadIdx.x;
        if (j < count) {
            tile_position[threadIdx.x] = position[j];
            tile_charge[threadIdx.x] = charge[j];
        }
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < TILE; k++) sum += tile_charge[k] * abs(mine - tile_position[k]);
    }
    if (i < count) result[i] = sum;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: uninitialized-tile COUNT SEED\n");
        return 2;
    }
    int count = number(argv[1], 1, 4096);
    state = number(argv[2], 1, 9999);
    size_t bytes = count * sizeof(int);
    int *position = (int *)malloc(bytes);
    int *charge = (int *)malloc(bytes);
    int *result = (int *)malloc(bytes);
    for (int i = 0; i < count; i++) {
        position[i] = 1 + next_number(90);
        charge[i] = 1 + next_number(3);
    }

    int *device_position, *device_charge, *device_result;
    check(cudaMalloc((void **)&device_position, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_charge, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_result, bytes), "cudaMalloc");
    check(cudaMemcpy(device_position, position, bytes, cudaMemcpyHostToDevice), "first copy");
    check(cudaMemcpy(device_charge, charge, bytes, cudaMemcpyHostToDevice), "second copy");

    int blocks = (count + TILE - 1) / TILE;
    potential<<<blocks, TILE>>>(device_position, device_charge, device_result, count);
    check(cudaGetLastError(), "launch of potential");
    check(cudaMemcpy(result, device_result, bytes, cudaMemcpyDeviceToHost), "third copy");

    printf("first:");
    for (int i = 0; i < count && i < 6; i++) printf(" %d", result[i]);
    printf("\nlast: %d\n", result[count - 1]);
    long long total = 0;
    for (int first = 0; first < count; first += 64) {
        int end = first + 64 < count ? first + 64 : count;
        long long part = 0;
        for (int i = first; i < end; i++) part += result[i];
        printf("charges %d to %d: %lld\n", first, end - 1, part);
        total += part;
    }
    printf("sum: %lld\n", total);

    check(cudaFree(device_position), "cudaFree");
    check(cudaFree(device_charge), "cudaFree");
    check(cudaFree(device_result), "cudaFree");
    free(position);
    free(charge);
    free(result);
    return 0;
}
