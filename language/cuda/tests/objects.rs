//! Objects of classes in kernels: constructors, copies, destructors, `new` and `delete`.

#[path = "common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{as_ints, compile, ints, run};

const PROGRAM: &str = include_str!("programs/objects.cu");

/// Runs a kernel of one thread on every target from one on, without and with the optimizer.
fn check(entry: &str, least: &str, expected: &[i32]) {
    for target in ["sm_10", "sm_13", "sm_20"].iter().filter(|target| **target >= least) {
        for level in [0, 3] {
            let ptx = compile(PROGRAM, target, level).unwrap_or_else(|why| panic!("{target}: {why}"));
            let zeros = ints(&vec![0; expected.len()]);
            let buffers = run(&ptx, target, entry, ((1, 1), (1, 1)), 0, &[zeros]);
            let buffers = buffers.unwrap_or_else(|why| panic!("{target} -O{level} {entry}: {why}"));
            assert_eq!(as_ints(&buffers[0]), expected, "{target} -O{level} {entry}");
        }
    }
}

#[test]
fn objects_end_with_their_scope_in_reverse_order() {
    check("ends", "sm_10", &[21, 21, 43, 78, 65, 9, 9, 32221, 322, 21, 2, 321, 54, 6, 6, 0]);
}

#[test]
fn copies_and_assignments_are_calls() {
    check("copies", "sm_10", &[2111, 3021, 2111, 2002, 1001, 4004, 2007, 21]);
}

#[test]
fn objects_are_allocated_in_device_code() {
    check("allocated", "sm_20", &[34, 7, 0, 4, 2, 9, 23]);
}

/// An unused destructor leaves no code.
#[test]
fn a_flag_that_is_known_leaves_no_code() {
    let text = "struct G { int *p; __device__ ~G() { *p = 1; } };\n\
                __global__ void k(int *out) { G g; g.p = out; }";
    let ptx = compile(text, "sm_20", 3).expect("it compiles");
    assert!(!ptx.contains("setp") && !ptx.contains(".local") && !ptx.contains("bra"), "{ptx}");
}

#[test]
fn what_no_scope_can_destroy_is_refused_by_name() {
    let class = "struct G { int *p; __device__ G(int *q = 0) : p(q) {} __device__ ~G() { *p = 1; } };\n\
                 struct H { int *p; ~H() { *p = 1; } };\n";
    for (text, because) in [
        ("__device__ G g;\n__global__ void k(int *out) { g.p = out; }", "cannot have a destructor"),
        ("__global__ void k(int *out) { __shared__ G g; }", "`__shared__`"),
        (
            "__global__ void k(int *out) { int n = 0; again: { G g(out); if (n++ < 3) goto again; } }",
            "`goto` in a function with destructors",
        ),
        ("__global__ void k(int *out) { H h; h.p = out; }", "cannot call host function `H::~H`"),
    ] {
        let message = compile(&format!("{class}{text}"), "sm_20", 3).expect_err(text);
        assert!(message.contains("error") && message.contains(because), "{text}: {message}");
    }
    for (body, because) in [
        ("G *g = new G(out); delete g;", "`new` needs sm_20"),
        ("int *list = new int[3];", "`new` needs sm_20"),
        ("delete out;", "`delete` needs sm_20"),
    ] {
        let text = format!("{class}__global__ void k(int *out) {{ {body} }}");
        let message = compile(&text, "sm_13", 3).expect_err(body);
        assert!(message.contains(because), "{body}: {message}");
    }
}
