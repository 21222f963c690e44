//! The last value of a PTX register of a warp, also after another register has taken its row.
//!
//! After register allocation several PTX registers share a row, so a value is in its row only until
//! another instruction writes the row. The launch can go back: a copy of the machine runs to the
//! start of the cycle in which the row was overwritten, and the value is read there.

use super::names::Register;
use super::session::{CHUNK, Halt, Poll, Session};
use super::state::State;
use super::steps::issues;
use super::waits::ScoreboardEntry;
use crate::events::{Event, What};
use isa::uop::{Class, Op, OperandKind, Program};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Most issue cycles for which a copy of the launch waits for a load.
const MOST_AHEAD: u32 = 1 << 16;

/// Lanes with a common origin of their value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Lanes of the warp.
    pub lanes: u32,
    /// Instruction that wrote the value.
    pub pc: u32,
    /// Shader cycle of its issue.
    pub cycle: u64,
    /// Instruction that has overwritten the row, and its cycle; `None` if the row holds the value.
    pub overwritten: Option<(u32, u64)>,
    /// Whether the value is pending in memory.
    pub is_pending: bool,
    /// Cycle at which a pending value is in its register, if the launch reaches it.
    pub arrives: Option<u64>,
}

impl Part {
    /// Whether the instruction that wrote the value, or one of the same cycle, also overwrote it.
    /// Such a value exists only within a fused instruction.
    pub fn is_lost(&self) -> bool {
        self.overwritten.is_some_and(|(_, cycle)| cycle == self.cycle)
    }
}

/// The last value of a PTX register in each lane of a warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastValue {
    /// Kind of the row.
    pub kind: OperandKind,
    /// The value of each lane of `lanes`; 0 in other lanes.
    pub values: [u64; 32],
    /// Lanes with a value. A pending one is the value that will arrive.
    pub lanes: u32,
    /// Writers of the values, the latest first; also of lost ones.
    pub parts: Vec<Part>,
}

/// The latest write of a register in one lane.
#[derive(Clone, Copy)]
struct Cell {
    index: u32,
    pc: u32,
    cycle: u64,
    /// Position in the text, after the branches that the warp had executed.
    order: (u64, u32),
    overwritten: Option<(u32, u64)>,
    /// Whether a called function has overwritten the row, so that the caller may restore it.
    in_callee: bool,
}

/// The calls of a function that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// All of them.
    All,
    /// Calls that have not returned: a value is the one of the innermost call that has one.
    Active,
}

/// The latest writes of a register in one lane, for each call that has not returned.
struct Frames {
    /// The innermost call last; the kernel is the first.
    cells: Vec<Option<Cell>>,
    /// An indirect call that the lane has issued; lanes with another target issue it again.
    indirect: Option<u32>,
}

impl Default for Frames {
    fn default() -> Self {
        Self { cells: vec![None], indirect: None }
    }
}

impl Frames {
    /// Follows calls and returns.
    fn issues(&mut self, op: Op, pc: u32) {
        if self.indirect.take().is_some_and(|call| call != pc) {
            self.cells.push(None);
        }
        match op {
            Op::Call => self.cells.push(None),
            Op::CallInd => self.indirect = Some(pc),
            Op::Ret if self.cells.len() > 1 => {
                self.cells.pop();
            }
            _ => {}
        }
    }

    fn write(&mut self, cell: Cell) {
        self.overwrite(cell.index, (cell.pc, cell.cycle));
        let last = self.cells.last_mut().expect("the kernel is not left");
        if last.is_none_or(|last| last.order <= cell.order) {
            *last = Some(cell);
        }
    }

    fn overwrite(&mut self, index: u32, by: (u32, u64)) {
        let callee = self.cells.len() - 1;
        let all = (0..).zip(&mut self.cells).filter_map(|(call, cell)| Some((call, cell.as_mut()?)));
        for (call, cell) in all.filter(|(_, cell)| cell.index == index && cell.overwritten.is_none()) {
            cell.overwritten = Some(by);
            cell.in_callee = call < callee;
        }
    }

    /// A call of a recursive function restores a register after its return.
    fn restore(&mut self, index: u32) {
        match self.cells.last_mut() {
            Some(Some(cell)) if cell.index == index && cell.in_callee => cell.overwritten = None,
            _ => {}
        }
    }

    /// The value of the innermost call that has one.
    fn latest(&self) -> Option<Cell> {
        self.cells.iter().rev().find_map(|cell| *cell)
    }
}

/// For each micro-op whether it restores a register that a recursive function has saved before a
/// call: it loads, and belongs to the instruction of a call.
fn restores(program: &Program) -> Vec<bool> {
    let is_call = |op: Op| matches!(op, Op::Call | Op::CallInd);
    let calls = program.code.iter().zip(&program.spans).filter(|(inst, _)| is_call(inst.op));
    let calls: Vec<_> = calls.map(|(_, span)| *span).collect();
    let is_load = |op: Op| matches!(op, Op::LdLocalB32 | Op::LdLocalB64);
    let all = program.code.iter().zip(&program.spans);
    all.map(|(inst, span)| is_load(inst.op) && calls.contains(span)).collect()
}

/// An instruction of the warp: main micro-op, cycle, lanes.
type Issue = (u32, u64, u32);

impl Session<'_> {
    /// Returns the last value of PTX register `name` in each lane of the warp in slot `slot` of SM
    /// `sm`, since the block of the warp became resident. Returns `None` if the warp has not
    /// written the register or is not resident, or if `poll` stops the search.
    pub fn last_value(&self, sm: u32, slot: u32, name: &str, poll: Poll<'_>) -> Option<LastValue> {
        let number = self.warp(sm, slot)?.index;
        let holding: Vec<_> = self.names().holding(self.state.statuses.writers(sm, slot), name).collect();
        // A later value in another row may have been overwritten.
        if let [only] = holding.as_slice()
            && self.names().has_one_row(name)
            && only.lanes == self.present(number)
        {
            return self.held(sm, slot, only);
        }
        self.last_value_of(sm, slot, Calls::All, &|_, written| written == name, poll)
    }

    /// Returns the last value among the registers that `writes` names with the instructions that
    /// write them, if it is in its register in all lanes and no other instruction writes one of
    /// these registers. `None` if that is not so: [`last_value_of`](Self::last_value_of) finds the
    /// value.
    pub fn held_value(&self, sm: u32, slot: u32, writes: &[(u32, &str)]) -> Option<LastValue> {
        let names = self.names();
        let (first, name) = writes.first()?;
        let row = |pc: u32, name: &str| {
            names.rows_written(pc).find(|(_, written)| *written == Some(name)).map(|(index, _)| index)
        };
        let index = row(*first, name)?;
        let is_one = writes.iter().all(|(pc, name)| row(*pc, name) == Some(index));
        let is_other = |name: &str| names.writers(name).any(|pc| !writes.contains(&(pc, name)));
        if !is_one || writes.iter().any(|(_, name)| is_other(name)) {
            return None;
        }
        let number = self.warp(sm, slot)?.index;
        let (kind, row) = names.row(index);
        let held = self.registers(sm, slot).into_iter().find(|one| (one.kind, one.row) == (kind, row))?;
        let is_wanted = held.name.as_deref().is_some_and(|name| writes.contains(&(held.pc, name)));
        if !is_wanted || held.lanes != self.present(number) {
            return None;
        }
        self.held(sm, slot, &held)
    }

    /// The value of a register that its row holds in all lanes.
    fn held(&self, sm: u32, slot: u32, register: &Register) -> Option<LastValue> {
        let Register { kind, row, lanes, pc, cycle, .. } = *register;
        let values = self.row(sm, slot, kind, row)?;
        let part = Part { lanes, pc, cycle, overwritten: None, is_pending: false, arrives: None };
        let found = LastValue { kind, values, lanes, parts: vec![part] };
        Some(self.with_pending(sm, slot, found, |_| Some((kind, row))))
    }

    /// Returns the last value among the registers of which `wanted` accepts a write, by instruction
    /// and name: the value of a variable that several registers hold one after the other. Between
    /// two branches the order is that of the PTX text, which a compiler may have changed.
    pub fn last_value_of(
        &self,
        sm: u32,
        slot: u32,
        calls: Calls,
        wanted: &dyn Fn(u32, &str) -> bool,
        poll: Poll<'_>,
    ) -> Option<LastValue> {
        let block = self.warp(sm, slot)?.block;
        let since = self.blocks().iter().find(|one| one.number == block)?.since;
        let program = self.program();
        let restores = restores(program);
        let mut all: [Frames; 32] = std::array::from_fn(|_| Frames::default());
        // Branches that the warp has executed.
        let mut branches = 0;
        for (pc, cycle, lanes) in self.issues_of(sm, slot, since, poll)? {
            let op = program.code[pc as usize].op;
            branches += u64::from(op.class() == Class::Branch);
            let order = (branches, program.spans[pc as usize].start);
            for (_, frames) in all.iter_mut().enumerate().filter(|(lane, _)| lanes >> lane & 1 == 1) {
                if calls == Calls::Active {
                    frames.issues(op, pc);
                }
                for (index, written) in self.names().rows_written(pc) {
                    if written.is_some_and(|name| wanted(pc, name)) {
                        frames.write(Cell { index, pc, cycle, order, overwritten: None, in_callee: false });
                    } else if restores[pc as usize] {
                        frames.restore(index);
                    } else {
                        frames.overwrite(index, (pc, cycle));
                    }
                }
            }
        }
        let cells = all.map(|frames| frames.latest());
        self.values_of(sm, slot, &cells, poll)
    }

    /// Returns the lanes of warp number `number` of a block that have a thread.
    fn present(&self, number: u32) -> u32 {
        match self.kernel().block.count().saturating_sub(32 * u64::from(number)) {
            threads @ 0..32 => (1 << threads) - 1,
            _ => u32::MAX,
        }
    }

    /// Returns the instructions that the warp has issued since its block became resident at shader
    /// cycle `since`, in order.
    fn issues_of(&self, sm: u32, slot: u32, since: u64, poll: Poll<'_>) -> Option<Vec<Issue>> {
        let end = self.cycle();
        let mut state = self.history.before(since).clone();
        let mut all = Vec::new();
        while state.cycle() < end && !state.has_ended() {
            if poll(state.cycle()).is_break() {
                return None;
            }
            state.advance(end.min(state.cycle() + CHUNK), &mut |event: &Event| {
                if event.sm != sm {
                    return;
                }
                match &event.what {
                    What::BlockStarted { warps, .. } if warps >> slot & 1 == 1 => all.clear(),
                    What::State { pc, why, .. } if issues(event, slot) => {
                        let lanes = why.issued().map_or(0, |issued| issued.guarded);
                        all.push((*pc, event.cycle, lanes));
                    }
                    _ => {}
                }
            });
        }
        Some(all)
    }

    /// Reads the values of `cells`: from the rows now, or at the cycles in which they were
    /// overwritten.
    fn values_of(&self, sm: u32, slot: u32, cells: &[Option<Cell>; 32], poll: Poll<'_>) -> Option<LastValue> {
        let mut parts: Vec<Part> = Vec::new();
        for (lane, cell) in cells.iter().enumerate() {
            let Some(Cell { pc, cycle, overwritten, .. }) = *cell else { continue };
            let same = |part: &&mut Part| (part.pc, part.cycle, part.overwritten) == (pc, cycle, overwritten);
            if let Some(part) = parts.iter_mut().find(same) {
                part.lanes |= 1 << lane;
            } else {
                let lanes = 1 << lane;
                parts.push(Part { lanes, pc, cycle, overwritten, is_pending: false, arrives: None });
            }
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.cycle));
        let (kind, _) = self.names().row(cells.iter().flatten().next()?.index);
        let mut found = LastValue { kind, values: [0; 32], lanes: 0, parts };
        let mut stops: Vec<u64> = found.parts.iter().filter_map(|part| Some(part.overwritten?.1)).collect();
        stops.sort_unstable();
        stops.dedup();
        let mut read = |state: &State<'_>, at: Option<u64>| {
            for part in found.parts.iter().filter(|part| !part.is_lost()) {
                if part.overwritten.map(|(_, cycle)| cycle) != at {
                    continue;
                }
                for lane in (0..32).filter(|lane| part.lanes >> lane & 1 == 1) {
                    let row = cells[lane].and_then(|cell| {
                        let (kind, row) = self.names().row(cell.index);
                        state.row(sm, slot, kind, row)
                    });
                    if let Some(row) = row {
                        found.values[lane] = row[lane];
                        found.lanes |= 1 << lane;
                    }
                }
            }
        };
        read(&self.state, None);
        let mut state: Option<State<'_>> = None;
        for stop in stops {
            let from = self.history.before(stop);
            let begin = from.cycle();
            let mut now = match state.take() {
                Some(state) if begin <= state.cycle() => state,
                _ => from.clone(),
            };
            while now.cycle() < stop && !now.has_ended() {
                if poll(now.cycle()).is_break() {
                    return None;
                }
                now.advance(stop.min(now.cycle() + CHUNK), &mut |_| {});
            }
            read(&now, Some(stop));
            state = Some(now);
        }
        let row_of = |part: &Part| {
            let cell = cells[part.lanes.trailing_zeros() as usize % 32]?;
            Some(self.names().row(cell.index))
        };
        Some(self.with_pending(sm, slot, found, row_of))
    }

    /// Replaces the values of pending loads, whose rows hold earlier values, by those that will
    /// arrive. Lanes whose value does not arrive have none.
    fn with_pending(
        &self,
        sm: u32,
        slot: u32,
        mut found: LastValue,
        row_of: impl Fn(&Part) -> Option<(OperandKind, u16)>,
    ) -> LastValue {
        let pending = self.scoreboard(sm, slot);
        for part in found.parts.iter_mut().filter(|part| part.overwritten.is_none()) {
            let is_of = |entry: &ScoreboardEntry| {
                entry.ready.is_none()
                    && entry.producer.is_some_and(|by| (by.pc, by.cycle) == (part.pc, part.cycle))
            };
            if !pending.iter().any(is_of) {
                continue;
            }
            part.is_pending = true;
            found.lanes &= !part.lanes;
            let arrival = row_of(part).and_then(|row| self.arrival((sm, slot), row, (part.pc, part.cycle)));
            if let Some((cycle, values)) = arrival {
                part.arrives = Some(cycle);
                found.lanes |= part.lanes;
                for lane in (0..32).filter(|lane| part.lanes >> lane & 1 == 1) {
                    found.values[lane] = values[lane];
                }
            }
        }
        found
    }

    /// The cycle at which the load that `by` has issued is complete, and the values that it writes
    /// to a row: a copy of the launch runs on. `None` if the launch ends before.
    fn arrival(
        &self,
        (sm, slot): (u32, u32),
        (kind, row): (OperandKind, u16),
        by: (u32, u64),
    ) -> Option<(u64, [u64; 32])> {
        let mut ahead = Session::new(self.state.clone(), Cow::Borrowed(&*self.chip), 0);
        for _ in 0..MOST_AHEAD {
            if ahead.step_cycle() != Halt::Done {
                return None;
            }
            let mut left = ahead.scoreboard(sm, slot).into_iter();
            let is_of = |entry: ScoreboardEntry| {
                entry.ready.is_none() && entry.producer.is_some_and(|one| (one.pc, one.cycle) == by)
            };
            if !left.any(is_of) {
                return Some((ahead.cycle(), ahead.row(sm, slot, kind, row)?));
            }
        }
        None
    }

    /// As [`last_value`](Self::last_value), without an interruption.
    pub fn last_value_now(&self, sm: u32, slot: u32, name: &str) -> Option<LastValue> {
        self.last_value(sm, slot, name, &mut |_| ControlFlow::Continue(()))
    }
}
