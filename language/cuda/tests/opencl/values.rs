//! What kernels compute.

use crate::common::{Argument, as_floats, as_ints, floats, ints, run};
use crate::{compile_with, valid};
use cuda::compile::ParameterKind;
use cuda::options::Options;

/// Runs `body` in one work-group of `items` work-items with a buffer of integers, on three targets.
fn integers(head: &str, body: &str, items: u32, out: &[i32]) -> Vec<i32> {
    let text = format!("{head}\n__kernel void k(__global int *p) {{ int i = get_local_id(0); {body} }}");
    let results: Vec<Vec<i32>> = ["sm_10", "sm_13", "sm_20"]
        .map(|target| {
            let (ptx, _) = valid(&text, target);
            let made = run(&ptx, target, "k", ((1, 1), (items, 1)), 0, &[ints(out)]);
            as_ints(&made.unwrap_or_else(|error| panic!("{target}: {error}\n{text}"))[0])
        })
        .into();
    assert!(results.windows(2).all(|two| two[0] == two[1]), "{text}: {results:?}");
    results.into_iter().next().expect("three results")
}

/// The value of `p[0]` after `body`.
fn integer(body: &str) -> i32 {
    integers("", body, 1, &[0; 16])[0]
}

/// The first values after `body`.
fn several(body: &str, count: usize) -> Vec<i32> {
    integers("", body, 1, &[0; 32])[..count].to_vec()
}

#[test]
fn elements_of_vectors_have_names() {
    assert_eq!(several("int4 v = (int4)(1, 2, 3, 4); vstore4(v.wzyx, 0, p);", 4), [4, 3, 2, 1]);
    assert_eq!(several("int4 v = (int4)(1, 2, 3, 4); v.xz = v.yw; vstore4(v, 0, p);", 4), [2, 2, 4, 4]);
    assert_eq!(
        several("int8 v = 0; v.odd = (int4)(1, 2, 3, 4); vstore8(v, 0, p);", 8),
        [0, 1, 0, 2, 0, 3, 0, 4]
    );
    assert_eq!(
        several("int16 v = 7; v.s0f = (int2)(1, 2); v.hi.lo = 5; vstore16(v, 0, p);", 16),
        [1, 7, 7, 7, 7, 7, 7, 7, 5, 5, 5, 5, 7, 7, 7, 2]
    );
    assert_eq!(
        several("int3 v = (int3)(1, 2, 3); p[0] = v.zyx.y + v.hi.x * 10; p[1] = sizeof(v);", 2),
        [32, 16]
    );
    // The object is evaluated once.
    assert_eq!(
        several("__global int2 *q = (__global int2 *)p; int n = 0; q[n++].yx = (int2)(1, 2); p[4] = n;", 5),
        [2, 1, 0, 0, 1]
    );
}

/// A double is rounded once: as a float it would be in the middle of two halves.
#[test]
fn doubles_become_halves() {
    let text = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable
        __kernel void k(__global half *p, __global double2 *v) {
            double x = v[1].x;
            vstore_half(x, 0, p); vstore_half_rtp(x, 1, p); vstore_half_rtz(-x, 2, p); vstore_half_rtp(1e-300, 3, p);
            vstore_half2_rtn(v[0], 2, p); vstore_half(1e300, 6, p); vstore_half_rtz(1e300, 7, p);
        }";
    for target in ["sm_13", "sm_20"] {
        let (ptx, _) = valid(text, target);
        let doubles = [-1e-300_f64, 3.0, 1.000_488_281_25 + 1e-12, 0.0];
        let doubles = doubles.iter().flat_map(|one| one.to_le_bytes()).collect();
        let made = run(&ptx, target, "k", ((1, 1), (1, 1)), 0, &[ints(&[0; 4]), Argument::Buffer(doubles)]);
        let words: Vec<u32> = as_ints(&made.expect("it runs")[0]).iter().map(|word| *word as u32).collect();
        assert_eq!(words, [0x3c01_3c01, 0x0001_bc00, 0x4200_8001, 0x7bff_7c00], "{target}");
    }
}

#[test]
fn types_and_values_have_steps() {
    let body = "typedef char3 other; float8 v = 1; int n = 0; const other *q = 0;
        p[0] = vec_step(int); p[1] = vec_step(other); p[2] = vec_step(const ushort16); p[3] = vec_step(v);
        p[4] = vec_step(v.xy); p[5] = vec_step(int2) * vec_step(double4); p[6] = vec_step(n++ + v.lo); p[7] = n;
        p[8] = vec_step(*q) + sizeof(int[vec_step(other)]);";
    let text = format!(
        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n__kernel void k(__global int *p) {{ {body} }}"
    );
    let (ptx, _) = valid(&text, "sm_20");
    let made = run(&ptx, "sm_20", "k", ((1, 1), (1, 1)), 0, &[ints(&[9; 9])]).expect("it runs");
    assert_eq!(as_ints(&made[0]), [1, 4, 16, 8, 2, 8, 4, 0, 20]);
}

#[test]
fn operators_work_on_elements() {
    assert_eq!(several("int2 v = (int2)(5, -3) * 2 - (int2)(1, 1); vstore2(v, 0, p);", 2), [9, -7]);
    assert_eq!(several("int2 v = (int2)(5, -3) > 0; vstore2(v, 0, p);", 2), [-1, 0]);
    assert_eq!(several("int2 v = !(int2)(5, 0); vstore2(v, 0, p); vstore2(~v, 1, p);", 4), [0, -1, -1, 0]);
    assert_eq!(several("int2 v = (int2)(5, 0) && (int2)(1, 1); vstore2(v, 0, p);", 2), [-1, 0]);
    assert_eq!(
        several("float2 f = (float2)(1.5f, -2.5f); vstore2(f < 0.0f ? (int2)(1, 2) : 7, 0, p);", 2),
        [7, 2]
    );
    assert_eq!(
        several("int2 v = (int2)(1, 2); int2 o = v++; ++v; v <<= 2; vstore2(v, 0, p); vstore2(o, 1, p);", 4),
        [12, 16, 1, 2]
    );
    // Elements have their own width, and shifts use the lowest bits of the count.
    assert_eq!(integer("uchar2 v = (uchar2)(200, 1); v += (uchar)100; p[0] = v.x;"), 44);
    assert_eq!(integer("char2 v = (char2)(1, 1) << (char2)(9, 0); p[0] = v.x;"), 2);
    assert_eq!(integer("int n = 33 + p[0]; p[0] = 1 << n;"), 2);
    assert_eq!(integer("int4 v = 3; v.y *= 5; p[0] = v.x + v.y;"), 18);
    // The second operand is not evaluated: numbers have C's operators.
    assert_eq!(integer("int n = 0; int r = n && n++; p[0] = n * 10 + r;"), 0);
}

#[test]
fn literals_and_lists_make_vectors() {
    assert_eq!(several("vstore4((int4)((int2)(1, 2), 3, 4), 0, p);", 4), [1, 2, 3, 4]);
    assert_eq!(several("vstore4((int4)(7), 0, p);", 4), [7, 7, 7, 7]);
    assert_eq!(
        several(
            "int4 v = {1, 2, 3, 4}; int2 a[2] = {(int2)(5, 6), (int2)7}; vstore4(v, 0, p); vstore2(a[1], 2, p);",
            6
        ),
        [1, 2, 3, 4, 7, 7]
    );
    let head = "__constant int2 t[2] = {(int2)(1, 2), (int2)(3, 4)}; constant int n = 3;
        typedef struct { float4 f; int2 i; uchar3 c; } pair;";
    assert_eq!(
        integers(head, "int a[n]; a[i] = t[1].y; p[0] = a[i]; p[1] = sizeof(pair);", 1, &[0; 2]),
        [4, 32]
    );
    // Without `double`, a number without suffix is a float; the comma operator still exists.
    assert_eq!(
        several("p[0] = sizeof(1.0); p[1] = (int)(1, 2); p[2] = sizeof(size_t); p[3] = sizeof(long);", 4),
        [4, 2, 4, 8]
    );
}

#[test]
fn conversions_saturate_and_round() {
    assert_eq!(
        several("vstore4(convert_int4(convert_uchar4_sat((float4)(300.0f, -5.0f, 2.6f, 2.4f))), 0, p);", 4),
        [255, 0, 2, 2]
    );
    assert_eq!(
        several("vstore4(convert_int4_rte((float4)(0.5f, 1.5f, -2.5f, 3.7f)), 0, p);", 4),
        [0, 2, -2, 4]
    );
    assert_eq!(
        several("vstore4(convert_int4_rtp((float4)(0.5f, 1.5f, -2.5f, 3.7f)), 0, p);", 4),
        [1, 2, -2, 4]
    );
    assert_eq!(
        several("vstore4(convert_int4_rtn((float4)(0.5f, 1.5f, -2.5f, 3.7f)), 0, p);", 4),
        [0, 1, -3, 3]
    );
    assert_eq!(integer("p[0] = convert_char_sat(200) + convert_char_sat(-200L);"), -1);
    assert_eq!(integer("p[0] = convert_uint_sat(-1) + convert_int_sat(3000000000u) / 0x40000000;"), 1);
    assert_eq!(integer("p[0] = as_int(convert_float_rtz(16777217)) == as_int(16777216.0f);"), 1);
    assert_eq!(integer("p[0] = as_int(convert_float_rtp(16777217)) == as_int(16777218.0f);"), 1);
    assert_eq!(
        several("vstore2(as_int2(as_uchar8(0x0807060504030201L)), 0, p);", 2),
        [0x0403_0201, 0x0807_0605]
    );
    assert_eq!(integer("p[0] = as_int((char4)(1, 2, 3, 4));"), 0x0403_0201);
    assert_eq!(integer("p[0] = as_int(as_float(0x3f800000) + 1.0f);"), 0x4000_0000);
}

#[test]
fn functions_of_integers() {
    assert_eq!(integer("p[0] = abs((char)-128) + abs_diff(-2147483647 - 1, 2147483647);"), 127);
    assert_eq!(integer("p[0] = add_sat(2000000000, 2000000000) == 0x7fffffff && sub_sat(5u, 6u) == 0;"), 1);
    assert_eq!(
        integer("p[0] = hadd((uchar)255, (uchar)254) * 1000 + rhadd((uchar)255, (uchar)254);"),
        254_255
    );
    assert_eq!(integer("p[0] = clz((char)1) * 100 + clz(1L);"), 763);
    assert_eq!(integer("p[0] = mul_hi((short)-30000, (short)30000) + mul_hi(0x40000000, 8);"), -13_733 + 2);
    assert_eq!(integer("p[0] = rotate((uchar)0x81, (uchar)1) + rotate(1, 33);"), 5);
    assert_eq!(integer("p[0] = upsample((short)-1, (ushort)2);"), -65_534);
    assert_eq!(integer("p[0] = mad24(1000, 1000, 5) + mul24(3, 4);"), 1_000_017);
    assert_eq!(integer("p[0] = mad_sat(0x7fffffff, 2, 0) == 0x7fffffff && mad_sat(-5L, 6L, 7L) == -23L;"), 1);
    assert_eq!(
        several("vstore2(clamp((int2)(-5, 9), 0, 5), 0, p); vstore2(max((int2)(1, 7), 3), 1, p);", 4),
        [0, 5, 3, 7]
    );
    assert_eq!(integer("p[0] = any((int2)(0, -1)) * 100 + all((int2)(0, -1)) * 10 + any(-1);"), 101);
    assert_eq!(
        several(
            "vstore2(select((int2)(1, 2), (int2)(3, 4), (int2)(-1, 1)), 0, p); p[2] = select(1, 2, 4);",
            3
        ),
        [3, 2, 2]
    );
    assert_eq!(integer("p[0] = bitselect(0x0f0f, 0x1234, 0xff00);"), 0x120f);
    assert_eq!(several("vstore4(shuffle((int2)(5, 6), (uint4)(1, 0, 3, 1)), 0, p);", 4), [6, 5, 6, 6]);
}

#[test]
fn functions_of_floats() {
    let text = "__kernel void k(__global float *p, __global int *q) {
        float4 a = vload4(0, p);
        float whole; int e;
        p[0] = dot(a, (float4)(1, 1, 1, 1));
        p[1] = length((float3)(3e30f, 4e30f, 0));
        vstore3(cross((float3)(1, 0, 0), (float3)(0, 1, 0)), 0, p + 2);
        p[5] = mix(1.0f, 3.0f, 0.5f) + step(2.0f, 1.0f) + smoothstep(0.0f, 1.0f, 0.5f) + sign(-2.0f);
        p[6] = fract(2.75f, &whole) + whole;
        p[7] = frexp(8.0f, &e) + e;
        p[8] = fma(16777217.0f, 1.0f, -1.0f);
        vstore2(normalize((float2)(3, 4)), 0, p + 9);
        p[11] = maxmag(-3.0f, 2.0f) + minmag(-3.0f, 2.0f);
        p[12] = fma(1.00000012f, 1.00000012f, -1.00000024f);
        p[13] = pown(2.0f, -2) + rootn(8.0f, 3) + powr(2.0f, 3.0f);
        q[0] = isnan(as_float(0x7fc00000)) + isinf(INFINITY) * 2 + isfinite(1.0f) * 4 + signbit(-0.0f) * 8;
        int2 l = isless((float2)(1, 2), (float2)(2, 1));
        q[1] = l.x * 10 + l.y; q[2] = ilogb(8.0f); q[3] = isgreater(2.0f, 1.0f);
    }";
    for target in ["sm_10", "sm_13", "sm_20"] {
        let (ptx, _) = valid(text, target);
        let made = run(
            &ptx,
            target,
            "k",
            ((1, 1), (1, 1)),
            0,
            &[floats(&[1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]), ints(&[0; 4])],
        )
        .expect("it runs");
        let expected =
            [10.0, 5e30, 0.0, 0.0, 1.0, 1.5, 2.75, 4.5, 16_777_215.0, 0.6, 0.8, -1.0, 1.421_085_5e-14, 10.25];
        let found = as_floats(&made[0]);
        for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!(
                (found - expected).abs() <= 1e-6 * expected.abs(),
                "{target}, p[{at}]: {found}, not {expected}"
            );
        }
        assert_eq!(as_ints(&made[1]), [15, -10, 3, 1], "{target}");
    }
}

#[test]
fn halves_are_stored_with_a_rounding() {
    let bits = |function: &str, value: &str| {
        integer(&format!("{function}({value}, 0, (__global half *)p); p[0] &= 0xffff;"))
    };
    // 1 + 2^-11 is between 1 and 1 + 2^-10.
    let between = "1.00048828125f";
    assert_eq!(bits("vstore_half", between), 0x3c00);
    assert_eq!(bits("vstore_half_rtp", between), 0x3c01);
    assert_eq!(bits("vstore_half_rtn", between), 0x3c00);
    assert_eq!(bits("vstore_half_rtz", "-1.0009f"), 0xbc00);
    assert_eq!(bits("vstore_half_rtn", "-1.0009f"), 0xbc01);
    assert_eq!(bits("vstore_half_rtz", "100000.0f"), 0x7bff);
    assert_eq!(integer("p[0] = 0x4200; p[0] = vload_half(0, (__global half *)p);"), 3);
    assert_eq!(
        several(
            "vstorea_half3((float3)(1, 2, 3), 1, (__global half *)p); p[0] = vloada_half3(1, (__global half *)p).z;",
            1
        ),
        [3]
    );
}

#[test]
fn memories_are_parts_of_types() {
    let text = "float sum(__local const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) s += t[i]; return s; }
        kernel void k(global float *out, local float *tile, constant float *weights, int n) {
            __local float more[4];
            int i = get_local_id(0);
            private float x = weights[i];
            float *q = &x;
            tile[i] = *q * 2;
            more[i] = 1;
            barrier(CLK_LOCAL_MEM_FENCE);
            local float *both = i == 0 ? tile : more;
            out[i] = sum(both, n);
        }";
    for target in ["sm_10", "sm_13", "sm_20"] {
        let (ptx, entries) = valid(text, target);
        let kinds: Vec<ParameterKind> = entries[0].parameters.iter().map(|one| one.kind).collect();
        assert_eq!(
            kinds,
            [ParameterKind::Global, ParameterKind::Local(4), ParameterKind::Constant, ParameterKind::Value]
        );
        assert_eq!(entries[0].shared_bytes, 16);
        assert!(ptx.contains(".ptr .shared .align 4 tile") && ptx.contains("ld.const.f32"), "{ptx}");
    }
}

#[test]
fn atomic_functions_change_both_memories() {
    let text = "__kernel void k(__global int *p) {
        __local int n;
        if (get_local_id(0) == 0) n = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_inc(&n);
        atomic_add(p, 2);
        atom_max(p + 1, (int)get_local_id(0));
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0) { p[2] = n; p[3] = atomic_cmpxchg(p + 4, 0, 7); }
    }";
    let (ptx, _) = valid(text, "sm_20");
    let made = run(&ptx, "sm_20", "k", ((1, 1), (32, 1)), 0, &[ints(&[0; 5])]).expect("it runs");
    assert_eq!(as_ints(&made[0]), [64, 31, 32, 0, 7]);
}

/// The pointer selects the function, and the value converts to its type.
#[test]
fn atomic_functions_convert_their_values() {
    let text = "__kernel void k(__global uint *p, __global int *q) {
        p[0] = atomic_add(p + 1, 2) + atom_xchg(p + 2, -1) + atomic_cmpxchg(p + 3, 0, 7);
        q[0] = atomic_max(q + 1, sizeof(int)) + atomic_or(q + 2, 1u);
    }";
    let (ptx, _) = valid(text, "sm_20");
    let made = run(&ptx, "sm_20", "k", ((1, 1), (1, 1)), 0, &[ints(&[0; 4]), ints(&[0; 3])]);
    let made = made.expect("it runs");
    assert_eq!(as_ints(&made[0]), [0, 2, -1, 7]);
    assert_eq!(as_ints(&made[1]), [0, 4, 1]);
}

/// `-cl-fast-relaxed-math` does not exclude negative bases.
#[test]
fn relaxed_powers_of_negative_numbers_are_numbers() {
    let text = "__kernel void k(__global float *p) {
        p[0] = pow(p[0], 2); p[1] = pow(p[1], 3); p[2] = pow(p[2], 0.5f); p[3] = pow(p[3], 0);
    }";
    let ptx = compile_with(text, "sm_20", Options::fast_math).ptx.expect("a valid program");
    let made = run(&ptx, "sm_20", "k", ((1, 1), (1, 1)), 0, &[floats(&[-3.0, -2.0, -4.0, 0.0])]);
    let made = as_floats(&made.expect("it runs")[0]);
    assert!((made[0] - 9.0).abs() < 1e-4 && (made[1] + 8.0).abs() < 1e-4, "{made:?}");
    assert!(made[2].is_nan() && made[3].to_bits() == 1.0f32.to_bits(), "{made:?}");
}

#[test]
fn work_groups_copy_together() {
    let body = "__local int2 t[32]; __global int2 *q = (__global int2 *)p;
        event_t e = async_work_group_copy(t, q, 32, 0); wait_group_events(1, &e);
        int2 mine = t[31 - i]; barrier(CLK_LOCAL_MEM_FENCE); q[i] = mine;";
    let before: Vec<i32> = (0..64).collect();
    let after = integers("", body, 32, &before);
    assert_eq!(after[..4], [62, 63, 60, 61]);
}

#[test]
fn a_kernel_calls_a_kernel() {
    let head = "__kernel void first(__global int *q, int n) { q[0] += n; }";
    assert_eq!(integers(head, "first(p, 3); first(p + 1, 4);", 1, &[1, 1]), [4, 5]);
}

#[test]
fn names_of_cpp_and_cuda_are_names() {
    let head = "int sqrtf(int x) { return x + 1; } int threadIdx(int x) { return x * 2; }
        typedef struct { int this, new, class; } template;";
    let body =
        "template private_ = {1, 2, 3}; int operator = sqrtf(private_.new); p[0] = threadIdx(operator);";
    assert_eq!(integers(head, body, 1, &[0]), [6]);
}

#[test]
fn doubles_exist_with_their_extension() {
    let text = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable
        __kernel void k(__global double2 *p) { p[0] = sqrt(p[0] * 2.0 + (double2)(0.1, 0)); }";
    let (ptx, _) = valid(text, "sm_13");
    let bytes: Vec<u8> = [1.0f64, 8.0].iter().flat_map(|one| one.to_le_bytes()).collect();
    let made = run(&ptx, "sm_13", "k", ((1, 1), (1, 1)), 0, &[Argument::Buffer(bytes)]).expect("it runs");
    let value = |at: usize| f64::from_le_bytes(made[0][at * 8..at * 8 + 8].try_into().expect("eight bytes"));
    assert!((value(0) - 2.1f64.sqrt()).abs() < 1e-15 && (value(1) - 4.0).abs() < 1e-15);
}

#[test]
fn operators_have_the_types_of_c() {
    let sizes = [
        ("c ? c : c", 4),
        ("c < 1", 4),
        ("c && c", 4),
        ("!c", 4),
        ("'a'", 4),
        ("-c", 4),
        ("c = c", 1),
        ("c++", 1),
        ("c, c", 1),
        ("(bool)c", 1),
        ("v < v", 4),
        ("c ? v : v", 4),
    ];
    let writes: Vec<String> =
        sizes.iter().enumerate().map(|(at, (text, _))| format!("p[{at}] = sizeof({text});")).collect();
    let body = format!("char c = 1; char4 v = 0; {}", writes.concat());
    assert_eq!(several(&body, sizes.len()), sizes.map(|(_, size)| size));
    assert_eq!(integer("p[0] = max(p[0] < 1, -1) + (abs(p[0] > 0) < 2) + !p[0];"), 3);
}
