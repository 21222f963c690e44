//! Sums with a constant, into the offsets of the loads and stores that they are the addresses of.
//!
//! An address is a row plus an offset modulo the row's width, the offset of a 64-bit row
//! sign-extended from 32 bits (see `exec::step`): so the sum of both constants is the offset from
//! the row before, where it fits. A sum is folded if nothing else reads it, so that it disappears
//! and its operand lives no longer for nothing.
//!
//! Global memory takes an offset from `sm_20` on; before, an address of it is a register and no
//! more.

use super::Context;
use super::facts::Facts;
use super::reach::{Reach, uses};
use crate::lower::code::{Code, File, Row, VInst};
use crate::types::Capability;
use crate::uop::{Class, Inst, MemorySpace, Op, OperandKind};

/// Whether the micro-op reads or writes a space whose places are numbers: no device address.
pub fn is_near(op: Op) -> bool {
    op.memory().is_some_and(|memory| match memory.space {
        MemorySpace::Param | MemorySpace::Const | MemorySpace::Shared | MemorySpace::Local => {
            !memory.kind.is_atomic()
        }
        MemorySpace::Global | MemorySpace::Generic => false,
    })
}

/// Whether an access takes an offset beside its register.
fn takes_offset(op: Op, target: Capability) -> bool {
    op.shape().srcs().first() == Some(&OperandKind::Addr)
        && op != Op::CallInd
        && (target.major >= 2 || is_near(op))
}

/// A register plus a number, modulo the file's width.
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

/// Folds sums and constants into offsets.
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
            if takes_offset(inst.op, context.target) {
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
    // A sum that is left without readers is one reader less of what it adds to.
    for (result, base) in sums.into_iter().rev() {
        left[base] -= (left[result] == 0 && places.is_unique(result)) as u32;
    }
    for candidate in candidates.iter().filter(|candidate| left[candidate.sum] == 0) {
        let inst = &mut code.insts[candidate.pc];
        (inst.src[0], inst.imm) = (Row::Reg(candidate.base), candidate.imm);
    }
}

/// The sum that the micro-op surely works out: a register and a constant.
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
        (Row::Reg(base), _, _, Some(add)) => {
            Some((file, Sum { base, add: if subtracts { add.wrapping_neg() } else { add } }))
        }
        (_, Some(add), Row::Reg(base), _) if !subtracts => Some((file, Sum { base, add })),
        _ => None,
    }
}

/// The access `inst`, counted from what its address is the sum of, if the offset fits.
fn candidate(pc: usize, inst: &VInst, places: &Reach, facts: &Facts<Sum>) -> Option<Candidate> {
    let wide = inst.aux & Inst::ADDR64 != 0;
    let Row::Reg(register) = inst.src[0] else { return None };
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

/// An address that is a number needs no row, in the spaces whose places are numbers.
fn absolute(inst: &mut VInst, code: &Code, context: &Context) {
    let wide = inst.aux & Inst::ADDR64 != 0;
    let file = if wide { File::D } else { File::W };
    let Some(known) = code.bits(file, inst.src[0]).filter(|_| is_near(inst.op)) else { return };
    let place = if wide {
        u32::try_from(known.wrapping_add(inst.imm as i32 as u64)).ok()
    } else {
        Some(inst.imm.wrapping_add(known as u32))
    };
    let Some(place) = place else { return };
    // What lies outside of the parameters is found out when it is read.
    let end = place.checked_add(inst.op.access_bytes());
    if inst.op.class() == Class::LdParam && end.is_none_or(|end| end > context.param_bytes) {
        return;
    }
    (inst.src[0], inst.imm, inst.aux) = (Row::None, place, inst.aux & !Inst::ADDR64);
}
