// A list in managed memory, which host code and kernels follow and extend by the same pointers.
#include <cstdio>
#include <cassert>

struct Node {
    int value;
    Node *next;
};

struct Text {
    char *letters;
    int length;
};

__global__ void add_behind(Node *first, Node *pool) {
    Node *last = first;
    while (last->next != nullptr) last = last->next;
    for (int i = 0; i < 3; i++) {
        pool[i].value = last->value + 1;
        pool[i].next = nullptr;
        last->next = &pool[i];
        last = last->next;
    }
}

__global__ void upper(Text *text) {
    int i = threadIdx.x;
    if (i < text->length) text->letters[i] -= 32;
}

__global__ void is_same(const Node *first, int *out) { *out = first->next->next == first; }

int main() {
    Node *first, *second, *pool;
    assert(cudaMallocManaged(&first, sizeof(Node)) == cudaSuccess);
    assert(cudaMallocManaged(&second, sizeof(Node)) == cudaSuccess);
    assert(cudaMallocManaged(&pool, 3 * sizeof(Node)) == cudaSuccess);
    *first = {1, second};
    *second = {2, nullptr};
    add_behind<<<1, 1>>>(first, pool);
    assert(cudaDeviceSynchronize() == cudaSuccess);
    int sum = 0, count = 0;
    for (const Node *node = first; node; node = node->next) {
        sum = 10 * sum + node->value;
        count++;
    }
    printf("%d nodes: %d\n", count, sum);
    assert(second->next == pool && pool[1].next == pool + 2);

    int *same;
    assert(cudaMallocManaged(&same, sizeof(int)) == cudaSuccess);
    second->next = first;
    is_same<<<1, 1>>>(first, same);
    assert(cudaDeviceSynchronize() == cudaSuccess && *same == 1);

    Text *text;
    assert(cudaMallocManaged(&text, sizeof(Text)) == cudaSuccess);
    assert(cudaMallocManaged(&text->letters, 6) == cudaSuccess);
    text->length = 5;
    for (int i = 0; i < 6; i++) text->letters[i] = "hello"[i];
    upper<<<1, 32>>>(text);
    assert(cudaDeviceSynchronize() == cudaSuccess);
    puts(text->letters);

    float *host, *device;
    assert(cudaHostAlloc(&host, 100, cudaHostAllocMapped) == cudaSuccess);
    assert(cudaHostGetDevicePointer(&device, host, 0) == cudaSuccess && device == host);
    cudaPointerAttributes attributes;
    assert(cudaPointerGetAttributes(&attributes, host + 3) == cudaSuccess);
    assert(attributes.devicePointer == host + 3 && attributes.hostPointer == host + 3);

    cudaFree(text->letters);
    cudaFree(text);
    cudaFree(same);
    cudaFree(pool);
    cudaFree(second);
    cudaFree(first);
    assert(cudaFreeHost(host) == cudaSuccess);
    puts("PASSED");
}
