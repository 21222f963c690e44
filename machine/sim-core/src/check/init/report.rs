//! Undefined values that matter: a branch, an address, a result. They are collected for the running
//! block, and counted for each source line when the block has ended.

use super::Initcheck;
use super::origin::{Origin, OriginPlace};
use super::rule::Rule;
use super::state::At;
use crate::check::kind::Kind;
use crate::exec::mask::lanes;
use crate::exec::trap::Trap;
use crate::gpu::functional::{Ending, Executed};
use isa::uop::{Class, Op};

/// Use of a value for which it must be defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The guard of a branch.
    Branch,
    /// The guard of another instruction.
    Guard,
    /// The address of an access, or of a called function.
    Address,
    /// The value that a store or atomic writes to global memory.
    Output,
    /// Number, thread count or predicate of a barrier.
    Barrier,
    /// The predicate of a vote.
    Vote,
}

/// Uses of values of one origin by one instruction.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Index of the instruction.
    pub pc: u32,
    /// The use.
    pub value: Use,
    /// The place that nothing wrote.
    pub origin: Origin,
    /// Number of the block of the first example.
    pub block: u64,
    /// Warp of the first example.
    pub warp: u32,
    /// Lane of the first example.
    pub lane: u32,
    /// Accessed bytes of the first example: address and number of bytes.
    pub target: (u32, u32),
    /// Number of uses, counted in threads.
    pub times: u64,
}

impl OriginPlace {
    /// Kind of the findings.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Register => Kind::Register,
            Self::Shared => Kind::Shared,
            Self::Local => Kind::Local,
            Self::Global => Kind::Global,
            Self::Division => Kind::DivisionByZero,
        }
    }
}

impl Initcheck {
    /// Processes the use of the undefined value of row `slot` in the lanes `part`. From then on the
    /// value counts as defined, so that it is reported only once.
    #[cold]
    pub(super) fn used(&mut self, executed: &Executed, value: Use, slot: u32, part: u32) {
        self.used_at(executed, value, slot, part, (0, executed.access.bytes));
    }

    /// Same as [`Self::used`]; the bytes that the value is written to are `bytes` bytes from `plus`
    /// bytes behind the address of each lane.
    pub(super) fn used_at(
        &mut self,
        executed: &Executed,
        value: Use,
        slot: u32,
        part: u32,
        (plus, bytes): (u32, u32),
    ) {
        let Executed { warp, pc, access, .. } = *executed;
        let at = At { pc, warp: warp.index };
        for lane in lanes(part) {
            let state = &self.warps[warp.index as usize];
            let origin = state.value(slot, lane, at, &mut self.origins).origin;
            self.note(value, origin, at, lane, (access.addr[lane].wrapping_add(plus), bytes));
        }
        self.warps[warp.index as usize].undefined[slot as usize] &= !part;
    }

    /// Processes the use of a value with an origin in one lane.
    pub(super) fn used_lane(&mut self, executed: &Executed, value: Use, origin: u32, lane: usize) {
        let Executed { warp, pc, access, .. } = *executed;
        let target = (access.addr[lane], access.bytes);
        self.note(value, origin, At { pc, warp: warp.index }, lane, target);
    }

    fn note(&mut self, value: Use, origin: u32, at: At, lane: usize, target: (u32, u32)) {
        let found = self.uses.entry((at.pc, origin)).or_insert(Found {
            pc: at.pc,
            value,
            origin: *self.origins.get(origin),
            block: self.block,
            warp: at.warp,
            lane: lane as u32,
            target,
            times: 0,
        });
        found.times += 1;
    }

    /// Processes an undefined guard in the lanes `part`.
    #[cold]
    pub(super) fn guarded(&mut self, executed: &Executed, rule: &Rule, part: u32) {
        let op = executed.kernel.program.code[executed.pc as usize].op;
        let value = if op == Op::Bra { Use::Branch } else { Use::Guard };
        self.used(executed, value, rule.guard, part);
    }

    /// Processes the operands of a barrier, a vote or an indirect call.
    #[cold]
    pub(super) fn warp_wide(&mut self, executed: &Executed, rule: &Rule) {
        let Executed { kernel, warp, pc, access, .. } = *executed;
        let op = kernel.program.code[pc as usize].op;
        let value = if op == Op::CallInd {
            Use::Address
        } else if op.class() == Class::Pred {
            Use::Vote
        } else {
            Use::Barrier
        };
        for slot in &rule.srcs[..3] {
            let part = self.warps[warp.index as usize].undefined[*slot as usize] & access.mask;
            if part != 0 {
                self.used(executed, value, *slot, part);
            }
        }
    }

    /// Processes the fault that ended the launch: an undefined address or operand is its cause.
    fn trapped(&mut self, trap: &Trap) {
        let Some(rule) = self.rules.get(trap.pc as usize).copied() else { return };
        let inst = &self.program.code[trap.pc as usize];
        if inst.op.memory().is_none() && inst.op != Op::CallInd {
            return;
        }
        let at = At { pc: trap.pc, warp: trap.warp };
        let Some(state) = self.warps.get(trap.warp as usize) else { return };
        let part = state.undefined[rule.srcs[0] as usize] & trap.fault.lanes;
        for lane in lanes(part) {
            let state = &self.warps[trap.warp as usize];
            let origin = state.value(rule.srcs[0], lane, at, &mut self.origins).origin;
            self.note(Use::Address, origin, at, lane, (0, 0));
        }
    }

    /// Ends the launch.
    pub(super) fn ended(&mut self, ending: &Ending) {
        if let Ending::Trapped(trap) = ending
            && self.started
        {
            self.trapped(trap);
        }
        self.settle();
    }

    /// Counts the uses of the block that has ended.
    pub(super) fn settle(&mut self) {
        // A value that another warp wrote without an order is a race, and no finding here.
        for ((pc, origin), mut found) in std::mem::take(&mut self.uses) {
            found.origin = *self.origins.get(origin);
            if found.origin.raced {
                continue;
            }
            // A division is reported once, at its own line, and other values where they matter.
            let at = if found.origin.place == OriginPlace::Division { found.origin.pc } else { pc };
            let line = self.program.lines.get(at as usize).copied().unwrap_or(0);
            let known = self.found.entry((found.origin.place.kind(), line));
            known.and_modify(|known| known.times += found.times).or_insert(found);
        }
    }
}
