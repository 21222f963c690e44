// Bitonic sort of keys in a block, against std::sort.
#include <algorithm>
#include <functional>
#include <iostream>
#include <vector>

template <bool UP> __global__ void sort(int *keys, int n) {
    extern __shared__ int part[];
    int t = threadIdx.x;
    part[t] = keys[t];
    for (int size = 2; size <= n; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int other = t ^ stride;
            if (other > t) {
                bool up = ((t & size) == 0) == UP;
                int a = part[t], b = part[other];
                if ((a > b) == up) {
                    part[t] = b;
                    part[other] = a;
                }
            }
        }
    __syncthreads();
    keys[t] = part[t];
}

int main() {
    const int n = 256;
    std::vector<int> keys(n);
    unsigned state = 12345;
    std::generate(keys.begin(), keys.end(), [&state]() {
        state = state * 1103515245u + 12345u;
        return int(state >> 8) % 2000 - 1000;
    });
    int *device;
    cudaMalloc(&device, n * sizeof(int));
    bool right = true;
    for (int up = 0; up < 2; up++) {
        std::vector<int> sorted(keys), found(n);
        cudaMemcpy(device, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
        if (up) {
            sort<true><<<1, n, n * sizeof(int)>>>(device, n);
            std::sort(sorted.begin(), sorted.end());
        } else {
            sort<false><<<1, n, n * sizeof(int)>>>(device, n);
            std::sort(sorted.begin(), sorted.end(), std::greater<int>());
        }
        cudaMemcpy(found.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
        right = right && found == sorted;
        std::cout << found.front() << " ... " << found[n / 2] << " ... " << found.back() << "\n";
    }
    auto largest = std::max_element(keys.begin(), keys.end());
    std::cout << "largest at " << largest - keys.begin() << ", " << std::count_if(keys.begin(), keys.end(), [](int k) { return k < 0; })
              << " negative\n" << (right ? "PASSED" : "FAILED") << "\n";
    cudaFree(device);
    return 0;
}
