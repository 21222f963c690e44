//! Lowered programs, run one thread at a time, against what real silicon computed: a kernel for each instruction
//! form, with 32-bit and with 64-bit addresses.
//!
//! The records lie beside the repository and are optional here; without them the test says so and passes. Forms
//! that this simulator does not implement yet are left out; how many are left in is asserted. Of an exact form every
//! bit is compared; of an approximate one each value must lie within the form's tolerance of the recorded
//! one, and within the bound that the list of micro-ops states.

mod one_thread;

use isa::sem::fidelity::{Fidelity, Measure};
use isa::types::Dim3;
use isa::uop::{Module, Program};
use one_thread::Launch;
use std::io::Write;
use std::path::PathBuf;

/// The module, if this simulator implements all that is in it.
fn implemented(name: &str, text: &str) -> Option<Module> {
    let (module, diagnostics) = isa::compile(name, text);
    for diagnostic in &diagnostics {
        assert!(diagnostic.message.contains("not implemented"), "{}", diagnostic.render(name, text));
    }
    module
}

/// The parameter block: addresses, then a count.
fn params(bits: u32, addresses: &[usize], count: u32) -> Vec<u8> {
    let bytes = bits as usize / 8;
    let mut block: Vec<u8> =
        addresses.iter().flat_map(|a| (*a as u64).to_le_bytes()[..bytes].to_vec()).collect();
    block.extend(count.to_le_bytes());
    block
}

fn stride(ty: &str) -> usize {
    match ty {
        "pred" | "u8" | "s8" | "b8" => 4,
        _ => ty[1..].parse::<usize>().expect("a type ends with its bits") / 8,
    }
}

/// How far a value may lie from the recorded one.
enum Tolerance {
    /// The bits are the same.
    Exact,
    /// Within `absolute + relative · |recorded|`; a NaN for a NaN.
    Within { absolute: f64, relative: f64 },
}

impl Tolerance {
    /// Of a row's mode and bound; nothing for what is recorded for information only.
    fn new(mode: &str, log2: &str) -> Option<Self> {
        let bound = || 2f64.powf(log2.parse().expect("a bound"));
        let (absolute, relative) = match mode {
            "exact" => return Some(Self::Exact),
            "rel" => (2f64.powi(-148), bound()),
            "abs" => (bound(), 0.0),
            "absrel" => (bound(), bound()),
            _ => return None,
        };
        Some(Self::Within { absolute, relative })
    }

    /// What the lists of micro-ops say of a program: that it is exact, or the bound of its approximation.
    fn stated(program: &Program) -> Self {
        let stated = program.code.iter().map(|inst| inst.op.fidelity()).find(|f| *f != Fidelity::Exact);
        let Some(Fidelity::Within(bound)) = stated else { return Self::Exact };
        let value = 2f64.powf(bound.log2());
        let (absolute, relative) = match bound.measure {
            Measure::Relative => (2f64.powi(-148), value),
            Measure::Absolute => (value, 0.0),
            Measure::Sum => (value, value),
        };
        Self::Within { absolute, relative }
    }

    /// Whether `got` will do for `expected`, both of type `ty`.
    fn allows(&self, ty: &str, got: &[u8], expected: &[u8]) -> bool {
        let same = got == expected;
        let Self::Within { absolute, relative } = self else { return same };
        let (got, expected) = (float(ty, got), float(ty, expected));
        if expected.is_finite() {
            (got - expected).abs() <= absolute + relative * expected.abs()
        } else {
            same || got.is_nan() && expected.is_nan()
        }
    }
}

/// A floating-point value.
fn float(ty: &str, bytes: &[u8]) -> f64 {
    match ty {
        "f32" => f32::from_le_bytes(bytes.try_into().expect("four bytes")) as f64,
        "f64" => f64::from_le_bytes(bytes.try_into().expect("eight bytes")),
        _ => panic!("a tolerance for values of {ty}"),
    }
}

#[test]
fn instruction_forms_compute_what_silicon_computed() {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/ptx/vec"));
    if !root.exists() {
        // Written past the test harness, which hides what passing tests print.
        let told = std::io::stderr().write_all(b"SKIPPED: no recorded vectors beside the repository\n");
        told.expect("standard error can be written");
        return;
    }
    let read = |name: &str| std::fs::read(root.join(name)).unwrap();
    let (inputs, outputs) = (read("inputs.bin"), read("outputs.bin"));
    let manifest = std::fs::read_to_string(root.join("manifest.tsv")).unwrap();
    let (mut forms, mut approximate) = (0, 0);
    let mut wrong = Vec::new();
    for row in manifest.lines().skip(1) {
        let row: Vec<&str> = row.split('\t').collect();
        let Some(tolerance) = Tolerance::new(row[8], row[9]) else { continue };
        let numbers =
            |column: &str| -> Vec<usize> { column.split(',').filter_map(|n| n.parse().ok()).collect() };
        let (name, count, skipped) = (row[0], row[3].parse::<usize>().unwrap(), numbers(row[11]));
        let (ins, outs): (Vec<&str>, Vec<&str>) = (row[4].split(',').collect(), row[6].split(',').collect());
        for bits in [32, 64] {
            let file = format!("ptx{bits}/{name}.ptx");
            let text = std::fs::read_to_string(root.join(&file)).unwrap();
            let Some(module) = implemented(&file, &text) else { continue };
            // A vote is of a warp, not of a thread: `tests/tests/atomics.rs` has votes.
            if row[1].starts_with("vote") {
                continue;
            }
            let stated = Tolerance::stated(&module.entries[0]);
            match (&tolerance, &stated) {
                (Tolerance::Exact, Tolerance::Exact) => forms += 1,
                (Tolerance::Within { .. }, Tolerance::Within { .. }) => approximate += 1,
                _ => wrong.push(format!("{file}: the list of micro-ops says something else of its fidelity")),
            }
            // Inputs stand where they are in the file, outputs behind all of them.
            let mut memory = inputs.clone();
            let mut addresses: Vec<usize> = if row[5] == "-" { Vec::new() } else { numbers(row[5]) };
            for ty in &outs {
                addresses.push(memory.len());
                memory.resize(memory.len() + (count * stride(ty)).next_multiple_of(8), 0xcd);
            }
            let block = params(bits, &addresses, count as u32);
            let program = &module.entries[0];
            let (grid, threads) = (Dim3::from(count.div_ceil(64) as u32), Dim3::from(64));
            assert_eq!(block.len(), program.param_bytes as usize, "{name}: {ins:?}");
            Launch { program, params: &block, grid, block: threads }.run(&mut memory);
            for ((ty, at), expected_at) in
                outs.iter().zip(&addresses[addresses.len() - outs.len()..]).zip(numbers(row[7]))
            {
                let size = stride(ty);
                for i in (0..count).filter(|i| !skipped.contains(i)) {
                    let got = &memory[at + i * size..][..size];
                    let expected = &outputs[expected_at + i * size..][..size];
                    if !tolerance.allows(ty, got, expected) || !stated.allows(ty, got, expected) {
                        wrong.push(format!("{file} tuple {i}: {got:x?}, expected {expected:x?}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    println!("{forms} exact and {approximate} approximate forms were run");
    assert!(forms >= 2_566, "only {forms} forms were run");
    assert!(approximate >= 78, "only {approximate} approximate forms were run");
}
