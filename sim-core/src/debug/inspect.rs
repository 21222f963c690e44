//! Inspection of a paused launch: blocks, warps, registers and memory.

use super::names::{Names, Register};
use super::session::Session;
use super::status::WarpStatus;
use crate::config::Chip;
use crate::exec::Kernel;
use crate::exec::allocations::Allocation;
use crate::exec::simt::Entry;
use crate::scheduler::bits;
use crate::sm::Sm;
use crate::sm::context::SmContext;
use isa::types::Dim3;
use isa::uop::{OperandKind, Program};
use std::sync::Arc;

/// A resident block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// SM number in the chip.
    pub sm: u32,
    /// Linear number in the grid.
    pub number: u64,
    /// Index in the grid (`blockIdx`).
    pub index: Dim3,
    /// Mask of its warp slots.
    pub warps: u64,
    /// Mask of the slots of warps that have not exited.
    pub live: u64,
    /// Shader cycle from which it is resident.
    pub since: u64,
}

/// A load of a warp whose values have not arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Index of its instruction.
    pub pc: u32,
}

/// A resident warp.
#[derive(Clone, Debug, PartialEq)]
pub struct WarpView {
    /// SM number in the chip.
    pub sm: u32,
    /// Warp slot.
    pub slot: u32,
    /// Linear number of its block in the grid.
    pub block: u64,
    /// Index of its block in the grid.
    pub block_index: Dim3,
    /// Number of the warp in its block.
    pub index: u32,
    /// Next instruction.
    pub pc: u32,
    /// Lanes that execute it.
    pub active: u32,
    /// Lanes that have not exited.
    pub live: u32,
    /// Reconvergence stack, the running entry last.
    pub stack: Vec<Entry>,
    /// State in the last issue cycle; `None` before the first.
    pub status: Option<WarpStatus>,
    /// Loads whose values have not arrived.
    pub pending: Vec<Pending>,
}

impl Session<'_> {
    /// Returns the chip.
    pub fn chip(&self) -> &Chip {
        self.chip
    }

    fn kernel(&self) -> &Arc<Kernel> {
        self.state.running.machine.kernel(0)
    }

    /// Returns the program.
    pub fn program(&self) -> &Arc<Program> {
        &self.kernel().program
    }

    /// Returns the number of the launch on its GPU, from 1.
    pub fn launch(&self) -> u32 {
        self.kernel().number()
    }

    /// Returns the extents of the grid in blocks, and of a block in threads.
    pub fn extents(&self) -> (Dim3, Dim3) {
        (self.kernel().grid, self.kernel().block)
    }

    /// Returns the number of retired blocks.
    pub fn retired(&self) -> u64 {
        self.state.running.machine.dispatcher.progress(0).0
    }

    /// Returns the number of SMs.
    pub fn sms(&self) -> u32 {
        self.chip.clusters * self.chip.cluster.sms
    }

    /// Returns SM `sm`, if a warp is resident in its slot `slot`.
    pub(super) fn resident(&self, sm: u32, slot: u32) -> Option<&Sm> {
        let unit = self.sm(sm)?;
        unit.resident().any(|block| slot < 64 && block.warps >> slot & 1 == 1).then_some(unit)
    }

    /// Returns the data that all SMs share.
    pub(super) fn context(&self) -> &SmContext {
        self.state.running.machine.clusters[0].context()
    }

    pub(super) fn sm(&self, sm: u32) -> Option<&Sm> {
        self.state.running.machine.clusters.iter().flat_map(|cluster| &cluster.sms).find(|one| one.id() == sm)
    }

    /// Returns the resident blocks, sorted by SM and block slot.
    pub fn blocks(&self) -> Vec<Block> {
        let machine = &self.state.running.machine;
        let sms = machine.clusters.iter().flat_map(|cluster| &cluster.sms);
        let block = |sm: &Sm| {
            let id = sm.id();
            let of = move |slot: &crate::sm::block::BlockSlot| Block {
                sm: id,
                number: slot.block,
                index: self.kernel().grid.index_of(slot.block),
                warps: slot.warps,
                live: slot.live,
                since: slot.since * self.issue_period(),
            };
            sm.resident().map(of).collect::<Vec<_>>()
        };
        sms.flat_map(block).collect()
    }

    /// Returns the warp in a slot of an SM, if one is resident.
    pub fn warp(&self, sm: u32, slot: u32) -> Option<WarpView> {
        let unit = self.resident(sm, slot)?;
        let block = unit.resident().find(|block| block.warps >> slot & 1 == 1)?;
        let (warp, ..) = unit.status(slot);
        Some(WarpView {
            sm,
            slot,
            block: block.block,
            block_index: warp.id.ctaid,
            index: warp.id.index,
            pc: warp.simt.pc(),
            active: warp.simt.mask(),
            live: warp.live,
            stack: warp.simt.entries().collect(),
            status: self.state.statuses.of(sm, slot),
            pending: unit.memory().coming(slot).map(|pc| Pending { pc }).collect(),
        })
    }

    /// Returns the resident warps, sorted by SM and slot.
    pub fn warps(&self) -> Vec<WarpView> {
        let slots = |block: Block| bits(block.warps).filter_map(move |slot| self.warp(block.sm, slot));
        let mut warps: Vec<WarpView> = self.blocks().into_iter().flat_map(slots).collect();
        warps.sort_by_key(|warp| (warp.sm, warp.slot));
        warps
    }

    /// Returns the values of a register row of a warp, one per lane; 0 or 1 for a predicate.
    /// Returns `None` if no warp is resident in the slot or the program has no such row.
    pub fn row(&self, sm: u32, slot: u32, kind: OperandKind, row: u16) -> Option<[u64; 32]> {
        let unit = self.resident(sm, slot)?;
        let (warp, ..) = unit.status(slot);
        let row = usize::from(row);
        Some(match kind {
            OperandKind::W => warp.w.get(row)?.map(u64::from),
            OperandKind::D => *warp.d.get(row)?,
            OperandKind::P => {
                let mask = *warp.p.get(row)?;
                std::array::from_fn(|lane| u64::from(mask >> lane & 1))
            }
            OperandKind::Addr => return None,
        })
    }

    /// Returns the names of the program's registers.
    pub fn names(&self) -> &Names {
        self.state.statuses.names()
    }

    /// Returns the rows that the warp in a slot has written, each with the name of the PTX register
    /// whose value it contains.
    pub fn registers(&self, sm: u32, slot: u32) -> Vec<Register> {
        self.names().registers(self.state.statuses.writers(sm, slot))
    }

    /// Returns the row that contains PTX register `name` of a warp: the latest row with this name.
    pub fn register(&self, sm: u32, slot: u32, name: &str) -> Option<Register> {
        let named = |register: &Register| register.name.as_deref() == Some(name);
        self.registers(sm, slot).into_iter().filter(named).max_by_key(|register| register.cycle)
    }

    /// Returns the shared memory of the resident block `number`; `None` if it is not resident.
    pub fn shared(&self, number: u64) -> Option<&[u8]> {
        let sms = self.state.running.machine.clusters.iter().flat_map(|cluster| &cluster.sms);
        let mut blocks = sms.flat_map(Sm::resident);
        blocks.find(|block| block.block == number).map(|block| &block.shared[..])
    }

    /// Returns the allocations of device memory.
    pub fn allocations(&self) -> &[Allocation] {
        self.kernel().allocations.ranges()
    }

    /// Returns `bytes` bytes of global memory from `address`, as the memory partitions hold them,
    /// without stores that have not reached their partition. Returns `None` outside the
    /// allocations.
    pub fn global(&self, address: u32, bytes: u32) -> Option<Vec<u8>> {
        if !self.kernel().allocations.covers(address, bytes) {
            return None;
        }
        let machine = &self.state.running.machine;
        let byte = |at: u32| {
            let (partition, local) = machine.map.locate(at);
            machine.partitions[partition as usize].0.image().load::<1>(local)[0]
        };
        Some((address..address + bytes).map(byte).collect())
    }
}
