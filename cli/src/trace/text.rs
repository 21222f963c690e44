//! The trace as lines of text: for each issue cycle and warp where it stands, its state, and why.

use super::Writer;
use super::words::{Words, stack};
use crate::render::number::plural;
use sim_core::observe::{Event, Launched, Watch, What, Why};
use sim_core::stats::WarpState;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Where a warp stands.
#[derive(Debug)]
struct Standing {
    pc: u32,
    lanes: u32,
    state: WarpState,
    why: Why,
    /// Cycle from which it does.
    since: u64,
}

/// The writer.
#[derive(Debug, Default)]
pub struct Text {
    words: Words,
    /// Lines only where something changes.
    fold: bool,
    /// All before this cycle is written.
    cycle: u64,
    /// By SM and warp slot.
    warps: BTreeMap<(u32, u32), Standing>,
    /// What is told of this cycle before its lines, by SM …
    before: Vec<(u32, String)>,
    /// … and behind a warp's line.
    behind: BTreeMap<(u32, u32), String>,
    /// Any warp has been seen.
    seen: bool,
}

impl Text {
    /// A writer; `fold`: a line only for the issue cycles in which something changes for the warp.
    pub fn new(fold: bool) -> Self {
        Self { fold, ..Self::default() }
    }

    /// Writes everything of the cycles before `end`.
    fn write_until(&mut self, end: u64, out: &mut String) {
        while self.cycle < end {
            for (sm, note) in self.before.drain(..) {
                let _ = writeln!(out, "{:>9} {sm:>3}    -- {note}", self.cycle);
            }
            if self.warps.is_empty() && self.behind.is_empty() {
                self.cycle = end;
                return;
            }
            for ((sm, warp), standing) in &self.warps {
                if !self.fold || standing.since == self.cycle {
                    line(&self.words, self.cycle, *sm, *warp, standing, out);
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

/// One line.
fn line(words: &Words, cycle: u64, sm: u32, warp: u32, standing: &Standing, out: &mut String) {
    let Standing { pc, lanes, state, why, .. } = standing;
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

/// Numbers of a range in words, the last included.
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
                self.before.push((*sm, format!("block {block}, index {ctaid}, moved in{when}: {place}")));
            }
            What::BlockRetired { block, warps } => {
                self.warps.retain(|(s, warp), _| s != sm || warps >> warp & 1 == 0);
                self.before.push((*sm, format!("block {block} moved out: {}", slots(*warps))));
            }
            What::State { warp, pc, lanes, state, why } => {
                self.seen = true;
                // Who is served instead changes all the time, and is no change of the warp's own.
                let passed_over = WarpState::NotSelected;
                let before = self.warps.get(&(*sm, *warp));
                let same = before.filter(|b| b.state == passed_over && b.state == *state && b.pc == *pc);
                let since = same.map_or(*cycle, |before| before.since);
                let standing = Standing { pc: *pc, lanes: *lanes, state: *state, why: *why, since };
                self.warps.insert((*sm, *warp), standing);
            }
            What::Stack { warp, entries } => {
                self.behind.insert((*sm, *warp), stack(entries));
            }
            What::LoadCompleted { load, at, usable } => {
                let line = self.words.line(load.pc);
                let note = format!(
                    "warp {}: the load of line {line}, issued at {}, is home at {at}, usable at {usable}",
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
