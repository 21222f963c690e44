//! Guards: blocks of memory that a device may still use, with the accesses of host code to them.
//!
//! The address of a guarded block names another use of its slot, so that each access takes the path
//! of a wrong one: accesses to other blocks are as fast as without guards.

use super::{Fault, Memory};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use warpsim_cuda::runtime::host::Conflict;
use warpsim_cuda::runtime::order::HostAccess;

/// The generation of a guarded block, which no address has.
const GUARDED: u64 = u64::MAX;

/// Who accesses memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Accessor {
    /// An instruction of host code, which can be executed again.
    Instruction,
    /// A function of the library.
    #[default]
    Function,
    /// A call of the runtime, whose accesses are no accesses of host code.
    Runtime,
}

/// Bytes of a block that some work of a device uses.
#[derive(Debug)]
struct Watched {
    work: u64,
    /// Offsets in the block.
    bytes: Range<u64>,
    conflict: Conflict,
    is_met: Cell<bool>,
}

/// A guarded block.
#[derive(Debug)]
struct Guard {
    /// The generation that addresses have.
    generation: u64,
    watched: Vec<Watched>,
}

/// All guards.
#[derive(Debug, Default)]
pub struct Guards {
    /// Guards, by the slots of their blocks.
    blocks: BTreeMap<usize, Guard>,
    accessor: Cell<Accessor>,
    has_met: Cell<bool>,
    met: RefCell<Vec<HostAccess>>,
}

impl Memory {
    /// Sets who accesses memory from now on; returns who did before.
    pub fn access_as(&self, accessor: Accessor) -> Accessor {
        self.guards.accessor.replace(accessor)
    }

    /// Whether accesses to watched memory have been noted.
    #[inline]
    pub fn has_met(&self) -> bool {
        self.guards.has_met.get()
    }

    /// Takes the noted accesses.
    pub fn take_met(&self) -> Vec<HostAccess> {
        self.guards.has_met.set(false);
        self.guards.met.take()
    }

    /// Watches memory that some work uses.
    pub fn watch(&mut self, work: u64, address: u64, bytes: u64, conflict: Conflict) {
        let address = self.windows.own(address);
        let Some(slot) = self.live_or_guarded(address) else { return };
        let block = &mut self.blocks[slot];
        let guard = self
            .guards
            .blocks
            .entry(slot)
            .or_insert_with(|| Guard { generation: block.generation, watched: Vec::new() });
        block.generation = GUARDED;
        let offset = Self::offset(address);
        let (bytes, is_met) = (offset..offset.saturating_add(bytes), Cell::new(false));
        guard.watched.push(Watched { work, bytes, conflict, is_met });
        self.changed(slot);
    }

    /// Ends the watch of the memory of some work, in ascending order.
    pub fn unwatch(&mut self, works: &[u64]) {
        let mut free = Vec::new();
        let Self { guards, blocks, .. } = self;
        guards.blocks.retain(|slot, guard| {
            guard.watched.retain(|watched| works.binary_search(&watched.work).is_err());
            let is_kept = !guard.watched.is_empty();
            if !is_kept {
                blocks[*slot].generation = guard.generation;
                free.push(*slot);
            }
            is_kept
        });
        for slot in free {
            self.changed(slot);
        }
    }

    /// The guarded block of an address.
    pub(super) fn guarded(&self, address: u64) -> Option<usize> {
        let slot = Self::slot(address)?;
        let guard = self.guards.blocks.get(&slot)?;
        (guard.generation == address >> (super::OFFSET_BITS + super::SLOT_BITS)).then_some(slot)
    }

    /// Ends the guard of a block that is freed.
    pub(super) fn end_guard(&mut self, address: u64) {
        if let Some(slot) = self.guarded(address)
            && let Some(guard) = self.guards.blocks.remove(&slot)
        {
            self.blocks[slot].generation = guard.generation;
        }
    }

    /// The guarded block with all bytes of an access, and the first of them; `None` if there is no
    /// such block.
    #[cold]
    pub(super) fn at_guarded(
        &self,
        address: u64,
        bytes: u64,
        writes: bool,
    ) -> Option<Result<(usize, usize), Fault>> {
        let own = self.windows.own(address);
        let slot = self.guarded(own)?;
        let (offset, size) = (Self::offset(own), self.blocks[slot].bytes.len() as u64);
        if bytes > size || offset > size - bytes {
            return None;
        }
        let accessor = self.guards.accessor.get();
        let conflicts = |watched: &&Watched| {
            let Watched { bytes: own, conflict, is_met, .. } = watched;
            let is_common = own.start < offset + bytes && offset < own.end;
            is_common && (writes || *conflict == Conflict::Any) && !is_met.get()
        };
        let found = self.guards.blocks.get(&slot)?.watched.iter().find(conflicts);
        if let Some(watched) = found.filter(|_| accessor != Accessor::Runtime) {
            watched.is_met.set(true);
            let first = watched.bytes.start.max(offset);
            let access =
                HostAccess { work: watched.work, address: address + (first - offset), bytes, writes };
            self.guards.met.borrow_mut().push(access);
            self.guards.has_met.set(true);
            if accessor == Accessor::Instruction {
                return Some(Err(Fault::Pending));
            }
        }
        Some(Ok((slot, offset as usize)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Kind, Unwritten};
    use cuda::source::Span;

    #[test]
    fn a_guarded_block_reports_the_first_conflict_and_keeps_its_contents() {
        let mut memory = Memory::new(1 << 20, Unwritten::Stops);
        let at = memory.allocate(64, Kind::Pinned, true, Span::NONE).expect("there is room");
        memory.store(at + 8, [7_u8; 4]).expect("inside");
        memory.watch(1, at + 8, 8, Conflict::Any);
        memory.watch(2, at + 32, 4, Conflict::Writes);
        assert_eq!(memory.load::<4>(at + 4), Ok([0; 4]), "other bytes of the block");
        assert_eq!(memory.load::<4>(at + 32), Ok([0; 4]), "the device reads them, too");
        assert!(matches!(memory.load::<4>(at + 62), Err(Fault::Outside { .. })));
        assert_eq!(memory.size(at), Some(64));
        assert!(!memory.has_met());
        assert_eq!(memory.access_as(Accessor::Instruction), Accessor::Function);
        assert_eq!(memory.load::<8>(at + 4), Err(Fault::Pending));
        let read = HostAccess { work: 1, address: at + 8, bytes: 8, writes: false };
        assert!(memory.has_met());
        assert_eq!(memory.take_met(), [read]);
        assert_eq!(memory.load::<4>(at + 8), Ok([7; 4]), "the next attempt");
        memory.access_as(Accessor::Runtime);
        memory.write(at + 32, &[1; 4]).expect("inside");
        assert!(!memory.has_met());
        memory.access_as(Accessor::Function);
        memory.write(at + 30, &[1; 8]).expect("inside");
        let write = HostAccess { work: 2, address: at + 32, bytes: 8, writes: true };
        assert_eq!(memory.take_met(), [write]);
        memory.unwatch(&[1, 2]);
        assert_eq!(memory.load::<4>(at + 32), Ok([1; 4]));
        memory.watch(3, at, 64, Conflict::Any);
        memory.free(at, &Kind::Pinned, Span::NONE).expect("the start of a block");
        assert!(matches!(memory.load::<4>(at), Err(Fault::Freed { .. })));
        memory.unwatch(&[3]);
        assert!(matches!(memory.load::<4>(at), Err(Fault::Freed { .. })));
    }
}
