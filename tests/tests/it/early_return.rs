//! Threads that return before a barrier, in the shapes that programs and compilers give it: by PTX
//! and by the PTX of clang, on all chips. The barriers wait for the others. A barrier that waits
//! for threads on another path is an error.
//!
//! Tests: `exits-are-exits`.

use isa::Compilation;
use isa::source::Source;
use sim_core::host::{Arg, BarrierRule, Gpu, Mode};
use sim_core::stats::report::Verdict;
use std::sync::Arc;
use warpsim_tests::device::{CHIPS, Device, MODES, chip_with};

const SHAPES: &str = include_str!("../../data/early_return/shapes.ptx");

/// `kernels.cu`, compiled by clang 19 with `warpcc`.
const CLANG: &str = include_str!("../../data/early_return/clang.ptx");

/// Results of the kernels in `kernels.cu`, as an H100 computes them (nvcc 13): name, and the
/// element of each thread.
const EXPECTED: &str = include_str!("../../data/early_return/expected.tsv");

const THREADS: usize = 64;

/// Threads from this one on leave.
const STAY: i32 = 50;

/// Which side of a branch runs first.
const FIRST: [&str; 3] = ["later_in_program", "taken", "not_taken"];

/// Loads a module, lowered to the chip.
fn device(chip: &str, first: &str, file: &str, text: &str) -> Device {
    let chip = chip_with(chip, &[("sm.first_path", first)]);
    let asked = Compilation { chip: Some(chip.capability), ..Compilation::default() };
    let (module, diagnostics) = isa::compile_for(&Arc::new(Source::new(file, text)), asked);
    let module = module.unwrap_or_else(|| panic!("{}", isa::diag::render_all(&diagnostics, file, text)));
    let mut gpu = Gpu::new(chip);
    let module = gpu.load(module).expect("the module fits");
    Device { gpu, module }
}

/// Runs a kernel and returns its verdict and its results.
fn run(device: &mut Device, entry: &str, mode: Mode, barriers: BarrierRule) -> (Verdict, Vec<i32>) {
    let out = device.upload(&[0; THREADS]);
    let launch = device.launch(entry, (1, 1), (THREADS as u32, 1, 1)).mode(mode).barriers(barriers);
    let launch = launch.args([Arg::Ptr(out), Arg::S32(STAY)]);
    let report = device.gpu.launch(&launch).unwrap_or_else(|e| panic!("{entry}: {e}"));
    let words = device.download(out, THREADS);
    (report.verdict, words.into_iter().map(u32::cast_signed).collect())
}

/// Runs a kernel on all chips and machines, whichever side of a branch is first.
fn on_all(file: &str, text: &str, entry: &str, check: impl Fn(Verdict, Vec<i32>, &str)) {
    for chip in CHIPS {
        for first in FIRST {
            for mode in MODES {
                let (verdict, got) =
                    run(&mut device(chip, first, file, text), entry, mode, BarrierRule::Strict);
                check(verdict, got, &format!("{entry}, {chip}, {first}, {mode:?}"));
            }
        }
    }
}

#[test]
fn threads_that_return_before_a_barrier_are_gone() {
    type Expected = fn(i32) -> i32;
    let shapes: [(&str, Expected); 7] = [
        ("chain", |t| if t < STAY { STAY - 1 - t } else { 0 }),
        ("falls", |t| i32::from(t < STAY)),
        ("works", |t| if t < STAY { 1 } else { 2 }),
        ("trips", |t| (t / 8).max(1)),
        ("rejoin", |t| match (t % 2, t < STAY) {
            (0, _) => 5,
            (_, true) => 7,
            _ => 9,
        }),
        ("functions", |t| i32::from(t < STAY)),
        ("work_before_a_function", |t| if t < STAY { 1 } else { 2 }),
    ];
    for (entry, of) in shapes {
        let wanted: Vec<i32> = (0..THREADS as i32).map(of).collect();
        on_all("shapes.ptx", SHAPES, entry, |verdict, got, what| {
            assert!(verdict.is_finished(), "{what}: {verdict:?}");
            assert_eq!(got, wanted, "{what}");
        });
    }
}

#[test]
fn what_clang_makes_of_returns_runs() {
    let mut kernels = 0;
    for line in EXPECTED.lines() {
        let (name, results) = line.split_once('\t').expect("two cells");
        let wanted: Vec<i32> = results.split(' ').map(|cell| cell.parse().expect("a number")).collect();
        let mangled = format!("_Z{}{name}Pii", name.len());
        on_all("clang.ptx", CLANG, &mangled, |verdict, got, what| {
            assert!(verdict.is_finished(), "{what}: {verdict:?}");
            assert_eq!(got, wanted, "{what}");
        });
        kernels += 1;
    }
    assert_eq!(kernels, 15);
}

#[test]
fn threads_on_another_path_are_not_gone() {
    for entry in ["after", "both", "returns"] {
        on_all("shapes.ptx", SHAPES, entry, |verdict, _, what| {
            let Verdict::Trapped { trap } = verdict else { panic!("{what}: {verdict:?}") };
            assert!(trap.divergent.is_some(), "{what}: {trap:?}");
        });
        let (verdict, _) = run(
            &mut device("fermi", FIRST[0], "shapes.ptx", SHAPES),
            entry,
            Mode::Timed,
            BarrierRule::Hardware,
        );
        assert!(verdict.is_finished(), "{entry}: hardware counts warps");
    }
}
