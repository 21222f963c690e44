// A search for words in a text: positions are appended with atomics and sorted on the host.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

__global__ void find(const char *text, int length, const char *word, int size, int *positions, int *count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + size > length) return;
    for (int k = 0; k < size; k++)
        if (text[i + k] != word[k]) return;
    positions[atomicAdd(count, 1)] = i;
}

std::vector<int> on_host(const std::string &text, const std::string &word) {
    std::vector<int> found;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) found.push_back((int)at);
    return found;
}

int main() {
    std::string text;
    for (int i = 0; i < 40; i++) text += std::to_string(i * i * 7) + (i % 4 == 0 ? "banana" : "nab");
    const char *words[] = {"ana", "7", "nab1", "zebra", ""};
    char *dt, *dw;
    int *positions, *count;
    cudaMalloc(&dt, text.size());
    cudaMalloc(&dw, 16);
    cudaMalloc(&positions, text.size() * sizeof(int));
    cudaMalloc(&count, sizeof(int));
    cudaMemcpy(dt, text.data(), text.size(), cudaMemcpyHostToDevice);
    bool right = true;
    for (const char **at = words; **at; ++at) {
        const std::string word = *at;
        cudaMemcpy(dw, word.c_str(), word.size() + 1, cudaMemcpyHostToDevice);
        cudaMemset(count, 0, sizeof(int));
        find<<<(int)(text.size() + 63) / 64, 64>>>(dt, (int)text.size(), dw, (int)word.size(), positions, count);
        int n;
        cudaMemcpy(&n, count, sizeof n, cudaMemcpyDeviceToHost);
        std::vector<int> found(n);
        if (n > 0) cudaMemcpy(found.data(), positions, n * sizeof(int), cudaMemcpyDeviceToHost);
        std::sort(found.begin(), found.end());
        right = right && found == on_host(text, word);
        std::cout << '"' << word << "\": " << n;
        if (!found.empty()) std::cout << ", first at " << found[0];
        std::cout << std::endl;
    }
    std::cout << (right ? "PASSED" : "FAILED") << std::endl;
    return !right;
}
