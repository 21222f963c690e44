//! Division by constants: shifts for powers of two, else products (Granlund and Montgomery).

use super::bits::non_negative;
use super::constant::signed;
use super::{Folder, Result};
use crate::ssa::{Binary, Op, Ty, Unary, Value};

impl Folder<'_> {
    /// Division or remainder of `a` by the constant `bits`.
    pub(super) fn divide(&mut self, op: Binary, a: Value, bits: u64, ty: Ty) -> Option<Result> {
        if bits == 0 {
            return None;
        }
        let signed_op = matches!(op, Binary::DivS | Binary::RemS);
        if signed_op && non_negative(self.f, a) && signed(bits, ty) > 0 {
            let op = if op == Binary::DivS { Binary::DivU } else { Binary::RemU };
            let divisor = self.constant(ty, bits);
            return Some(Result::Op(Op::Binary(op, a, divisor)));
        }
        let remainder = matches!(op, Binary::RemS | Binary::RemU);
        if op == Binary::RemU && bits.is_power_of_two() {
            let mask = self.constant(ty, bits - 1);
            return Some(Result::Op(Op::Binary(Binary::And, a, mask)));
        }
        let quotient =
            if signed_op { self.signed_quotient(a, bits, ty)? } else { self.unsigned_quotient(a, bits, ty)? };
        if !remainder {
            return Some(Result::Value(quotient));
        }
        let divisor = self.constant(ty, bits);
        let product = self.add(ty, Op::Binary(Binary::Mul, quotient, divisor));
        Some(Result::Op(Op::Binary(Binary::Sub, a, product)))
    }

    fn two(&mut self, op: Binary, a: Value, b: Value, ty: Ty) -> Value {
        self.add(ty, Op::Binary(op, a, b))
    }

    fn shift(&mut self, op: Binary, a: Value, count: u32, ty: Ty) -> Value {
        let count = self.constant(Ty::I32, u64::from(count));
        self.two(op, a, count, ty)
    }

    fn unsigned_quotient(&mut self, a: Value, d: u64, ty: Ty) -> Option<Value> {
        if d.is_power_of_two() {
            return Some(self.shift(Binary::ShrU, a, d.trailing_zeros(), ty));
        }
        if ty != Ty::I32 {
            return None;
        }
        // The least shift s for which m = ceil(2^(32 + s) / d) is exact for all operands.
        let log = 32 - (d as u32 - 1).leading_zeros();
        for s in 0..=log {
            let power = 1u128 << (32 + s);
            let m = power.div_ceil(u128::from(d));
            if m * u128::from(d) - power <= 1 << s {
                if m < 1 << 32 {
                    let factor = self.constant(ty, m as u64);
                    let high = self.two(Binary::MulHiU, a, factor, ty);
                    return Some(self.shift(Binary::ShrU, high, s, ty));
                }
                // m has 33 bits: the upper bit is a separate sum, halved to avoid the carry.
                let factor = self.constant(ty, (m - (1 << 32)) as u64);
                let high = self.two(Binary::MulHiU, a, factor, ty);
                let rest = self.two(Binary::Sub, a, high, ty);
                let half = self.shift(Binary::ShrU, rest, 1, ty);
                let sum = self.two(Binary::Add, half, high, ty);
                return Some(self.shift(Binary::ShrU, sum, s.checked_sub(1)?, ty));
            }
        }
        None
    }

    fn signed_quotient(&mut self, a: Value, bits: u64, ty: Ty) -> Option<Value> {
        let d = signed(bits, ty);
        let magnitude = d.unsigned_abs() & ty.mask();
        if magnitude == 1 {
            return Some(self.add(ty, Op::Unary(Unary::Neg, a)));
        }
        let quotient = if magnitude.is_power_of_two() {
            let log = magnitude.trailing_zeros();
            let sign = self.shift(Binary::ShrS, a, ty.bits() - 1, ty);
            let bias = self.shift(Binary::ShrU, sign, ty.bits() - log, ty);
            let sum = self.two(Binary::Add, a, bias, ty);
            self.shift(Binary::ShrS, sum, log, ty)
        } else {
            if ty != Ty::I32 {
                return None;
            }
            self.signed_product(a, magnitude, ty)?
        };
        Some(if d < 0 { self.add(ty, Op::Unary(Unary::Neg, quotient)) } else { quotient })
    }

    /// Quotient by a positive constant that is no power of two.
    fn signed_product(&mut self, a: Value, d: u64, ty: Ty) -> Option<Value> {
        for s in 0..31u32 {
            let power = 1u128 << (32 + s);
            let m = power / u128::from(d) + 1;
            // Exact for operands of 31 bits and a sign.
            if m * u128::from(d) - power <= 1 << (s + 1) && m < 1 << 32 {
                let factor = self.constant(ty, m as u64);
                let mut high = self.two(Binary::MulHiS, a, factor, ty);
                if m >= 1 << 31 {
                    // The factor is negative as a signed number.
                    high = self.two(Binary::Add, high, a, ty);
                }
                let shifted = self.shift(Binary::ShrS, high, s, ty);
                let sign = self.shift(Binary::ShrU, a, 31, ty);
                return Some(self.two(Binary::Add, shifted, sign, ty));
            }
        }
        None
    }
}
