//! Kernels from templates whose arguments only host code knows, in files without a `main`.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

const TEMPLATE: &str = "
template <class F> __global__ void apply(F f, float *x) { x[threadIdx.x] = f(x[threadIdx.x]); }
struct Square { __device__ float operator()(float x) const { return x * x; } };
";

/// The number of kernels of a file whose function `start` launches some.
fn kernels(more: &str, launches: &str) -> Result<usize, String> {
    let text = format!("{TEMPLATE}{more}\nvoid start(float *x) {{ {launches} }}\n");
    common::compile(&text, "sm_20", 3).map(|ptx| ptx.matches(".entry ").count())
}

#[test]
fn arguments_of_launches_give_the_instances() {
    let lambda = "float a = 2; apply<<<1, 32>>>([=] __device__ (float y) { return a * y; }, x);";
    for (launches, expected) in [
        ("apply<<<1, 32>>>(Square(), x);", 1),
        (lambda, 1),
        (&*format!("apply<<<1, 32>>>(Square{{}}, x); {lambda}"), 2),
        ("", 0),
    ] {
        assert_eq!(kernels("", launches), Ok(expected), "{launches}");
    }
}

#[test]
fn errors_of_host_code_are_told_if_they_hide_all_kernels() {
    let wrong = "apply<<<1, 32>>>([&] __device__ (float y) { return y; }, x);";
    let messages = kernels("", wrong).expect_err("the capture is refused");
    assert!(messages.contains("cannot capture by reference"), "{messages}");
    // Other kernels of the file do not need the host code.
    assert_eq!(kernels("__global__ void plain(float *x) { x[0] = 1; }", wrong), Ok(1));
}
