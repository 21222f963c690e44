//! Accesses through generic addresses: the lanes are served by state space.
//!
//! Each further state space that the lanes of a warp access needs another issue slot. The
//! shared-memory part passes over the banks like a shared access. The parts in global and local
//! memory create messages, in this order, in one entry of the load/store queue. A loaded register
//! can be used when its last part has arrived.
//!
//! Invariant `generic-access-times`: A warp takes one issue slot for each state space that its
//! generic addresses reach, and waits for the slowest of them.

use super::Memory;
use super::access::Queued;
use super::replies::NO_LOAD;
use crate::mem::bank;
use crate::sm::context::SmContext;
use crate::sm::execute::{ExtraSlots, Issue};
use crate::sm::front::scoreboard::Producer;
use crate::sm::warps::Control;
use isa::uop::Class;

/// Result of an access through generic addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sm) enum Served {
    /// Some lanes access global or local memory.
    Queued(Queued),
    /// No lane accesses global or local memory: the result can be used from shader cycle `usable`
    /// on.
    Here { usable: u64, producer: Producer },
}

impl Memory {
    /// Processes the access in [`Self::access`], which has at least one active lane. `age` is the
    /// launch number of the warp. Holds the warp if lines of constant memory are missing.
    pub(in crate::sm) fn queue_generic(
        &mut self,
        issue: Issue<'_>,
        extra: &mut ExtraSlots,
        control: &mut Control,
        age: u64,
        context: &SmContext,
    ) -> Served {
        let Issue { warp, now, decoded, .. } = issue;
        let (parts, mask) = (self.access.parts, self.access.mask);
        *extra =
            ExtraSlots { held: u64::from(decoded.slots + parts.spaces() as u8) - 2, ..ExtraSlots::default() };
        // Cycle at which the parts processed so far can be used.
        let (mut usable, mut producer) = (now, Producer::Execution);
        if parts.constant != 0 {
            let cost = context.config.classes[Class::LdConst as usize];
            self.access.mask = parts.constant;
            let late = self.constant_load(issue, bank::CONSTANTS, extra, control, context);
            (usable, producer) = (now + u64::from(cost.latency) + late, Producer::Constant);
        }
        if parts.shared != 0 {
            let class = match self.access.atomic {
                Some(_) => Class::AtomShared,
                None if self.access.store => Class::StShared,
                None => Class::LdShared,
            };
            let cost = context.config.classes[class as usize];
            self.access.mask = parts.shared;
            let shared = self.shared_replays(cost.slots, cost.latency.into(), context);
            (extra.replay, extra.passing) = (shared.replay.into(), extra.passing + u64::from(shared.passing));
            extra.held += u64::from(cost.slots) - 1;
            let at = now + u64::from(cost.latency) + shared.late;
            if at > usable {
                (usable, producer) = (at, Producer::Shared);
            }
        }
        self.access.mask = mask;
        if parts.global | parts.local == 0 {
            return Served::Here { usable, producer };
        }
        let tag = if self.access.answered() { self.expect_load(issue) } else { NO_LOAD };
        if tag != NO_LOAD {
            let load = self.loads.pending(tag);
            (load.rest, load.global) = (usable, parts.global != 0);
            self.constants_of_load(warp, tag);
        }
        let (mut messages, mut transactions) = (self.lsu.messages(), 0);
        if parts.global != 0 {
            self.access.mask = parts.global;
            transactions += self.global_messages(issue, tag, &mut messages, context);
        }
        if parts.local != 0 {
            self.access.mask = parts.local;
            transactions += self.local_messages(issue, tag, &mut messages, context);
        }
        self.access.mask = mask;
        Served::Queued(self.queue(issue, age, tag, messages, transactions))
    }
}
