//! What an access to memory becomes once it has been executed: passes over the banks of shared memory, or messages in
//! the load/store queue.

use super::banks::{atomic_passes, passes};
use super::coalesce::{Addressed, Coalesced};
use super::mail::NO_LOAD;
use super::sm::{Setup, Sm};
use crate::hooks::Mutant;
use crate::stats::GlobalCounters;

/// What an access to shared memory costs beside its class.
#[derive(Clone, Copy, Default)]
pub(super) struct SharedCost {
    /// Issue slots for conflicts, and for an atomic's further turns.
    pub replay: u64,
    /// Hot cycles for which its passes keep the unit busy.
    pub passing: u64,
    /// Hot cycles by which its result comes later.
    pub late: u64,
}

impl Sm {
    /// Counts a shared-memory access of an instruction with this cost, and returns what it costs beside that.
    #[inline]
    pub(super) fn shared_replays(&mut self, (slots, latency): (u8, u32), setup: &Setup) -> SharedCost {
        let access = &self.access;
        if access.mask == 0 {
            return SharedCost::default();
        }
        let config = &setup.config.shared;
        let passes = match access.atomic {
            Some(_) => atomic_passes(config, &access.addr, access.mask, access.bytes),
            None => passes(config, &access.addr, access.mask, access.bytes),
        };
        let counters = match access.atomic {
            Some(_) => &mut self.ledgers.shared_atomic,
            None if access.store => &mut self.ledgers.shared_store,
            None => &mut self.ledgers.shared_load,
        };
        counters.requests += 1;
        counters.passes += u64::from(passes.total);
        counters.conflict_passes += u64::from(passes.total - passes.least);
        counters.bytes_asked += u64::from(access.mask.count_ones() * access.bytes);
        let pass_cycles =
            if access.atomic.is_some() { config.atomic_pass_cycles } else { config.pass_cycles };
        let slots_of = |passes: u32| self.period.cycle_from(u64::from(passes * pass_cycles));
        let (slots, turns) = (u64::from(slots), u64::from(passes.turns - 1));
        let needed = slots_of(passes.total).max(slots + turns * u64::from(config.retry_slots));
        SharedCost {
            replay: needed.saturating_sub(slots_of(passes.least).max(slots)),
            passing: u64::from(passes.total * pass_cycles),
            late: turns * u64::from(latency) + u64::from(passes.conflicts * config.conflict_latency),
        }
    }

    /// Puts the global access in `access` into the load/store queue.
    #[inline]
    pub(super) fn queue_access(&mut self, warp: u32, pc: u32, now: u64, cycle: u64, setup: &Setup) {
        let tag = if self.access.answered() { self.expect_load(warp, pc, now) } else { NO_LOAD };
        let mut messages = self.lsu.messages();
        self.global_messages(pc, tag, &mut messages, setup);
        self.wait_for(warp, pc, tag, messages.len(), setup);
        self.queue(warp, messages, setup.code[pc as usize].cached, now, cycle);
    }

    /// Puts the local access in `access`, which has been performed, into the load/store queue.
    pub(super) fn queue_local(&mut self, warp: u32, pc: u32, now: u64, cycle: u64, setup: &Setup) {
        let tag = if self.access.store { NO_LOAD } else { self.expect_load(warp, pc, now) };
        let mut messages = self.lsu.messages();
        self.local_messages(warp, pc, tag, &mut messages, setup);
        self.wait_for(warp, pc, tag, messages.len(), setup);
        self.queue(warp, messages, setup.code[pc as usize].cached, now, cycle);
    }

    /// Makes the messages of the global access in `access`, and counts it.
    #[inline]
    pub(super) fn global_messages(
        &mut self,
        pc: u32,
        tag: u16,
        messages: &mut Vec<Addressed>,
        setup: &Setup,
    ) {
        let whole = setup.code[pc as usize].cached;
        let made = setup.coalescer.messages(&self.access, whole, self.index, tag, messages);
        let counters = match self.access.atomic {
            Some(_) => &mut self.ledgers.atomic,
            None if self.access.store => &mut self.ledgers.store,
            None => &mut self.ledgers.load,
        };
        counters.requests += 1;
        counters.bytes_asked += u64::from(self.access.mask.count_ones() * self.access.bytes);
        add(counters, made);
        self.ledgers.pcs[pc as usize].transactions += u64::from(made.transactions);
    }

    /// Makes the messages of the local access in `access`, and counts it. It moves whole words: the first of all lanes,
    /// then the second, and so on.
    pub(super) fn local_messages(
        &mut self,
        warp: u32,
        pc: u32,
        tag: u16,
        messages: &mut Vec<Addressed>,
        setup: &Setup,
    ) {
        let (sm, access) = (self.id(), &self.access);
        (self.part.mask, self.part.store) = (access.mask, access.store);
        let counters =
            if access.store { &mut self.ledgers.local_store } else { &mut self.ledgers.local_load };
        counters.requests += 1;
        counters.bytes_asked += u64::from(access.mask.count_ones() * access.bytes);
        for word in 0..access.bytes.div_ceil(4) {
            self.part.addr = setup.local.words(sm, warp, &access.addr, 4 * word);
            let made = setup.coalescer.local_messages(&self.part, self.index, tag, messages);
            add(counters, made);
            self.ledgers.pcs[pc as usize].transactions += u64::from(made.transactions);
        }
    }

    /// The registers of the load named `tag` wait for so many answers.
    pub(super) fn wait_for(&mut self, warp: u32, pc: u32, tag: u16, replies: usize, setup: &Setup) {
        if tag == NO_LOAD {
            return;
        }
        self.expect_replies(tag, replies as u32);
        if !setup.hooks.is(Mutant::ScoreboardIgnoresLoads) {
            for register in setup.code[pc as usize].dsts() {
                self.scoreboard.set_pending(warp, *register);
            }
        }
    }

    /// Queues messages of `warp`; `cached`: loads of global memory go through the L1, if there is one.
    pub(super) fn queue(&mut self, warp: u32, messages: Vec<Addressed>, cached: bool, now: u64, cycle: u64) {
        let control = &mut self.control[warp as usize];
        control.links = messages.iter().fold(control.links, |links, (link, _)| links | 1 << link);
        control.queued += 1;
        self.output = true;
        self.lsu.push(now, warp, self.age[warp as usize], messages, cached);
        if self.lsu.is_full() {
            self.ledgers.queue_is_full(cycle + 1);
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
