//! The programs of `tests/cuda` print what is recorded, functional and timed.
//!
//! `language/warpcc/tests/native.rs` compares the same texts with what the programs print when
//! clang compiles them. The cycles of their launches are not compared: clang makes other PTX than
//! the compiler of this project, and each compiles host code and kernels together.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use std::path::{Path, PathBuf};

/// The programs, in the order of their names.
fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cuda");
    let entries = std::fs::read_dir(folder).expect("the folder exists");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "cu")).collect();
    paths.sort();
    assert!(paths.len() > 20, "{paths:?}");
    paths
}

#[test]
fn programs_print_what_is_recorded() {
    let bless = std::env::var_os("BLESS").is_some();
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("the program can be read");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let recorded = path.with_extension("out");
        for functional in ["1", "0"] {
            let run = common::run_with(&name, &text, "fermi", &[], functional);
            let has_passed = run.code == 0 && run.out.contains("PASSED") && !run.out.contains("FAILED");
            assert!(has_passed, "{name}: {}\n{}{}{}", run.code, run.out, run.err, run.message);
            if bless && functional == "1" {
                std::fs::write(&recorded, &run.out).expect("the output can be written");
            }
            let expected = std::fs::read_to_string(&recorded).unwrap_or_default();
            assert_eq!(run.out, expected, "{name}, functional: {functional}");
        }
    }
}

#[test]
fn constants_of_floats_convert_as_variables_do() {
    // NVRTC 12.9 leaves a constant that does not fit in a small type to the conversion.
    let text = r#"
#include <stdio.h>
__global__ void k(float z, int *o)
{
    o[0] = (unsigned char)300.0f;
    o[1] = (unsigned char)z;
    o[2] = (signed char)200.0f;
    o[3] = (short)70000.0f;
    o[4] = (unsigned short)70000.0f;
    o[5] = (unsigned char)255.9f;
}
int main()
{
    int *d, h[6];
    cudaMalloc(&d, sizeof(h));
    k<<<1, 1>>>(300, d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 6; i++) printf("%d ", h[i]);
    cudaFree(d);
}
"#;
    for chip in ["g80", "gt200", "fermi"] {
        let run = common::run("small.cu", text, chip, &[]);
        assert_eq!(run.out, "44 44 -56 4464 4464 255 ", "{chip}: {}", run.message);
    }
}

#[test]
fn a_directive_changes_numbers_of_lines_and_the_name_of_the_file() {
    let text = "#include <stdio.h>\n__global__ void k(int *p)\n{\n    p[0] = __LINE__;\n#line 100 \"other.cu\"\n    \
                p[1] = __LINE__;\n}\n#define NEXT 200\n#line NEXT\nint line() { return __LINE__; }\nint main()\n{\n    \
                int *d, h[2];\n    cudaMalloc(&d, 8);\n    k<<<1, 1>>>(d);\n    \
                cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);\n    printf(\"%d %d %d %s %d\", h[0], h[1], line(), \
                __FILE__, __LINE__);\n    cudaFree(d);\n}\n";
    let run = common::run("lines.cu", text, "fermi", &[]);
    assert_eq!(run.out, "4 100 200 other.cu 207", "{}", run.message);
}

const TWO_HALVES: &str = r#"
#include <stdio.h>
struct Shape {
    int side;
    __host__ __device__ Shape(int side) : side(side) {}
    __host__ __device__ virtual int area() const { return side; }
    __device__ virtual int corners() const { return 1; }
};
struct Square : Shape {
    __host__ __device__ Square(int side) : Shape(side) {}
    __host__ __device__ int area() const override { return side * side; }
    __device__ int corners() const override { return 4; }
};
__global__ void measure(Shape *shape, int *out)
{
    *out = shape->side;
    *out = shape->area();
}
int main(int count, char **arguments)
{
    Square square(5);
    Shape *shape = &square, *copy;
    int *out, found = 0;
    printf("%d ", shape->area());
    cudaMalloc(&copy, sizeof(Square));
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(copy, shape, sizeof(Square), cudaMemcpyHostToDevice);
    measure<<<1, 1>>>(copy, out);
    cudaError_t error = cudaMemcpy(&found, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s ", cudaGetErrorName(error));
    fflush(stdout);
}
"#;

#[test]
fn an_object_of_the_host_has_no_virtual_functions_in_kernels() {
    for functional in ["1", "0"] {
        let run = common::run_with("halves.cu", TWO_HALVES, "fermi", &[], functional);
        assert_eq!((run.code, &*run.out), (0, "25 cudaErrorIllegalAddress "), "{}", run.message);
        assert!(run.err.contains("halves.cu:17"), "{}", run.err);
    }
}
