// Output from a kernel with printf, and host memory that the device uses: mapped, and managed.
// Build: warpcc -arch=sm_20 printing.cu -o printing && ./printing [words]
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct Word {
    char text[12];
    int length;
    Word *next; // a list through mapped memory
};

__device__ int words_seen;

__global__ void measure(Word *words, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int length = 0;
    while (words[i].text[length])
        length++;
    words[i].length = length;
    words[i].next = i + 1 < count ? &words[i + 1] : NULL;
    assert(length < sizeof words[i].text);
    atomicAdd(&words_seen, 1);
}

__global__ void print(const Word *first, int limit)
{
    int total = 0, shown = 0;
    for (const Word *word = first; word; word = word->next) {
        total += word->length;
        if (shown++ < limit)
            printf("%2d: %-8s %d letters, %5.2f on average\n", shown, word->text, word->length,
                   (double)total / shown);
    }
    printf("%d words, %d letters\n", shown, total);
}

__global__ void add(int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sums[i] += i;
}

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
    exit(2);
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 100;
    if (count < 1) {
        fprintf(stderr, "usage: printing [words]\n");
        return 2;
    }
    cudaDeviceProp prop;
    if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess)
        fail("properties");
    if (prop.major < 2 || !prop.canMapHostMemory) {
        printf("needs printf and mapped memory: compute capability 2.0, not %d.%d\n", prop.major, prop.minor);
        return 3;
    }
    if (cudaSetDeviceFlags(cudaDeviceMapHost) != cudaSuccess)
        fail("cudaSetDeviceFlags");

    Word *words, *d_words;
    if (cudaHostAlloc((void **)&words, count * sizeof(Word), cudaHostAllocMapped) != cudaSuccess ||
        cudaHostGetDevicePointer((void **)&d_words, words, 0) != cudaSuccess)
        fail("mapped memory");
    static const char *const names[] = {"grid", "block", "warp", "lane", "texture", "barrier", "a"};
    for (int i = 0; i < count; i++)
        snprintf(words[i].text, sizeof words[i].text, "%s%d", names[i % 7], i % 100);

    measure<<<(count + 63) / 64, 64>>>(d_words, count);
    print<<<1, 1>>>(d_words, 5);
    if (cudaDeviceSynchronize() != cudaSuccess)
        fail("kernels");
    int seen = 0, wrong = 0;
    cudaMemcpyFromSymbol(&seen, words_seen, sizeof seen);
    for (int i = 0; i < count; i++)
        wrong += words[i].length != (int)strlen(words[i].text); // written by the device
    wrong += seen != count;

    // Managed memory where the device has it, else memory of the device and copies.
    int *sums, host[100];
    for (int i = 0; i < 100; i++)
        host[i] = 2 * i;
    if (prop.managedMemory) {
        if (cudaMallocManaged(&sums, sizeof host) != cudaSuccess)
            fail("managed memory");
        for (int i = 0; i < 100; i++)
            sums[i] = host[i];
        add<<<2, 64>>>(sums, 100);
        cudaDeviceSynchronize();
        for (int i = 0; i < 100; i++)
            host[i] = sums[i];
    } else {
        cudaMalloc(&sums, sizeof host);
        cudaMemcpy(sums, host, sizeof host, cudaMemcpyHostToDevice);
        add<<<2, 64>>>(sums, 100);
        cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    }
    for (int i = 0; i < 100; i++)
        wrong += host[i] != 3 * i;
    if (cudaGetLastError() != cudaSuccess)
        fail("sums");
    printf("%d words counted, %d wrong\n", seen, wrong);
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    cudaFree(sums);
    cudaFreeHost(words);
    return wrong ? 1 : 0;
}
