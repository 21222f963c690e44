//! One launch of a program, which the command line selects, and what is said of programs that have
//! no launch to look at.

use crate::common::{Run, in_folder, scratch};
use std::fs;
use std::path::{Path, PathBuf};

const PROGRAM: &str = "#include <cstdio>
__global__ void one(int* p) { p[threadIdx.x] = 1; }
template <class T> __global__ void two(T* p) { p[threadIdx.x] += 2; if (threadIdx.x == 0) printf(\"-\"); }
int main() {
    int* d;
    cudaMalloc(&d, 128);
    for (int i = 0; i < 2; i++) { one<<<1, 32>>>(d); two<int><<<1, 32>>>(d); }
    cudaDeviceSynchronize();
    cudaFree(d);
}
";

fn folder(name: &str, program: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("p.cu"), program).expect("the folder is writable");
    folder
}

fn run(folder: &Path, line: &str) -> Run {
    in_folder(folder, &line.split(' ').collect::<Vec<_>>())
}

#[test]
fn a_launch_is_selected_by_its_kernel_in_every_command_that_shows_one() {
    let folder = folder("one-launch", PROGRAM);
    for (line, part) in [
        ("run p.cu --kernel two:2", "shown      launch 4 of `two`"),
        ("trace p.cu --cycles 0..600 --kernel two:2", "launch 4: grid (1,1,1)"),
        ("trace p.cu --cycles 0..600 --kernel two", "launch 2: grid (1,1,1)"),
        ("init p.cu --kernel one:2", "entry: \"one\""),
        ("picture timeline p.cu --svg t.svg --kernel two:2", ""),
        ("picture stalls p.cu --svg s.svg --kernel one", ""),
        ("picture segments p.cu --svg a.svg --kernel two:2", ""),
        ("explore p.cu --schedules 5 --kernel one:2", ""),
    ] {
        let Run { code, stdout, stderr } = run(&folder, line);
        assert_eq!(code, Some(0), "{line}: {stdout}{stderr}");
        assert!(format!("{stdout}{stderr}").contains(part), "{line}: {stdout}{stderr}");
        let Run { code, stderr, .. } = run(&folder, &line.replace("two", "three").replace("one", "three"));
        assert_eq!(code, Some(2), "{line}: {stderr}");
        assert!(stderr.contains("the number of launches of `three` is 0"), "{line}: {stderr}");
    }
    let stalls = fs::read_to_string(folder.join("s.svg")).expect("a picture");
    assert!(stalls.contains("launch 1 of 4") || stalls.contains("launch 3 of 4"), "{stalls}");
    let Run { code, stderr, .. } = run(&folder, "debug p.cu --kernel two");
    assert!(code == Some(2) && stderr.contains("`break KERNEL` stops in the launches"), "{stderr}");
}

/// The name of a template is enough for a breakpoint.
#[test]
fn a_template_has_a_breakpoint_by_its_name() {
    let folder = folder("one-launch-template", PROGRAM);
    let Run { code, stdout, stderr } = in_folder(
        &folder,
        &["debug", "p.cu", "--batch", "-ex", "break two", "-ex", "continue", "-ex", "quit"],
    );
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    assert!(stdout.contains("[Launch 2: kernel two, grid"), "{stdout}");
}

/// Chips of older generations are left out of a picture of a kernel that needs a newer one.
#[test]
fn a_picture_of_segments_leaves_out_chips_that_do_not_run_the_kernel() {
    let folder = folder("one-launch-segments", PROGRAM);
    let Run { code, stderr, .. } = run(&folder, "picture segments p.cu --svg a.svg");
    assert_eq!(code, Some(0), "{stderr}");
    for chip in ["g80", "gt200"] {
        let left = format!("note: {chip} is left out, as it does not run the kernel: ");
        assert!(stderr.contains(&left), "{stderr}");
    }
    let Run { code, stderr, .. } = run(&folder, "picture segments p.cu --svg b.svg --chips g80,fermi");
    assert!(code == Some(2) && stderr.contains("`printf` needs sm_20"), "{stderr}");
}

#[test]
fn a_program_without_a_launch_says_why() {
    let refused = "#include <cstdio>
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() { int n = 2048; if (scanf(\"%d\", &n) > 3) return 1;
    int* d; cudaMalloc(&d, 8192); k<<<1, n>>>(d); cudaDeviceSynchronize(); cudaFree(d); }
";
    let folder = folder("one-launch-none", refused);
    for line in ["mutate p.cu", "trace p.cu"] {
        let Run { code, stderr, .. } = run(&folder, line);
        let why = "a launch of k in p.cu:4 failed with cudaErrorInvalidConfiguration";
        assert!(code == Some(2) && stderr.contains(why), "{line}: {stderr}");
    }
    let reading = refused.replace("> 3", "!= 1");
    fs::write(folder.join("p.cu"), reading).expect("the folder is writable");
    for line in ["mutate p.cu", "explore p.cu", "init p.cu", "sweep p.cu --metrics cycles"] {
        let Run { stdout, stderr, .. } = run(&folder, line);
        let why = "; it reads its standard input, which is empty in this command";
        assert!(stdout.contains(why) || stderr.contains(why), "{line}: {stdout}{stderr}");
    }
    let Run { code, stderr, .. } = run(&folder, "run p.cu 1000");
    let help = "there is no file 1000\nhelp: arguments of the program follow `--`: p.cu -- 1000";
    assert!(code == Some(2) && stderr.contains(help), "{stderr}");
}

/// The second file has the kernel, and a kernel of the first file has the same name.
#[test]
fn a_program_of_several_files_takes_the_same_commands() {
    let main = "#include <cstdio>
static __global__ void k(int* p) { p[threadIdx.x] += 1; }
void second(int* p);
int main() { int *d, h; cudaMalloc(&d, 128); cudaMemset(d, 0, 128); k<<<1, 32>>>(d); second(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); printf(\"%d\\n\", h); cudaFree(d); return h != 41; }
";
    let folder = folder("several-files", main);
    let second = "static __global__ void k(int* p) { p[threadIdx.x] += 40; }
void second(int* p) { k<<<1, 32>>>(p); }
";
    fs::write(folder.join("second.cu"), second).expect("the folder is writable");
    fs::write(folder.join("second.h"), "").expect("the folder is writable");
    for (line, part) in [
        ("run p.cu second.cu", "41\n"),
        ("run p.cu second.cu --kernel k:2", "second.cu:1: static __global__ void k"),
        ("trace p.cu second.cu --cycles 0..600 --launch-index 2", "second.cu:1"),
        ("run p.cu second.cu --record launches", "41\n"),
        ("run launches/00002-k/launch.ron --chip fermi", "PASSED"),
    ] {
        let Run { code, stdout, stderr } = run(&folder, line);
        let all = stdout + &stderr;
        assert!(code == Some(0) && all.contains(part), "{line}: {all}");
    }
    for (line, part) in [
        ("init p.cu second.cu", "`--record DIR` writes the launch files"),
        ("run p.cu second.h", "second.h is not a source file"),
        ("run p.cu", "p.cu:4: function `second` is not defined"),
    ] {
        let Run { code, stderr, .. } = run(&folder, line);
        assert!(code == Some(2) && stderr.contains(part), "{line}: {stderr}");
    }
}

/// Launches of two runs in one folder cannot be told apart.
#[test]
fn a_folder_of_recorded_launches_is_new() {
    let folder = folder("one-launch-record", PROGRAM);
    let Run { code, stderr, .. } = run(&folder, "run p.cu --record p.cu");
    assert!(code == Some(2) && stderr.contains("cannot record launches in p.cu"), "{stderr}");
    let Run { code, stderr, .. } = run(&folder, "run p.cu --record launches");
    assert_eq!(code, Some(0), "{stderr}");
    let Run { code, stderr, .. } = run(&folder, "run p.cu --record launches");
    assert!(code == Some(2) && stderr.contains("--record launches: the folder is not empty"), "{stderr}");
}

#[test]
fn pinned_memory_that_is_not_freed_is_no_device_memory() {
    let program = "__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() { int *d, *h; cudaMalloc(&d, 128); cudaMallocHost(&h, 512); k<<<1, 32>>>(d); }
";
    let folder = folder("one-launch-leaks", program);
    let Run { code, stdout, stderr } = run(&folder, "run p.cu");
    let text = format!("{stdout}{stderr}").split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(code, Some(0), "{text}");
    for hint in [
        "no cudaFree for 128 bytes of device memory in 1 allocation: d (p.cu:2)",
        "no cudaFreeHost for 512 bytes of pinned host memory in 1 allocation: h (p.cu:2)",
    ] {
        assert!(text.contains(hint), "{text}");
    }
}

/// `--fmad` reaches the compiler of CUDA C: with it, the rounding error of a product is not lost.
#[test]
fn fmad_is_an_option_of_programs() {
    let program = "#include <cstdio>
__global__ void k(double* p, double a, double b, double c) { p[0] = a * b + c; }
int main() { double *d, h; cudaMalloc(&d, 8); k<<<1, 1>>>(d, 1.0 + 1e-15, 1.0 - 1e-15, -1.0);
    cudaMemcpy(&h, d, 8, cudaMemcpyDeviceToHost); printf(\"%d\\n\", h == 0.0); cudaFree(d); }
";
    let folder = folder("one-launch-fmad", program);
    for (line, output) in
        [("run p.cu", "0\n"), ("run p.cu --fmad true", "0\n"), ("run p.cu --fmad false", "1\n")]
    {
        let Run { code, stdout, stderr } = run(&folder, line);
        assert_eq!((code, stdout.as_str()), (Some(0), output), "{line}: {stderr}");
    }
}
