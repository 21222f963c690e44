//! The trace as a line for each issue cycle of each warp: its position, state and reason.

use super::text::{NO_WARP, Names, end_line, header};
use super::{Sink, Writer};
use crate::words::{Words, stack, transactions};
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
}

/// The writer.
#[derive(Debug, Default)]
pub struct Cycles {
    names: Names,
    /// The lines of all cycles before this one are written.
    cycle: u64,
    /// Status of the warps, by SM and warp slot.
    warps: BTreeMap<(u32, u32), Status>,
    /// Notes before the lines of this cycle, with their SM.
    before: Vec<(u32, String)>,
    /// Notes after the line of a warp, by SM and warp slot.
    behind: BTreeMap<(u32, u32), Vec<String>>,
    /// Whether any warp slot held a warp.
    seen: bool,
}

impl Cycles {
    /// Writes the lines of the cycles before `end`, or until the trace is full.
    fn write_until(&mut self, end: u64, sink: &mut Sink) {
        while self.cycle < end && !sink.is_full() && !sink.is_shut() {
            let out = sink.buffer();
            for (sm, note) in self.before.drain(..) {
                let _ = writeln!(out, "{:>9} {sm:>3}    -- {note}", self.cycle);
            }
            if self.warps.is_empty() && self.behind.is_empty() {
                self.cycle = end;
                return;
            }
            for ((sm, warp), status) in &self.warps {
                line(&self.names.words, self.cycle, *sm, *warp, status, out);
                for note in self.behind.remove(&(*sm, *warp)).unwrap_or_default() {
                    let _ = writeln!(out, "{:>9} {sm:>3} {warp:>4}    {note}", self.cycle);
                }
            }
            self.behind.clear();
            self.cycle += self.names.words.period;
            sink.flush_if_full();
        }
    }
}

/// Writes one line.
fn line(words: &Words, cycle: u64, sm: u32, warp: u32, status: &Status, out: &mut String) {
    let Status { pc, lanes, state, why } = status;
    let start = out.len();
    let mut reason = words.why(why, cycle);
    if let Why::Issued(issued) = why
        && let Some(transactions) = transactions(issued)
    {
        reason += if reason.is_empty() { "" } else { "; " };
        reason += &transactions;
    }
    let _ = write!(
        out,
        "{cycle:>9} {sm:>3} {warp:>4} {pc:>5} {:>5}  {lanes:08x} {:>2}  {:<24}  {:<39}  {reason}",
        words.place(*pc),
        lanes.count_ones(),
        state.label(),
        words.text(*pc)
    );
    end_line(start, out);
}

impl Writer for Cycles {
    fn begin(&mut self, launch: &Launched<'_>, watch: &Watch, out: &mut Sink) {
        self.names = Names::new(launch, watch);
        let period = self.names.words.period;
        self.cycle = watch.cycles.start.next_multiple_of(period);
        header(launch, watch, period, out.buffer());
        out.buffer().push_str("    cycle  sm warp    pc  line  lanes        state                     instruction                              why\n");
    }

    fn event(&mut self, event: &Event, out: &mut Sink) {
        let Event { cycle, sm, what } = event;
        self.write_until(*cycle, out);
        if self.cycle < *cycle {
            return;
        }
        if let Some(note) = self.names.note(what, *cycle) {
            self.before.push((*sm, note));
        }
        match what {
            What::BlockStarted { .. } | What::LoadCompleted { .. } => {}
            What::BlockRetired { warps, .. } => {
                self.warps.retain(|(s, warp), _| s != sm || warps >> warp & 1 == 0);
            }
            What::State { warp, pc, lanes, state, why } => {
                self.seen = true;
                let status = Status { pc: *pc, lanes: *lanes, state: *state, why: *why };
                self.warps.insert((*sm, *warp), status);
            }
            What::Stack { warp, entries } => {
                let note = format!("stack: {}", stack(entries));
                self.behind.entry((*sm, *warp)).or_default().push(note);
            }
            What::Written { by, lanes, rows } => {
                let Some(values) = self.names.values.text(by.pc, *lanes, rows) else { return };
                if by.cycle == *cycle {
                    let note = format!("line {}: {values}", self.names.words.place(by.pc));
                    self.behind.entry((*sm, by.warp)).or_default().push(note);
                } else if let Some((_, note)) = self.before.last_mut() {
                    let _ = write!(note, ": {values}");
                }
            }
        }
    }

    fn end(&mut self, end: u64, out: &mut Sink) -> u64 {
        self.write_until(end, out);
        if !self.seen {
            out.buffer().push_str(NO_WARP);
        }
        end.min(self.cycle)
    }
}
