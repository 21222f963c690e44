#include <cstdio>
#include <cstdlib>

const int PART = 512;

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

// Replaces each y[i] by factor * x[i] + y[i], with any number of blocks and threads.
__global__ void saxpy(float factor, const float *x, float *y, int count) {
    // Your code: compute the elements of this thread.
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: saxpy COUNT BLOCKS THREADS SEED\n");
        return 2;
    }
    int count = number(argv[1], 1, 100000);
    int blocks = number(argv[2], 1, 1024);
    int threads = number(argv[3], 1, 512);
    state = number(argv[4], 1, 9999);
    size_t bytes = count * sizeof(float);
    float *x = (float *)malloc(bytes);
    float *y = (float *)malloc(bytes);
    for (int i = 0; i < count; i++) {
        x[i] = (float)(1 + next_number(9));
        y[i] = (float)(1 + next_number(9));
    }

    float *device_x, *device_y;
    check(cudaMalloc((void **)&device_x, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_y, bytes), "cudaMalloc");
    check(cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice), "copy of x");
    check(cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice), "copy of y");

    saxpy<<<blocks, threads>>>(3.0f, device_x, device_y, count);
    check(cudaGetLastError(), "launch of saxpy");
    check(cudaMemcpy(y, device_y, bytes, cudaMemcpyDeviceToHost), "copy of the result");

    printf("first:");
    for (int i = 0; i < count && i < 6; i++) printf(" %g", y[i]);
    printf("\nlast: %g\n", y[count - 1]);
    for (int first = 0; first < count; first += PART) {
        int end = first + PART < count ? first + PART : count;
        double total = 0.0;
        for (int i = first; i < end; i++) total += y[i];
        printf("elements %d to %d: %g\n", first, end - 1, total);
    }

    check(cudaFree(device_x), "cudaFree");
    check(cudaFree(device_y), "cudaFree");
    free(x);
    free(y);
    return 0;
}
