//! Selection of `mov` between a value and its parts in braces; the lowest part is first. A value of
//! 16, 32 or 64 bits has halves, and one of 32 or 64 bits has quarters. One part is the whole
//! value.

use super::super::code::{File, OperandRow};
use super::super::resolve::{Arg, ArgKind, Inst};
use super::{Selected, Selector};
use crate::types::ScalarType;
use crate::uop::Op;

/// Returns the micro-op that copies a value.
fn whole(ty: ScalarType) -> Op {
    if ty.bytes() == 8 { Op::MovB64 } else { Op::MovB32 }
}

impl Selector<'_, '_> {
    /// Selects `mov.b32 d, {lo, hi}`, and 64-bit values of two or four parts.
    pub(super) fn pack(&mut self, inst: &Inst) -> Selected {
        let ty = self.ty(inst)?;
        let (parts, part) = self.parts(inst, ty, self.operand(inst, 1)?)?;
        let rows: Vec<OperandRow> =
            parts.iter().map(|arg| self.read(inst, arg, part)).collect::<Result<_, _>>()?;
        match rows.as_slice() {
            [one] => {
                let dst = self.destination(inst, self.operand(inst, 0)?, ty)?;
                self.emit(whole(ty), dst, &[*one]);
                Ok(())
            }
            _ if part == ScalarType::B8 => self.pack_bytes(inst, ty, &rows),
            [low, high] if ty.bytes() == 8 => self.write(inst, ty, Op::PackB64, &[*low, *high]),
            [low, high] => self.write(inst, ty, Op::PackB32, &[*low, *high]),
            [a, b, c, d] => {
                let (low, high) = (self.temp(Op::PackB32, &[*a, *b]), self.temp(Op::PackB32, &[*c, *d]));
                self.write(inst, ty, Op::PackB64, &[low, high])
            }
            _ => Err(self.missing(inst)),
        }
    }

    /// Selects `mov.b32 {lo, hi}, a`, and 64-bit values in two or four parts.
    pub(super) fn unpack(&mut self, inst: &Inst) -> Selected {
        let ty = self.ty(inst)?;
        let (parts, part) = self.parts(inst, ty, self.operand(inst, 0)?)?;
        let value = self.read(inst, self.operand(inst, 1)?, ty)?;
        if let [one] = parts {
            let dst = self.destination(inst, one, part)?;
            self.emit(whole(ty), dst, &[value]);
            return Ok(());
        }
        if part == ScalarType::B8 {
            return self.unpack_bytes(inst, parts, value);
        }
        let words = if ty.bytes() == 4 {
            vec![value]
        } else if part.bytes() == 4 {
            for (arg, op) in parts.iter().zip([Op::CvtB32B64, Op::HiB64]) {
                self.part(inst, arg, part, op, &[value])?;
            }
            return Ok(());
        } else {
            vec![self.temp(Op::CvtB32B64, &[value]), self.temp(Op::HiB64, &[value])]
        };
        let sixteen = self.bits(File::W, 16);
        for (i, arg) in parts.iter().enumerate() {
            let word = words[i / 2];
            if i % 2 == 0 {
                self.part(inst, arg, part, Op::CvtU32U16, &[word])?;
            } else {
                self.part(inst, arg, part, Op::ShrU32, &[word, sixteen])?;
            }
        }
        Ok(())
    }

    /// Writes a value of two or four bytes.
    fn pack_bytes(&mut self, inst: &Inst, ty: ScalarType, rows: &[OperandRow]) -> Selected {
        let byte = self.bits(File::W, 0xff);
        let mut value = self.temp(Op::AndB32, &[rows[0], byte]);
        for (place, row) in (1..).zip(&rows[1..]) {
            let distance = self.bits(File::W, 8 * place);
            let low = self.temp(Op::AndB32, &[*row, byte]);
            let shifted = self.temp(Op::ShlB32, &[low, distance]);
            value = self.temp(Op::OrB32, &[value, shifted]);
        }
        self.write(inst, ty, Op::MovB32, &[value])
    }

    /// Writes the bytes of a value to their destinations.
    fn unpack_bytes(&mut self, inst: &Inst, parts: &[Arg], value: OperandRow) -> Selected {
        let byte = self.bits(File::W, 0xff);
        for (place, arg) in (0..).zip(parts) {
            let distance = self.bits(File::W, 8 * place);
            let shifted = self.temp(Op::ShrU32, &[value, distance]);
            self.part(inst, arg, ScalarType::B8, Op::AndB32, &[shifted, byte])?;
        }
        Ok(())
    }

    /// Writes one part, unless its destination is `_`.
    fn part(&mut self, inst: &Inst, arg: &Arg, ty: ScalarType, op: Op, src: &[OperandRow]) -> Selected {
        if arg.kind != ArgKind::Sink {
            let dst = self.destination(inst, arg, ty)?;
            self.emit(op, dst, src);
        }
        Ok(())
    }

    /// Returns the parts in braces and the type of each part: halves or quarters of `ty`.
    fn parts<'i>(&self, inst: &Inst, ty: ScalarType, arg: &'i Arg) -> Selected<(&'i [Arg], ScalarType)> {
        let ArgKind::Vector(parts) = &arg.kind else {
            return Err(self.wrong_operand(inst, arg.span, "registers in braces"));
        };
        let part = match (ty.bytes(), parts.len()) {
            (_, 1) if parts[0].kind == ArgKind::Sink => {
                return Err(self.wrong_operand(inst, arg.span, "a register, or several parts"));
            }
            (_, 1) => ty,
            (8, 2) => ScalarType::B32,
            (8, 4) | (4, 2) => ScalarType::B16,
            (4, 4) | (2, 2) => ScalarType::B8,
            (8, _) => return Err(self.wrong_operand(inst, arg.span, "two parts of 32 bits or four of 16")),
            (4, _) => return Err(self.wrong_operand(inst, arg.span, "two parts of 16 bits or four of 8")),
            _ => return Err(self.wrong_operand(inst, arg.span, "two parts of 8 bits")),
        };
        Ok((parts, part))
    }
}
