//! Mutation test: a damaged launch file never makes its reader panic, allocate without bound, or
//! fail without a message.

use super::{Plan, complaints};
use std::path::Path;
use test_support::mutate::mutant;
use test_support::random::Numbers;

/// Maximum bytes of device memory for the buffers.
const MEMORY: u64 = 1 << 16;

const SYMBOLS: &str = include_str!("../../../../doors/cli/tests/data/symbols.ptx");
const VECADD: &str = include_str!("../../../../kernels/ptx/vecadd.ptx");

/// Kernels with launch files.
const FILES: [(&str, &str); 4] = [
    (SYMBOLS, include_str!("../../../../doors/cli/tests/data/symbols.ron")),
    (SYMBOLS, include_str!("../../../../doors/cli/tests/data/errors.ron")),
    (SYMBOLS, include_str!("../../../../doors/cli/tests/bad/fine.ron")),
    (VECADD, include_str!("../../../../kernels/launch/vecadd.ron")),
];

fn launch_mutants(count: usize, seed: u64) {
    let files = FILES.map(|(ptx, text)| (isa::compile("k.ptx", ptx).0.expect("the kernel compiles"), text));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../doors/cli/tests/data/mutant.ron");
    let mut numbers = Numbers::new(seed);
    let mut accepted = 0;
    for i in 0..count {
        let (module, text) = &files[i % files.len()];
        let text = mutant(text, &mut numbers);
        let _ = complaints(&path, &text);
        match Plan::read(&path, &text, module, MEMORY) {
            Ok(plan) => {
                accepted += 1;
                let bytes: u64 = plan.buffers.iter().map(|data| data.bytes.len() as u64).sum();
                assert!(bytes <= MEMORY, "{bytes} bytes\n{text}");
            }
            Err(said) => assert!(said.contains("error["), "{said}\n{text}"),
        }
    }
    assert!(accepted > count / 100, "of {count} mutants {accepted} were accepted");
}

/// Tests: `no-input-panics`.
#[test]
fn damaged_launch_files_give_diagnostics_or_a_plan() {
    launch_mutants(3_000, 9);
}

#[test]
#[ignore = "a hundred thousand mutants take minutes"]
fn a_hundred_thousand_damaged_launch_files() {
    launch_mutants(100_000, 10);
}
