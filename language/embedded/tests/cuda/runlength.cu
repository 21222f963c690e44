// Run length encoding of bytes: heads of runs, a scan by warps, and a decoder on the device.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

typedef unsigned char byte;

__device__ int warp_scan(volatile int *data, int t) {
    const int lane = t & 31;
    if (lane >= 1) data[t] += data[t - 1];
    if (lane >= 2) data[t] += data[t - 2];
    if (lane >= 4) data[t] += data[t - 4];
    if (lane >= 8) data[t] += data[t - 8];
    if (lane >= 16) data[t] += data[t - 16];
    return data[t];
}

// One block; each round takes as many bytes as there are threads.
template <int threads> __global__ void encode(const byte *in, int n, byte *values, int *starts, int *runs) {
    __shared__ int data[threads], warps[threads / 32], before;
    const int t = threadIdx.x;
    if (t == 0) before = 0;
    for (int base = 0; base < n; base += threads) {
        const int i = base + t;
        const int head = i < n && (i == 0 || in[i] != in[i - 1]);
        data[t] = head;
        int place = warp_scan(data, t);
        if ((t & 31) == 31) warps[t / 32] = place;
        __syncthreads();
        for (int w = 0; w < t / 32; w++) place += warps[w];
        place += before;
        if (head) {
            values[place - 1] = in[i];
            starts[place - 1] = i;
        }
        __syncthreads();
        if (t == threads - 1) before = place;
        __syncthreads();
    }
    if (t == 0) {
        *runs = before;
        starts[before] = n;
    }
}

__global__ void decode(const byte *values, const int *starts, int runs, byte *out) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < runs)
        for (int i = starts[r]; i < starts[r + 1]; i++) out[i] = values[r];
}

static std::string on_host(const std::string &text) {
    std::ostringstream out;
    for (size_t i = 0, k; i < text.size(); i = k) {
        for (k = i; k < text.size() && text[k] == text[i]; k++) {}
        out << k - i << text[i];
    }
    return out.str();
}

int main() {
    {
        std::ofstream file("runs.txt", std::ios::binary);
        unsigned seed = 99;
        for (int i = 0; i < 150; ++i) {
            seed = seed * 1664525u + 1013904223u;
            file << std::string(1 + (seed >> 28), "ACGT"[seed >> 20 & 3]);
        }
    }
    std::ifstream file("runs.txt", std::ios::in | std::ios::binary);
    file.seekg(0, std::ios::end);
    std::string text(file.tellg(), ' ');
    file.seekg(0);
    if (!file.read(&text[0], text.size())) return 1;
    const int n = static_cast<int>(text.size());

    byte *in, *values, *again;
    int *starts, *count, runs = 0;
    cudaMalloc(&in, n), cudaMalloc(&values, n), cudaMalloc(&again, n);
    cudaMalloc(&starts, (n + 1) * sizeof(int)), cudaMalloc(&count, sizeof(int));
    cudaMemcpy(in, text.data(), n, cudaMemcpyHostToDevice);
    encode<64><<<1, 64>>>(in, n, values, starts, count);
    cudaMemcpy(&runs, count, sizeof runs, cudaMemcpyDeviceToHost);
    std::vector<int> places(runs + 1);
    std::vector<byte> letters(runs), decoded(n, 0);
    cudaMemcpy(places.data(), starts, places.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(letters.data(), values, letters.size(), cudaMemcpyDeviceToHost);
    decode<<<(runs + 31) / 32, 32>>>(values, starts, runs, again);
    cudaMemcpy(decoded.data(), again, n, cudaMemcpyDeviceToHost);

    std::stringstream code;
    for (int r = 0; r < runs; r++) code << places[r + 1] - places[r] << static_cast<char>(letters[r]);
    const std::string expected = on_host(text);
    std::cout << n << " bytes, " << runs << " runs\n" << code.str().substr(0, 40) << "...\n";
    const bool same = std::string(decoded.begin(), decoded.end()) == text;
    std::cout << (code.str() == expected && same ? "PASSED" : "FAILED") << '\n';
    return 0;
}
