//! Host code of C++ and C: the programs of `tests/cpp` print what they print with g++, and those of
//! `tests/c` what they print with gcc.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::run;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs of both languages, in the order of their names. `CPP=name` selects one.
fn programs() -> Vec<PathBuf> {
    let wanted = std::env::var("CPP").ok();
    let folder = |name| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    let entries = ["c", "cpp"].map(|name| std::fs::read_dir(folder(name)).expect("the folder exists"));
    let paths = entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let is_wanted = |path: &PathBuf| {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
        path.extension().is_some_and(|ext| ext == "cu" || ext == "c") && (wanted.is_none() || wanted == name)
    };
    let mut paths: Vec<PathBuf> = paths.filter(is_wanted).collect();
    paths.sort();
    paths
}

/// What a program prints, with the text of standard error and the exit code behind.
fn embedded_output(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("the program can be read");
    let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let run = run(&name, &text, "fermi", &[]);
    if !run.message.is_empty() {
        println!("{name}: {}", run.message);
    }
    format!("{}--- stderr\n{}--- exit code {}\n", run.out, run.err, run.code)
}

/// The same from gcc or g++.
fn native_output(path: &Path) -> String {
    let out = std::env::temp_dir().join(format!(
        "warpsim-cpp-{}-{}",
        std::process::id(),
        path.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    ));
    let is_c = path.extension().is_some_and(|ext| ext == "c");
    // A program that needs another standard than C++17 says so in its first line.
    let text = std::fs::read_to_string(path).expect("the program can be read");
    let first = text.lines().next().unwrap_or_default();
    let standards = [("(C++14).", "-std=c++14"), ("(C++20).", "-std=c++20")];
    let named = standards.iter().find(|(end, _)| first.ends_with(end)).map(|(_, option)| *option);
    let (compiler, options) =
        if is_c { ("gcc", ["-std=c99", "c"]) } else { ("g++", [named.unwrap_or("-std=c++17"), "c++"]) };
    let built = Command::new(compiler)
        .args([options[0], "-O1", "-w", "-x", options[1]])
        .arg(path)
        .arg("-o")
        .arg(&out)
        .arg("-lm")
        .output()
        .expect("the compiler runs");
    assert!(built.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&out).current_dir(std::env::temp_dir()).output().expect("the program runs");
    let _ = std::fs::remove_file(&out);
    let code = run.status.code().unwrap_or_else(|| {
        use std::os::unix::process::ExitStatusExt;
        128 + run.status.signal().unwrap_or(0)
    });
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}--- stderr\n{}--- exit code {code}\n", text(&run.stdout), text(&run.stderr))
}

#[test]
fn programs_print_what_is_recorded() {
    let bless = std::env::var("BLESS").is_ok();
    for path in programs() {
        let printed = embedded_output(&path);
        let expected = path.with_extension("out");
        if bless {
            std::fs::write(&expected, &printed).expect("the expected output can be written");
        }
        let expected = std::fs::read_to_string(expected).unwrap_or_default();
        assert_eq!(printed, expected, "{}", path.display());
    }
}

#[test]
fn programs_print_what_they_print_with_gcc() {
    if Command::new("g++").arg("--version").output().is_err() {
        println!("!!!! SKIPPED programs_print_what_they_print_with_gcc: g++ is not installed");
        return;
    }
    for path in programs() {
        assert_eq!(embedded_output(&path), native_output(&path), "{}", path.display());
    }
}

/// Translated code executes the instructions that the interpreter executes, and stops at the same
/// ones.
#[cfg(feature = "jit")]
#[test]
fn translated_code_counts_the_instructions_of_the_interpreter() {
    let texts = programs().into_iter().map(|path| {
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        (name, std::fs::read_to_string(path).expect("the program can be read"))
    });
    for (name, text) in texts {
        let run = |interpreted, steps| {
            let setup = common::Setup { steps, interpreted, ..common::Setup::default() };
            let run = common::start(&name, &text, ("fermi", "1"), &[], setup);
            (run.steps, run.code, run.out, run.err, run.message)
        };
        let whole = run(u64::MAX, 2_000_000_000);
        assert_eq!(run(0, 2_000_000_000), whole, "{name}");
        for part in [3, 7] {
            let limit = whole.0 / 10 * part;
            assert_eq!(run(0, limit), run(u64::MAX, limit), "{name}: {limit} instructions");
        }
    }
}

/// Values of 64 bits stay whole beside `float` ones; deep calls do not end this process.
#[cfg(feature = "jit")]
#[test]
fn translated_code_keeps_whole_values() {
    let text = r#"#include <cstdio>
static long long same(long long a) { return a; }
static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
int main() {
    float x = 1.5f, y = 2.5f, s = 0;
    long long total = 0, big = 1LL << 40, small = 3LL << 33;
    for (int i = 0; i < 3000; i++) {
        s = s + (i % 3 ? x : y);
        total += same(i % 2 ? big : small);
    }
    printf("%g %lld %d\n", s, total, depth(60000));
}
"#;
    let run = run("main.cu", text, "fermi", &[]);
    assert_eq!((run.out.as_str(), run.message.as_str()), ("5500 1687922147328000 60000\n", ""));
}
