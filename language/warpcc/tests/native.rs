//! The programs of `language/embedded/tests/cuda`, compiled by clang, print what they print when
//! their host code is embedded.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use test_support::tools::Tool;

/// Headers that the programs include.
const HEADERS: &str = "algorithm array cassert cmath cstdint cstdio cstdlib cstring exception fstream functional \
                       iomanip iostream iterator limits map memory numeric random set sstream stdexcept string \
                       unordered_map utility vector";

/// The same for C, and of CUDA.
const C_HEADERS: &str =
    "assert cooperative_groups ctype cuComplex getopt limits math stdint stdio stdlib string";

/// One program of all programs, each in a namespace: the headers, which are most of the
/// work of clang, are read once. Its argument selects the program. `main` has a `return`, because
/// here it is another function.
fn together(folder: &Path, names: &[String]) -> String {
    let (mut text, mut calls) = (String::new(), String::new());
    for header in HEADERS.split_whitespace() {
        let _ = writeln!(text, "#include <{header}>");
    }
    for header in C_HEADERS.split_whitespace() {
        let _ = writeln!(text, "#include <{header}.h>");
    }
    for name in names {
        let source = fs::read_to_string(folder.join(name).with_extension("cu")).expect("a source");
        // A text with the name of a symbol names no namespace.
        let (start, end) = if source.contains("Symbol(\"") {
            (String::new(), "")
        } else {
            (format!("namespace {name}_program {{"), "}")
        };
        let main = format!("{name}_main");
        let _ = writeln!(text, "{start}\n#define main {main}\n{source}\n#undef main\n{end}");
        let call = if end.is_empty() { main } else { format!("{name}_program::{main}") };
        let macros = source.lines().filter_map(|line| line.strip_prefix("#define "));
        for name in macros.filter_map(|rest| rest.split([' ', '(']).next()) {
            let _ = writeln!(text, "#undef {name}");
        }
        let arguments = if source.contains("main(int argc") { "1, argv" } else { "" };
        let _ = writeln!(calls, "    if (name == \"{name}\") return {call}({arguments});");
    }
    text.push_str("int main(int argc, char **argv) {\n    std::string name = argc > 1 ? argv[1] : \"\";\n");
    text.push_str(&calls);
    text + "    return 100;\n}\n"
}

#[test]
fn programs_print_what_they_print_embedded() {
    if Tool::Clang.is_missing("programs with embedded host code, compiled by clang") {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../embedded/tests/cuda");
    let entries =
        fs::read_dir(&folder).expect("the folder exists").map(|entry| entry.expect("an entry").path());
    let programs = entries.filter(|path| path.extension().is_some_and(|end| end == "cu"));
    let mut names: Vec<String> =
        programs.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    names.sort();
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let (source, binary) = (scratch.path().join("all.cu"), scratch.path().join("all"));
    fs::write(&source, together(&folder, &names)).expect("the source is written");
    let mut warpcc = Command::new(env!("CARGO_BIN_EXE_warpcc"));
    let built = warpcc.arg("-w").arg(&source).arg("-o").arg(&binary).output().expect("warpcc starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    for name in names {
        let mut command = Command::new(&binary);
        for (variable, _) in std::env::vars().filter(|(variable, _)| variable.starts_with("WARPSIM_")) {
            command.env_remove(variable);
        }
        command.env("WARPSIM_CHIP", "fermi").env("WARPSIM_FUNCTIONAL", "1").env("WARPSIM_QUIET", "1");
        let run = command.arg(&name).current_dir(scratch.path()).output().expect("the program starts");
        let (printed, notes) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        let recorded = fs::read_to_string(folder.join(&name).with_extension("out")).expect("recorded output");
        assert_eq!(printed, recorded, "{name}: {}\n{notes}", run.status);
    }
}
