//! The trace as a line for each span of a warp: the issue cycles in which it is in the same state
//! at the same instruction.
//!
//! A line can be written when its span ends. The lines are therefore in the order of the last
//! cycles, and memory holds one span for each warp.

use super::text::{NO_WARP, Names, end_line, header};
use super::{Sink, Writer};
use crate::render::number::{count, plural};
use crate::words::{Words, guard, stack, transactions};
use sim_core::observe::{Event, Issued, Launched, Origin, Watch, What, Why};
use sim_core::stats::WarpState;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Most sequences of warps that the reason of a wait names.
const MOST_NAMED: usize = 6;

/// A span that has not ended.
#[derive(Debug)]
struct Span {
    /// First shader cycle.
    since: u64,
    pc: u32,
    lanes: u32,
    state: WarpState,
    /// Reason at the start.
    first: Why,
    /// Latest reason, and the instruction at which it holds.
    last: Why,
    last_pc: u32,
    /// Different reasons after the first one, which the line does not have.
    others: u64,
    /// Instructions that have issued in the span.
    issued: u64,
    /// The other warps that the scheduler has served, each once.
    served: Vec<u32>,
    /// Notes after the line, each with its shader cycle.
    notes: Vec<(u64, String)>,
}

/// Text of a span that has ended in one issue cycle, with its SM and warp slot.
type Ended = ((u32, u32), String);

/// The writer.
#[derive(Debug, Default)]
pub struct Spans {
    names: Names,
    /// Whether a line has all successive spans with the same state.
    fold: bool,
    /// Shader cycle of the latest event.
    cycle: u64,
    /// Spans that have not ended, by SM and warp slot.
    open: BTreeMap<(u32, u32), Span>,
    /// Lines of the spans that end before `cycle`, not written.
    ended: Vec<Ended>,
    /// Notes of `cycle`, with their SM.
    notes: Vec<(u32, String)>,
    /// Stacks of warps that have no span at the moment.
    stacks: BTreeMap<(u32, u32), String>,
    /// Whether any warp slot held a warp.
    seen: bool,
}

impl Spans {
    /// A writer; with `fold`, a line has all successive spans of a warp with the same state.
    pub fn new(fold: bool) -> Self {
        Self { fold, ..Self::default() }
    }

    /// Writes the lines that end before the current cycle, and the notes of the current cycle.
    fn write(&mut self, out: &mut String) {
        self.ended.sort_by_key(|(warp, _)| *warp);
        self.ended.drain(..).for_each(|(_, lines)| out.push_str(&lines));
        for (sm, note) in self.notes.drain(..) {
            let _ = writeln!(out, "{:>9} {:>9} {:>7} {sm:>3}    -- {note}", self.cycle, "", "");
        }
    }

    /// Ends the span of a warp before shader cycle `end`.
    fn close(&mut self, warp: (u32, u32), end: u64) {
        if let Some(span) = self.open.remove(&warp).filter(|span| span.since < end) {
            self.ended.push((warp, lines(&self.names.words, warp, &span, end)));
        }
    }

    /// Adds a note to the span of a warp that begins in the current cycle.
    fn add(&mut self, warp: (u32, u32), note: String) {
        match self.open.get_mut(&warp) {
            Some(span) => span.notes.push((self.cycle, note)),
            None => drop(self.stacks.insert(warp, note)),
        }
    }
}

impl Span {
    fn new(event: &Event, (pc, lanes, state, why): (u32, u32, WarpState, Why)) -> Self {
        let mut span = Self {
            since: event.cycle,
            pc,
            lanes,
            state,
            first: why,
            last: why,
            last_pc: pc,
            others: 0,
            issued: 0,
            served: Vec::new(),
            notes: Vec::new(),
        };
        span.count(event.cycle, why);
        span
    }

    /// Counts the instruction that issues, or the warp that the scheduler serves.
    fn count(&mut self, cycle: u64, why: Why) {
        match why {
            Why::Issued(issued) => self.issued += u64::from(issued.origin.cycle == cycle),
            Why::Taken { by } if !self.served.contains(&by) => self.served.push(by),
            Why::Taken { .. }
            | Why::LeftEmpty
            | Why::Unit { .. }
            | Why::QueueFull
            | Why::Fetch { .. }
            | Why::Register { .. }
            | Why::Barrier { .. }
            | Why::Fence { .. }
            | Why::Exited { .. }
            | Why::Trapped => {}
        }
    }

    /// Whether `why` is a later form of the latest reason: the same wait.
    fn is_same_wait(&self, why: &Why) -> bool {
        match (self.last, *why) {
            (Why::Issued(a), Why::Issued(b)) => a.origin == b.origin,
            (Why::Fetch { after: a, .. }, Why::Fetch { after: b, .. })
            | (Why::Register { producer: a, .. }, Why::Register { producer: b, .. })
            | (Why::Barrier { at: a, .. }, Why::Barrier { at: b, .. }) => a == b,
            (Why::Unit { unit: a, user: x, .. }, Why::Unit { unit: b, user: y, .. }) => (a, x) == (b, y),
            (Why::Taken { .. }, Why::Taken { .. })
            | (Why::Fence { .. }, Why::Fence { .. })
            | (Why::Exited { .. }, Why::Exited { .. })
            | (Why::LeftEmpty, Why::LeftEmpty)
            | (Why::QueueFull, Why::QueueFull)
            | (Why::Trapped, Why::Trapped) => true,
            (
                Why::Issued(_)
                | Why::Taken { .. }
                | Why::LeftEmpty
                | Why::Unit { .. }
                | Why::QueueFull
                | Why::Fetch { .. }
                | Why::Register { .. }
                | Why::Barrier { .. }
                | Why::Fence { .. }
                | Why::Exited { .. }
                | Why::Trapped,
                _,
            ) => false,
        }
    }

    /// The reason of the whole span.
    fn why(&self, words: &Words, end: u64) -> String {
        let mut text = match (self.first, self.last) {
            (Why::Issued(_), _) if self.issued > 1 => {
                let (first, last) = (words.place(self.pc), words.place(self.last_pc));
                return format!("{} instructions, from line {first} to line {last}", count(self.issued));
            }
            (Why::Issued(issued), _) => slots(&issued),
            (Why::Taken { .. }, _) => served(&self.served),
            (
                Why::Barrier { at, id, arrived, live, until: None },
                Why::Barrier { until: Some(until), .. },
            ) => {
                let line = words.files().place(at.map_or(0, |Origin { pc, .. }| words.line(pc)));
                let id = id.map_or(String::new(), |id| format!(" {id}"));
                let all = plural(live.into(), "warp");
                format!(
                    "barrier{id} of line {line}: {arrived} of {all} arrived at first; continues at {until}"
                )
            }
            // These reasons become shorter with time.
            (Why::Fence { .. } | Why::Exited { .. }, _) => words.why(&self.first, self.since),
            (
                Why::LeftEmpty
                | Why::Unit { .. }
                | Why::QueueFull
                | Why::Fetch { .. }
                | Why::Register { .. }
                | Why::Barrier { .. }
                | Why::Trapped,
                last,
            ) => words.why(if self.others == 0 { &last } else { &self.first }, end),
        };
        if self.others > 0 {
            let _ = write!(text, ", and {}", plural(self.others, "other reason"));
        }
        text
    }
}

/// The slots of an issuing instruction, its transactions and its guard.
fn slots(issued: &Issued) -> String {
    let mut parts = Vec::new();
    if issued.slots() > 1 {
        parts.push(plural(issued.slots(), "slot"));
    }
    if issued.replay > 0 {
        parts.push(format!("{} for bank conflicts", plural(issued.replay, "replay")));
    }
    if issued.constant > 0 {
        let replays = plural(issued.constant, "replay");
        parts.push(format!("{replays} for other addresses of constant memory"));
    }
    parts.extend(transactions(issued));
    parts.extend(guard(issued));
    parts.join("; ")
}

/// The warps that a scheduler has served.
fn served(warps: &[u32]) -> String {
    let in_turn = |pair: &u32, next: &u32| pair + 1 == *next;
    let parts: Vec<&[u32]> = warps.chunk_by(in_turn).collect();
    let part = |part: &&[u32]| match part {
        [first, .., last] if part.len() > 2 => format!("{first}..{last}"),
        few => few.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
    };
    let named: Vec<String> = parts.iter().take(MOST_NAMED).map(part).collect();
    let more: usize = parts.iter().skip(MOST_NAMED).map(|part| part.len()).sum();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let word = if warps.len() == 1 { "warp" } else { "warps" };
    format!("the scheduler serves {word} {}{more}", named.join(", "))
}

/// The line of a span that ends before shader cycle `end`, and the lines of its notes.
fn lines(words: &Words, (sm, warp): (u32, u32), span: &Span, end: u64) -> String {
    let Span { since, pc, lanes, state, .. } = span;
    let mut out = format!(
        "{since:>9} {:>9} {:>7} {sm:>3} {warp:>4} {pc:>5} {:>5}  {lanes:08x} {:>2}  {:<24}  {:<39}  {}",
        end - 1,
        end - since,
        words.place(*pc),
        lanes.count_ones(),
        state.label(),
        words.text(*pc),
        span.why(words, end)
    );
    end_line(0, &mut out);
    for (cycle, note) in &span.notes {
        let _ = writeln!(out, "{cycle:>9} {:>9} {:>7} {sm:>3} {warp:>4}    {note}", "", "");
    }
    out
}

impl Writer for Spans {
    fn begin(&mut self, launch: &Launched<'_>, watch: &Watch, out: &mut Sink) {
        self.names = Names::new(launch, watch);
        let out = out.buffer();
        header(launch, watch, self.names.words.period, out);
        out.push_str("     from        to  cycles  sm warp    pc  line  lanes        state                     instruction                              why\n");
    }

    fn event(&mut self, event: &Event, out: &mut Sink) {
        let Event { cycle, sm, what } = event;
        if *cycle > self.cycle {
            self.write(out.buffer());
            self.cycle = *cycle;
        }
        if let Some(note) = self.names.note(what, *cycle) {
            self.notes.push((*sm, note));
        }
        match what {
            What::BlockStarted { .. } | What::LoadCompleted { .. } => {}
            What::BlockRetired { warps, .. } => {
                (0..64).filter(|w| warps >> w & 1 == 1).for_each(|w| self.close((*sm, w), *cycle));
            }
            What::State { warp, pc, lanes, state, why } => {
                self.seen = true;
                let key = (*sm, *warp);
                if let Some(span) = self.open.get_mut(&key).filter(|span| span.state == *state) {
                    let same = span.is_same_wait(why) && span.last_pc == *pc && span.lanes == *lanes;
                    if same || self.fold {
                        span.others += u64::from(!same);
                        (span.last, span.last_pc) = (*why, *pc);
                        span.count(*cycle, *why);
                        return;
                    }
                }
                self.close(key, *cycle);
                let mut span = Span::new(event, (*pc, *lanes, *state, *why));
                span.notes.extend(self.stacks.remove(&key).map(|stack| (*cycle, stack)));
                self.open.insert(key, span);
            }
            What::Stack { warp, entries } => self.add((*sm, *warp), format!("stack: {}", stack(entries))),
            What::Written { by, lanes, rows } => {
                let Some(values) = self.names.values.text(by.pc, *lanes, rows) else { return };
                if by.cycle == *cycle {
                    let line = self.names.words.place(by.pc);
                    self.add((*sm, by.warp), format!("line {line}: {values}"));
                } else if let Some((_, note)) = self.notes.last_mut() {
                    let _ = write!(note, ": {values}");
                }
            }
        }
    }

    fn end(&mut self, end: u64, out: &mut Sink) -> u64 {
        // The state at the beginning of an issue cycle is counted for the whole issue cycle.
        let last = end.next_multiple_of(self.names.words.period);
        if last > self.cycle {
            self.write(out.buffer());
            self.cycle = last;
        }
        // Of a cycle that the trace does not have.
        self.notes.clear();
        self.open.keys().copied().collect::<Vec<_>>().into_iter().for_each(|warp| self.close(warp, last));
        self.write(out.buffer());
        if !self.seen {
            out.buffer().push_str(NO_WARP);
        }
        end
    }
}
