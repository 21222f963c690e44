//! The trace as lines of text: position, state and reason of each warp in each issue cycle.

use super::Writer;
use super::words::{Words, stack};
use crate::render::number::plural;
use sim_core::observe::{Event, Launched, Watch, What, Why};
use sim_core::stats::WarpState;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Position and state of a warp.
#[derive(Debug)]
struct Status {
    pc: u32,
    lanes: u32,
    state: WarpState,
    why: Why,
    /// First cycle of this state.
    since: u64,
}

/// The text writer.
#[derive(Debug, Default)]
pub struct Text {
    words: Words,
    /// Whether to write a line only if the state of the warp changes.
    fold: bool,
    /// The lines of all cycles before this one are written.
    cycle: u64,
    /// Status of the warps, by SM and warp slot.
    warps: BTreeMap<(u32, u32), Status>,
    /// Notes before the lines of this cycle, with their SM.
    before: Vec<(u32, String)>,
    /// Notes after the line of a warp, by SM and warp slot.
    behind: BTreeMap<(u32, u32), String>,
    /// Whether any warp slot held a warp.
    seen: bool,
}

impl Text {
    /// A writer; with `fold` it writes a line only if the state of the warp changes.
    pub fn new(fold: bool) -> Self {
        Self { fold, ..Self::default() }
    }

    /// Writes the lines of the cycles before `end`.
    fn write_until(&mut self, end: u64, out: &mut String) {
        while self.cycle < end {
            for (sm, note) in self.before.drain(..) {
                let _ = writeln!(out, "{:>9} {sm:>3}    -- {note}", self.cycle);
            }
            if self.warps.is_empty() && self.behind.is_empty() {
                self.cycle = end;
                return;
            }
            for ((sm, warp), status) in &self.warps {
                if !self.fold || status.since == self.cycle {
                    line(&self.words, self.cycle, *sm, *warp, status, out);
                }
                if let Some(entries) = self.behind.remove(&(*sm, *warp)) {
                    let _ = writeln!(out, "{:>9} {sm:>3} {warp:>4}    stack: {entries}", self.cycle);
                }
            }
            self.behind.clear();
            self.cycle += self.words.period;
        }
    }
}

/// Writes one line.
fn line(words: &Words, cycle: u64, sm: u32, warp: u32, status: &Status, out: &mut String) {
    let Status { pc, lanes, state, why, .. } = status;
    let start = out.len();
    let _ = write!(
        out,
        "{cycle:>9} {sm:>3} {warp:>4} {pc:>5} {:>5}  {lanes:08x} {:>2}  {:<24}  {:<39}  {}",
        words.line(*pc),
        lanes.count_ones(),
        state.label(),
        words.text(*pc),
        words.why(why, cycle)
    );
    out.truncate(start + out[start..].trim_end().len());
    out.push('\n');
}

/// The numbers of a range in words, with the last one included.
fn numbers(what: &str, first: u64, end: u64) -> String {
    match end {
        u64::MAX => format!("{what}s from {first} on"),
        _ if first + 1 == end => format!("{what} {first}"),
        _ => format!("{what}s {first}..{}", end - 1),
    }
}

impl Writer for Text {
    fn begin(&mut self, launch: &Launched<'_>, watch: &Watch, out: &mut String) {
        self.words = Words::new(launch);
        self.cycle = watch.cycles.start.next_multiple_of(self.words.period);
        let (program, chip) = (launch.program, launch.chip);
        let _ = writeln!(
            out,
            "Trace of kernel {} ({}), launch {}: grid {}, blocks of {}",
            program.name, program.source.name, launch.number, launch.grid, launch.block
        );
        let _ = writeln!(
            out,
            "{} ({}), {}, {}, {}; an issue cycle is {}",
            chip.board,
            chip.name,
            numbers("SM", watch.sms.start.into(), watch.sms.end.into()),
            numbers("warp slot", watch.warps.start.into(), watch.warps.end.into()),
            numbers("cycle", watch.cycles.start, watch.cycles.end),
            plural(self.words.period, "cycle")
        );
        out.push_str("\n    cycle  sm warp    pc  line  lanes        state                     instruction                              why\n");
    }

    fn event(&mut self, event: &Event, out: &mut String) {
        let Event { cycle, sm, what } = event;
        self.write_until(*cycle, out);
        self.cycle = *cycle;
        match what {
            What::BlockStarted { block, ctaid, warps, since } => {
                let when = if since == cycle { String::new() } else { format!(" at {since}") };
                let place = slots(*warps);
                self.before.push((*sm, format!("block {block}, index {ctaid}, started{when}: {place}")));
            }
            What::BlockRetired { block, warps } => {
                self.warps.retain(|(s, warp), _| s != sm || warps >> warp & 1 == 0);
                self.before.push((*sm, format!("block {block} ended: {}", slots(*warps))));
            }
            What::State { warp, pc, lanes, state, why } => {
                self.seen = true;
                // A change of the selected warp does not change the state of this warp.
                let passed_over = WarpState::NotSelected;
                let before = self.warps.get(&(*sm, *warp));
                let same = before.filter(|b| b.state == passed_over && b.state == *state && b.pc == *pc);
                let since = same.map_or(*cycle, |before| before.since);
                let status = Status { pc: *pc, lanes: *lanes, state: *state, why: *why, since };
                self.warps.insert((*sm, *warp), status);
            }
            What::Stack { warp, entries } => {
                self.behind.insert((*sm, *warp), stack(entries));
            }
            What::LoadCompleted { load, at, usable } => {
                let line = self.words.line(load.pc);
                let note = format!(
                    "warp {}: the load of line {line}, issued at {}, returned at {at}, usable at {usable}",
                    load.warp, load.cycle
                );
                self.before.push((*sm, note));
            }
        }
    }

    fn end(&mut self, end: u64, out: &mut String) {
        self.write_until(end, out);
        if !self.seen {
            out.push_str("None of these warp slots held a warp in these cycles.\n");
        }
    }
}

/// The warp slots of a mask, in words.
fn slots(mask: u64) -> String {
    let slots: Vec<String> = (0..64).filter(|w| mask >> w & 1 == 1).map(|w| w.to_string()).collect();
    let word = if slots.len() == 1 { "warp slot" } else { "warp slots" };
    format!("{word} {}", slots.join(" "))
}
