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
