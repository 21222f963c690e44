//! The programs in CUDA C that the page offers pass on all chips that have what they need, with the
//! output and the report of the program.

use lab::catalog::{KERNELS, PROGRAMS};
use lab::check::{DirectLaunch, launch_for};
use lab::lowered::lowered;
use lab::request::{NamedBytes, NamedText, Request};
use lab::run::run;

fn request(name: &str, text: &str, chip: &str) -> Request {
    let name = if name.contains('.') { name.to_owned() } else { format!("{name}.cu") };
    let ptx = NamedText { name, text: text.to_owned() };
    Request { ptx: Some(ptx), chip: Some(chip.to_owned()), ..Request::default() }
}

#[test]
fn the_programs_of_the_page_pass() {
    for (name, text) in PROGRAMS {
        let mut passed = 0;
        for chip in ["g80", "gt200", "fermi"] {
            let ran = run(&request(name, text, chip), None);
            // Exit code 3: the chip has a lower compute capability than the program needs.
            assert!(
                matches!(ran.code, 0 | 2 | 3),
                "{name} on {chip}: {} {:?}\n{}",
                ran.code,
                ran.messages,
                ran.text
            );
            assert_eq!(ran.passed, None, "nothing but the program has checked its results");
            if ran.code == 0 {
                assert!(
                    ran.text.contains("PASSED") && ran.text.contains("\nprogram "),
                    "{name}: {}",
                    ran.text
                );
                assert!(
                    !ran.json.is_empty() && !ran.pictures.parts.is_empty(),
                    "{name} has reports and pictures"
                );
                passed += 1;
            }
        }
        assert!(passed > 0, "{name} passes on no chip");
    }
}

#[test]
fn kernels_in_cuda_c_run_with_a_launch_file() {
    let text = "__global__ void twice(float *x)\n{\n    x[threadIdx.x] *= 2;\n}\n";
    let launch = "(entry: \"twice\", grid: 1, block: 32, params: { x: buf(\"x\") }, \
                  buffers: { \"x\": (type: f32, len: 32, init: iota(0, 1)) }, \
                  expect: [(buf: \"x\", formula: \"2 * i\")])";
    let launch = Some(NamedText { name: "twice.ron".to_owned(), text: launch.to_owned() });
    let ran = run(&Request { launch, ..request("twice", text, "g80") }, None);
    assert_eq!(ran.code, 0, "{:?}\n{}", ran.messages, ran.text);
    assert!(ran.text.contains("3: x[threadIdx.x] *= 2;"), "{}", ran.text);
    assert_eq!(ran.passed, Some(true));
}

#[test]
fn kernels_in_opencl_c_of_the_page_pass() {
    for (name, text, launch) in KERNELS {
        let launch = Some(NamedText { name: "vadd.ron".to_owned(), text: launch.to_owned() });
        let ran = run(&Request { launch, ..request(name, text, "g80") }, None);
        assert_eq!((ran.code, ran.passed), (0, Some(true)), "{name}: {:?}\n{}", ran.messages, ran.text);
        assert!(ran.text.contains("4 work-groups (4,1,1) of 256 work-items"), "{}", ran.text);
        let titles: Vec<&str> = ran.pictures.parts.iter().map(|part| &*part.title).collect();
        assert!(titles.contains(&"Load of compute units and memory"), "{titles:?}");
    }
}

/// The options of a command of a lesson become a launch file.
#[test]
fn options_become_a_launch_file() {
    let (name, text, _) = KERNELS[0];
    let wanted = request(name, text, "g80");
    let direct = DirectLaunch {
        global: Some("1024".to_owned()),
        local: Some("256".to_owned()),
        arguments: vec!["n=1000".to_owned(), "a=iota(0,1)".to_owned()],
        expect: vec!["c=(i+1)*(i<1000)".to_owned()],
        ..DirectLaunch::default()
    };
    let launch = launch_for(&wanted, Some(&direct)).expect("a launch file");
    assert!(launch.starts_with("// note: `b` is a buffer of 1024 f32 with the value 1"), "{launch}");
    let launch = Some(NamedText { name: "vadd.ron".to_owned(), text: launch });
    let ran = run(&Request { launch, ..wanted.clone() }, None);
    assert_eq!((ran.code, ran.passed), (0, Some(true)), "{:?}\n{}", ran.messages, ran.text);
    let wrong = DirectLaunch { global: Some("1000".to_owned()), ..direct };
    let refused = launch_for(&wanted, Some(&wrong)).expect_err("no partial work-groups").message;
    assert!(refused.contains("1000 work-items are no multiple of a work-group of 256"), "{refused}");
    let own = launch_for(&wanted, None).expect("a launch file");
    assert!(own.contains("entry: \"vadd\""), "{own}");
}

/// Local and constant memory have their arguments in a new launch file.
#[test]
fn a_new_launch_file_runs_a_kernel_in_opencl_c() {
    let text = "__kernel void f(__constant float *c, __local int *l, __global float *out)\n{\n\
                l[get_local_id(0)] = 1;\nout[get_global_id(0)] = c[0] * l[0];\n}\n";
    let wanted = request("f.cl", text, "fermi");
    let launch = launch_for(&wanted, None).expect("a launch file");
    for part in ["constant(\"c\"),", "local(1024),", "l: bytes per work-group", "number of work-groups"] {
        assert!(launch.contains(part), "{part} in\n{launch}");
    }
    let launch = Some(NamedText { name: "f.ron".to_owned(), text: launch });
    let ran = run(&Request { launch, ..wanted }, None);
    assert_eq!(ran.code, 0, "{:?}\n{}", ran.messages, ran.text);
}

/// A launch without expected results is not checked, and a wrong result is an error.
#[test]
fn only_expected_results_are_checked() {
    let text = "__global__ void twice(float *x)\n{\n    x[threadIdx.x] *= 2;\n}\n";
    let launch = "(entry: \"twice\", grid: 1, block: 32, params: { x: buf(\"x\") }, \
                  buffers: { \"x\": (type: f32, len: 32, init: iota(0, 1)) }, EXPECT)";
    let ran = |expect: &str| {
        let launch = NamedText { name: "twice.ron".to_owned(), text: launch.replace("EXPECT", expect) };
        let ran = run(&Request { launch: Some(launch), ..request("twice", text, "g80") }, None);
        (ran.code, ran.passed)
    };
    assert_eq!(ran(""), (0, None));
    assert_eq!(ran("expect: [(buf: \"x\", formula: \"3 * i\")]"), (1, Some(false)));
    let kernel = Request { kernel: Some("vecadd".to_owned()), size: Some(256), ..Request::default() };
    assert_eq!(run(&kernel, None).passed, Some(true));
}

/// An error that a checker has found is an error of a program, too.
#[test]
fn findings_of_checkers_are_errors_of_a_program() {
    let text = "__global__ void shift(int *x) { x[threadIdx.x] = x[(threadIdx.x + 32) % 64]; }\nint main() { int \
                *d; cudaMalloc((void **)&d, 256); cudaMemset(d, 0, 256); shift<<<1, 64>>>(d); \
                cudaThreadSynchronize(); cudaFree(d); return 0; }\n";
    let checked = Request { checks: vec![lab::request::CheckName::Race], ..request("shift", text, "g80") };
    let ran = run(&checked, None);
    assert_eq!(ran.code, 1, "{}", ran.text);
    assert!(ran.messages.iter().any(|line| line.starts_with("error: 1 finding")), "{:?}", ran.messages);
}

#[test]
fn a_wrong_program_has_messages_and_no_report() {
    let ran = run(&request("wrong", "int main() { return misspelt; }\n", "g80"), None);
    assert!(ran.code == 2 && ran.messages[0].contains("misspelt"), "{:?}", ran.messages);
    let ran = run(&request("null", "int main() { int *p = 0; return *p; }\n", "g80"), None);
    assert!(ran.code == 139 && ran.messages[0].contains("a null pointer is used"), "{:?}", ran.messages);
}

#[test]
fn each_line_of_cuda_c_has_its_ptx_and_its_micro_ops() {
    let text = "__global__ void k(float *x)\n{\n    int i = threadIdx.x;\n    x[i] = sqrtf(x[i]);\n}\n\
                int main()\n{\n    k<<<1, 32>>>(0);\n}\n";
    let program = lowered(&request("k", text, "fermi")).expect("it compiles");
    assert!(program.is_cuda_c);
    let of = |line: u32| {
        let lines = program.lines.iter().filter(move |one| one.line == line);
        let ptx: Vec<&str> = lines.clone().map(|one| one.text.trim()).collect();
        let ops: Vec<&str> = lines.flat_map(|one| &one.micro_ops).map(|op| &*op.text).collect();
        (ptx.join("\n"), ops.join("\n"))
    };
    let (ptx, ops) = of(3);
    assert!(ptx.contains("%tid.x") && ops.contains("%tid.x"), "{ptx}\n{ops}");
    // The body of the mathematical function belongs to the line of its call.
    let (ptx, ops) = of(4);
    assert!(["ld.global.f32", "sqrt", "st.global.f32"].iter().all(|word| ptx.contains(word)), "{ptx}");
    assert!(["ld.global.b32", "sqrt", "st.global.b32"].iter().all(|word| ops.contains(word)), "{ops}");
    assert!(ptx.starts_with("// 4: x[i] = sqrtf(x[i]);"), "{ptx}");
    // Host code and directives have no PTX.
    assert_eq!([of(7), of(8)], [(String::new(), String::new()), (String::new(), String::new())]);
    let bare = program.lines.iter().find(|one| one.text.contains(".entry")).expect("the kernel");
    assert_eq!((bare.line, bare.micro_ops.len()), (0, 0));
    let all: Vec<usize> = program.lines.iter().flat_map(|one| &one.micro_ops).map(|op| op.pc).collect();
    assert_eq!(all, (0..all.len()).collect::<Vec<_>>());
    let wrong = lowered(&request("k", "__global__ void k() { x; }\n", "fermi")).expect_err("an error");
    assert!(wrong.message.contains("undeclared-name"), "{}", wrong.message);
    // PTX has the lines of its text.
    let kernel = Request { kernel: Some("vecadd".to_owned()), ..Request::default() };
    let kernel = lowered(&kernel).expect("it compiles");
    assert!(!kernel.is_cuda_c && kernel.lines.iter().zip(1..).all(|(one, number)| one.line == number));
    let load = kernel.lines.iter().find(|one| one.text.contains("ld.global.f32")).expect("a load");
    assert!(load.micro_ops[0].text.starts_with("ld.global.b32"), "{load:?}");
}

#[test]
fn a_program_reads_its_input_and_its_files_and_returns_what_it_writes() {
    let text = "#include <stdio.h>\nint main() {\n  int a, b;\n  scanf(\"%d\", &a);\n  \
                FILE *in = fopen(\"in.txt\", \"r\");\n  if (!in) return 1;\n  fscanf(in, \"%d\", &b);\n  \
                FILE *out = fopen(\"out.txt\", \"w\");\n  fprintf(out, \"%d\", a + b);\n}\n";
    let file = |name: &str, base64: &str| NamedBytes { name: name.to_owned(), base64: base64.to_owned() };
    let given = Request { input: "40".to_owned(), ..request("io", text, "g80") };
    assert_eq!(run(&given, None).code, 1);
    let given = Request { files: vec![file("in.txt", "Mg==")], ..given };
    let ran = run(&given, None);
    // The program ends without `fclose`, as many do.
    assert_eq!((ran.code, ran.files), (0, vec![file("out.txt", "NDI=")]), "{:?}", ran.messages);
    for (name, base64, expected) in [
        ("../in.txt", "Mg==", "the file `../in.txt` is refused: the path is not that of a file"),
        ("in.txt", "2", "the file `in.txt` is not base 64"),
    ] {
        let ran = run(&Request { files: vec![file(name, base64)], ..given.clone() }, None);
        assert!(ran.code == 2 && ran.messages[0].contains(expected), "{:?}", ran.messages);
    }
}

#[test]
fn a_file_above_the_limit_is_a_message() {
    let text = "#include <stdio.h>\nstatic char block[1 << 20];\nint main() {\n  \
                FILE *out = fopen(\"out.bin\", \"w\");\n  int written = 0;\n  \
                for (int i = 0; i < 40; i++) written += fwrite(block, 1 << 20, 1, out);\n  \
                printf(\"%d\\n\", written);\n}\n";
    let ran = run(&request("large", text, "g80"), None);
    let message =
        "error: the file `out.bin` is not written: the limit for files of a program is 16 MiB\n16\n";
    assert!(ran.text.starts_with(message), "{}", ran.text);
}

#[test]
fn a_text_with_the_name_of_a_built_in_kernel_is_not_that_kernel() {
    let ptx = Some(NamedText { name: "vecadd".to_owned(), text: ".version 1.4\n.target sm_10\n".to_owned() });
    let ran = run(&Request { ptx, ..Request::default() }, None);
    assert!(ran.messages[0].contains("`vecadd` is the name of a built-in kernel"), "{:?}", ran.messages);
}
