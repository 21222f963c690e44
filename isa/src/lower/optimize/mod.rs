//! What `ptxas` leaves out of PTX: passes between micro-ops and rows, each in a file of its own.
//!
//! ```text
//! names      one register for each value that lives in one block
//! values     copies, constants, conditions: what a register surely holds where it is read
//!   constant   all operands known: the one-lane meaning of the micro-op, applied now
//!   identity   one operand known: what does nothing, or something cheaper
//! address    sums with a constant, into the offsets of loads and stores
//! fuse       a product and the sum that alone uses it
//! dead       results that nobody reads, branches to the next micro-op
//! issue      operands from memory, changes of sign, comparisons with zero: no instruction of their own
//!   suits      which of them hardware takes where
//! coalesce   moves between registers that are never needed at once
//! ```
//!
//! What holds of one thread holds of each lane, so a pass reasons about one thread: [`reach`] says
//! which definition surely comes before a place, [`facts`] which facts still hold there. A guarded
//! definition may not happen; nothing is concluded from it. Every micro-op that stays keeps the
//! span of its PTX instruction, and its place unless it is folded into another one; branches and
//! whatever touches memory, other lanes or time stay, except loads whose values nobody reads.
//!
//! Invariant `optimizing-changes-no-result`: Optimizing changes no result: random and recorded
//! programs leave the same bytes with and without it. Nothing is concluded from a definition under
//! a guard or on one path only. The time of the optimizer grows linearly with the code.

mod address;
mod coalesce;
mod constant;
mod contract;
mod dead;
mod facts;
mod fused;
mod identity;
mod names;
mod reach;
mod supported;
#[cfg(test)]
mod tests;
mod values;

use super::code::Code;
use super::link::CallSites;
use crate::types::Capability;

/// What the passes go by.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// What the text was compiled for.
    pub target: Capability,
    /// Whether rounding may be left out between a product and a sum.
    pub fmad: bool,
    /// Size of the parameter block in bytes.
    pub param_bytes: u32,
    /// Size of the constant bank in bytes.
    pub const_bytes: u32,
}

/// Folds the code of one entry or function, whose branches go to PCs.
pub fn run(code: &mut Code, context: &Context) {
    names::split(code);
    values::propagate(code, context);
    address::combine(code, context);
    contract::multiply_adds(code, context);
    dead::remove(code);
    fused::fuse(code, context);
    code.prune_constants();
}

/// Joins registers of linked code, in which callers and callees hand values to each other.
pub fn join(code: &mut Code, sites: &mut CallSites) {
    coalesce::coalesce(code, sites);
}
