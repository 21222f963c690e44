//! What follows from an access through generic addresses: its lanes are served space by space.
//!
//! Each further space that a warp's lanes reach costs an issue slot more. The part on shared memory passes over the banks
//! as an access of its own does; those on global and local memory make messages, in this order, which are one entry of
//! the load/store queue. A register that is loaded can be used when the last part of it is there.

use super::effects::Extra;
use super::mail::NO_LOAD;
use super::scoreboard::Producer;
use super::sm::{Setup, Sm};
use crate::mem::bank;
use isa::uop::Class;

impl Sm {
    /// What follows from the access in `access`, of at least one lane.
    pub(super) fn generic(&mut self, warp: u32, pc: u32, now: u64, cycle: u64, setup: &Setup) -> Extra {
        let decoded = &setup.code[pc as usize];
        let (parts, mask) = (self.access.parts, self.access.mask);
        let mut extra =
            Extra { held: u64::from(decoded.slots + parts.spaces() as u8) - 2, ..Extra::default() };
        // Of what is done already: when it can be used.
        let mut ready = (now, Producer::Execution);
        if parts.constant != 0 {
            let cost = setup.config.classes[Class::LdConst as usize];
            self.access.mask = parts.constant;
            let late = self.constant_load(warp, pc, bank::CONSTANTS, &mut extra, setup);
            ready = (now + u64::from(cost.latency) + late, Producer::Constant);
        }
        if parts.shared != 0 {
            let class = match self.access.atomic {
                Some(_) => Class::AtomShared,
                None if self.access.store => Class::StShared,
                None => Class::LdShared,
            };
            let cost = setup.config.classes[class as usize];
            self.access.mask = parts.shared;
            let shared = self.shared_replays((cost.slots, cost.latency.into()), setup);
            (extra.replay, extra.passing) = (shared.replay, extra.passing + shared.passing);
            extra.held += u64::from(cost.slots) - 1;
            let usable = now + u64::from(cost.latency) + shared.late;
            ready = if usable > ready.0 { (usable, Producer::Shared) } else { ready };
        }
        if parts.global | parts.local == 0 {
            for register in decoded.dsts() {
                self.scoreboard.set(warp, *register, ready.0, ready.1);
            }
        } else {
            self.access.mask = mask;
            let tag = if self.access.answered() { self.expect_load(warp, pc, now) } else { NO_LOAD };
            if tag != NO_LOAD {
                let load = &mut self.loads[tag as usize];
                (load.rest, load.global) = (ready.0, parts.global != 0);
                self.constants_of_load(warp, tag);
            }
            let mut messages = self.lsu.messages();
            if parts.global != 0 {
                self.access.mask = parts.global;
                self.global_messages(pc, tag, &mut messages, setup);
            }
            if parts.local != 0 {
                self.access.mask = parts.local;
                self.local_messages(warp, pc, tag, &mut messages, setup);
            }
            self.wait_for(warp, pc, tag, messages.len(), setup);
            self.queue(warp, messages, setup.code[pc as usize].cached, now, cycle);
        }
        self.access.mask = mask;
        extra
    }
}
