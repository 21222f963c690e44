// Words of a genome: codes of two bits, counts with atomics, and a list in the order of counts.
#include <algorithm>
#include <array>
#include <iostream>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace dna {
constexpr int K = 3;
constexpr unsigned SIZE = 1u << 2 * K;

__host__ __device__ constexpr int code(char base) { return base == 'A' ? 0 : base == 'C' ? 1 : base == 'G' ? 2 : base == 'T' ? 3 : -1; }

std::string name(unsigned word) {
    std::string text(K, '?');
    for (int i = K; i-- > 0; word /= 4) text.at(i) = "ACGT"[word % 4];
    return text;
}
} // namespace dna

__global__ void count_words(const char *genome, int n, unsigned *table) {
    __shared__ unsigned local[dna::SIZE];
    for (unsigned w = threadIdx.x; w < dna::SIZE; w += blockDim.x) local[w] = 0u;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + dna::K <= n; i += gridDim.x * blockDim.x) {
        int word = 0;
        for (int k = 0; k < dna::K; ++k) {
            int c = dna::code(genome[i + k]);
            if (c < 0) {
                word = -1;
                break;
            }
            word = word << 2 | c;
        }
        if (word >= 0) atomicAdd(local + word, 1u);
    }
    __syncthreads();
    for (unsigned w = threadIdx.x; w < dna::SIZE; w += blockDim.x)
        if (local[w] != 0) atomicAdd(&table[w], local[w]);
}

std::string genome() {
    std::ostringstream text;
    unsigned a = 1, b = 1;
    for (int i = 0; i < 2000; ++i) {
        unsigned c = (3 * a + b + 7) % 1009;
        a = b, b = c;
        text << (c % 97 == 0 ? 'N' : "ACGTTGAAC"[c % 9]);
    }
    return text.str();
}

int main() {
    static_assert(dna::SIZE == 64 && dna::code('T') == 3, "two bits a base");
    const std::string text = genome();
    char *d_text;
    unsigned *d_table;
    cudaMalloc(&d_text, text.size());
    cudaMalloc(&d_table, dna::SIZE * sizeof(unsigned));
    cudaMemset(d_table, 0, dna::SIZE * sizeof(unsigned));
    cudaMemcpy(d_text, text.data(), text.size(), cudaMemcpyHostToDevice);
    count_words<<<4, 96>>>(d_text, (int)text.size(), d_table);
    std::array<unsigned, dna::SIZE> table;
    cudaMemcpy(table.data(), d_table, sizeof table, cudaMemcpyDeviceToHost);

    std::unordered_map<std::string, unsigned> expected;
    for (std::size_t i = 0; i + dna::K <= text.size(); ++i) {
        const auto word = text.substr(i, dna::K);
        if (word.find('N') == std::string::npos) ++expected[word];
    }
    struct Row {
        std::string word;
        unsigned count;
    };
    std::vector<Row> rows;
    for (unsigned w = 0; w < table.size(); ++w)
        if (table[w]) rows.push_back(Row{dna::name(w), table[w]});
    bool good = rows.size() == expected.size() && std::all_of(rows.begin(), rows.end(), [&](const Row &row) {
                    auto found = expected.find(row.word);
                    return found != expected.end() && found->second == row.count;
                });
    std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) { return a.count != b.count ? a.count > b.count : a.word < b.word; });
    for (const auto &row : rows) {
        if (&row - rows.data() == 5) break;
        std::cout << row.word << '\t' << row.count << '\n';
    }
    const auto total = std::count_if(text.cbegin(), text.cend(), [](char c) { return dna::code(c) < 0; });
    std::cout << rows.size() << " words, " << total << " unknown bases\n" << (good ? "PASSED" : "FAILED") << '\n';
    cudaFree(d_text);
    cudaFree(d_table);
    return 0;
}
