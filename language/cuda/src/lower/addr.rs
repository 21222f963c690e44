//! Addresses of objects and of their parts.

use crate::hir::part_align;
use crate::ssa::{Space, Value};

/// An address: a base and a number of bytes.
#[derive(Clone, Copy)]
pub(super) struct Addr {
    /// The state space as far as it is known.
    pub space: Space,
    pub base: Value,
    pub offset: i64,
    /// A power of two that divides the address: less than the alignment of the object in packed
    /// classes.
    pub align: u64,
}

impl Addr {
    /// The address of a part, some bytes further.
    pub(super) fn at(self, bytes: u64) -> Addr {
        let align = part_align(self.align, bytes);
        Addr { offset: self.offset.wrapping_add(bytes as i64), align, ..self }
    }
}
