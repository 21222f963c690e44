#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <vector>

struct Pair {
    int count;
    float weights[2];
};

static int total = 7;

__global__ void twice(int *values)
{
    int i = threadIdx.x;
    values[i] *= 2;
}

int factorial(int n)
{
    int rest = 1;
    if (n > 1)
        rest = factorial(n - 1);
    return n * rest;
}

int sum(const int *values, int n)
{
    int result = 0;
    for (int i = 0; i <= n; i++)
        result += values[i];
    return result;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    Pair pair = {3, {1.5f, 2.5f}};
    std::string name = "warps";
    std::vector<int> host(n, 5);
    std::sort(host.begin(), host.end());
    total += factorial(n);

    int *device;
    cudaMalloc(&device, n * sizeof(int));
    cudaMemcpy(device, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<1, n>>>(device);
    cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(device);

    int *copy = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        copy[i] = host[i] + pair.count;
    printf("%s: %d\n", name.c_str(), total);
    printf("%d\n", sum(copy, n));
    return 0;
}
