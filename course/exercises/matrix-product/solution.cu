#include <cstdio>
#include <cstdlib>

const int BLOCK = 16;

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

__global__ void multiply(const int *a, const int *b, int *c, int rows, int inner, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) {
        int sum = 0;
        for (int k = 0; k < inner; k++) sum += a[row * inner + k] * b[k * columns + column];
        c[row * columns + column] = sum;
    }
}

// Prints the sum of each block of 16 x 16 elements, and the sum of the matrix.
static void print_sums(const int *c, int rows, int columns) {
    int total = 0;
    for (int top = 0; top < rows; top += 16) {
        printf("rows from %d:", top);
        for (int left = 0; left < columns; left += 16) {
            int block_sum = 0;
            for (int row = top; row < rows && row < top + 16; row++)
                for (int column = left; column < columns && column < left + 16; column++)
                    block_sum += c[row * columns + column];
            printf(" %d", block_sum);
            total += block_sum;
        }
        printf("\n");
    }
    printf("sum: %d\n", total);
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: matrix-product ROWS INNER COLUMNS SEED\n");
        return 2;
    }
    int rows = number(argv[1], 1, 256);
    int inner = number(argv[2], 1, 256);
    int columns = number(argv[3], 1, 256);
    state = number(argv[4], 1, 9999);
    size_t a_bytes = rows * inner * sizeof(int);
    size_t b_bytes = inner * columns * sizeof(int);
    size_t c_bytes = rows * columns * sizeof(int);
    int *a = (int *)malloc(a_bytes);
    int *b = (int *)malloc(b_bytes);
    int *c = (int *)malloc(c_bytes);
    for (int i = 0; i < rows * inner; i++) a[i] = 1 + next_number(5);
    for (int i = 0; i < inner * columns; i++) b[i] = 1 + next_number(5);

    int *device_a, *device_b, *device_c;
    check(cudaMalloc((void **)&device_a, a_bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_b, b_bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_c, c_bytes), "cudaMalloc");
    check(cudaMemcpy(device_a, a, a_bytes, cudaMemcpyHostToDevice), "copy of a");
    check(cudaMemcpy(device_b, b, b_bytes, cudaMemcpyHostToDevice), "copy of b");

    dim3 block(BLOCK, BLOCK);
    dim3 grid((columns + BLOCK - 1) / BLOCK, (rows + BLOCK - 1) / BLOCK);
    multiply<<<grid, block>>>(device_a, device_b, device_c, rows, inner, columns);
    check(cudaGetLastError(), "launch of multiply");
    check(cudaMemcpy(c, device_c, c_bytes, cudaMemcpyDeviceToHost), "copy of the result");

    printf("first:");
    for (int i = 0; i < columns && i < 6; i++) printf(" %d", c[i]);
    printf("\nlast: %d\n", c[rows * columns - 1]);
    print_sums(c, rows, columns);

    check(cudaFree(device_a), "cudaFree");
    check(cudaFree(device_b), "cudaFree");
    check(cudaFree(device_c), "cudaFree");
    free(a);
    free(b);
    free(c);
    return 0;
}
