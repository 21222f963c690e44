//! PERF-05 and PERF-16: instructions of the inner loop, and the effect of prefetching on the warps'
//! waits.

use super::products::{Widths, by_tiles, in_words, product};
use crate::finding::significant;
use crate::measure::programs::matmul::{FILE, Variant};
use crate::tools::timing;
use crate::{Claim, Experiment, Finding, Runner, Shown};
use isa::uop::issue::issues;
use isa::uop::{Class, Program};
use kernels::RunError;
use kernels::matmul::Tiled;
use sim_core::stats::{Report, WarpState};
use std::ops::Range;
use std::sync::Arc;

pub static EXPERIMENTS: &[Experiment] =
    &[Experiment { id: "PERF-05", show: inner_loop }, Experiment { id: "PERF-16", show: prefetching }];

/// Returns the lowered code of a variant for G80.
fn lowered(runner: &Runner, tiled: Tiled) -> Result<Arc<Program>, RunError> {
    let chip = runner.chip("g80", &[])?;
    let text = by_tiles(tiled).text(&chip);
    let lab = runner.lab(chip, FILE, &text)?;
    let entries = &lab.gpu.module(lab.module).entries;
    entries.first().cloned().ok_or_else(|| RunError::Unknown(tiled.entry()))
}

/// Counts the instructions in a range of code: (multiply-adds, loads of shared memory, other).
fn count(program: &Program, stretch: Range<u32>) -> (u32, u32, u32) {
    let (mut mads, mut loads, mut others) = (0, 0, 0);
    for issue in issues(&program.code).filter(|issue| stretch.contains(&(issue.main as u32))) {
        match program.code[issue.main].op.class() {
            Class::FMad => mads += 1,
            Class::LdShared => loads += 1,
            _ => others += 1,
        }
    }
    (mads, loads, others)
}

/// Program counters of the instructions of a class.
fn places(program: &Program, class: Class) -> Vec<u32> {
    (0..program.code.len() as u32).filter(|pc| program.code[*pc as usize].op.class() == class).collect()
}

/// Returns the program counters from a label to the first branch after it, inclusive.
fn from_label(program: &Program, label: &str) -> Option<Range<u32>> {
    let begin = program.labels.iter().find(|(_, name)| name == label)?.0;
    let branch = places(program, Class::Branch).into_iter().find(|pc| *pc > begin)?;
    Some(begin..branch + 1)
}

/// Returns the range from the first load of shared memory to the last multiply-add: all steps of an
/// unrolled loop.
fn all_steps(program: &Program) -> Option<Range<u32>> {
    let begin = *places(program, Class::LdShared).first()?;
    Some(begin..places(program, Class::FMad).last()? + 1)
}

fn no_such(what: &str) -> RunError {
    RunError::Unknown(what.to_owned())
}

fn inner_loop(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    /// Smallest share of floating-point instructions in the unrolled loop, not counting loads of
    /// shared memory.
    const NEARLY_ALL: f64 = 0.9;
    let [floating, all] = claim.numbers(["floating", "all"]);
    let mut shown = Shown::new("the lowered code of the 16 x 16 tiled product for G80, plain and unrolled");
    let plain = lowered(runner, Tiled::new(16))?;
    let stretch = from_label(&plain, "inner").ok_or_else(|| no_such("inner"))?;
    let (mads, loads, others) = count(&plain, stretch);
    // The book counts a multiply-add as a multiplication and an addition, and does not count loads
    // of shared memory.
    shown.find(Finding::exact(
        "as the book counts: floating-point instructions of all",
        format!("{floating} of {all}"),
        format!("{} of {}", 2 * mads, 2 * mads + others),
    ));
    shown.find(Finding::reported(
        "as they issue: multiply-adds of all instructions",
        "",
        format!("{mads} of {}, one operand of it from shared memory", mads + loads + others),
    ));
    let unrolled = lowered(runner, Tiled::new(16).unrolled())?;
    let stretch = all_steps(&unrolled).ok_or_else(|| no_such("ld.shared"))?;
    let (mads, loads, others) = count(&unrolled, stretch);
    let part = f64::from(2 * mads) / f64::from(2 * mads + others);
    shown.find(Finding::shape(
        "unrolled, as the book counts: floating-point part of all steps",
        format!("nearly all: {:.0} % or more", 100.0 * NEARLY_ALL),
        format!("{:.0} %", 100.0 * part),
        part >= NEARLY_ALL,
    ));
    shown.find(Finding::reported(
        "unrolled, as they issue: multiply-adds, loads of shared memory, others",
        "",
        format!("{mads}, {loads}, {others}"),
    ));
    shown.because(format!(
        "Unrolling removes the counter, the branch and the address computation of each of {mads} steps. In addition to the \
         multiply-adds, {loads} loads of Ms remain, because an instruction takes only one operand from shared memory, and \
         {others} other instructions."
    ));
    Ok(shown)
}

/// Share of the resident warps' time in a state.
fn share(report: &Report, state: WarpState) -> f64 {
    let warps = &timing(report).warps;
    warps.states[state] as f64 / warps.resident.max(1) as f64
}

/// Counts the instructions from the last global load of a phase to the first store into the tiles.
fn load_to_use(program: &Program) -> Option<u32> {
    let (loads, stores) = (places(program, Class::LdGlobal), places(program, Class::StShared));
    let store = *stores.first()?;
    let back = places(program, Class::Branch).last().copied()?;
    let before = loads.iter().copied().filter(|pc| *pc < store).max()?;
    let instructions =
        |range: Range<u32>| issues(&program.code).filter(|i| range.contains(&(i.main as u32))).count() as u32;
    let phase = program.labels.iter().find(|(_, name)| name == "phase")?.0;
    Some(match loads.iter().copied().filter(|pc| *pc > store).max() {
        // Counts to the end of the phase and on from the beginning of the next one.
        Some(ahead) => instructions(ahead + 1..back + 1) + instructions(phase..store),
        None => instructions(before + 1..store),
    })
}

fn prefetching(runner: &Runner, _: &Claim) -> Result<Shown, RunError> {
    /// Registers per thread of both versions: two blocks fit.
    const REGISTERS: u32 = 16;
    const WIDTHS: Widths = Widths { reduced: 512, full: 2048 };
    let chip = runner.chip("g80", &[])?;
    let mut shown = Shown::new(format!(
        "16 x 16 tiles, unrolled, with and without prefetching, both at {REGISTERS} registers a thread, on G80: {}",
        in_words(runner, WIDTHS)
    ));
    let plain = Tiled::new(16).unrolled();
    let ahead = plain.prefetching();
    let run =
        |tiled| product(runner, &chip, Variant { tiled: Some(tiled), registers: Some(REGISTERS) }, WIDTHS);
    let [(_, without), (_, with)] = [run(plain)?, run(ahead)?];
    shown.find(Finding::exact(
        "blocks on an SM, without and with",
        without.launch.occupancy.blocks,
        with.launch.occupancy.blocks,
    ));
    let distance = |tiled| -> Result<u32, RunError> {
        load_to_use(&*lowered(runner, tiled)?).ok_or_else(|| no_such("ld.global"))
    };
    let (short, long) = (distance(plain)?, distance(ahead)?);
    shown.find(Finding::shape(
        "instructions between a load and its use, without and with",
        "longer with",
        format!("{short}, {long}"),
        long > short,
    ));
    let stalls = [share(&without, WarpState::MemoryDependency), share(&with, WarpState::MemoryDependency)];
    let percent = |share: f64| format!("{} %", significant(100.0 * share));
    shown.find(Finding::shape(
        "warps' time waiting for global memory, without and with",
        "less with",
        format!("{}, {}", percent(stalls[0]), percent(stalls[1])),
        stalls[1] < stalls[0],
    ));
    shown.because(format!(
        "The loads of the next phase issue before the {} multiply-adds of this one, which hide their latency: warps wait {} of \
         their time for them instead of {}.",
        plain.tile,
        percent(stalls[1]),
        percent(stalls[0])
    ));
    Ok(shown)
}
