// Cooperative groups, kernels whose template arguments follow from the launch, members that are
// references, and tables of functions.
#include <cooperative_groups.h>
using namespace cooperative_groups;
namespace cg = cooperative_groups;

__device__ int sumOf(const thread_group &g, volatile int *x, int value)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        x[lane] = value;
        g.sync();
        if (lane < i) value += x[lane + i];
        g.sync();
    }
    return value;
}

__global__ void groups(const int *in, int *out)
{
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    int sum = sumOf(block, s, in[block.thread_rank()]);
    cg::sync(block);
    auto tile = cg::tiled_partition<16>(block);
    int part = sumOf(tile, s + 16 * tile.meta_group_rank(), in[block.thread_rank()]);
    if (block.thread_rank() == 0) out[0] = sum;
    if (tile.thread_rank() == 0) out[1 + tile.meta_group_rank()] = part;
}

struct Counter {
    int &count;
    const int step;
    __device__ Counter(int &c, int s) : count(c), step(s) {}
    __device__ void add() { count += step; }
};

template <typename T, typename S> __global__ void scale(T *data, S factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, steps = 0;
    Counter counter(steps, 2);
    for (int k = 0; k < 3; k++) counter.add();
    if (i < n) data[i] = data[i] * factor + steps;
}

void launchAll(float *data, int n)
{
    int *d_whole, *d_other = 0;
    double factor = 0.5;
    scale<<<1, 64>>>(data, 2.0f * n, n);
    scale<<<dim3(n / 64), 64, 0>>>(d_whole + n, factor, n);
    scale<float, float><<<1, 64>>>(data, 3, n);
}
