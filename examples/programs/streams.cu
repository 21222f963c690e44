// Overlap of copies and kernels: pinned memory, two streams, events; compared with one stream.
// Build: warpcc streams.cu -o streams && ./streams [elements]
#include <stdio.h>
#include <stdlib.h>

#define STREAMS 2
#define CHUNKS 4
#define BLOCK 128
#define ROUNDS 40

#define TRY(call) try_call((call), #call, __LINE__)

static void try_call(cudaError_t error, const char *call, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(error));
        exit(2);
    }
}

// A polynomial with a loop, so that a kernel takes about as long as a copy.
__global__ void polynomial(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = in[i], y = 0;
        for (int k = 0; k < ROUNDS; k++)
            y = y * x + k;
        out[i] = y;
    }
}

// Copies, computes and copies back in chunks; chunk c uses stream c % count. Returns milliseconds.
static float run(cudaStream_t *streams, int count, const int *in, int *out, int *d_in, int *d_out, int n)
{
    cudaEvent_t begin, end, last[STREAMS];
    TRY(cudaEventCreate(&begin));
    TRY(cudaEventCreate(&end));
    for (int s = 0; s < count; s++)
        TRY(cudaEventCreateWithFlags(&last[s], cudaEventDisableTiming));
    int chunk = n / CHUNKS;
    size_t bytes = chunk * sizeof(int);
    TRY(cudaDeviceSynchronize());
    TRY(cudaEventRecord(begin, 0));
    // All copies to the device first: a device with one copy engine works in the order of the calls.
    for (int c = 0; c < CHUNKS; c += count) {
        for (int s = 0; s < count; s++) {
            int at = (c + s) * chunk;
            TRY(cudaMemcpyAsync(d_in + at, in + at, bytes, cudaMemcpyHostToDevice, streams[s]));
        }
        for (int s = 0; s < count; s++) {
            int at = (c + s) * chunk, blocks = (chunk + BLOCK - 1) / BLOCK;
            polynomial<<<blocks, BLOCK, 0, streams[s]>>>(d_in + at, d_out + at, chunk);
            TRY(cudaGetLastError());
        }
        for (int s = 0; s < count; s++) {
            int at = (c + s) * chunk;
            TRY(cudaMemcpyAsync(out + at, d_out + at, bytes, cudaMemcpyDeviceToHost, streams[s]));
        }
    }
    for (int s = 0; s < count; s++) {
        TRY(cudaEventRecord(last[s], streams[s]));
        if (s > 0)
            TRY(cudaStreamWaitEvent(streams[0], last[s], 0));
    }
    TRY(cudaEventRecord(end, streams[0]));
    TRY(cudaEventSynchronize(end));
    cudaError_t state = cudaStreamQuery(streams[0]);
    if (state != cudaErrorNotReady)
        TRY(state);
    for (int s = 0; s < count; s++)
        TRY(cudaStreamSynchronize(streams[s]));
    float ms;
    TRY(cudaEventElapsedTime(&ms, begin, end));
    TRY(cudaEventDestroy(begin));
    TRY(cudaEventDestroy(end));
    for (int s = 0; s < count; s++)
        TRY(cudaEventDestroy(last[s]));
    return ms;
}

static int wrong_results(const int *in, const int *out, int n)
{
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        unsigned int y = 0;
        for (unsigned int k = 0; k < ROUNDS; k++)
            y = y * (unsigned int)in[i] + k;
        wrong += out[i] != (int)y;
    }
    return wrong;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) / CHUNKS * CHUNKS : 16384;
    if (n < CHUNKS) {
        fprintf(stderr, "usage: streams [elements], at least %d\n", CHUNKS);
        return 2;
    }
    int device;
    cudaDeviceProp prop;
    TRY(cudaGetDevice(&device));
    TRY(cudaGetDeviceProperties(&prop, device));

    int *in, *out, *d_in, *d_out;
    TRY(cudaMallocHost((void **)&in, n * sizeof(int)));
    TRY(cudaHostAlloc((void **)&out, n * sizeof(int), cudaHostAllocDefault));
    TRY(cudaMalloc((void **)&d_in, n * sizeof(int)));
    TRY(cudaMalloc((void **)&d_out, n * sizeof(int)));
    for (int i = 0; i < n; i++)
        in[i] = i % 1000 - 500;
    cudaStream_t streams[STREAMS];
    for (int s = 0; s < STREAMS; s++)
        TRY(cudaStreamCreate(&streams[s]));

    float ms[STREAMS];
    int wrong = 0;
    for (int count = 1; count <= STREAMS; count++) {
        for (int i = 0; i < n; i++)
            out[i] = -1;
        TRY(cudaMemset(d_in, 0, n * sizeof(int)));
        ms[count - 1] = run(streams, count, in, out, d_in, d_out, n);
        wrong += wrong_results(in, out, n);
    }
    printf("%s overlaps copies: %s\n", prop.name, prop.deviceOverlap ? "yes" : "no");
    printf("one stream %.4f ms, two streams %.4f ms\n", ms[0], ms[1]);
    bool slower = ms[1] > ms[0] * 1.05f;
    printf("%s\n", wrong || slower ? "FAILED" : "PASSED");

    for (int s = 0; s < STREAMS; s++)
        TRY(cudaStreamDestroy(streams[s]));
    TRY(cudaFreeHost(in));
    TRY(cudaFreeHost(out));
    TRY(cudaFree(d_in));
    TRY(cudaFree(d_out));
    return wrong || slower ? 1 : 0;
}
