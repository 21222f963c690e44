//! The options of nvcc.

use crate::support::Folder;

const KERNEL: &str = "
#include <cmath>
#ifndef N
#define N 3
#endif
__global__ void k(float *p, int n) {
    __shared__ float s[16];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = sinf(s[N]) * p[1] + p[2] / p[3] + sqrtf(p[4]);
}
";

fn folder(test: &str) -> Option<Folder> {
    let folder = Folder::new(test)?;
    folder.write("k.cu", KERNEL);
    Some(folder)
}

#[test]
fn ptx_has_lines_and_options_of_arithmetic() {
    let Some(folder) = folder("options of device code") else { return };
    let ptx = |options: &[&str]| {
        let mut arguments = vec!["-ptx", "k.cu", "-o", "k.ptx"];
        arguments.extend(options);
        folder.good(&arguments);
        folder.read("k.ptx")
    };
    let plain = ptx(&[]);
    for part in [".target sm_20", ".loc", "div.rn.f32", "sqrt.rn.f32", "fma.rn.f32", ".entry _Z1kPfi"] {
        assert!(plain.contains(part), "{part}:\n{plain}");
    }
    // An instruction of an intrinsic belongs to the line of the program.
    assert!(!plain.contains("device_launch_parameters.h"), "{plain}");
    let fast = ptx(&["-use_fast_math"]);
    for part in ["sin.approx", "div.approx.ftz.f32", "sqrt.approx.ftz.f32"] {
        assert!(fast.contains(part), "{part}:\n{fast}");
    }
    let exact = ptx(&["-fmad=false"]);
    assert!(exact.contains("mul.rn.f32") || exact.contains("mul.f32"), "{exact}");
    assert!(ptx(&["-prec-div=false", "-prec-sqrt", "false"]).contains("div.full.f32"));
    assert!(ptx(&["-ftz=true"]).contains(".ftz.f32"));
    assert!(ptx(&["--maxrregcount", "24"]).contains(".maxnreg 24\n{"));
    assert!(ptx(&["-po", "maxrregcount=16"]).contains(".maxnreg 16\n{"));
    let same = ptx(&["-arch=sm_13", "-gencode", "arch=compute_20,code=sm_20", "-m64", "-lineinfo", "-O0"]);
    assert_eq!(same, plain);
    assert_ne!(ptx(&["-DN=4"]), plain);
}

#[test]
fn each_step_has_its_file() {
    let Some(folder) = folder("results of the steps") else { return };
    folder.good(&["-c", "k.cu"]);
    assert!(folder.path("k.o").is_file() && !folder.path("k.ptx").exists());
    folder.good(&["-dc", "k.cu", "-o", "other.o"]);
    assert!(folder.path("other.o").is_file());
    folder.good(&["-dlink", "other.o", "-o", "link.o"]);
    assert!(folder.path("link.o").is_file());
    folder.write("out/file", "").good(&["-ptx", "k.cu", "-odir", "out"]);
    assert!(folder.path("out/k.ptx").is_file());
    folder.good(&["-c", "k.cu", "-keep", "-keep-dir", "kept"]);
    assert!(folder.path("kept/k.ptx").is_file());
    let text = folder.good(&["-E", "k.cu", "-DN=77"]);
    assert!(text.contains("s[77]"), "the preprocessed text has the macro");
    let rule = folder.good(&["-MM", "k.cu"]);
    assert!(rule.starts_with("k.o: k.cu"), "{rule}");
    folder.good(&["-lib", "other.o", "-o", "libk.a"]);
    assert!(folder.path("libk.a").is_file());
}

#[test]
fn registers_and_shared_memory_are_printed() {
    let Some(folder) = Folder::new("registers and shared memory") else { return };
    folder.write(
        "k.cu",
        "__global__ void k(int *p) { __shared__ int s[64]; s[threadIdx.x] = p[0];\n\
                          __syncthreads(); p[threadIdx.x] = s[63 - threadIdx.x]; }\n",
    );
    for option in [&["--ptxas-options=-v"][..], &["-Xptxas", "-v"], &["-res-usage"], &["-Xptxas=-v,-O3"]] {
        let arguments = [&["-c", "k.cu"], option].concat();
        let text = folder.good(&arguments);
        assert!(text.contains("ptxas info    : Compiling entry function '_Z1kPi' for 'sm_20'"), "{text}");
        assert!(text.contains(" registers, 256 bytes smem, 40 bytes cmem[0]"), "{text}");
    }
}

#[test]
fn options_come_from_files_and_commands_are_printed() {
    let Some(folder) = folder("response files") else { return };
    folder.write("inner.rsp", "-DN='5'").write("outer.rsp", "-ptx \"k.cu\" @inner.rsp");
    folder.good(&["@outer.rsp", "-o", "a.ptx"]);
    folder.good(&["-ptx", "k.cu", "--options-file", "inner.rsp", "-o", "b.ptx"]);
    assert_eq!(folder.read("a.ptx"), folder.read("b.ptx"));
    let text =
        folder.good(&["k.cu", "--dryrun", "-Xcompiler", "-Wall,-Wextra", "-Xlinker", "-s", "-lm", "-g"]);
    assert_eq!(text.lines().filter(|line| line.starts_with("#$ ")).count(), 3, "{text}");
    for part in ["--cuda-device-only", "-Wall -Wextra", "-Wl,-s", "-lwarpsim_cuda", "-rpath"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!folder.path("a.out").exists());
    let text = folder.good(&["-c", "k.cu", "-ccbin", "g++", "-G", "-Xcompiler", "-fopenmp"]);
    assert_eq!(text, "warpcc: note: ignored: -ccbin g++, -G, -Xcompiler -fopenmp (omp.h is serial)\n");
}

#[test]
fn programs_of_any_age_compile() {
    let Some(folder) = Folder::new("old programs") else { return };
    folder.write(
        "old.cu",
        "#include <stdio.h>\n\
         extern \"C\" __global__ __device__ void k(int *p) { register int i = threadIdx.x; syncthreads();\n\
         p[i] = max(p[i], 3u) + mul24(i, 2); }\n\
         int no_return(int x) { if (x) return 1; }\n\
         int main() { int *p; char *s = \"text\"; cudaMalloc((void **)&p, 4); k<< <1, 32>> >(p);\n\
         cudaThreadSynchronize(); printf(\"%s\\n\", s); return min(1, 2) - 1; }\n",
    );
    for standard in ["c++03", "c++11", "c++14", "c++17"] {
        folder.good(&["-c", "old.cu", &format!("-std={standard}")]);
    }
    // A C++ file with a kernel goes through the CUDA path, another one does not.
    folder.write("kernel.cpp", "__global__ void k(int *p) { *p = 1; }\nvoid f() { k<<<1, 1>>>(0); }\n");
    folder.write(
        "host.cpp",
        "#include <cuda_runtime.h>\n#ifdef __CUDACC__\n#error\n#endif\n\
                              int *f() { float *p; cudaMalloc(&p, 4); return 0; }\n",
    );
    folder.write(
        "host.c",
        "#include <cuda_runtime.h>\nint f(void) { dim3 d = {1, 2, 3}; return cudaFree(0) + d.y; }\n",
    );
    let commands = folder.good(&["-c", "kernel.cpp", "host.cpp", "host.c", "-v"]);
    assert_eq!(commands.matches("--cuda-device-only").count(), 1, "{commands}");
}
