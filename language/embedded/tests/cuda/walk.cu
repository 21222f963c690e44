// Random walks: a generator of the program in each thread, counted where they end.
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <vector>

struct Random {
    unsigned long long state;
    __host__ __device__ explicit Random(unsigned long long seed) : state(seed * 0x9e3779b97f4a7c15ull + 1) {}
    __host__ __device__ unsigned next() {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return (unsigned)(state >> 33);
    }
};

struct Place {
    int x, y;
    __host__ __device__ Place &operator+=(const Place &other) {
        x += other.x;
        y += other.y;
        return *this;
    }
};

__host__ __device__ Place walked(int walker, int steps) {
    Random random(walker);
    Place at = {0, 0};
    for (int i = 0; i < steps; i++) {
        unsigned r = random.next() & 3;
        Place by = {r == 0 ? 1 : r == 1 ? -1 : 0, r == 2 ? 1 : r == 3 ? -1 : 0};
        at += by;
    }
    return at;
}

__global__ void walk(Place *ends, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ends[i] = walked(i, steps);
}

int main() {
    const int walkers = 192, steps = 100;
    std::vector<Place> ends(walkers);
    Place *device;
    cudaMalloc(&device, walkers * sizeof(Place));
    walk<<<3, 64>>>(device, steps);
    cudaMemcpy(ends.data(), device, walkers * sizeof(Place), cudaMemcpyDeviceToHost);
    std::map<int, int> distances;
    int wrong = 0;
    for (int i = 0; i < walkers; i++) {
        Place expected = walked(i, steps);
        wrong += ends[i].x != expected.x || ends[i].y != expected.y;
        distances[(std::abs(ends[i].x) + std::abs(ends[i].y)) / 4]++;
    }
    for (auto it = distances.begin(); it != distances.end(); ++it)
        std::cout << it->first * 4 << ": " << std::string(it->second / 2 + 1, '*') << "\n";
    std::cout << (wrong ? "FAILED" : "PASSED") << "\n";
    return wrong;
}
