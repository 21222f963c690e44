//! The launch that a rule is tested on, and the facts that its events give.

use super::dominators::{END, Paths};
use isa::uop::issue::beginnings;
use isa::uop::{Inst, Op, Program};
use sim_core::config::Chip;
use sim_core::observe::{Event, Issued, Launched, What, Why};
use sim_core::scheduler::View;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// A warp: its slot and its launch number. Slots are reused, so the slot alone is not enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Warp {
    /// Slot in the SM.
    pub slot: u32,
    /// Launch number; smaller is older.
    pub age: u64,
}

impl fmt::Display for Warp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "warp {} in slot {}", self.age, self.slot)
    }
}

/// A fact about an event, by the events before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// A block gets warp slots of another block, or not one for each of its warps.
    SharedSlots,
    /// The resident blocks use more than the SM has.
    Overcommitted,
    /// A block frees slots that it does not have, or frees them again.
    FreesOthers,
    /// A block frees its slots while one of its warps runs or one of its loads is pending.
    FreesEarly,
    /// A warp issues after its last exit.
    IssuesAfterExit,
    /// The event names a warp slot without a block.
    NamesNoWarp,
    /// A reply arrives for no pending load.
    StrayReply,
    /// Lanes of both sides of a branch run together before they meet.
    MetEarly,
    /// Some lanes of a branch run on alone from the place where they meet.
    RanAlone,
    /// Lanes of a branch meet.
    Met,
}

/// The facts about an event.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    all: BTreeSet<Fact>,
    /// The numbers behind them.
    pub text: Option<String>,
}

impl Facts {
    /// Whether `fact` is one of them.
    pub fn has(&self, fact: Fact) -> bool {
        self.all.contains(&fact)
    }

    /// Adds `fact` if it holds.
    pub(super) fn add(&mut self, fact: Fact, holds: bool) {
        if holds {
            self.all.insert(fact);
        }
    }
}

/// The grid's extents and the machine that it runs on.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Chip of the run.
    pub chip: Chip,
    /// The kernel.
    pub program: Arc<Program>,
    /// Threads per block.
    pub threads: u32,
    /// Blocks of the grid.
    pub blocks: u64,
    /// Registers and bytes of shared memory of a block, as allocated, without dynamic shared
    /// memory.
    pub allocated: (u64, u64),
    /// Whether the kernel calls functions.
    pub(super) calls: bool,
    /// For each branch, the instruction at which its lanes meet again.
    pub(super) meets: BTreeMap<u32, u32>,
}

impl Setup {
    /// The setup of a launch.
    pub fn of(launch: &Launched<'_>) -> Self {
        let (chip, program) = (launch.chip, launch.program);
        let threads = launch.block.count() as u32;
        let occupancy = chip.occupancy(threads, program.registers, program.shared_bytes, program.param_bytes);
        let branch = |(_, inst): &(u32, &Inst)| inst.op == Op::Bra && inst.guard.get().is_some();
        let numbered = (0..).zip(&program.code);
        let calls = program.code.iter().any(|inst| matches!(inst.op, Op::Call | Op::CallInd));
        let mains = beginnings(&program.code);
        // An instruction issues under the number of its main micro-op.
        let paths = (!calls).then(|| Paths::of(&program.code));
        let meet = |pc| {
            let place = paths.as_ref().map_or(END, |paths| paths.meeting(pc));
            mains.get(place as usize).copied().unwrap_or(END)
        };
        let meets = numbered.filter(|one| !calls && branch(one));
        Self {
            chip: chip.clone(),
            program: Arc::clone(program),
            threads,
            blocks: launch.grid.count(),
            allocated: (occupancy.registers_per_block, occupancy.shared_per_block),
            calls,
            meets: meets.map(|(pc, _)| (pc, meet(pc))).collect(),
        }
    }

    /// Shader cycles per issue cycle.
    pub fn period(&self) -> u64 {
        self.chip.sm.issue_period.into()
    }

    /// Warps per block.
    pub fn warps(&self) -> u64 {
        self.threads.div_ceil(32).into()
    }

    pub(super) fn inst(&self, pc: u32) -> &Inst {
        &self.program.code[pc as usize]
    }
}

/// The set bits of a mask, in ascending order.
pub fn bits(mask: u64) -> impl Iterator<Item = u32> {
    View { eligible: mask, ..View::default() }.eligible_warps()
}

/// Returns the instruction that issues in the cycle of the event, if the event reports one.
pub fn issues(event: &Event) -> Option<Issued> {
    match event.what {
        What::State { why: Why::Issued(issued), .. } if issued.origin.cycle == event.cycle => Some(issued),
        _ => None,
    }
}
