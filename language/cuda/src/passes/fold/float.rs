//! Rules for floating-point numbers that hold for all operands.

use super::{Folder, Result};
use crate::ssa::{Binary, Intrin, Op, Ty, Unary, Value};
use smallvec::smallvec;

impl Folder<'_> {
    pub(super) fn float(&mut self, op: Binary, a: Value, b: Value, ty: Ty) -> Option<Result> {
        if op.commutes() && self.f.constant(a).is_some() && self.f.constant(b).is_none() {
            return Some(Result::Op(Op::Binary(op, b, a)));
        }
        if op == Binary::FDiv && self.number(a, ty) == Some(1.0) {
            let exact = self.arithmetic.exact_division || ty == Ty::F64;
            let intrin = Intrin::named(if exact { "rcp_rn" } else { "rcp.approx" })?;
            return Some(Result::Op(Op::Intrin(intrin, smallvec![b])));
        }
        // Flushing of a subnormal operand is part of the operation, so `x * 1` stays with it.
        let keeps = ty == Ty::F64 || !self.arithmetic.ftz;
        match (op, self.number(b, ty)) {
            (Binary::Mul | Binary::FDiv, Some(1.0)) if keeps => Some(Result::Value(a)),
            (Binary::Mul | Binary::FDiv, Some(-1.0)) => Some(Result::Op(Op::Unary(Unary::Neg, a))),
            (Binary::Sub, Some(zero)) if zero == 0.0 && zero.is_sign_positive() && keeps => {
                Some(Result::Value(a))
            }
            (Binary::Add, Some(zero)) if zero == 0.0 && zero.is_sign_negative() && keeps => {
                Some(Result::Value(a))
            }
            (Binary::FDiv, Some(divisor)) => self.reciprocal(a, divisor, ty),
            (Binary::Add, None) => match *self.f.op(b) {
                Op::Unary(Unary::Neg, x) => Some(Result::Op(Op::Binary(Binary::Sub, a, x))),
                _ => match *self.f.op(a) {
                    Op::Unary(Unary::Neg, x) => Some(Result::Op(Op::Binary(Binary::Sub, b, x))),
                    _ => None,
                },
            },
            (Binary::Sub, None) => match *self.f.op(b) {
                Op::Unary(Unary::Neg, x) => Some(Result::Op(Op::Binary(Binary::Add, a, x))),
                _ => None,
            },
            _ => None,
        }
    }

    fn number(&self, value: Value, ty: Ty) -> Option<f64> {
        let bits = self.f.constant(value)?;
        Some(if ty == Ty::F32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) })
    }

    /// Division by a power of two is the product with its reciprocal, if both are normal.
    fn reciprocal(&mut self, a: Value, divisor: f64, ty: Ty) -> Option<Result> {
        let inverse = 1.0 / divisor;
        let (bits, exact) = if ty == Ty::F32 {
            let normal = (inverse as f32).is_normal() && (divisor as f32).is_normal();
            (u64::from((inverse as f32).to_bits()), normal && divisor.to_bits().trailing_zeros() >= 52)
        } else {
            let normal = inverse.is_normal() && divisor.is_normal();
            (inverse.to_bits(), normal && divisor.to_bits().trailing_zeros() >= 52)
        };
        if !exact {
            return None;
        }
        let inverse = self.constant(ty, bits);
        Some(Result::Op(Op::Binary(Binary::Mul, a, inverse)))
    }
}
