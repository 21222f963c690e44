//! Pending loads, and the replies that return their values.
//!
//! Invariant `reply-writes-its-lanes`: A reply writes exactly the lanes that it names.

use super::Memory;
use super::l1::Waiter;
use crate::exec::{Access, ldst};
use crate::hooks::Mutant;
use crate::sm::context::SmContext;
use crate::sm::execute::Issue;
use crate::sm::warps::WarpTable;
use crate::state::{CloneFrom, Value};
use crate::time::NEVER;
use crate::time::message::{Reply, RequestKind, Words};
use isa::uop::{Class, Op};
use std::collections::VecDeque;

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
    /// Shader cycle of the reply of its latest hit in the L1.
    hit: u64,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub(in crate::sm) struct Loaded {
    pub warp: u32,
    /// Index of its instruction.
    pub pc: u32,
    /// Shader cycle from which its registers can be used.
    pub usable: u64,
    /// Shader cycles since its issue, for a load of global memory.
    cycles: Option<u64>,
}

/// The pending loads of an SM.
#[derive(CloneFrom, Debug, Default, PartialEq, Value)]
pub(super) struct Loads {
    /// Loads by tag.
    list: Vec<Load>,
    /// Tags without a pending load.
    free: Vec<u16>,
    /// Loads whose last reply is that of a hit in the L1: the shader cycle of this reply, and the
    /// tag. Ordered by cycle.
    completing: VecDeque<(u64, u16)>,
    /// Loads that the last fill has completed.
    filled: Vec<Loaded>,
}

impl Loads {
    /// Returns the pending load `tag`.
    pub(super) fn pending(&mut self, tag: u16) -> &mut Load {
        &mut self.list[tag as usize]
    }

    /// Returns load `tag`, if such a load was ever issued.
    pub(super) fn get_mut(&mut self, tag: u16) -> Option<&mut Load> {
        self.list.get_mut(tag as usize)
    }

    /// Shader cycle at which the next load completes by a hit; [`NEVER`] if there is none.
    #[inline]
    pub(super) fn next_completion(&self) -> u64 {
        self.completing.front().map_or(NEVER, |load| load.0)
    }

    /// Writes the values of one reply to load `tag` to the registers of its warp.
    #[inline]
    pub(super) fn write(&self, tag: u16, lanes: u32, words: &[u32], warps: &mut WarpTable) {
        let Load { warp, op, dst, .. } = self.list[tag as usize];
        ldst::write_back(&mut warps.arch[warp], op, dst, lanes, words);
    }

    /// Writes the values of a load that reads `line` of the L1 to the registers of its warp.
    #[inline]
    pub(super) fn write_from(&self, waiter: &Waiter, line: &Words, warps: &mut WarpTable) {
        let Load { warp, dst, .. } = self.list[waiter.tag as usize];
        if waiter.is_of_words() {
            waiter.put_words(line, &mut warps.arch[warp].w[dst[0] as usize]);
        } else {
            self.write(waiter.tag, waiter.lanes, &waiter.values(line), warps);
        }
    }

    /// A message of load `tag` has hit in the L1, which replies at shader cycle `at`. Only the last
    /// reply of a load has an effect on time.
    #[inline]
    pub(super) fn hit(&mut self, tag: u16, at: u64) {
        let load = &mut self.list[tag as usize];
        load.hit = at;
        if load.replies > 1 {
            load.replies -= 1;
        } else {
            self.completing.push_back((at, tag));
        }
    }

    /// A reply to load `tag` has arrived at shader cycle `now`. Returns the load after its last
    /// reply, unless a hit replies later.
    #[inline]
    fn arrived(&mut self, tag: u16, now: u64, context: &SmContext) -> Option<Loaded> {
        let load = &mut self.list[tag as usize];
        if load.replies > 1 {
            load.replies -= 1;
            return None;
        }
        if load.hit > now {
            let later = self.completing.iter().rev().take_while(|other| other.0 > load.hit).count();
            self.completing.insert(self.completing.len() - later, (load.hit, tag));
            return None;
        }
        Some(self.complete(tag, now, context))
    }

    /// Completes load `tag` at shader cycle `now`.
    fn complete(&mut self, tag: u16, now: u64, context: &SmContext) -> Loaded {
        let load = &mut self.list[tag as usize];
        load.replies = 0;
        self.free.push(tag);
        let latency = u64::from(context.config.classes[load.op.class() as usize].latency);
        let usable = (now + latency).max(load.rest);
        let cycles = load.global.then_some(usable - load.issued);
        Loaded { warp: load.warp, pc: load.pc, usable, cycles }
    }
}

impl Memory {
    /// Reserves a tag for the load in [`Self::access`].
    pub(super) fn expect_load(&mut self, issue: Issue<'_>) -> u16 {
        let Issue { warp, now, .. } = issue;
        let Access { op, dst, .. } = self.access;
        let global = op.class() == Class::LdGlobal;
        let load = Load { warp, op, dst, pc: issue.pc(), replies: 0, hit: 0, issued: now, rest: 0, global };
        let Loads { list, free, .. } = &mut self.loads;
        if let Some(tag) = free.pop() {
            list[tag as usize] = load;
            tag
        } else {
            list.push(load);
            (list.len() - 1) as u16
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
        if matches!(reply.kind, RequestKind::LocalLoad | RequestKind::Texture) {
            // The values of local memory are stored with the warp, those of texels were read at
            // issue.
        } else if reply.bytes == 16 {
            self.loads.write(reply.tag, reply.lanes, &reply.quad_words(), warps);
        } else {
            self.loads.write(reply.tag, reply.lanes, &reply.data, warps);
        }
        let loaded = self.loads.arrived(reply.tag, now, context)?;
        Some(self.counted(loaded))
    }

    /// Returns the next load that a hit in the L1 completes by shader cycle `now`.
    pub(in crate::sm) fn take_hit(&mut self, now: u64, context: &SmContext) -> Option<Loaded> {
        let (_, tag) = self.loads.completing.pop_front_if(|(at, _)| *at <= now)?;
        let loaded = self.loads.complete(tag, now, context);
        Some(self.counted(loaded))
    }

    /// Processes a line that arrives for the L1 at shader cycle `now`: writes the values of the
    /// loads that waited for it to the registers of their warps. [`Self::next_filled`] returns the
    /// loads that are complete.
    pub(in crate::sm) fn fill(
        &mut self,
        now: u64,
        reply: &Reply,
        warps: &mut WarpTable,
        context: &SmContext,
    ) {
        let Some(l1) = &mut self.l1 else { return };
        let local = reply.kind == RequestKind::Fill { local: true };
        let loads = &mut self.loads;
        l1.fill(now, reply, |waiter| {
            if context.hooks.is(Mutant::LoseReplies) {
                return;
            }
            if !local {
                loads.write_from(&waiter, &reply.data, warps);
            }
            if let Some(loaded) = loads.arrived(waiter.tag, now, context) {
                loads.filled.push(loaded);
            }
        });
        // The next one is the last of the list.
        self.loads.filled.reverse();
    }

    /// Removes the next load that the last line has completed.
    pub(in crate::sm) fn next_filled(&mut self) -> Option<Loaded> {
        let loaded = self.loads.filled.pop()?;
        Some(self.counted(loaded))
    }

    /// Counts a completed load.
    #[inline]
    fn counted(&mut self, loaded: Loaded) -> Loaded {
        if let Some(cycles) = loaded.cycles {
            self.counters.loads_finished += 1;
            self.counters.load_cycles += cycles;
        }
        loaded
    }

    /// Instructions of the pending loads of the warp in `slot`.
    pub fn coming(&self, slot: u32) -> impl Iterator<Item = u32> {
        self.loads.list.iter().filter(move |load| load.is_of(slot)).map(|load| load.pc)
    }

    /// Returns the pending loads of all warps: warp slot, instruction, shader cycle of issue, and
    /// number of replies that have not arrived. The replies of hits in the L1 count as one until
    /// the last of them is due.
    pub fn pending_loads(&self) -> impl Iterator<Item = (u32, u32, u64, u32)> {
        let pending = self.loads.list.iter().filter(|load| load.replies > 0);
        pending.map(|load| (load.warp, load.pc, load.issued, load.replies))
    }

    /// Shader cycle at which the oldest pending load was issued, if there is one.
    pub fn oldest_load(&self) -> Option<u64> {
        self.loads.list.iter().filter(|load| load.replies > 0).map(|load| load.issued).min()
    }
}
