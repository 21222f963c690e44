//! Fits code into a number of registers: values that are cheap to compute are computed again where
//! they are read, and others are kept in local memory, as `ptxas` does.
//!
//! A value is a virtual register. A *spilled* one has a slot in local memory: each write is
//! followed by a store to the slot, and each instruction that reads the value follows a load from
//! it. Where more registers are live than fit, the values with the fewest accesses for each such
//! point are chosen ([`choice`]); an access in a loop counts ten times. The temporary registers of
//! the new code add to the live ones, so this is repeated until the code fits or nothing is left to
//! choose.
//!
//! Not spilled are registers of calls and of recursive functions, predicates, and registers that
//! may be read before they are written, whose value is zero.
//!
//! Invariant `spilling-changes-no-result`: Spilling changes no result: programs leave the same
//! bytes with any limit of the registers.

mod choice;
mod rewrite;
#[cfg(test)]
mod tests;

use super::code::Code;
use super::flow::Flow;
use super::link::CallSites;
use super::slots::{Numbering, Ranges};
use crate::uop::Spills;
use choice::{Chosen, choose};
use rewrite::rewrite;

/// Maximum number of times that values are chosen. Each round removes most of the excess.
const ROUNDS: u32 = 16;

/// Smallest number of registers that the code of one function is fitted into. A call needs the
/// registers of caller and callee.
const LEAST: u32 = 8;

/// Fits the code into `limit` registers where possible. Slots begin at `local_bytes` of local
/// memory. Returns the bytes of local memory that are then in use, and what was spilled.
pub fn fit(code: &mut Code, sites: &mut CallSites, limit: u32, local_bytes: u32) -> (u32, Spills) {
    let (mut end, mut spills) = (local_bytes, Spills::default());
    let temporary = code.registers;
    let mut target = limit;
    for _ in 0..ROUNDS {
        let Some(needed) = needed(code, sites).filter(|needed| *needed > limit) else { break };
        let chosen = choose(code, sites, target, temporary);
        if chosen.iter().all(|chosen| *chosen == Chosen::Kept) {
            if target <= LEAST {
                break;
            }
            // Each function fits, but not the deepest chain of calls.
            target = target.saturating_sub(needed - limit).max(LEAST);
            continue;
        }
        end = rewrite(code, sites, &chosen, end, &mut spills);
    }
    spills.stack_bytes = end - local_bytes;
    (end, spills)
}

/// Returns the number of registers that a thread needs; `None` if the code is too large for the
/// analysis.
fn needed(code: &Code, sites: &CallSites) -> Option<u32> {
    let numbers = Numbering::new(code.registers);
    Ranges::new(code, sites, &Flow::new(&code.insts), &numbers).ok().map(|ranges| ranges.needed)
}
