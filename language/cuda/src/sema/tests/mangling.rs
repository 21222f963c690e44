//! Names in PTX.

use super::run;

#[test]
fn names_of_functions() {
    let cases = [
        ("__global__ void k() {}", "_Z1kv"),
        ("extern \"C\" __global__ void k(int) {}", "k"),
        ("__global__ void saxpy(int n, float a, float *x, float *y) {}", "_Z5saxpyifPfS_"),
        (
            "__global__ void add(const float *a, const float *b, float *__restrict__ c, int n) {}",
            "_Z3addPKfS0_Pfi",
        ),
        ("__global__ void k(float4 *a, float4 b, uchar4 c, float2 *d) {}", "_Z1kP6float4S_6uchar4P6float2"),
        ("__global__ void k(unsigned char *a, volatile int *b, long long c, bool d) {}", "_Z1kPhPVixb"),
        (
            "namespace a { namespace b { struct T { int x; }; __global__ void k(T t, T *p) {} } }",
            "_ZN1a1b1kENS0_1TEPS1_",
        ),
        (
            "template <class T> __global__ void k(T *a, T b, int n) {}\ntemplate __global__ void k<float>(float *, float, int);",
            "_Z1kIfEvPT_S0_i",
        ),
        (
            "template <class T, int N> __global__ void k(T *a, const T *b) {}\nint main() { k<float, 256><<<1, 1>>>(0, 0); }",
            "_Z1kIfLi256EEvPT_PKS0_",
        ),
        (
            "namespace n { namespace m { template <int N> __global__ void k(float *a) {} } }\nint main() { ::n::m::k<3><<<1, 1>>>(0); }",
            "_ZN1n1m1kILi3EEEvPf",
        ),
        (
            "template <bool B, unsigned N> __global__ void k(float *a) {}\nint main() { k<true, 3><<<1, 1>>>(0); }",
            "_Z1kILb1ELj3EEvPf",
        ),
        (
            "template <class T> struct V { T x; }; __global__ void k(V<float> a, V<float> *b, V<V<int> > c) {}",
            "_Z1k1VIfEPS0_S_IS_IiEE",
        ),
        (
            "template <class T> struct V { T x; };\ntemplate <class T> __global__ void k(V<T> a, V<T> b) {}\n\
          int main() { k<int><<<1, 1>>>(0, 0); }",
            "_Z1kIiEv1VIT_ES2_",
        ),
        ("__global__ void k(float (*a)[16], float b[3], dim3 d) {}", "_Z1kPA16_fPf4dim3"),
        ("__global__ void k(int **a, const int *const *b, unsigned long c) {}", "_Z1kPPiPKPKim"),
        ("__global__ void k(float (*f)(int, float)) {}", "_Z1kPFfifE"),
    ];
    for (text, expected) in cases {
        let (program, errors, _) = run(text, "sm_20");
        assert!(errors.is_empty(), "{text}\n{}", errors.join("\n"));
        let found: Vec<&str> = program.functions.iter().map(|function| function.symbol.as_str()).collect();
        assert_eq!(found, [expected], "{text}");
    }
}

#[test]
fn names_of_variables() {
    let text = "__constant__ int c; namespace n { __device__ int d; }\n\
        __global__ void k(int *a) { __shared__ int s; { __shared__ int s; s = 1; } s = 2; extern __shared__ int e[]; \
        static __device__ int t; a[0] = s + e[0] + t + c + n::d; }";
    let (program, errors, _) = run(text, "sm_20");
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    let found: Vec<&str> = program.globals.iter().map(|global| global.symbol.as_str()).collect();
    assert_eq!(found, ["c", "_ZN1n1dE", "_ZZ1kPiE1s", "_ZZ1kPiE1s_0", "e", "_ZZ1kPiE1t"]);
}
