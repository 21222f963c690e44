//! Programs that are accepted without a message.

use super::run;

fn accepts(text: &str, target: &str) {
    let (program, errors, warnings) = run(text, target);
    assert!(errors.is_empty(), "{text}\n{}", errors.join("\n"));
    assert!(warnings.is_empty(), "{text}\n{}", warnings.join("\n"));
    assert!(!program.functions.is_empty(), "{text}");
}

#[test]
fn an_empty_kernel() {
    accepts("__global__ void k() {}", "sm_10");
}

#[test]
fn bodies() {
    let bodies = [
        "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 2.0f * a[i] + b[i];",
        "__shared__ float t[16][17]; t[threadIdx.y][threadIdx.x] = a[n]; __syncthreads(); a[n] = t[0][1];",
        "extern __shared__ float s[]; float *u = s + n; u[0] = a[0]; *u++ = 1; a[1] = u[-1];",
        "float4 v = make_float4(1, 2, 3, 4); v.x += v.y; float4 *p = (float4 *)a; p[n] = v; a[0] = p->w + b[1];",
        "struct P { int x, y; }; P p = {1, 2}, q = {.y = 3}; p = q; a[0] = p.x + q.y;",
        "int x[2][3] = {{1, 2, 3}, {4}}, y[] = {1, 2, 3}, z[2][2] = {1, 2, 3, 4}; a[0] = x[1][0] + y[2] + z[1][1];",
        "switch (n) { case 1: a[0] = 1; break; case 2: case 3: a[1] = 2; default: a[2] = 0; }",
        "for (int i = 0, j = n; i < j; i++, --j) { if (i == 3) continue; if (j == 9) break; a[i] = j; }",
        "unsigned u = n; u <<= 3; u ^= u >> 5; u = ~u; a[0] = u & 1 ? -1.0f : +1.0f;",
        "a[0] = sqrtf(b[0]) + fabsf(b[1]) + fmaf(a[0], b[1], 2.0f) + min(n, 3) + __sinf(b[2]) + rsqrtf(b[3]);",
        "long long q = (long long)n * n; int h = __mulhi(n, n); a[0] = (float)(q >> 32) + h + __popc(n) + __clz(n);",
        "const int N = 4; float r[N]; for (int i = 0; i < N; ++i) r[i] = b[i]; a[0] = r[N - 1];",
        "int &r = n; r = 3; const float &c = a[1]; float &d = a[2]; d = c;",
        "enum { A, B = 5, C }; a[A] = B + C; int k = sizeof(float4) + sizeof k; a[1] = k;",
        "goto end; a[0] = 1; end: a[1] = 2;",
        "a[0] = __int_as_float(__float_as_int(b[0]) ^ 0x80000000); char c = 'x'; a[1] = c;",
        "dim3 d(1, 2); dim3 e; uint3 t = threadIdx; a[d.y] = e.z + t.x; a[0] = blockDim.x == 32 ? warpSize : 0;",
        "int v = 0; v++; ++v; v--; int w = v++ + --v; a[w] = v; float f = 1; f += n; f *= 2; a[0] = f;",
        "void *p = a; float *q = (float *)p; size_t s = q - a; a[s] = (q == a) + (q != 0) + !q;",
        "float (*rows)[16] = (float (*)[16])a; rows[1][2] = 3; float *r = rows[3]; r[0] = **rows;",
        "if (n > 0 && b[0] < 1.0f || !n) a[0] = n ? b[0] : 0; while (n--) a[n] = 0; do a[0] += 1; while (a[0] < n);",
        "auto i = n + 1; auto *p = a; auto &r = a[1]; r = i; p[0] = r; constexpr int K = 3; a[K] = K;",
        "for (int i : {1}) ; ",
    ];
    for body in &bodies[..bodies.len() - 1] {
        for target in ["sm_10", "sm_13", "sm_20"] {
            accepts(&format!("__global__ void k(float *a, const float *b, int n) {{ {body} }}"), target);
        }
    }
}

#[test]
fn fermi_bodies() {
    let bodies = [
        "printf(\"%d %f\\n\", n, a[0]); assert(n > 0);",
        "printf(\"%s %s\\n\", __func__, __PRETTY_FUNCTION__); const char *f = __FUNCTION__; n = f[0]; *a++; *a;",
        "int (*g)(int) = [](int x) { return x + 1; }; n = g(2); auto h = +[](float x) { return x; }; a[0] = h(1);",
        "float (*f)(float) = twice; a[0] = f(1); a[1] = apply(twice, 2.0f); f = n ? twice : twice; a[2] = (*f)(3);",
        "int *p = (int *)malloc(4); *p = 3; free(p); a[0] = __ballot(n) + __syncthreads_count(n > 0);",
        "auto f = [] __device__ (float x) { return x * 2; }; a[0] = f(3); a[1] = apply(f, 1.0f);",
        "asm volatile(\"add.s32 %0, %1, %2;\" : \"=r\"(n) : \"r\"(n), \"n\"(3)); a[0] = n;",
        "atomicAdd(a, 1.0f); atomicAdd((int *)a, 1); atomicCAS((unsigned long long *)a, 1ull, 2ull);",
        "double d = a[0]; d = sqrt(d) * 2 + 1.0; a[0] = (float)d; a[1] = fact(5);",
    ];
    for body in bodies {
        let text = format!(
            "__device__ float twice(float x) {{ return 2 * x; }}\n\
             __device__ int fact(int n) {{ return n < 2 ? 1 : n * fact(n - 1); }}\n\
             template <class F> __device__ float apply(F f, float x) {{ return f(x); }}\n\
             __global__ void k(float *a, int n) {{ {body} }}"
        );
        accepts(&text, "sm_20");
    }
}

#[test]
fn programs() {
    let programs = [
        "template <class T> __device__ T add(T a, T b) { return a + b; }\n\
         __global__ void k(float *a, int *b) { a[0] = add(a[1], a[2]); b[0] = add<int>(b[1], 2.5f); }",
        "template <int N, class T> __global__ void k(T *a) { __shared__ T s[N]; s[threadIdx.x % N] = a[0]; a[1] = s[0]; }\n\
         int main() { k<256, float><<<1, 256>>>(0); }",
        "template <class T> struct V { T x, y; __device__ V(T a, T b) : x(a), y(b) {} \
         __device__ V operator+(const V &o) const { return V(x + o.x, y + o.y); } __device__ T dot(V o) const; };\n\
         template <class T> __device__ T V<T>::dot(V o) const { return x * o.x + y * o.y; }\n\
         __global__ void k(float *a) { V<float> v(1, 2), w = v + V<float>(3, 4); a[0] = v.dot(w); }",
        "struct C { float re, im; }; __device__ C operator*(C a, C b) { C r; r.re = a.re * b.re - a.im * b.im; \
         r.im = a.re * b.im + a.im * b.re; return r; } __device__ C &operator+=(C &a, const C &b) { a.re += b.re; return a; }\n\
         __global__ void k(C *a) { a[0] = a[1] * a[2]; a[0] += a[3]; }",
        "struct B { int m; __device__ int get() const { return m; } }; struct D : B { __device__ D(int v) { m = v; } };\n\
         __global__ void k(int *a) { D d(3); B b = d; a[0] = d.get() + b.m; }",
        "__constant__ float c[4] = {1, 2, 3, 4}; __device__ int counter; texture<float, 2, cudaReadModeElementType> t;\n\
         texture<uchar4, 1, cudaReadModeNormalizedFloat> u;\n\
         __global__ void k(float *a) { a[0] = c[1] + tex2D(t, 1.0f, 2.0f); counter = 1; float4 f = tex1Dfetch(u, 3); a[1] = f.x; }",
        "namespace m { __device__ int f(int x) { return x; } namespace n { const int K = 3; } } using namespace m;\n\
         __global__ void k(int *a) { a[0] = f(n::K) + m::f(m::n::K); }",
        "__device__ float f(float x, float s = 2.0f); __global__ void k(float *a) { a[0] = f(1); }\n\
         __device__ float f(float x, float s) { return x * s; }",
        "#define BLOCK 16\n#define IDX(r, c) ((r) * BLOCK + (c))\ntypedef struct { int n; float *p; } Matrix;\n\
         __global__ void k(Matrix m) { m.p[IDX(threadIdx.y, threadIdx.x)] = m.n; }",
        "union U { int i; float f; }; struct N { union { int a; float b; }; int c[2]; };\n\
         __global__ void k(float *a) { U u; u.i = 3; a[0] = u.f; N n; n.b = 1; n.c[1] = n.a; a[1] = n.c[1]; }",
        "template <class T> struct Traits { static const int size = 1; typedef T type; };\n\
         template <> struct Traits<float> { static const int size = 4; typedef int type; };\n\
         template <class T> struct Traits<T *> { static const int size = 8; typedef T type; };\n\
         __global__ void k(int *a) { Traits<float>::type x = Traits<float>::size; a[0] = x + Traits<int *>::size + Traits<int>::size; }",
        "constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n\
         __global__ void k(int *a) { int x[fib(7)]; x[12] = 1; a[0] = x[12] + sizeof(x); }",
        "template <class T> struct Shared { __device__ operator T *() { extern __shared__ int s[]; return (T *)s; } \
         __device__ T &operator[](int i) { return ((T *)*this)[i]; } };\n\
         __global__ void k(float *a) { Shared<float> s; float *p = s; p[0] = a[0]; s[1] = a[1]; a[2] = s[0]; }",
        "struct S { int v; __device__ S() : v(7) {} __device__ S &operator++() { ++v; return *this; } \
         __device__ bool operator<(const S &o) const { return v < o.v; } };\n\
         __global__ void k(int *a) { S s, t; ++s; a[0] = s < t; S u[2]; a[1] = u[1].v; }",
        "__device__ void swap(int &a, int &b) { int t = a; a = b; b = t; }\n\
         __global__ void k(int *a) { swap(a[0], a[1]); int x = 1, y = 2; swap(x, y); a[2] = x; }",
        "static __device__ __forceinline__ float sq(float x) { return x * x; }\n\
         extern \"C\" __global__ void __launch_bounds__(256, 2) k(float *__restrict__ a) { a[0] = sq(a[0]); }",
    ];
    for program in programs {
        for target in ["sm_11", "sm_20"] {
            accepts(program, target);
        }
    }
}
