struct Pair {
    float weight;
    int count;
};

__constant__ int shift;

__device__ int scale(int value, const int *table)
{
    int wide = value * 3;
    return wide + table[0];
}

__global__ void sums(int *out, int n, Pair pair)
{
    __shared__ int tile[4][8];
    int t = threadIdx.x;
    int last[3] = {1, 2, 3};
    bool odd = t & 1;
    tile[t / 8][t % 8] = t;
    __syncthreads();
    int sum = 0;
    for (int j = 0; j < n; j++) {
        int t = j * 10;
        last[j % 3] += t;
        sum += tile[j][threadIdx.x % 8];
    }
    pair.count += sum;
    out[t] = scale(pair.count, &tile[1][0]) + last[1] + odd + shift;
}
