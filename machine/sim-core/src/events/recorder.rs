//! The event buffer of an observed SM, with the history that is needed to name the reasons of
//! waits.
//!
//! The recorder sees every instruction that the SM issues from the launch's beginning on, because a
//! warp may wait for an instruction that issued long before the observed cycles.

use super::Watch;
use super::event::{Event, Issued, Origin, What, Why, WrittenRow};
use crate::config::MAX_UNITS;
use crate::counters::WarpState;
use crate::exec::Warp;
use crate::exec::simt::{Entry, SimtStack};
use isa::uop::{OperandKind, RowCounts};

/// Status of a warp, as recorded last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpStatus {
    /// Instruction to which the cycles are charged.
    pub pc: u32,
    /// Lanes that execute the instruction.
    pub lanes: u32,
    /// Last recorded state of the warp.
    pub state: WarpState,
    /// Reason of the state.
    pub why: Why,
}

/// Recording state of an observed SM.
#[derive(Clone, Debug)]
pub struct Recorder {
    sm: u32,
    period: u64,
    /// Mask of the observed warp slots.
    pub warps: u64,
    /// Whether the values of written registers are recorded.
    pub values: bool,
    /// First observed issue cycle.
    pub from: u64,
    /// First issue cycle after the observed ones.
    pub to: u64,
    /// All issue cycles before this one are recorded.
    pub until: u64,
    /// Whether the state at the beginning of the observation has been recorded.
    pub begun: bool,
    statuses: Vec<Option<WarpStatus>>,
    stacks: Vec<Vec<Entry>>,
    /// For each warp slot, the last instruction issued.
    issued: Vec<Option<Issued>>,
    /// For each warp slot and scoreboard entry, the instruction that computes the value.
    producers: Vec<Option<Origin>>,
    /// For each element of `producers`, the lanes that the instruction writes.
    lanes: Vec<u32>,
    registers: usize,
    /// For each pipe of the units, the last instruction that it accepted.
    users: Vec<Origin>,
    /// For each scheduler, the warp that issued last.
    selected: Vec<u32>,
    events: Vec<Event>,
}

impl Recorder {
    /// A recorder for SM number `sm` with `slots` warp slots, `registers` scoreboard entries per
    /// slot and `schedulers` schedulers. An issue cycle is `period` shader cycles long.
    pub fn new(
        watch: &Watch,
        sm: u32,
        period: u64,
        slots: usize,
        registers: usize,
        schedulers: usize,
    ) -> Self {
        let warps = (0..slots as u32).filter(|w| watch.warps.contains(w)).fold(0, |mask, w| mask | 1 << w);
        Self {
            sm,
            period,
            warps,
            values: watch.values,
            from: watch.cycles.start.div_ceil(period),
            to: watch.cycles.end.div_ceil(period),
            until: 0,
            begun: false,
            statuses: vec![None; slots],
            stacks: vec![Vec::new(); slots],
            issued: vec![None; slots],
            producers: vec![None; slots * registers],
            lanes: vec![0; slots * registers],
            registers,
            users: vec![Origin::default(); schedulers * MAX_UNITS],
            selected: vec![0; schedulers],
            events: Vec::new(),
        }
    }

    /// Whether issue cycle `cycle` is observed.
    pub fn wants(&self, cycle: u64) -> bool {
        self.from <= cycle && cycle < self.to
    }

    fn observes(&self, warp: u32) -> bool {
        self.warps >> warp & 1 == 1
    }

    /// Records an event that holds from issue cycle `cycle` on.
    pub fn record(&mut self, cycle: u64, what: What) {
        if self.begun && self.wants(cycle) {
            debug_assert!(
                self.events.last().is_none_or(|e| e.cycle <= cycle * self.period),
                "events are recorded in order of time"
            );
            self.events.push(Event { cycle: cycle * self.period, sm: self.sm, what });
        }
    }

    /// Records that the warp has this status from issue cycle `cycle` on, if the status changed.
    pub fn record_state(&mut self, cycle: u64, warp: u32, status: WarpStatus) {
        if !self.observes(warp) || !self.wants(cycle) || self.statuses[warp as usize] == Some(status) {
            return;
        }
        self.statuses[warp as usize] = Some(status);
        let WarpStatus { pc, lanes, state, why } = status;
        self.record(cycle, What::State { warp, pc, lanes, state, why });
    }

    /// Records the warp's stack if it differs from the stack recorded last.
    pub fn record_stack(&mut self, cycle: u64, warp: u32, stack: &SimtStack) {
        if !self.observes(warp) || !self.begun {
            return;
        }
        let recorded = &mut self.stacks[warp as usize];
        // The program counter of the running entry advances with every instruction; that is not a
        // change.
        let running = stack.depth().saturating_sub(1);
        let fixed = |i: usize, e: Entry| (e.mask, e.reconv, if i == running { 0 } else { e.pc });
        let same = recorded.len() == stack.depth()
            && recorded
                .iter()
                .zip(stack.entries())
                .enumerate()
                .all(|(i, (a, b))| fixed(i, *a) == fixed(i, b));
        if same {
            return;
        }
        recorded.clear();
        recorded.extend(stack.entries());
        let entries = recorded.clone();
        self.record(cycle, What::Stack { warp, entries });
    }

    /// Forgets the warp in a slot: a warp leaves the slot or enters it.
    pub fn forget(&mut self, warp: u32) {
        let w = warp as usize;
        self.statuses[w] = None;
        self.stacks[w].clear();
        self.issued[w] = None;
        self.producers[w * self.registers..][..self.registers].fill(None);
    }

    /// Notes that `warp` uses the first port of `scheduler`, or keeps the scheduler from issuing.
    pub fn select(&mut self, scheduler: usize, warp: u32) {
        self.selected[scheduler] = warp;
    }

    /// Records that an instruction issues into `pipe`; `registers` are the scoreboard entries of
    /// its results.
    pub fn issue(&mut self, pipe: usize, registers: &[u16], issued: Issued) {
        let Issued { origin, lanes, guarded, .. } = issued;
        let warp = origin.warp as usize;
        self.users[pipe] = origin;
        self.issued[warp] = Some(issued);
        for register in registers {
            self.producers[warp * self.registers + *register as usize] = Some(origin);
            self.lanes[warp * self.registers + *register as usize] = guarded;
        }
        let (state, why) = (WarpState::Issuing, Why::Issued(issued));
        let status = WarpStatus { pc: origin.pc, lanes, state, why };
        self.record_state(origin.cycle / self.period, origin.warp, status);
    }

    /// Returns the last instruction issued by the warp in a slot.
    pub fn issued(&self, warp: u32) -> Option<Issued> {
        self.issued[warp as usize]
    }

    /// Returns the instruction that computes the value of a scoreboard entry.
    pub fn producer(&self, warp: u32, register: u16) -> Option<Origin> {
        self.producers[warp as usize * self.registers + register as usize]
    }

    /// Returns the lanes that the producer of a scoreboard entry writes.
    pub fn lanes(&self, warp: u32, register: u16) -> u32 {
        self.lanes[warp as usize * self.registers + register as usize]
    }

    /// Whether the values that instructions of `warp` write in issue cycle `cycle` are recorded.
    pub fn wants_values(&self, warp: u32, cycle: u64) -> bool {
        self.values && self.begun && self.observes(warp) && self.wants(cycle)
    }

    /// Records the values of the scoreboard entries `registers` of a warp, whose program has
    /// `counts` rows; `by` has written them in `lanes`.
    pub fn record_values(
        &mut self,
        cycle: u64,
        by: Origin,
        lanes: u32,
        registers: &[u16],
        (warp, counts): (&Warp, RowCounts),
    ) {
        if lanes == 0 || registers.is_empty() {
            return;
        }
        let row = |entry: &u16| {
            let (d, p) = (entry.checked_sub(counts.w), entry.checked_sub(counts.w + counts.d));
            let (kind, row, values) = match (d, p) {
                (_, Some(row)) => {
                    let mask = warp.p[row as usize];
                    (OperandKind::P, row, std::array::from_fn(|lane| u64::from(mask >> lane & 1)))
                }
                (Some(row), None) => (OperandKind::D, row, warp.d[row as usize]),
                (None, None) => (OperandKind::W, *entry, warp.w[*entry as usize].map(u64::from)),
            };
            WrittenRow { kind, row, values }
        };
        let rows = registers.iter().map(row).collect();
        self.record(cycle, What::Written { by, lanes, rows });
    }

    /// Returns the last instruction that a pipe accepted.
    pub fn user(&self, pipe: usize) -> Origin {
        self.users[pipe]
    }

    /// Returns the warp that issued last from a scheduler.
    pub fn selected(&self, scheduler: usize) -> u32 {
        self.selected[scheduler]
    }

    /// Moves the events before shader cycle `before` to `out`.
    pub fn drain(&mut self, before: u64, out: &mut Vec<Event>) {
        let end = self.events.partition_point(|event| event.cycle < before);
        if out.is_empty() && end == self.events.len() {
            std::mem::swap(out, &mut self.events);
        } else {
            out.extend(self.events.drain(..end));
        }
    }
}
