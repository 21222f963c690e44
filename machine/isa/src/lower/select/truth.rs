//! Selection of `set`, `slct` and `cnot`: comparisons whose result is a value or selects one.

use super::super::code::{File, OperandRow};
use super::super::resolve::Inst;
use super::{Selected, Selector};
use crate::ptx::forms::{Combine, Compare};
use crate::types::ScalarType;
use crate::uop::Op;

/// Returns the value of `set` for true: all ones, or 1.0.
fn truth(ty: ScalarType) -> u64 {
    if ty == ScalarType::F32 { 0x3f80_0000 } else { 0xffff_ffff }
}

impl Selector<'_, '_> {
    /// Selects `set.cmp{.bool}.dtype.stype d, a, b{, c}`: a comparison, combined with `c`, as a
    /// value.
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

    /// Selects `slct.type.ctype d, a, b, c`: `a` if `c` is at least zero, else `b`. -0.0 counts as
    /// zero, and NaN selects `b`.
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

    /// Selects `cnot`: 1 for zero, else 0.
    pub(super) fn cnot(&mut self, inst: &Inst) -> Selected {
        let ty = self.ty(inst)?;
        let (file, op) = if ty.bytes() == 8 { (File::D, Op::SetpEqB64) } else { (File::W, Op::SetpEqB32) };
        let a = self.read_bits(inst, 1, ty)?;
        let (one, zero) = (self.bits(file, 1), self.bits(file, 0));
        let is_zero = self.temp(op, &[a, zero]);
        self.select(inst, ty, [one, zero], is_zero)
    }

    /// Reads source `i` as bits; 16-bit values are zero-extended even if the type is signed.
    fn read_bits(&mut self, inst: &Inst, i: usize, ty: ScalarType) -> Selected<OperandRow> {
        let as_bits = if ty.bytes() == 2 { ScalarType::B16 } else { ty };
        self.read(inst, self.operand(inst, i)?, as_bits)
    }

    /// Selects one of two values of type `ty`.
    fn select(
        &mut self,
        inst: &Inst,
        ty: ScalarType,
        [a, b]: [OperandRow; 2],
        first: OperandRow,
    ) -> Selected {
        let op = if ty.bytes() == 8 { Op::SelpB64 } else { Op::SelpB32 };
        let dst = self.destination(inst, self.operand(inst, 0)?, ty)?;
        self.emit(op, dst, &[a, b, first]);
        Ok(())
    }
}
