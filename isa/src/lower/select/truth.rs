//! `set`, `slct` and `cnot`: comparisons whose outcome is a value or chooses one.

use super::super::code::{File, Row};
use super::super::resolve::Inst;
use super::{Selected, Selector};
use crate::ptx::forms::{Combine, Compare};
use crate::types::ScalarType;
use crate::uop::Op;

/// What `set` gives for true: all ones, or 1.0.
fn truth(ty: ScalarType) -> u64 {
    if ty == ScalarType::F32 { 0x3f80_0000 } else { 0xffff_ffff }
}

impl Selector<'_, '_> {
    /// `set.cmp{.bool}.dtype.stype d, a, b{, c}`: a comparison, combined with `c`, as a value.
    pub(super) fn set(&mut self, inst: &Inst) -> Selected {
        let (to, compare) = (self.ty(inst)?, inst.form.compare.ok_or_else(|| self.missing(inst))?);
        let from = inst.form.source.ok_or_else(|| self.missing(inst))?;
        let a = self.read(inst, self.operand(inst, 1)?, from)?;
        let b = self.read(inst, self.operand(inst, 2)?, from)?;
        let (op, sources) = self.compared(inst, compare, from, a, b)?;
        let mut holds = self.temp(op, &sources);
        if let Some(combine) = inst.form.combine {
            let op = match combine {
                Combine::And => Op::AndPred,
                Combine::Or => Op::OrPred,
                Combine::Xor => Op::XorPred,
            };
            let c = self.read(inst, self.operand(inst, 3)?, ScalarType::Pred)?;
            holds = self.temp(op, &[holds, c]);
        }
        let (yes, no) = (self.bits(File::W, truth(to)), self.bits(File::W, 0));
        self.write(inst, to, Op::SelpB32, &[yes, no, holds])
    }

    /// `slct.type.ctype d, a, b, c`: `a` where `c` is at least zero, else `b`; -0.0 is zero, and
    /// NaN is not.
    pub(super) fn slct(&mut self, inst: &Inst) -> Selected {
        let ty = self.ty(inst)?;
        let decides = inst.form.source.ok_or_else(|| self.missing(inst))?;
        let a = self.read_bits(inst, 1, ty)?;
        let b = self.read_bits(inst, 2, ty)?;
        let c = self.read(inst, self.operand(inst, 3)?, decides)?;
        let zero = self.bits(File::W, 0);
        let (op, sources) = self.compared(inst, Compare::Ge, decides, c, zero)?;
        let first = self.temp(op, &sources);
        self.select(inst, ty, [a, b], first)
    }

    /// `cnot`: 1 of zero, else 0.
    pub(super) fn cnot(&mut self, inst: &Inst) -> Selected {
        let ty = self.ty(inst)?;
        let (file, op) = if ty.bytes() == 8 { (File::D, Op::SetpEqB64) } else { (File::W, Op::SetpEqB32) };
        let a = self.read_bits(inst, 1, ty)?;
        let (one, zero) = (self.bits(file, 1), self.bits(file, 0));
        let is_zero = self.temp(op, &[a, zero]);
        self.select(inst, ty, [one, zero], is_zero)
    }

    /// Source `i` as bits: of 16 bits, zero-extended whatever the sign.
    fn read_bits(&mut self, inst: &Inst, i: usize, ty: ScalarType) -> Selected<Row> {
        let as_bits = if ty.bytes() == 2 { ScalarType::B16 } else { ty };
        self.read(inst, self.operand(inst, i)?, as_bits)
    }

    /// Writes one of two values of `ty`.
    fn select(&mut self, inst: &Inst, ty: ScalarType, [a, b]: [Row; 2], first: Row) -> Selected {
        let op = if ty.bytes() == 8 { Op::SelpB64 } else { Op::SelpB32 };
        let dst = self.destination(inst, self.operand(inst, 0)?, ty)?;
        self.emit(op, dst, &[a, b, first]);
        Ok(())
    }
}
