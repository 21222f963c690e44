//! Messages for mistakes of beginners: they name the mistake, its line, and what helps.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{Run, Setup, checked, run, timed};
use sim_core::check::Checks;

/// Runs a program on a chip; what it must print on standard error, and what it must not.
fn explains(chip: &str, text: &str, parts: &[&str], never: &[&str]) {
    let run = run("test.cu", text, chip, &[]);
    let Run { err, .. } = &run;
    let words = err.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in parts {
        assert!(words.contains(part), "`{part}` is missing in\n{err}");
    }
    for part in never {
        assert!(!words.contains(part), "`{part}` is in\n{err}");
    }
}

#[test]
fn dynamic_shared_memory_is_the_third_value_of_a_launch() {
    let program = |launch: &str| {
        format!(
            "__global__ void k(int *o) {{ extern __shared__ int s[]; s[threadIdx.x] = 1; __syncthreads(); \
             o[threadIdx.x] = s[31 - threadIdx.x]; }}\n\
             int main() {{ int *d; cudaMalloc(&d, 128); k<<<{launch}>>>(d); cudaDeviceSynchronize(); }}"
        )
    };
    let index = "compare the index with the number of elements before";
    explains(
        "fermi",
        &program("1, 32"),
        &["third value in `<<<blocks, threads, bytes>>>`", "gives no dynamic"],
        &[index],
    );
    explains("fermi", &program("1, 32, 64"), &["the 64 bytes of dynamic shared memory", "third value"], &[]);
    explains("fermi", &program("1, 32, 128"), &[], &["error"]);
}

#[test]
fn a_null_pointer_has_the_name_of_its_parameter() {
    let program = |index: &str| {
        format!(
            "__global__ void k(int n, float *a, float *sums) {{ if (n) sums[{index}] = a[threadIdx.x]; }}\n\
             int main() {{ float *a, *b = 0; cudaMalloc(&a, 16); k<<<1, 4>>>(1, a, b); \
             cudaDeviceSynchronize(); }}"
        )
    };
    for index in ["threadIdx.x", "threadIdx.x + 100"] {
        let parts = ["parameter `sums` is a null pointer: was cudaMalloc called", "kernel `k`,"];
        explains("fermi", &program(index), &parts, &["compare the index", "_Z1k"]);
    }
}

#[test]
fn the_buffer_of_an_access_is_that_of_its_pointer() {
    let program = |index: &str| {
        format!(
            "__global__ void k(float *first, float *second) {{ first[{index}] = second[0]; }}\n\
             int main() {{ float *a, *b; cudaMalloc(&a, 1024); cudaMalloc(&b, 1024); k<<<1, 1>>>(a, b); \
             cudaDeviceSynchronize(); }}"
        )
    };
    explains(
        "fermi",
        &program("256"),
        &["parameter `first` points to the allocation", "directly behind its end"],
        &["0 bytes past", "nearest"],
    );
    // Behind the second buffer.
    explains(
        "g80",
        &program("600"),
        &["parameter `first` points to the allocation", "1376 bytes past its end"],
        &[],
    );
    explains(
        "fermi",
        &program("-1"),
        &["parameter `first` points to the allocation", "4 bytes before its start"],
        &[],
    );
}

#[test]
fn an_access_to_freed_memory_says_so() {
    let text = "__global__ void k(float *a) { a[threadIdx.x] = 1; }\n\
                int main() { float *a, *b; cudaMalloc(&a, 1024); cudaMalloc(&b, 1024); cudaFree(a); \
                k<<<1, 32>>>(a); cudaDeviceSynchronize(); }";
    let parts = ["which the host has freed", "free the allocation after the last launch that uses it"];
    explains("fermi", text, &parts, &["compare the index"]);
}

#[test]
fn a_copy_to_a_variable_of_the_device_names_the_right_call() {
    let program = |call: &str| {
        format!(
            "__constant__ float c[4];\n__device__ int total;\n\
             __global__ void k(float *o) {{ o[0] = c[0] + total; }}\n\
             int main() {{ float h[4] = {{1}}; int n = 0; {call} float *d; cudaMalloc(&d, 4); k<<<1, 1>>>(d); }}"
        )
    };
    let to = program("cudaMemcpy(c, h, sizeof(h), cudaMemcpyHostToDevice);");
    explains("fermi", &to, &["variable `c` of the device", "use cudaMemcpyToSymbol", "at test.cu:4:"], &[]);
    let part = program("cudaMemcpy(c + 2, h, 8, cudaMemcpyHostToDevice);");
    explains("fermi", &part, &["variable `c` of the device"], &[]);
    let from = program("cudaMemcpy(&n, &total, 4, cudaMemcpyDeviceToHost);");
    explains("fermi", &from, &["variable `total` of the device", "use cudaMemcpyFromSymbol"], &[]);
}

#[test]
fn a_refused_launch_has_its_line_and_the_name_in_cuda_c() {
    let text = "__global__ void a(int *p) { p[threadIdx.x] = 1; }\nint main() {\n    int *d;\n    \
                cudaMalloc(&d, 16384);\n    a<<<1, 512>>>(d);\n    a<<<1, 2048>>>(d);\n    a<<<1, 1024>>>(d);\n    \
                a<<<1, 2048>>>(d);\n    a<<<70000, 32>>>(d);\n}\n";
    let parts = [
        "launch of `a` refused: the number of threads per block is 2048",
        "at test.cu:6: a<<<1, 2048>>>(d);",
        "at test.cu:8: a<<<1, 2048>>>(d);",
        "grid x is 70000",
        "use a two-dimensional grid",
        "`--set limits.grid.0=70000`",
    ];
    explains("fermi", text, &parts, &["_Z1a"]);
}

/// A program whose kernel compares indices with its parameters `rows` and `columns`.
fn hints(body: &str, grid: &str, arguments: &str) -> Vec<String> {
    let text = format!(
        "__global__ void fill(float *a, int rows, int columns, int value) {{\n\
         int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;\n{body}\n}}\n\
         int main() {{ float *d; cudaMalloc(&d, 40000); fill<<<{grid}>>>(d, {arguments}); cudaFree(d); }}"
    );
    run("test.cu", &text, "fermi", &[]).hints
}

#[test]
fn a_hint_about_a_count_needs_the_comparison_with_its_index() {
    let both = "if (r < rows && c < columns) a[r * columns + c] = 1;";
    assert_eq!(hints(both, "dim3(4, 5), dim3(16, 16)", "70, 50, 0"), [""; 0], "the program is right");
    assert_eq!(hints(both, "dim3(4, 5), dim3(16, 16)", "70, 64, 70"), [""; 0], "a value");
    for early in [both, "if (r >= rows || c >= columns) return; a[r * columns + c] = 1;"] {
        let found = hints(early, "dim3(4, 4), dim3(16, 16)", "70, 50, 0");
        assert!(found.len() == 1 && found[0].contains("its argument rows, which is 70"), "{found:?}");
        assert!(found[0].contains("the last 6 have no thread"), "{found:?}");
        let found = hints(early, "dim3(3, 5), dim3(16, 16)", "70, 50, 0");
        assert!(found.len() == 1 && found[0].contains("argument columns, which is 50"), "{found:?}");
    }
    let stride = "for (int i = c; i < columns; i += gridDim.x * blockDim.x) a[i] = value;";
    assert_eq!(hints(stride, "3, 16", "1, 50, 50"), [""; 0], "a loop over the grid");
    let value = "a[c] = value + rows;";
    assert_eq!(hints(value, "3, 16", "50, 50, 50"), [""; 0], "no comparison");
    let inner = "for (int i = 0; i < columns; i++) if (c < rows) a[c] += i;";
    assert_eq!(hints(inner, "3, 16", "48, 50, 0"), [""; 0], "the counter of a loop");
}

#[test]
fn a_copy_to_the_host_of_bytes_that_nothing_wrote_is_a_finding() {
    let program = |call: &str| {
        format!(
            "__global__ void k(int *o) {{ o[threadIdx.x] = 7; }}\n\
             int main() {{ int h[4] = {{0}}, *d; cudaMalloc(&d, 16); {call}\n\
             cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost); cudaFree(d); }}"
        )
    };
    let checked = |call: &str| {
        let (run, _) = checked("test.cu", &program(call), "fermi", Checks::ALL, Setup::default());
        run.err
    };
    let found = checked("");
    let message =
        "error[unwritten_copy]: a copy to the host reads 4 elements of `d`, which nothing has written";
    assert!(found.contains(message), "{found}");
    assert!(found.contains("at test.cu:3: cudaMemcpy(h, d, 16"), "{found}");
    for writes in
        ["cudaMemset(d, 0, 16);", "cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice);", "k<<<1, 4>>>(d);"]
    {
        assert_eq!(checked(writes), "");
    }
    assert_eq!(run("test.cu", &program(""), "fermi", &[]).err, "", "without checkers");
}

/// The time in `printf` is that of the line that calls it, not that of a declaration in PTX.
#[test]
fn the_longest_line_of_a_launch_that_prints_is_one_of_the_program() {
    let text = "#include <cstdio>\n__global__ void flood() {\n    \
                printf(\"thread %d\\n\", threadIdx.x);\n}\nint main() { flood<<<4, 64>>>(); cudaDeviceSynchronize(); }";
    let run = timed("test.cu", text, "fermi");
    assert!(run.report.contains("test.cu:3 printf(\"thread %d"), "{}", run.report);
    assert!(!run.report.contains(".ptx"), "{}", run.report);
}
