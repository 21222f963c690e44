//! Results that nobody reads, and branches to the next micro-op.
//!
//! What is needed is whatever does more than write registers, the registers that it reads, what
//! defines those, and so on. Arithmetic and special registers (but not the clock) do no more, nor
//! do loads unless they are volatile: `ptxas` leaves them out, and so an address that would have
//! trapped goes unnoticed.

use super::constant;
use crate::lower::code::{Code, VInst};
use crate::lower::slots::Numbering;
use crate::sreg::SReg;
use crate::uop::{Inst, MemoryKind, Op};

/// Whether a micro-op does nothing but write its results.
fn is_idle(inst: &VInst) -> bool {
    match inst.op {
        Op::MovSreg => SReg::from_code(inst.imm).is_some_and(|register| !tells_time(register)),
        op if constant::is_pure(op) => true,
        op => {
            let loads = op.memory().is_some_and(|memory| memory.kind == MemoryKind::Load);
            loads && inst.aux & Inst::VOLATILE == 0
        }
    }
}

/// Whether reading a special register is itself what is wanted: clocks and performance counters.
pub fn tells_time(register: SReg) -> bool {
    register.is_clock() || matches!(register, SReg::Pm0 | SReg::Pm1 | SReg::Pm2 | SReg::Pm3)
}

/// Rounds, at most: without a branch its condition may be dead, and without that another branch.
const ROUNDS: usize = 4;

/// Removes what is not needed.
pub fn remove(code: &mut Code) {
    for _ in 0..ROUNDS {
        if !round(code) {
            break;
        }
    }
}

/// Removes what nothing needs. True if that was a branch that has read something.
fn round(code: &mut Code) -> bool {
    let numbers = Numbering::new(code.registers);
    // The micro-ops that define each register, linked from the last to the first.
    let mut last = vec![u32::MAX; numbers.len];
    let mut links = Vec::new();
    for (pc, inst) in code.insts.iter().enumerate() {
        for def in inst.defs() {
            let register = numbers.of(def);
            links.push((pc as u32, std::mem::replace(&mut last[register], links.len() as u32)));
        }
    }
    let mut keep: Vec<bool> = code.insts.iter().map(|inst| !is_idle(inst)).collect();
    let mut open: Vec<u32> = (0..keep.len() as u32).filter(|pc| keep[*pc as usize]).collect();
    while let Some(pc) = open.pop() {
        for used in code.insts[pc as usize].uses() {
            // Each register's definitions are gone through once.
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

/// Drops branches over nothing: from each place the next micro-op that is kept is where they go.
/// True if one of them had a condition.
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
