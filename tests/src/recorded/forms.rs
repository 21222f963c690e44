//! Runs the kernel of an instruction form: with whole and with partial warps, compared tuple by
//! tuple.

use super::compare::{Tolerance, shown};
use super::run::Failure;
use super::vector::{Form, Tuple, stride};
use super::{kernel, vote};
use crate::identities;
use isa::uop::Module;
use sim_core::config::Chip;
use sim_core::hooks::Hooks;
use sim_core::host::{Arg, Gpu, Launch, Mode, RunOptions};

/// Initial value of the output bytes.
const UNTOUCHED: u8 = 0xcd;

/// A launch shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Name in messages.
    pub name: &'static str,
    /// Threads per block.
    pub block: usize,
    /// Number of idle threads at the end.
    pub idle: usize,
    /// Whether scattered lanes of the warps exit before the instruction; `Some(true)` means the
    /// complementary lanes.
    pub exiting: Option<bool>,
}

/// Whole warps; a last warp of 8 lanes in each block, with idle threads in the last block; and
/// scattered active lanes, then the complementary ones.
pub const SHAPES: [Shape; 4] = [
    Shape { name: "whole warps", block: 64, idle: 0, exiting: None },
    Shape { name: "blocks of 40", block: 40, idle: 5, exiting: None },
    Shape { name: "scattered lanes", block: 96, idle: 0, exiting: Some(false) },
    Shape { name: "the other lanes", block: 96, idle: 0, exiting: Some(true) },
];

/// An execution engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Execution mode.
    pub mode: Mode,
    /// Whether lanes are executed by scalar code instead of the widest vectors of the CPU.
    pub scalar: bool,
}

/// Both modes, and one of them with both implementations of the lanes.
pub const ENGINES: [Engine; 3] = [
    Engine { mode: Mode::Functional, scalar: false },
    Engine { mode: Mode::Functional, scalar: true },
    Engine { mode: Mode::Timed, scalar: false },
];

/// Runs a form's kernel in one shape with a thread for each tuple, and compares the results.
pub fn run(
    form: &Form,
    module: &Module,
    chip: &Chip,
    Engine { mode, scalar }: Engine,
    shape: Shape,
) -> Result<(), Failure> {
    let (tuple, threads) = (|i: usize| &form.tuples[i], form.tuples.len());
    let mut gpu = Gpu::new(chip.clone());
    let loaded = gpu.load(module.clone())?;
    let mut args = Vec::new();
    for (number, ty) in form.ins.iter().enumerate() {
        let size = stride(ty)?;
        let word = |i: usize| tuple(i).ins[number].to_le_bytes()[..size].to_vec();
        let bytes: Vec<u8> = (0..threads).flat_map(word).collect();
        let ptr = gpu.malloc(bytes.len() as u64)?;
        gpu.copy_in(ptr, &bytes)?;
        args.push(Arg::Ptr(ptr));
    }
    let mut outputs = Vec::new();
    for ty in &form.outs {
        let bytes = vec![UNTOUCHED; threads * stride(ty)?];
        let ptr = gpu.malloc(bytes.len() as u64)?;
        gpu.copy_in(ptr, &bytes)?;
        args.push(Arg::Ptr(ptr));
        outputs.push((ty, ptr, bytes));
    }
    let working = threads - shape.idle.min(threads - 1);
    args.push(Arg::Bytes((working as u32).to_le_bytes().to_vec()));
    let grid = threads.div_ceil(shape.block) as u32;
    let launch = Launch::new(loaded, &form.name, grid, shape.block as u32).args(args).mode(mode);
    let hooks = Hooks { scalar, ..Hooks::default() };
    let launch = launch.options(RunOptions { hooks, ..RunOptions::default() });
    let report = gpu.launch(&launch)?;
    if !report.verdict.is_finished() {
        return Err(Failure::Wrong(format!("not finished: {:?}", report.verdict)));
    }
    identities::check(&report)?;

    let here = |i: usize| i < working && !shape.exiting.is_some_and(|others| kernel::exits(i as u32, others));
    let stated = Tolerance::stated(module);
    let voted = voted(form, shape, here);
    for (number, (ty, ptr, bytes)) in outputs.iter_mut().enumerate() {
        gpu.copy_out(*ptr, bytes)?;
        for (i, word) in bytes.chunks(stride(ty)?).enumerate() {
            let got = word.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            let expected = match (&voted, &tuple(i).outs) {
                _ if !here(i) => {
                    if word.iter().any(|byte| *byte != UNTOUCHED) {
                        return Err(Failure::Wrong(format!("thread {i} wrote a result although it is idle")));
                    }
                    continue;
                }
                (Some(results), _) => results[i],
                (None, Some(outs)) => outs[number],
                (None, None) => continue,
            };
            if !agrees(form, stated, ty, got, expected) {
                let (got, expected) = (shown(ty, got), shown(ty, expected));
                let Tuple { ins, .. } = tuple(i);
                let what = format!("tuple {i} of {ins:x?}: expected {expected}, got {got}");
                return Err(Failure::Wrong(format!("output {number}, {what}")));
            }
        }
    }
    Ok(())
}

/// Computes the vote of the active lanes, unless the warps are whole: then the recorded result
/// applies.
fn voted(form: &Form, shape: Shape, here: impl Fn(usize) -> bool) -> Option<Vec<u64>> {
    if shape.exiting.is_none() && shape.idle == 0 && shape.block.is_multiple_of(32) {
        return None;
    }
    let predicates: Vec<bool> = form.tuples.iter().map(|tuple| tuple.ins[0] & 1 == 1).collect();
    let here: Vec<bool> = (0..predicates.len()).map(here).collect();
    vote::results(form, shape.block, &predicates, &here)
}

/// For an exact form every bit must match, including those of NaNs. An approximate one must be
/// within the record's tolerance and the bound of the list of micro-ops.
fn agrees(form: &Form, stated: Tolerance, ty: &str, got: u64, expected: u64) -> bool {
    match form.tolerance {
        None => true,
        Some(Tolerance::NONE) => got == expected,
        Some(tolerance) => tolerance.allows(ty, got, expected) && stated.allows(ty, got, expected),
    }
}
