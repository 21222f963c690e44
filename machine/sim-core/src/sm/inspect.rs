//! State of an SM for the debugger: the scoreboard, barriers, and the last memory access of each
//! warp.

use super::Sm;
use super::barrier::Gathering;
use super::block::BlockSlot;
use super::context::SmContext;
use super::decode::Decoded;
use super::status::At;
use crate::counters::WarpState;
use crate::events::Origin;
use crate::exec::{Access, Parts, Row32, Warp};
use isa::sem::atomic::Operation;
use isa::uop::issue::operand_space;
use isa::uop::{Memory, MemorySpace, Op};

/// A register of a warp whose value cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusyRegister {
    /// Scoreboard entry: 32-bit rows, then 64-bit rows, then predicates.
    pub entry: u16,
    /// Shader cycle from which the value can be used; `None` for a pending load.
    pub ready: Option<u64>,
    /// State of a warp that waits for the value.
    pub wait: WarpState,
    /// The instruction that computes the value, in an observed SM.
    pub producer: Option<Origin>,
}

/// A memory access of a warp, as it was issued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedAccess {
    /// The instruction.
    pub origin: Origin,
    /// The load, store or atomic.
    pub op: Op,
    /// Bytes per lane.
    pub bytes: u32,
    /// Destination rows, as in [`Access`].
    dst: [u16; 4],
    /// Operation of an atomic.
    atomic: Option<Operation>,
    /// Lanes that accessed memory.
    pub lanes: u32,
    /// For generic addresses: the lanes by state space.
    pub parts: Parts,
    /// Address of each lane of `lanes` in its state space.
    pub addresses: Row32,
    /// Whether a load of global memory transfers whole lines.
    pub whole_lines: bool,
}

impl IssuedAccess {
    /// Returns the access of the issued instruction `decoded`, if it accesses memory in at least
    /// one lane. `access` is the access that its micro-ops have filled in.
    pub fn of(decoded: &Decoded, origin: Origin, access: &Access, context: &SmContext) -> Option<Self> {
        let main = decoded.main as usize;
        let code = &context.kernel.program.code;
        // The last micro-op that filled in the access: the main one, or its last operand.
        let operands = &code[main - decoded.operands as usize..main];
        let op = match code[main].op.memory() {
            Some(Memory { space: MemorySpace::Param, .. }) => return None,
            Some(_) => code[main].op,
            None => operands.iter().map(|inst| inst.op).rfind(|op| operand_space(*op).is_some())?,
        };
        let is_filled = access.op == op && access.mask != 0;
        is_filled.then_some(Self {
            origin,
            op,
            bytes: access.bytes,
            dst: access.dst,
            atomic: access.atomic,
            lanes: access.mask,
            parts: access.parts,
            addresses: access.addr,
            whole_lines: decoded.cached,
        })
    }

    /// Returns kind, state space and width of the access.
    pub fn memory(&self) -> Option<Memory> {
        self.op.memory()
    }

    /// Returns the lanes that access global memory.
    pub fn global_lanes(&self) -> u32 {
        match self.op.memory().map(|memory| memory.space) {
            Some(MemorySpace::Global) => self.lanes,
            Some(MemorySpace::Generic) => self.parts.global,
            Some(MemorySpace::Param | MemorySpace::Const | MemorySpace::Shared | MemorySpace::Local)
            | None => 0,
        }
    }

    /// Returns the access of `lanes` as the input of the coalescing rule.
    pub fn part(&self, lanes: u32) -> Access {
        Access {
            op: self.op,
            dst: self.dst,
            bytes: self.bytes,
            store: self.op.memory().is_some_and(|memory| memory.kind.writes()),
            atomic: self.atomic,
            mask: lanes,
            addr: self.addresses,
            ..Access::new()
        }
    }
}

impl Sm {
    /// Shader cycle at which a warp last changed its state, or a block last retired.
    pub fn last_change(&self) -> u64 {
        self.account.last_change() * self.period
    }

    /// Returns a warp, the shader cycle at which its active lanes last changed, and its status.
    pub fn status(&self, slot: u32) -> (&Warp, u64, At) {
        self.warps.status(slot)
    }

    /// Resident blocks, for diagnostics.
    pub fn resident(&self) -> impl Iterator<Item = &BlockSlot> {
        self.warps.resident()
    }

    /// Returns the registers of the warp in `slot` whose values cannot be used at shader cycle
    /// `now`.
    pub fn busy_registers(&self, slot: u32, now: u64) -> impl Iterator<Item = BusyRegister> {
        let producer = move |entry| self.observed.as_ref()?.producer(slot, entry);
        let busy = self.front.scoreboard.busy(slot, now);
        busy.map(move |(entry, ready, by)| BusyRegister {
            entry,
            ready,
            wait: by.wait(),
            producer: producer(entry),
        })
    }

    /// Returns the last memory access of the warp in `slot`, in an observed SM.
    pub fn last_access(&self, slot: u32) -> Option<&IssuedAccess> {
        self.observed.as_ref()?.last_access(slot)
    }

    /// Returns the barriers of resident block number `block` at which a warp has arrived, each with
    /// its number.
    pub fn gathering(&self, block: u64) -> impl Iterator<Item = (u32, &Gathering)> {
        let block = self.resident().find(move |slot| slot.block == block);
        block.into_iter().flat_map(|slot| slot.barriers.gathering())
    }

    /// Returns the barrier or fence instruction that the warp in `slot` executed last, and the
    /// lanes that executed it.
    pub fn held_at(&self, slot: u32) -> (u32, u32) {
        let control = &self.warps.control[slot];
        (control.held_at, control.held_lanes)
    }
}
