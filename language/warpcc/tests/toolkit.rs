//! A toolkit folder, used by a Makefile that links with the C compiler of the system.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use test_support::tools::Tool;

const KERNEL: &str = r#"
#include <cuda_runtime.h>
__global__ void add(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += i;
}
extern "C" void run(int *p, int n) { add<<<(n + 31) / 32, 32>>>(p, n); }
"#;

/// Memory of the runtime API is used through the driver API: both are one library.
const MAIN: &str = r#"
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
void run(int *p, int n);
int main(void)
{
    int *p, out[100];
    CUdevice device = 7;
    cudaMalloc((void **)&p, sizeof(out));
    cudaMemset(p, 0, sizeof(out));
    run(p, 100);
    if (cuCtxGetDevice(&device) != CUDA_SUCCESS || cuMemcpyDtoH(out, (CUdeviceptr)(size_t)p, sizeof(out)))
        return 1;
    printf("%d on device %d\n", out[99], device);
    return 0;
}
"#;

const MAKEFILE: &str = "CUDA_PATH ?= /usr/local/cuda
LIBRARIES ?= -lcuda -lcudart
app: main.o kernel.o
\tcc -o $@ $^ -L$(CUDA_PATH)/lib64 $(LIBRARIES)
main.o: main.c
\tcc -Wall -Wextra -Werror -I$(CUDA_PATH)/include -c $<
kernel.o: kernel.cu
\t$(CUDA_PATH)/bin/nvcc -arch=sm_20 -I$(CUDA_PATH)/include -c $<
clean:
\trm -f app *.o
";

fn text(output: &Output) -> String {
    let part = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    part(&output.stdout) + &part(&output.stderr)
}

fn succeed(command: &mut Command) -> String {
    let output = command.output().expect("the command starts");
    let text = text(&output);
    assert!(output.status.success(), "{command:?}\n{text}");
    text
}

/// The folder with the library: cargo builds it beside the tests.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a file");
    test.parent().expect("a file is in a folder").to_owned()
}

fn toolkit(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpcc"));
    command.arg("--toolkit").arg(folder).env("WARPSIM_LIB", library());
    command
}

#[test]
#[cfg(target_os = "linux")]
fn a_makefile_uses_the_folder_as_a_cuda_toolkit() {
    if Tool::Clang.is_missing("a_makefile_uses_the_folder_as_a_cuda_toolkit") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let folder = scratch.path().join("the cuda");
    for (name, text) in [("kernel.cu", KERNEL), ("main.c", MAIN), ("Makefile", MAKEFILE)] {
        fs::write(scratch.path().join(name), text).expect("a file can be written");
    }
    // A path with a blank is quoted where scripts name it, but no Makefile can use it.
    assert_eq!(succeed(&mut toolkit(&folder)), "");
    assert!(succeed(Command::new(folder.join("bin/nvcc")).arg("--version")).contains("release 8.0"));
    let folder = scratch.path().join("cuda");
    succeed(&mut toolkit(&folder));
    // The second time the folder is written again.
    fs::write(folder.join("include/old.h"), "").expect("a file can be written");
    succeed(&mut toolkit(&folder));
    assert!(!folder.join("include/old.h").exists() && folder.join("include/cuda.h").is_file());
    let make = |arguments: &[&str]| {
        let mut command = Command::new("make");
        command.arg("-s").arg(format!("CUDA_PATH={}", folder.display())).args(arguments);
        assert_eq!(succeed(command.current_dir(scratch.path())), "");
    };
    let run = |library_path: &str| {
        let mut command = Command::new(scratch.path().join("app"));
        command.envs([("LD_LIBRARY_PATH", library_path), ("WARPSIM_CHIP", "g80")]);
        let output = succeed(&mut command);
        // One line at the end: the libraries are loaded once.
        assert!(output.starts_with("99 on device 0\nwarpsim: g80: 1 launch"), "{output}");
        assert_eq!(output.lines().count(), 2, "{output}");
    };
    make(&[]);
    run(&folder.join("lib64").display().to_string());
    make(&["clean"]);
    make(&["LIBRARIES=-lcuda -lcudart_static -lcudadevrt -lpthread -ldl"]);
    run(&folder.join("lib64").display().to_string());
    make(&["clean"]);
    // A program that names no shared library of CUDA needs no path.
    make(&["LIBRARIES=-lcudart_static"]);
    run("");
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_with_other_files_is_left_alone() {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    fs::write(scratch.path().join("version.txt"), "CUDA Version 8.0.61\n").expect("a file can be written");
    let output = toolkit(scratch.path()).output().expect("warpcc starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("is not empty"), "{}", text(&output));
    assert_eq!(fs::read_dir(scratch.path()).expect("it is a folder").count(), 1);
    let mut missing = toolkit(&scratch.path().join("new"));
    let output = missing.env("WARPSIM_LIB", scratch.path()).output().expect("warpcc starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("is in none of these folders"), "{}", text(&output));
    assert!(!scratch.path().join("new").exists());
}
