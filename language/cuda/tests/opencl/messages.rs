//! What is refused, and how.

use crate::{compile, messages};

/// Whether a program is refused with a text.
fn refused(program: &str, expected: &str) {
    let compiled = compile(program, "sm_20");
    let found = compiled.messages();
    assert!(compiled.ptx.is_none(), "accepted: {program}");
    assert!(found.contains(expected), "expected `{expected}` in:\n{found}");
}

/// A kernel with statements, where `p` points to integers and `f` to vectors.
fn kernel(body: &str) -> String {
    format!("__kernel void k(__global int *p, __global float4 *f) {{ {body} }}")
}

#[test]
fn what_is_not_in_the_language_is_refused_by_name() {
    refused(
        "int f(int n) { return f(n); } __kernel void k(__global int *p) { p[0] = f(1); }",
        "does not have recursion",
    );
    refused(&kernel("int a[p[0]];"), "the length of an array must be a constant");
    refused(
        "int f(int n); __kernel void k(__global int *p) { int (*q)(int) = f; }",
        "does not have pointers to functions",
    );
    refused(
        "struct s { int a : 3; }; __kernel void k(__global int *p) { struct s x; }",
        "does not have bit fields",
    );
    refused("int f(int x) { return 1; } float f(float x) { return 1; }", "defined twice");
    refused(&kernel("static int n;"), "does not have `static` or `extern` variables");
    refused(&kernel("long long n;"), "does not have `long long`");
    refused(&kernel("p[0] = threadIdx.x;"), "OpenCL C writes `get_local_id(0)`");
    refused(&kernel("p[0] = sqrtf(1.0f);"), "did you mean `sqrt`?");
    refused(&kernel("f[0].x = native_rsqr(f[1].x);"), "did you mean `native_rsqrt`?");
}

#[test]
fn memories_do_not_mix() {
    refused(
        &kernel("__local int t[2]; __global int *q = t;"),
        "a pointer to `__local` memory is no pointer to `__global` memory",
    );
    refused(&kernel("int *q = p;"), "a pointer to `__global` memory is no pointer to `__private` memory");
    refused(
        &kernel("__local int t[2]; p = (__global int *)t;"),
        "cannot be cast to a pointer to `__global` memory",
    );
    refused(&kernel("__global __local int *q;"), "cannot be in `__global` and `__local` memory");
    refused(
        "void f() { __local int n; } __kernel void k() { f(); }",
        "only kernels have `__local` variables",
    );
    refused("int n = 3; __kernel void k() {}", "write `__constant` in front of the type");
    refused("__constant int n[2] = {1, 2}; __kernel void k() { n[0] = 1; }", "cannot be changed");
    refused("__kernel void k(__constant int *n) { n[0] = 1; }", "`__constant` memory cannot be changed");
    refused(&kernel("__local int n = 3;"), "barrier(CLK_LOCAL_MEM_FENCE)");
}

#[test]
fn kernels_take_what_a_host_can_pass() {
    refused("__kernel void k(int *p) {}", "write `__global`, `__constant` or `__local`");
    refused("__kernel void k(__global int **p) {}", "the host cannot pass pointers in memory");
    refused("__kernel void k(bool b) {}", "its size depends on the host");
    refused("__kernel void k(half h) {}", "cannot have a parameter of type `half`");
    refused("__kernel int k() { return 1; }", "a kernel must return `void`");
    refused("__kernel __attribute__((reqd_work_group_size(8, 8))) void k() {}", "takes three numbers");
}

#[test]
fn vectors_are_checked() {
    refused(&kernel("f[0] = f[1] + convert_int4(f[1]);"), "does not take `__global float4` and `int4`");
    refused(&kernel("int4 v = f[0];"), "convert each element with `convert_int4(...)`");
    refused(&kernel("if (f[0] > f[1]) p[0] = 1;"), "`int4` is not a condition");
    refused(&kernel("float3 v = (float3)(1, 2);"), "is made from 3 elements, but 2 are given");
    refused(&kernel("f[0].xx = (float2)(1, 2);"), "cannot be assigned twice");
    refused(&kernel("f[0].q = 1;"), "its elements are xyzw; also .lo, .hi, .even and .odd");
    refused(&kernel("float *q = &f[0].x;"), "an element of a vector has no address");
    refused(&kernel("f[0] %= 2;"), "operator `%`");
    refused(&kernel("printf(\"%f\", f[0]);"), "`%v4f`");
    refused(&kernel("p[0] = dot(1.0f, f[0]);"), "`dot` does not take");
}

#[test]
fn doubles_need_a_chip_and_a_pragma() {
    let disabled = "#pragma OPENCL EXTENSION cl_khr_fp64 : disable\n";
    refused(&format!("{disabled}__kernel void k(__global double *p) {{}}"), "cl_khr_fp64 : enable");
    // Programs for OpenCL 1.2 have no pragma. Their numbers are `double`, too.
    let without = "__kernel void k(__global double2 *p) { p[0] = p[1] + 0.1; }";
    let compiled = compile(without, "sm_13");
    assert!(compiled.messages().contains("compilers of OpenCL 1.1 refuse it"), "{}", compiled.messages());
    assert!(compiled.ptx.is_some_and(|ptx| ptx.contains("add.f64") && !ptx.contains("f32")));
    assert!(compile(without, "sm_12").messages().contains("needs sm_13"));
    let text = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n__kernel void k(__global double *p) {}";
    assert!(compile(text, "sm_13").ptx.is_some());
    let older = compile(text, "sm_12").messages();
    assert!(older.contains("is not supported on sm_12") && older.contains("needs sm_13"), "{older}");
}

#[test]
fn what_has_no_effect_is_named() {
    assert!(
        messages("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n__kernel void k() {}")
            .contains("cl_khr_fp16")
    );
    assert!(
        messages("__attribute__((weird)) __kernel void k() {}").contains("attribute `weird` has no effect")
    );
    let text = "__attribute__((noinline)) int w(image2d_t i) { return get_image_width(i); }
        __kernel void k(image2d_t i, __global int *p) { p[0] = w(i); }";
    assert!(messages(text).contains("`noinline` has no effect"));
    let text = "__kernel void k(__global int *p, __global float *f) { p = f; }";
    assert!(messages(text).contains("becomes `__global int *` without a cast"));
}
