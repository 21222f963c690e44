//! What the checkers find in the calls and accesses of host code: copies to the host of device
//! memory that nothing wrote, and accesses to memory that a device may still use.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{Setup, checked};
use sim_core::check::{Check, Checks};

/// Kernels of the tests.
const KERNELS: &str = "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n\
    struct Pair { char tag; double value; };\n\
    __device__ int zeros[8];\n\
    __device__ int ones[4] = {1, 1, 1, 1};\n\
    __global__ void fill(float *c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = i; }\n\
    __global__ void even(int *o) { o[2 * threadIdx.x] = 1; }\n\
    __global__ void pairs(Pair *p) { p[threadIdx.x].tag = 'a'; p[threadIdx.x].value = 1; }\n\
    __global__ void tags(Pair *p) { p[threadIdx.x].tag = 'a'; }\n\
    __global__ void fenced(int *o) { o[threadIdx.x] = 1; __threadfence_system(); o[32] = 1; }\n\
    __global__ void add(int *o) { o[threadIdx.x] += 1; }\n";

/// Runs `main` with a body of statements on a chip with checkers; returns its messages, and how it
/// ends.
fn on(chip: &str, checks: Checks, body: &str) -> (String, String) {
    // Chips of compute capability 1.x have no fence for the host.
    let own = |line: &&str| chip != "g80" || !line.contains("threadfence_system");
    let kernels: String = KERNELS.split_inclusive('\n').filter(own).collect();
    let text = format!("{kernels}int main() {{\n{body}\nreturn 0; }}\n");
    let (run, _) = checked("test.cu", &text, chip, checks, Setup::default());
    assert_eq!(run.code, 0, "{}{}", run.err, run.message);
    (run.err, run.report)
}

fn init(body: &str) -> String {
    on("fermi", Checks::NONE.and(Check::Init), body).0
}

fn race(body: &str) -> String {
    on("fermi", Checks::NONE.and(Check::Race), body).0
}

/// Asserts that a text has parts, in their order.
#[track_caller]
fn has(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some(at) = rest.find(part) else { panic!("`{part}` is missing in\n{text}") };
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn elements_without_a_thread_are_named_at_the_copy() {
    let found = init(
        "float *d_c, h[150]; cudaMalloc(&d_c, sizeof h);\n\
         fill<<<7, 10>>>(d_c, 150);\n\
         cudaMemcpy(h, d_c, sizeof h, cudaMemcpyDeviceToHost); cudaFree(d_c);",
    );
    has(
        &found,
        &[
            "error[unwritten_copy]: a copy to the host reads 80 of 150 elements of `d_c` that nothing has written",
            "\n  `d_c[70] ... d_c[149]` were never written: no thread had these indices",
            "\n  launch 1, of `fill` at test.cu:15, has 70 threads; `d_c` is its parameter `c`",
            "\nhelp: let a kernel or cudaMemset write these elements, or copy the other",
            "\n  at test.cu:16: cudaMemcpy(h, d_c, sizeof h",
        ],
    );
    assert_eq!(found.matches("error").count(), 1, "{found}");
}

#[test]
fn few_ranges_are_named_and_the_others_counted() {
    let found = init(
        "int *o, h[32]; cudaMalloc(&o, sizeof h); even<<<1, 16>>>(o);\n\
         for (int i = 0; i < 3; i++) cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);",
    );
    has(
        &found,
        &[
            "reads 16 of 32 elements of `o` that nothing has written",
            "\n  `o[1]`, `o[3]`, `o[5]` and 13 more were never written\n",
            "launch 1, of `even` at test.cu:14, has 16 threads; it has its parameter `o`",
        ],
    );
    assert_eq!(found.matches("error").count(), 1, "once for a line: {found}");
}

#[test]
fn a_buffer_without_a_kernel_has_the_type_of_its_variable() {
    let found = init(
        "void *d; int h[4]; cudaMalloc(&d, 16); cudaMemset(d, 0, 6);\n\
         cudaMemcpyAsync(h, d, 16, cudaMemcpyDeviceToHost, 0);",
    );
    has(&found, &["reads 10 of 16 bytes of `d` that nothing", "\n  bytes 6 to 15 were never written\n"]);
    let found = init("int *e, h[4]; cudaMalloc(&e, 16);\ncudaMemcpy(h, e, 16, cudaMemcpyDeviceToHost);");
    has(
        &found,
        &[
            "a copy to the host reads 4 elements of `e`, which nothing has written",
            "\nhelp: check that a kernel or a copy to the device writes them before, and the directions",
        ],
    );
}

#[test]
fn rows_of_a_copy_are_named() {
    let found = init(
        "float *d, h[4][100]; size_t pitch; cudaMallocPitch(&d, &pitch, 400, 4);\n\
         for (int r = 0; r < 3; r++) fill<<<9, 10>>>((float *)((char *)d + r * pitch), 90);\n\
         cudaMemcpy2D(h, 400, d, pitch, 400, 4, cudaMemcpyDeviceToHost);",
    );
    has(
        &found,
        &[
            "reads 130 of 400 elements of `d`",
            "\n  elements 90 to 99 of rows 0 to 2 and elements 0 to 99 of row 3 were never written\n",
        ],
    );
}

#[test]
fn padding_between_members_needs_no_value() {
    let program = |kernel: &str| {
        format!(
            "Pair *d, h[4]; cudaMalloc(&d, sizeof h); {kernel}<<<1, 3>>>(d); cudaMemset(d + 3, 0, sizeof *d);\n\
             cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);"
        )
    };
    assert_eq!(init(&program("pairs")), "");
    has(&init(&program("tags")), &["reads 3 of 4 elements of `d`", "\n  `d[0] ... d[2]` were never written"]);
}

#[test]
fn copies_within_the_device_pass_on_what_is_undefined() {
    let found = init(
        "int *a, *b, h[8]; cudaMalloc(&a, 32); cudaMalloc(&b, 32); cudaMemset(a, 1, 16); cudaMemset(b, 1, 32);\n\
         cudaMemcpy(b, a, 32, cudaMemcpyDeviceToDevice);\n\
         cudaMemcpyToSymbol(zeros, b, 32, 0, cudaMemcpyDeviceToDevice);\n\
         cudaMemcpyFromSymbol(h, zeros, 32);",
    );
    has(
        &found,
        &[
            "reads 4 of 8 elements of `zeros`",
            "\n  `zeros[4] ... zeros[7]` were never",
            "test.cu:17: cudaMemcpyFrom",
        ],
    );
    assert_eq!(found.matches("error").count(), 1, "copies within the device are no findings: {found}");
    let found = init(
        "int *a, *b, h[8]; cudaMalloc(&a, 32); cudaMalloc(&b, 32); cudaMemset(a, 1, 16);\n\
         cudaMemcpy(b, a, 32, cudaMemcpyDeviceToDevice); cudaMemset(b + 4, 0, 16);\n\
         cudaMemcpy(h, b, 32, cudaMemcpyDeviceToHost); add<<<1, 8>>>(b);",
    );
    assert_eq!(found, "");
}

#[test]
fn written_memory_is_copied_without_a_finding() {
    for (name, body) in [
        (
            "cudaMemset",
            "float *d, h[8]; cudaMalloc(&d, 32); cudaMemset(d, 0, 32); cudaMemcpy(h, d, 32, cudaMemcpyDeviceToHost);",
        ),
        (
            "a kernel",
            "float *d, h[8]; cudaMalloc(&d, 32); fill<<<1, 8>>>(d, 8); cudaMemcpy(h, d, 32, cudaMemcpyDeviceToHost);",
        ),
        (
            "in parts",
            "float *d, h[8] = {0}; cudaMalloc(&d, 32); fill<<<1, 4>>>(d, 4); \
             cudaMemcpy(d + 4, h, 16, cudaMemcpyHostToDevice); cudaMemcpy(h, d, 32, cudaMemcpyDeviceToHost);",
        ),
        (
            "a part",
            "float *d, h[8]; cudaMalloc(&d, 32); fill<<<1, 4>>>(d, 4); cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);",
        ),
        ("symbols", "int h[8]; cudaMemcpyFromSymbol(h, zeros, 32); cudaMemcpyFromSymbol(h, ones, 16);"),
        (
            "page-locked memory",
            "int *h, *g; cudaMallocHost(&h, 32); cudaMallocHost(&g, 32); cudaMemcpy(g, h, 32, cudaMemcpyHostToHost); \
             cudaFreeHost(h); cudaFreeHost(g);",
        ),
        (
            "mapped memory",
            "int *h, *d, g[8]; cudaHostAlloc(&h, 32, cudaHostAllocMapped); memset(h, 0, 32); \
             cudaHostGetDevicePointer(&d, h, 0); add<<<1, 8>>>(d); cudaDeviceSynchronize(); \
             cudaMemcpy(g, d, 32, cudaMemcpyDeviceToHost); cudaFreeHost(h);",
        ),
        (
            "managed memory",
            "int *m, h[8]; cudaMallocManaged(&m, 32); memset(m, 0, 32); add<<<1, 8>>>(m); cudaDeviceSynchronize(); \
             cudaMemcpy(h, m, 32, cudaMemcpyDefault); cudaFree(m);",
        ),
        (
            "an array",
            "cudaArray *a; cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(); float h[8] = {0}; \
             cudaMallocArray(&a, &f, 8); cudaMemcpyToArray(a, 0, 0, h, 32, cudaMemcpyHostToDevice); \
             cudaMemcpyFromArray(h, a, 0, 0, 32, cudaMemcpyDeviceToHost); cudaFreeArray(a);",
        ),
    ] {
        assert_eq!(init(body), "", "{name}");
        let (found, _) = on("fermi", Checks::ALL, body);
        assert_eq!(found, "", "{name}, with all checkers");
    }
}

#[test]
fn memory_that_is_allocated_again_is_undefined() {
    let found = init(
        "float *a, h[8]; cudaMalloc(&a, 32); fill<<<1, 8>>>(a, 8); cudaMemcpy(h, a, 32, cudaMemcpyDeviceToHost);\n\
         cudaFree(a); float *b; cudaMalloc(&b, 32); if (a != b) exit(5);\n\
         cudaMemcpy(h, b, 32, cudaMemcpyDeviceToHost);",
    );
    has(&found, &["reads 8 elements of `b`, which nothing has written", "test.cu:16"]);
    assert!(!found.contains("launch"), "{found}");
}

#[test]
fn findings_of_the_host_are_errors_of_the_report() {
    let body = "int *d, h[4]; cudaMalloc(&d, 16); add<<<1, 1>>>(0);\n\
                cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost); cudaFree(d);";
    let body = body
        .replace("add<<<1, 1>>>(0);", "int *o; cudaMalloc(&o, 4); cudaMemset(o, 0, 4); add<<<1, 1>>>(o);");
    let (_, report) = on("fermi", Checks::NONE.and(Check::Init), &body);
    has(&report, &["--check init: 1 launch, 1 error"]);
    let (err, _) = on("fermi", Checks::NONE.and(Check::Race), &body);
    assert_eq!(err, "", "another checker");
}

/// A copy to page-locked memory in a stream; `wait` is between it and the use of the memory.
fn copied_out(wait: &str) -> String {
    race(&format!(
        "float *d, *h; cudaMalloc(&d, 400); cudaMallocHost(&h, 400); cudaStream_t s, t; cudaStreamCreate(&s);\n\
         cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); cudaEvent_t e; cudaEventCreate(&e);\n\
         fill<<<1, 100, 0, s>>>(d, 100);\n\
         cudaMemcpyAsync(h, d, 400, cudaMemcpyDeviceToHost, s);\n\
         {wait}\n\
         float sum = 0; for (int i = 7; i < 100; i++) sum += h[i];\n\
         printf(\"%g\\n\", sum);"
    ))
}

#[test]
fn a_read_before_a_copy_has_ended_is_found() {
    let found = copied_out("");
    has(
        &found,
        &[
            "error[host_read]: the host reads `h[7]` before a copy that writes it has ended",
            "\n  cudaMemcpyAsync at test.cu:17 copies to `h[0]` to `h[99]`, and nothing waits for its end",
            "\nhelp: call cudaStreamSynchronize for its stream before this line",
            "\n  at test.cu:19: float sum = 0",
        ],
    );
    assert_eq!(found.matches("error").count(), 1, "{found}");
    for (name, wait) in [
        ("another stream", "cudaStreamSynchronize(t);"),
        ("an event before the copy", "cudaEventRecord(e, t); cudaEventSynchronize(e);"),
        ("a kernel of the default stream", "fill<<<1, 100>>>(d, 100);"),
        ("an allocation", "int *other; cudaMalloc(&other, 4);"),
        ("a copy within the device", "cudaMemcpy(d, d + 50, 100, cudaMemcpyDeviceToDevice);"),
        ("a stream that waits", "cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0);"),
        ("a copy of another stream", "float g[2]; cudaMemcpyAsync(g, d, 8, cudaMemcpyDeviceToHost, t);"),
    ] {
        assert!(copied_out(wait).contains("error[host_read]"), "{name}");
    }
}

#[test]
fn calls_that_wait_order_the_host() {
    for wait in [
        "cudaStreamSynchronize(s);",
        "cudaDeviceSynchronize();",
        "cudaThreadSynchronize();",
        "while (cudaStreamQuery(s) != cudaSuccess) {}",
        "cudaEventRecord(e, s); cudaEventSynchronize(e);",
        "cudaEventRecord(e, s); while (cudaEventQuery(e) != cudaSuccess) {}",
        "cudaEventRecord(e, 0); cudaEventSynchronize(e);",
        "cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); cudaStreamSynchronize(t);",
        "float g[2]; cudaMemcpy(g, d, 8, cudaMemcpyDeviceToHost);",
        "float g[2] = {0}; cudaMemcpy(d, g, 8, cudaMemcpyHostToDevice);",
        "float g[2]; cudaMemcpyAsync(g, d, 8, cudaMemcpyDeviceToHost, s);",
        "fill<<<1, 100>>>(d, 100); cudaStreamSynchronize(0);",
        "int g[2]; cudaMemcpyFromSymbol(g, zeros, 8);",
        "cudaStreamDestroy(s);",
        "cudaFree(d);",
        "cudaEvent_t f; cudaEventCreate(&f); cudaEventRecord(e, s); cudaEventRecord(f, s); float ms; \
         cudaEventElapsedTime(&ms, e, f);",
    ] {
        assert_eq!(copied_out(wait), "", "{wait}");
    }
}

#[test]
fn a_copy_of_pageable_memory_has_ended_when_its_call_returns() {
    assert_eq!(
        race(
            "float *d, h[100]; cudaMalloc(&d, 400); cudaStream_t s; cudaStreamCreate(&s);\n\
             fill<<<1, 100, 0, s>>>(d, 100); cudaMemcpyAsync(h, d, 400, cudaMemcpyDeviceToHost, s);\n\
             printf(\"%g\\n\", h[3]); cudaMemcpyAsync(d, h, 400, cudaMemcpyHostToDevice, s); h[0] = 1;"
        ),
        ""
    );
}

#[test]
fn a_write_to_the_source_of_a_copy_is_found() {
    let program = |wait: &str| {
        race(&format!(
            "int *d, *h; cudaMalloc(&d, 400); cudaHostAlloc(&h, 400, 0); memset(h, 0, 400);\n\
             cudaStream_t s; cudaStreamCreate(&s);\n\
             cudaMemcpyAsync(d, h + 10, 40, cudaMemcpyHostToDevice, s);\n\
             int sum = h[12]; h[9] = 1; h[20] = 1; {wait}\n\
             h[12] = sum;"
        ))
    };
    has(
        &program(""),
        &[
            "error[host_write]: the host writes `h[12]` before a copy that reads it has ended",
            "cudaMemcpyAsync at test.cu:16 copies from `h[10]` to `h[19]`",
            "at test.cu:18: h[12] = sum;",
        ],
    );
    assert_eq!(program("cudaStreamSynchronize(s);"), "");
}

#[test]
fn functions_of_the_library_access_memory_too() {
    let program = |call: &str| {
        race(&format!(
            "char *d, *h, g[8] = {{0}}; cudaMalloc(&d, 8); cudaMallocHost(&h, 8); cudaMemset(d, 65, 8);\n\
             cudaMemcpyAsync(h, d, 8, cudaMemcpyDeviceToHost, 0);\n\
             {call}\n"
        ))
    };
    has(
        &program("memcpy(g, h + 2, 4);"),
        &["host_read", "reads `h[2]`", "help: call cudaDeviceSynchronize", "test.cu:16"],
    );
    has(&program("memset(h, 0, 8);"), &["error[host_write]: the host writes `h[0]`"]);
    has(&program("fwrite(h, 1, 8, stdout);"), &["error[host_read]"]);
    assert_eq!(program("memcpy(g, d == 0 ? h : g + 1, 4); cudaThreadSynchronize(); memset(h, 0, 8);"), "");
}

#[test]
fn memory_of_a_static_array_is_named_when_it_is_registered() {
    let found = race(
        "static int h[64]; int *d; cudaMalloc(&d, 256); cudaMemset(d, 0, 256); cudaHostRegister(h, 256, 0);\n\
         cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost);\n\
         if (h[5]) return 1; cudaHostUnregister(h); h[6] = 1;",
    );
    has(&found, &["the host reads `h[5]` before a copy"]);
    assert_eq!(found.matches("error").count(), 1, "{found}");
}

#[test]
fn memory_that_a_running_kernel_writes_is_found() {
    let program = |kernel: &str, wait: &str| {
        race(&format!(
            "int *h, *d; cudaHostAlloc(&h, 256, cudaHostAllocMapped); memset(h, 0, 256);\n\
             cudaHostGetDevicePointer(&d, h, 0);\n\
             {kernel}<<<1, 32>>>(d);\n\
             {wait}\n\
             if (h[40]) return 1; printf(\"%d\\n\", h[3]);"
        ))
    };
    has(
        &program("add", ""),
        &[
            "error[host_read]: the host reads `h[3]` before the kernel `add` that writes it has ended",
            "\n  the kernel `add` was launched at test.cu:16, and nothing waits for its end",
            "\nhelp: call cudaDeviceSynchronize before this line",
        ],
    );
    assert_eq!(program("add", "cudaDeviceSynchronize();"), "");
    assert_eq!(
        race(
            "int *h, *d; cudaHostAlloc(&h, 256, cudaHostAllocMapped); memset(h, 0, 256);\n\
             cudaHostGetDevicePointer(&d, h, 0); even<<<1, 32>>>(d); if (h[1] || h[61]) return 1;"
        ),
        "",
        "elements between those that the kernel writes"
    );
    assert_eq!(program("fenced", ""), "", "the kernel exchanges data with the host");
}

#[test]
fn managed_memory_belongs_to_the_device_while_a_kernel_runs() {
    let program = |wait: &str| {
        race(&format!(
            "int *a, *b; cudaMallocManaged(&a, 128); cudaMallocManaged(&b, 128); memset(a, 0, 128); b[0] = 2;\n\
             add<<<1, 32>>>(a);\n\
             {wait} b[1] = 3;"
        ))
    };
    has(
        &program(""),
        &[
            "error[host_write]: the host writes `b[1]`, managed memory, before the kernel `add` has ended",
            "the kernel `add` was launched at test.cu:15; before compute capability 6.0",
        ],
    );
    assert_eq!(program("cudaDeviceSynchronize();"), "");
}

#[test]
fn other_checkers_do_not_watch_host_memory() {
    let body = "int *d, *h; cudaMalloc(&d, 4); cudaMallocHost(&h, 4); cudaMemset(d, 0, 4);\n\
                cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); h[0]++;";
    assert_eq!(init(body), "");
    assert_eq!(on("fermi", Checks::NONE, body).0, "");
    has(&on("g80", Checks::ALL, body).0, &["error[host_read]", "the host reads `h[0]`"]);
}
