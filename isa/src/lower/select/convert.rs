//! `cvt`: a chain of one-operand micro-ops from the source's type to the destination register's width.

use super::super::resolve::{ArgKind, Inst};
use super::operand::{expected_in, fits_in};
use super::{Selected, Selector};
use crate::ptx::forms::Rounding;
use crate::types::{ScalarType, TypeKind};
use crate::uop::Op;

/// The extension that makes a full 32-bit value of a narrow type in a row; `None` for 32 bits and more.
pub(super) fn extension(ty: ScalarType) -> Option<Op> {
    match (ty.bytes(), ty.kind()) {
        (1, TypeKind::Signed) => Some(Op::CvtS32S8),
        (1, _) => Some(Op::CvtU32U8),
        (2, TypeKind::Signed) => Some(Op::CvtS32S16),
        (2, _) => Some(Op::CvtU32U16),
        _ => None,
    }
}

/// The extension from 32 to 64 bits of a value of type `ty`.
pub(super) fn to_64(ty: ScalarType) -> Op {
    if ty.kind() == TypeKind::Signed { Op::CvtB64S32 } else { Op::CvtB64U32 }
}

/// The micro-ops from an integer of type `from` in a register of `from_bytes` to one of type `to` in a register
/// of `to_bytes`: extend the source by its own sign, cut or extend it to `to`, extend that by its own sign to the
/// register, and keep 16-bit registers zero-extended.
fn integer_chain(from: ScalarType, from_bytes: u32, to: ScalarType, to_bytes: u32) -> Vec<Op> {
    let mut chain = Vec::new();
    if from_bytes == 8 && (from.bytes() < 8 || to.bytes() < 8) {
        chain.push(Op::CvtB32B64);
    }
    if from.bytes() < 8 && to.bytes() >= from.bytes() {
        chain.extend(extension(from));
    }
    if to.bytes() == 8 {
        if from.bytes() < 8 {
            chain.push(to_64(from));
        }
        return chain;
    }
    if to.bytes() < from.bytes() || to.kind() != from.kind() {
        chain.extend(extension(to));
    }
    match to_bytes {
        8 => chain.push(to_64(to)),
        // A sign must not reach the upper half of a row that holds 16 or 8 bits.
        2 if to.kind() == TypeKind::Signed => chain.push(Op::CvtU32U16),
        1 if to.kind() == TypeKind::Signed => chain.push(Op::CvtU32U8),
        _ => {}
    }
    chain
}

impl Selector<'_, '_> {
    pub(super) fn cvt(&mut self, inst: &Inst) -> Selected {
        let to = self.ty(inst)?;
        let from = inst.form.source.ok_or_else(|| self.missing(inst))?;
        let (dst_arg, src_arg) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        let ArgKind::Register(dst) = dst_arg.kind else {
            return Err(self.wrong_operand(inst, dst_arg.span, &format!("a {to} register")));
        };
        if !fits_in(self.type_of(dst), to) {
            return Err(self.wrong_type(inst, dst, dst_arg.span, &expected_in(to)));
        }
        let (source, from_bytes) = match src_arg.kind {
            ArgKind::Register(register) if fits_in(self.type_of(register), from) => {
                (self.row_of(register), self.type_of(register).bytes())
            }
            ArgKind::Register(register) => {
                return Err(self.wrong_type(inst, register, src_arg.span, &expected_in(from)));
            }
            // PTX 1.x writes `cvt.u32.u16 %r1, %tid.x`.
            ArgKind::Special(_) if from.bytes() <= 4 => (self.read(inst, src_arg, ScalarType::U32)?, 4),
            _ => (self.read(inst, src_arg, from)?, from.bytes().max(4)),
        };
        let to_bytes = self.type_of(dst).bytes();
        let chain = self.chain(inst, from, from_bytes, to, to_bytes)?;
        let dst = self.row_of(dst);
        let (last, before) = match chain.split_last() {
            Some((last, before)) => (*last, before),
            None if to_bytes == 8 => (Op::MovB64, [].as_slice()),
            None => (Op::MovB32, [].as_slice()),
        };
        let value = before.iter().fold(source, |value, op| self.temp(*op, &[value]));
        self.emit(last, dst, &[value]);
        Ok(())
    }

    fn chain(
        &self,
        inst: &Inst,
        from: ScalarType,
        from_bytes: u32,
        to: ScalarType,
        to_bytes: u32,
    ) -> Selected<Vec<Op>> {
        let float = |ty: ScalarType| ty.kind() == TypeKind::Float;
        let signed = |ty: ScalarType| ty.kind() == TypeKind::Signed;
        let form = &inst.form;
        match (from, to) {
            (ScalarType::F64, _) | (_, ScalarType::F64) => {
                self.double_chain(inst, from, from_bytes, to, to_bytes)
            }
            _ if !float(from) && !float(to) && form.rounding.is_none() && !form.sat => {
                Ok(integer_chain(from, from_bytes, to, to_bytes))
            }
            _ if to == ScalarType::F32 && !float(from) && from.bytes() < 8 => {
                if form.rounding != Some(Rounding::Rn) || form.sat {
                    return Err(self.missing(inst));
                }
                let mut chain = Vec::from_iter((from_bytes == 8).then_some(Op::CvtB32B64));
                chain.extend(extension(from));
                chain.push(if signed(from) { Op::CvtRnF32S32 } else { Op::CvtRnF32U32 });
                Ok(chain)
            }
            // Saturation is what the conversion does anyway, and truncation hides whether it flushes.
            (ScalarType::F32, ScalarType::S32 | ScalarType::U32) if form.rounding == Some(Rounding::Rzi) => {
                let mut chain = vec![if signed(to) { Op::CvtRziS32F32 } else { Op::CvtRziU32F32 }];
                chain.extend((to_bytes == 8).then(|| to_64(to)));
                Ok(chain)
            }
            _ => Err(self.missing(inst)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sem::int;

    /// Runs a chain on bits.
    fn run(chain: &[Op], bits: u64) -> u64 {
        chain.iter().fold(bits, |v, op| match op {
            Op::CvtB32B64 => int::lo32(v) as u64,
            Op::CvtU32U8 => int::zext8(v as u32) as u64,
            Op::CvtS32S8 => int::sext8(v as u32) as u64,
            Op::CvtU32U16 => int::zext16(v as u32) as u64,
            Op::CvtS32S16 => int::sext16(v as u32) as u64,
            Op::CvtB64U32 => int::zext64(v as u32),
            Op::CvtB64S32 => int::sext64(v as u32),
            op => panic!("{op:?} is not an integer conversion"),
        })
    }

    /// The bits of `value` cut to a type and extended by its sign.
    fn as_type(value: i128, ty: ScalarType) -> i128 {
        let bits = ty.bytes() * 8;
        let low = value & ((1 << bits) - 1);
        if ty.kind() == TypeKind::Signed && low >> (bits - 1) == 1 { low - (1 << bits) } else { low }
    }

    #[test]
    fn every_integer_conversion_keeps_the_manuals_meaning() {
        use ScalarType::{S8, S16, S32, S64, U8, U16, U32, U64};
        for from in [U8, S8, U16, S16, U32, S32, U64, S64] {
            for to in [U8, S8, U16, S16, U32, S32, U64, S64] {
                for from_bytes in [1, 2, 4, 8].into_iter().filter(|b| *b >= from.bytes()) {
                    for to_bytes in [1, 2, 4, 8].into_iter().filter(|b| *b >= to.bytes()) {
                        let chain = integer_chain(from, from_bytes, to, to_bytes);
                        for bits in [
                            0,
                            1,
                            0x7f,
                            0x80,
                            0xff,
                            0x8000,
                            0xffff,
                            0x1_8765,
                            0x8000_0000,
                            0xfedc_ba98_7654_8281_u64,
                        ] {
                            let register = bits & (u64::MAX >> (64 - from_bytes * 8));
                            let value = as_type(as_type(register as i128, from), to);
                            let expected = value as u64 & (u64::MAX >> (64 - to_bytes * 8));
                            let got = run(&chain, register);
                            assert_eq!(
                                got, expected,
                                "{from} in {from_bytes} to {to} in {to_bytes}: {register:#x}, {chain:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}
