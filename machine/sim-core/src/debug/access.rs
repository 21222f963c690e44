//! The last memory access of a warp: its coalesced transactions, or its passes over the banks of
//! shared memory.

use super::session::Session;
use crate::config::SharedConfig;
use crate::exec::stride::Strides;
use crate::exec::{Access, Row32};
use crate::mem::local::LocalArea;
use crate::sm::context::SmContext;
use crate::sm::inspect::IssuedAccess;
use crate::sm::memory::banks::{atomic_passes, bank_of, passes};
use crate::sm::memory::coalesce::Coalescer;
pub use crate::sm::memory::coalesce::Transaction;
use isa::uop::{MemoryKind, MemorySpace};

/// A memory access of a warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessView {
    /// Instruction index.
    pub pc: u32,
    /// Shader cycle of issue.
    pub cycle: u64,
    /// Kind of access.
    pub kind: MemoryKind,
    /// State space that the instruction names, or generic.
    pub space: MemorySpace,
    /// Bytes per lane: 1, 2, 4, 8 or 16.
    pub bytes: u32,
    /// Lanes that access memory.
    pub lanes: u32,
    /// Byte address of each lane of `lanes` in its state space.
    pub addresses: Row32,
    /// Transactions of the lanes in global or local memory, in their order. Those of local memory
    /// have addresses in the area of global memory that holds local memory; the functional machine
    /// has no such area.
    pub transactions: Vec<Transaction>,
    /// The fewest transactions that an access of this width by these lanes could have under the
    /// coalescing rule: consecutive words from an aligned address on.
    pub fewest: u32,
    /// Passes of the lanes in shared memory; `None` if there are none.
    pub banks: Option<BankView>,
}

impl AccessView {
    /// Whether the access has more transactions than an aligned access to consecutive words.
    pub fn is_uncoalesced(&self) -> bool {
        self.transactions.len() > self.fewest as usize
    }

    /// Bytes that the transactions transfer.
    pub fn transferred(&self) -> u32 {
        self.transactions.iter().map(|one| one.bytes).sum()
    }

    /// Bytes that the lanes ask for.
    pub fn requested(&self) -> u32 {
        self.lanes.count_ones() * self.bytes
    }
}

/// The passes of an access over the banks of shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankView {
    /// Lanes that access shared memory.
    pub lanes: u32,
    /// Number of banks.
    pub banks: u32,
    /// Lanes whose words are served together: 16 or 32.
    pub group: u32,
    /// Bank of the first word of each lane of `lanes`.
    pub of_lane: Row32,
    /// Passes of all groups.
    pub passes: u32,
    /// Passes without conflicts.
    pub fewest: u32,
    /// Rounds of the loop of an atomic: lanes that change one word take turns; else 1.
    pub rounds: u32,
}

impl BankView {
    /// Whether the access needs more passes than one without conflicts.
    pub fn has_conflict(&self) -> bool {
        self.passes > self.fewest
    }
}

/// The coalescing rule of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coalescing(Coalescer);

impl Coalescing {
    /// Returns the fewest transactions of a load or store of `bytes` bytes per lane by `lanes`:
    /// consecutive words from an aligned address on.
    pub fn fewest(&self, lanes: u32, bytes: u32) -> u32 {
        let addr = std::array::from_fn(|lane| lane as u32 * bytes);
        let access = Access { mask: lanes, bytes, addr, ..Access::new() };
        self.0.transactions(&access, true).len() as u32
    }
}

impl Session<'_> {
    /// Returns the coalescing rule of the chip.
    pub fn coalescing(&self) -> Coalescing {
        Coalescing(self.context().coalescer)
    }

    /// Returns the last access of the warp in slot `slot` of SM `sm` to global, local, shared or
    /// constant memory, with at least one active lane. Returns `None` before the first.
    pub fn last_access(&self, sm: u32, slot: u32) -> Option<AccessView> {
        let timed = self.resident(sm, slot).and_then(|unit| unit.last_access(slot));
        let access = timed.or_else(|| self.untimed()?.last_access(sm, slot))?;
        view(access, self.context(), (sm, slot))
    }
}

/// Describes an access of the warp in slot `slot` of SM `sm`.
fn view(access: &IssuedAccess, context: &SmContext, (sm, slot): (u32, u32)) -> Option<AccessView> {
    let memory = access.memory()?;
    let (all, parts) = (access.lanes, access.parts);
    let (global, local, shared) = match memory.space {
        MemorySpace::Global => (all, 0, 0),
        MemorySpace::Local => (0, all, 0),
        MemorySpace::Shared => (0, 0, all),
        MemorySpace::Generic => (parts.global, parts.local, parts.shared),
        MemorySpace::Param | MemorySpace::Const => (0, 0, 0),
    };
    let coalescer = &context.coalescer;
    let mut transactions = Vec::new();
    let mut fewest = 0;
    if global != 0 {
        let mut part = access.part(global);
        transactions = coalescer.transactions(&part, access.whole_lines);
        part.addr = std::array::from_fn(|lane| lane as u32 * access.bytes);
        fewest += coalescer.transactions(&part, access.whole_lines).len();
    }
    if local != 0 && context.local != LocalArea::NONE {
        let mut part = access.part(local);
        for word in 0..access.bytes.div_ceil(4) {
            (part.bytes, part.addr) = (4, context.local.words(sm, slot, &access.addresses, 4 * word));
            transactions.extend(coalescer.transactions(&part, true));
            part.addr = std::array::from_fn(|lane| lane as u32 * 4);
            fewest += coalescer.transactions(&part, true).len();
        }
    }
    let banks = (shared != 0).then(|| of_banks(access, shared, &context.config.shared));
    Some(AccessView {
        pc: access.origin.pc,
        cycle: access.origin.cycle,
        kind: memory.kind,
        space: memory.space,
        bytes: access.bytes,
        lanes: all,
        addresses: access.addresses,
        transactions,
        fewest: fewest as u32,
        banks,
    })
}

fn of_banks(access: &IssuedAccess, lanes: u32, config: &SharedConfig) -> BankView {
    let is_atomic = access.memory().is_some_and(|memory| memory.kind.is_atomic());
    let rule = if is_atomic { atomic_passes } else { passes };
    let found = rule(config, &access.addresses, Strides::default(), lanes, access.bytes);
    BankView {
        lanes,
        banks: config.banks,
        group: config.group,
        of_lane: access.addresses.map(|address| bank_of(config.banks, address)),
        passes: found.total,
        fewest: found.least,
        rounds: found.turns,
    }
}
