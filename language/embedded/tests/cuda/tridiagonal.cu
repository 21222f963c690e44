// Many tridiagonal systems by parallel cyclic reduction: a block a system, one thread a row.
#include <cmath>
#include <cstdio>
#include <cstdlib>

template <typename T> struct Row {
    T lower, diagonal, upper, right;
};

template <typename T, int N> __global__ void solve(const Row<T> *systems, T *x) {
    __shared__ T l[N], d[N], u[N], r[N];
    const int t = threadIdx.x;
    const Row<T> own = systems[blockIdx.x * N + t];
    l[t] = own.lower, d[t] = own.diagonal, u[t] = own.upper, r[t] = own.right;
    for (int step = 1; step < N; step <<= 1) {
        __syncthreads();
        T a = 0, b = d[t], c = 0, e = r[t];
        if (t >= step) {
            const T factor = l[t] / d[t - step];
            a = -factor * l[t - step];
            b -= factor * u[t - step];
            e -= factor * r[t - step];
        }
        if (t + step < N) {
            const T factor = u[t] / d[t + step];
            c = -factor * u[t + step];
            b -= factor * l[t + step];
            e -= factor * r[t + step];
        }
        __syncthreads();
        l[t] = a, d[t] = b, u[t] = c, r[t] = e;
    }
    x[blockIdx.x * N + t] = r[t] / d[t];
}

template <typename T> void thomas(const Row<T> *rows, T *x, int n) {
    T *factor = new T[n], *value = new T[n];
    factor[0] = rows[0].upper / rows[0].diagonal;
    value[0] = rows[0].right / rows[0].diagonal;
    for (int i = 1; i < n; i++) {
        const T under = rows[i].diagonal - rows[i].lower * factor[i - 1];
        factor[i] = rows[i].upper / under;
        value[i] = (rows[i].right - rows[i].lower * value[i - 1]) / under;
    }
    for (int i = n - 1; i >= 0; i--) x[i] = i == n - 1 ? value[i] : value[i] - factor[i] * x[i + 1];
    delete[] factor;
    delete[] value;
}

template <typename T, int N> int run(const char *name, int systems, double tolerance) {
    const int count = systems * N;
    Row<T> *rows = new Row<T>[count], *d_rows;
    T *x = new T[count], *expected = new T[count], *d_x;
    unsigned seed = 12345;
    for (int i = 0; i < count; i++) {
        seed = 1103515245u * seed + 12345u;
        const int k = i % N;
        rows[i].lower = k == 0 ? 0 : T(-1) - T(seed >> 16 & 7) / 8;
        rows[i].upper = k == N - 1 ? 0 : T(-1) + T(seed >> 20 & 3) / 4;
        rows[i].diagonal = T(4);
        rows[i].right = T(seed >> 24) / 16;
    }
    cudaMalloc((void **)&d_rows, count * sizeof *rows);
    cudaMalloc((void **)&d_x, count * sizeof *x);
    cudaMemcpy(d_rows, rows, count * sizeof *rows, cudaMemcpyHostToDevice);
    solve<T, N><<<systems, N>>>(d_rows, d_x);
    cudaMemcpy(x, d_x, count * sizeof *x, cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int s = 0; s < systems; s++) thomas(rows + s * N, expected + s * N, N);
    for (int i = 0; i < count; i++) worst = fmax(worst, fabs((double)x[i] - (double)expected[i]));
    printf("%-6s %d systems of %3d: x[1] = %.3f, %s\n", name, systems, N, (double)x[1], worst < tolerance ? "right" : "wrong");
    cudaFree(d_rows);
    cudaFree(d_x);
    delete[] rows;
    delete[] x;
    delete[] expected;
    return worst < tolerance ? 0 : 1;
}

int main() {
    int wrong = run<float, 32>("float", 6, 1e-4);
    wrong += run<float, 128>("float", 2, 1e-4);
    wrong += run<double, 64>("double", 3, 1e-12);
    puts(wrong ? "FAILED" : "PASSED");
    exit(wrong);
}
