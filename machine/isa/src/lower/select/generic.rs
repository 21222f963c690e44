//! Selection of instructions on generic addresses: conversion from and to addresses of a state
//! space, and the test of an address's space.

use super::super::code::{File, OperandRow};
use super::super::resolve::{ArgKind, Inst};
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::generic::{self, CONST_WINDOW, WINDOW_BYTES};
use crate::ptx::forms::Opcode;
use crate::types::{ScalarType, StateSpace, TypeKind};
use crate::uop::Op;

impl Selector<'_, '_> {
    /// Selects `cvta` and `cvta.to`: adds or subtracts the first address of the space's window. A
    /// generic address of global memory is the same number as the global address.
    pub(super) fn cvta(&mut self, inst: &Inst) -> Selected {
        let ty = self.ty(inst)?;
        let source = self.operand(inst, 1)?;
        let Some((space, first)) = base(inst) else { return Err(self.missing(inst)) };
        if let ArgKind::Address(variable, _) = source.kind {
            let Some(place) = self.context.layout.location(variable, self.context.module) else {
                return Err(self.unplaced(inst, source.span));
            };
            if place.space != space {
                let message = format!("`{}` does not accept a {} variable", self.name(inst), place.space);
                let label = format!("this variable is in {} memory", place.space);
                return Err(Diagnostic::error("E0307", source.span, message).label(label));
            }
        }
        let dst = self.destination(inst, self.operand(inst, 0)?, ty)?;
        let address = self.read(inst, source, ty)?;
        let wide = ty.bytes() == 8;
        if first == 0 {
            self.emit(if wide { Op::MovB64 } else { Op::MovB32 }, dst, &[address]);
            return Ok(());
        }
        let op = match (inst.form.opcode == Opcode::CvtaTo, wide) {
            (false, false) => Op::AddB32,
            (false, true) => Op::AddB64,
            (true, false) => Op::SubB32,
            (true, true) => Op::SubB64,
        };
        let first = self.bits(if wide { File::D } else { File::W }, first.into());
        self.emit(op, dst, &[address, first]);
        Ok(())
    }

    /// Selects `isspacep`: whether an address is in the window of a space; for global memory,
    /// whether it is in no window.
    pub(super) fn isspacep(&mut self, inst: &Inst) -> Selected {
        let Some((space, first)) = base(inst) else { return Err(self.missing(inst)) };
        let arg = self.operand(inst, 1)?;
        let ArgKind::Register(register) = arg.kind else {
            return Err(self.wrong_operand(inst, arg.span, "a register"));
        };
        let ty = self.type_of(register);
        if !matches!(ty.bytes(), 4 | 8) || matches!(ty.kind(), TypeKind::Float | TypeKind::Pred) {
            let expected = "an address (a 32-bit or 64-bit integer)";
            return Err(self.wrong_type(inst, register, arg.span, expected));
        }
        let dst = self.destination(inst, self.operand(inst, 0)?, ScalarType::Pred)?;
        // The three windows are adjacent.
        let (first, bytes, inside) = match space {
            StateSpace::Global => (CONST_WINDOW, 3 * WINDOW_BYTES, false),
            _ => (first, WINDOW_BYTES, true),
        };
        let (file, subtract, less, not_less) = if ty.bytes() == 8 {
            (File::D, Op::SubB64, Op::SetpLtU64, Op::SetpGeU64)
        } else {
            (File::W, Op::SubB32, Op::SetpLtU32, Op::SetpGeU32)
        };
        let (first, bytes): (OperandRow, OperandRow) =
            (self.bits(file, first.into()), self.bits(file, bytes.into()));
        let address = self.row_of(register);
        let offset = self.temp(subtract, &[address, first]);
        self.emit(if inside { less } else { not_less }, dst, &[offset, bytes]);
        Ok(())
    }
}

/// Returns the form's state space and the first address of its window.
fn base(inst: &Inst) -> Option<(StateSpace, u32)> {
    let space = inst.form.space?;
    Some((space, generic::base(space)?))
}
