//! Mail for an SM: values of its loads, answers to its fences, and word that a message has left its queue.

use crate::exec::{Access, ldst};
use crate::hooks::Mutant;
use crate::sm::Sm;
use crate::sm::execute::Issue;
use crate::sm::front::scoreboard::Producer;
use crate::sm::setup::Setup;
use crate::time::message::{Reply, RequestKind};
use isa::uop::{Class, Op};

/// The tag of a message without a reply.
pub(in crate::sm) const NO_LOAD: u16 = u16::MAX;

/// A global or local load, or an atomic with a result, on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sm) struct Load {
    warp: u32,
    op: Op,
    dst: [u16; 4],
    /// Its instruction.
    pub(in crate::sm) pc: u32,
    /// Replies still to come.
    pub(in crate::sm) replies: u32,
    pub(in crate::sm) issued: u64,
    /// Shader cycle from which what did not have to travel can be used, of a load through generic addresses.
    pub(in crate::sm) rest: u64,
    /// A load of global memory, some lanes of it at least; atomics are none.
    pub(in crate::sm) global: bool,
}

impl Load {
    /// It is on its way, and the warp in `slot` waits for it.
    pub(in crate::sm) fn is_of(&self, slot: u32) -> bool {
        self.warp == slot && self.replies > 0
    }
}

impl Sm {
    /// Reserves a tag for the load that `access` describes.
    pub(in crate::sm) fn expect_load(&mut self, issue: Issue<'_>) -> u16 {
        let Issue { warp, now, .. } = issue;
        let pc = issue.pc();
        let Access { op, dst, .. } = self.memory.access;
        let global = op.class() == Class::LdGlobal;
        let load = Load { warp, op, dst, pc, replies: 0, issued: now, rest: 0, global };
        self.warps.blocks[self.warps.control[warp].block as usize].loads += 1;
        if let Some(tag) = self.memory.free_loads.pop() {
            self.memory.loads[tag as usize] = load;
            tag
        } else {
            self.memory.loads.push(load);
            (self.memory.loads.len() - 1) as u16
        }
    }

    /// How many replies the load will have.
    pub(in crate::sm) fn expect_replies(&mut self, tag: u16, replies: u32) {
        self.memory.loads[tag as usize].replies = replies;
    }

    /// Values of a load arrive.
    pub fn load_reply(&mut self, now: u64, reply: &Reply, setup: &Setup) {
        if setup.hooks.is(Mutant::LoseReplies) {
            return;
        }
        self.record_until(self.period.cycle_from(now));
        let load = &mut self.memory.loads[reply.tag as usize];
        load.replies -= 1;
        let load = *load;
        let warp = &mut self.warps.arch[load.warp];
        if reply.kind == RequestKind::LocalLoad {
            // The values never left.
        } else if reply.bytes == 16 {
            ldst::write_back(warp, load.op, load.dst, reply.lanes, &reply.quad_words());
        } else {
            ldst::write_back(warp, load.op, load.dst, reply.lanes, &reply.data);
        }
        if load.replies > 0 {
            return;
        }
        self.memory.free_loads.push(reply.tag);
        let latency = u64::from(setup.config.classes[load.op.class() as usize].latency);
        let usable = (now + latency).max(load.rest);
        if load.global {
            self.account.load_finished(usable - load.issued);
        }
        let registers = setup.code[load.pc as usize].dsts();
        for register in registers {
            self.front.scoreboard.set(load.warp, *register, usable, Producer::Memory);
        }
        if let Some(register) = registers.first() {
            let at = self.period.cycle_from(now);
            self.record(|watched, _| watched.load_returned(load.warp, *register, at, now, usable));
        }
        self.front.wake_warp(load.warp, self.period.cycle_from(now));
        let slot = self.warps.control[load.warp].block as usize;
        self.warps.blocks[slot].loads -= 1;
        self.retire_if_done(slot, self.period.cycle_from(now));
    }

    /// A partition has answered one of a warp's fences.
    pub fn fence_reply(&mut self, now: u64, reply: &Reply) {
        self.record_until(self.period.cycle_from(now));
        let warp = u32::from(reply.tag);
        let control = &mut self.warps.control[warp];
        control.fences -= 1;
        if control.fences == 0 {
            control.hold = now;
            self.front.wake_warp(warp, self.period.cycle_from(now));
        }
    }

    /// The oldest message has left the load/store queue at shader cycle `now`.
    pub fn message_left(&mut self, now: u64) {
        let was_full = self.memory.lsu.is_full();
        // This cycle's issue, if there is one, has been: the room shows in the next.
        let from = self.period.cycle(now) + 1;
        self.record_until(from);
        let Some((warp, age)) = self.memory.lsu.release(now) else { return };
        if was_full {
            self.account.queue_has_room(from, &mut self.units);
            self.front.wake_by(from);
        }
        if self.warps.age[warp] != age {
            return;
        }
        let control = &mut self.warps.control[warp];
        control.queued -= 1;
        if control.queued == 0 && control.wants_queue_empty {
            control.wants_queue_empty = false;
            control.hold = from * self.period;
            self.front.wake_warp(warp, from);
        }
    }
}
