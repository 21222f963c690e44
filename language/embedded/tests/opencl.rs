//! Host programs for OpenCL in C: they run without a toolchain, and print what they print when the
//! C compiler and the loader of the system make a native program of them.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{Run, run, run_with};
use std::path::{Path, PathBuf};
use std::process::Command;
use test_support::tools::say;
use test_support::workspace::root;

const CHIPS: [&str; 3] = ["g80", "gt200", "fermi"];

/// The programs, with their arguments.
fn programs() -> [(PathBuf, &'static [&'static str]); 3] {
    [
        (root().join("examples/opencl/vadd_host.c"), &["1000"]),
        (root().join("language/embedded/tests/opencl/events.c"), &[]),
        (root().join("language/embedded/tests/opencl/images.c"), &[]),
    ]
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the program can be read")
}

/// Runs a program, timed: profiling needs times.
fn embedded(path: &Path, chip: &str, arguments: &[&str]) -> Run {
    run_with("program.c", &text(path), chip, arguments, "0")
}

/// What a program of the C compiler prints.
fn native(path: &Path, chip: &str, arguments: &[&str], folder: &Path) -> Option<String> {
    let program = folder.join("program");
    let mut compiler = Command::new("cc");
    compiler.args([
        "-std=c99",
        "-w",
        "-DCL_TARGET_OPENCL_VERSION=110",
        "-DCL_USE_DEPRECATED_OPENCL_1_0_APIS",
    ]);
    compiler.arg(path).arg("-o").arg(&program).arg("-lOpenCL");
    if !compiler.output().ok()?.status.success() {
        return None;
    }
    // Cargo builds the library beside the tests.
    let test = std::env::current_exe().ok()?;
    let library = test.parent()?.join("libwarpsim_opencl.so");
    let vendors = folder.join("vendors/");
    std::fs::create_dir_all(&vendors).ok()?;
    std::fs::write(vendors.join("warpsim.icd"), format!("{}\n", library.display())).ok()?;
    let output = Command::new(&program)
        .args(arguments)
        .env("OCL_ICD_VENDORS", &vendors)
        .env("OCL_ICD_FILENAMES", &library)
        .env("WARPSIM_CHIP", chip)
        .env("WARPSIM_QUIET", "1")
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_example_adds_vectors() {
    let [(path, arguments), ..] = programs();
    for (chip, name) in CHIPS.into_iter().zip(["GeForce 8800 GTX", "GeForce GTX 280", "GeForce GTX 480"]) {
        let run = embedded(&path, chip, arguments);
        assert_eq!((run.code, run.message.as_str()), (0, ""), "{}", run.err);
        assert_eq!(run.out, format!("{name}, 1000 elements: PASSED\n"));
        assert!(run.hints.is_empty(), "the program releases its objects: {:?}", run.hints);
    }
}

#[test]
fn events_and_callbacks_have_an_order() {
    let [_, (path, _), _] = programs();
    let run = embedded(&path, "fermi", &[]);
    let expected = "source 0\n1 kernel scale\nstatus 3\ncallback 0: first\ncallback 0: marker\n\
                    mapped 1 4 634\ndestroyed 7\nend\n";
    assert_eq!((run.code, run.out.as_str()), (0, expected), "{}", run.message);
}

#[test]
fn images_are_read() {
    let [.., (path, _)] = programs();
    let run = embedded(&path, "gt200", &[]);
    assert_eq!((run.code, run.out.as_str()), (0, "image 0\nbuild 0\n0 1 7 63\n0 32 9\n"), "{}", run.message);
}

#[test]
fn the_header_declares_all_functions_of_1_1() {
    // Functions of 1.2 that always fail.
    const REFUSED: [&str; 3] = ["clCreateProgramWithBuiltInKernels", "clCreateSubDevices", "clLinkProgram"];
    let header = text(&root().join("language/cuda/src/headers/cl/cl.h"));
    for name in warpsim_opencl::calls::names().filter(|name| !REFUSED.contains(name)) {
        assert!(header.contains(&format!(" {name}(")) || header.contains(&format!("*{name}(")), "{name}");
    }
}

#[test]
fn programs_print_what_they_print_with_the_loader() {
    for (path, arguments) in programs() {
        for chip in CHIPS {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let Some(expected) = native(&path, chip, arguments, folder.path()) else {
                say("!!!! SKIPPED programs_print_what_they_print_with_the_loader: needs cc and -lOpenCL\n");
                return;
            };
            assert_eq!(embedded(&path, chip, arguments).out, expected, "{} on {chip}", path.display());
        }
    }
}

#[test]
fn a_wait_without_end_is_an_error() {
    let [_, (path, _), _] = programs();
    let run = embedded(&path, "fermi", &["hang"]);
    assert_eq!(run.code, 136);
    assert!(run.message.contains("`clFinish` never returns"), "{}", run.message);
    assert!(run.message.contains("user event"), "{}", run.message);
}

#[test]
fn handles_are_no_memory() {
    let program = "#include <CL/cl.h>\nint main(void) {\n    cl_platform_id id;\n    clGetPlatformIDs(1, &id, 0);\n    \
                   return *(int *)id;\n}\n";
    let run = run("handle.c", program, "fermi", &[]);
    assert_eq!(run.code, 139, "{}", run.message);
    assert!(run.message.contains("handle.c:5"), "{}", run.message);
}

#[test]
fn errors_of_kernels_name_their_line() {
    let program = "#include <CL/cl.h>\n#include <stdio.h>\nint main(void) {\n\
        const char *source = \"__kernel void f(__global int *p)\\n{\\n    p[0] = q;\\n}\\n\";\n\
        cl_device_id device; char log[1000];\n\
        clGetDeviceIDs(0, CL_DEVICE_TYPE_ALL, 1, &device, 0);\n\
        cl_context context = clCreateContext(0, 1, &device, 0, 0, 0);\n\
        cl_program program = clCreateProgramWithSource(context, 1, &source, 0, 0);\n\
        printf(\"%d\\n\", clBuildProgram(program, 0, 0, 0, 0, 0));\n\
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, 0);\n\
        puts(log);\nreturn 0;\n}\n";
    for name in ["log.c", "log.cpp", "log.cu"] {
        let run = run(name, program, "gt200", &[]);
        assert_eq!((run.code, &run.out[..4]), (0, "-11\n"), "{}", run.message);
        assert!(
            run.out.contains("program.cl:3:12") && run.out.contains("`q` is not declared"),
            "{}",
            run.out
        );
    }
}

/// On chips with parameters in shared memory, more than 256 bytes are in constant memory.
#[test]
fn kernels_have_more_parameters_than_shared_memory_holds() {
    let program = "#include <CL/cl.h>\n#include <stdio.h>\ntypedef struct { int v[130]; } Many;\nint main(void) {\n\
        const char *source = \"typedef struct { int v[130]; } Many;\\n\"\n\
            \"__kernel void f(__global int *p, Many many) {\\n\"\n\
            \"int i = get_global_id(0); p[i] = many.v[i] + many.v[129];\\n}\\n\";\n\
        cl_device_id device; Many many; int out[64]; size_t range = 64;\n\
        for (int i = 0; i < 130; i++) many.v[i] = 3 * i;\n\
        clGetDeviceIDs(0, CL_DEVICE_TYPE_ALL, 1, &device, 0);\n\
        cl_context context = clCreateContext(0, 1, &device, 0, 0, 0);\n\
        cl_command_queue queue = clCreateCommandQueue(context, device, 0, 0);\n\
        cl_program program = clCreateProgramWithSource(context, 1, &source, 0, 0);\n\
        clBuildProgram(program, 0, 0, 0, 0, 0);\n\
        cl_kernel kernel = clCreateKernel(program, \"f\", 0);\n\
        cl_mem p = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof out, 0, 0);\n\
        clSetKernelArg(kernel, 0, sizeof p, &p);\n\
        clSetKernelArg(kernel, 1, sizeof many, &many);\n\
        int status = clEnqueueNDRangeKernel(queue, kernel, 1, 0, &range, &range, 0, 0, 0);\n\
        clEnqueueReadBuffer(queue, p, CL_TRUE, 0, sizeof out, out, 0, 0, 0);\n\
        printf(\"%d %d %d\\n\", status, out[0], out[63]);\nreturn 0;\n}\n";
    for chip in ["g80", "gt200", "fermi"] {
        let run = run("many.c", program, chip, &[]);
        assert_eq!((run.code, &*run.out), (0, "0 387 576\n"), "{chip}: {}", run.message);
    }
}

/// Programs with different texts have different names.
#[test]
fn programs_of_several_texts_have_names() {
    let program = "#include <CL/cl.h>\n#include <stdio.h>\nint main(void) {\n\
        const char *all[4] = {\"__kernel void f(void) { a; }\", \"__kernel void g(void) { b; }\",\n\
            \"__kernel void f(void) { a; }\", \"__kernel void h(void) { c; }\"};\n\
        cl_device_id device; char log[1000];\n\
        clGetDeviceIDs(0, CL_DEVICE_TYPE_ALL, 1, &device, 0);\n\
        cl_context context = clCreateContext(0, 1, &device, 0, 0, 0);\n\
        for (int i = 0; i < 4; i++) {\n\
            cl_program program = clCreateProgramWithSource(context, 1, &all[i], 0, 0);\n\
            clBuildProgram(program, 0, 0, 0, 0, 0);\n\
            clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, 0);\n\
            puts(log);\n\
        }\nreturn 0;\n}\n";
    let run = run("names.c", program, "fermi", &[]);
    let places: Vec<&str> = run.out.lines().filter_map(|line| Some(line.split_once("--> ")?.1)).collect();
    let expected = ["program.cl:1:25", "program2.cl:1:25", "program.cl:1:25", "program3.cl:1:25"];
    assert_eq!(places, expected, "{}\n{}", run.out, run.message);
}

/// A kernel includes files of the program's folder, and no other files of the host.
#[test]
fn kernels_include_files_of_the_program() {
    let program = r##"#include <CL/cl.h>
#include <stdio.h>
static int build(cl_context context, const char *source) {
    cl_program program = clCreateProgramWithSource(context, 1, &source, 0, 0);
    int status = clBuildProgram(program, 0, 0, "-I .", 0, 0);
    clReleaseProgram(program);
    return status;
}
int main(void) {
    FILE *one = fopen("one.h", "w"), *two = fopen("two.h", "w");
    fputs("int one(void) { return 1; }\n", one);
    fputs("int two(void) { return 2; }\n", two);
    fclose(one);
    fclose(two);
    cl_device_id device;
    clGetDeviceIDs(0, CL_DEVICE_TYPE_ALL, 1, &device, 0);
    cl_context context = clCreateContext(0, 1, &device, 0, 0, 0);
    printf("%d ", build(context, "#include \"one.h\"\n#include \"two.h\"\n"
        "__kernel void k(__global int *p) { p[0] = one() + two(); }"));
    printf("%d\n", build(context, "#include \"Cargo.toml\"\n__kernel void k(__global int *p) { p[0] = 1; }"));
    clReleaseContext(context);
    return 0;
}
"##;
    assert!(Path::new("Cargo.toml").is_file(), "a file of the host");
    let run = run("files.c", program, "fermi", &[]);
    assert_eq!((run.code, run.out.as_str()), (0, "0 -11\n"), "{}{}", run.err, run.message);
}
