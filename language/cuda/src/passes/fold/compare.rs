//! Rules for comparisons and selections.

use super::bits::non_negative;
use super::{Folder, Result};
use crate::ssa::{Binary, Cmp, Op, Ty, Unary, Value};

impl Folder<'_> {
    pub(super) fn compare(&mut self, cmp: Cmp, a: Value, b: Value) -> Option<Result> {
        let ty = self.f.ty(a);
        if self.f.constant(a).is_some() && self.f.constant(b).is_none() {
            return Some(Result::Op(Op::Cmp(cmp.swapped(), b, a)));
        }
        if a == b && !cmp.is_float() {
            let equal = matches!(cmp, Cmp::Eq | Cmp::LeS | Cmp::GeS | Cmp::LeU | Cmp::GeU);
            return Some(Result::Value(self.constant(Ty::I1, u64::from(equal))));
        }
        let bits = self.f.constant(b)?;
        if ty == Ty::I1 {
            return match (cmp, bits) {
                (Cmp::Eq, 1) | (Cmp::Ne, 0) => Some(Result::Value(a)),
                (Cmp::Eq | Cmp::Ne, _) => Some(Result::Op(Op::Unary(Unary::Not, a))),
                _ => None,
            };
        }
        if !ty.is_int() {
            return None;
        }
        // No object is at a null pointer, and `object + c == 0` is `object == -c`.
        if matches!(cmp, Cmp::Eq | Cmp::Ne)
            && self.is_object(a)
            && (bits == 0 || bits >> (ty.bits() - 1) == 1)
        {
            return Some(Result::Value(self.constant(Ty::I1, u64::from(cmp == Cmp::Ne))));
        }
        match *self.f.op(a) {
            // A selection of constants is the predicate, its negation or a constant.
            Op::Select(c, x, y) => {
                let (x, y) = (self.f.constant(x)?, self.f.constant(y)?);
                let yes = super::constant::compare(cmp, x, bits, ty, self.arithmetic);
                let no = super::constant::compare(cmp, y, bits, ty, self.arithmetic);
                return Some(match (yes, no) {
                    (true, true) => Result::Value(self.constant(Ty::I1, 1)),
                    (false, false) => Result::Value(self.constant(Ty::I1, 0)),
                    (true, false) => Result::Value(c),
                    (false, true) => Result::Op(Op::Unary(Unary::Not, c)),
                });
            }
            // x - y == 0 and x ^ y == 0
            Op::Binary(Binary::Sub | Binary::Xor, x, y) if bits == 0 && matches!(cmp, Cmp::Eq | Cmp::Ne) => {
                return Some(Result::Op(Op::Cmp(cmp, x, y)));
            }
            // x + c == k
            Op::Binary(Binary::Add, x, c) if matches!(cmp, Cmp::Eq | Cmp::Ne) => {
                if let Some(c) = self.f.constant(c) {
                    let rest = self.constant(ty, bits.wrapping_sub(c));
                    return Some(Result::Op(Op::Cmp(cmp, x, rest)));
                }
            }
            _ => {}
        }
        let zero = bits == 0;
        let other = match cmp {
            Cmp::LtU if zero => return Some(Result::Value(self.constant(Ty::I1, 0))),
            Cmp::GeU if zero => return Some(Result::Value(self.constant(Ty::I1, 1))),
            Cmp::LtU if bits == 1 => (Cmp::Eq, 0),
            Cmp::GeU if bits == 1 => (Cmp::Ne, 0),
            Cmp::GtU if zero => (Cmp::Ne, 0),
            Cmp::LeU if zero => (Cmp::Eq, 0),
            Cmp::LtS if zero && non_negative(self.f, a) => {
                return Some(Result::Value(self.constant(Ty::I1, 0)));
            }
            Cmp::GeS if zero && non_negative(self.f, a) => {
                return Some(Result::Value(self.constant(Ty::I1, 1)));
            }
            Cmp::GtS if zero && non_negative(self.f, a) => (Cmp::Ne, 0),
            _ => return None,
        };
        let constant = self.constant(ty, other.1);
        Some(Result::Op(Op::Cmp(other.0, a, constant)))
    }

    /// Whether a value is the address of a variable.
    fn is_object(&self, value: Value) -> bool {
        match self.f.op(value) {
            Op::Slot(_) | Op::Address(_) => true,
            Op::ToGeneric(_, inner) => matches!(self.f.op(*inner), Op::Slot(_) | Op::Address(_)),
            _ => false,
        }
    }

    pub(super) fn select(&mut self, c: Value, a: Value, b: Value, ty: Ty) -> Option<Result> {
        match self.f.constant(c) {
            Some(0) => return Some(Result::Value(b)),
            Some(_) => return Some(Result::Value(a)),
            None => {}
        }
        if a == b || *self.f.op(b) == Op::Undef {
            return Some(Result::Value(a));
        }
        if *self.f.op(a) == Op::Undef {
            return Some(Result::Value(b));
        }
        if let Op::Unary(Unary::Not, inner) = *self.f.op(c) {
            return Some(Result::Op(Op::Select(inner, b, a)));
        }
        if ty == Ty::I1 {
            return match (self.f.constant(a), self.f.constant(b)) {
                (Some(1), Some(0)) => Some(Result::Value(c)),
                (Some(0), Some(1)) => Some(Result::Op(Op::Unary(Unary::Not, c))),
                (Some(1), None) => Some(Result::Op(Op::Binary(Binary::Or, c, b))),
                (None, Some(0)) => Some(Result::Op(Op::Binary(Binary::And, c, a))),
                (Some(0), None) => {
                    let not = self.add(ty, Op::Unary(Unary::Not, c));
                    Some(Result::Op(Op::Binary(Binary::And, not, b)))
                }
                (None, Some(_)) => {
                    let not = self.add(ty, Op::Unary(Unary::Not, c));
                    Some(Result::Op(Op::Binary(Binary::Or, not, a)))
                }
                _ => None,
            };
        }
        if !ty.is_int() {
            return None;
        }
        // The truth of a single bit is the bit.
        if let Op::Cmp(cmp @ (Cmp::Ne | Cmp::Eq), bit, zero) = *self.f.op(c)
            && self.f.constant(zero) == Some(0)
            && self.f.ty(bit) == ty
            && super::bits::upper_bits(self.f, bit) <= 1
        {
            let wanted = if cmp == Cmp::Ne { (Some(1), Some(0)) } else { (Some(0), Some(1)) };
            if (self.f.constant(a), self.f.constant(b)) == wanted {
                return Some(Result::Value(bit));
            }
        }
        // a < b ? a : b
        let Op::Cmp(cmp, x, y) = *self.f.op(c) else { return None };
        let same = (x, y) == (a, b);
        if !same && (x, y) != (b, a) {
            return None;
        }
        let cmp = if same { cmp } else { cmp.swapped() };
        let op = match cmp {
            Cmp::LtS | Cmp::LeS => Binary::MinS,
            Cmp::GtS | Cmp::GeS => Binary::MaxS,
            Cmp::LtU | Cmp::LeU => Binary::MinU,
            Cmp::GtU | Cmp::GeU => Binary::MaxU,
            _ => return None,
        };
        Some(Result::Op(Op::Binary(op, a, b)))
    }
}
