//! Loads and stores.

use super::super::code::{File, Row};
use super::super::resolve::{Arg, ArgKind, Base, Inst};
use super::convert::to_64;
use super::operand::{expected_in, fits_in};
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::types::{ScalarType, StateSpace, TypeKind};
use crate::uop::{self, ConstValue, Op};

/// Loads of a space: 8 bits unsigned and signed, 16 bits unsigned and signed, 32 bits, 64 bits.
fn loads(space: StateSpace) -> Option<[Op; 6]> {
    use Op::{
        LdConstB8, LdConstB16, LdConstB32, LdConstB64, LdConstS8, LdConstS16, LdGlobalB8, LdGlobalB16,
        LdGlobalB32, LdGlobalB64, LdGlobalS8, LdGlobalS16, LdParamB8, LdParamB16, LdParamB32, LdParamB64,
        LdParamS8, LdParamS16, LdSharedB8, LdSharedB16, LdSharedB32, LdSharedB64, LdSharedS8, LdSharedS16,
    };
    Some(match space {
        StateSpace::Param => [LdParamB8, LdParamS8, LdParamB16, LdParamS16, LdParamB32, LdParamB64],
        StateSpace::Const => [LdConstB8, LdConstS8, LdConstB16, LdConstS16, LdConstB32, LdConstB64],
        StateSpace::Shared => [LdSharedB8, LdSharedS8, LdSharedB16, LdSharedS16, LdSharedB32, LdSharedB64],
        StateSpace::Global => [LdGlobalB8, LdGlobalS8, LdGlobalB16, LdGlobalS16, LdGlobalB32, LdGlobalB64],
        StateSpace::Local | StateSpace::Reg => return None,
    })
}

/// Stores of a space: 8, 16, 32, 64 bits.
fn stores(space: StateSpace) -> Option<[Op; 4]> {
    Some(match space {
        StateSpace::Shared => [Op::StSharedB8, Op::StSharedB16, Op::StSharedB32, Op::StSharedB64],
        StateSpace::Global => [Op::StGlobalB8, Op::StGlobalB16, Op::StGlobalB32, Op::StGlobalB64],
        _ => return None,
    })
}

/// An address: its row, the offset in `imm`, and the flags in `aux`.
pub(super) struct Address {
    row: Row,
    imm: u32,
    aux: u32,
}

impl Selector<'_, '_> {
    /// What `ld` and `st` have in common: the type in memory, and the space.
    fn access(&self, inst: &Inst) -> Selected<(ScalarType, StateSpace)> {
        let form = &inst.form;
        match (form.ty, form.space) {
            (Some(ty), Some(space)) if form.vector <= 1 && form.cache.is_none() && ty != ScalarType::Pred => {
                Ok((ty, space))
            }
            (_, None) => Err(self.missing(inst).note("a generic address needs compute capability 2.0")),
            _ => Err(self.missing(inst)),
        }
    }

    pub(super) fn load(&mut self, inst: &Inst) -> Selected {
        let (ty, space) = self.access(inst)?;
        let ops = loads(space).ok_or_else(|| self.missing(inst))?;
        let arg = self.operand(inst, 0)?;
        let register = match arg.kind {
            ArgKind::Register(register) if fits_in(self.type_of(register), ty) => register,
            ArgKind::Register(register) => {
                return Err(self.wrong_type(inst, register, arg.span, &expected_in(ty)));
            }
            _ => return Err(self.wrong_operand(inst, arg.span, &format!("a {ty} register"))),
        };
        let address = self.address(inst, self.operand(inst, 1)?, space, ty.bytes())?;
        let (dst, held) = (self.row_of(register), self.type_of(register).bytes());
        // Into a register of the type's own width the sign does not matter, and rows hold zeros above.
        let signed = ty.kind() == TypeKind::Signed && held > ty.bytes();
        let op = match ty.bytes() {
            1 => ops[signed as usize],
            2 => ops[2 + signed as usize],
            4 => ops[4],
            _ => ops[5],
        };
        let after = match held {
            8 if ty.bytes() < 8 => Some(to_64(ty)),
            2 if signed => Some(Op::CvtU32U16),
            _ => None,
        };
        let loaded = if after.is_some() { self.code.register(File::W) } else { dst };
        self.memory(inst, op, loaded, &address, &[]);
        if let Some(after) = after {
            self.emit(after, dst, &[loaded]);
        }
        Ok(())
    }

    pub(super) fn store(&mut self, inst: &Inst) -> Selected {
        let (ty, space) = self.access(inst)?;
        let ops = stores(space).ok_or_else(|| self.missing(inst))?;
        let arg = self.operand(inst, 1)?;
        let value = match arg.kind {
            ArgKind::Register(register) if fits_in(self.type_of(register), ty) => {
                let row = self.row_of(register);
                let cut = self.type_of(register).bytes() == 8 && ty.bytes() < 8;
                if cut { self.temp(Op::CvtB32B64, &[row]) } else { row }
            }
            ArgKind::Register(register) => {
                return Err(self.wrong_type(inst, register, arg.span, &expected_in(ty)));
            }
            _ => self.read(inst, arg, ty)?,
        };
        let address = self.address(inst, self.operand(inst, 0)?, space, ty.bytes())?;
        let op = ops[ty.bytes().trailing_zeros() as usize];
        self.memory(inst, op, Row::None, &address, &[value]);
        Ok(())
    }

    pub(super) fn memory(&mut self, inst: &Inst, op: Op, dst: Row, address: &Address, value: &[Row]) {
        let sources = [&[address.row], value].concat();
        let volatile = if inst.form.volatile { uop::Inst::VOLATILE } else { 0 };
        let added = self.emit(op, dst, &sources);
        (added.imm, added.aux) = (address.imm, address.aux | volatile);
    }

    pub(super) fn address(
        &mut self,
        inst: &Inst,
        arg: &Arg,
        space: StateSpace,
        bytes: u32,
    ) -> Selected<Address> {
        let ArgKind::Memory(base, offset) = arg.kind else {
            return Err(self.wrong_operand(inst, arg.span, "an address in brackets"));
        };
        match base {
            Base::Variable(variable) => {
                let Some(place) = self.context.layout.place(variable, self.context.module) else {
                    return Err(self.unplaced(inst, arg.span));
                };
                if place.space != space {
                    let message = format!("`{}` cannot reach a {} variable", self.name(inst), place.space);
                    let label = format!("a variable in {} memory", place.space);
                    let complaint = Diagnostic::error("E0307", message, arg.span, label);
                    // Nothing stores to constants and parameters.
                    let written = matches!(place.space, StateSpace::Const | StateSpace::Param);
                    if written && !self.name(inst).starts_with("ld") {
                        return Err(complaint);
                    }
                    let right = self.name(inst).replace(&space.to_string(), &place.space.to_string());
                    return Err(complaint.note(format!("`{right}` reaches {} memory", place.space)));
                }
                if space == StateSpace::Global {
                    let value = ConstValue::Global { symbol: place.offset, offset: offset as u64 };
                    let wide = self.context.address_bits == 64;
                    let (file, aux) = if wide { (File::D, uop::Inst::ADDR64) } else { (File::W, 0) };
                    return Ok(Address { row: self.code.constant(file, value), imm: 0, aux });
                }
                let end = offset.checked_add(bytes as i64);
                if space == StateSpace::Param
                    && (offset < 0 || end.is_none_or(|end| end > place.bytes as i64))
                {
                    let message = format!("`{}` reads outside of its parameter", self.name(inst));
                    let label = format!("the parameter has {} bytes", place.bytes);
                    return Err(Diagnostic::error("E0308", message, arg.span, label));
                }
                let imm = (place.offset as u64).wrapping_add(offset as u64) as u32;
                Ok(Address { row: Row::None, imm, aux: 0 })
            }
            Base::Zero => {
                let end = (offset as u64).saturating_add(bytes as u64);
                if space == StateSpace::Param && end > self.context.layout.param_bytes as u64 {
                    let message = format!("`{}` reads outside of the parameter block", self.name(inst));
                    let label = format!("the block has {} bytes", self.context.layout.param_bytes);
                    return Err(Diagnostic::error("E0308", message, arg.span, label));
                }
                Ok(match u32::try_from(offset) {
                    Ok(imm) => Address { row: Row::None, imm, aux: 0 },
                    Err(_) if self.context.address_bits == 32 => {
                        Address { row: Row::None, imm: offset as u32, aux: 0 }
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

    /// `[register+offset]`. A 32-bit register is an address by itself, modulo 2^32, also in a 64-bit module.
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
        Err(self.wrong_type(inst, register, arg.span, "an address: a 32-bit or 64-bit integer"))
    }
}
