//! Pending loads, and the replies that return their values.
//!
//! Invariant `reply-writes-its-lanes`: A reply writes exactly the lanes that it names.

use super::Memory;
use crate::exec::{Access, ldst};
use crate::sm::context::SmContext;
use crate::sm::execute::Issue;
use crate::sm::warps::WarpTable;
use crate::state::Value;
use crate::time::message::{Reply, RequestKind};
use isa::uop::{Class, Op};

/// Tag of a message without a reply.
pub(super) const NO_LOAD: u16 = u16::MAX;

/// A pending load of global or local memory, or a pending atomic with a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub(super) struct Load {
    warp: u32,
    op: Op,
    dst: [u16; 4],
    /// Index of its instruction.
    pc: u32,
    /// Number of replies that have not arrived.
    pub(super) replies: u32,
    issued: u64,
    /// For a load through generic addresses: shader cycle from which the parts without messages can
    /// be used.
    pub(super) rest: u64,
    /// Whether the load reads global memory in at least one lane; false for atomics.
    pub(super) global: bool,
}

impl Load {
    /// Whether the load is pending and the warp in `slot` waits for it.
    pub(super) fn is_of(&self, slot: u32) -> bool {
        self.warp == slot && self.replies > 0
    }
}

/// A completed load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sm) struct Loaded {
    pub warp: u32,
    /// Index of its instruction.
    pub pc: u32,
    /// Shader cycle from which its registers can be used.
    pub usable: u64,
}

impl Memory {
    /// Reserves a tag for the load in [`Self::access`].
    pub(super) fn expect_load(&mut self, issue: Issue<'_>) -> u16 {
        let Issue { warp, now, .. } = issue;
        let Access { op, dst, .. } = self.access;
        let global = op.class() == Class::LdGlobal;
        let load = Load { warp, op, dst, pc: issue.pc(), replies: 0, issued: now, rest: 0, global };
        if let Some(tag) = self.free_loads.pop() {
            self.loads[tag as usize] = load;
            tag
        } else {
            self.loads.push(load);
            (self.loads.len() - 1) as u16
        }
    }

    /// Processes a reply to a load at shader cycle `now`: writes its values to the registers of the
    /// warp. Returns the load after its last reply.
    pub(in crate::sm) fn load_reply(
        &mut self,
        now: u64,
        reply: &Reply,
        warps: &mut WarpTable,
        context: &SmContext,
    ) -> Option<Loaded> {
        let load = &mut self.loads[reply.tag as usize];
        load.replies -= 1;
        let Load { warp, op, dst, pc, replies, issued, rest, global } = *load;
        let arch = &mut warps.arch[warp];
        if matches!(reply.kind, RequestKind::LocalLoad | RequestKind::Texture) {
            // The values of local memory are stored with the warp, those of texels were read at
            // issue.
        } else if reply.bytes == 16 {
            ldst::write_back(arch, op, dst, reply.lanes, &reply.quad_words());
        } else {
            ldst::write_back(arch, op, dst, reply.lanes, &reply.data);
        }
        if replies > 0 {
            return None;
        }
        self.free_loads.push(reply.tag);
        let latency = u64::from(context.config.classes[op.class() as usize].latency);
        let usable = (now + latency).max(rest);
        if global {
            self.counters.loads_finished += 1;
            self.counters.load_cycles += usable - issued;
        }
        Some(Loaded { warp, pc, usable })
    }

    /// Instructions of the pending loads of the warp in `slot`.
    pub fn coming(&self, slot: u32) -> impl Iterator<Item = u32> {
        self.loads.iter().filter(move |load| load.is_of(slot)).map(|load| load.pc)
    }

    /// Returns the pending loads of all warps: warp slot, instruction, shader cycle of issue, and
    /// number of replies that have not arrived.
    pub fn pending_loads(&self) -> impl Iterator<Item = (u32, u32, u64, u32)> {
        let pending = self.loads.iter().filter(|load| load.replies > 0);
        pending.map(|load| (load.warp, load.pc, load.issued, load.replies))
    }

    /// Shader cycle at which the oldest pending load was issued, if there is one.
    pub fn oldest_load(&self) -> Option<u64> {
        self.loads.iter().filter(|load| load.replies > 0).map(|load| load.issued).min()
    }
}
