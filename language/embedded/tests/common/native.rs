//! Programs that the C compiler of the host compiles.

use std::process::Command;
use test_support::tools::say;

/// What a C program prints that is compiled with the option `level`; `None` with a message if there
/// is no compiler on the host.
pub fn compiled(text: &str, level: &str, test: &str) -> Option<String> {
    compiled_by(("cc", "-std=gnu11", "host.c"), text, level, test)
}

/// The same for a C++ program.
pub fn compiled_as_cpp(text: &str, level: &str, test: &str) -> Option<String> {
    compiled_by(("g++", "-std=gnu++17", "host.cpp"), text, level, test)
}

fn compiled_by(
    (compiler, standard, name): (&str, &str, &str),
    text: &str,
    level: &str,
    test: &str,
) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, binary) = (folder.path().join(name), folder.path().join("host"));
    std::fs::write(&source, text).expect("the source is written");
    let mut command = Command::new(compiler);
    command.args([standard, level, "-w", "-ffp-contract=off", "-o"]);
    let Ok(status) = command.arg(&binary).arg(&source).status() else {
        say(&format!("!!!! SKIPPED: {test}: needs a compiler ({compiler})\n"));
        return None;
    };
    assert!(status.success(), "the compiler of the host rejects the program:\n{text}");
    let output = Command::new(&binary).output().expect("the program starts");
    assert!(output.status.success(), "the program fails on the host: {}", output.status);
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
