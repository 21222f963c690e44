//! What an access to memory becomes once it has been executed: passes over the banks of shared memory, or messages in
//! the load/store queue.

use super::banks::{atomic_passes, passes};
use super::coalesce::{Addressed, Coalesced};
use super::replies::NO_LOAD;
use crate::counters::GlobalCounters;
use crate::exec::mask::count;
use crate::hooks::Mutant;
use crate::sm::Sm;
use crate::sm::execute::Issue;
use crate::sm::setup::Setup;

/// What an access to shared memory costs beside its class.
#[derive(Clone, Copy, Default)]
pub(in crate::sm) struct SharedCost {
    /// Issue slots for conflicts, and for an atomic's further turns.
    pub replay: u64,
    /// Shader cycles for which its passes keep the unit busy.
    pub passing: u64,
    /// Shader cycles by which its result comes later.
    pub late: u64,
}

impl Sm {
    /// Counts a shared-memory access of an instruction with this cost, and returns what it costs beside that.
    #[inline]
    pub(in crate::sm) fn shared_replays(&mut self, slots: u8, latency: u32, setup: &Setup) -> SharedCost {
        let access = &self.memory.access;
        if access.mask == 0 {
            return SharedCost::default();
        }
        let config = &setup.config.shared;
        let passes = match access.atomic {
            Some(_) => atomic_passes(config, &access.addr, access.strides, access.mask, access.bytes),
            None => passes(config, &access.addr, access.strides, access.mask, access.bytes),
        };
        let counters = match access.atomic {
            Some(_) => &mut self.account.accesses.shared_atomic,
            None if access.store => &mut self.account.accesses.shared_store,
            None => &mut self.account.accesses.shared_load,
        };
        counters.requests += 1;
        counters.passes += u64::from(passes.total);
        counters.conflict_passes += u64::from(passes.total - passes.least);
        counters.bytes_asked += u64::from(count(access.mask) * access.bytes);
        let pass_cycles =
            if access.atomic.is_some() { config.atomic_pass_cycles } else { config.pass_cycles };
        let passing = u64::from(passes.total * pass_cycles);
        if passes.total == passes.least && passes.turns == 1 {
            return SharedCost { replay: 0, passing, late: 0 };
        }
        let slots_of = |passes: u32| self.period.cycle_from(u64::from(passes * pass_cycles));
        let (slots, turns) = (u64::from(slots), u64::from(passes.turns - 1));
        let needed = slots_of(passes.total).max(slots + turns * u64::from(config.retry_slots));
        SharedCost {
            replay: needed.saturating_sub(slots_of(passes.least).max(slots)),
            passing,
            late: turns * u64::from(latency) + u64::from(passes.conflicts * config.conflict_latency),
        }
    }

    /// Puts the global access in `access` into the load/store queue.
    #[inline]
    pub(in crate::sm) fn queue_global(&mut self, issue: Issue<'_>, setup: &Setup) {
        let tag = if self.memory.access.answered() { self.expect_load(issue) } else { NO_LOAD };
        let mut messages = self.memory.lsu.messages();
        self.global_messages(issue, tag, &mut messages, setup);
        self.wait_for(issue, tag, messages.len(), setup);
        self.queue(issue, messages, issue.decoded.cached);
    }

    /// Puts the local access in `access`, which has been performed, into the load/store queue.
    pub(in crate::sm) fn queue_local(&mut self, issue: Issue<'_>, setup: &Setup) {
        let tag = if self.memory.access.store { NO_LOAD } else { self.expect_load(issue) };
        let mut messages = self.memory.lsu.messages();
        self.local_messages(issue, tag, &mut messages, setup);
        self.wait_for(issue, tag, messages.len(), setup);
        self.queue(issue, messages, issue.decoded.cached);
    }

    /// Makes the messages of the global access in `access`, and counts it.
    #[inline]
    pub(in crate::sm) fn global_messages(
        &mut self,
        issue: Issue<'_>,
        tag: u16,
        messages: &mut Vec<Addressed>,
        setup: &Setup,
    ) {
        let pc = issue.pc();
        let whole = issue.decoded.cached;
        let made = setup.coalescer.messages(&self.memory.access, whole, self.index, tag, messages);
        let counters = match self.memory.access.atomic {
            Some(_) => &mut self.account.accesses.atomic,
            None if self.memory.access.store => &mut self.account.accesses.store,
            None => &mut self.account.accesses.load,
        };
        counters.requests += 1;
        counters.bytes_asked += u64::from(self.memory.access.mask.count_ones() * self.memory.access.bytes);
        add(counters, made);
        self.account.pcs[pc as usize].transactions += u64::from(made.transactions);
    }

    /// Makes the messages of the local access in `access`, and counts it. It moves whole words: the first of all lanes,
    /// then the second, and so on.
    pub(in crate::sm) fn local_messages(
        &mut self,
        issue: Issue<'_>,
        tag: u16,
        messages: &mut Vec<Addressed>,
        setup: &Setup,
    ) {
        let Issue { warp, decoded, .. } = issue;
        let pc = decoded.main;
        let (sm, access) = (self.id(), &self.memory.access);
        (self.memory.part.mask, self.memory.part.store) = (access.mask, access.store);
        let counters = if access.store {
            &mut self.account.accesses.local_store
        } else {
            &mut self.account.accesses.local_load
        };
        counters.requests += 1;
        counters.bytes_asked += u64::from(access.mask.count_ones() * access.bytes);
        for word in 0..access.bytes.div_ceil(4) {
            self.memory.part.addr = setup.local.words(sm, warp, &access.addr, 4 * word);
            let made = setup.coalescer.local_messages(&self.memory.part, self.index, tag, messages);
            add(counters, made);
            self.account.pcs[pc as usize].transactions += u64::from(made.transactions);
        }
    }

    /// The registers of the load named `tag` wait for so many answers.
    pub(in crate::sm) fn wait_for(&mut self, issue: Issue<'_>, tag: u16, replies: usize, setup: &Setup) {
        if tag == NO_LOAD {
            return;
        }
        self.expect_replies(tag, replies as u32);
        if !setup.hooks.is(Mutant::ScoreboardIgnoresLoads) {
            for register in issue.decoded.dsts() {
                self.front.scoreboard.set_pending(issue.warp, *register);
            }
        }
    }

    /// Queues the messages of an instruction; `cached`: loads of global memory go through the L1, if there is one.
    pub(in crate::sm) fn queue(&mut self, issue: Issue<'_>, messages: Vec<Addressed>, cached: bool) {
        let Issue { warp, now, cycle, .. } = issue;
        let control = &mut self.warps.control[warp];
        control.links = messages.iter().fold(control.links, |links, (link, _)| links | 1 << link);
        control.queued += 1;
        self.output = true;
        self.memory.lsu.push(now, warp, self.warps.age[warp], messages, cached);
        if self.memory.lsu.is_full() {
            self.account.queue_is_full(cycle + 1);
        }
    }
}

/// Counts what the coalescing rule made.
fn add(counters: &mut GlobalCounters, made: Coalesced) {
    counters.transactions += u64::from(made.transactions);
    counters.bytes_moved += u64::from(made.bytes);
    counters.coalesced_groups += u64::from(made.coalesced_groups);
    counters.uncoalesced_groups += u64::from(made.uncoalesced_groups);
}
