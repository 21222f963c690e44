//! Accounting of one SM: the warp state breakdown and the issue slot breakdown, and the counters of
//! its instructions.
//!
//! A warp is in one state until it enters another; the cycles of a state are counted when it ends.
//! Ready warps are a special case: in each cycle a ready warp is *pipe busy*, *LSU full* or *not
//! selected*, depending on other warps. The units count the cycles in which they were busy. The
//! difference between the counts at the end and at the start of the interval therefore splits the
//! interval exactly and in constant time.
//!
//! Invariant `exact-breakdowns`: Issue slots are schedulers × ports × issue cycles. Warp states sum
//! to the resident warp cycles. Issued instructions are executed instructions. No slot is empty
//! while a warp is eligible.

mod ready;
pub mod slots;

use crate::config::{MAX_SCHEDULERS, MAX_UNITS};
use crate::counters::{ByState, Counters, InstCounters, PcCounters, WarpState};
use crate::exec::mask::count;
use crate::sm::decode::{Decoded, Need};
use crate::sm::front::kinds::{FrontEnd, General};
use crate::sm::scheduler::bits;
use crate::sm::units::{Units, place};
use crate::sm::warps::{MAX_WARPS, PerWarp};
use crate::state::CloneFrom;
use crate::time::NEVER;
use slots::SlotAccount;

/// Accounting state of one warp slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, crate::state::Value)]
struct Interval {
    /// Issue cycle from which the cycles of the state are not counted: the cycle in which the warp
    /// entered the state, or the next cycle if it issues.
    since: u64,
    /// The instruction to which the cycles are charged.
    pc: u32,
    /// The next instruction.
    next: u32,
    /// For ready warps: the counts when the warp became ready.
    busy: u64,
    full: u64,
}

/// The account of one SM.
#[derive(CloneFrom, Debug, PartialEq, crate::state::Value)]
pub struct Account {
    /// State of each slot. An empty slot has [`WarpState::Exited`].
    states: PerWarp<WarpState>,
    intervals: PerWarp<Interval>,
    resident: u64,
    /// For each scheduler: `u8::MAX` for the warps of other schedulers, else 0.
    others: [[u8; MAX_WARPS]; MAX_SCHEDULERS],
    /// Issue cycle up to which the load/store queue is counted as full; [`NEVER`] if it is not.
    full_from: u64,
    blocks: u32,
    active_from: u64,
    /// Issue slot breakdown.
    pub slots: SlotAccount,
    /// Counters by instruction, with their share of both breakdowns; none before the first block.
    pub pcs: Vec<PcCounters>,
    /// Floating-point operations, branches and barriers; see [`Self::inst`].
    pub(in crate::sm) inst: InstCounters,
    /// Blocks that started.
    pub blocks_started: u64,
    /// Issue cycles with a resident block.
    pub active: u64,
    /// Resident warps × issue cycles, counted by blocks: the sum of the warp state breakdown.
    pub resident_cycles: u64,
}

impl Account {
    /// The empty account of an SM with `schedulers` of `ports` ports.
    pub fn new(schedulers: usize, ports: u32) -> Self {
        let empty = Interval { since: 0, pc: 0, next: 0, busy: 0, full: 0 };
        let is_other = |scheduler, warp| if warp % schedulers == scheduler { 0 } else { u8::MAX };
        Self {
            others: std::array::from_fn(|scheduler| std::array::from_fn(|warp| is_other(scheduler, warp))),
            states: PerWarp::new(WarpState::Exited),
            intervals: PerWarp::new(empty),
            resident: 0,
            full_from: NEVER,
            blocks: 0,
            active_from: 0,
            slots: SlotAccount::new(schedulers, ports),
            pcs: Vec::new(),
            inst: InstCounters::default(),
            blocks_started: 0,
            active: 0,
            resident_cycles: 0,
        }
    }

    /// The state of a warp slot.
    pub fn state(&self, warp: u32) -> WarpState {
        self.states[warp]
    }

    /// Instruction to which the cycles of a warp slot are charged.
    pub fn pc(&self, warp: u32) -> u32 {
        self.intervals[warp].pc
    }

    /// Least blocked state among the warps `own` of `scheduler`; `None` if there are no warps.
    pub fn least_blocked(&self, scheduler: usize, own: u64) -> Option<WarpState> {
        if own & self.resident == 0 {
            return None;
        }
        // Empty slots have the most blocked state. The compiler needs only vector instructions.
        let states = self.states.first(MAX_WARPS).iter().zip(&self.others[scheduler % MAX_SCHEDULERS]);
        let least = states.map(|(state, other)| *state as u8 | other).fold(u8::MAX, u8::min);
        Some(WarpState::ALL[least as usize])
    }

    /// Slots that hold a warp.
    pub fn resident(&self) -> u64 {
        self.resident
    }

    /// Resident warps that wait for memory, a fence or a barrier, or have exited; and slots without
    /// a warp.
    pub fn long_wait(&self) -> u64 {
        let long = |warp: &u32| self.states[*warp].is_long_wait();
        bits(self.resident).filter(long).fold(!self.resident, |mask, warp| mask | 1 << warp)
    }

    // ── warp cycles ──

    /// All warp cycles by state: the sum over the instructions.
    pub fn warps(&self) -> ByState {
        let mut sum = ByState::default();
        self.pcs.iter().for_each(|pc| sum.merge(&pc.warp));
        sum
    }

    /// A warp starts in slot `warp` at issue cycle `at`.
    fn start(&mut self, warp: u32, at: u64) {
        self.resident |= 1 << warp;
        self.states[warp] = WarpState::Fetch;
        let i = &mut self.intervals[warp];
        (i.since, i.pc) = (at, 0);
    }

    /// The warp leaves its slot at issue cycle `at`.
    fn stop(&mut self, warp: u32, at: u64) {
        self.enter(warp, WarpState::Exited, at);
        let i = self.intervals[warp];
        self.pcs[i.pc as usize].warp.add(self.states[warp], at - i.since);
        self.intervals[warp].since = at;
        self.resident &= !(1 << warp);
    }

    /// Issue cycle at which a warp slot last changed its state, or was occupied or released.
    pub fn last_change(&self) -> u64 {
        let entered = |warp| self.intervals[warp].since - u64::from(self.states[warp] == WarpState::Issuing);
        (0..MAX_WARPS as u32).map(entered).max().unwrap_or(0)
    }

    /// From issue cycle `at` on, the warp, which is not ready now, is in `state`. The cycles are
    /// charged to its next instruction, or to the last one for
    /// [some states](WarpState::is_of_last_instruction).
    #[inline]
    pub fn enter(&mut self, warp: u32, state: WarpState, at: u64) {
        let i = &mut self.intervals[warp];
        let last = std::mem::replace(&mut self.states[warp], state);
        debug_assert!(last != WarpState::NotSelected, "ready warps leave by `issue`");
        if last == state {
            return;
        }
        if at > i.since {
            self.pcs[i.pc as usize].warp.add(last, at - i.since);
        }
        // Some states are charged to the last instruction, because it causes the wait.
        let pc = if state.is_of_last_instruction() { i.pc } else { i.next };
        (i.since, i.pc) = (at, pc);
    }

    /// Sets the next instruction of a warp that is not ready.
    #[inline]
    pub fn set_next(&mut self, warp: u32, next: u32) {
        self.intervals[warp].next = next;
    }

    /// Same as [`Self::enter`], for a warp that has issued in the cycle before: no cycles of
    /// another state have passed.
    #[inline]
    pub fn enter_after_issue(&mut self, warp: u32, state: WarpState) {
        debug_assert!(self.states[warp] == WarpState::Issuing, "the warp has issued");
        self.states[warp] = state;
        let i = &mut self.intervals[warp];
        if !state.is_of_last_instruction() {
            i.pc = i.next;
        }
    }

    /// Counts the floating-point operations of an instruction with a guard, which the lanes
    /// `guarded` pass. Those of other instructions are computed from [`Self::pcs`].
    #[inline]
    pub fn operations(&mut self, decoded: &Decoded, guarded: u32) {
        if decoded.counts_lanes {
            self.inst.operations(decoded.flops, count(guarded).into());
        }
    }

    /// Counts a branch with a guard at `pc`. It is `divergent` if the lanes take both directions.
    #[inline]
    pub fn branched(&mut self, pc: u32, divergent: bool) {
        self.inst.branch(divergent, &mut self.pcs[pc as usize]);
    }

    /// Warp instructions executed.
    pub fn instructions(&self) -> u64 {
        self.pcs.iter().map(|pc| pc.executed).sum()
    }

    /// All counters of the instructions of `code`. Most are sums over [`Self::pcs`].
    pub fn inst(&self, code: &[Decoded]) -> InstCounters {
        let mut inst = self.inst;
        for (pc, decoded) in self.pcs.iter().zip(code) {
            inst.add_instruction(decoded.class, pc);
            if !decoded.counts_lanes {
                inst.operations(decoded.flops, pc.threads);
            }
        }
        inst
    }

    /// Shader cycles in which each unit accepted the instructions of `code`, without the replays of
    /// bank conflicts.
    pub fn unit_cycles(&self, code: &[Decoded]) -> [u64; MAX_UNITS] {
        let mut cycles = [0; MAX_UNITS];
        for (pc, decoded) in self.pcs.iter().zip(code) {
            cycles[place(decoded.unit())] += pc.executed * u64::from(decoded.busy);
        }
        cycles
    }

    /// A block with the warps of the mask `warps` starts `instructions` at issue cycle `at`.
    pub fn block_started(&mut self, warps: u64, instructions: usize, at: u64) {
        self.pcs.resize(instructions, PcCounters::default());
        bits(warps).for_each(|warp| self.start(warp, at));
        if self.blocks == 0 {
            self.active_from = at;
        }
        self.blocks += 1;
        self.blocks_started += 1;
    }

    /// A block with the warps of the mask `warps`, which started at issue cycle `since`, leaves at
    /// `at`.
    pub fn block_retired(&mut self, warps: u64, since: u64, at: u64) {
        bits(warps).for_each(|warp| self.stop(warp, at));
        self.blocks -= 1;
        self.resident_cycles += u64::from(warps.count_ones()) * (at - since);
        if self.blocks == 0 {
            self.active += at - self.active_from;
        }
    }

    /// Completes both breakdowns at issue cycle `end`. `resident_blocks`: warps and start of each
    /// resident block. `ready`: scheduler and need of a ready warp.
    pub fn close(
        &mut self,
        end: u64,
        resident_blocks: impl Iterator<Item = (u64, u64)>,
        ready: impl Fn(u32) -> (usize, Need),
        units: &mut Units,
    ) {
        for warp in bits(self.resident) {
            if self.states[warp] == WarpState::NotSelected {
                self.count_ready(warp, ready(warp), end, units, General::busy_seen);
                self.states[warp] = WarpState::Exited;
                self.intervals[warp].since = end;
            }
        }
        for (warps, since) in resident_blocks {
            // A block that arrived in the last cycles would start at the end.
            self.blocks_started -= u64::from(since >= end);
            self.block_retired(warps, since, end);
        }
        self.slots.close(end, &mut self.pcs);
    }
}
