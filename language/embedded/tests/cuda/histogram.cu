// A histogram of letters: atomics in shared and in global memory, and a map of the host.
#include <iomanip>
#include <iostream>
#include <map>
#include <string>

__global__ void count(const char *text, int length, unsigned *bins) {
    __shared__ unsigned mine[26];
    if (threadIdx.x < 26) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x)
        if (text[i] >= 'a' && text[i] <= 'z') atomicAdd(&mine[text[i] - 'a'], 1u);
    __syncthreads();
    if (threadIdx.x < 26 && mine[threadIdx.x]) atomicAdd(bins + threadIdx.x, mine[threadIdx.x]);
}

int main() {
    std::string text;
    for (int i = 0; i < 30; i++) text += i % 3 ? "the quick brown fox, " : "jumps over a lazy dog; ";
    char *device;
    unsigned *bins, found[26];
    cudaMalloc(&device, text.size());
    cudaMalloc(&bins, sizeof found);
    cudaMemset(bins, 0, sizeof found);
    cudaMemcpy(device, text.c_str(), text.length(), cudaMemcpyHostToDevice);
    count<<<4, 64>>>(device, (int)text.size(), bins);
    cudaMemcpy(found, bins, sizeof found, cudaMemcpyDeviceToHost);
    std::map<char, unsigned> expected;
    for (char c : text)
        if (c >= 'a' && c <= 'z') ++expected[c];
    bool right = true;
    for (const auto &entry : expected) {
        right = right && found[entry.first - 'a'] == entry.second;
        std::cout << entry.first << std::setw(5) << entry.second << (entry.first % 5 ? " " : "\n");
    }
    std::cout << std::endl << (right ? "PASSED" : "FAILED") << std::endl;
    return right ? 0 : 1;
}
