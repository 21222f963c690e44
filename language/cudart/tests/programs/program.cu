// A program with several uses of the API. Its first argument chooses one.
#include "cuda_runtime_api.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __global__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#endif

__constant__ int offset;
__device__ int total;

__global__ void add(int *data, int n) {
    int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
    if (i < n) {
        data[i] += offset;
        __nvvm_atom_add_gen_i(&total, 1);
    }
}

extern "C" __device__ int vprintf(const char *, const char *);

__global__ void say(int number) {
    struct {
        int number, thread;
    } values = {number, (int)__nvvm_read_ptx_sreg_tid_x()};
    vprintf("kernel %d, thread %d\n", (const char *)&values);
}

struct Node {
    Node *next;
    int value;
};

__global__ void sum(Node *list) {
    int all = 0;
    for (Node *node = list->next; node; node = node->next)
        all += node->value;
    list->value = all;
}

static void check(cudaError_t error, const char *what) {
    if (error != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(error));
        std::exit(1);
    }
}
#define CHECK(call) check(call, #call)

static int compute() {
    int n = 1000, seven = 7;
    std::vector<int> host(n, 5);
    int *data;
    CHECK(cudaMalloc((void **)&data, n * sizeof(int)));
    CHECK(cudaMemcpy(data, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(&offset, &seven, sizeof(int)));
    add<<<(n + 127) / 128, 128>>>(data, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost));
    int count;
    CHECK(cudaMemcpyFromSymbol(&count, &total, sizeof(int)));
    for (int value : host)
        if (value != 12)
            return 1;
    CHECK(cudaFree(data));
    std::printf("before\n");
    say<<<1, 2>>>(3);
    CHECK(cudaDeviceSynchronize());
    std::printf("after, %d threads\n", count);
    return 0;
}

static int managed() {
    Node *list, *first;
    CHECK(cudaMallocManaged((void **)&list, sizeof(Node)));
    CHECK(cudaMallocManaged((void **)&first, 2 * sizeof(Node)));
    list->next = first;
    first[0] = {first + 1, 30};
    first[1] = {nullptr, 12};
    sum<<<1, 1>>>(list);
    CHECK(cudaDeviceSynchronize());
    std::printf("%d\n", list->value);
    return 0;
}

static int trap() {
    int *data;
    CHECK(cudaMalloc((void **)&data, 4));
    add<<<1, 32>>>(data, 32);
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    return 0;
}

static void leave(cudaStream_t, cudaError_t, void *) {
    std::printf("callback\n");
    std::exit(3);
}

static int forked() {
    int *data;
    pid_t early = fork();
    CHECK(cudaMalloc((void **)&data, 4));
    if (early == 0)
        _exit(0);
    int status;
    waitpid(early, &status, 0);
    pid_t late = fork();
    if (late == 0) {
        cudaError_t error = cudaFree(data);
        std::exit(error == cudaErrorInitializationError ? 0 : 1);
    }
    int second;
    waitpid(late, &second, 0);
    return status || second;
}

static int threads() {
    std::vector<std::thread> all;
    for (int t = 0; t < 4; t++)
        all.emplace_back([] {
            int *data;
            CHECK(cudaMalloc((void **)&data, 256));
            for (int i = 0; i < 20; i++)
                add<<<1, 64>>>(data, 64);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaFree(data));
        });
    for (std::thread &thread : all)
        thread.join();
    int count;
    CHECK(cudaMemcpyFromSymbol(&count, &total, sizeof(int)));
    std::printf("%d\n", count);
    return 0;
}

__global__ void nothing() {}

static int unchecked() {
    std::printf("first\n");
    nothing<<<1, 4096>>>();
    nothing<<<1, 4096>>>();
    std::printf("second\n");
    return 0;
}

static int checked() {
    nothing<<<1, 4096>>>();
    return cudaGetLastError() == cudaErrorInvalidConfiguration ? 0 : 1;
}

__global__ void waits(int *data) {
    __syncthreads();
    data[__nvvm_read_ptx_sreg_tid_x()] = 1;
}

static int warnings() {
    int *data;
    CHECK(cudaMalloc((void **)&data, 256));
    for (int threads = 32; threads <= 64; threads++)
        waits<<<1, threads>>>(data);
    CHECK(cudaFree(data));
    return 0;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "compute";
    if (!std::strcmp(mode, "compute"))
        return compute();
    if (!std::strcmp(mode, "unchecked"))
        return unchecked();
    if (!std::strcmp(mode, "checked"))
        return checked();
    if (!std::strcmp(mode, "warnings"))
        return warnings();
    if (!std::strcmp(mode, "managed"))
        return managed();
    if (!std::strcmp(mode, "trap"))
        return trap();
    if (!std::strcmp(mode, "fork"))
        return forked();
    if (!std::strcmp(mode, "threads"))
        return threads();
    cudaStreamAddCallback(0, leave, nullptr, 0);
    return 9;
}
