//! CUDA C on the command line: the examples in `examples/cuda-c`, launches without a launch file,
//! names of kernels and parameters, and files that cannot be compiled.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SAXPY: &str = "__global__ void saxpy(int n, float a, const float *x, float *y)\n{\n    \
                     int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n        \
                     y[i] = a * x[i] + y[i];\n}\n";

fn run(folder: &Path, arguments: &[&str], code: i32) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpsim"));
    let output = command.args(arguments).current_dir(folder).output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "warpsim {arguments:?}: {errors}");
    output
}

fn errors(folder: &Path, arguments: &[&str], code: i32) -> String {
    String::from_utf8(run(folder, arguments, code).stderr).expect("text")
}

/// A new folder with `saxpy.cu`.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder is writable");
    fs::write(folder.join("saxpy.cu"), SAXPY).expect("written");
    folder
}

#[test]
fn the_examples_have_the_expected_results_on_every_generation() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cuda-c");
    for name in ["stencil", "histogram", "scan", "transpose", "convolution", "reduction"] {
        let (source, launch) = (format!("{name}.cu"), format!("{name}.ron"));
        for chip in ["g80", "gt200", "fermi"] {
            run(&folder, &["run", &source, "--launch", &launch, "--chip", chip], 0);
            run(&folder, &["run", &launch, "--chip", chip, "--functional", "-O", "0"], 0);
        }
    }
}

/// `-I` and `-D` as for nvcc, for kernels and for whole programs.
#[test]
fn folders_and_macros_of_the_command_line_are_used() {
    let folder = scratch("preprocess");
    fs::create_dir_all(folder.join("parts")).expect("the folder is writable");
    fs::write(folder.join("parts/twice.cuh"), "#define TWICE(x) (2 * (x))\n").expect("written");
    let program = "#include <cstdio>\n#include <twice.cuh>\n__global__ void k(int *out) { *out = TWICE(N); }\n\
                   int main() {\n    int *d, h;\n    cudaMalloc(&d, 4);\n    k<<<1, 1>>>(d);\n    \
                   cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n    cudaFree(d);\n    \
                   printf(\"%d\\n\", h + N);\n}\n";
    fs::write(folder.join("program.cu"), program).expect("written");
    let options = ["program.cu", "-I", "parts", "-D", "N=5"];
    let output = run(&folder, &[&["run"], &options[..]].concat(), 0);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("15\n"), "{output:?}");
    let direct = ["--grid", "1", "--block", "1", "--arg", "out=(type: s32, len: 1)", "--expect", "out=10"];
    run(&folder, &[&["run"], &options[..], &direct].concat(), 0);
    for command in ["check", "disasm", "compile"] {
        run(&folder, &[&[command], &options[..]].concat(), 0);
    }
    let said = errors(&folder, &["run", "program.cu", "-I", "parts", "--compiler", "embedded"], 2);
    assert!(said.contains("`N` is not declared"), "{said}");
}

#[test]
fn a_kernel_runs_without_a_launch_file() {
    let folder = scratch("direct");
    let saxpy = |more: &[&str], code| {
        let words = [&["run", "saxpy.cu", "--grid", "4", "--block", "256"], more].concat();
        errors(&folder, &words, code)
    };
    let said = saxpy(&["--arg", "n=1000", "--arg", "a=2"], 0);
    assert!(said.contains("note: `x` is a buffer of 1024 f32 with the value 1"), "{said}");
    let values = ["--arg", "n=1000", "--arg", "a=-2.5", "--arg", "x=iota(0,1)", "--arg", "y=fill(3)"];
    for chip in ["g80", "gt200", "fermi"] {
        let right = ["--expect", "y=i < 1000 ? 3 - 2.5 * x[i] : 3", "--chip", chip];
        assert_eq!(saxpy(&[values.as_slice(), &right].concat(), 0), "");
    }
    saxpy(&[values.as_slice(), &["--expect", "y=x[i]"]].concat(), 1);
    let said = saxpy(&["--arg", "n=1000"], 2);
    assert_eq!(said, "error: parameter `a` of kernel `saxpy` has no value\nhelp: add --arg a=VALUE\n");
    let said = saxpy(&["--arg", "m=1000"], 2);
    assert_eq!(said, "error: kernel `saxpy` has no parameter `m`\nhelp: its parameters: n, a, x, y\n");
    let said = saxpy(&["--arg", "n"], 2);
    assert!(said.starts_with("error: `--arg n` has no `=`"), "{said}");
    let said = saxpy(&["--entry", "sapxy"], 2);
    assert!(said.contains("did you mean `saxpy`?"), "{said}");
}

#[test]
fn images_are_refused_by_name() {
    let folder = scratch("images");
    let text = "__kernel void k(__read_only image2d_t img, sampler_t s, __global float4 *p) {\n    \
                p[0] = read_imagef(img, s, (int2)(0, 0));\n}\n";
    fs::write(folder.join("read.cl"), text).expect("written");
    for more in [&[][..], &["--arg", "img=1", "--arg", "s=1"]] {
        let words = [&["run", "read.cl", "--global", "4", "--local", "4"], more].concat();
        let said = errors(&folder, &words, 2);
        assert!(said.starts_with("error: parameter `img` of kernel `k` is an image or sampler"), "{said}");
    }
}

/// Below `sm_13`, an instruction of type `.f64` accesses four of the eight bytes.
#[test]
fn doubles_have_eight_bytes_on_every_chip() {
    let folder = scratch("doubles");
    let text = "__global__ void twice(const double *in, double *out) {\n    \
                out[threadIdx.x] = in[threadIdx.x] * 2;\n}\n";
    fs::write(folder.join("twice.cu"), text).expect("written");
    for chip in ["g80", "gt200", "fermi"] {
        let said = errors(&folder, &["run", "twice.cu", "--grid", "1", "--block", "128", "--chip", chip], 0);
        assert!(said.contains("note: `in` is a buffer of 128 f64 with the value 1"), "{chip}: {said}");
    }
}

#[test]
fn launch_files_name_kernels_and_parameters_as_the_source_does() {
    let folder = scratch("names");
    let launch = |entry: &str, params: &str| {
        let text = format!(
            "(entry: \"{entry}\", grid: 1, block: 32, params: {params}, buffers: {{\n\"x\": (type: f32, len: 32, \
             init: iota(0, 1)), \"y\": (type: f32, len: 32, init: zero)}},\nexpect: [(buf: \"y\", formula: \"2 * x[i]\")])"
        );
        fs::write(folder.join("saxpy.ron"), text).expect("written");
    };
    let run = |code| errors(&folder, &["run", "saxpy.cu", "--launch", "saxpy.ron"], code);
    let named = "{ n: 32, y: buf(\"y\"), x: buf(\"x\"), a: 2 }";
    for entry in ["saxpy", "_Z5saxpyifPKfPf"] {
        launch(entry, named);
        assert_eq!(run(0), "");
        launch(entry, "[s32(32), 2.0, buf(\"x\"), buf(\"y\")]");
        assert_eq!(run(0), "");
    }
    launch("sapxy", named);
    let said = run(2);
    assert!(said.contains("unknown kernel `sapxy`") && said.contains("known names: saxpy"), "{said}");
    launch("saxpy", "{ n: 32, y: buf(\"y\"), x: buf(\"x\"), b: 2 }");
    let said = run(2);
    assert!(said.contains("unknown parameter `b`"), "{said}");
    assert!(said.contains("kernel `saxpy` has parameters without an argument: a"), "{said}");
    launch("saxpy", "{ n: 32, n: 33, y: buf(\"y\"), x: buf(\"x\"), a: 2 }");
    assert!(run(2).contains("two arguments for parameter `n`"));
    launch("saxpy", "{ n: 1.5, y: buf(\"y\"), x: buf(\"x\"), a: 2 }");
    assert!(run(2).contains("1.5 is not a whole number"));
}

#[test]
fn the_target_is_the_capability_of_a_chip_file() {
    let folder = scratch("own-chip");
    fs::write(folder.join("mine.ron"), "(base: \"fermi\", name: \"mine\")").expect("written");
    fs::write(folder.join("hello.cu"), "#include <stdio.h>\n__global__ void k() { printf(\"hello\\n\"); }")
        .expect("written");
    let hello = |chip: &str, code| {
        let words = ["run", "hello.cu", "--grid", "1", "--block", "1", "--chip", chip];
        errors(&folder, &words, code)
    };
    assert_eq!(hello("mine.ron", 0), "");
    assert!(hello("gt200", 2).contains("printf"));
    let said = hello("none.ron", 2);
    assert!(said.contains("none.ron"), "{said}");
}

#[test]
fn init_takes_names_from_the_source() {
    let folder = scratch("init");
    run(&folder, &["init", "saxpy.cu", "--entry", "saxpy", "--out", "saxpy.ron"], 0);
    let text = fs::read_to_string(folder.join("saxpy.ron")).expect("written");
    assert!(text.contains("entry: \"saxpy\"") && text.contains("buf(\"x\")"), "{text}");
    run(&folder, &["run", "saxpy.cu", "--launch", "saxpy.ron"], 0);
}

#[test]
fn every_command_that_takes_ptx_takes_cuda_c() {
    let folder = scratch("commands");
    let wrong = SAXPY.replace("y[i] = a * x[i]", "y[i] = b * x[i]");
    fs::write(folder.join("wrong.cu"), wrong).expect("written");
    fs::write(folder.join("commands.dbg"), "step\n").expect("written");
    run(&folder, &["init", "saxpy.cu", "--out", "k.ron"], 0);
    for words in [
        &["check"][..],
        &["disasm"],
        &["occupancy", "--block", "256"],
        &["init"],
        &["compile"],
        &["run", "--launch", "k.ron"],
        &["trace", "--launch", "k.ron", "--out", "k.json"],
        &["debug", "--launch", "k.ron", "--script", "commands.dbg"],
    ] {
        let with = |file| [&words[..1], &[file], &words[1..]].concat();
        run(&folder, &with("saxpy.cu"), 0);
        let said = errors(&folder, &with("wrong.cu"), 2);
        assert!(said.contains("wrong.cu:5:16") && said.contains("`b`"), "{words:?}: {said}");
    }
}

#[test]
fn files_that_are_no_kernels_are_refused() {
    let folder = scratch("refused");
    fs::write(folder.join("empty.cu"), "").expect("written");
    fs::write(folder.join("host.cu"), "int main() { return 0; }\n").expect("written");
    fs::write(folder.join("syntax.cu"), "__global__ void k(int *a)\n{\n    a[0] = 1\n}\n").expect("written");
    fs::write(folder.join("binary.cu"), [0x7f, b'E', b'L', b'F', 0, 0xff, 0xfe]).expect("written");
    fs::create_dir_all(folder.join("folder.cu")).expect("made");
    for (file, part) in [
        ("missing.cu", "missing.cu"),
        ("syntax.cu", "syntax.cu:3:"),
        ("binary.cu", "binary.cu"),
        ("folder.cu", "folder.cu"),
    ] {
        let said = errors(&folder, &["compile", file], 2);
        assert!(said.starts_with("error") && said.contains(part), "{file}: {said}");
    }
    for file in ["empty.cu", "host.cu"] {
        let said = errors(&folder, &["run", file, "--grid", "1", "--block", "1"], 2);
        assert!(said.contains("has no kernel"), "{file}: {said}");
    }
    let said = errors(&folder, &["compile", "saxpy.cu", "--target", "sm_30"], 2);
    assert!(said.contains("possible values: sm_10, sm_11, sm_12, sm_13, sm_20, sm_21"), "{said}");
}

/// `tests/data/variables.dbg` at `-O0`, where each assignment has its instruction, and a part of it
/// with all optimizations.
#[test]
fn the_debugger_knows_the_variables_of_cuda_c() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let debug = |more: &[&str]| {
        let pair = "pair=bytes([0,0,192,63,5,0,0,0])";
        let launch = ["debug", "variables.cu", "--grid", "1", "--block", "32", "--arg", "n=3", "--arg", pair];
        let output = run(&folder, &[&launch, more, &["--chip", "gt200", "--batch"]].concat(), 0);
        String::from_utf8(output.stdout).expect("text")
    };
    insta::assert_snapshot!(debug(&["-O", "0", "--script", "variables.dbg"]));
    let scratch = scratch("variables");
    let script = scratch.join("short.dbg");
    fs::write(&script, "break variables.cu:26\ncontinue\ninfo locals\n").expect("written");
    let script = script.to_str().expect("a path in UTF-8");
    insta::assert_snapshot!("the_optimizer_keeps_some_variables", debug(&["--script", script]));
    fs::write(script, "break variables.cu:29 if odd == 1\n").expect("written");
    let refused = ["debug", "variables.cu", "--grid", "1", "--block", "32", "--arg", "n=3", "--arg"];
    let more = ["pair=bytes([0,0,192,63,5,0,0,0])", "--batch", "--script", script];
    let said = errors(&folder, &[&refused[..], &more].concat(), 2);
    assert!(said.contains("line 19 assigns `odd` without a separate instruction"), "{said}");
}

#[test]
fn a_step_executes_a_line_of_cuda_c() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let launch = ["debug", "variables.cu", "--grid", "1", "--block", "32", "--arg", "n=3", "-O", "0"];
    let more = ["--arg", "pair=(weight:1.5,count:5)", "--chip", "gt200", "--batch", "--script", "lines.dbg"];
    let output = run(&folder, &[&launch[..], &more].concat(), 0);
    insta::assert_snapshot!(String::from_utf8(output.stdout).expect("text"));
}

const MATRIX: &str = "struct Matrix {\n    int width, height;\n    float *elements;\n};\n\n\
                      struct Options {\n    float scale;\n    unsigned flag : 1, mode : 3;\n    int order[2];\n    \
                      float4 color;\n    bool both;\n};\n\n\
                      __global__ void scale(Matrix a, Matrix out, Options options)\n{\n    \
                      int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < a.width * a.height)\n        \
                      out.elements[i] = a.elements[i] * options.scale + options.order[1] + options.mode\n            \
                      + options.color.w + options.both;\n}\n";

const MATRICES: &str = "(entry: \"scale\", grid: 2, block: 32, params: {\n    \
                        a: (width: 8, height: 4, elements: buf(\"a\")),\n    \
                        out: (width: 8, height: 4, elements: buf(\"out\", 4)),\n    \
                        options: (scale: 2.5, flag: 1, mode: 3, order: [1, 2], color: (x: 0, y: 0, z: 0, w: 0.5), both: true),\n\
                        }, buffers: {\n    \"a\": (type: f32, len: 32, init: iota(0, 1)),\n    \
                        \"out\": (type: f32, len: 33),\n\
                        }, expect: [(buf: \"out\", formula: \"i == 0 ? 0 : 2.5 * a[i - 1] + 6.5\", rel: 1e-6)])\n";

#[test]
fn a_structure_is_given_by_its_fields() {
    let folder = scratch("structures");
    fs::write(folder.join("matrix.cu"), MATRIX).expect("written");
    fs::write(folder.join("matrix.ron"), MATRICES).expect("written");
    for chip in ["g80", "gt200", "fermi"] {
        run(&folder, &["run", "matrix.cu", "--launch", "matrix.ron", "--chip", chip], 0);
    }
    let bad = [
        ("height: 4, elements: buf(\"a\")", "heigth: 4, elements: buf(\"a\")"),
        ("buf(\"out\", 4)", "buf(\"oot\")"),
        ("mode: 3", "mode: 9"),
        ("[1, 2]", "[1]"),
        ("z: 0, w: 0.5", "w: 0.5"),
        ("both: true", "both: 2"),
        ("scale: 2.5", "scale: (x: 1)"),
    ];
    let text = bad.iter().fold(MATRICES.to_owned(), |text, (right, wrong)| text.replace(right, wrong));
    fs::write(folder.join("bad.ron"), text).expect("written");
    insta::assert_snapshot!(errors(
        &folder,
        &["run", "matrix.cu", "--launch", "bad.ron", "--chip", "g80"],
        2
    ));
    // The placeholders of `init` are a valid launch, and the command line takes the same notation.
    let file = run(&folder, &["init", "matrix.cu"], 0).stdout;
    fs::write(folder.join("made.ron"), file).expect("written");
    run(&folder, &["run", "matrix.cu", "--launch", "made.ron"], 0);
    let matrix = "=(width:0,height:0,elements:0)";
    let (a, out) = (format!("a{matrix}"), format!("out{matrix}"));
    let options = "options=(scale:1,flag:0,mode:0,order:[0,0],color:(x:0,y:0,z:0,w:0),both:false)";
    let direct =
        ["run", "matrix.cu", "--grid", "1", "--block", "32", "--arg", &a, "--arg", &out, "--arg", options];
    run(&folder, &direct, 0);
}

/// The address of the variable is passed to a function that is not inlined, so it is in memory.
#[test]
fn a_condition_reads_a_variable_in_local_memory() {
    let folder = scratch("memory");
    let text = "__noinline__ __device__ void add(int *sum, int j)\n{\n    *sum += j;\n}\n\
                __global__ void k(int *out)\n{\n    int sum = 0;\n    for (int j = 0; j < 5; j++) {\n        \
                add(&sum, j);\n    }\n    out[threadIdx.x] = sum;\n}\n";
    fs::write(folder.join("memory.cu"), text).expect("written");
    let script = "break memory.cu:9 if sum == 6\ncontinue\nprint j\nprint sum\n";
    fs::write(folder.join("memory.dbg"), script).expect("written");
    let launch = ["debug", "memory.cu", "--chip", "fermi", "--grid", "1", "--block", "32", "-O", "0"];
    let output = run(&folder, &[&launch[..], &["--batch", "--script", "memory.dbg"]].concat(), 0);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("j = 4 in all lanes") && text.contains("sum = 6 in all lanes"), "{text}");
}

/// A kernel whose code differs between the generations: double precision is computed as single
/// precision below `sm_13`.
const ROWS: &str = "__global__ void rows(const double *a, float *o, int w)\n{\n    \
                    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    double s = 0;\n    \
                    for (int k = 0; k < w; k++)\n        s += a[i * w + k];\n    o[i] = s;\n}\n";

const CHIPS: [&str; 10] =
    ["g80", "fx5600", "8800gt", "gt200", "c1060", "fermi", "c2050", "m2090", "gtx460", "gtx560ti"];

/// A folder with `rows.cu`, `rows.ron`, and an experiment on `chips`.
fn rows(name: &str, chips: &[&str]) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("rows.cu"), ROWS).expect("written");
    let launch = "(entry: \"rows\", grid: 2, block: 64, params: { a: buf(\"a\"), o: buf(\"o\"), w: 8 }, buffers: {\n\
                  \"a\": (type: f64, len: 1024, init: zero), \"o\": (type: f32, len: 128)})";
    fs::write(folder.join("rows.ron"), launch).expect("written");
    let study = format!(
        "(kernels: [(ptx: \"rows.cu\", launch: \"rows.ron\")], chips: {chips:?}, factors: [(vary: \
         chip(\"sm.scheduler\"), values: [lrr, gto])], metrics: [\"cycles\"])"
    );
    fs::write(folder.join("study.ron"), study).expect("written");
    folder
}

fn stdout(folder: &Path, arguments: &[&str]) -> String {
    String::from_utf8(run(folder, arguments, 0).stdout).expect("text")
}

/// Every command compiles a file for its chip: its cycles are the cycles of `run`.
#[test]
fn every_command_compiles_for_its_chip() {
    let folder = rows("every-command", &CHIPS);
    let kernel = ["rows.cu", "--launch", "rows.ron"];
    let mut all = Vec::new();
    for chip in CHIPS {
        let json = stdout(&folder, &[&["run"], &kernel[..], &["--chip", chip, "--json", "-"]].concat());
        let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let cycles = report["runs"][0]["timing"]["cycles"].as_u64().expect("a timed launch");
        all.push((chip, cycles.to_string()));
        let on = [&["run"], &kernel[..], &["--chip", chip]].concat();
        let compared = stdout(&folder, &[&["compare", "--"], &on[..], &["--"], &on[..]].concat());
        let column = |side: &str| -> Option<String> {
            let is_side = |line: &&str| line.trim_start().starts_with(side) && line.contains(" run rows.cu");
            let line = compared.lines().find(is_side)?;
            Some(line.split_whitespace().nth(2)?.replace(',', ""))
        };
        assert_eq!((column("A "), column("B ")), (Some(cycles.to_string()), Some(cycles.to_string())));
        let picture =
            [&["picture", "stalls"], &kernel[..], &["--chip", chip, "--svg", "stalls.svg"]].concat();
        run(&folder, &picture, 0);
        let svg = fs::read_to_string(folder.join("stalls.svg")).expect("a picture").replace(',', "");
        assert!(svg.contains(&format!("{cycles} shader cycles")), "{chip}: {svg}");
    }
    let distinct: std::collections::BTreeSet<&String> = all.iter().map(|(_, cycles)| cycles).collect();
    assert!(distinct.len() > 3, "{all:?}");
    let chips = CHIPS.join(",");
    let swept = [&["sweep"], &kernel[..], &["--chip", &chips, "--metrics", "cycles"]].concat();
    let found = stdout(&folder, &swept);
    let lines: Vec<&str> = found.lines().skip(1).collect();
    assert_eq!(lines.len(), CHIPS.len(), "{found}");
    for (line, (chip, cycles)) in lines.iter().zip(&all) {
        assert!(line.contains(chip) && line.ends_with(&format!(",{cycles}")), "{line}: {cycles}");
    }
    let found = stdout(&folder, &["experiment", "study.ron", "--out", "-"]);
    for (chip, cycles) in &all {
        let row = format!(",{chip},lrr,finished,,{cycles},");
        assert!(found.contains(&row), "{row} in {found}");
    }
}

/// A warning is printed once, and only if a chip of the command has a reason for it.
#[test]
fn demotion_is_told_for_the_chips_of_a_study() {
    let demoted = "`double` is computed as `float` on sm_10";
    for (chips, times) in [(&["g80", "8800gt", "gt200"][..], 1), (&["gt200", "fermi"][..], 0)] {
        let folder = rows("demotion", chips);
        let chips = chips.join(",");
        let sweep = ["sweep", "rows.cu", "--launch", "rows.ron", "--metrics", "cycles", "--chip", &chips];
        for command in [&["experiment", "study.ron"][..], &sweep] {
            let said = errors(&folder, command, 0);
            assert_eq!(said.matches(demoted).count(), times, "{command:?}: {said}");
        }
    }
}

/// A kernel that only some chips can run has no result on the others.
#[test]
fn a_kernel_is_compiled_for_the_chips_that_can_run_it() {
    let folder = scratch("able");
    let kernel = "__global__ void k(int *o)\n{\n    __shared__ int s;\n    s = 0;\n    __syncthreads();\n    \
                  atomicAdd(&s, 1);\n    __syncthreads();\n    o[threadIdx.x] = s;\n}\n";
    fs::write(folder.join("k.cu"), kernel).expect("written");
    let launch = "(entry: \"k\", grid: 1, block: 32, params: { o: buf(\"o\") }, buffers: {\"o\": (type: s32, len: \
                  32)}, expect: [(buf: \"o\", formula: \"32\")])";
    fs::write(folder.join("k.ron"), launch).expect("written");
    let sweep = ["sweep", "k.cu", "--launch", "k.ron", "--metrics", "cycles", "--chip"];
    let output = run(&folder, &[&sweep[..], &["g80,gt200"]].concat(), 2);
    let rows = String::from_utf8(output.stdout).expect("text");
    assert!(rows.contains("g80,bad_input,") && rows.contains("gt200,finished,,"), "{rows}");
    let said = errors(&folder, &[&sweep[..], &["g80"]].concat(), 2);
    assert!(said.contains("`atomicAdd` needs sm_11"), "{said}");
    // The capability can be a factor.
    let swept = ["--set", "capability=1.1,1.3", "--chip", "gt200"];
    let words = [&sweep[..6], &swept].concat();
    let rows = String::from_utf8(run(&folder, &words, 2).stdout).expect("text");
    assert!(rows.contains("1.1,bad_input,") && rows.contains("1.3,finished,,"), "{rows}");
}
