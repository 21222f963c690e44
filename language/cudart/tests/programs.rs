//! A program in CUDA C++, compiled by clang and linked with the library: both parts of the ABI as a
//! compiler uses them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use test_support::tools::{Tool, clang};

/// Runs a command that has to succeed.
fn succeed(command: &mut Command) {
    let output = command.output().expect("the command starts");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{messages}");
}

/// The folder with the shared library: cargo builds it beside the tests.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a file");
    test.parent().expect("a file is in a folder").to_owned()
}

/// Compiles the program into `folder`.
fn build(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/program.cu");
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../include");
    let clang = clang().expect("the caller has checked it");
    let (ptx, object, program) = (folder.join("p.ptx"), folder.join("p.o"), folder.join("program"));
    let compiler = || {
        let mut command = Command::new(&clang);
        command.args(["-x", "cuda", "--cuda-gpu-arch=sm_20", "-nocudainc", "-nocudalib", "-O2", "-I"]);
        command.arg(&headers).arg(&source);
        command
    };
    succeed(compiler().args(["--cuda-device-only", "-S", "-o"]).arg(&ptx));
    let mut text = std::fs::read(&ptx).expect("clang has written the text");
    text.push(0);
    std::fs::write(&ptx, text).expect("the folder is writable");
    let mut host = compiler();
    host.args(["--cuda-host-only", "-c", "-Xclang", "-fcuda-include-gpubinary", "-Xclang"]).arg(&ptx);
    succeed(host.arg("-o").arg(&object));
    let rpath = format!("-Wl,-rpath,{}", library().display());
    let mut link = Command::new(&clang);
    link.arg(&object).arg("-o").arg(&program).arg("-L").arg(library());
    succeed(link.args(["-lwarpsim_cuda", "-lpthread", &rpath]));
    program
}

fn run(program: &Path, mode: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(program);
    command.arg(mode).envs(variables.iter().copied());
    command.output().expect("the program starts")
}

#[test]
fn a_program_of_clang_runs() {
    if Tool::Clang.is_missing("a_program_of_clang_runs") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = build(folder.path());
    let check = |mode: &str, variables: &[(&str, &str)], code: i32, out: &str, err: &str| {
        let output = run(&program, mode, variables);
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!((output.status.code(), &*stdout), (Some(code), out), "{mode}: {stderr}");
        assert!(stderr.contains(err), "{mode}: {stderr}");
        stderr.into_owned()
    };
    let printed = "before\nkernel 3, thread 0\nkernel 3, thread 1\nafter, 1000 threads\n";
    let ending = check("compute", &[], 0, printed, "warpsim: fermi: 2 launches, 0.");
    assert_eq!(ending.lines().count(), 1, "{ending}");
    let functional = [("WARPSIM_FUNCTIONAL", "1"), ("WARPSIM_QUIET", "1")];
    assert_eq!(check("compute", &functional, 0, printed, ""), "");
    check("compute", &[("WARPSIM_CHIP", "g81")], 2, "", "WARPSIM_CHIP=g81: unknown chip");
    let report = folder.path().join("report.json");
    let path = report.to_str().expect("a path is text");
    check("managed", &[("WARPSIM_REPORT", path)], 0, "42\n", "1 launch,");
    let record = std::fs::read_to_string(&report).expect("the program has written it");
    for part in [
        "\"kernel\": \"_Z3sumP4Node\"",
        "\"limited_by\"",
        "\"pages_to_device\": 2",
        "\"leaks\": [\n    16,\n    32\n  ]",
    ] {
        assert!(record.contains(part), "{part}: {record}");
    }
    let trap = check("trap", &[], 0, "cudaErrorIllegalAddress\n", "is out of bounds: parameter ");
    assert!(trap.contains("kernel `add`, block (0,0,0), thread (1,0,0)"), "{trap}");
    let checked =
        check("trap", &[("WARPSIM_CHECK", "memory")], 0, "cudaErrorIllegalAddress\n", "out of bounds");
    assert!(checked.contains("ld.global"), "{checked}");
    let launches = folder.path().join("launches");
    let path = launches.to_str().expect("a path is text");
    check("compute", &[("WARPSIM_RECORD", path), ("WARPSIM_QUIET", "1")], 0, printed, "");
    let launch = launches.join("00001-add");
    let file = std::fs::read_to_string(launch.join("launch.ron")).expect("the launch is recorded");
    for part in [
        "entry: \"_Z3addPii\",\n    grid: (8, 1, 1),\n    block: (128, 1, 1),",
        "params: [buf(\"m00001000\", 0), u32(1000)],",
        "\"m00001000\": (type: u8, bytes: 4000, init: file(\"m00001000.bin\")),",
        "\"offset\": (type: u8, init: values([7, 0, 0, 0])),",
        "expect: [\n        (buf: \"m00001000\", file: \"m00001000.expected.bin\"),",
    ] {
        assert!(file.contains(part), "{part}: {file}");
    }
    assert!(launch.join("kernel-1.ptx").exists());
    check("fork", &functional, 0, "", "");
    check("threads", &functional, 0, "5120\n", "");
    check("callback", &functional, 3, "callback\n", "");
}

#[test]
fn the_record_has_unread_errors_and_each_finding_once() {
    if Tool::Clang.is_missing("the_record_has_unread_errors_and_each_finding_once") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = build(folder.path());
    let report = folder.path().join("report.json");
    let path = report.to_str().expect("a path is text");
    let record = |mode: &str, check: &str| {
        let output = run(&program, mode, &[("WARPSIM_REPORT", path), ("WARPSIM_CHECK", check)]);
        assert!(output.status.success(), "{output:?}");
        let text = std::fs::read_to_string(&report).expect("the program has written it");
        let record: serde_json::Value = serde_json::from_str(&text).expect("a record is JSON");
        (record, String::from_utf8(output.stderr).expect("messages are text"))
    };
    let (unread, _) = record("unchecked", "");
    let errors = unread["unchecked"].as_array().expect("a list");
    assert_eq!((errors.len(), &errors[0]["times"]), (1, &serde_json::json!(2)), "{errors:?}");
    assert_eq!(errors[0]["error"], "cudaErrorInvalidConfiguration");
    assert_eq!(errors[0]["kernel"], "nothing");
    assert_eq!(record("checked", "").0["unchecked"], serde_json::json!([]));
    assert_eq!(record("trap", "").0["unchecked"], serde_json::json!([]));
    let (warnings, messages) = record("warnings", "all");
    assert_eq!(messages.matches("unneeded_barrier").count(), 1, "{messages}");
    let found = warnings["findings"].as_array().expect("a list");
    assert_eq!((found.len(), &found[0]["launches"]), (1, &serde_json::json!(33)), "{found:?}");
    let place = found[0]["place"].as_str().expect("text");
    assert!(place.starts_with("PTX "), "no line numbers were compiled: {place}");
}

/// Standard output and standard error are the same pipe.
#[test]
fn buffered_output_comes_before_messages() {
    if Tool::Clang.is_missing("buffered_output_comes_before_messages") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = build(folder.path());
    let shell = format!("'{}' unchecked 2>&1 | cat", program.display());
    let output = Command::new("sh").args(["-c", &shell]).output().expect("the shell starts");
    let text = String::from_utf8(output.stdout).expect("output is text");
    let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
    assert!(place("first") < place("4096") && place("second") < place("warpsim: fermi: "), "{text}");
}
