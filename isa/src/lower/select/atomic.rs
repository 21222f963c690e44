//! Atomics, reductions and votes.

use super::super::code::Row;
use super::super::resolve::Inst;
use super::{Selected, Selector};
use crate::ptx::forms::{Atomic, Opcode, Vote};
use crate::sem::atomic::Operation;
use crate::types::{ScalarType, StateSpace, TypeKind};
use crate::uop::{self, Op};

/// The micro-ops of a space or of generic addresses, each for words of 32 and 64 bits: with the old value as result, compare-and-swap, without
/// a result.
fn ops(space: Option<StateSpace>) -> Option<[[Op; 2]; 3]> {
    Some(match space {
        None => [
            [Op::AtomGenericB32, Op::AtomGenericB64],
            [Op::CasGenericB32, Op::CasGenericB64],
            [Op::RedGenericB32, Op::RedGenericB64],
        ],
        Some(StateSpace::Global) => [
            [Op::AtomGlobalB32, Op::AtomGlobalB64],
            [Op::CasGlobalB32, Op::CasGlobalB64],
            [Op::RedGlobalB32, Op::RedGlobalB64],
        ],
        Some(StateSpace::Shared) => [
            [Op::AtomSharedB32, Op::AtomSharedB64],
            [Op::CasSharedB32, Op::CasSharedB64],
            [Op::RedSharedB32, Op::RedSharedB64],
        ],
        _ => return None,
    })
}

/// What is done to words of type `ty` in `space`. Sums of f32 flush subnormals in global memory, and only there:
/// silicon was seen to do so. Through a generic address the space decides when it is known.
fn operation(atomic: Atomic, ty: ScalarType, space: Option<StateSpace>) -> Operation {
    let signed = ty.kind() == TypeKind::Signed;
    match atomic {
        Atomic::Add if ty.kind() == TypeKind::Float && space == Some(StateSpace::Global) => {
            Operation::AddFtzF32
        }
        Atomic::Add if ty.kind() == TypeKind::Float => Operation::AddF32,
        Atomic::Add => Operation::Add,
        Atomic::Inc => Operation::Inc,
        Atomic::Dec => Operation::Dec,
        Atomic::Min if signed => Operation::MinS,
        Atomic::Min => Operation::MinU,
        Atomic::Max if signed => Operation::MaxS,
        Atomic::Max => Operation::MaxU,
        Atomic::And => Operation::And,
        Atomic::Or => Operation::Or,
        Atomic::Xor => Operation::Xor,
        Atomic::Exch => Operation::Exch,
        Atomic::Cas => Operation::Cas,
    }
}

impl Selector<'_, '_> {
    /// `atom` and `red`.
    pub(super) fn atomic(&mut self, inst: &Inst) -> Selected {
        let (Some(ty), Some(atomic), space) = (inst.form.ty, inst.form.atomic, inst.form.space) else {
            return Err(self.missing(inst));
        };
        let Some([atom, cas, red]) = ops(space) else { return Err(self.missing(inst)) };
        let returns = inst.form.opcode == Opcode::Atom;
        let (dst, first) =
            if returns { (self.destination(inst, self.operand(inst, 0)?, ty)?, 1) } else { (Row::None, 0) };
        let address = self.address(inst, self.operand(inst, first)?, space, ty.bytes())?;
        let mut sources = vec![address.row, self.read(inst, self.operand(inst, first + 1)?, ty)?];
        let op = match atomic {
            Atomic::Cas => {
                sources.push(self.read(inst, self.operand(inst, first + 2)?, ty)?);
                cas
            }
            _ if returns => atom,
            _ => red,
        };
        let number = operation(atomic, ty, space) as u32;
        let added = self.emit(op[usize::from(ty.bytes() == 8)], dst, &sources);
        (added.imm, added.aux) = (address.imm, address.aux | number << uop::Inst::OPERATION_SHIFT);
        Ok(())
    }

    pub(super) fn vote(&mut self, inst: &Inst) -> Selected {
        let (op, ty) = match inst.form.vote {
            Some(Vote::All) => (Op::VoteAll, ScalarType::Pred),
            Some(Vote::Any) => (Op::VoteAny, ScalarType::Pred),
            Some(Vote::Uni) => (Op::VoteUni, ScalarType::Pred),
            Some(Vote::Ballot) => (Op::VoteBallot, ScalarType::B32),
            None => return Err(self.missing(inst)),
        };
        let dst = self.destination(inst, self.operand(inst, 0)?, ty)?;
        let asked = self.read(inst, self.operand(inst, 1)?, ScalarType::Pred)?;
        self.emit(op, dst, &[asked]);
        Ok(())
    }
}
