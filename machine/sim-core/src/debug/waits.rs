//! Waits of a warp and their ends: busy registers, pending loads and barriers.

use super::queue::PendingLoad;
use super::session::Session;
use crate::counters::WarpState;
use crate::events::Origin;
use crate::scheduler::bits;
use crate::sm::barrier::Gathering;
use crate::sm::inspect::BusyRegister;
use crate::time::NEVER;
use isa::uop::OperandKind;

/// A register of a warp whose value cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreboardEntry {
    /// PTX name; `None` for an intermediate value.
    pub name: Option<String>,
    /// Kind of row.
    pub kind: OperandKind,
    /// Number of the row.
    pub row: u16,
    /// Shader cycle from which the value can be used; `None` for a pending load.
    pub ready: Option<u64>,
    /// State of a warp that waits for the value; [`WarpState::MemoryDependency`] for a load of
    /// global or local memory.
    pub wait: WarpState,
    /// The instruction that computes the value.
    pub producer: Option<Origin>,
    /// Whether the next instruction of the warp needs the register, as an operand or as its
    /// destination.
    pub needed: bool,
}

/// Register, load or barrier for which a warp waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// State of the warp.
    pub state: WarpState,
    /// Shader cycle from which it is in this state.
    pub since: u64,
    /// Shader cycle from which it may issue, if it is known.
    pub until: Option<u64>,
    /// Busy registers that its next instruction needs.
    pub registers: Vec<ScoreboardEntry>,
    /// Pending loads of these registers, the oldest first.
    pub loads: Vec<PendingLoad>,
    /// The barrier at which it waits.
    pub barrier: Option<BarrierView>,
}

/// A barrier of a block at which at least one warp has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarrierView {
    /// Linear number of the block in the grid.
    pub block: u64,
    /// Number of the barrier.
    pub id: u32,
    /// Arrivals so far, in warps.
    pub count: u32,
    /// Arrivals that complete the barrier: its thread count in warps, or the number of warps of the
    /// block that have not exited.
    pub required: u32,
    /// Warps that have arrived, by warp slot.
    pub arrived: Vec<BarrierWarp>,
    /// Warps that have neither arrived nor exited, by warp slot.
    pub missing: Vec<BarrierWarp>,
}

/// A warp of a block with a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarrierWarp {
    /// Warp slot.
    pub slot: u32,
    /// Number of the warp in its block.
    pub index: u32,
    /// For a warp that has arrived and waits: its barrier instruction; else its next instruction.
    pub pc: u32,
    /// Lanes that execute this instruction.
    pub lanes: u32,
}

impl Session<'_> {
    /// Returns the registers of the warp in slot `slot` of SM `sm` whose values cannot be used now,
    /// sorted by row. It is empty if no warp is resident in the slot.
    pub fn scoreboard(&self, sm: u32, slot: u32) -> Vec<ScoreboardEntry> {
        let Some(warp) = self.state.architecture(sm, slot) else { return Vec::new() };
        let next = if warp.done() { None } else { self.context().code.get(warp.simt.pc() as usize) };
        let entry = |busy: BusyRegister| {
            let index = u32::from(busy.entry);
            let (kind, row) = self.names().row(index);
            let name = busy.producer.and_then(|producer| self.names().written_at(producer.pc, index));
            ScoreboardEntry {
                name: name.map(str::to_owned),
                kind,
                row,
                ready: busy.ready,
                wait: busy.wait,
                producer: busy.producer,
                needed: next.is_some_and(|next| next.needs().contains(&busy.entry)),
            }
        };
        if let Some(unit) = self.resident(sm, slot) {
            return unit.busy_registers(slot, self.cycle()).map(entry).collect();
        }
        let coming = self.untimed().map(|machine| machine.coming(sm, slot)).unwrap_or_default();
        let busy = coming.into_iter().filter_map(|(kind, row, by)| {
            let entry = self.names().index(kind, row)? as u16;
            Some(BusyRegister { entry, ready: None, wait: WarpState::MemoryDependency, producer: Some(by) })
        });
        busy.map(entry).collect()
    }

    /// Returns what the warp in slot `slot` of SM `sm` waited for in the last issue cycle. Returns
    /// `None` if no warp is resident in the slot, or if it issued.
    pub fn wait(&self, sm: u32, slot: u32) -> Option<Wait> {
        let status = self.warp(sm, slot)?.status?;
        if status.state == WarpState::Issuing {
            return None;
        }
        let mut registers = self.scoreboard(sm, slot);
        registers.retain(|register| register.needed);
        let mut loads = self.pending_loads(sm);
        let of_register = |load: &PendingLoad| {
            let producers = registers.iter().filter_map(|register| register.producer);
            producers.into_iter().any(|by| (by.pc, by.cycle) == (load.pc, load.issued))
        };
        loads.retain(|load| load.slot == slot && of_register(load));
        let at_barrier = |view: &BarrierView| view.arrived.iter().any(|warp| warp.slot == slot);
        let waits_there = status.state == WarpState::Barrier;
        let barrier = self.barriers_of(sm, slot).into_iter().find(at_barrier).filter(|_| waits_there);
        let until = status.why.until().filter(|until| *until != NEVER);
        Some(Wait { state: status.state, since: status.since, until, registers, loads, barrier })
    }

    fn barriers_of(&self, sm: u32, slot: u32) -> Vec<BarrierView> {
        let block = self.warp(sm, slot).map(|warp| warp.block);
        block.map_or(Vec::new(), |block| self.barriers(block))
    }

    /// Returns the barriers of resident block number `block` at which warps have arrived, by their
    /// numbers.
    pub fn barriers(&self, block: u64) -> Vec<BarrierView> {
        let Some(resident) = self.blocks().into_iter().find(|one| one.number == block) else {
            return Vec::new();
        };
        let untimed = || Some(self.untimed()?.block(block)?.1.gathering().collect());
        let timed = self.sm(resident.sm).map(|unit| unit.gathering(block).collect());
        let gathering: Vec<(u32, &Gathering)> = timed.or_else(untimed).unwrap_or_default();
        let warp = |slot: u32, waits: bool| {
            let view = self.warp(resident.sm, slot)?;
            let held = if waits { self.held_at(resident.sm, slot) } else { None };
            let (pc, lanes) = held.unwrap_or((view.pc, view.active));
            Some(BarrierWarp { slot, index: view.index, pc, lanes })
        };
        let barrier = |(id, gathering): (u32, &Gathering)| {
            let counted = gathering.counted();
            let arrived = bits(gathering.arrived);
            let missing = bits(resident.live & !gathering.arrived);
            BarrierView {
                block,
                id,
                count: counted.map_or(gathering.arrived.count_ones(), |(_, count)| count),
                required: counted.map_or(resident.live.count_ones(), |(wanted, _)| wanted),
                arrived: arrived.filter_map(|slot| warp(slot, gathering.waiting >> slot & 1 == 1)).collect(),
                missing: missing.filter_map(|slot| warp(slot, false)).collect(),
            }
        };
        gathering.into_iter().map(barrier).collect()
    }

    /// Returns the barrier at which a warp waits, as instruction and lanes.
    fn held_at(&self, sm: u32, slot: u32) -> Option<(u32, u32)> {
        let timed = self.resident(sm, slot).map(|unit| unit.held_at(slot));
        timed.or_else(|| self.untimed()?.held_at(sm, slot))
    }
}
