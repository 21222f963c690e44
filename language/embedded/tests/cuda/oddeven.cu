/* Odd-even transposition sort: a launch for each phase until nothing changes; plain C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    int key;
    char name[12];
};

__global__ void phase(struct record *r, int n, int odd, int *changed) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
    if (i + 1 < n && r[i].key > r[i + 1].key) {
        struct record kept = r[i];
        r[i] = r[i + 1];
        r[i + 1] = kept;
        *changed = 1;
    }
}

static int by_key(const void *a, const void *b) {
    int x = ((const struct record *)a)->key, y = ((const struct record *)b)->key;
    return (x > y) - (x < y);
}

int main(void) {
    enum { N = 60 };
    struct record host[N], sorted[N], *device;
    int i, phases = 0, changed, idle = 0, *flag;
    for (i = 0; i < N; i++) {
        memset(&host[i], 0, sizeof host[i]);
        host[i].key = i * 37 % 61;
        sprintf(host[i].name, "name-%02d", host[i].key);
    }
    memcpy(sorted, host, sizeof host);
    qsort(sorted, N, sizeof sorted[0], by_key);
    cudaMalloc((void **)&device, sizeof host);
    cudaMalloc((void **)&flag, sizeof(int));
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    do {
        changed = 0;
        cudaMemcpy(flag, &changed, sizeof changed, cudaMemcpyHostToDevice);
        phase<<<1, N / 2>>>(device, N, phases++ & 1, flag);
        cudaMemcpy(&changed, flag, sizeof changed, cudaMemcpyDeviceToHost);
        idle = changed ? 0 : idle + 1;
    } while (idle < 2);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    for (i = 0; i < N; i += 13) printf("%-10s|%4d|\n", host[i].name, host[i].key);
    printf("%d phases, %s\n", phases, memcmp(host, sorted, sizeof host) == 0 ? "PASSED" : "FAILED");
    return 0;
}
