//! Dead code elimination: results that are never read, and branches to the next micro-op.
//!
//! A micro-op is needed if it has an effect other than writing registers, or if a needed micro-op
//! reads its result. Arithmetic, reads of special registers (except clocks) and loads that are not
//! volatile have no other effect. `ptxas` removes unneeded loads too, so an invalid address of such
//! a load causes no trap.

use crate::lower::code::Code;
use crate::lower::pure::only_writes_results;
use crate::lower::slots::Numbering;
use crate::uop::Op;

/// Maximum number of iterations: when a branch is removed its condition may become dead, and then
/// another branch.
const ROUNDS: usize = 4;

/// Removes micro-ops that are not needed.
pub fn remove(code: &mut Code) {
    for _ in 0..ROUNDS {
        if !round(code) {
            break;
        }
    }
}

/// Removes micro-ops that are not needed. Returns true if a removed branch had a condition.
fn round(code: &mut Code) -> bool {
    let numbers = Numbering::new(code.registers);
    // Linked lists of the micro-ops that define each register, from last to first.
    let mut last = vec![u32::MAX; numbers.len];
    let mut links = Vec::new();
    for (pc, inst) in code.insts.iter().enumerate() {
        for def in inst.defs() {
            let register = numbers.of(def);
            links.push((pc as u32, std::mem::replace(&mut last[register], links.len() as u32)));
        }
    }
    let mut keep: Vec<bool> =
        code.insts.iter().map(|inst| !only_writes_results(inst.op, inst.imm, inst.aux)).collect();
    let mut open: Vec<u32> = (0..keep.len() as u32).filter(|pc| keep[*pc as usize]).collect();
    while let Some(pc) = open.pop() {
        for used in code.insts[pc as usize].uses() {
            // Each register's definitions are visited once.
            let mut link = std::mem::replace(&mut last[numbers.of(used)], u32::MAX);
            while let Some((definition, next)) = links.get(link as usize) {
                if !std::mem::replace(&mut keep[*definition as usize], true) {
                    open.push(*definition);
                }
                link = *next;
            }
        }
    }
    let more = branches(code, &mut keep);
    code.retain(&keep);
    more
}

/// Removes branches that skip nothing: a branch continues at the next micro-op that is kept.
/// Returns true if a removed branch had a condition.
fn branches(code: &Code, keep: &mut [bool]) -> bool {
    let mut conditions = false;
    let mut next = vec![keep.len(); keep.len() + 1];
    for pc in (0..keep.len()).rev() {
        let inst = &code.insts[pc];
        let target = inst.imm as usize;
        if inst.op == Op::Bra && target > pc && next[target] == next[pc + 1] {
            keep[pc] = false;
            conditions |= inst.guard.is_some();
        }
        next[pc] = if keep[pc] { pc } else { next[pc + 1] };
    }
    conditions
}
