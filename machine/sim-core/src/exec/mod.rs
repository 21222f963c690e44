//! Effect of an instruction on the 32 lanes of a warp. This module has no cycle numbers: `sm`
//! models the timing.
//!
//! The timed and the functional simulation both use [`step::step`]. It reads and writes registers,
//! predicates, shared memory, parameters and constants immediately. It does not access global
//! memory: it fills in an [`Access`], which the timed simulation sends to the partitions and the
//! functional simulation executes on its memory image. [`ldst::write_back`] stores the values of a
//! load.
//!
//! Invariant `exec-sees-no-cycle`: `exec` sees no cycle, and nothing of SMs, partitions or the
//! chip.

pub mod across;
pub mod allocations;
pub mod alu;
mod atomic;
pub mod barrier;
#[cfg(test)]
pub(crate) mod build;
mod fault;
pub mod generic;
pub mod kernel;
pub mod ldst;
pub mod local;
pub mod mask;
pub mod objects;
mod outcome;
pub mod rows;
pub mod simt;
mod sources;
pub mod step;
pub mod stride;
pub mod surface;
pub mod texture;
pub mod trap;
pub mod warp;
pub mod ways;
pub mod wide;

pub use kernel::{BarrierRule, Kernel, MemoryRule, Mode};
pub use outcome::{Faulted, Step};
pub use step::step;
pub use warp::{Rows, Warp, WarpId};

use crate::exec::trap::Fault;
use crate::state::Value;
use barrier::Arrival;
use isa::sem::atomic::Operation;
use isa::types::StateSpace;
use isa::uop::{Inst, NO_ROW, Op, Width};
use outcome::StepResult;
use stride::Strides;

/// One 32-bit value per lane.
pub type Row32 = [u32; 32];
/// One 64-bit value per lane.
pub type Row64 = [u64; 32];

/// The lanes of an access through generic addresses, by state space. Each field is a lane mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
pub struct Parts {
    /// Global memory.
    pub global: u32,
    /// Shared memory.
    pub shared: u32,
    /// Local memory.
    pub local: u32,
    /// Constant memory.
    pub constant: u32,
}

impl Parts {
    /// The lanes of a state space.
    #[inline]
    fn of_mut(&mut self, space: StateSpace) -> &mut u32 {
        match space {
            StateSpace::Shared => &mut self.shared,
            StateSpace::Local => &mut self.local,
            StateSpace::Const => &mut self.constant,
            _ => &mut self.global,
        }
    }

    /// Number of state spaces that are accessed.
    pub fn spaces(&self) -> u32 {
        [self.global, self.shared, self.local, self.constant].map(|part| u32::from(part != 0)).iter().sum()
    }
}

/// A memory access of one warp instruction, filled in by [`step::step`]: a global access that has
/// not been executed, or an executed access to shared, local, constant or parameter memory, of
/// which only the timing remains.
///
/// Every address in `mask` has been checked: it is in bounds of the launch's allocations (or of the
/// small memory), and aligned. Under [`MemoryRule::Page`] it can be outside of the allocations, in
/// their pages.
///
/// The rows begin at cache lines of the host's processor, so that no wide vector is in two of them.
#[derive(Clone, Debug, Value)]
#[repr(C, align(64))]
pub struct Access {
    /// Byte address of each lane in `mask`; the other lanes repeat the address of the lowest active
    /// lane. For an access through generic addresses: the address within the state space of the
    /// lane.
    pub addr: Row32,
    /// Values to store (global memory only), in as many words as `bytes` needs. For atomics: the
    /// first operands. The third and the fourth word hold the new value of `cas`.
    pub words: [Row32; 4],
    /// The load, store or atomic.
    pub op: Op,
    /// Destination rows of a load or of an atomic with a result: one per vector element, else one.
    pub dst: [u16; 4],
    /// Bytes per lane: 1, 2, 4, 8 or 16.
    pub bytes: u32,
    /// Whether it writes, as stores and atomics do.
    pub store: bool,
    /// Operation of an atomic; `None` for loads and stores.
    pub atomic: Option<Operation>,
    /// Active lanes; may be 0. [`step::step`] sets it for every instruction, also for those without
    /// a memory access: the lanes that executed it.
    pub mask: u32,
    /// After a [`Step::Generic`]: the lanes by state space.
    pub parts: Parts,
    /// Distances between the addresses, if they are regular. Not computed for generic addresses in
    /// several state spaces.
    pub strides: Strides,
    /// After a [`Step::Barrier`]: the arrival of the warp.
    pub arrival: Arrival,
    /// Device addresses of the texels of a [`Step::Texture`].
    pub texels: Vec<u32>,
    /// Lanes whose address is outside of every allocation, in a page with an allocation
    /// ([`MemoryRule::Page`]). [`Self::take_past`] resets it.
    pub past: u32,
    /// After [`Faulted`]: the fault.
    pub fault: Option<Box<Fault>>,
}

const _: () = assert!(std::mem::offset_of!(Access, words).is_multiple_of(64), "see `Access`");

impl Access {
    /// An empty access, to be filled in by [`step::step`].
    pub fn new() -> Self {
        Self {
            op: Op::Exit,
            dst: [NO_ROW; 4],
            bytes: 4,
            store: false,
            atomic: None,
            mask: 0,
            parts: Parts::default(),
            addr: [0; 32],
            strides: Strides::default(),
            words: [[0; 32]; 4],
            arrival: Arrival::default(),
            texels: Vec::new(),
            past: 0,
            fault: None,
        }
    }

    /// Describes a load or store without its addresses.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every access")]
    fn begin(&mut self, inst: &Inst, width: Width, is_store: bool) {
        self.op = inst.op;
        self.dst = inst.dst_rows();
        self.bytes = width.bytes();
        (self.store, self.atomic) = (is_store, None);
    }

    /// Returns the number of lanes that read and that write outside of every allocation, and resets
    /// them to 0.
    #[cold]
    pub fn take_past(&mut self) -> (u64, u64) {
        let lanes = u64::from(std::mem::take(&mut self.past).count_ones());
        if self.store { (0, lanes) } else { (lanes, 0) }
    }

    /// Whether a reply returns values: true for loads, and for atomics with a result.
    pub fn answered(&self) -> bool {
        !self.store || self.atomic.is_some() && self.dst[0] != NO_ROW
    }
}

impl Default for Access {
    fn default() -> Self {
        Self::new()
    }
}
