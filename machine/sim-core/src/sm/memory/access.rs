//! Effects of an executed memory access: passes over the banks of shared memory, or messages in the
//! load/store queue.

use super::Memory;
use super::banks::{atomic_passes, passes, without_conflicts};
use super::coalesce::{Coalesced, Messages};
use super::replies::NO_LOAD;
use crate::counters::GlobalCounters;
use crate::exec::mask::count;
use crate::sm::context::SmContext;
use crate::sm::execute::Issue;
use crate::sm::scheduler::bits;
use crate::time::message::Request;

/// Cost of a shared-memory access in addition to the cost of its class. It has 16 bytes, so that a
/// function returns it in registers.
#[derive(Clone, Copy, Default)]
pub(in crate::sm) struct SharedCost {
    /// Replay slots for conflicts, and for further rounds of an atomic.
    pub replay: u32,
    /// Shader cycles for which the passes keep the unit busy.
    pub passing: u32,
    /// Shader cycles by which the result is delayed.
    pub late: u64,
}

/// Messages that an instruction has put into the load/store queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sm) struct Queued {
    /// Mask of the links that the messages use.
    pub links: u64,
    /// Number of transactions.
    pub transactions: u32,
    /// Whether the instruction is a pending load, whose registers wait for replies.
    pub pending: bool,
}

impl Memory {
    /// Counts a shared-memory access of an instruction whose class has this cost, and returns the
    /// additional cost.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every access")]
    pub(in crate::sm) fn shared_replays(
        &mut self,
        slots: u8,
        latency: u32,
        context: &SmContext,
    ) -> SharedCost {
        let (access, config) = (&self.access, &context.config.shared);
        if access.atomic.is_none()
            && let Some(passes) =
                without_conflicts(config, &access.addr, access.strides, access.mask, access.bytes)
        {
            let counters =
                if access.store { &mut self.counters.shared_store } else { &mut self.counters.shared_load };
            counters.requests += 1;
            counters.passes += u64::from(passes);
            counters.bytes_asked += 4 * 32;
            return SharedCost { replay: 0, passing: passes * config.pass_cycles, late: 0 };
        }
        self.shared_passes(slots, latency, context)
    }

    /// Same as [`Self::shared_replays`], for any access.
    #[inline(never)]
    fn shared_passes(&mut self, slots: u8, latency: u32, context: &SmContext) -> SharedCost {
        let access = &self.access;
        if access.mask == 0 {
            return SharedCost::default();
        }
        let config = &context.config.shared;
        let passes = match access.atomic {
            Some(_) => atomic_passes(config, &access.addr, access.strides, access.mask, access.bytes),
            None => passes(config, &access.addr, access.strides, access.mask, access.bytes),
        };
        let counters = match access.atomic {
            Some(_) => &mut self.counters.shared_atomic,
            None if access.store => &mut self.counters.shared_store,
            None => &mut self.counters.shared_load,
        };
        counters.requests += 1;
        counters.passes += u64::from(passes.total);
        counters.conflict_passes += u64::from(passes.total - passes.least);
        counters.bytes_asked += u64::from(count(access.mask) * access.bytes);
        let pass_cycles =
            if access.atomic.is_some() { config.atomic_pass_cycles } else { config.pass_cycles };
        let passing = passes.total * pass_cycles;
        if passes.total == passes.least && passes.turns == 1 {
            return SharedCost { replay: 0, passing, late: 0 };
        }
        let slots_of = |passes: u32| self.period.cycle_from(u64::from(passes * pass_cycles));
        let (slots, turns) = (u64::from(slots), u64::from(passes.turns - 1));
        let needed = slots_of(passes.total).max(slots + turns * u64::from(config.retry_slots));
        SharedCost {
            replay: needed.saturating_sub(slots_of(passes.least).max(slots)) as u32,
            passing,
            late: turns * u64::from(latency) + u64::from(passes.conflicts * config.conflict_latency),
        }
    }

    /// Puts the messages of the global access in [`Self::access`] into the load/store queue. `age`
    /// is the launch number of the warp.
    #[inline]
    pub(in crate::sm) fn queue_global(&mut self, issue: Issue<'_>, age: u64, context: &SmContext) -> Queued {
        let tag = if self.access.answered() { self.expect_load(issue) } else { NO_LOAD };
        let mut messages = self.lsu.messages();
        let transactions = self.global_messages(issue, tag, &mut messages, context);
        self.queue(issue, age, tag, messages, transactions)
    }

    /// Same as [`Self::queue_global`], for a local access. Its values have already been read or
    /// written.
    pub(in crate::sm) fn queue_local(&mut self, issue: Issue<'_>, age: u64, context: &SmContext) -> Queued {
        let tag = if self.access.store { NO_LOAD } else { self.expect_load(issue) };
        let mut messages = self.lsu.messages();
        let transactions = self.local_messages(issue, tag, &mut messages, context);
        self.queue(issue, age, tag, messages, transactions)
    }

    /// Same as [`Self::queue_global`], for a fence: one message for each of `links`.
    pub(in crate::sm) fn queue_fence(&mut self, issue: Issue<'_>, age: u64, links: u64) -> Queued {
        let mut messages = self.lsu.messages();
        let fence = Request::fence(self.index, issue.warp as u16);
        messages.list.extend(bits(links).map(|link| (link as u16, fence)));
        self.queue(issue, age, NO_LOAD, messages, 0)
    }

    /// Creates the messages of the global access in [`Self::access`], and counts the access.
    /// Returns the number of transactions.
    #[inline]
    pub(super) fn global_messages(
        &mut self,
        issue: Issue<'_>,
        tag: u16,
        messages: &mut Messages,
        context: &SmContext,
    ) -> u32 {
        let access = &self.access;
        let made = context.coalescer.messages(access, issue.decoded.cached, self.index, tag, messages);
        let counters = match access.atomic {
            Some(_) => &mut self.counters.atomic,
            None if access.store => &mut self.counters.store,
            None => &mut self.counters.load,
        };
        counters.requests += 1;
        counters.bytes_asked += u64::from(access.mask.count_ones() * access.bytes);
        add(counters, made);
        made.transactions
    }

    /// Creates the messages of the local access in [`Self::access`], and counts the access. It
    /// transfers whole words: the first word of all lanes, then the second, and so on. Returns the
    /// number of transactions.
    pub(super) fn local_messages(
        &mut self,
        issue: Issue<'_>,
        tag: u16,
        messages: &mut Messages,
        context: &SmContext,
    ) -> u32 {
        let access = &self.access;
        (self.part.mask, self.part.store) = (access.mask, access.store);
        let counters =
            if access.store { &mut self.counters.local_store } else { &mut self.counters.local_load };
        counters.requests += 1;
        counters.bytes_asked += u64::from(access.mask.count_ones() * access.bytes);
        let mut transactions = 0;
        for word in 0..access.bytes.div_ceil(4) {
            self.part.addr = context.local.words(self.sm, issue.warp, &access.addr, 4 * word);
            let made = context.coalescer.local_messages(&self.part, self.index, tag, messages);
            add(counters, made);
            transactions += made.transactions;
        }
        transactions
    }

    /// Queues the messages of an instruction; the messages of a load have its `tag`. If there is an
    /// L1, loads of global memory that are cached go through it.
    #[inline]
    pub(super) fn queue(
        &mut self,
        issue: Issue<'_>,
        age: u64,
        tag: u16,
        messages: Messages,
        transactions: u32,
    ) -> Queued {
        let pending = tag != NO_LOAD;
        if pending {
            self.loads.pending(tag).replies = messages.list.len() as u32;
        }
        let links = messages.list.iter().fold(0, |links, (link, _)| links | 1 << link);
        self.lsu.push(issue.now, (issue.warp, issue.pc()), age, messages, issue.decoded.cached);
        Queued { links, transactions, pending }
    }
}

/// Adds the result of the coalescing rule to the counters.
fn add(counters: &mut GlobalCounters, made: Coalesced) {
    counters.transactions += u64::from(made.transactions);
    counters.bytes_moved += u64::from(made.bytes);
    counters.coalesced_groups += u64::from(made.coalesced_groups);
    counters.uncoalesced_groups += u64::from(made.uncoalesced_groups);
}
