//! Constructs of old programs.

use crate::support::Folder;

#[test]
fn included_files_may_have_kernels_for_the_device_too() {
    let Some(folder) = Folder::new("kernels in included files") else { return };
    folder.write("sub/deep.cu", "__device__ __global__ void deep(int *p) { *p = 2; }\n");
    folder
        .write("part.cu", "#include \"sub/deep.cu\"\n__global__ __device__ void part(int *p) { *p = 1; }\n");
    folder.write("main.cu", "#include \"part.cu\"\nint main() { part<< <1, 1>> >(nullptr); }\n");
    folder.good(&["-ptx", "main.cu", "-o", "main.ptx"]);
    let ptx = folder.read("main.ptx");
    assert!(ptx.contains(".entry _Z4partPi") && ptx.contains(".entry _Z4deepPi"), "{ptx}");
}

#[test]
fn files_in_the_folders_of_the_headers_may_have_such_kernels_too() {
    let Some(folder) = Folder::new("kernels in included folders") else { return };
    folder.write("inc/far.cu", "__global__ __device__ void far(int *p) { *p = 1; }\r\n");
    folder.write("inc/near.h", "#include \"far.cu\"\n");
    folder.write("main.cu", "#include <near.h>\nint main() { far<<<1, 1>>>(nullptr); }\n");
    folder.good(&["-ptx", "main.cu", "-I", "inc", "-o", "main.ptx"]);
    assert!(folder.read("main.ptx").contains(".entry _Z3farPi"));
}

#[test]
fn signed_sums_of_host_code_wrap() {
    let Some(folder) = Folder::new("signed sums") else { return };
    // Without -fwrapv, clang replaces the product by a sum with more bits.
    folder.write(
        "wrap.cpp",
        "#include <cstdlib>\nint main(int count, char **) {\n\
         int *squares = (int *)malloc(70000 * sizeof(int));\n\
         for (unsigned i = 0; i < 70000; i++) squares[i] = (int)(i * i);\n\
         for (int i = 0; i < 70000 * count; i++) if (squares[i] != i * i) return 1;\n\
         return count + 1 > count ? 0 : 2; }\n",
    );
    folder.good(&["wrap.cpp", "-w", "-o", "wrap"]);
    let status = std::process::Command::new(folder.path("wrap")).status().expect("the program starts");
    assert_eq!(status.code(), Some(0));
    let commands = folder.good(&["wrap.cpp", "-w", "-dryrun", "-o", "wrap"]);
    assert!(commands.contains("-fwrapv"), "{commands}");
}

#[test]
fn a_comparison_of_this_with_null_is_kept() {
    let Some(folder) = Folder::new("null pointers") else { return };
    folder.write(
        "list.cpp",
        "struct List { List *next; int length(); };\n\
         int List::length() { return this ? 1 + next->length() : 0; }\n\
         int main() { List one = {nullptr}; return one.length() == 1 ? 0 : 1; }\n",
    );
    folder.good(&["list.cpp", "-O2", "-w", "-o", "list"]);
    let status = std::process::Command::new(folder.path("list")).status().expect("the program starts");
    assert_eq!(status.code(), Some(0));
}
