// Exclusive prefix sums in two levels: an up-sweep and a down-sweep in dynamic shared memory.
#include <numeric>
#include <stdio.h>
#include <vector>

__global__ void sweep(unsigned *data, unsigned *totals, int n) {
    extern __shared__ unsigned part[];
    int t = threadIdx.x, first = blockIdx.x * n;
    part[2 * t] = data[first + 2 * t];
    part[2 * t + 1] = data[first + 2 * t + 1];
    int stride = 1;
    for (int d = n >> 1; d > 0; d >>= 1, stride *= 2) {
        __syncthreads();
        if (t < d) part[stride * (2 * t + 2) - 1] += part[stride * (2 * t + 1) - 1];
    }
    if (t == 0) {
        if (totals) totals[blockIdx.x] = part[n - 1];
        part[n - 1] = 0;
    }
    for (int d = 1; d < n; d *= 2) {
        stride >>= 1;
        __syncthreads();
        if (t < d) {
            int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
            unsigned kept = part[left];
            part[left] = part[right];
            part[right] += kept;
        }
    }
    __syncthreads();
    data[first + 2 * t] = part[2 * t];
    data[first + 2 * t + 1] = part[2 * t + 1];
}

__global__ void add(unsigned *data, const unsigned *offsets) {
    data[blockIdx.x * blockDim.x + threadIdx.x] += offsets[blockIdx.x];
}

int main() {
    const int part = 128, parts = 16;
    std::vector<unsigned> data(part * parts), sums(data.size()), found(data.size());
    for (unsigned i = 0; i < data.size(); i++) data[i] = i * 2654435761u >> 25;
    std::partial_sum(data.begin(), data.end(), sums.begin());
    unsigned *device, *totals;
    cudaMalloc(&device, data.size() * sizeof(unsigned));
    cudaMalloc(&totals, parts * sizeof(unsigned));
    cudaMemcpy(device, data.data(), data.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    sweep<<<parts, part / 2, part * sizeof(unsigned)>>>(device, totals, part);
    sweep<<<1, parts / 2, parts * sizeof(unsigned)>>>(totals, NULL, parts);
    add<<<parts, part>>>(device, totals);
    cudaMemcpy(found.data(), device, data.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
    int wrong = found[0] != 0;
    for (size_t i = 1; i < data.size(); i++) wrong += found[i] != sums[i - 1];
    printf("%u %u %zu\n%s\n", found[1000], found.back(), found.size(), wrong == 0 ? "PASSED" : "FAILED");
    return wrong;
}
