//! State of an SM that rules can read: rebuilt from the events alone, so that a rule does not trust
//! the simulator's counters.
//!
//! A warp is eligible if it is reported as not selected, issues now, or waits for something that
//! has come: the time at which a wait ends is computed from the event that began it, so a warp that
//! wakes late counts as eligible.

use super::barrier::Barriers;
use super::lanes::Lanes;
use super::setup::{Fact, Facts, Setup, Warp, bits, issues};
use super::slot::Slot;
use isa::uop::{Class, Op};
use sim_core::observe::{Event, Issued, What};
use sim_core::stats::WarpState;
use std::collections::{BTreeMap, BTreeSet};

/// State of a scheduler in the current issue cycle.
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

/// State of an SM in the current issue cycle.
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
                let holds = !self.loads.remove(&which) && !self.perhaps.contains(&which);
                self.facts.add(Fact::StrayReply, holds);
                Some(load.warp)
            }
            What::Written { by, .. } => Some(by.warp),
        };
        let holds = named.is_some_and(|warp| self.slots[warp as usize].is_none());
        self.facts.add(Fact::NamesNoWarp, holds);
    }

    fn start(&mut self, block: u64, warps: u64, cycle: u64, setup: &Setup) {
        let taken = self.blocks.values().fold(0, |mask, warps| mask | warps);
        let holds = taken & warps != 0 || u64::from(warps.count_ones()) != setup.warps();
        self.facts.add(Fact::SharedSlots, holds);
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
            self.facts.add(Fact::Overcommitted, true);
            self.facts.text = Some(format!("{blocks} blocks use {used} {what} of {has}"));
        }
    }

    fn retire(&mut self, block: u64, warps: u64) {
        let holds = self.blocks.remove(&block) != Some(warps) || !self.retired.insert(block);
        self.facts.add(Fact::FreesOthers, holds);
        let pending = self.loads.iter().any(|(slot, ..)| warps >> slot & 1 == 1);
        let runs = bits(warps).any(|slot| self.slots[slot as usize].as_ref().is_some_and(|slot| slot.runs));
        let holds = pending || runs;
        self.facts.add(Fact::FreesEarly, holds);
        bits(warps).for_each(|slot| self.slots[slot as usize] = None);
        self.barriers.retire(block);
    }

    fn issue(&mut self, issued: &Issued, cycle: u64, setup: &Setup) {
        let origin = issued.origin;
        let inst = setup.inst(origin.pc);
        let count = self.schedulers.len();
        let Some(slot) = &mut self.slots[origin.warp as usize] else { return };
        let holds = !slot.runs && inst.op != Op::Exit;
        self.facts.add(Fact::IssuesAfterExit, holds);
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
