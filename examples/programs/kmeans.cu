// k-means: assignment on the device with centers in constant memory, new centers on the host.
// Build: warpcc kmeans.cu -o kmeans && ./kmeans [points]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

const int CLUSTERS = 5;
const int FEATURES = 4;
const int BLOCK = 128;
const int MOST_ROUNDS = 20;

__constant__ float centers[CLUSTERS][FEATURES];

// Feature f of point i is points[f * count + i], so that the loads of a warp are coalesced.
__global__ void transpose(const float *rows, float *points, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    for (int f = 0; f < FEATURES; f++)
        points[f * count + i] = rows[i * FEATURES + f];
}

// Stores the nearest center of each point, and the number of changes of each block.
__global__ void assign(const float *points, int *member, int *changes, int count)
{
    __shared__ int changed[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    changed[threadIdx.x] = 0;
    if (i < count) {
        int nearest = 0;
        float least = 3.4e38f;
        for (int c = 0; c < CLUSTERS; c++) {
            float distance = 0.0f;
#pragma unroll
            for (int f = 0; f < FEATURES; f++) {
                float d = points[f * count + i] - centers[c][f];
                distance += d * d;
            }
            if (distance < least) {
                least = distance;
                nearest = c;
            }
        }
        changed[threadIdx.x] = member[i] != nearest;
        member[i] = nearest;
    }
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            changed[threadIdx.x] += changed[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        changes[blockIdx.x] = changed[0];
}

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        std::exit(2);
    }
}

static float uniform()
{
    return std::rand() / (float)RAND_MAX - 0.5f;
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? std::atoi(argv[1]) : 2000;
    if (count < CLUSTERS) {
        std::fprintf(stderr, "usage: kmeans [points], at least %d points\n", CLUSTERS);
        return 2;
    }
    // Points around several places, with overlap.
    std::srand(11);
    std::vector<float> rows(count * FEATURES);
    for (int i = 0; i < count; i++)
        for (int f = 0; f < FEATURES; f++)
            rows[i * FEATURES + f] = 3.0f * (i % CLUSTERS >> f % 3 & 1) + i % CLUSTERS + 3.0f * uniform();

    float *d_rows, *d_points;
    int *d_member, *d_changes;
    const int blocks = (count + BLOCK - 1) / BLOCK;
    check(cudaMalloc(&d_rows, rows.size() * sizeof(float)), "cudaMalloc");
    check(cudaMalloc(&d_points, rows.size() * sizeof(float)), "cudaMalloc");
    check(cudaMalloc(&d_member, count * sizeof(int)), "cudaMalloc");
    check(cudaMalloc(&d_changes, blocks * sizeof(int)), "cudaMalloc");
    check(cudaMemcpy(d_rows, &rows[0], rows.size() * sizeof(float), cudaMemcpyHostToDevice), "rows");
    check(cudaMemset(d_member, 0xff, count * sizeof(int)), "cudaMemset");
    transpose<<<blocks, BLOCK>>>(d_rows, d_points, count);

    float place[CLUSTERS][FEATURES]; // poor first centers: all from points around the first place
    for (int c = 0; c < CLUSTERS; c++)
        for (int f = 0; f < FEATURES; f++)
            place[c][f] = rows[c * CLUSTERS % count * FEATURES + f];

    std::vector<int> member(count), changes(blocks);
    int rounds = 0, changed;
    do {
        check(cudaMemcpyToSymbol(centers, place, sizeof place), "centers");
        assign<<<blocks, BLOCK>>>(d_points, d_member, d_changes, count);
        check(cudaGetLastError(), "assign");
        check(cudaMemcpy(&changes[0], d_changes, blocks * sizeof(int), cudaMemcpyDeviceToHost), "changes");
        check(cudaMemcpy(&member[0], d_member, count * sizeof(int), cudaMemcpyDeviceToHost), "member");
        changed = 0;
        for (int b = 0; b < blocks; b++)
            changed += changes[b];

        float sum[CLUSTERS][FEATURES] = {};
        int size[CLUSTERS] = {};
        for (int i = 0; i < count; i++) {
            size[member[i]]++;
            for (int f = 0; f < FEATURES; f++)
                sum[member[i]][f] += rows[i * FEATURES + f];
        }
        for (int c = 0; c < CLUSTERS; c++)
            for (int f = 0; f < FEATURES && size[c] > 0; f++)
                place[c][f] = sum[c][f] / size[c];
        rounds++;
    } while (changed > 0 && rounds < MOST_ROUNDS);

    // Each point has to be in the cluster of its nearest center, up to rounding.
    float last[CLUSTERS][FEATURES];
    check(cudaMemcpyFromSymbol(last, centers, sizeof last), "cudaMemcpyFromSymbol");
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        double distance[CLUSTERS] = {}, least = 1e30;
        for (int c = 0; c < CLUSTERS; c++) {
            for (int f = 0; f < FEATURES; f++)
                distance[c] += std::pow(rows[i * FEATURES + f] - last[c][f], 2.0);
            least = std::min(least, distance[c]);
        }
        wrong += !(distance[member[i]] <= least * 1.0001);
    }

    std::printf("%d points, %d clusters, %d rounds, %d wrong\n", count, CLUSTERS, rounds, wrong);
    for (int c = 0; c < CLUSTERS; c++)
        std::printf("center %d: %7.3f %7.3f %7.3f %7.3f\n", c, last[c][0], last[c][1], last[c][2],
                    last[c][3]);
    cudaFree(d_rows);
    cudaFree(d_points);
    cudaFree(d_member);
    cudaFree(d_changes);
    std::puts(wrong ? "FAILED" : "PASSED");
    return wrong ? 1 : 0;
}
