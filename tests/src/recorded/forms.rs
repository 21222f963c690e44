//! A form's kernel on a machine: launched with whole warps and with parts of them, and compared
//! tuple by tuple.

use super::compare::{Tolerance, shown};
use super::run::Failure;
use super::vector::{Form, Tuple, stride};
use super::{kernel, vote};
use crate::identities;
use isa::uop::Module;
use sim_core::config::Chip;
use sim_core::hooks::Hooks;
use sim_core::host::{Arg, Gpu, Launch, Mode, RunOptions};

/// What an output holds where no thread has written.
const UNTOUCHED: u8 = 0xcd;

/// How a kernel is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its name in messages.
    pub name: &'static str,
    /// Threads per block.
    pub block: usize,
    /// Threads at the end that have nothing to do.
    pub idle: usize,
    /// Whether lanes leave before the instruction, scattered over the warps; and if, whether it is
    /// the others.
    pub leaving: Option<bool>,
}

/// Whole warps; the last warp of a block 8 lanes wide, and threads without work in the last block;
/// and scattered lanes, first these, then the others.
pub const SHAPES: [Shape; 4] = [
    Shape { name: "whole warps", block: 64, idle: 0, leaving: None },
    Shape { name: "blocks of 40", block: 40, idle: 5, leaving: None },
    Shape { name: "scattered lanes", block: 96, idle: 0, leaving: Some(false) },
    Shape { name: "the other lanes", block: 96, idle: 0, leaving: Some(true) },
];

/// What executes a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// The machine.
    pub mode: Mode,
    /// Its lanes are executed in the portable form, not with the widest vectors of the CPU.
    pub portable: bool,
}

/// Both machines, and one of them in both forms of the lanes.
pub const ENGINES: [Engine; 3] = [
    Engine { mode: Mode::Functional, portable: false },
    Engine { mode: Mode::Functional, portable: true },
    Engine { mode: Mode::Timed, portable: false },
];

/// Runs a form's kernel in one shape with a thread for each of `threads` tuples, over again from
/// the first where there are fewer, and compares.
pub fn run(
    form: &Form,
    module: &Module,
    chip: &Chip,
    Engine { mode, portable }: Engine,
    shape: Shape,
    threads: usize,
) -> Result<(), Failure> {
    let tuple = |i: usize| &form.tuples[i % form.tuples.len()];
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
    let hooks = Hooks { portable, ..Hooks::default() };
    let launch = launch.options(RunOptions { hooks, ..RunOptions::default() });
    let report = gpu.launch(&launch)?;
    if !report.verdict.is_finished() {
        return Err(Failure::Wrong(format!("not finished: {:?}", report.verdict)));
    }
    identities::check(&report)?;

    let here =
        |i: usize| i < working && !shape.leaving.is_some_and(|others| kernel::leaves(i as u32, others));
    let stated = Tolerance::stated(module);
    let voted = voted(form, shape, threads, here);
    for (number, (ty, ptr, bytes)) in outputs.iter_mut().enumerate() {
        gpu.copy_out(*ptr, bytes)?;
        for (i, word) in bytes.chunks(stride(ty)?).enumerate() {
            let got = word.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            let expected = match (&voted, &tuple(i).outs) {
                _ if !here(i) => {
                    if word.iter().any(|byte| *byte != UNTOUCHED) {
                        return Err(Failure::Wrong(format!("thread {i} wrote, and has nothing to do")));
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
                let what =
                    format!("tuple {} of {ins:x?}: expected {expected}, got {got}", i % form.tuples.len());
                return Err(Failure::Wrong(format!("output {number}, {what}")));
            }
        }
    }
    Ok(())
}

/// What a vote among the lanes that are there comes to; in whole warps that is what was recorded.
fn voted(form: &Form, shape: Shape, threads: usize, here: impl Fn(usize) -> bool) -> Option<Vec<u64>> {
    if shape.leaving.is_none() && shape.idle == 0 && shape.block.is_multiple_of(32) {
        return None;
    }
    let predicate = |i: usize| form.tuples[i % form.tuples.len()].ins[0] & 1 == 1;
    let predicates: Vec<bool> = (0..threads).map(predicate).collect();
    let here: Vec<bool> = (0..threads).map(here).collect();
    vote::results(form, shape.block, &predicates, &here)
}

/// Of an exact form every bit counts, those of NaNs, too. An approximate one keeps the record's
/// tolerance and the bound that the list of micro-ops states.
fn agrees(form: &Form, stated: Tolerance, ty: &str, got: u64, expected: u64) -> bool {
    match form.tolerance {
        None => true,
        Some(Tolerance::NONE) => got == expected,
        Some(tolerance) => tolerance.allows(ty, got, expected) && stated.allows(ty, got, expected),
    }
}
