//! The state of a launch at one cycle, as the panes of the stepper show it: facts, and the numbers
//! of drawings.

use super::Stepper;
use crate::pictures;
use isa::uop::OperandKind;
use report::inspect::registers::{Written, rows};
use report::inspect::values::{Format, value};
use report::inspect::variables::Sight;
use report::inspect::{Fact, InFocus, Scene, Subject};
use report::recorded::access::describe as access_of;
use report::recorded::number;
use serde::Serialize;
use sim_core::debug::{Cell, SPAN, WarpView};
use std::ops::ControlFlow;

/// The state of a launch.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "StepView"))]
pub struct View {
    /// Shader cycle before which everything is complete.
    pub cycle: u64,
    /// Whether the launch has ended.
    pub ended: bool,
    /// Warps of the SM in focus.
    pub warps: Fact,
    /// Reconvergence stack of the warp in focus.
    pub stack: Fact,
    /// Barriers of its block.
    pub barriers: Fact,
    /// Load/store queue and pending loads of the SM.
    pub queue: Fact,
    /// Resident blocks.
    pub blocks: Fact,
    /// Source line of the next instruction of the warp in focus; 0 without a warp and after its
    /// exit.
    pub line: u32,
    /// Source lines of the other warps of the SM.
    pub others: Vec<u32>,
    /// Variables of CUDA C that the line of the warp in focus sees; `None` without CUDA C.
    pub variables: Option<Vec<VariableRow>>,
    /// Registers that the warp in focus has written.
    pub registers: Vec<RegisterRow>,
    /// Picture of its last access to memory, as SVG; empty for an access without segments and
    /// banks.
    pub access: Option<String>,
    /// Words of the shared memory of its block.
    pub shared: Vec<String>,
    /// States of the warps of the SM in the last issue cycles.
    pub timeline: Timeline,
}

/// A variable of CUDA C, or a part of one.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VariableRow {
    /// Name, such as `sum` or `last[2]`.
    pub name: String,
    /// Type as C writes it; empty for a part.
    pub c_type: String,
    /// Values by lane; empty if there is none.
    pub values: Vec<String>,
    /// Note about the values.
    pub note: String,
}

/// A register with its values by lane.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RegisterRow {
    /// PTX name; of an intermediate value its row in parentheses.
    pub name: String,
    /// Values by lane.
    pub values: Vec<String>,
    /// Source line of the latest writer.
    pub line: u32,
    /// Whether the latest writer issued in the last issue cycle.
    pub changed: bool,
    /// Since when the value can be used; empty if it can be used.
    pub busy: String,
}

/// State of a warp in an issue cycle: its number, whether an instruction issues, the source line.
pub type TimelineCell = (i8, bool, u32);

/// States by issue cycle.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "StepTimeline"))]
pub struct Timeline {
    /// First shader cycle.
    pub from: u64,
    /// Shader cycles of an issue cycle.
    pub period: u64,
    /// Warp slots with their cells; the number of the state is -1 without a warp.
    pub rows: Vec<(u32, Vec<TimelineCell>)>,
}

impl Stepper {
    /// Describes the launch with the warp in focus; values have a format.
    pub fn view(&self, focus: InFocus, format: Format) -> View {
        let session = &self.session;
        let scene = Scene { session, words: &self.words, focus };
        let warp = session.warp(focus.sm, focus.slot);
        let in_sm = |warp: &WarpView| warp.sm == focus.sm && warp.slot != focus.slot && warp.live != 0;
        let mut others: Vec<u32> =
            session.warps().iter().filter(|warp| in_sm(warp)).map(|warp| self.words.line(warp.pc)).collect();
        others.sort_unstable();
        others.dedup();
        let shared = warp.as_ref().and_then(|warp| session.shared(warp.block)).unwrap_or_default();
        let word = |bytes: &[u8]| {
            let word = bytes.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
            value(OperandKind::W, Some(format), word)
        };
        View {
            cycle: session.cycle(),
            ended: session.has_ended(),
            warps: Subject::Warps.facts(&scene),
            stack: Subject::Stack.facts(&scene),
            barriers: Subject::Barrier.facts(&scene),
            queue: Subject::Queue.facts(&scene),
            blocks: Subject::Blocks.facts(&scene),
            line: warp.as_ref().filter(|warp| warp.live != 0).map_or(0, |warp| self.words.line(warp.pc)),
            others,
            variables: warp.as_ref().and_then(|warp| self.variables(warp)),
            registers: rows(session, focus.sm, focus.slot)
                .into_iter()
                .map(|one| self.register(one, format))
                .collect(),
            access: session
                .last_access(focus.sm, focus.slot)
                .map(|view| pictures::access(&access_of(&view, &self.words), &view).unwrap_or_default()),
            shared: shared.chunks(4).map(word).collect(),
            timeline: self.timeline(focus.sm),
        }
    }

    fn variables(&self, warp: &WarpView) -> Option<Vec<VariableRow>> {
        let sight = Sight::new(&self.session, &self.words, warp);
        if !sight.has_variables() {
            return None;
        }
        let mut all = Vec::new();
        for name in sight.names() {
            match sight.evaluate(name, None, &mut |_| ControlFlow::Continue(())) {
                Some(Ok(shown)) => all.extend(shown.into_iter().map(|one| VariableRow {
                    values: one.lanes.iter().map(|bits| one.plain(*bits)).collect(),
                    note: one.notes.join("; "),
                    name: one.name,
                    c_type: one.c_type,
                })),
                Some(Err(note)) => {
                    let (name, c_type) = (name.to_owned(), String::new());
                    all.push(VariableRow { name, c_type, values: Vec::new(), note });
                }
                None => {}
            }
        }
        Some(all)
    }

    fn register(&self, one: Written, format: Format) -> RegisterRow {
        let needed = if one.busy.is_some_and(|(_, needed)| needed) { ", needed" } else { "" };
        let busy = one.busy.map(|(ready, _)| match ready {
            Some(cycle) => format!("from cycle {cycle}{needed}"),
            None => format!("load pending{needed}"),
        });
        let kind = one.register.kind;
        RegisterRow {
            name: one.name,
            values: one.values.iter().map(|bits| value(kind, Some(format), *bits)).collect(),
            line: self.words.line(one.register.pc),
            changed: one.register.cycle + self.session.issue_period() >= self.session.cycle(),
            busy: busy.unwrap_or_default(),
        }
    }

    fn timeline(&self, sm: u32) -> Timeline {
        let Some(timeline) = self.session.timeline(sm, SPAN) else { return Timeline::default() };
        let cell = |cell: &Option<Cell>| {
            cell.map_or((-1, false, 0), |cell| (number(cell.state), cell.issues, self.words.line(cell.pc)))
        };
        let rows = timeline.rows.iter().map(|row| (row.slot, row.cells.iter().map(cell).collect()));
        Timeline { from: timeline.from, period: timeline.period, rows: rows.collect() }
    }
}
