//! Functions of CUDA after Fermi: a chip with the feature has them, and a chip without it refuses
//! them with the name of the feature.

#[path = "common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{as_ints, compile, ints, run};

/// The features of a chip, the body of a kernel `k(int *out)` for 32 threads, the values that it
/// stores, and a feature without which it is refused.
struct Row(&'static str, &'static str, fn(i32) -> i32, &'static str);

const ROWS: &[Row] = &[
    Row("shuffle", "out[t] = __shfl(10 * t, 5);", |_| 50, "shuffle"),
    Row("shuffle", "out[t] = __shfl(10 * t, t + 1, 8);", |t| 10 * (t & !7 | (t + 1) & 7), "shuffle"),
    Row("shuffle", "out[t] = __shfl_up(t, 3);", |t| if t < 3 { t } else { t - 3 }, "shuffle"),
    Row("shuffle", "out[t] = __shfl_down(t, 2, 16);", |t| if t % 16 < 14 { t + 2 } else { t }, "shuffle"),
    Row("shuffle", "out[t] = __shfl_xor(t, 9);", |t| t ^ 9, "shuffle"),
    Row("shuffle", "out[t] = __shfl_sync(0xffffffff, t + 100, 31);", |_| 131, "shuffle"),
    Row(
        "shuffle",
        "float x = 0.5f * t; out[t] = (int)(4.0f * __shfl_xor_sync(0xffffffffu, x, 1));",
        |t| 2 * (t ^ 1),
        "shuffle",
    ),
    Row(
        "shuffle",
        "long long x = (long long)t << 33 | t; x = __shfl_down_sync(~0u, x, 1); \
         out[t] = (int)(x >> 30) + (int)x;",
        |t| 9 * (t + 1).min(31),
        "shuffle",
    ),
    Row(
        "shuffle",
        "double x = t / 4.0; out[t] = (int)(4 * __shfl_up_sync(~0u, x, 1, 4));",
        |t| if t % 4 == 0 { t } else { t - 1 },
        "shuffle",
    ),
    Row(
        "shuffle",
        "unsigned long x = (unsigned long)t << 40; out[t] = (int)(__shfl(x, 7) >> 40);",
        |_| 7,
        "shuffle",
    ),
    Row(
        "shuffle",
        "int sum = t; for (int d = 16; d > 0; d /= 2) sum += __shfl_down(sum, d); \
         out[t] = __shfl(sum, 0);",
        |_| 496,
        "shuffle",
    ),
    Row(
        "shuffle",
        "int x; asm volatile(\"shfl.bfly.b32 %0, %1, 1, 31;\" : \"=r\"(x) : \"r\"(t)); out[t] = x + __shfl(0, 0);",
        |t| t ^ 1,
        "shuffle",
    ),
    Row(
        "atomics64",
        "__shared__ unsigned long long s[5]; __shared__ long long m[2]; \
         if (t < 5) s[t] = t < 2 ? ~0ull : 0; if (t < 2) m[t] = 0; __syncthreads(); \
         atomicMin(&s[0], (1ull << 40) + t); atomicAnd(&s[1], ~(1ull << (t + 20))); \
         atomicMax(&s[2], (unsigned long long)t << 35); atomicOr(&s[3], 1ull << (2 * t)); \
         atomicXor(&s[4], (1ull << 63) >> t); atomicMin(&m[0], (long long)-t); atomicMax(&m[1], (long long)t << 33); \
         __syncthreads(); \
         out[t] = s[0] == 1ull << 40 && s[1] == ~(0xffffffffull << 20) && s[2] == 31ull << 35 && \
         s[3] == 0x5555555555555555ull && s[4] == 0xffffffff00000000ull && m[0] == -31 && m[1] == 31ll << 33;",
        |_| 1,
        "atomics64",
    ),
    Row(
        "atomic_f64",
        "__shared__ double s; if (t == 0) s = 0.25; __syncthreads(); double old = atomicAdd(&s, 0.5); \
         __syncthreads(); out[t] = (int)(4 * s) + (old < 0.25);",
        |_| 65,
        "atomic_f64",
    ),
    // The architecture is the first one with the features, as for the program.
    Row(
        "shuffle+atomics64",
        "#if __CUDA_ARCH__ < 320\n#error an old architecture\n#endif\nout[t] = __CUDA_ARCH__;",
        |_| 320,
        "",
    ),
    // A program that replaces a function below the architecture that has it.
    Row(
        "atomic_f64",
        "}\n#if __CUDA_ARCH__ < 600\n__device__ double atomicAdd(double *a, double v) { return 1e9; }\n#endif\n\
         __global__ void k2(double *d, int *out) { out[threadIdx.x] = atomicAdd(d, 1.0) < 1e8;",
        |_| 0,
        "",
    ),
    // Exact on each Fermi.
    Row(
        "",
        "out[t] = (int)__activemask() + __popc(__ballot_sync(0xff, 1)) + __any_sync(~0u, t == 3) + \
         __all_sync(~0u, t < 9); __syncwarp();",
        |_| -1 + 8 + 1,
        "",
    ),
    Row(
        "",
        "out[t] = (int)(__funnelshift_l(0x80000000u, t, 1) + __funnelshift_r(2, 1, 1) * 0 + \
         __funnelshift_lc(5, 6, 40) + __funnelshift_rc(5, 6, 33) + __ldg(out + t));",
        |t| 2 * t + 1 + 5 + 6,
        "",
    ),
];

fn source(body: &str) -> String {
    format!("__global__ void k(int *out)\n{{\nint t = threadIdx.x;\n{body}\n}}\n")
}

fn target(features: &str) -> String {
    if features.is_empty() { "sm_20".to_owned() } else { format!("sm_20+{features}") }
}

#[test]
fn chips_with_the_feature_have_the_functions() {
    for Row(features, body, expected, _) in ROWS {
        for level in [0, 3] {
            let target = target(features);
            let ptx = compile(&source(body), &target, level).unwrap_or_else(|why| panic!("{body}: {why}"));
            let zeros = ints(&[0; 32]);
            let buffers = run(&ptx, &target, "_Z1kPi", ((1, 1), (32, 1)), 0, &[zeros]);
            let buffers = buffers.unwrap_or_else(|why| panic!("{body}: {why}\n{ptx}"));
            let expected: Vec<i32> = (0..32).map(expected).collect();
            assert_eq!(as_ints(&buffers[0]), expected, "-O{level}: {body}\n{ptx}");
        }
    }
}

#[test]
fn chips_without_the_feature_refuse_the_functions_by_name() {
    for Row(_, body, _, feature) in ROWS.iter().filter(|row| !row.3.is_empty()) {
        let message = compile(&source(body), "sm_20", 3).expect_err(body);
        let advice = format!("with the feature `{feature}`: `--set 'features=[{feature}]'`");
        assert!(message.contains("test.cu:4") && message.contains(&advice), "{body}: {message}");
    }
    // Other features of the chip stay in the advice.
    let message = compile(&source("out[t] = __shfl(t, 0);"), "sm_20+lop3", 3).unwrap_err();
    assert!(message.contains("`--set 'features=[shuffle,lop3]'`"), "{message}");
}

#[test]
fn functions_that_no_chip_has_are_refused_with_their_capability() {
    for (body, name, capability) in [
        ("out[t] = __match_any_sync(~0u, t);", "__match_any_sync", "7.0"),
        ("out[t] = __reduce_add_sync(~0u, t);", "__reduce_add_sync", "8.0"),
        ("__nanosleep(100);", "__nanosleep", "7.0"),
        ("out[t] = __dp4a(t, t, 0);", "__dp4a", "6.1"),
        ("__half x; out[t] = 1;", "__half", "5.3"),
        ("half2 x; out[t] = 1;", "half2", "5.3"),
        ("nvcuda::wmma::fill_fragment(t, 0);", "nvcuda", "7.0"),
        ("cooperative_groups::this_grid().sync();", "this_grid", "6.0"),
        ("cooperative_groups::coalesced_threads().sync();", "coalesced_threads", "3.0"),
        ("cudaDeviceSynchronize();", "cudaDeviceSynchronize", "3.5"),
        ("k<<<1, 1>>>(out);", "launch", "3.5"),
    ] {
        let text = format!("#include <cooperative_groups.h>\n{}", source(body));
        let message = compile(&text, "sm_20+shuffle", 3).expect_err(body);
        let at = format!("compute capability {capability}");
        assert!(message.contains(name) && message.contains(&at), "{body}: {message}");
    }
}
