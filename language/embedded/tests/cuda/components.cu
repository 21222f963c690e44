// Connected components of a graph: the least label wins, until no label changes.
#include <algorithm>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

struct Edge {
    int from, to;
};

__device__ int changed;
__device__ unsigned int visits[2];

__global__ void start(int *label, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) label[i] = i;
}

__global__ void hook(const Edge *edges, int m, int *label) {
    for (int e = threadIdx.x + blockIdx.x * blockDim.x; e < m; e += blockDim.x * gridDim.x) {
        int a = label[edges[e].from], b = label[edges[e].to];
        if (a == b) continue;
        int low = min(a, b), high = max(a, b);
        if (atomicMin(label + high, low) > low) changed = 1;
        atomicMin(&label[edges[e].from], low);
        atomicMin(&label[edges[e].to], low);
        atomicInc(&visits[0], 0xffffffffu);
    }
}

__global__ void jump(int *label, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    int root = i;
    while (label[root] != root) root = label[root];
    label[i] = root;
}

class UnionFind {
    mutable std::vector<int> parent;

  public:
    explicit UnionFind(int n) : parent(n) { std::iota(parent.begin(), parent.end(), 0); }
    int find(int i) const {
        if (parent[i] == i) return i;
        return parent[i] = find(parent[i]);
    }
    bool join(int a, int b) {
        a = find(a), b = find(b);
        if (a == b) return false;
        if (a > b) std::swap(a, b);
        parent[b] = a;
        return true;
    }
};

int main() {
    const int n = 400, m = 330;
    std::mt19937 generator(2011);
    std::set<std::pair<int, int>> unique;
    while (unique.size() < m) {
        int a = generator() % n, b = generator() % n;
        if (a != b) unique.insert(std::minmax(a, b));
    }
    std::vector<Edge> edges;
    UnionFind expected(n);
    int joined = 0;
    for (const auto &e : unique) {
        edges.push_back({e.first, e.second});
        joined += expected.join(e.first, e.second);
    }
    Edge *d_edges;
    int *d_label;
    cudaMalloc(&d_edges, m * sizeof(Edge));
    cudaMalloc(&d_label, n * sizeof(int));
    cudaMemcpy(d_edges, edges.data(), m * sizeof(Edge), cudaMemcpyHostToDevice);
    start<<<(n + 63) / 64, 64>>>(d_label, n);
    for (int again = 1, rounds = 0; again; rounds++) {
        again = 0;
        cudaMemcpyToSymbol(changed, &again, sizeof(int));
        hook<<<3, 64>>>(d_edges, m, d_label);
        jump<<<(n + 63) / 64, 64>>>(d_label, n);
        cudaMemcpyFromSymbol(&again, changed, sizeof(int));
        if (rounds > n) return 1;
    }
    std::vector<int> label(n);
    cudaMemcpy(label.data(), d_label, n * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned count[2];
    cudaMemcpyFromSymbol(count, visits, sizeof count);
    std::map<int, int> sizes;
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        ++sizes[label[i]];
        wrong += label[i] != expected.find(i);
    }
    std::vector<std::pair<int, int>> order(sizes.begin(), sizes.end());
    std::stable_sort(order.begin(), order.end(), [](const std::pair<int, int> &a, const std::pair<int, int> &b) { return a.second > b.second; });
    for (auto it = order.begin(); it != order.begin() + 3; ++it) std::cout << "root " << it->first << ": " << it->second << " nodes\n";
    std::cout << sizes.size() << " components, " << n - joined << " expected\n";
    const bool good = !wrong && (int)sizes.size() == n - joined && count[0] > 0 && count[1] == 0;
    std::cout << (good ? "PASSED" : "FAILED") << std::endl;
    return 0;
}
