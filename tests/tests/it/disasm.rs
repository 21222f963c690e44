//! The text of a lowered program parses back to the same program, and the live values that it shows
//! agree with the allocation of rows and registers: for random kernels, the book's kernels and
//! compiled ones.

use isa::lower::live::{Live, LiveRows};
use isa::uop::assemble::{self, Listing};
use isa::uop::{Program, disasm};
use proptest::prelude::*;
use std::fs;
use test_support::record;
use test_support::workspace::{files, root};
use warpsim_check::generate::case::case;

/// Returns the programs of a text that compiles.
fn programs(name: &str, text: &str) -> Vec<std::sync::Arc<Program>> {
    let (module, diagnostics) = isa::compile(name, text);
    module.unwrap_or_else(|| panic!("{name}: {diagnostics:?}")).entries
}

fn assert_parses_back(program: &Program) {
    let text = disasm::program(program);
    assert_eq!(assemble::parse(&text), Ok(vec![Listing::from(program)]), "{text}");
}

/// Checks that the number of live registers never exceeds the registers of a thread, and that it
/// reaches that number somewhere. With calls, only the deepest function reaches it, so only the
/// bound is checked.
fn assert_live(program: &Program) {
    let live = Live::of(program);
    let most = live.after.iter().chain([&live.entry]).map(LiveRows::registers).max().unwrap_or(0).max(1);
    if program.functions.is_empty() {
        assert_eq!(most, program.registers, "{}", disasm::program(program));
    } else {
        assert!(most <= program.registers, "{}", disasm::program(program));
    }
}

/// Tests: `disassembly-is-complete`.
#[test]
fn every_kernel_of_the_project_parses_back() {
    let mut seen = 0;
    let own = files(&root().join("kernels/ptx"), &["ptx"])
        .into_iter()
        .map(|file| (file.display().to_string(), fs::read_to_string(&file).expect("a readable file")));
    let recorded = record::ptx("ptx/clang")
        .chain(record::ptx("fuzz/fuzz_cfg"))
        .map(|(name, text)| (name.to_owned(), text.to_owned()));
    for (name, text) in own.chain(recorded) {
        for program in programs(&name, &text) {
            assert_parses_back(&program);
            assert_live(&program);
            seen += 1;
        }
    }
    assert!(seen > 200, "only {seen} kernels were found");
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
