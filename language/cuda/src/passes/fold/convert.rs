//! Rules for conversions.

use super::bits::{exact_signed, non_negative, upper_bits};
use super::constant::signed;
use super::{Folder, Result};
use crate::ssa::{Binary, Convert, Mem, Num, Op, Ty, Value};

impl Folder<'_> {
    pub(super) fn convert(&mut self, convert: Convert, a: Value) -> Option<Result> {
        if convert.from.is_float() || convert.to.is_float() {
            return None;
        }
        let (from, to) = (convert.from.ty(), convert.to.ty());
        match (from, to) {
            (Ty::I32, Ty::I32) => self.narrow(convert.to, a),
            (Ty::I64, Ty::I32) => self.truncate(a),
            (Ty::I32, Ty::I64) if convert.from.signed() && non_negative(self.f, a) => {
                Some(Result::Op(Op::Convert(Convert::c(Num::U32, Num::U64), a)))
            }
            // An exact sum is extended term by term, so that the constant becomes an offset.
            (Ty::I32, Ty::I64) => {
                let Op::Binary(Binary::Add, x, c) = *self.f.op(a) else { return None };
                let c = self.f.constant(c)?;
                let plus = if convert.from.signed() {
                    let c = signed(c, Ty::I32);
                    let exact = self.f.values[a.at()].nsw || exact_signed(self.f, x, c);
                    exact.then_some(c)?
                } else {
                    self.unsigned_sum(x, c)?
                };
                let wide = self.add(Ty::I64, Op::Convert(convert, x));
                let plus = self.constant(Ty::I64, plus as u64);
                Some(Result::Op(Op::Binary(Binary::Add, wide, plus)))
            }
            (Ty::I64, Ty::I64) => Some(Result::Value(a)),
            _ => None,
        }
    }

    /// A store of 8 or 16 bits ignores the other bits of its values.
    pub(super) fn stored(&mut self, store: Value, mem: Mem, values: &[Value]) -> Option<Result> {
        let bits = 8 * mem.bytes();
        if bits >= 32 {
            return None;
        }
        let low = (1u64 << bits) - 1;
        let inner = |value: Value| match *self.f.op(value) {
            Op::Convert(convert, x)
                if !convert.from.is_float()
                    && convert.from.ty() == Ty::I32
                    && u64::from(convert.to.bits()) >= bits =>
            {
                Some(x)
            }
            Op::Binary(Binary::And, x, mask)
                if self.f.constant(mask).is_some_and(|mask| mask & low == low) =>
            {
                Some(x)
            }
            _ => None,
        };
        let new: Vec<Value> = values.iter().map(|value| inner(*value).unwrap_or(*value)).collect();
        if new == values {
            return None;
        }
        let mut op = self.f.op(store).clone();
        if let Op::Store { values, .. } = &mut op {
            values.iter_mut().zip(new).for_each(|(value, new)| *value = new);
        }
        Some(Result::Op(op))
    }

    /// Extension of the lower 8 or 16 bits.
    fn narrow(&mut self, to: Num, a: Value) -> Option<Result> {
        let bits = to.bits();
        if bits == 32 {
            return Some(Result::Value(a));
        }
        let known = upper_bits(self.f, a);
        if known < bits || known == bits && !to.signed() {
            return Some(Result::Value(a));
        }
        let loaded = match *self.f.op(a) {
            Op::Load { mem, .. } => mem == Mem::S8 && to.signed() || mem == Mem::S16 && to == Num::S16,
            Op::Convert(inner, x) if inner.to.ty() == Ty::I32 && !inner.from.is_float() => {
                if inner.to == to || inner.to == Num::S8 && to == Num::S16 {
                    true
                } else if inner.to.bits() >= bits && inner.from.ty() == Ty::I32 {
                    let from = if to.signed() { Num::S32 } else { Num::U32 };
                    return Some(Result::Op(Op::Convert(Convert::c(from, to), x)));
                } else {
                    false
                }
            }
            Op::Binary(Binary::And, x, mask) => {
                let low = (1u64 << bits) - 1;
                if self.f.constant(mask).is_some_and(|mask| mask & low == low) {
                    let from = if to.signed() { Num::S32 } else { Num::U32 };
                    return Some(Result::Op(Op::Convert(Convert::c(from, to), x)));
                }
                false
            }
            _ => false,
        };
        if loaded {
            return Some(Result::Value(a));
        }
        if to.signed() {
            return None;
        }
        let mask = self.constant(Ty::I32, (1 << bits) - 1);
        Some(Result::Op(Op::Binary(Binary::And, a, mask)))
    }

    /// The lower 32 bits of 64.
    fn truncate(&mut self, a: Value) -> Option<Result> {
        match *self.f.op(a) {
            Op::Convert(inner, x) if inner.from.ty() == Ty::I32 && !inner.from.is_float() => {
                Some(Result::Value(x))
            }
            Op::Binary(Binary::MulWideS | Binary::MulWideU, x, y) => {
                Some(Result::Op(Op::Binary(Binary::Mul, x, y)))
            }
            // Sums and bitwise operations of extended values need 32 bits only.
            Op::Binary(
                op @ (Binary::Add | Binary::Sub | Binary::Mul | Binary::And | Binary::Or | Binary::Xor),
                x,
                y,
            ) => {
                let (x, y) = (self.low(x)?, self.low(y)?);
                let (x, y) = (self.materialized(x), self.materialized(y));
                Some(Result::Op(Op::Binary(op, x, y)))
            }
            _ => None,
        }
    }

    /// The lower half of a value if it costs no instruction.
    fn low(&self, value: Value) -> Option<Low> {
        match *self.f.op(value) {
            Op::Const(bits) => Some(Low::Constant(bits)),
            Op::Convert(inner, x) if inner.from.ty() == Ty::I32 && !inner.from.is_float() => {
                Some(Low::Value(x))
            }
            _ => None,
        }
    }

    fn materialized(&mut self, low: Low) -> Value {
        match low {
            Low::Constant(bits) => self.constant(Ty::I32, bits),
            Low::Value(value) => value,
        }
    }
}

#[derive(Clone, Copy)]
enum Low {
    Constant(u64),
    Value(Value),
}
