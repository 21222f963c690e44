//! Atomics and reductions.

use super::super::code::OperandRow;
use super::super::resolve::Inst;
use super::{Selected, Selector};
use crate::ptx::forms::{Atomic, Opcode};
use crate::sem::atomic::Operation;
use crate::types::{ScalarType, StateSpace, TypeKind};
use crate::uop::{self, MemoryKind, Width};

/// Returns the operation on words of type `ty` in `space`. Sums of f32 flush subnormals only in
/// global memory; this was observed on hardware. For a generic address the space is determined at
/// run time.
fn operation(atomic: Atomic, ty: ScalarType, space: Option<StateSpace>) -> Operation {
    let signed = ty.kind() == TypeKind::Signed;
    match atomic {
        Atomic::Add if ty == ScalarType::F64 => Operation::AddF64,
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
        let returns = inst.form.opcode == Opcode::Atom;
        let kind = match atomic {
            Atomic::Cas => MemoryKind::Cas,
            _ if returns => MemoryKind::Atomic,
            _ => MemoryKind::Reduction,
        };
        let width = if ty.bytes() == 8 { Width::B64 } else { Width::B32 };
        let op = self.accessing(inst, kind, space, width)?;
        let (dst, first) = if returns {
            (self.destination(inst, self.operand(inst, 0)?, ty)?, 1)
        } else {
            (OperandRow::None, 0)
        };
        let address = self.address(inst, self.operand(inst, first)?, space, ty.bytes())?;
        let mut sources = vec![address.row, self.read(inst, self.operand(inst, first + 1)?, ty)?];
        if kind == MemoryKind::Cas {
            sources.push(self.read(inst, self.operand(inst, first + 2)?, ty)?);
        }
        let number = operation(atomic, ty, space) as u32;
        let added = self.emit(op, dst, &sources);
        (added.imm, added.aux) = (address.imm, address.aux | number << uop::Inst::OPERATION_SHIFT);
        Ok(())
    }
}
