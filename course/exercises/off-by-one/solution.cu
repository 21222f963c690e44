#include <cstdio>
#include <cstdlib>

const int THREADS = 256;
const int BRIGHTER = 60;

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

__global__ void brighten(const int *picture, int *result, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        int value = picture[i] + BRIGHTER;
        result[i] = value < 255 ? value : 255;
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: off-by-one PIXELS SEED\n");
        return 2;
    }
    int pixels = number(argv[1], 1, 100000);
    state = number(argv[2], 1, 9999);
    size_t bytes = pixels * sizeof(int);
    int *picture = (int *)malloc(bytes);
    int *result = (int *)malloc(bytes);
    for (int i = 0; i < pixels; i++) picture[i] = next_number(256);

    int *device_picture, *device_result;
    check(cudaMalloc((void **)&device_picture, bytes), "cudaMalloc");
    check(cudaMalloc((void **)&device_result, bytes), "cudaMalloc");
    check(cudaMemcpy(device_picture, picture, bytes, cudaMemcpyHostToDevice), "first copy");

    int blocks = (pixels + THREADS - 1) / THREADS;
    brighten<<<blocks, THREADS>>>(device_picture, device_result, pixels);
    check(cudaGetLastError(), "launch of brighten");
    check(cudaMemcpy(result, device_result, bytes, cudaMemcpyDeviceToHost), "second copy");

    printf("first:");
    for (int i = 0; i < pixels && i < 6; i++) printf(" %d", result[i]);
    printf("\nlast: %d\n", result[pixels - 1]);
    for (int first = 0; first < pixels; first += 256) {
        int end = first + 256 < pixels ? first + 256 : pixels;
        int total = 0;
        for (int i = first; i < end; i++) total += result[i];
        printf("pixels %d to %d: %d\n", first, end - 1, total);
    }

    check(cudaFree(device_picture), "cudaFree");
    check(cudaFree(device_result), "cudaFree");
    free(picture);
    free(result);
    return 0;
}
