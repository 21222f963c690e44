//! The text of a lowered program parses back to the program, and what is shown as live is what rows
//! and registers were given out by: for random kernels, the book's kernels and compiler-made ones.

use isa::lower::live::{Live, LiveRows};
use isa::uop::assemble::{self, Listing};
use isa::uop::{Program, disasm};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use warpsim_tests::generate::case::case;

/// The programs of a text that compiles.
fn programs(name: &str, text: &str) -> Vec<std::sync::Arc<Program>> {
    let (module, diagnostics) = isa::compile(name, text);
    module.unwrap_or_else(|| panic!("{name}: {diagnostics:?}")).entries
}

fn assert_parses_back(program: &Program) {
    let text = disasm::program(program);
    assert_eq!(assemble::parse(&text), Ok(vec![Listing::from(program)]), "{text}");
}

/// No more is live than a thread was given, and somewhere all of it is; with calls, in the deepest
/// of them.
fn assert_live(program: &Program) {
    let live = Live::of(program);
    let most = live.after.iter().chain([&live.entry]).map(LiveRows::registers).max().unwrap_or(0).max(1);
    if program.functions.is_empty() {
        assert_eq!(most, program.registers, "{}", disasm::program(program));
    } else {
        assert!(most <= program.registers, "{}", disasm::program(program));
    }
}

/// All PTX files of the book's kernels and of the corpus.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["../kernels/ptx", "corpus/ptx"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "ptx") {
            files.push(path);
        }
    }
}

/// Tests: `disassembly-is-complete`.
#[test]
fn every_kernel_of_the_project_parses_back() {
    let mut seen = 0;
    for file in files() {
        let text = fs::read_to_string(&file).expect("a readable file");
        for program in programs(&file.display().to_string(), &text) {
            assert_parses_back(&program);
            assert_live(&program);
            seen += 1;
        }
    }
    assert!(seen > 70, "{seen} kernels are fewer than there are");
}

proptest! {
    /// Tests: `disassembly-is-complete`, `shown-liveness`.
    #[test]
    fn random_kernels_parse_back(case in case()) {
        for program in programs("random.ptx", &case.printed().text) {
            assert_parses_back(&program);
            assert_live(&program);
        }
    }
}
