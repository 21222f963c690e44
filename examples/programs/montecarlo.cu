// Monte Carlo estimate of an option price: a generator in each thread, sums in double precision.
// Build: warpcc -arch=sm_13 montecarlo.cu -o montecarlo && ./montecarlo [paths of a thread]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 128
#define BLOCKS 6

struct Option {
    double price, strike, rate, volatility, years;
};

// A xorshift generator with 128 bits of state.
struct Random {
    unsigned int x, y, z, w;

    __host__ __device__ explicit Random(unsigned int seed)
    {
        x = seed * 2654435761u + 1;
        y = x ^ 0x9e3779b9u;
        z = y * 69069u + 12345u;
        w = z ^ x >> 3;
        for (int i = 0; i < 8; i++)
            next();
    }

    __host__ __device__ unsigned int next()
    {
        unsigned int t = x ^ x << 11;
        x = y;
        y = z;
        z = w;
        w ^= w >> 19 ^ t ^ t >> 8;
        return w;
    }

    // In (0, 1).
    __host__ __device__ float uniform() { return ((next() >> 8) + 0.5f) * (1.0f / 16777216.0f); }
};

// Sum of the payoffs and of their squares for each block.
__global__ void simulate(Option option, int paths, double2 *sums)
{
    __shared__ double payoff[BLOCK], square[BLOCK];
    int t = threadIdx.x;
    Random random(blockIdx.x * BLOCK + t);
    const float drift = (float)((option.rate - 0.5 * option.volatility * option.volatility) * option.years);
    const float spread = (float)(option.volatility * sqrt(option.years));
    double sum = 0, sum2 = 0;
    for (int i = 0; i < paths; i++) {
        // Two normal numbers from two uniform ones (Box and Muller).
        float radius = sqrtf(-2.0f * logf(random.uniform()));
        float sine, cosine;
        sincosf(6.2831853f * random.uniform(), &sine, &cosine);
        double a = option.price * expf(drift + spread * radius * sine) - option.strike;
        double b = option.price * expf(drift + spread * radius * cosine) - option.strike;
        a = fmax(a, 0.0);
        b = fmax(b, 0.0);
        sum += a + b;
        sum2 += a * a + b * b;
    }
    payoff[t] = sum;
    square[t] = sum2;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (t < s) {
            payoff[t] += payoff[t + s];
            square[t] += square[t + s];
        }
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = make_double2(payoff[0], square[0]);
}

static double normal(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

int main(int argc, char **argv)
{
    int paths = argc > 1 ? atoi(argv[1]) : 4;
    if (paths < 1) {
        fprintf(stderr, "usage: montecarlo [paths of a thread]\n");
        return 2;
    }
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    if (prop.major * 10 + prop.minor < 13) {
        printf("needs double precision: compute capability 1.3, not %d.%d\n", prop.major, prop.minor);
        return 3;
    }
    Option option = {100.0, 95.0, 0.03, 0.25, 1.0};
    double2 sums[BLOCKS], *d_sums;
    cudaMalloc((void **)&d_sums, sizeof sums);
    simulate<<<BLOCKS, BLOCK>>>(option, paths, d_sums);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    cudaFree(d_sums);
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 2;
    }
    double sum = 0, sum2 = 0, n = 2.0 * BLOCKS * BLOCK * paths;
    for (int b = 0; b < BLOCKS; b++) {
        sum += sums[b].x;
        sum2 += sums[b].y;
    }
    double discount = exp(-option.rate * option.years);
    double mean = sum / n, deviation = sqrt((sum2 / n - mean * mean) / n);

    // The same paths on the host.
    double host = 0, host2 = 0;
    double drift = (option.rate - 0.5 * option.volatility * option.volatility) * option.years;
    double spread = option.volatility * sqrt(option.years);
    for (int t = 0; t < BLOCKS * BLOCK; t++) {
        Random random(t);
        for (int i = 0; i < paths; i++) {
            double radius = sqrt(-2.0 * log((double)random.uniform()));
            double angle = 6.2831853 * random.uniform();
            double a = fmax(option.price * exp(drift + spread * radius * sin(angle)) - option.strike, 0.0);
            double b = fmax(option.price * exp(drift + spread * radius * cos(angle)) - option.strike, 0.0);
            host += a + b;
            host2 += a * a + b * b;
        }
    }
    double d1 = (log(option.price / option.strike) + drift) / spread + spread;
    double formula = option.price * normal(d1) - option.strike * discount * normal(d1 - spread);
    printf("%.0f paths: %.4f +- %.4f, formula %.4f\n", n, discount * mean, discount * deviation, formula);
    bool passed = fabs(sum - host) < 1e-4 * host && fabs(sum2 - host2) < 1e-4 * host2 &&
                  fabs(discount * mean - formula) < 4 * discount * deviation;
    puts(passed ? "PASSED" : "FAILED");
    return passed ? 0 : 1;
}
