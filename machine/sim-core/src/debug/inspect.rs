//! Inspection of a paused launch: blocks, warps, registers and memory.

use super::names::{Names, Register};
use super::session::Session;
use super::state::Machine;
use super::status::WarpStatus;
use crate::config::Chip;
use crate::exec::allocations::Allocation;
use crate::exec::simt::Entry;
use crate::exec::{Mode, Warp};
pub use crate::gpu::untimed::Block;
use crate::gpu::untimed::Untimed;
use crate::scheduler::bits;
use crate::sm::Sm;
use crate::sm::context::SmContext;
use isa::types::Dim3;
use isa::uop::{OperandKind, Program};
use std::sync::Arc;

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
        &self.chip
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
        match &self.state.machine {
            Machine::Timed(running, _) => running.machine.dispatcher.progress(0).0,
            Machine::Functional(stepped) => stepped.retired(),
            Machine::Interleaved(played) => played.retired(),
        }
    }

    /// Returns the number of SMs; 1 on the functional machine, the number of blocks on the
    /// interleaved machine.
    pub fn sms(&self) -> u32 {
        match self.state.machine.untimed() {
            None => self.chip.clusters * self.chip.cluster.sms,
            Some(machine) => machine.sms(),
        }
    }

    /// Returns the number of warp slots of an SM; on a machine without time the number of warps of
    /// a block.
    pub fn warp_slots(&self) -> u32 {
        match self.mode() {
            Mode::Timed => self.chip.sm.max_warps,
            Mode::Functional => self.kernel().warps_per_block(),
        }
    }

    /// Returns SM `sm` of the timed machine, if a warp is resident in its slot `slot`.
    pub(super) fn resident(&self, sm: u32, slot: u32) -> Option<&Sm> {
        self.state.resident(sm, slot)
    }

    /// Returns the launch as its SMs see it.
    pub(super) fn context(&self) -> &SmContext {
        match &self.state.machine {
            Machine::Timed(running, _) => running.machine.clusters[0].context(),
            Machine::Functional(stepped) => stepped.context(),
            Machine::Interleaved(played) => played.context(),
        }
    }

    /// Returns the SMs of the timed machine; none on a machine without time.
    fn units(&self) -> impl Iterator<Item = &Sm> {
        self.state.units()
    }

    /// Returns SM `sm` of the timed machine.
    pub(super) fn sm(&self, sm: u32) -> Option<&Sm> {
        self.units().find(|one| one.id() == sm)
    }

    /// Returns the machine, if it has no time.
    pub(super) fn untimed(&self) -> Option<&dyn Untimed> {
        self.state.machine.untimed()
    }

    /// Returns the registers and the reconvergence stack of the warp in a slot of an SM.
    pub(super) fn architecture(&self, sm: u32, slot: u32) -> Option<&Warp> {
        self.state.architecture(sm, slot)
    }

    /// Returns the resident blocks, sorted by SM and block slot.
    pub fn blocks(&self) -> Vec<Block> {
        if let Some(machine) = self.untimed() {
            return machine.blocks();
        }
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
        self.units().flat_map(block).collect()
    }

    /// Returns the warp in a slot of an SM, if one is resident.
    pub fn warp(&self, sm: u32, slot: u32) -> Option<WarpView> {
        let warp = self.architecture(sm, slot)?;
        let pending: Vec<u32> = match self.untimed() {
            None => self.resident(sm, slot).into_iter().flat_map(|unit| unit.memory().coming(slot)).collect(),
            Some(machine) => machine.coming(sm, slot).iter().map(|(_, _, by)| by.pc).collect(),
        };
        Some(WarpView {
            sm,
            slot,
            block: warp.id.block,
            block_index: warp.id.ctaid,
            index: warp.id.index,
            pc: warp.simt.pc(),
            active: warp.simt.mask(),
            live: warp.live,
            stack: warp.simt.entries().collect(),
            status: self.status(sm, slot),
            pending: pending.into_iter().map(|pc| Pending { pc }).collect(),
        })
    }

    /// Returns the state of a warp in the last issue cycle; on a machine without time before the
    /// next instruction.
    fn status(&self, sm: u32, slot: u32) -> Option<WarpStatus> {
        let Some(machine) = self.untimed() else { return self.state.statuses.of(sm, slot) };
        let status = machine.status(sm, slot)?;
        Some(WarpStatus { since: self.cycle(), pc: status.pc, state: status.state, why: status.why })
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
        self.state.row(sm, slot, kind, row)
    }

    /// Returns the names of the program's registers.
    pub fn names(&self) -> &Names {
        self.state.statuses.names()
    }

    /// Returns the names of the program's registers, which do not change.
    pub fn shared_names(&self) -> Arc<Names> {
        self.state.statuses.shared_names()
    }

    /// Returns the rows that the warp in a slot has written, each with the name of the PTX register
    /// whose value it contains.
    pub fn registers(&self, sm: u32, slot: u32) -> Vec<Register> {
        self.names().registers(self.state.statuses.writers(sm, slot))
    }

    /// Returns the row that contains PTX register `name` of a warp: the latest row with this name.
    pub fn register(&self, sm: u32, slot: u32, name: &str) -> Option<Register> {
        let rows = self.names().holding(self.state.statuses.writers(sm, slot), name);
        rows.max_by_key(|register| register.cycle)
    }

    /// Returns the shared memory of the resident block `number`; `None` if it is not resident.
    pub fn shared(&self, number: u64) -> Option<&[u8]> {
        if let Some(machine) = self.untimed() {
            return Some(machine.block(number)?.0);
        }
        let mut blocks = self.units().flat_map(Sm::resident);
        blocks.find(|block| block.block == number).map(|block| &block.shared[..])
    }

    /// Returns `bytes` bytes of a lane's local memory from `address`; `None` outside of it.
    pub fn local(&self, (sm, slot, lane): (u32, u32, usize), address: u32, bytes: u32) -> Option<Vec<u8>> {
        let end = address.checked_add(bytes).filter(|end| *end <= self.kernel().program.local_bytes)?;
        let memory = &self.architecture(sm, slot)?.local;
        Some((address..end).map(|address| memory.byte(lane, address)).collect())
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
        let byte = |at: u32| match &self.state.machine {
            Machine::Timed(running, _) => {
                let machine = &running.machine;
                let (partition, local) = machine.map.locate(at);
                machine.partitions[partition as usize].0.image().load::<1>(local)[0]
            }
            Machine::Functional(stepped) => stepped.memory().load::<1>(at)[0],
            Machine::Interleaved(played) => played.memory().load::<1>(at)[0],
        };
        Some((address..address + bytes).map(byte).collect())
    }
}
