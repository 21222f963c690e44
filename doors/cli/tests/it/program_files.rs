//! Files of programs: what a program may write, which file a report replaces, and which lines
//! messages quote.

use crate::common::{Run, command, scratch, warpsim_with};
use std::fs::{self, File};
use std::path::Path;
use test_support::tools::Tool;

/// Runs a command in a folder.
fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    let output = command(arguments).current_dir(folder).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Tries to write the files of its arguments.
const WRITES: &str = r#"#include <stdio.h>
#include "part.h"
__global__ void k() {}
int main(int count, char **names) {
    for (int i = 1; i < count; i++) {
        FILE *f = fopen(names[i], "w");
        printf("%s: %d\n", names[i], f != NULL);
        if (f) { fprintf(f, "mine\n"); fclose(f); }
        f = fopen(names[i], "r+");
        if (f) { fprintf(f, "changed\n"); fclose(f); }
    }
    k<<<1, 1>>>();
    return 0;
}
"#;

/// Tests: `no-input-is-overwritten`.
#[test]
fn a_program_writes_no_file_that_its_run_uses() {
    let folder = scratch("files-program");
    let path = |name: &str| folder.join(name);
    fs::create_dir(path("inner")).expect("made");
    fs::write(path("w.cu"), WRITES).expect("written");
    fs::write(path("part.h"), "#include \"inner/deep.h\"\n").expect("written");
    fs::write(path("inner/deep.h"), "// deep\n").expect("written");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/fermi.ron"), path("c.ron"))
        .expect("a chip");
    fs::hard_link(path("w.cu"), path("hard")).expect("linked");
    let names =
        ["w.cu", "./inner/../w.cu", "hard", "part.h", "inner/deep.h", "c.ron", "r.json", "out.txt", "new"];
    let arguments = ["run", "w.cu", "--compiler", "embedded", "--chip", "c.ron", "--json", "r.json", "--"];
    let kept: Vec<Vec<u8>> = names[..6].iter().map(|name| fs::read(path(name)).expect("read")).collect();
    let mut run = command(&[&arguments[..], &names].concat());
    run.current_dir(&folder).stdout(File::create(path("out.txt")).expect("made"));
    let output = run.output().expect("it starts");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let printed = fs::read_to_string(path("out.txt")).expect("read");
    let expected = names.map(|name| format!("{name}: {}\n", u8::from(name == "new"))).concat();
    assert_eq!(printed, expected, "{stderr}");
    let message = "error: the file `w.cu` is not written: this run itself reads or writes it";
    assert_eq!(stderr.matches("is not written").count(), 1, "{stderr}");
    assert!(stderr.contains(message), "{stderr}");
    for (name, bytes) in names.iter().zip(kept) {
        assert_eq!(fs::read(path(name)).expect("read"), bytes, "{name}");
    }
    assert_eq!(fs::read_to_string(path("new")).expect("read"), "changed\n");
    let report: serde_json::Value =
        serde_json::from_slice(&fs::read(path("r.json")).expect("read")).expect("JSON");
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(1));
}

/// Tests: `no-input-is-overwritten`.
#[test]
fn a_report_of_a_program_replaces_no_source() {
    let folder = scratch("files-report");
    let path = |name: &str| folder.join(name);
    let text = "#include \"part.json\"\nint main() { return PART; }\n";
    fs::write(path("p.cu"), text).expect("written");
    fs::write(path("part.json"), "#define PART 3\n").expect("written");
    fs::hard_link(path("p.cu"), path("p.html")).expect("linked");
    for (option, file) in [("--json", "part.json"), ("--html", "p.html")] {
        let Run { code, stderr, .. } =
            run_in(&folder, &["run", "p.cu", "--compiler", "embedded", option, file]);
        assert!(code == Some(2) && stderr.contains("which this run reads"), "{stderr}");
    }
    fs::write(path("k.cu"), "#include \"k.h\"\n").expect("written");
    fs::write(path("k.h"), "__global__ void k(int *p) { *p = 1; }\n").expect("written");
    for arguments in [
        &["compile", "k.cu", "-o", "k.h"][..],
        &["run", "k.cu", "--grid", "1", "--block", "1", "--arg", "p=(type: s32, len: 1)", "--json", "k.h"],
    ] {
        let Run { code, stderr, .. } = run_in(&folder, arguments);
        assert!(code == Some(2) && stderr.contains("which this run reads"), "{arguments:?}: {stderr}");
    }
    assert_eq!(fs::read_to_string(path("p.html")).expect("read"), text);
    assert_eq!(fs::read_to_string(path("part.json")).expect("read"), "#define PART 3\n");
    assert_eq!(run_in(&folder, &["run", "p.cu", "--compiler", "embedded", "--json", "r.json"]).code, Some(3));
    assert!(path("r.json").exists());
}

#[test]
fn a_report_replaces_no_file_that_a_native_program_wrote() {
    if Tool::Clang.is_missing("a_report_replaces_no_file_that_a_native_program_wrote") {
        return;
    }
    let folder = scratch("files-native");
    fs::write(folder.join("w.cu"), WRITES).expect("written");
    fs::write(folder.join("part.h"), "").expect("written");
    let base = ["run", "w.cu", "--compiler", "clang"];
    for (option, file) in [("--json", "r.json"), ("--html", "r.html")] {
        fs::write(folder.join(file), "of an earlier run").expect("written");
        let run = run_in(&folder, &[&base[..], &[option, file, "--", file]].concat());
        assert_eq!((run.code, run.stdout), (Some(2), format!("{file}: 1\n")), "{}", run.stderr);
        assert!(run.stderr.contains("the program has written this file"), "{}", run.stderr);
        assert_eq!(fs::read_to_string(folder.join(file)).expect("read"), "changed\n");
        // Only the program's file is there at the end of a run, and it is replaced in the next one.
        let run = run_in(&folder, &[&base[..], &[option, file]].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(fs::read_to_string(folder.join(file)).expect("read").contains("launches"));
    }
    assert_eq!(fs::read_dir(&folder).expect("listed").count(), 4, "no temporary file is left");
}

/// A header outside of the folder of the program, with mistakes of several kinds.
const SECRETS: [(&str, &str); 6] = [
    ("tokens", "root:x:0:0:hunter2\n"),
    ("undeclared", "int f() { return hunter2; }\n"),
    ("error", "#error hunter2\n"),
    ("macro", "#define VALUE hunter2\n"),
    ("twice", "int f() { int hunter2 = 1; int hunter2 = 2; return hunter2; }\n"),
    ("class", "struct hunter2 { int a; };\nint f() { hunter2 x; return x.b; }\n"),
];

#[test]
fn lines_of_files_outside_of_the_folders_of_a_program_are_not_quoted() {
    let folder = scratch("files-quoted");
    let own = folder.join("own");
    fs::create_dir(&own).expect("made");
    let source = own.join("k.cu");
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    for (name, secret) in SECRETS {
        let outside = folder.join(format!("{name}.h"));
        fs::write(&outside, secret).expect("written");
        let link = own.join(format!("{name}-link.h"));
        std::os::unix::fs::symlink(&outside, &link).expect("linked");
        for included in [text(&outside), format!("../{name}.h"), format!("{name}-link.h")] {
            let code = "#ifndef VALUE\n#define VALUE 1\n#endif\n__global__ void k(int *p) { *p = VALUE; }\n\
                        int main() { return VALUE; }\n";
            fs::write(&source, format!("#include \"{included}\"\n{code}")).expect("written");
            let file = text(&source);
            for arguments in [
                &["run", &file, "--compiler", "embedded"][..],
                &["compile", &file],
                &["check", &file],
                &["run", &file, "--grid", "1", "--block", "1", "--arg", "p=(type: s32, len: 1)"],
            ] {
                let Run { code, stdout, stderr } = warpsim_with(arguments);
                let all = format!("{stdout}{stderr}");
                assert!(!all.contains("hunter2"), "{arguments:?} {included}: {all}");
                if arguments[0] == "run" && arguments.contains(&"embedded") {
                    let named = format!("{name}.h:");
                    assert!(code == Some(2) && (all.contains(&named) || all.contains("-link.h:")), "{all}");
                }
            }
            let permitted = warpsim_with(&["run", &file, "--compiler", "embedded", "-I", &text(&folder)]);
            assert!(permitted.stderr.contains("hunter2"), "{included}: {}", permitted.stderr);
        }
    }
}

#[test]
fn reports_and_messages_of_a_run_do_not_quote_other_files() {
    let folder = scratch("files-quoted-run");
    let own = folder.join("own");
    fs::create_dir(&own).expect("made");
    let header = "__global__ void k(int *p) {\n    p[threadIdx.x] = 7; // hunter2\n}\n\
                  inline void f(int *p) {\n    *p = 1; // hunter2\n}\n";
    fs::write(folder.join("outside.h"), header).expect("written");
    let source = "#include \"../outside.h\"\nint main() {\n    int *p;\n    cudaMalloc(&p, 128);\n    \
                  k<<<1, 32>>>(p);\n    cudaFree(p);\n    f(0);\n}\n";
    fs::write(own.join("k.cu"), source).expect("written");
    let Run { code, stderr, .. } =
        run_in(&own, &["run", "k.cu", "--compiler", "embedded", "--json", "r.json", "--check", "all"]);
    assert_eq!(code, Some(139), "{stderr}");
    assert!(stderr.contains("in `f` at ./../outside.h:5") || stderr.contains("outside.h:5\n"), "{stderr}");
    let report = fs::read_to_string(own.join("r.json")).expect("read");
    assert!(!stderr.contains("hunter2") && !report.contains("hunter2"), "{stderr}\n{report}");
    for arguments in [
        &["compile", "k.cu"][..],
        &["disasm", "k.cu"],
        &["run", "k.cu", "--grid", "1", "--block", "32", "--arg", "p=(type: s32, len: 32)", "--details"],
    ] {
        let Run { stdout, stderr, .. } = run_in(&own, arguments);
        assert!(!format!("{stdout}{stderr}").contains("hunter2"), "{arguments:?}: {stdout}{stderr}");
    }
    // PTX names a source file.
    let ptx = format!(
        ".version 1.4\n.target sm_10\n.file 1 \"{}\"\n.entry k () {{\n.loc 1 2 0\n    ret;\n}}\n",
        folder.join("outside.h").display()
    );
    fs::write(own.join("k.ptx"), ptx).expect("written");
    let Run { stdout, stderr, .. } = run_in(&own, &["disasm", "k.ptx"]);
    assert!(!format!("{stdout}{stderr}").contains("hunter2"), "{stdout}{stderr}");
}
