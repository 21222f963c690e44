//! Addresses of loads and stores: a variable, a register plus an offset, or a number.

use super::super::code::{File, OperandRow};
use super::super::resolve::{Arg, ArgKind, Base, Inst};
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::ptx::forms::Opcode;
use crate::types::{StateSpace, TypeKind};
use crate::uop::{self, ConstValue, Op};

/// An address: its row, the offset in `imm`, and the flags in `aux`.
pub(super) struct Address {
    pub row: OperandRow,
    pub imm: u32,
    pub aux: u32,
}

impl Selector<'_, '_> {
    /// Selects the address `arg` of an access of `bytes` bytes in `space`. `None` is a generic
    /// address, which can name only a variable in global memory, because only these have the same
    /// generic address.
    pub(super) fn address(
        &mut self,
        inst: &Inst,
        arg: &Arg,
        space: Option<StateSpace>,
        bytes: u32,
    ) -> Selected<Address> {
        let ArgKind::Memory(base, offset) = arg.kind else {
            return Err(self.wrong_operand(inst, arg.span, "an address in brackets"));
        };
        match base {
            Base::Variable(variable) => {
                let Some(place) = self.context.layout.location(variable, self.context.module) else {
                    return Err(self.unplaced(inst, arg.span));
                };
                let reached = space.unwrap_or(StateSpace::Global);
                if place.space != reached {
                    let message = format!("`{}` cannot access a {} variable", self.name(inst), place.space);
                    let label = format!("this variable is in {} memory", place.space);
                    let error = Diagnostic::error("E0307", arg.span, message).label(label);
                    // No instruction stores to constants and parameters.
                    let written = matches!(place.space, StateSpace::Const | StateSpace::Param);
                    if matches!(place.space, StateSpace::Tex | StateSpace::Surf | StateSpace::Sampler)
                        || written && inst.form.opcode != Opcode::Ld
                    {
                        return Err(error);
                    }
                    let right = match space {
                        Some(space) => self.name(inst).replace(&space.to_string(), &place.space.to_string()),
                        None => self.name(inst).replacen('.', &format!("{}.", place.space), 1),
                    };
                    return Err(error.help(format!("use `{right}` for {} memory", place.space)));
                }
                if reached == StateSpace::Global {
                    let value = ConstValue::Global { symbol: place.offset, offset: offset as u64 };
                    let wide = self.context.address_bits == 64;
                    let (file, aux) = if wide { (File::D, uop::Inst::ADDR64) } else { (File::W, 0) };
                    return Ok(Address { row: self.code.constant(file, value), imm: 0, aux });
                }
                let end = offset.checked_add(bytes as i64);
                if reached == StateSpace::Param
                    && (offset < 0 || end.is_none_or(|end| end > place.bytes as i64))
                {
                    let message = format!("`{}` reads outside the parameter", self.name(inst));
                    let label = format!("the parameter has {} bytes", place.bytes);
                    return Err(Diagnostic::error("E0308", arg.span, message).label(label));
                }
                let imm = (place.offset as u64).wrapping_add(offset as u64) as u32;
                let row = if self.in_frame(variable, reached) { self.stack() } else { OperandRow::None };
                Ok(Address { row, imm, aux: 0 })
            }
            Base::Zero => {
                let end = (offset as u64).saturating_add(bytes as u64);
                if space == Some(StateSpace::Param) && end > self.context.layout.param_bytes as u64 {
                    let message = format!("`{}` reads outside the parameter block", self.name(inst));
                    let label = format!("the block has {} bytes", self.context.layout.param_bytes);
                    return Err(Diagnostic::error("E0308", arg.span, message).label(label));
                }
                Ok(match u32::try_from(offset) {
                    Ok(imm) => Address { row: OperandRow::None, imm, aux: 0 },
                    Err(_) if self.context.address_bits == 32 => {
                        Address { row: OperandRow::None, imm: offset as u32, aux: 0 }
                    }
                    Err(_) => {
                        let row = self.bits(File::D, offset as u64);
                        Address { row, imm: 0, aux: uop::Inst::ADDR64 }
                    }
                })
            }
            Base::Register(register) => self.based(inst, arg, register, offset),
        }
    }

    /// Selects `[register+offset]`. A 32-bit register is a complete address, modulo 2^32, also in a
    /// 64-bit module.
    fn based(&mut self, inst: &Inst, arg: &Arg, register: u32, offset: i64) -> Selected<Address> {
        let (ty, row) = (self.type_of(register), self.row_of(register));
        match (ty.bytes(), ty.kind()) {
            (_, TypeKind::Float | TypeKind::Pred) => {}
            (4, _) => return Ok(Address { row, imm: offset as u32, aux: 0 }),
            (8, _) => {
                let aux = uop::Inst::ADDR64;
                if let Ok(near) = i32::try_from(offset) {
                    return Ok(Address { row, imm: near as u32, aux });
                }
                let far = self.bits(File::D, offset as u64);
                return Ok(Address { row: self.temp(Op::AddB64, &[row, far]), imm: 0, aux });
            }
            _ => {}
        }
        Err(self.wrong_type(inst, register, arg.span, "an address (a 32-bit or 64-bit integer)"))
    }
}
