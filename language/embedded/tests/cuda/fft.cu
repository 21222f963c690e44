// A transform of complex numbers in one block, with bit reversal and factors in constant memory.
#include <cmath>
#include <cuComplex.h>
#include <iomanip>
#include <iostream>
#include <vector>

constexpr int LOG = 7, N = 1 << LOG;

__constant__ cuFloatComplex factors[N / 2];

__device__ unsigned reversed(unsigned i, int bits) { return __brev(i) >> (32 - bits); }

template <bool inverse> __global__ void transform(const cuFloatComplex *in, cuFloatComplex *out) {
    __shared__ cuFloatComplex x[N];
    const unsigned t = threadIdx.x;
    x[reversed(t, LOG)] = in[t];
    x[reversed(t + N / 2, LOG)] = in[t + N / 2];
    for (int half = 1; half < N; half *= 2) {
        __syncthreads();
        const int k = t % half, i = t / half * 2 * half + k;
        cuFloatComplex w = factors[k * (N / 2 / half)];
        if (inverse) w = cuConjf(w);
        const cuFloatComplex a = x[i], b = cuCmulf(w, x[i + half]);
        x[i] = cuCaddf(a, b);
        x[i + half] = cuCsubf(a, b);
    }
    __syncthreads();
    const float scale = inverse ? 1.0f / N : 1.0f;
    for (unsigned i = t; i < N; i += blockDim.x) out[i] = make_cuFloatComplex(scale * cuCrealf(x[i]), scale * cuCimagf(x[i]));
}

int main() {
    const double pi = std::acos(-1.0);
    std::vector<cuFloatComplex> signal(N), spectrum(N), again(N), w(N / 2);
    for (int i = 0; i < N / 2; i++) w[i] = make_cuFloatComplex(std::cos(2 * pi * i / N), -std::sin(2 * pi * i / N));
    for (int i = 0; i < N; i++) {
        signal[i].x = 3 * std::cos(2 * pi * 5 * i / N) + std::sin(2 * pi * 20 * i / N) + 0.5;
        signal[i].y = i == 9 ? 0.25f : 0.0f;
    }
    cuFloatComplex *a, *b;
    cudaMalloc(&a, N * sizeof *a);
    cudaMalloc(&b, N * sizeof *b);
    cudaMemcpyToSymbol(factors, w.data(), w.size() * sizeof(cuFloatComplex));
    cudaMemcpy(a, signal.data(), N * sizeof *a, cudaMemcpyHostToDevice);
    transform<false><<<1, N / 2>>>(a, b);
    cudaMemcpy(spectrum.data(), b, N * sizeof *b, cudaMemcpyDeviceToHost);
    transform<true><<<1, N / 2>>>(b, a);
    cudaMemcpy(again.data(), a, N * sizeof *a, cudaMemcpyDeviceToHost);

    double worst = 0, back = 0;
    std::cout << std::fixed << std::setprecision(2);
    for (int k = 0; k < N; k++) {
        double re = 0, im = 0;
        for (int i = 0; i < N; i++) {
            const double angle = -2 * pi * ((k * i) % N) / N;
            re += signal[i].x * std::cos(angle) - signal[i].y * std::sin(angle);
            im += signal[i].x * std::sin(angle) + signal[i].y * std::cos(angle);
        }
        worst = std::fmax(worst, std::hypot(re - spectrum[k].x, im - spectrum[k].y));
        back = std::fmax(back, cuCabsf(cuCsubf(again[k], signal[k])));
        if (std::hypot(re, im) > 10) std::cout << std::setw(3) << k << std::setw(8) << cuCabsf(spectrum[k]) << "\n";
    }
    std::cout << (worst < 1e-3 && back < 1e-5 ? "PASSED" : "FAILED") << std::endl;
    return 0;
}
