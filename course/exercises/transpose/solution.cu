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

// Stores element (row, column) of the input as element (column, row) of the result.
__global__ void transpose(const int *input, int *result, int rows, int columns) {
    __shared__ int tile[TILE][TILE + 1];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int left = blockIdx.x * TILE;
    int top = blockIdx.y * TILE;
    if (top + y < rows && left + x < columns) {
        tile[y][x] = input[(top + y) * columns + left + x];
    }
    __syncthreads();
    if (left + y < columns && top + x < rows) {
        result[(left + y) * rows + top + x] = tile[x][y];
    }
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: transpose ROWS COLUMNS SEED\n");
        return 2;
    }
    int rows = number(argv[1], 1, 256);
    int columns = number(argv[2], 1, 256);
    state = number(argv[3], 1, 9999);
    int elements = rows * columns;
    size_t bytes = elements * sizeof(int);
    int *input = (int *)malloc(bytes);
    int *result = (int *)malloc(bytes);
    for (int i = 0; i < elements; i++) input[i] = 1 + next_number(99);

    int *device_input, *device_result;
    check(cudaMalloc((void **)&device_input, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_result, bytes), "cudaMalloc");
    check(cudaMemcpy(device_input, input, bytes, cudaMemcpyHostToDevice), "first copy");

    dim3 block(TILE, TILE);
    dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    transpose<<<grid, block>>>(device_input, device_result, rows, columns);
    check(cudaGetLastError(), "launch of transpose");
    check(cudaMemcpy(result, device_result, bytes, cudaMemcpyDeviceToHost), "second copy");

    // The result has `columns` rows and `rows` columns.
    printf("first:");
    for (int i = 0; i < rows && i < 6; i++) printf(" %d", result[i]);
    printf("\nlast: %d\n", result[elements - 1]);
    for (int top = 0; top < columns; top += 16) {
        int total = 0;
        for (int row = top; row < columns && row < top + 16; row++) {
            for (int i = 0; i < rows; i++) total += (i + 1) * result[row * rows + i];
        }
        printf("rows from %d: %d\n", top, total);
    }

    check(cudaFree(device_input), "cudaFree");
    check(cudaFree(device_result), "cudaFree");
    free(input);
    free(result);
    return 0;
}
