//! The optimizer: passes between instruction selection and the assignment of rows. They apply
//! optimizations that `ptxas` applies. Each pass has its own file.
//!
//! ```text
//! names      one register for each value that is used only in one block
//! narrow     addresses that are computed in 64 bits: 32 bits where the hardware has 32
//! values     copies, constants, conditions: the known value of a register where it is read
//!   constant   all operands known: constant folding
//!   identity   one operand known: micro-ops without effect, or with a cheaper equivalent
//! address    sums with a constant, into the offsets of loads and stores
//! contract   a product and the only sum that uses it: a multiply-add
//! common     results that a register already contains
//! hoist      loads of parameters and constant words, out of loops
//! relieve    code that needs many registers: arithmetic moves up to its operands
//! dead       results that are never read, branches to the next micro-op
//! fused      operands from memory, sign changes, comparisons with zero: no separate instruction
//!   supported  which of them the hardware can fuse
//! coalesce   moves between registers that are never needed at the same time
//! ```
//!
//! A fact that holds for one thread holds for each lane, so a pass reasons about one thread.
//! [`reach`] says which definition certainly executes before a position, [`facts`] which facts
//! still hold there. No fact is concluded from a guarded definition, because it may not execute.
//! Every micro-op that stays keeps the span of its PTX instruction, and its position unless it is
//! fused. Branches, and micro-ops that depend on memory, other lanes or time, stay, except loads
//! whose values are never read.
//!
//! Invariant `optimizing-changes-no-result`: Optimizing changes no result: random and recorded
//! programs leave the same bytes with and without it. Nothing is concluded from a definition under
//! a guard or on one path only. The time of the optimizer grows linearly with the code.
//!
//! Invariant `optimizing-is-no-slower`: No built-in kernel takes 1 % more cycles than without
//! optimization.

mod address;
mod coalesce;
mod common;
mod constant;
mod contract;
mod dead;
mod facts;
mod fused;
mod hoist;
mod identity;
mod names;
mod narrow;
mod reach;
mod relieve;
mod supported;
#[cfg(test)]
mod tests;
mod values;

use super::code::Code;
use super::link::CallSites;
use super::pressure;
use crate::types::Capability;

pub use relieve::Budget;

/// Parameters of the passes.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// Compute capability that the text was compiled for.
    pub target: Capability,
    /// Whether a product may be combined with a sum without the rounding in between.
    pub fmad: bool,
    /// Whether addresses of global and constant memory keep their 64 bits.
    pub wide_addresses: bool,
    /// Numbers of registers of a thread.
    pub budget: Budget,
    /// Size of the parameter block in bytes.
    pub param_bytes: u32,
    /// Size of the constant bank in bytes.
    pub const_bytes: u32,
}

/// Optimizes the code of one entry or function, whose branch targets are PCs. Returns whether it
/// needed many registers and now needs fewer: its order was then changed.
pub fn run(code: &mut Code, context: &Context) -> bool {
    names::split(code);
    narrow::addresses(code, context.target, context.wide_addresses);
    values::propagate(code, context);
    address::combine(code, context);
    contract::multiply_adds(code, context);
    dead::remove(code);
    repeated(code, context);
    let relieved = relieve::relieve(code, context);
    fused::fuse(code, context);
    code.prune_constants();
    relieved
}

/// Removes repeated computations and loads, unless a thread would need more registers for their
/// results.
fn repeated(code: &mut Code, context: &Context) {
    let passes: [fn(&mut Code, &Context) -> bool; 2] = [common::eliminate, hoist::loads];
    for pass in passes {
        let mut fewer = code.clone();
        if !pass(&mut fewer, context) {
            continue;
        }
        values::propagate(&mut fewer, context);
        dead::remove(&mut fewer);
        if pressure::of_code(&fewer).is_some_and(|registers| Some(registers) <= pressure::of_code(code)) {
            *code = fewer;
        }
    }
}

/// Coalesces registers of linked code, where callers and callees pass values through registers.
pub fn join(code: &mut Code, sites: &mut CallSites) {
    coalesce::coalesce(code, sites);
}
