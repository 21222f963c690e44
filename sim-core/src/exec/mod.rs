//! WHAT an instruction does to the 32 lanes of a warp. No cycle number in here: time is `sm/`'s.
//!
//! Both machines, the timed and the functional one, run through [`step::step`]. Registers,
//! predicates, shared memory, parameters and constants are read and written at once. Global memory
//! is not: `step` leaves an [`Access`] behind, which the timed machine sends to the partitions and
//! the functional one performs on its plain image; a load's values come back through
//! [`ldst::write_back`].
//!
//! Invariant `exec-sees-no-cycle`: `exec` sees no cycle, and nothing of SMs, partitions or the
//! chip.

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
pub mod rows;
pub mod simt;
pub mod step;
pub mod stride;
pub mod trap;
pub mod warp;
pub mod ways;
pub mod wide;

pub use kernel::{BarrierRule, Kernel, Mode};
pub use step::{Step, step};
pub use warp::{Warp, WarpId};

use crate::exec::trap::Fault;
use isa::sem::atomic::Operation;
use isa::uop::{NO_ROW, Op};
use stride::Strides;

/// One value per lane, 32 bits each.
pub type Row32 = [u32; 32];
/// One value per lane, 64 bits each.
pub type Row64 = [u64; 32];

/// The lanes of an access through generic addresses, by the space that each reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// How many spaces are reached.
    pub fn spaces(&self) -> u32 {
        [self.global, self.shared, self.local, self.constant].map(|part| u32::from(part != 0)).iter().sum()
    }
}

/// A memory access of one warp instruction, as left behind by [`step::step`]: a global one still to
/// be performed, or one to shared, local, constant or parameter memory that is done and only takes
/// time.
///
/// Every address in `mask` has been checked: inside the launch's allocations (or the small memory),
/// and aligned.
#[derive(Clone, Debug)]
pub struct Access {
    /// The load, store or atomic.
    pub op: Op,
    /// Destination rows of a load: of a vector's elements, else one; that of an atomic with a
    /// result.
    pub dst: [u16; 4],
    /// Bytes per lane: 1, 2, 4, 8 or 16.
    pub bytes: u32,
    /// Whether it writes: stores and atomics do.
    pub store: bool,
    /// What an atomic does to its words; `None` for loads and stores.
    pub atomic: Option<Operation>,
    /// Lanes that take part; may be 0. [`step::step`] sets it for every instruction, memory or not:
    /// the lanes that executed it.
    pub mask: u32,
    /// After a [`Step::Generic`]: which lanes reach which space.
    pub parts: Parts,
    /// Byte address of each lane in `mask`; the other lanes repeat the lowest one's. Of an access
    /// through generic addresses: within the space that the lane reaches.
    pub addr: Row32,
    /// What is known of the distances between the addresses; nothing of generic addresses.
    pub strides: Strides,
    /// Values to store (global memory only): word by word, as many as `bytes` asks for. An atomic's
    /// first operands likewise; what `cas` puts in are the third word and the fourth.
    pub words: [Row32; 4],
}

impl Access {
    /// An access of nothing, to be filled by [`step::step`].
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
        }
    }

    /// Whether values come back for it: for loads, and for atomics with a result.
    pub fn answered(&self) -> bool {
        !self.store || self.atomic.is_some() && self.dst[0] != NO_ROW
    }
}

impl Default for Access {
    fn default() -> Self {
        Self::new()
    }
}

/// What an instruction was, or why it cannot be executed: nothing has been written then. A fault is
/// boxed, so that the outcome of every other instruction is small.
pub type Outcome = Result<Step, Box<Fault>>;
