// The longest common subsequence: a table that is filled one diagonal after the other.
#include <cstring>
#include <iostream>
#include <string>

__global__ void diagonal(const char *a, const char *b, int *table, int n, int m, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = d - i;
    if (i > n || j < 1 || j > m) return;
    int w = m + 1, up = table[(i - 1) * w + j], left = table[i * w + j - 1];
    table[i * w + j] = a[i - 1] == b[j - 1] ? table[(i - 1) * w + j - 1] + 1 : max(up, left);
}

int main() {
    const std::string a = "the cycles of a simulator are counted by a program";
    const std::string b = "each cycle of the program is a step of its simulator";
    const int n = (int)a.size(), m = (int)b.size(), w = m + 1;
    int *host = new int[(n + 1) * w], *table;
    char *da, *db;
    cudaMalloc(&da, n);
    cudaMalloc(&db, m);
    cudaMalloc(&table, (n + 1) * w * sizeof(int));
    cudaMemset(table, 0, (n + 1) * w * sizeof(int));
    cudaMemcpy(da, a.data(), n, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), m, cudaMemcpyHostToDevice);
    for (int d = 2; d <= n + m; d++) diagonal<<<2, 32>>>(da, db, table, n, m, d);
    cudaMemcpy(host, table, (n + 1) * w * sizeof(int), cudaMemcpyDeviceToHost);
    std::string common;
    for (int i = n, j = m; i > 0 && j > 0;) {
        if (a[i - 1] == b[j - 1]) {
            common = a[i - 1] + common;
            --i, --j;
        } else if (host[(i - 1) * w + j] >= host[i * w + j - 1]) {
            --i;
        } else {
            --j;
        }
    }
    size_t x = 0, y = 0;
    for (char c : common) {
        x = a.find(c, x) + 1;
        y = b.find(c, y) + 1;
    }
    bool right = (int)common.length() == host[n * w + m] && x > 0 && y > 0;
    std::cout << '[' << common << "] " << common.length() << '\n' << (right ? "PASSED" : "FAILED") << '\n';
    delete[] host;
    return right ? 0 : 1;
}
