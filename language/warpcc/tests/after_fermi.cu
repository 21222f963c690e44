// Shuffles, votes with masks, __ldg and atomics on 64-bit words against the same on the host.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

const int THREADS = 128;

__global__ void exchange(int *out, const int *in, const double *values, double *sums) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int *mine = out + 12 * t, value = __ldg(in + t);
    mine[0] = __shfl(value, value & 31);
    mine[1] = __shfl_up_sync(0xffffffff, value, 3);
    mine[2] = __shfl_down(value, 5, 8);
    mine[3] = __shfl_xor_sync(0xffffffffu, value, 9, 16);
    double other = __shfl_sync(0xffffffff, values[t], threadIdx.x ^ 1);
    mine[4] = (int)(other * 4);
    mine[5] = (int)__shfl_down_sync(0xffffffff, (long long)value << 20, 2) ^ __shfl_up(7 * (unsigned)value, 1);
    mine[6] = (int)__ballot_sync(0xffff, value & 4);
    mine[7] = __any_sync(0xf, value > 900) + 2 * __all_sync(0x3, value >= 0);
    mine[8] = mine[9] = 0;
    if (value & 1) {
        mine[8] = (int)__activemask();
    } else {
        mine[9] = __popc(__ballot(value != 1001));
    }
    __syncwarp();
    int sum = value;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    mine[10] = __shfl_sync(0xffffffff, sum, 0);
    mine[11] = __funnelshift_l(value, t, 7);
#if __CUDA_ARCH__ >= 600
    atomicAdd(&sums[t & 3], values[t]);
    atomicMax((unsigned long long *)&sums[4], (unsigned long long)value << 33);
#endif
}

int main() {
    static int in[THREADS], got[12 * THREADS], want[12 * THREADS];
    static double values[THREADS], sums[5], expected[5];
    for (int t = 0; t < THREADS; t++) {
        in[t] = (t * 7919 + 13) % 1000;
        values[t] = in[t] * 0.25;
    }
    for (int t = 0; t < THREADS; t++) {
        int lane = t & 31, first = t - lane, *w = want + 12 * t;
        const int *warp = in + first;
        w[0] = warp[in[t] & 31];
        w[1] = lane < 3 ? in[t] : in[t - 3];
        w[2] = (lane & 7) + 5 > 7 ? in[t] : in[t + 5];
        w[3] = warp[lane ^ 9];
        w[4] = (int)(values[t ^ 1] * 4);
        w[5] = (int)((long long)in[lane + 2 > 31 ? t : t + 2] << 20) ^ 7 * in[lane ? t - 1 : t];
        int odd = 0, sum = 0;
        w[7] = 0;
        bool all = true;
        for (int i = 0; i < 32; i++) {
            if (i < 16 && warp[i] & 4) w[6] |= 1 << i;
            if (i < 4 && warp[i] > 900) w[7] = 1;
            odd |= (warp[i] & 1) << i;
            sum += warp[i];
        }
        w[7] += all ? 2 : 0;
        w[8] = in[t] & 1 ? odd : 0;
        w[9] = in[t] & 1 ? 0 : 32 - __builtin_popcount(odd);
        w[10] = sum;
        w[11] = (int)((unsigned)t << 7 | (unsigned)in[t] >> 25);
        expected[t & 3] += values[t];
    }
    int *device_in, *device_out;
    double *device_values, *device_sums;
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&device_out, sizeof got);
    cudaMalloc(&device_values, sizeof values);
    cudaMalloc(&device_sums, sizeof sums);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemcpy(device_values, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(device_sums, 0, sizeof sums);
    exchange<<<2, THREADS / 2>>>(device_out, device_in, device_values, device_sums);
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    cudaMemcpy(got, device_out, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 12 * THREADS; i++) {
        if (got[i] != want[i]) {
            printf("thread %d, value %d: %d, expected %d\n", i / 12, i % 12, got[i], want[i]);
            return 1;
        }
    }
    // The sums of quarters are exact. Targets before sm_60 leave them.
    bool added = sums[4] != 0;
    for (int i = 0; i < 4 && added; i++) {
        if (sums[i] != expected[i]) {
            printf("sum %d: %g, expected %g\n", i, sums[i], expected[i]);
            return 1;
        }
    }
    printf("PASSED, %s sums\n", added ? "with" : "without");
    return 0;
}
