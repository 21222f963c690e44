//! Common parts of the two text formats: the first lines, and the notes between the lines.

use super::values::Values;
use crate::mangled::plain;
use crate::render::number::plural;
use crate::words::Words;
use isa::terms::Terms;
use sim_core::observe::{Launched, Origin, Watch, What};
use std::fmt::Write;

/// The names of one launch.
#[derive(Debug, Default)]
pub struct Names {
    /// Instructions, units and reasons.
    pub words: Words,
    /// Registers.
    pub values: Values,
}

impl Names {
    /// The names of a launch.
    pub fn new(launch: &Launched<'_>, watch: &Watch) -> Self {
        let words = Words::new(launch);
        let values = if watch.values { Values::new(launch.program, &words) } else { Values::default() };
        Self { words, values }
    }

    /// Note for the start or end of a block or the return of a load at shader cycle `cycle`; `None`
    /// for the other events.
    pub fn note(&self, what: &What, cycle: u64) -> Option<String> {
        let word = self.words.terms().block;
        match what {
            What::BlockStarted { block, ctaid, warps, since } => {
                let when = if *since == cycle { String::new() } else { format!(" at {since}") };
                Some(format!("{word} {block}, index {ctaid}, started{when}: {}", slots(*warps)))
            }
            What::BlockRetired { block, warps } => Some(format!("{word} {block} ended: {}", slots(*warps))),
            What::LoadCompleted { load: Origin { warp, pc, cycle: issued }, at, usable } => Some(format!(
                "warp {warp}: the load of line {}, issued at {issued}, returned at {at}, usable at {usable}",
                self.words.place(*pc)
            )),
            What::State { .. } | What::Stack { .. } | What::Written { .. } => None,
        }
    }
}

/// Writes the first two lines: launch, chip and ranges.
pub fn header(launch: &Launched<'_>, watch: &Watch, period: u64, out: &mut String) {
    let (program, chip) = (launch.program, launch.chip);
    let Terms { block, blocks, sm, .. } = Terms::of(program.source.files());
    let _ = writeln!(
        out,
        "Trace of kernel {} ({}), launch {}: {blocks} {}, {block}s of {}",
        plain(&program.name),
        program.source.name,
        launch.number,
        launch.grid,
        launch.block
    );
    let _ = writeln!(
        out,
        "{} ({}), {}, {}, {}; an issue cycle is {}\n",
        chip.board,
        chip.name,
        numbers(sm, watch.sms.start.into(), watch.sms.end.into()),
        numbers("warp slot", watch.warps.start.into(), watch.warps.end.into()),
        numbers("cycle", watch.cycles.start, watch.cycles.end),
        plural(period, "cycle")
    );
}

/// Ends the line that begins at `start`, without spaces at its end.
pub fn end_line(start: usize, out: &mut String) {
    out.truncate(start + out[start..].trim_end().len());
    out.push('\n');
}

/// The numbers of a range in words, with the last one included.
pub fn numbers(what: &str, first: u64, end: u64) -> String {
    match end {
        u64::MAX => format!("{what}s from {first} on"),
        _ if first + 1 == end => format!("{what} {first}"),
        _ => format!("{what}s {first}..{}", end - 1),
    }
}

/// The warp slots of a mask, in words.
fn slots(mask: u64) -> String {
    let slots: Vec<String> = (0..64).filter(|w| mask >> w & 1 == 1).map(|w| w.to_string()).collect();
    let word = if slots.len() == 1 { "warp slot" } else { "warp slots" };
    format!("{word} {}", slots.join(" "))
}

/// Last line of a trace without warps.
pub const NO_WARP: &str = "None of these warp slots held a warp in these cycles.\n";
