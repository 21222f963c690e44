//! Moves a constant that is added to an address into the offset of the load or store.
//!
//! An address is a row plus an offset modulo the row's width; the offset of a 64-bit row is
//! sign-extended from 32 bits (see `exec::step`). The new offset is therefore the sum of both
//! constants, if it fits. A sum is optimized only if nothing else reads it. The sum then
//! disappears, and the lifetime of its operand is not extended for no benefit.
//!
//! Accesses to global memory have an offset only from `sm_20` on. On older targets the address is a
//! single register.

use super::Context;
use super::facts::Facts;
use super::reach::{Reach, uses};
use crate::lower::code::{Code, File, OperandRow, VInst};
use crate::types::Capability;
use crate::uop::{Class, Inst, MemorySpace, Op, OperandKind};

/// Whether the micro-op is a load or store in a state space in which variables have addresses that
/// are known at compile time: every space except global memory and generic addresses.
pub fn has_static_addresses(op: Op) -> bool {
    op.memory().is_some_and(|memory| match memory.space {
        MemorySpace::Param | MemorySpace::Const | MemorySpace::Shared | MemorySpace::Local => {
            !memory.kind.is_atomic()
        }
        MemorySpace::Global | MemorySpace::Generic => false,
    })
}

/// Whether an access has an offset in addition to its register.
fn has_offset(op: Op, target: Capability) -> bool {
    op.shape().srcs().first() == Some(&OperandKind::Addr)
        && op != Op::CallInd
        && (target.major >= 2 || has_static_addresses(op))
}

/// A register plus a constant, modulo the file's width.
#[derive(Clone, Copy, Debug)]
struct Sum {
    base: u32,
    add: u64,
}

/// An access whose address is a sum.
struct Candidate {
    pc: usize,
    sum: usize,
    base: u32,
    imm: u32,
}

/// Moves added constants and constant addresses into offsets.
pub fn combine(code: &mut Code, context: &Context) {
    let places = Reach::new(code);
    let numbers = &places.numbers;
    let (mut candidates, mut sums) = (Vec::new(), Vec::new());
    let mut facts = Facts::<Sum>::new(&places);
    let mut insts = std::mem::take(&mut code.insts);
    for block in &places.order {
        facts.enter(*block);
        for pc in places.flow.range(*block as usize) {
            let inst = &mut insts[pc];
            if has_offset(inst.op, context.target) {
                absolute(inst, code, context);
                candidates.extend(candidate(pc, inst, &places, &facts));
            }
            let sum = sum(inst, code);
            let fact = sum.map(|(file, Sum { base, add })| {
                sums.extend(inst.defs().map(|result| (numbers.of(result), numbers.of((file, base)))));
                let before = facts.get(numbers.of((file, base)));
                let whole = before.map_or(Sum { base, add }, |b| Sum { add: b.add.wrapping_add(add), ..*b });
                (whole, [numbers.of((file, whole.base))])
            });
            facts.pass(pc, inst, fact.as_ref().map(|(sum, source)| (*sum, source.as_slice())));
        }
    }
    code.insts = insts;
    let mut left = uses(code, numbers);
    for candidate in &candidates {
        left[candidate.sum] -= 1;
    }
    // A sum that loses its last reader also stops reading its base.
    for (result, base) in sums.into_iter().rev() {
        left[base] -= (left[result] == 0 && places.is_unique(result)) as u32;
    }
    for candidate in candidates.iter().filter(|candidate| left[candidate.sum] == 0) {
        let inst = &mut code.insts[candidate.pc];
        (inst.src[0], inst.imm) = (OperandRow::Reg(candidate.base), candidate.imm);
    }
}

/// Returns the sum that the micro-op computes unconditionally: a register plus a constant.
fn sum(inst: &VInst, code: &Code) -> Option<(File, Sum)> {
    let (file, subtracts) = match inst.op {
        Op::AddB32 => (File::W, false),
        Op::AddB64 => (File::D, false),
        Op::SubB32 => (File::W, true),
        Op::SubB64 => (File::D, true),
        _ => return None,
    };
    let [a, b, ..] = inst.src;
    match (a, code.bits(file, a), b, code.bits(file, b)) {
        (OperandRow::Reg(base), _, _, Some(add)) => {
            Some((file, Sum { base, add: if subtracts { add.wrapping_neg() } else { add } }))
        }
        (_, Some(add), OperandRow::Reg(base), _) if !subtracts => Some((file, Sum { base, add })),
        _ => None,
    }
}

/// Returns the access `inst` relative to the base of the sum in its address, if the offset fits.
fn candidate(pc: usize, inst: &VInst, places: &Reach, facts: &Facts<Sum>) -> Option<Candidate> {
    let wide = inst.aux & Inst::ADDR64 != 0;
    let OperandRow::Reg(register) = inst.src[0] else { return None };
    let sum = places.numbers.of((if wide { File::D } else { File::W }, register));
    let Sum { base, add } = *facts.get(sum)?;
    let imm = if wide {
        let offset = (add as i64).checked_add(inst.imm as i32 as i64)?;
        i32::try_from(offset).ok()? as u32
    } else {
        inst.imm.wrapping_add(add as u32)
    };
    Some(Candidate { pc, sum, base, imm })
}

/// Removes the address row of an access to a constant address, in the spaces with compile-time
/// addresses.
fn absolute(inst: &mut VInst, code: &Code, context: &Context) {
    let wide = inst.aux & Inst::ADDR64 != 0;
    let file = if wide { File::D } else { File::W };
    let Some(known) = code.bits(file, inst.src[0]).filter(|_| has_static_addresses(inst.op)) else { return };
    let place = if wide {
        u32::try_from(known.wrapping_add(inst.imm as i32 as u64)).ok()
    } else {
        Some(inst.imm.wrapping_add(known as u32))
    };
    let Some(place) = place else { return };
    // An access beyond the parameters is detected when it executes.
    let end = place.checked_add(inst.op.access_bytes());
    if inst.op.class() == Class::LdParam && end.is_none_or(|end| end > context.param_bytes) {
        return;
    }
    (inst.src[0], inst.imm, inst.aux) = (OperandRow::None, place, inst.aux & !Inst::ADDR64);
}
