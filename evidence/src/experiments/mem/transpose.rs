//! MEM-09: block sizes of the in-place transpose that coalesce.

use crate::finding::list;
use crate::machines::STRICT;
use crate::probe::Probe;
use crate::tools::{ensure, follows, timing};
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use kernels::transpose::{entry, text, transposed};
use sim_core::host::Arg;
use sim_core::stats::GlobalCounters;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "MEM-09", show: block_sizes }];

/// Blocks in a row and in a column of the matrix.
const BLOCKS: u32 = 4;
/// The sizes of exercise 4.2.
const SIDES: std::ops::RangeInclusive<u32> = 1..=20;

/// Returns the counters of loads and stores of a transpose with blocks of `side` x `side` threads.
fn traffic(runner: &Runner, chip: &str, side: u32) -> Result<[GlobalCounters; 2], RunError> {
    let width = BLOCKS * side;
    let matrix: Vec<u32> = (0..width * width).map(|i| (i as f32).to_bits()).collect();
    let mut probe = Probe::new(runner, runner.chip(chip, &[])?, "block_transpose.ptx", &text(side, true))?;
    let a = probe.lab.upload(&matrix)?;
    let args = [Arg::Ptr(a), Arg::S32(width as i32)];
    let report = probe.run(&probe.launch(entry(true), (BLOCKS, BLOCKS), (side, side)).args(args))?;
    let right = transposed(&matrix, width as usize, side as usize);
    ensure(
        probe.lab.download(a, matrix.len())? == right,
        format!("{chip}: wrong transpose with blocks of {side} x {side}"),
    )?;
    let global = &timing(&report).global;
    Ok([global.load, global.store])
}

/// Returns the sizes that fulfill `holds`, for loads and for stores.
fn sizes(
    runner: &Runner,
    chip: &str,
    holds: impl Fn(&GlobalCounters) -> bool,
) -> Result<[Vec<f64>; 2], RunError> {
    let mut found = [Vec::new(), Vec::new()];
    for side in SIDES {
        let traffic = traffic(runner, chip, side)?;
        for (list, counters) in found.iter_mut().zip(&traffic) {
            if holds(counters) {
                list.push(f64::from(side));
            }
        }
    }
    Ok(found)
}

fn in_words(sides: &[f64]) -> String {
    if sides.is_empty() { "none".to_owned() } else { list(sides) }
}

fn block_sizes(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [only] = claim.numbers(["only"]);
    let mut shown = Shown::new(format!("matrices of {BLOCKS}x{BLOCKS} blocks, BLOCK_SIZE 1 to 20"));
    for chip in STRICT {
        let found = sizes(runner, chip, |counters| counters.uncoalesced_groups == 0)?;
        for (what, found) in ["loads", "stores"].into_iter().zip(&found) {
            let capability = runner.chip(chip, &[])?.capability;
            let what = format!("{chip} (cc {capability}): BLOCK_SIZE without uncoalesced {what}");
            shown.find(Finding::exact_list(what, &[only], found));
        }
    }
    // A row of a block must consist of whole transfer units: segments of 32 bytes for GT200 and for
    // stores of Fermi, lines of 128 bytes for loads of Fermi. The rows of the matrix are four
    // blocks wide.
    let pieces =
        |bytes: u32| SIDES.filter(|side| (4 * side).is_multiple_of(bytes)).map(f64::from).collect::<Vec<_>>();
    for (chip, least) in [("gt200", [32, 32]), ("fermi", [128, 32])] {
        let found = sizes(runner, chip, |counters| counters.bytes_moved == counters.bytes_asked)?;
        for ((what, found), least) in ["loads", "stores"].into_iter().zip(&found).zip(least) {
            let what = format!("{chip}: BLOCK_SIZE whose {what} move only requested bytes");
            shown.find(follows(what, in_words(&pieces(least)), in_words(found)));
        }
    }
    shown.because(format!(
        "A half-warp of capability 1.0 coalesces into one aligned segment of {only} words, so a row of a block must have \
         {only} words; later chips move segments of 32 bytes and more, or lines of 128 bytes, and waste their part outside the \
         block's row."
    ));
    Ok(shown)
}
