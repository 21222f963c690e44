//! What a rule knows of an SM: rebuilt from the events alone, so that a rule does not trust the
//! simulator's counters.
//!
//! A warp is eligible if it is reported as not selected, issues now, or waits for something that
//! has come: the time at which a wait ends is computed from the event that began it, so a warp that
//! wakes late counts as eligible.

use super::barrier::{Barriers, Wait};
use super::lanes::{Lanes, post_dominator};
use super::moment::Warp;
use isa::uop::{Class, Inst, Op, Program};
use sim_core::config::Chip;
use sim_core::observe::{Event, Issued, Launched, What, Why};
use sim_core::occupancy::{BlockNeeds, Rules};
use sim_core::scheduler::View;
use sim_core::stats::WarpState;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A resident warp.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The warp.
    pub warp: Warp,
    /// Number of its block in the grid.
    pub block: u64,
    /// State since its last event.
    pub state: WarpState,
    /// Reason of the state.
    pub why: Option<Why>,
    /// Number of cycles before this one in which its scheduler selected it.
    pub issued: u64,
    /// Whether some lane has not exited.
    pub runs: bool,
    /// Whether it can issue in this cycle, or does.
    pub eligible: bool,
    /// First issue cycle of those, up to now, in which it is eligible.
    pub eligible_since: u64,
    /// The barrier at which it waits.
    pub barrier: Option<Wait>,
    /// The barrier that it has left in this cycle.
    pub left: Option<Wait>,
    pub(super) lanes: Lanes,
}

impl Slot {
    /// Shader cycle from which the warp waits no longer, if the event of its state tells it.
    pub fn until(&self) -> Option<u64> {
        match self.why? {
            Why::Unit { free, .. } => Some(free),
            Why::Fetch { until, .. } | Why::Barrier { until, .. } => until,
            Why::Register { ready, .. } => ready,
            Why::Issued(_)
            | Why::Taken { .. }
            | Why::LeftEmpty
            | Why::QueueFull
            | Why::Fence { .. }
            | Why::Exited { .. }
            | Why::Trapped => None,
        }
    }

    pub(super) fn describe(&self) -> String {
        match self.until() {
            Some(until) => format!("{} until shader cycle {until}", self.state.row().label),
            None => self.state.row().label.to_owned(),
        }
    }
}

/// A scheduler.
#[derive(Clone, Debug, Default)]
pub struct Scheduler {
    /// The instruction that issues in this cycle.
    pub issued: Option<Issued>,
    /// Slots of the warps that can issue in this cycle, the one that issues included.
    pub eligible: u64,
    /// The first issue cycle after the slots of the instruction before.
    pub free_since: u64,
    /// Issue cycle after the slots of the last instruction, this cycle's included.
    free_from: u64,
    /// The warp of the instruction before.
    pub previous: Option<Warp>,
    last: Option<Warp>,
}

/// What is wrong with an event, by the facts of the events before it.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// A block gets warp slots of another block, or not one for each of its warps.
    pub shared_slots: bool,
    /// The resident blocks use more than the SM has.
    pub overcommitted: bool,
    /// A block frees slots that it does not have, or frees them again.
    pub frees_others: bool,
    /// A block frees its slots while one of its warps runs or one of its loads is pending.
    pub frees_early: bool,
    /// A warp issues after its last exit.
    pub issues_after_exit: bool,
    /// An event names a warp slot without a block.
    pub names_no_warp: bool,
    /// A reply arrives for no pending load.
    pub stray_reply: bool,
    /// Lanes of both sides of a branch run together before they meet.
    pub met_early: bool,
    /// Some lanes of a branch run on alone from the place where they meet.
    pub ran_alone: bool,
    /// Lanes of a branch meet.
    pub met: bool,
    /// The numbers behind the fact.
    pub text: Option<String>,
}

/// The grid's extents and the machine that it runs on.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The chip.
    pub chip: Chip,
    /// The kernel.
    pub program: Arc<Program>,
    /// Threads per block.
    pub threads: u32,
    /// Blocks of the grid.
    pub blocks: u64,
    /// Registers and bytes of shared memory of a block, as allocated, without dynamic shared memory.
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
        let needs = BlockNeeds { threads, registers: program.registers, shared_bytes: program.shared_bytes };
        let occupancy = Rules::of(chip).launched(needs, program.param_bytes);
        let branch = |(_, inst): &(u32, &Inst)| inst.op == Op::Bra && inst.guard.get().is_some();
        let numbered = (0..).zip(&program.code);
        let calls = program.code.iter().any(|inst| matches!(inst.op, Op::Call | Op::CallInd));
        let meets = numbered.filter(|one| !calls && branch(one));
        Self {
            chip: chip.clone(),
            program: Arc::clone(program),
            threads,
            blocks: launch.grid.count(),
            allocated: (occupancy.registers_per_block, occupancy.shared_per_block),
            calls,
            meets: meets.map(|(pc, _)| (pc, post_dominator(&program.code, pc))).collect(),
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

/// One SM.
#[derive(Clone, Debug)]
pub struct Sm {
    /// Number of the SM in the chip.
    pub number: u32,
    /// Shader cycles per issue cycle.
    pub period: u64,
    /// Warp slots.
    pub slots: Vec<Option<Slot>>,
    /// Schedulers; warp slot s belongs to scheduler s modulo their number.
    pub schedulers: Vec<Scheduler>,
    /// Resident blocks: number in the grid, mask of warp slots.
    pub blocks: BTreeMap<u64, u64>,
    /// Facts of the last event.
    pub facts: Facts,
    barriers: Barriers,
    retired: BTreeSet<u64>,
    /// Pending loads: slot, shader cycle of issue, instruction; and accesses that may not reply.
    loads: BTreeSet<(u32, u64, u32)>,
    perhaps: BTreeSet<(u32, u64, u32)>,
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

/// Whether an instruction gets a reply: loads, and atomics with a result.
fn has_reply(op: Op) -> bool {
    match op.class() {
        Class::LdGlobal | Class::LdLocal => true,
        Class::AtomGlobal => op.shape().dst().is_some(),
        _ => false,
    }
}

impl Sm {
    /// An SM without blocks.
    pub(super) fn new(number: u32, setup: &Setup) -> Self {
        Self {
            number,
            period: setup.period(),
            slots: vec![None; 64],
            schedulers: vec![Scheduler::default(); setup.chip.sm.schedulers as usize],
            blocks: BTreeMap::new(),
            facts: Facts::default(),
            barriers: Barriers::default(),
            retired: BTreeSet::new(),
            loads: BTreeSet::new(),
            perhaps: BTreeSet::new(),
        }
    }

    /// Begins the events of issue cycle `cycle`.
    pub(super) fn begin(&mut self) {
        for scheduler in &mut self.schedulers {
            let slot =
                scheduler.issued.take().and_then(|issued| self.slots[issued.origin.warp as usize].as_mut());
            if let Some(slot) = slot.filter(|slot| Some(slot.warp) == scheduler.last) {
                slot.issued += 1;
            }
            (scheduler.free_since, scheduler.previous) = (scheduler.free_from, scheduler.last);
        }
        for slot in self.slots.iter_mut().flatten() {
            slot.left = None;
        }
    }

    /// Applies an event.
    pub(super) fn apply(&mut self, event: &Event, setup: &Setup) {
        self.facts = Facts::default();
        let cycle = event.cycle / setup.period();
        let named = match &event.what {
            What::BlockStarted { block, warps, .. } => {
                self.start(*block, *warps, cycle, setup);
                None
            }
            What::BlockRetired { block, warps } => {
                self.retire(*block, *warps);
                None
            }
            What::State { warp, state, why, .. } => {
                if let Some(issued) = issues(event) {
                    self.issue(&issued, cycle, setup);
                }
                self.barriers.state(&mut self.slots, event, setup);
                if let Some(slot) = &mut self.slots[*warp as usize] {
                    (slot.state, slot.why) = (*state, Some(*why));
                }
                Some(*warp)
            }
            What::Stack { warp, entries } => {
                if entries.is_empty() {
                    if let Some(slot) = &mut self.slots[*warp as usize] {
                        slot.runs = false;
                    }
                    self.barriers.exit(&mut self.slots, *warp, event.cycle, setup);
                }
                Some(*warp)
            }
            What::LoadCompleted { load, .. } => {
                let which = (load.warp, load.cycle, load.pc);
                self.facts.stray_reply = !self.loads.remove(&which) && !self.perhaps.contains(&which);
                Some(load.warp)
            }
            What::Written { by, .. } => Some(by.warp),
        };
        self.facts.names_no_warp = named.is_some_and(|warp| self.slots[warp as usize].is_none());
    }

    fn start(&mut self, block: u64, warps: u64, cycle: u64, setup: &Setup) {
        let taken = self.blocks.values().fold(0, |mask, warps| mask | warps);
        self.facts.shared_slots = taken & warps != 0 || u64::from(warps.count_ones()) != setup.warps();
        self.blocks.insert(block, warps);
        for (slot, age) in bits(warps).zip(block * setup.warps()..) {
            self.slots[slot as usize] = Some(Slot {
                warp: Warp { slot, age },
                block,
                state: WarpState::Fetch,
                why: None,
                issued: 0,
                runs: true,
                eligible: false,
                eligible_since: cycle,
                barrier: None,
                left: None,
                lanes: Lanes::default(),
            });
        }
        self.barriers.start(block, warps);
        let (has, (registers, shared)) = (&setup.chip.sm, setup.allocated);
        let blocks = self.blocks.len() as u64;
        let used = [
            ("block slots", blocks, u64::from(has.max_blocks)),
            ("warp slots", blocks * setup.warps(), has.max_warps.into()),
            ("thread slots", blocks * u64::from(setup.threads), has.max_threads.into()),
            ("registers", blocks * registers, has.registers.into()),
            ("bytes of shared memory", blocks * shared, has.shared_bytes.into()),
        ];
        if let Some((what, used, has)) = used.iter().find(|(_, used, has)| used > has) {
            self.facts.overcommitted = true;
            self.facts.text = Some(format!("{blocks} blocks use {used} {what} of {has}"));
        }
    }

    fn retire(&mut self, block: u64, warps: u64) {
        self.facts.frees_others = self.blocks.remove(&block) != Some(warps) || !self.retired.insert(block);
        let pending = self.loads.iter().any(|(slot, ..)| warps >> slot & 1 == 1);
        let runs = bits(warps).any(|slot| self.slots[slot as usize].as_ref().is_some_and(|slot| slot.runs));
        self.facts.frees_early = pending || runs;
        bits(warps).for_each(|slot| self.slots[slot as usize] = None);
        self.barriers.retire(block);
    }

    fn issue(&mut self, issued: &Issued, cycle: u64, setup: &Setup) {
        let origin = issued.origin;
        let inst = setup.inst(origin.pc);
        let count = self.schedulers.len();
        let Some(slot) = &mut self.slots[origin.warp as usize] else { return };
        self.facts.issues_after_exit = !slot.runs && inst.op != Op::Exit;
        if has_reply(inst.op) && issued.guarded != 0 {
            // A generic access to shared memory completes without a reply.
            let pending = if inst.op.is_generic() { &mut self.perhaps } else { &mut self.loads };
            // Two ports may issue two loads of a warp in one cycle.
            pending.insert((origin.warp, origin.cycle, origin.pc));
        }
        slot.lanes.execute(issued, setup, &mut self.facts);
        let scheduler = &mut self.schedulers[origin.warp as usize % count];
        // The first port of two.
        if scheduler.issued.is_none() {
            scheduler.issued = Some(*issued);
            scheduler.last = Some(slot.warp);
            scheduler.free_from = cycle + issued.slots();
        }
    }

    /// Ends issue cycle `cycle`: finds the eligible warps.
    pub(super) fn close(&mut self, cycle: u64, setup: &Setup) {
        let count = self.schedulers.len();
        for scheduler in &mut self.schedulers {
            scheduler.eligible = 0;
        }
        for (index, slot) in self.slots.iter_mut().enumerate() {
            let Some(slot) = slot else { continue };
            let scheduler = &mut self.schedulers[index % count];
            let issues = scheduler.issued.is_some_and(|issued| issued.origin.warp as usize == index);
            let awake = slot.state != WarpState::Issuing
                && slot.until().is_some_and(|until| until.div_ceil(setup.period()) <= cycle);
            let eligible = issues || slot.state == WarpState::NotSelected || awake;
            if eligible {
                scheduler.eligible |= 1 << index;
            }
            if !slot.eligible {
                slot.eligible_since = cycle;
            }
            slot.eligible = eligible;
        }
    }

    /// The issue cycles after `from` and before `to` in which something changes without an event: a
    /// wait or the slots of an instruction end.
    pub(super) fn quiet(&self, from: u64, to: u64, setup: &Setup) -> Vec<u64> {
        let waits = self.slots.iter().flatten().flat_map(|slot| {
            let due = slot.barrier.as_ref().and_then(|wait| wait.due);
            [slot.until().map(|until| until.div_ceil(setup.period())), due]
        });
        let free = self.schedulers.iter().map(|scheduler| Some(scheduler.free_from));
        let mut cycles: Vec<u64> =
            waits.chain(free).flatten().filter(|cycle| from < *cycle && *cycle < to).collect();
        cycles.sort_unstable();
        cycles.dedup();
        cycles
    }
}
