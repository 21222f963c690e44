// Two arrays in dynamic shared memory, and a table of functions that launch kernels.
#include <stdio.h>

extern __shared__ char room[];

__global__ void reversed(const double *in, int *order, double *out, int n) {
    double *values = (double *)room;
    int *places = (int *)(values + n), t = threadIdx.x;
    values[t] = in[t];
    places[t] = n - 1 - t;
    __syncthreads();
    out[t] = values[places[t]];
    order[t] = places[places[t]];
}

__global__ void rotated(const double *in, int *order, double *out, int n) {
    double *values = (double *)room;
    values[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    order[threadIdx.x] = (threadIdx.x + 1) % n;
    out[threadIdx.x] = values[order[threadIdx.x]];
}

typedef void (*Launch)(const double *, int *, double *, int);

static void launch_reversed(const double *in, int *order, double *out, int n) {
    reversed<<<1, n, n * (sizeof(double) + sizeof(int))>>>(in, order, out, n);
}

static void launch_rotated(const double *in, int *order, double *out, int n) {
    rotated<<<1, n, n * sizeof(double)>>>(in, order, out, n);
}

static const struct {
    const char *name;
    Launch launch;
} table[] = {{"reversed", launch_reversed}, {"rotated", launch_rotated}};

int main() {
    double in[48], out[48], *di, *dout;
    int order[48], *dorder, wrong = 0;
    for (int i = 0; i < 48; i++) in[i] = i * 0.125 - 1;
    cudaMalloc(&di, sizeof in);
    cudaMalloc(&dout, sizeof out);
    cudaMalloc(&dorder, sizeof order);
    cudaMemcpy(di, in, sizeof in, cudaMemcpyHostToDevice);
    for (unsigned k = 0; k < sizeof table / sizeof *table; k++) {
        table[k].launch(di, dorder, dout, 48);
        cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
        cudaMemcpy(order, dorder, sizeof order, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 48; i++) {
            int from = k == 0 ? 47 - i : (i + 1) % 48, kept = k == 0 ? i : from;
            wrong += out[i] != in[from] || order[i] != kept;
        }
        printf("%s: %g %g %g\n", table[k].name, out[0], out[1], out[47]);
    }
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong;
}
