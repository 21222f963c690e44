//! What follows from an access through generic addresses: its lanes are served space by space.
//!
//! Each further space that a warp's lanes reach costs an issue slot more. The part on shared memory passes over the banks
//! as an access of its own does; those on global and local memory make messages, in this order, which are one entry of
//! the load/store queue. A register that is loaded can be used when the last part of it is there.

use super::replies::NO_LOAD;
use crate::mem::bank;
use crate::sm::Sm;
use crate::sm::execute::{Extra, Issue};
use crate::sm::front::scoreboard::Producer;
use crate::sm::setup::Setup;
use isa::uop::Class;

impl Sm {
    /// The consequences of the access in `access`, of at least one lane.
    pub(in crate::sm) fn queue_generic(&mut self, issue: Issue<'_>, extra: &mut Extra, setup: &Setup) {
        let Issue { warp, now, decoded, .. } = issue;
        let (parts, mask) = (self.memory.access.parts, self.memory.access.mask);
        *extra = Extra { held: u64::from(decoded.slots + parts.spaces() as u8) - 2, ..Extra::default() };
        // When the parts that have been served can be used.
        let mut ready = (now, Producer::Execution);
        if parts.constant != 0 {
            let cost = setup.config.classes[Class::LdConst as usize];
            self.memory.access.mask = parts.constant;
            let late = self.constant_load(issue, bank::CONSTANTS, extra, setup);
            ready = (now + u64::from(cost.latency) + late, Producer::Constant);
        }
        if parts.shared != 0 {
            let class = match self.memory.access.atomic {
                Some(_) => Class::AtomShared,
                None if self.memory.access.store => Class::StShared,
                None => Class::LdShared,
            };
            let cost = setup.config.classes[class as usize];
            self.memory.access.mask = parts.shared;
            let shared = self.shared_replays(cost.slots, cost.latency.into(), setup);
            (extra.replay, extra.passing) = (shared.replay, extra.passing + shared.passing);
            extra.held += u64::from(cost.slots) - 1;
            let usable = now + u64::from(cost.latency) + shared.late;
            ready = if usable > ready.0 { (usable, Producer::Shared) } else { ready };
        }
        if parts.global | parts.local == 0 {
            for register in decoded.dsts() {
                self.front.scoreboard.set(warp, *register, ready.0, ready.1);
            }
        } else {
            self.memory.access.mask = mask;
            let tag = if self.memory.access.answered() { self.expect_load(issue) } else { NO_LOAD };
            if tag != NO_LOAD {
                let load = &mut self.memory.loads[tag as usize];
                (load.rest, load.global) = (ready.0, parts.global != 0);
                self.constants_of_load(warp, tag);
            }
            let mut messages = self.memory.lsu.messages();
            if parts.global != 0 {
                self.memory.access.mask = parts.global;
                self.global_messages(issue, tag, &mut messages, setup);
            }
            if parts.local != 0 {
                self.memory.access.mask = parts.local;
                self.local_messages(issue, tag, &mut messages, setup);
            }
            self.wait_for(issue, tag, messages.len(), setup);
            self.queue(issue, messages, issue.decoded.cached);
        }
        self.memory.access.mask = mask;
    }
}
