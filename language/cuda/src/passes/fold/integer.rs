//! Rules for integers and predicates.

use super::bits::{exact_signed, exact_unsigned, non_negative, upper_bits};
use super::constant::{integer as evaluate, signed};
use super::{Folder, Result};
use crate::ssa::{Binary, Op, Ternary, Ty, Unary, Value};

impl Folder<'_> {
    pub(super) fn unary(&mut self, op: Unary, a: Value, ty: Ty) -> Option<Result> {
        match (op, self.f.op(a).clone()) {
            (Unary::Not, Op::Unary(Unary::Not, inner)) => Some(Result::Value(inner)),
            (Unary::Neg, Op::Unary(Unary::Neg, inner)) if ty.is_int() => Some(Result::Value(inner)),
            (Unary::Not, Op::Cmp(cmp, x, y)) => Some(Result::Op(Op::Cmp(cmp.negated(), x, y))),
            (Unary::Neg, Op::Binary(Binary::Sub, x, y)) if ty.is_int() => {
                Some(Result::Op(Op::Binary(Binary::Sub, y, x)))
            }
            (Unary::Abs, _) if ty.is_int() && non_negative(self.f, a) => Some(Result::Value(a)),
            _ => None,
        }
    }

    pub(super) fn integer(&mut self, op: Binary, a: Value, b: Value, ty: Ty, nsw: bool) -> Option<Result> {
        // Constants are second operands.
        if op.commutes() && self.f.constant(a).is_some() && self.f.constant(b).is_none() {
            return Some(Result::Op(Op::Binary(op, b, a)));
        }
        if ty == Ty::I1 {
            return self.predicate(op, a, b);
        }
        if let Some(bits) = self.f.constant(b)
            && let Some(result) = self.with_constant(op, a, b, bits, ty, nsw)
        {
            return Some(result);
        }
        self.two_values(op, a, b, ty)
    }

    fn predicate(&mut self, op: Binary, a: Value, b: Value) -> Option<Result> {
        let constant = self.f.constant(b);
        match (op, constant) {
            (Binary::And, Some(0)) | (Binary::Or, Some(1)) => Some(Result::Value(b)),
            (Binary::And, Some(_)) | (Binary::Or | Binary::Xor, Some(0)) => Some(Result::Value(a)),
            (Binary::Xor, Some(_)) => Some(Result::Op(Op::Unary(Unary::Not, a))),
            (Binary::And | Binary::Or, None) if a == b => Some(Result::Value(a)),
            _ => None,
        }
    }

    /// Rules for operations whose second operand is a constant.
    fn with_constant(
        &mut self,
        op: Binary,
        a: Value,
        b: Value,
        bits: u64,
        ty: Ty,
        nsw: bool,
    ) -> Option<Result> {
        let zero = |folder: &mut Self| Some(Result::Value(folder.constant(ty, 0)));
        let ones = bits == ty.mask();
        match op {
            Binary::Add
            | Binary::Sub
            | Binary::Or
            | Binary::Xor
            | Binary::Shl
            | Binary::ShrS
            | Binary::ShrU
                if bits == 0 =>
            {
                return Some(Result::Value(a));
            }
            Binary::Mul
            | Binary::And
            | Binary::MulHiS
            | Binary::MulHiU
            | Binary::MulWideS
            | Binary::MulWideU
            | Binary::Mul24U
            | Binary::Mul24S
            | Binary::MinU
                if bits == 0 =>
            {
                return zero(self);
            }
            Binary::Mul | Binary::DivS | Binary::DivU if bits == 1 => return Some(Result::Value(a)),
            Binary::RemS | Binary::RemU if bits == 1 => return zero(self),
            Binary::And if ones => return Some(Result::Value(a)),
            Binary::Or if ones => return Some(Result::Value(b)),
            Binary::Xor if ones => return Some(Result::Op(Op::Unary(Unary::Not, a))),
            Binary::Shl | Binary::ShrU if bits >= u64::from(ty.bits()) => return zero(self),
            Binary::Sub => {
                let minus = self.constant(ty, bits.wrapping_neg());
                let sum = Op::Binary(Binary::Add, a, minus);
                // The negated constant overflows only for the least integer.
                if nsw && bits != 1 << (ty.bits() - 1) {
                    let sum = self.add(ty, sum);
                    self.f.values[sum.at()].nsw = true;
                    return Some(Result::Value(sum));
                }
                return Some(Result::Op(sum));
            }
            Binary::Mul if ty == Ty::I32 && bits == ty.mask() => {
                return Some(Result::Op(Op::Unary(Unary::Neg, a)));
            }
            Binary::Mul if bits.is_power_of_two() => {
                let count = self.constant(Ty::I32, u64::from(bits.trailing_zeros()));
                let shifted = Op::Binary(Binary::Shl, a, count);
                // A shift is a product; that by the sign bit is one with a negative number.
                if nsw && signed(bits, ty) > 0 {
                    let shifted = self.add(ty, shifted);
                    self.f.values[shifted.at()].nsw = true;
                    return Some(Result::Value(shifted));
                }
                return Some(Result::Op(shifted));
            }
            // A mask that covers all bits that can be set.
            Binary::And
                if bits.wrapping_add(1).is_power_of_two() && upper_bits(self.f, a) <= bits.count_ones() =>
            {
                return Some(Result::Value(a));
            }
            Binary::DivS | Binary::DivU | Binary::RemS | Binary::RemU => {
                return self.divide(op, a, bits, ty);
            }
            _ => {}
        }
        self.reassociated(op, a, b, bits, ty, nsw)
    }

    /// Two operations with constants become one; constants move outward in sums, so that addresses
    /// end with them.
    fn reassociated(
        &mut self,
        op: Binary,
        a: Value,
        b: Value,
        bits: u64,
        ty: Ty,
        nsw: bool,
    ) -> Option<Result> {
        let inner_nsw = self.f.values[a.at()].nsw;
        let (inner, x, y) = match *self.f.op(a) {
            Op::Binary(inner, x, y) => (inner, x, y),
            Op::Unary(Unary::Neg, x) if op == Binary::Add && ty.is_int() => {
                return Some(Result::Op(Op::Binary(Binary::Sub, b, x)));
            }
            _ => return None,
        };
        let Some(c) = self.f.constant(y) else {
            // (k - x) + c
            if op == Binary::Add && inner == Binary::Sub && self.f.constant(x).is_some() {
                let k = evaluate(Binary::Add, self.f.constant(x)?, bits, ty)?;
                let k = self.constant(ty, k);
                return Some(Result::Op(Op::Binary(Binary::Sub, k, y)));
            }
            return None;
        };
        if self.leaves_loop(a) && !self.single(a) {
            return None;
        }
        match (op, inner) {
            (Binary::Add, Binary::Add)
            | (Binary::Mul, Binary::Mul)
            | (Binary::And, Binary::And)
            | (Binary::Or, Binary::Or)
            | (Binary::Xor, Binary::Xor) => {
                let both = evaluate(op, c, bits, ty)?;
                let exact = signed(c, ty).checked_add(signed(bits, ty)) == Some(signed(both, ty));
                let both = self.constant(ty, both);
                if op == Binary::Add && nsw && inner_nsw && exact {
                    let sum = self.add(ty, Op::Binary(op, x, both));
                    self.f.values[sum.at()].nsw = true;
                    return Some(Result::Value(sum));
                }
                Some(Result::Op(Op::Binary(op, x, both)))
            }
            (Binary::Mul, Binary::Shl) if c < u64::from(ty.bits()) => {
                let factor = self.constant(ty, bits << c);
                Some(Result::Op(Op::Binary(Binary::Mul, x, factor)))
            }
            (Binary::Shl, Binary::Shl) | (Binary::ShrU, Binary::ShrU) if c + bits < u64::from(ty.bits()) => {
                let count = self.constant(Ty::I32, c + bits);
                Some(Result::Op(Op::Binary(op, x, count)))
            }
            (Binary::Shl, Binary::ShrU | Binary::ShrS) if c == bits && c < u64::from(ty.bits()) => {
                let mask = self.constant(ty, ty.mask() << c);
                Some(Result::Op(Op::Binary(Binary::And, x, mask)))
            }
            (Binary::ShrU, Binary::Shl) if c == bits && c < u64::from(ty.bits()) => {
                let mask = self.constant(ty, ty.mask() >> c);
                Some(Result::Op(Op::Binary(Binary::And, x, mask)))
            }
            (Binary::Shl, Binary::Add) => {
                Some(self.distributed(Op::Binary(Binary::Shl, x, b), ty, c << bits.min(63)))
            }
            (Binary::Mul, Binary::Add) => {
                Some(self.distributed(Op::Binary(Binary::Mul, x, b), ty, c.wrapping_mul(bits)))
            }
            (Binary::MulWideS, Binary::Shl)
                if inner_nsw && c < 31 && signed(bits, Ty::I32).abs() < 1 << (30 - c) =>
            {
                let factor = self.constant(Ty::I32, bits << c);
                Some(Result::Op(Op::Binary(Binary::MulWideS, x, factor)))
            }
            (Binary::MulWideS, Binary::Add) if inner_nsw || exact_signed(self.f, x, signed(c, Ty::I32)) => {
                let plus = evaluate(Binary::MulWideS, c, bits, Ty::I64)?;
                Some(self.distributed(Op::Binary(Binary::MulWideS, x, b), ty, plus))
            }
            (Binary::MulWideU, Binary::Add) => {
                let plus = self.unsigned_sum(x, c)?.wrapping_mul(bits as i64);
                Some(self.distributed(Op::Binary(Binary::MulWideU, x, b), ty, plus as u64))
            }
            _ => None,
        }
    }

    /// The constant of an exact sum of unsigned integers of 32 bits; negative if it is subtracted.
    pub(super) fn unsigned_sum(&self, x: Value, c: u64) -> Option<i64> {
        if exact_unsigned(self.f, x, c) {
            return Some(c as i64);
        }
        let minus = signed(c, Ty::I32);
        (minus < 0 && self.at_least(x, minus.unsigned_abs())).then_some(minus)
    }

    fn distributed(&mut self, product: Op, ty: Ty, plus: u64) -> Result {
        let product = self.add(ty, product);
        let plus = self.constant(ty, plus);
        Result::Op(Op::Binary(Binary::Add, product, plus))
    }

    /// Rules for operations on two values.
    fn two_values(&mut self, op: Binary, a: Value, b: Value, ty: Ty) -> Option<Result> {
        match op {
            Binary::Sub | Binary::Xor if a == b => Some(Result::Value(self.constant(ty, 0))),
            Binary::And | Binary::Or | Binary::MinS | Binary::MinU | Binary::MaxS | Binary::MaxU
                if a == b =>
            {
                Some(Result::Value(a))
            }
            Binary::Sub if self.f.constant(a) == Some(0) => Some(Result::Op(Op::Unary(Unary::Neg, b))),
            Binary::Add => {
                if let Op::Unary(Unary::Neg, x) = *self.f.op(b) {
                    return Some(Result::Op(Op::Binary(Binary::Sub, a, x)));
                }
                // (x + c) + b and a + (x + c): the constant moves outward.
                for (sum, other) in [(a, b), (b, a)] {
                    if let Op::Binary(Binary::Add, x, c) = *self.f.op(sum)
                        && self.f.constant(c).is_some()
                        && self.f.constant(other).is_none()
                        && self.single(sum)
                    {
                        let (left, right) = if sum == a { (x, other) } else { (other, x) };
                        let inner = self.add(ty, Op::Binary(Binary::Add, left, right));
                        return Some(Result::Op(Op::Binary(Binary::Add, inner, c)));
                    }
                }
                None
            }
            Binary::Sub => {
                if let Op::Unary(Unary::Neg, x) = *self.f.op(b) {
                    return Some(Result::Op(Op::Binary(Binary::Add, a, x)));
                }
                let minus = |folder: &Self, sum: Value, from: Value| match *folder.f.op(sum) {
                    Op::Binary(Binary::Add, x, y) if x == from => Some(y),
                    Op::Binary(Binary::Add, x, y) if y == from => Some(x),
                    _ => None,
                };
                if let Some(rest) = minus(self, a, b) {
                    return Some(Result::Value(rest));
                }
                if let Op::Binary(Binary::Add, x, c) = *self.f.op(a)
                    && self.f.constant(c).is_some()
                    && self.single(a)
                {
                    let inner = self.add(ty, Op::Binary(Binary::Sub, x, b));
                    return Some(Result::Op(Op::Binary(Binary::Add, inner, c)));
                }
                if let Op::Binary(Binary::Add, x, c) = *self.f.op(b)
                    && let Some(bits) = self.f.constant(c)
                    && self.single(b)
                {
                    let inner = self.add(ty, Op::Binary(Binary::Sub, a, x));
                    let c = self.constant(ty, bits.wrapping_neg());
                    return Some(Result::Op(Op::Binary(Binary::Add, inner, c)));
                }
                None
            }
            _ => None,
        }
    }

    pub(super) fn ternary(&mut self, op: Ternary, a: Value, b: Value, c: Value, ty: Ty) -> Option<Result> {
        if ty.is_float() || op == Ternary::Fma {
            return None;
        }
        if self.f.constant(a).is_some() && self.f.constant(b).is_none() {
            return Some(Result::Op(Op::Ternary(op, b, a, c)));
        }
        let product = match op {
            Ternary::Mad | Ternary::Fma => Binary::Mul,
            Ternary::MadWideS => Binary::MulWideS,
            Ternary::MadWideU => Binary::MulWideU,
            Ternary::Mad24S => Binary::Mul24S,
            Ternary::Mad24U => Binary::Mul24U,
        };
        let split = self.f.constant(c) == Some(0)
            || self.f.constant(a).is_some() && self.f.constant(b).is_some()
            || self.f.constant(b) == Some(1) && op == Ternary::Mad;
        if !split {
            return None;
        }
        let product = self.add(ty, Op::Binary(product, a, b));
        Some(Result::Op(Op::Binary(Binary::Add, product, c)))
    }
}
