//! Selection of `setp`: comparisons into one or two predicates, optionally combined with a third.

use super::super::code::{File, OperandRow};
use super::super::resolve::{ArgKind, Inst};
use super::double::comparison_f64;
use super::{Selected, Selector};
use crate::ptx::forms::{Combine, Compare};
use crate::types::{ScalarType, TypeKind};
use crate::uop::Op;

/// Returns the micro-op of a comparison of f32. An unordered comparison is the negation of the
/// opposite ordered one, so it has the micro-op of that one.
fn comparison_f32(compare: Compare, flushes: bool) -> Option<Op> {
    use Compare::{Eq, Equ, Ge, Geu, Gt, Gtu, Le, Leu, Lt, Ltu, Ne, Neu};
    let pick = |flushing, keeping| if flushes { flushing } else { keeping };
    Some(match compare {
        Eq | Neu => pick(Op::SetpEqFtzF32, Op::SetpEqF32),
        Ne | Equ => pick(Op::SetpNeFtzF32, Op::SetpNeF32),
        Lt | Geu => pick(Op::SetpLtFtzF32, Op::SetpLtF32),
        Le | Gtu => pick(Op::SetpLeFtzF32, Op::SetpLeF32),
        Gt | Leu => pick(Op::SetpGtFtzF32, Op::SetpGtF32),
        Ge | Ltu => pick(Op::SetpGeFtzF32, Op::SetpGeF32),
        Compare::Num | Compare::Nan => return None,
    })
}

/// Whether a comparison is true for NaNs. It is then the negation of the opposite ordered
/// comparison.
fn is_unordered(compare: Compare) -> bool {
    use Compare::{Equ, Geu, Gtu, Leu, Ltu, Neu};
    matches!(compare, Equ | Neu | Ltu | Leu | Gtu | Geu)
}

/// Returns the micro-op of a comparison of integers or bits.
fn comparison(compare: Compare, ty: ScalarType) -> Option<Op> {
    use Compare::{Eq, Ge, Gt, Le, Lt, Ne};
    let signed = ty.kind() == TypeKind::Signed;
    let wide = ty.bytes() == 8;
    let pick = |u32, s32, u64, s64| match (wide, signed) {
        (false, false) => u32,
        (false, true) => s32,
        (true, false) => u64,
        (true, true) => s64,
    };
    let op = match compare {
        Eq => pick(Op::SetpEqB32, Op::SetpEqB32, Op::SetpEqB64, Op::SetpEqB64),
        Ne => pick(Op::SetpNeB32, Op::SetpNeB32, Op::SetpNeB64, Op::SetpNeB64),
        Lt => pick(Op::SetpLtU32, Op::SetpLtS32, Op::SetpLtU64, Op::SetpLtS64),
        Le => pick(Op::SetpLeU32, Op::SetpLeS32, Op::SetpLeU64, Op::SetpLeS64),
        Gt => pick(Op::SetpGtU32, Op::SetpGtS32, Op::SetpGtU64, Op::SetpGtS64),
        Ge => pick(Op::SetpGeU32, Op::SetpGeS32, Op::SetpGeU64, Op::SetpGeS64),
        _ => return None,
    };
    (ty.kind() != TypeKind::Float && ty != ScalarType::Pred).then_some(op)
}

/// A micro-op with its sources.
pub(super) type Step = (Op, Vec<OperandRow>);

impl Selector<'_, '_> {
    /// Selects `setp.cmp p|q, a, b`: `p` is the comparison, `q` its negation. With a combining
    /// operator and `c`, `p` is (comparison op c) and `q` is (negation op c).
    pub(super) fn setp(&mut self, inst: &Inst) -> Selected {
        let ty = self.ty(inst)?;
        let compare = inst.form.compare.ok_or_else(|| self.missing(inst))?;
        let [p, q] = self.pair(inst)?;
        let a = self.read(inst, self.operand(inst, 1)?, ty)?;
        let b = self.read(inst, self.operand(inst, 2)?, ty)?;
        let plain = self.compared(inst, compare, ty, a, b)?;
        let (for_p, for_q) = if let Some(combine) = inst.form.combine {
            let op = match combine {
                Combine::And => Op::AndPred,
                Combine::Or => Op::OrPred,
                Combine::Xor => Op::XorPred,
            };
            let c = self.read(inst, self.operand(inst, 3)?, ScalarType::Pred)?;
            let result = self.temp(plain.0, &plain.1);
            let inverse = q.map(|_| self.temp(Op::NotPred, &[result]));
            ((op, vec![result, c]), inverse.map(|inverse| (op, vec![inverse, c])))
        } else if q.is_some() && p.is_some() {
            let result = self.temp(plain.0, &plain.1);
            ((Op::MovPred, vec![result]), Some((Op::NotPred, vec![result])))
        } else if q.is_some() {
            let result = self.temp(plain.0, &plain.1);
            (plain, Some((Op::NotPred, vec![result])))
        } else {
            (plain, None)
        };
        match (p, q, for_q) {
            (Some(p), Some(q), Some(for_q)) => self.write_both((p, for_p), (q, for_q)),
            (None, Some(q), Some(for_q)) => {
                self.emit(for_q.0, q, &for_q.1);
            }
            (p, ..) => {
                let p = p.unwrap_or_else(|| self.code.register(File::P));
                self.emit(for_p.0, p, &for_p.1);
            }
        }
        Ok(())
    }

    /// Writes two predicates. Either destination may be the guard or a source of both. The one that
    /// is the guard, otherwise the one that is a source, is written last. If this order is not
    /// sufficient, both are computed before either is written.
    fn write_both(&mut self, p: (OperandRow, Step), q: (OperandRow, Step)) {
        let guards = |row: OperandRow| self.guard.is_some_and(|(guard, _)| row == OperandRow::Reg(guard));
        let is_source = |row: OperandRow| p.1.1.contains(&row) || q.1.1.contains(&row);
        let p_last = guards(p.0) || is_source(p.0) && !guards(q.0);
        let clash = is_source(if p_last { q.0 } else { p.0 });
        let [mut first, mut last] = if p_last { [q, p] } else { [p, q] };
        if clash {
            for (_, step) in [&mut first, &mut last] {
                *step = (Op::MovPred, vec![self.temp(step.0, &step.1)]);
            }
        }
        for (dst, (op, sources)) in [first, last] {
            self.emit(op, dst, &sources);
        }
    }

    /// Returns the destination predicates.
    fn pair(&mut self, inst: &Inst) -> Selected<[Option<OperandRow>; 2]> {
        let arg = self.operand(inst, 0)?;
        if let ArgKind::Pair(p, q) = arg.kind {
            let mut rows = [None; 2];
            for (row, register) in rows.iter_mut().zip([p, q]) {
                if let Some(register) = register {
                    *row = Some(OperandRow::Reg(self.predicate(register, arg.span)?));
                }
            }
            return Ok(rows);
        }
        Ok([Some(self.destination(inst, arg, ScalarType::Pred)?), None])
    }

    /// Returns the last micro-op of a comparison without a combining operator. Emits the micro-ops
    /// that must come before it.
    pub(super) fn compared(
        &mut self,
        inst: &Inst,
        compare: Compare,
        ty: ScalarType,
        a: OperandRow,
        b: OperandRow,
    ) -> Selected<Step> {
        if ty.kind() != TypeKind::Float {
            let op = comparison(compare, ty).ok_or_else(|| self.missing(inst))?;
            return Ok((op, vec![a, b]));
        }
        let flushes = self.flushes(inst);
        let float = |compare| match ty {
            ScalarType::F64 => comparison_f64(compare),
            _ => comparison_f32(compare, flushes),
        };
        let Some(op) = float(compare) else {
            // A number equals itself; a NaN does not.
            let equal = float(Compare::Eq).ok_or_else(|| self.missing(inst))?;
            let a_is = self.temp(equal, &[a, a]);
            let b_is = self.temp(equal, &[b, b]);
            if compare == Compare::Num {
                return Ok((Op::AndPred, vec![a_is, b_is]));
            }
            let both = self.temp(Op::AndPred, &[a_is, b_is]);
            return Ok((Op::NotPred, vec![both]));
        };
        if is_unordered(compare) {
            let opposite = self.temp(op, &[a, b]);
            return Ok((Op::NotPred, vec![opposite]));
        }
        Ok((op, vec![a, b]))
    }
}
