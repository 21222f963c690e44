//! Lines of host code in the messages and the report of a program.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{run, timed};

const PROGRAM: &str = "#include <stdio.h>
#define TRY(x) do { if ((x) != cudaSuccess) printf(\"bad\\n\"); } while (0)
template <typename T> __global__ void scale(T *p, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) p[i] *= 2;
}
static float *get(int n)
{
    float *d;
    cudaMalloc((void **)&d, n * 4);
    return d;
}
int main(void)
{
    float *a, *b = get(100), *c = get(50);
    TRY(cudaMalloc(&a, 4000));
    int *h;
    cudaMallocHost(&h, 100);
    cudaMemset(a, 0, 4000);
    scale<float><<<3, 32>>>(a, 100);
    scale<<<1, 2048>>>(b, 100);
    TRY(cudaMemcpy(a, b, 8000, cudaMemcpyDeviceToDevice));
    TRY(cudaMemcpy(a, b, 8000, cudaMemcpyDeviceToDevice));
    scale<<<2, 128>>>(a + 900, 256);
    TRY(cudaDeviceSynchronize());
    return 0;
}
";

#[test]
fn launches_failed_calls_traps_and_leaks_name_their_lines() {
    for run in [timed("/home/user/test.cu", PROGRAM, "fermi"), run("test.cu", PROGRAM, "fermi", &[])] {
        assert_eq!((run.code, &*run.out), (0, "bad\nbad\nbad\n"), "{}", run.err);
        assert!(!format!("{}{}{:?}", run.err, run.report, run.hints).contains("_Z"), "{}", run.err);
        assert!(run.err.contains("\n  launch 2 of `scale`, test.cu:25\n"), "{}", run.err);
        for row in [
            "launch 1   scale, 3 blocks of 32 threads, test.cu:21: ",
            "launch 2   scale, 2 blocks of 128 threads, test.cu:25: trapped at line 6",
        ] {
            assert!(run.report.contains(row), "{row}: {}", run.report);
        }
        let expected = [
            "kernel launch failed with cudaErrorInvalidConfiguration (1 x) in test.cu:22",
            "cudaMemcpy failed with cudaErrorInvalidValue (2 x), first in test.cu:23",
            "cudaDeviceSynchronize failed with cudaErrorIllegalAddress (1 x) in test.cu:26",
            "a launch of scale in test.cu:22 failed with cudaErrorInvalidConfiguration, which the program never \
             reads: call cudaGetLastError after it",
            "launch 1 of scale in test.cu:21 has 96 threads, and the kernel compares their index with its argument \
             n, which is 100: the last 4 have no thread; (n + 31) / 32 blocks have one for each",
            "no cudaFree for 4,600 bytes of device memory in 3 allocations: a (test.cu:17), d (test.cu:11)",
            "no cudaFreeHost for 100 bytes of pinned host memory in 1 allocation: h (test.cu:19)",
        ];
        assert_eq!(run.hints, expected);
    }
}
