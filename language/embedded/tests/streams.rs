//! Launches in different streams of a program run together on chips with concurrent kernels, and
//! their times do not depend on how the host waits for them.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{Run, timed};

/// Four streams, a kernel that computes for a long time with one block, and one that traps.
const HEAD: &str = r#"
#include <stdio.h>
#include <stdlib.h>
__global__ void spin(int *out, int n)
{
    int x = threadIdx.x;
    for (int i = 0; i < n; i++)
        x = x * 3 + i;
    out[threadIdx.x] += x;
}
__global__ void wild(int *out) { out[1 << 20] = 1; }
static int expected(int thread, int n)
{
    unsigned int x = thread;
    for (int i = 0; i < n; i++)
        x = x * 3 + i;
    return (int)x;
}
int *out[4];
cudaStream_t s[4];
cudaEvent_t first, last;
static void begin(void)
{
    for (int i = 0; i < 4; i++) {
        cudaMalloc((void **)&out[i], 512);
        cudaMemset(out[i], 0, 512);
        cudaStreamCreate(&s[i]);
    }
    cudaEventCreate(&first);
    cudaEventCreate(&last);
    cudaDeviceSynchronize();
    cudaEventRecord(first, 0);
}
static void end(int times)
{
    float ms = 0;
    cudaEventElapsedTime(&ms, first, last);
    printf("%.0f ns\n", ms * 1e6);
    for (int i = 0; i < 4; i++) {
        int host[128];
        cudaMemcpy(host, out[i], 512, cudaMemcpyDeviceToHost);
        for (int j = 0; j < 128; j++)
            if (host[j] != (int)((unsigned int)times * (unsigned int)expected(j, 2000)))
                exit(1);
        cudaFree(out[i]);
    }
}
"#;

fn run(chip: &str, body: &str) -> Run {
    let run = timed("test.cu", &format!("{HEAD}int main()\n{{\n{body}\n}}\n"), chip);
    assert_eq!((run.code, &*run.message), (0, ""), "{}{}", run.out, run.err);
    run
}

/// One launch in each stream, `wait`, and the time between the events.
fn four(chip: &str, wait: &str) -> Run {
    run(
        chip,
        &format!(
            "begin();
    for (int i = 0; i < 4; i++) {{
        spin<<<1, 128, 0, s[i]>>>(out[i], 2000);
        if (cudaGetLastError() != cudaSuccess)
            return 2;
    }}
    cudaEventRecord(last, 0);
    {wait}
    end(1);
    return 0;"
        ),
    )
}

/// Each launch takes 44 us and its call 7 us.
///
/// Tests: `collected-launches`.
#[test]
fn launches_of_different_streams_run_together_however_the_host_waits() {
    let waits = [
        "cudaDeviceSynchronize();",
        "cudaEventSynchronize(last);",
        "while (cudaEventQuery(last) == cudaErrorNotReady) ;",
        "for (int i = 3; i >= 0; i--) while (cudaStreamQuery(s[i]) == cudaErrorNotReady) ;",
        "for (int i = 0; i < 4; i++) cudaStreamSynchronize(s[i]);",
        "cudaStreamDestroy(s[0]);",
        "",
    ];
    for wait in waits {
        let run = four("fermi", wait);
        assert_eq!(run.out, "72316 ns\n", "{wait}");
        assert!(
            run.report.contains("launch 4   spin, 1 block of 128 threads, test.cu:52: 44.32 us"),
            "{}",
            run.report
        );
    }
    assert_eq!(four("gt200", "").out, "998171 ns\n", "one kernel at a time");
}

/// Two launches in each of two streams.
fn two_each(order: &str) -> String {
    let body =
        format!("begin(); {order} cudaEventRecord(last, 0); cudaDeviceSynchronize(); end(2); return 0;");
    let launch = |i: usize| format!("spin<<<1, 128, 0, s[{i}]>>>(out[{i}], 2000);");
    let mut text = body;
    for i in 0..4 {
        text = text.replace(&format!("<{i}>"), &launch(i));
    }
    run("fermi", &text).out
}

/// The second launch of a stream holds up the launches that are called after it. Breadth first, two
/// rounds of four launches run one after the other. Depth first, a stream's second launch runs
/// beside the first one of the next stream: five rounds.
///
/// Tests: `collected-launches`.
#[test]
fn depth_first_and_breadth_first_order_differ() {
    let breadth = two_each("<0> <1> <2> <3> <0> <1> <2> <3>");
    let depth = two_each("<0> <0> <1> <1> <2> <2> <3> <3>");
    assert_eq!((&*breadth, &*depth), ("116440 ns\n", "229561 ns\n"));
}

/// A copy to the device in another stream, and a wait for an event, do not separate launches.
///
/// Tests: `collected-launches`.
#[test]
fn copies_and_events_between_launches_keep_them_together() {
    let body = "int *host;
    cudaMallocHost((void **)&host, 512);
    for (int i = 0; i < 128; i++) host[i] = 0;
    cudaEvent_t done;
    cudaEventCreate(&done);
    begin();
    for (int i = 0; i < 3; i++) {
        cudaMemcpyAsync(out[i], host, 512, cudaMemcpyHostToDevice, s[i]);
        spin<<<1, 128, 0, s[i]>>>(out[i], 2000);
    }
    cudaEventRecord(done, s[0]);
    cudaStreamWaitEvent(s[3], done, 0);
    spin<<<1, 128, 0, s[3]>>>(out[3], 2000);
    cudaEventRecord(last, 0);
    cudaDeviceSynchronize();
    end(1);
    cudaFreeHost(host);
    return 0;";
    assert_eq!(run("fermi", body).out, "98881 ns\n");
}

/// Launches of one stream take the times of launches in the default stream.
///
/// Tests: `collected-launches`.
#[test]
fn launches_of_one_stream_have_the_times_of_the_default_stream() {
    let body = |stream: &str| {
        let launch = format!("spin<<<1, 128, 0, {stream}>>>(out[0], 2000);");
        format!(
            "begin(); {launch} {launch} cudaEventRecord(last, 0); cudaDeviceSynchronize();
    float ms; cudaEventElapsedTime(&ms, first, last); printf(\"%.0f ns\\n\", ms * 1e6);
    for (int i = 0; i < 4; i++) cudaFree(out[i]);
    return 0;"
        )
    };
    let [default, own] = ["0", "s[0]"].map(|stream| run("fermi", &body(stream)));
    assert_eq!(default.out, own.out);
    assert_eq!(default.out, "95998 ns\n");
}

/// A trap stops the launches beside it. The call that waits returns its error, and the report names
/// the launch.
#[test]
fn a_trap_is_an_error_of_the_call_that_waits() {
    let body = "begin();
    spin<<<1, 128, 0, s[0]>>>(out[0], 2000);
    wild<<<1, 32, 0, s[1]>>>(out[1]);
    spin<<<1, 128, 0, s[2]>>>(out[2], 2000);
    printf(\"%d\\n\", (int)cudaGetLastError());
    printf(\"%s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));
    printf(\"%s\\n\", cudaGetErrorName(cudaMalloc((void **)&out[0], 4)));
    return 0;";
    let run = run("fermi", body);
    assert_eq!(run.out, "0\ncudaErrorIllegalAddress\ncudaErrorIllegalAddress\n");
    assert!(run.err.contains("kernel `wild`") && !run.err.contains("kernel `spin`"), "{}", run.err);
    // The third launch had not begun.
    for row in [
        "program    2 launches",
        "launch 1   spin, 1 block of 128 threads, test.cu:51: stopped: a kernel beside it trapped",
        "launch 2   wild, 1 block of 32 threads, test.cu:52: trapped at line 11: write of 4 bytes",
    ] {
        assert!(run.report.contains(row), "{row}: {}", run.report);
    }
}

/// A launch that the chip cannot run is refused at its call.
#[test]
fn a_refused_launch_is_an_error_of_its_call() {
    let body = "begin();
    spin<<<1, 128, 0, s[0]>>>(out[0], 2000);
    spin<<<1, 2048, 0, s[1]>>>(out[1], 2000);
    printf(\"%s\\n\", cudaGetErrorName(cudaGetLastError()));
    spin<<<1, 128, 0, s[2]>>>(out[2], 2000);
    printf(\"%s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 4; i++) cudaFree(out[i]);
    return 0;";
    assert_eq!(run("fermi", body).out, "cudaErrorInvalidConfiguration\ncudaSuccess\n");
}
