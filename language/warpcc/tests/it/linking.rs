//! Links programs with a library that prints what a program registers.

use crate::support::{Folder, outcome};
use std::process::Command;

/// A stand-in for the library of the runtime API. It prints the device code and the kernels.
const LIBRARY: &str = r#"
#include <stdio.h>
#include <string.h>
struct wrapper { int magic, version; const char *data; void *unused; };
void **__cudaRegisterFatBinary(void *binary) {
    static void *handle;
    const char *text = ((struct wrapper *)binary)->data;
    printf("device code: %s, ends with NUL: %s\n", strstr(text, ".target sm_20") ? "PTX" : "?",
           strstr(text, "End function") ? "yes" : "no");
    return &handle;
}
void __cudaUnregisterFatBinary(void **handle) {}
int __cudaRegisterFunction(void **handle, const char *host, char *stub, const char *name, int limit,
                           void *a, void *b, void *c, void *d, int *e) {
    printf("kernel %s\n", name);
    return 0;
}
void __cudaRegisterVar(void **handle, char *host, char *stub, const char *name, int ext, long size,
                       int constant, int global) {
    printf("variable %s of %ld bytes\n", name, size);
}
void __warpsimManagedMemory() {}
int cudaConfigureCall() { return 0; }
int cudaSetupArgument() { return 0; }
int cudaLaunch() { puts("launch"); return 0; }
unsigned __cudaPushCallConfiguration() { return 0; }
int __cudaPopCallConfiguration() { return 0; }
int cudaLaunchKernel() { puts("launch"); return 0; }
"#;

/// File of the library.
const NAME: &str =
    if cfg!(target_os = "macos") { "lib/libwarpsim_cuda.dylib" } else { "lib/libwarpsim_cuda.so" };

/// Compiles the stand-in to `lib`.
fn library(folder: &Folder) {
    folder.write("stub.c", LIBRARY).write("lib/file", "");
    folder.good(&["-x", "c", "-c", "stub.c", "-Xcompiler", "-fPIC", "-o", "stub.o", "-w"]);
    let clang = warpcc::clang::find(None).expect("clang is installed");
    let mut linked = Command::new(clang.path);
    linked.args(["-shared", "-o"]).arg(folder.path(NAME)).arg(folder.path("stub.o"));
    let (code, text) = outcome(&linked.output().expect("clang starts"));
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_program_of_several_files_registers_its_kernels() {
    let Some(folder) = Folder::new("linking of programs") else { return };
    library(&folder);
    folder.write(
        "a.cu",
        "void other();\n__constant__ float table[8];\n__global__ void first(int *p) { *p = table[1]; }\n\
                          int main() { first<<<1, 1>>>(0); other(); return 0; }\n",
    );
    folder.write(
        "b.cu",
        "#include <vector>\n__global__ void second(int *p) { *p = 2; }\n\
                          void other() { std::vector<int> v(3); second<<<dim3(1, 2), 3>>>(v.data()); }\n",
    );
    let expect = "device code: PTX, ends with NUL: yes";
    let check = |program: &str| {
        // The path of the tests has the library itself.
        let mut command = Command::new(folder.path(program));
        let (code, text) = outcome(&command.env_remove("LD_LIBRARY_PATH").output().expect("it starts"));
        assert_eq!(code, 0, "{text}");
        assert_eq!(text.matches(expect).count(), 2, "{text}");
        assert_eq!(text.matches("launch").count(), 2, "{text}");
        assert!(text.contains("kernel _Z5firstPi\n") && text.contains("kernel _Z6secondPi\n"), "{text}");
        assert!(text.contains("variable table of 32 bytes\n"), "{text}");
    };
    // In one step, and as a Makefile does it; the folder of the library is found in both ways.
    folder.good(&["a.cu", "b.cu", "-o", "one", "--lib=lib", "-lcudart", "-lm", "-O3"]);
    check("one");
    folder.good(&["-c", "a.cu"]);
    folder.good(&["-c", "b.cu", "-o", "b.o"]);
    let mut command =
        folder.command(&["-o", "two", "a.o", "b.o", "-L/usr/local/cuda/lib64", "-lcudart", "-lcuda"]);
    let (code, text) = outcome(&command.env("WARPSIM_LIB", folder.path("lib")).output().expect("it starts"));
    assert_eq!((code, text.as_str()), (0, ""));
    check("two");
    // A static library of the objects; a shared library.
    folder.good(&["-lib", "b.o", "-o", "libb.a"]);
    folder.good(&["a.o", "-L.", "-lb", "-o", "three", "--lib=lib"]);
    check("three");
    folder.good(&["-shared", "b.cu", "-o", "libshared.so", "--lib=lib"]);
    let text = folder.good(&["-c", "a.cu", "-lcublas"]);
    assert_eq!(text, "");
    let text = folder.good(&["a.cu", "b.cu", "--lib=lib", "-lcublas", "-lcutil"]);
    assert!(text.contains("-lcublas (not provided), -lcutil (its functions are in the headers)"), "{text}");
    check("a.out");
}

#[test]
fn all_members_of_a_library_with_relocatable_device_code_are_linked() {
    let Some(folder) = Folder::new("device code in libraries") else { return };
    library(&folder);
    folder.write("f.cu", "__device__ int twice(int x) { return x * 2; }\n");
    folder.write(
        "k.cu",
        "extern __device__ int twice(int x);\n__global__ void k(int *p) { *p = twice(*p); }\n\
         int main() { k<<<1, 1>>>(nullptr); return 0; }\n",
    );
    folder.good(&["-dc", "f.cu", "-o", "f.o"]);
    folder.good(&["-lib", "f.o", "-o", "libf.a"]);
    folder.good(&["-dc", "k.cu", "-o", "k.o"]);
    for library in [&["libf.a"][..], &["-L.", "-lf"]] {
        let arguments = [&["k.o", "-o", "k", "--lib=lib"], library].concat();
        folder.good(&arguments);
        let mut command = Command::new(folder.path("k"));
        let (code, text) = outcome(&command.env_remove("LD_LIBRARY_PATH").output().expect("it starts"));
        assert_eq!((code, text.matches("device code: PTX").count()), (0, 2), "{library:?}\n{text}");
    }
}

#[test]
fn undeclared_functions_of_openmp_are_linked_if_there_is_a_library() {
    let Some(folder) = Folder::new("functions of OpenMP") else { return };
    let clang = warpcc::clang::find(None).expect("clang is installed");
    let found = Command::new(clang.path).arg("-print-file-name=libgomp.so").output().expect("clang starts");
    folder.write("threads.c", "int main() { return omp_get_num_threads() - 1; }\n").write("lib/file", "");
    folder.write(NAME, "");
    let text = folder.good(&["-Xcompiler", "-fopenmp", "threads.c", "--lib=lib", "-dryrun", "-w"]);
    assert_eq!(text.contains(" -lgomp"), found.stdout.contains(&b'/'), "{text}");
    let text = folder.good(&["threads.c", "--lib=lib", "-dryrun", "-w"]);
    assert!(!text.contains("-lgomp"), "{text}");
}
