//! Selection of `cvt`: a chain of one-operand micro-ops from the source type to the width of the
//! destination register.

use super::super::resolve::{ArgKind, Inst};
use super::operand::{expected_in, fits_in};
use super::rounding::{from_half, from_single, signed, to_half, to_single, within_single};
use super::{Selected, Selector};
use crate::types::{ScalarType, TypeKind};
use crate::uop::Op;

/// Returns the extension of a narrow type to a 32-bit value in a row; `None` for 32 bits and more.
pub(super) fn extension(ty: ScalarType) -> Option<Op> {
    match (ty.bytes(), ty.kind()) {
        (1, TypeKind::Signed) => Some(Op::CvtS32S8),
        (1, _) => Some(Op::CvtU32U8),
        (2, TypeKind::Signed) => Some(Op::CvtS32S16),
        (2, _) => Some(Op::CvtU32U16),
        _ => None,
    }
}

/// Returns the extension of a value of type `ty` from 32 to 64 bits.
pub(super) fn to_64(ty: ScalarType) -> Op {
    if ty.kind() == TypeKind::Signed { Op::CvtB64S32 } else { Op::CvtB64U32 }
}

/// Returns the micro-ops that convert an integer of type `from` in a register of `from_bytes` bytes
/// to type `to` in a register of `to_bytes` bytes. The chain extends the source by its own sign,
/// truncates or extends it to `to`, extends the result by its own sign to the register, and keeps
/// 16-bit registers zero-extended.
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
    chain.extend(into_register(to, to_bytes));
    chain
}

/// Returns the micro-op that extends a 32-bit value of type `to` to a register of `to_bytes` bytes.
fn into_register(to: ScalarType, to_bytes: u32) -> Option<Op> {
    match to_bytes {
        8 => Some(to_64(to)),
        // The sign must not reach the upper part of a row that holds 16 or 8 bits.
        2 if signed(to) => Some(Op::CvtU32U16),
        1 if signed(to) => Some(Op::CvtU32U8),
        _ => None,
    }
}

/// Returns the micro-op that clamps a 32-bit integer to the range of a type, if the value can be
/// outside the range.
fn clamp(from_signed: bool, to: ScalarType) -> Option<Op> {
    match (from_signed, to) {
        (true, ScalarType::U8) => Some(Op::CvtSatU8S32),
        (true, ScalarType::S8) => Some(Op::CvtSatS8S32),
        (true, ScalarType::U16) => Some(Op::CvtSatU16S32),
        (true, ScalarType::S16) => Some(Op::CvtSatS16S32),
        (true, ScalarType::U32 | ScalarType::U64) => Some(Op::CvtSatU32S32),
        (false, ScalarType::U8) => Some(Op::CvtSatU8U32),
        (false, ScalarType::S8) => Some(Op::CvtSatS8U32),
        (false, ScalarType::U16) => Some(Op::CvtSatU16U32),
        (false, ScalarType::S16) => Some(Op::CvtSatS16U32),
        (false, ScalarType::S32) => Some(Op::CvtSatS32U32),
        _ => None,
    }
}

/// Returns the micro-ops of a saturating integer conversion: as [`integer_chain`], but a value
/// outside the range of `to` becomes the nearest value in range. A conversion from 64 bits to fewer
/// than 32 first saturates to 32 bits with the signedness of the result.
fn saturating_chain(from: ScalarType, from_bytes: u32, to: ScalarType, to_bytes: u32) -> Vec<Op> {
    let mut chain = Vec::new();
    let mut is_signed = signed(from);
    if from.bytes() == 8 {
        match (signed(from), signed(to), to.bytes()) {
            (true, false, 8) => return vec![Op::CvtSatU64S64],
            (false, true, 8) => return vec![Op::CvtSatS64U64],
            (_, _, 8) => return chain,
            (true, false, _) => chain.push(Op::CvtSatU32S64),
            (true, true, _) => chain.push(Op::CvtSatS32S64),
            (false, false, _) => chain.push(Op::CvtSatU32U64),
            (false, true, _) => chain.push(Op::CvtSatS32U64),
        }
        is_signed = signed(to);
    } else {
        chain.extend((from_bytes == 8).then_some(Op::CvtB32B64));
        chain.extend(extension(from));
    }
    chain.extend(clamp(is_signed, to));
    if to.bytes() == 8 {
        // After saturation no negative value remains.
        chain.push(if signed(to) { to_64(from) } else { Op::CvtB64U32 });
    } else {
        chain.extend(into_register(to, to_bytes));
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
            // PTX 1.x contains, for example, `cvt.u32.u16 %r1, %tid.x`.
            ArgKind::Special(special) if from.bytes() <= 4 && special.bytes() == 4 => {
                (self.read(inst, src_arg, ScalarType::U32)?, 4)
            }
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
        let whole = |ty: ScalarType| ty.kind() != TypeKind::Float;
        let form = &inst.form;
        if from == ScalarType::F64 || to == ScalarType::F64 {
            return self.double_chain(inst, from, from_bytes, to, to_bytes);
        }
        let chain = match (from, to, form.rounding) {
            _ if whole(from) && whole(to) && form.rounding.is_none() => Some(if form.sat {
                saturating_chain(from, from_bytes, to, to_bytes)
            } else {
                integer_chain(from, from_bytes, to, to_bytes)
            }),
            (_, ScalarType::F32, Some(rounding)) if whole(from) => {
                to_single(rounding, from.bytes() == 8, signed(from)).map(|op| {
                    let mut chain =
                        Vec::from_iter((from_bytes > from.bytes().max(4)).then_some(Op::CvtB32B64));
                    chain.extend(extension(from));
                    chain.push(op);
                    chain.extend(form.sat.then_some(Op::CvtSatF32F32));
                    chain
                })
            }
            // The conversion to an integer saturates with and without `.sat`.
            (ScalarType::F32, _, Some(rounding)) if whole(to) => {
                let flushes = self.conversion_flushes(inst, to);
                from_single(rounding, to.bytes() == 8, signed(to), flushes).map(|op| {
                    let mut chain = vec![op];
                    if to.bytes() < 8 {
                        chain.extend(if to.bytes() < 4 { clamp(signed(to), to) } else { None });
                        chain.extend(into_register(to, to_bytes));
                    }
                    chain
                })
            }
            (ScalarType::F32, ScalarType::F32, rounding) => {
                within_single(rounding, self.flushes(inst), form.sat)
            }
            (ScalarType::F32, ScalarType::F16, rounding) => to_half(rounding, self.flushes(inst), form.sat),
            (ScalarType::F16, ScalarType::F32, None) => Some(from_half(form.sat)),
            _ => None,
        };
        chain.ok_or_else(|| self.missing(inst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sem::{cvt, int};

    /// Applies a chain of micro-ops to a value.
    fn run(chain: &[Op], bits: u64) -> u64 {
        chain.iter().fold(bits, |v, op| match op {
            Op::CvtB32B64 => int::lo32(v) as u64,
            Op::CvtU32U8 => int::zext8(v as u32) as u64,
            Op::CvtS32S8 => int::sext8(v as u32) as u64,
            Op::CvtU32U16 => int::zext16(v as u32) as u64,
            Op::CvtS32S16 => int::sext16(v as u32) as u64,
            Op::CvtB64U32 => int::zext64(v as u32),
            Op::CvtB64S32 => int::sext64(v as u32),
            Op::CvtSatU8S32 => cvt::sat_u8_from_s32(v as u32) as u64,
            Op::CvtSatS8S32 => cvt::sat_s8_from_s32(v as u32) as u64,
            Op::CvtSatU16S32 => cvt::sat_u16_from_s32(v as u32) as u64,
            Op::CvtSatS16S32 => cvt::sat_s16_from_s32(v as u32) as u64,
            Op::CvtSatU32S32 => cvt::sat_u32_from_s32(v as u32) as u64,
            Op::CvtSatU8U32 => cvt::sat_u8_from_u32(v as u32) as u64,
            Op::CvtSatS8U32 => cvt::sat_s8_from_u32(v as u32) as u64,
            Op::CvtSatU16U32 => cvt::sat_u16_from_u32(v as u32) as u64,
            Op::CvtSatS16U32 => cvt::sat_s16_from_u32(v as u32) as u64,
            Op::CvtSatS32U32 => cvt::sat_s32_from_u32(v as u32) as u64,
            Op::CvtSatU32S64 => cvt::sat_u32_from_s64(v) as u64,
            Op::CvtSatS32S64 => cvt::sat_s32_from_s64(v) as u64,
            Op::CvtSatU32U64 => cvt::sat_u32_from_u64(v) as u64,
            Op::CvtSatS32U64 => cvt::sat_s32_from_u64(v) as u64,
            Op::CvtSatU64S64 => cvt::sat_u64_from_s64(v),
            Op::CvtSatS64U64 => cvt::sat_s64_from_u64(v),
            op => panic!("{op:?} is not an integer conversion"),
        })
    }

    /// Returns `value` truncated to a type and extended by the type's sign.
    fn as_type(value: i128, ty: ScalarType) -> i128 {
        let bits = ty.bytes() * 8;
        let low = value & ((1 << bits) - 1);
        if ty.kind() == TypeKind::Signed && low >> (bits - 1) == 1 { low - (1 << bits) } else { low }
    }

    /// Returns the minimum and maximum value of a type.
    fn range(ty: ScalarType) -> (i128, i128) {
        let bits = ty.bytes() * 8;
        if signed(ty) { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }

    #[test]
    fn every_integer_conversion_agrees_with_the_manual() {
        use ScalarType::{S8, S16, S32, S64, U8, U16, U32, U64};
        for from in [U8, S8, U16, S16, U32, S32, U64, S64] {
            for to in [U8, S8, U16, S16, U32, S32, U64, S64] {
                for from_bytes in [1, 2, 4, 8].into_iter().filter(|b| *b >= from.bytes()) {
                    for to_bytes in [1, 2, 4, 8].into_iter().filter(|b| *b >= to.bytes()) {
                        let chain = integer_chain(from, from_bytes, to, to_bytes);
                        let saturating = saturating_chain(from, from_bytes, to, to_bytes);
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
                            let (source, cut) =
                                (as_type(register as i128, from), u64::MAX >> (64 - to_bytes * 8));
                            let (least, most) = range(to);
                            for (chain, value) in
                                [(&chain, as_type(source, to)), (&saturating, source.clamp(least, most))]
                            {
                                assert_eq!(
                                    run(chain, register),
                                    value as u64 & cut,
                                    "{from} in {from_bytes} to {to} in {to_bytes}: {register:#x}, {chain:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}
