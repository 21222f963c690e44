//! Damaged programs: the compiler answers without a panic.

use super::run;
use test_support::mutate::mutant_of_cuda_c;
use test_support::random::{Numbers, setting};

const PROGRAM: &str = "#define F(x, y) ((x) * y##1)\n\
    template <class T, int N = 4> struct V { T x[N]; __device__ V() {} __device__ T &operator[](int i) { return x[i]; } };\n\
    template <class T> __device__ T sum(const V<T> &v, T s = 0) { for (int i = 0; i < 4; i++) s += v.x[i]; return s; }\n\
    enum E { A, B = 2 }; union U { int i; float f; }; struct P { int a; float4 b; } __align__(16);\n\
    __constant__ float table[3] = {1.0f, .5f, 2}; texture<float, 1> tex;\n\
    namespace n { __device__ int f(int x, int y = 3) { return x ? y : f(x - 1); } }\n\
    __global__ void k(float *a, const int *b, P p, int n1) {\n\
      __shared__ float s[16][17]; extern __shared__ int d[]; int i = threadIdx.x + blockIdx.x * blockDim.x;\n\
      switch (i & 3) { case A: a[0] = 1; break; case B ... 3: goto end; default: ; }\n\
      #pragma unroll 4\n\
      for (int j = 0; j < 8; ++j) s[j][i] = a[j] * 2.0 + tex1Dfetch(tex, j);\n\
      V<float> v; v[1] = 3; a[1] = sum(v) + n::f(i) + F(i, n) + p.b.x; U u = {3}; u.f += u.i++;\n\
      auto g = [](int q) { return q << 2; }; a[2] = g(b[i]) > 3 && !i || ~i ? sizeof(P) : -'c';\n\
      asm volatile(\"mov.u32 %0, %1;\" : \"=r\"(i) : \"r\"(d[0])); printf(\"%d\", i); while (i--) { if (i) continue; }\n\
      end: atomicAdd(a, 1.0f); float (*h)[3] = (float (*)[3])a; h[1][2] = *table; return;\n\
    }\n\
    int main() { k<<<1, 2>>>(0, 0); std::cout << \"x\"; }\n";

#[test]
fn damaged_programs_give_messages_only() {
    let mut numbers = Numbers::new(1);
    for _ in 0..setting("CUDA_MUTATIONS", 300) {
        let text = mutant_of_cuda_c(PROGRAM, &mut numbers);
        let target = numbers.one_of(&["sm_10", "sm_13", "sm_20"]);
        let done = std::panic::catch_unwind(|| run(&text, target));
        assert!(done.is_ok(), "{text}");
    }
}
