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
