// The constants of <math_constants.h>, which the headers of CUDA include.
#include <cstdio>
#include <math_constants.h>

__global__ void store(float *f, double *d) {
    f[0] = CUDART_INF_F;
    f[1] = CUDART_NAN_F;
    f[2] = CUDART_SQRT_HALF_F + CUDART_LNT_F + CUDART_THIRD_F + CUDART_TWO_TO_23_F + CUDART_PI_F;
    d[0] = CUDART_INF;
    d[1] = CUDART_NAN;
    d[2] = CUDART_SQRT_TWO + CUDART_PIO2 + CUDART_LN2 + CUDART_PI;
}

int main() {
    float *f, of_device[3];
    double *d, doubles[3];
    cudaMalloc(&f, sizeof of_device);
    cudaMalloc(&d, sizeof doubles);
    store<<<1, 1>>>(f, d);
    cudaMemcpy(of_device, f, sizeof of_device, cudaMemcpyDeviceToHost);
    cudaMemcpy(doubles, d, sizeof doubles, cudaMemcpyDeviceToHost);
    bool ok = of_device[0] > 1e38f && of_device[1] != of_device[1] && doubles[0] > 1e308 && doubles[1] != doubles[1];
    float sum = 0.707106781f + 2.302585093f + 0.333333333f + 8388608.0f + 3.141592654f;
    double wide = 1.4142135623730951 + 1.5707963267948966 + 0.69314718055994529 + 3.1415926535897931;
    ok = ok && of_device[2] == sum && doubles[2] == wide;
    printf(ok ? "PASSED\n" : "FAILED %g %g %.17g %.17g\n", of_device[2], sum, doubles[2], wide);
    cudaFree(f);
    cudaFree(d);
    return ok ? 0 : 1;
}
