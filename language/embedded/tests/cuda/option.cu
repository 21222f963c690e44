// Prices of options by random paths: an own generator, two streams, pinned memory and events.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define PATHS 512
#define STEPS 16
#define OPTIONS 4

typedef struct {
    float start, strike, rate, volatility, years;
} Option;

struct Lcg {
    unsigned long long state;
    __host__ __device__ explicit Lcg(unsigned long long seed) : state(seed * 6364136223846793005ULL + 1442695040888963407ULL) {}
    __host__ __device__ unsigned next() {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (unsigned)(state >> 33);
    }
    __host__ __device__ float uniform() { return (next() >> 7) * (1.0f / 16777216.0f); }
    // A sum of twelve uniform numbers is nearly normal.
    __host__ __device__ float normal() {
        float sum = -6.0f;
        for (int i = 0; i < 12; ++i) sum += uniform();
        return sum;
    }
};

static void handle(cudaError_t error, const char *file, int line) {
    if (error == cudaSuccess) return;
    printf("%s in %s at line %d\n", cudaGetErrorString(error), file, line);
    exit(EXIT_FAILURE);
}
#define HANDLE_ERROR(error) (handle(error, __FILE__, __LINE__))

__global__ void simulate(const Option *options, int which, float *payoffs) {
    const Option o = options[which];
    const int path = blockIdx.x * blockDim.x + threadIdx.x;
    if (path >= PATHS) return;
    Lcg random(which * PATHS + path);
    const float dt = o.years / STEPS, drift = (o.rate - 0.5f * o.volatility * o.volatility) * dt;
    const float spread = o.volatility * sqrtf(dt);
    float log_price = 0.0f;
    for (int s = 0; s < STEPS; s++) log_price += drift + spread * random.normal();
    payoffs[path] = fmaxf(o.start * expf(log_price) - o.strike, 0.0f);
}

static double price_on_host(const Option &o, int which) {
    double total = 0;
    for (int path = 0; path < PATHS; path++) {
        Lcg random(which * PATHS + path);
        double dt = o.years / STEPS, sum = 0;
        for (int s = 0; s < STEPS; s++)
            sum += (o.rate - 0.5 * o.volatility * o.volatility) * dt + o.volatility * sqrt(dt) * random.normal();
        double payoff = o.start * exp(sum) - o.strike;
        if (payoff > 0) total += payoff;
    }
    return exp(-o.rate * o.years) * total / PATHS;
}

static double normal_distribution(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }

static double black_scholes(const Option *o) {
    double root = o->volatility * sqrt(o->years);
    double d1 = (log(o->start / o->strike) + (o->rate + 0.5 * o->volatility * o->volatility) * o->years) / root;
    return o->start * normal_distribution(d1) - o->strike * exp(-o->rate * o->years) * normal_distribution(d1 - root);
}

int main(void) {
    static const Option table[OPTIONS] = {
        {100, 100, 0.05f, 0.2f, 1}, {100, 110, 0.05f, 0.2f, 1}, {50, 40, 0.02f, 0.4f, 0.5f}, {80, 120, 0, 0.1f, 0.25f}};
    Option *options, *d_options;
    float *payoffs, *d_payoffs[2], elapsed = -1;
    cudaStream_t streams[2];
    cudaEvent_t begin, end;
    bool good = true;
    HANDLE_ERROR(cudaHostAlloc((void **)&options, sizeof table, cudaHostAllocDefault));
    HANDLE_ERROR(cudaHostAlloc((void **)&payoffs, OPTIONS * PATHS * sizeof(float), cudaHostAllocDefault));
    HANDLE_ERROR(cudaMalloc((void **)&d_options, sizeof table));
    HANDLE_ERROR(cudaEventCreate(&begin));
    HANDLE_ERROR(cudaEventCreate(&end));
    for (int i = 0; i < 2; i++) {
        HANDLE_ERROR(cudaStreamCreate(&streams[i]));
        HANDLE_ERROR(cudaMalloc((void **)&d_payoffs[i], PATHS * sizeof(float)));
    }
    for (int i = 0; i < OPTIONS; i++) options[i] = table[i];
    HANDLE_ERROR(cudaMemcpy(d_options, options, sizeof table, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaEventRecord(begin, 0));
    for (int i = 0; i < OPTIONS; i++) {
        cudaStream_t stream = streams[i % 2];
        simulate<<<PATHS / 128, 128, 0, stream>>>(d_options, i, d_payoffs[i & 1]);
        HANDLE_ERROR(cudaMemcpyAsync(payoffs + i * PATHS, d_payoffs[i & 1], PATHS * sizeof(float), cudaMemcpyDeviceToHost, stream));
    }
    HANDLE_ERROR(cudaEventRecord(end, 0));
    HANDLE_ERROR(cudaEventSynchronize(end));
    HANDLE_ERROR(cudaEventElapsedTime(&elapsed, begin, end));
    for (int i = 0; i < 2; i++) HANDLE_ERROR(cudaStreamSynchronize(streams[i]));
    for (int i = 0; i < OPTIONS; i++) {
        double sum = 0;
        for (int p = 0; p < PATHS; p++) sum += payoffs[i * PATHS + p];
        const double price = exp(-options[i].rate * options[i].years) * sum / PATHS, formula = black_scholes(options + i);
        printf("option %d: %.2f, by the formula %.2f\n", i + 1, price, formula);
        good = good && fabs(price - price_on_host(table[i], i)) < 1e-3 && fabs(price - formula) < 0.1 * options[i].start;
    }
    puts(good && elapsed > 0 ? "PASSED" : "FAILED");
    for (int i = 0; i < 2; i++) {
        cudaFree(d_payoffs[i]);
        cudaStreamDestroy(streams[i]);
    }
    cudaEventDestroy(begin), cudaEventDestroy(end);
    cudaFreeHost(options), cudaFreeHost(payoffs), cudaFree(d_options);
    return 0;
}
