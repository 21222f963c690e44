// Local alignment by Smith and Waterman: a diagonal a launch, and the way back on the host.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

using std::string;

struct Scores {
    int match, mismatch, gap;
};

template <typename T> __host__ __device__ T max3(T a, T b, T c) {
    T most = a > b ? a : b;
    return most > c ? most : c;
}

__global__ void diagonal(int *table, int columns, const char *a, const char *b, int i0, int j0, int count, Scores s) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= count) return;
    const int i = i0 - k, j = j0 + k;
    const int *above = table + (i - 1) * columns + j;
    const int across = above[-1] + (a[i - 1] == b[j - 1] ? s.match : s.mismatch);
    const int best = max3(across, above[0] + s.gap, above[columns - 1] + s.gap);
    table[i * columns + j] = best < 0 ? 0 : best;
}

class Aligner {
    const string a, b;
    const Scores scores;
    const int rows, columns;
    std::vector<std::vector<int> > table;
    int best_i, best_j;

    int score(int i, int j) const { return a[i - 1] == b[j - 1] ? scores.match : scores.mismatch; }

  public:
    Aligner(const string &a, const string &b, Scores scores)
        : a(a), b(b), scores(scores), rows((int)a.size() + 1), columns((int)b.size() + 1), table(rows, std::vector<int>(columns)), best_i(0), best_j(0) {}

    void fill() {
        int *d_table;
        char *d_a, *d_b;
        cudaMalloc((void **)&d_table, rows * columns * sizeof(int));
        cudaMalloc((void **)&d_a, a.size());
        cudaMalloc((void **)&d_b, b.size());
        cudaMemset(d_table, 0, rows * columns * sizeof(int));
        cudaMemcpy(d_a, a.data(), a.size(), cudaMemcpyHostToDevice);
        cudaMemcpy(d_b, b.data(), b.size(), cudaMemcpyHostToDevice);
        for (int d = 2; d <= rows + columns - 2; ++d) {
            const int first = std::min(d - 1, rows - 1), last = std::max(1, d - columns + 1), count = first - last + 1;
            diagonal<<<(count + 31) / 32, 32>>>(d_table, columns, d_a, d_b, first, d - first, count, scores);
        }
        for (int i = 0; i < rows; ++i) cudaMemcpy(&table[i][0], d_table + i * columns, columns * sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(d_table);
        cudaFree(d_a);
        cudaFree(d_b);
    }

    bool check() {
        bool good = true;
        for (int i = 1; i < rows; ++i)
            for (int j = 1; j < columns; ++j) {
                int expected = std::max(0, table[i - 1][j - 1] + score(i, j));
                expected = std::max(expected, std::max(table[i - 1][j], table[i][j - 1]) + scores.gap);
                good = good && expected == table[i][j];
                if (table[i][j] > table[best_i][best_j]) best_i = i, best_j = j;
            }
        return good;
    }

    int best() const { return table.at(best_i).at(best_j); }

    std::pair<string, string> trace() const {
        string up, down;
        for (int i = best_i, j = best_j; table[i][j] > 0;) {
            if (table[i][j] == table[i - 1][j - 1] + score(i, j)) {
                up += a[--i];
                down += b[--j];
            } else if (table[i][j] == table[i - 1][j] + scores.gap) {
                up += a[--i];
                down += '-';
            } else {
                up += '-';
                down += b[--j];
            }
        }
        std::reverse(up.begin(), up.end());
        return std::make_pair(up, string(down.rbegin(), down.rend()));
    }
};

int main() {
    const char *pairs[][2] = {{"TGTTACGG", "GGTTGACTA"}, {"the quick brown fox jumps", "a quiet brown ox jumped"}, {"abc", "xyz"}};
    const Scores scores = {3, -3, -2};
    bool good = true;
    for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; ++p) {
        Aligner aligner(pairs[p][0], pairs[p][1], scores);
        aligner.fill();
        good &= aligner.check();
        const std::pair<string, string> both = aligner.trace();
        std::cout << "score " << aligner.best() << "\n  " << both.first << "\n  " << both.second << "\n";
        good = good && both.first.size() == both.second.size();
    }
    std::cout << (good ? "PASSED" : "FAILED") << std::endl;
    return good ? 0 : 1;
}
