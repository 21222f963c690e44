// The k nearest neighbours of points: distances on the device, partial sorts on the host and there.
#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <utility>
#include <vector>

using namespace std;

const int K = 4;

struct Point {
    int x, y, z;
    int label;
    Point() : x(0), y(0), z(0), label(-1) {}
    Point(int x, int y, int z) : x(x), y(y), z(z), label((x > 0) + 2 * (y > 0)) {}
    __host__ __device__ int distance(const Point &other) const {
        int dx = x - other.x, dy = y - other.y, dz = z - other.z;
        return dx * dx + dy * dy + dz * dz;
    }
};

struct Neighbour {
    int distance, index;
    __host__ __device__ bool operator<(const Neighbour &other) const {
        return distance < other.distance || (distance == other.distance && index < other.index);
    }
};

template <int k> __global__ void nearest(const Point *train, int n, const Point *query, int m, Neighbour *out) {
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= m) return;
    const Point own = query[q];
    Neighbour best[k];
    for (int j = 0; j < k; j++) {
        best[j].distance = 0x7fffffff;
        best[j].index = n;
    }
    for (int i = 0; i < n; i++) {
        Neighbour now = {own.distance(train[i]), i};
        if (!(now < best[k - 1])) continue;
        int place = k - 1;
        while (place > 0 && now < best[place - 1]) {
            best[place] = best[place - 1];
            place--;
        }
        best[place] = now;
    }
    for (int j = 0; j < k; j++) out[q * k + j] = best[j];
}

int vote(const vector<Point> &train, const Neighbour *list) {
    int votes[4] = {};
    for (int j = 0; j < K; j++) votes[train[list[j].index].label]++;
    return max_element(votes, votes + 4) - votes;
}

vector<Point> cloud(int n) {
    vector<Point> points;
    points.reserve(n);
    while (n--) {
        int x = rand() % 201 - 100, y = rand() % 201 - 100;
        points.push_back(Point(x, y, rand() % 21 - 10));
    }
    return points;
}

int main() {
    srand(7);
    vector<Point> train = cloud(500), query = cloud(90);
    const int n = train.size(), m = query.size();
    Point *dt, *dq;
    Neighbour *dn;
    cudaMalloc(&dt, n * sizeof(Point));
    cudaMalloc(&dq, m * sizeof(Point));
    cudaMalloc(&dn, m * K * sizeof(Neighbour));
    cudaMemcpy(dt, &train[0], n * sizeof(Point), cudaMemcpyHostToDevice);
    cudaMemcpy(dq, &query.front(), m * sizeof(Point), cudaMemcpyHostToDevice);
    nearest<K><<<(m + 31) / 32, 32>>>(dt, n, dq, m, dn);
    vector<Neighbour> found(m * K);
    cudaMemcpy(found.data(), dn, found.size() * sizeof(Neighbour), cudaMemcpyDeviceToHost);
    int wrong = 0, guessed = 0;
    for (int q = 0; q < m; q++) {
        vector<pair<int, int> > all(n);
        for (int i = 0; i < n; i++) all[i] = make_pair(query[q].distance(train[i]), i);
        partial_sort(all.begin(), all.begin() + K, all.end());
        for (int j = 0; j < K; j++) {
            const Neighbour &f = found[q * K + j];
            wrong += all[j].first != f.distance || all[j].second != f.index;
        }
        guessed += vote(train, &found[q * K]) == query[q].label;
        if (q < 3) {
            cout << setw(2) << q << ":";
            for (int j = 0; j < K; j++) cout << setw(5) << found[q * K + j].index << "/" << left << setw(4) << found[q * K + j].distance << right;
            cout << endl;
        }
    }
    cout << "labels: " << guessed << " of " << m << ", " << (wrong == 0 ? "PASSED" : "FAILED") << endl;
    cudaFree(dt), cudaFree(dq), cudaFree(dn);
    return 0;
}
