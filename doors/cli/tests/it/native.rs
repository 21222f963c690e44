//! Native programs: they end with the program that started them, and none runs without the word of
//! the user.

use crate::common::{Run, command, scratch, warpsim_with};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use test_support::tools::Tool;

/// A shell that prints the numbers of three processes: of itself, of a child, and of a process that
/// has left its session and whose parent has ended.
const PROCESSES: &str = "trap '' TERM; sleep 1000 & child=$!; \
                         orphan=$(setsid sh -c 'sleep 1000 >/dev/null 2>&1 & echo $!'); \
                         echo $$ $child $orphan; while :; do sleep 1; done";

/// Starts a command, and reads the line with which its program begins.
fn started(mut command: Command, temporary: &Path) -> (Child, BufReader<ChildStdout>, String) {
    fs::create_dir_all(temporary).expect("made");
    command.env("TMPDIR", temporary).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    out.read_line(&mut line).expect("UTF-8");
    (child, out, line)
}

fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status().expect("kill exists");
    assert!(sent.success());
}

/// Whether a process runs.
fn runs(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

/// Waits for the end of processes.
fn all_end(line: &str) {
    let until = Instant::now() + Duration::from_secs(20);
    let left = || line.split_whitespace().filter(|process| runs(process)).collect::<Vec<_>>();
    while !left().is_empty() {
        assert!(Instant::now() < until, "{:?} of {line} still run", left());
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).expect("listed").count()
}

#[test]
fn a_native_program_ends_with_the_program_that_started_it() {
    for (signal, code) in [("-TERM", Some(143)), ("-INT", Some(130)), ("-KILL", None)] {
        let temporary = scratch(&format!("native-end{signal}")).join("tmp");
        let (mut child, out, line) = started(command(&["exec", "--", "sh", "-c", PROCESSES]), &temporary);
        assert!(line.split_whitespace().count() == 3 && line.split_whitespace().all(runs), "{line}");
        assert_eq!(entries(&temporary), 1);
        send(signal, child.id());
        assert_eq!(child.wait().expect("it ends").code(), code);
        all_end(&line);
        drop(out);
        // After SIGKILL, the next run removes the folder.
        if signal == "-KILL" {
            assert_eq!(entries(&temporary), 1);
            let next = started(command(&["exec", "--", "true"]), &temporary).0.wait().expect("it ends");
            assert_eq!(next.code(), Some(0));
        }
        assert_eq!(entries(&temporary), 0, "{signal}");
    }
}

#[test]
fn nothing_that_a_native_program_started_remains_after_its_end() {
    let temporary = scratch("native-rest").join("tmp");
    let script = "setsid sleep 1000 >/dev/null 2>&1 & echo $!; exit 5";
    let (mut child, _out, line) = started(command(&["exec", "--", "sh", "-c", script]), &temporary);
    assert_eq!(child.wait().expect("it ends").code(), Some(5));
    all_end(&line);
}

#[test]
fn exit_codes_and_messages_of_native_programs_are_kept() {
    for (script, expected) in [("exit 7", 7), ("kill -SEGV $$", 139), ("kill -9 $$", 137)] {
        let Run { code, stderr, .. } = warpsim_with(&["exec", "--", "sh", "-c", script]);
        assert_eq!(code, Some(expected), "{script}: {stderr}");
    }
    let Run { code, stderr, .. } = warpsim_with(&["exec", "--", "/no/such/program"]);
    assert!(code == Some(2) && stderr.contains("cannot start /no/such/program"), "{stderr}");
}

#[test]
fn a_compiled_program_ends_with_the_program_that_compiled_it() {
    if Tool::Clang.is_missing("a_compiled_program_ends_with_the_program_that_compiled_it") {
        return;
    }
    let folder = scratch("native-run");
    let source = folder.join("endless.cu");
    fs::write(
        &source,
        "#include <cstdio>\n#include <unistd.h>\nint main() {\n    int other = fork();\n    \
         if (other) { std::printf(\"%d %d\\n\", (int)getpid(), other); std::fflush(stdout); }\n    \
         for (;;) sleep(1);\n}\n",
    )
    .expect("written");
    let source = source.to_str().expect("UTF-8");
    for signal in ["-KILL", "-TERM"] {
        let arguments = ["run", source, "--compiler", "clang"];
        let (mut child, _out, line) = started(command(&arguments), &folder.join("tmp"));
        assert_eq!(line.split_whitespace().count(), 2, "{line}");
        send(signal, child.id());
        child.wait().expect("it ends");
        all_end(&line);
    }
    assert_eq!(entries(&folder.join("tmp")), 0);
}

/// Without a terminal the user cannot be asked.
#[test]
fn a_refused_program_does_not_become_native_code_by_itself() {
    let folder = scratch("native-refused");
    let source = folder.join("bases.cu");
    let text = "#include <stdio.h>\nstruct X {};\nstruct A : virtual X { int f() { return 4; } };\n\
                int main() { A a; printf(\"ran %d\\n\", a.f()); return 6; }\n";
    fs::write(&source, text).expect("written");
    let source = source.to_str().expect("UTF-8");
    let Run { code, stdout, stderr } = warpsim_with(&["run", source]);
    assert!(code == Some(2) && stdout.is_empty() && stderr.contains("is not supported"), "{stderr}");
    if Tool::Clang.is_missing("a_refused_program_does_not_become_native_code_by_itself") {
        return;
    }
    assert!(stderr.contains("if you trust its author, run it with `--compiler clang`"), "{stderr}");
    let Run { code, stdout, stderr } = warpsim_with(&["run", source, "--compiler", "clang"]);
    assert_eq!((code, stdout.as_str()), (Some(6), "ran 4\n"), "{stderr}");
}

/// The features of the chip select the target of both compilers.
#[test]
fn features_of_the_chip_are_for_both_compilers() {
    let folder = scratch("native-features");
    let source = folder.join("later.cu");
    let text = "#include <cstdio>\n\
        __global__ void k(double *sum, int *out) {\n    int t = threadIdx.x, v = t;\n    \
        for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);\n    atomicAdd(sum, 0.5);\n    \
        if (t == 0) out[0] = v;\n#ifdef __CUDA_ARCH__\n    \
        if (t == 0) out[1] = __CUDA_ARCH__;\n#endif\n}\n\
        int main() {\n    double *s, sum = 0;\n    int *o, out[2];\n    cudaMalloc(&s, 8); cudaMalloc(&o, 8);\n    \
        cudaMemcpy(s, &sum, 8, cudaMemcpyHostToDevice);\n    k<<<1, 32>>>(s, o);\n    \
        cudaMemcpy(&sum, s, 8, cudaMemcpyDeviceToHost); cudaMemcpy(out, o, 8, cudaMemcpyDeviceToHost);\n    \
        printf(\"%g %d %d\\n\", sum, out[0], out[1]);\n}\n";
    fs::write(&source, text).expect("written");
    let source = source.to_str().expect("UTF-8");
    let compilers: &[&str] =
        if Tool::Clang.is_missing("features for clang") { &["embedded"] } else { &["embedded", "clang"] };
    for compiler in compilers {
        let base = ["run", source, "--compiler", compiler, "--functional", "--chip", "fermi"];
        let with = [&base[..], &["--set", "features=[shuffle,atomic_f64]"]].concat();
        let Run { code, stdout, stderr } = warpsim_with(&with);
        assert_eq!(code, Some(0), "{compiler}: {stderr}");
        assert!(stdout.starts_with("16 496 600\n"), "{compiler}: {stdout}");
        let Run { code, stderr, .. } = warpsim_with(&base);
        assert!(code != Some(0) && stderr.contains("__shfl_down_sync"), "{compiler}: {stderr}");
    }
}
