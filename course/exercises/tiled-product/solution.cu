#include <cstdio>
#include <cstdlib>

const int TILE = 16;

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

__global__ void multiply(const float *a, const float *b, float *c, int size) {
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int column = blockIdx.x * TILE + x;
    int row = blockIdx.y * TILE + y;
    float sum = 0.0f;
    for (int first = 0; first < size; first += TILE) {
        // All threads have finished with the tiles of the previous step.
        if (first > 0) __syncthreads();
        bool a_inside = row < size && first + x < size;
        bool b_inside = first + y < size && column < size;
        a_tile[y][x] = a_inside ? a[row * size + first + x] : 0.0f;
        b_tile[y][x] = b_inside ? b[(first + y) * size + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += a_tile[y][k] * b_tile[k][x];
    }
    if (row < size && column < size) c[row * size + column] = sum;
}

// Prints the sum of each block of 16 x 16 elements, and the sum of the matrix.
static void print_sums(const float *c, int size) {
    double total = 0.0;
    for (int top = 0; top < size; top += 16) {
        printf("rows from %d:", top);
        for (int left = 0; left < size; left += 16) {
            double block_sum = 0.0;
            for (int row = top; row < size && row < top + 16; row++)
                for (int column = left; column < size && column < left + 16; column++)
                    block_sum += c[row * size + column];
            printf(" %.0f", block_sum);
            total += block_sum;
        }
        printf("\n");
    }
    printf("sum: %.0f\n", total);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: tiled-product SIZE SEED\n");
        return 2;
    }
    int size = number(argv[1], 1, 256);
    state = number(argv[2], 1, 9999);
    int elements = size * size;
    size_t bytes = elements * sizeof(float);
    float *a = (float *)malloc(bytes);
    float *b = (float *)malloc(bytes);
    float *c = (float *)malloc(bytes);
    for (int i = 0; i < elements; i++) {
        a[i] = (float)(1 + next_number(5));
        b[i] = (float)(1 + next_number(5));
    }

    float *device_a, *device_b, *device_c;
    check(cudaMalloc((void **)&device_a, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_b, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_c, bytes), "cudaMalloc");
    check(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice), "copy of a");
    check(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice), "copy of b");

    int blocks = (size + TILE - 1) / TILE;
    multiply<<<dim3(blocks, blocks), dim3(TILE, TILE)>>>(device_a, device_b, device_c, size);
    check(cudaGetLastError(), "launch of multiply");
    check(cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost), "copy of the result");

    printf("first:");
    for (int i = 0; i < size && i < 6; i++) printf(" %.0f", c[i]);
    printf("\nlast: %.0f\n", c[elements - 1]);
    print_sums(c, size);

    check(cudaFree(device_a), "cudaFree");
    check(cudaFree(device_b), "cudaFree");
    check(cudaFree(device_c), "cudaFree");
    free(a);
    free(b);
    free(c);
    return 0;
}
