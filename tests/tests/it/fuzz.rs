//! The fuzzer's properties on every build: for the PTX files of the repository, damaged at random;
//! for random bytes; and for the inputs in `tests/fuzz` that fuzzing has found, a folder for each
//! property.

use std::fs;
use std::path::Path;
use test_support::mutate::mutant;
use test_support::random::Numbers;
use warpsim_tests::fuzz::{code, lexer, lowering, parser};

/// Returns the inputs that once violated a property.
fn found(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("an input")).collect()
}

/// Returns the kernels of the repository, whole and damaged.
fn texts(count: usize) -> Vec<Vec<u8>> {
    let mut texts = super::mutations::texts();
    texts.extend(test_support::record::ptx("fuzz/").map(|(_, text)| text.to_owned()));
    let mut numbers = Numbers::new(5);
    let damaged: Vec<String> = (0..count).map(|i| mutant(&texts[i % texts.len()], &mut numbers)).collect();
    texts.into_iter().chain(damaged).map(String::into_bytes).collect()
}

/// Tests: `no-input-panics`.
#[test]
fn the_lexer_accepts_any_text() {
    found("lexer").iter().chain(&texts(200)).for_each(|bytes| lexer(bytes));
}

/// Tests: `no-input-panics`.
#[test]
fn the_parser_accepts_any_text() {
    found("parser").iter().chain(&texts(200)).for_each(|bytes| parser(bytes));
}

/// Tests: `no-input-panics`.
#[test]
fn any_text_compiles_or_gets_a_message() {
    found("lowering").iter().chain(&texts(200)).for_each(|bytes| lowering(bytes));
}

/// Tests: `verified-programs-do-not-panic`.
#[test]
fn no_verified_program_makes_the_executor_panic() {
    for bytes in found("executor") {
        code::executor(&bytes);
    }
    programs(2_000, 9);
}

/// The same as [`no_verified_program_makes_the_executor_panic`], with more programs.
#[test]
#[ignore = "minutes"]
fn no_verified_program_makes_the_executor_panic_at_length() {
    programs(300_000, 10);
}

fn programs(count: usize, seed: u64) {
    let mut numbers = Numbers::new(seed);
    let (mut accepted, mut ran) = (0, 0);
    for _ in 0..count {
        let bytes: Vec<u8> = (0..150).flat_map(|_| numbers.bits().to_le_bytes()).collect();
        let (instructions, run) = code::executor(&bytes);
        accepted += instructions;
        ran += usize::from(run);
    }
    assert!(accepted > 10 * count, "the verifier accepted only {accepted} instructions of {count} programs");
    assert!(ran > count / 20 * 19, "only {ran} of {count} programs ran");
}
