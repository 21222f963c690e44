//! Conversions.

use super::function::Lowerer;
use super::scalar;
use crate::hir::{Expr, IntType, Type, TypeId};
use crate::ssa::{Cmp, Convert, Num, Op, Space, Ty, Value};

impl Lowerer<'_> {
    /// Conversion of an expression to a type.
    pub(super) fn cast(&mut self, inner: &Expr, to: TypeId) -> Option<Value> {
        if matches!(self.types.get(to), Type::Void) {
            self.discard(inner);
            return None;
        }
        if scalar(self.types, inner.ty).is_none() || matches!(self.types.get(inner.ty), Type::Void) {
            self.discard(inner);
            let ty = scalar(self.types, to)?;
            return Some(self.emit(ty, Op::Undef));
        }
        let value = self.expr(inner);
        let from = self.types.get(inner.ty);
        let target = self.types.get(to);
        Some(self.convert(value, from, target))
    }

    fn convert(&mut self, value: Value, from: Type, to: Type) -> Value {
        let ty = self.f.ty(value);
        if matches!(to, Type::Bool) {
            return match ty {
                Ty::I1 => value,
                Ty::F32 | Ty::F64 => {
                    let zero = self.constant(ty, 0);
                    self.cmp(Cmp::FNeu, value, zero)
                }
                _ => self.is_true(value),
            };
        }
        let (value, from) = match from {
            Type::Bool => (self.bool_to_int(value), Type::Int(IntType::I32)),
            from => (value, from),
        };
        // An integer does not keep the state space of its pointer.
        let to_integer = matches!((from, to), (Type::Pointer(..), Type::Int(_)));
        let value = if to_integer && self.ptr == Ty::I64 {
            self.emit(self.ptr, Op::ToGeneric(Space::Generic, value))
        } else {
            value
        };
        let (source, target) = (self.num(from), self.num(to));
        self.convert_num(value, source, target)
    }

    /// The number type of a scalar; pointers are unsigned integers.
    pub(super) fn num(&self, ty: Type) -> Num {
        match ty {
            Type::Int(int) => int_num(int),
            Type::F32 => Num::F32,
            Type::F64 => Num::F64,
            Type::Bool => Num::U32,
            _ if self.ptr == Ty::I64 => Num::U64,
            _ => Num::U32,
        }
    }

    /// C's conversion between number types.
    pub(super) fn convert_num(&mut self, value: Value, from: Num, to: Num) -> Value {
        if from == to {
            return value;
        }
        if from.is_float() || to.is_float() {
            // Narrow integers are already extended; results go through 32 bits.
            let wide = |num: Num| match num {
                Num::U8 | Num::U16 => Num::U32,
                Num::S8 | Num::S16 => Num::S32,
                num => num,
            };
            let convert = Convert::c(wide(from), wide(to));
            let result = self.emit(to.ty(), Op::Convert(convert, value));
            return if wide(to) == to { result } else { self.convert_num(result, wide(to), to) };
        }
        match (from.bits(), to.bits()) {
            (f, 64) if f < 64 => {
                let from = if from.signed() { Num::S32 } else { Num::U32 };
                let to = if from.signed() { Num::S64 } else { Num::U64 };
                self.emit(Ty::I64, Op::Convert(Convert::c(from, to), value))
            }
            (64, 64) | (32, 32) => value,
            (64, t) => {
                let low = self.emit(Ty::I32, Op::Convert(Convert::c(Num::U64, Num::U32), value));
                if t == 32 { low } else { self.convert_num(low, Num::U32, to) }
            }
            (f, t) if t > f && (from.signed() == to.signed() || !from.signed() || t == 32) => value,
            _ => {
                let from = if to.signed() { Num::S32 } else { Num::U32 };
                self.emit(Ty::I32, Op::Convert(Convert::c(from, to), value))
            }
        }
    }

    /// Wraps a value of 32 bits to a narrow type.
    pub(super) fn extend(&mut self, value: Value, int: IntType) -> Value {
        let from = if int.signed { Num::S32 } else { Num::U32 };
        self.emit(Ty::I32, Op::Convert(Convert::c(from, int_num(int)), value))
    }
}

fn int_num(int: IntType) -> Num {
    match (int.bits, int.signed) {
        (8, false) => Num::U8,
        (8, true) => Num::S8,
        (16, false) => Num::U16,
        (16, true) => Num::S16,
        (64, false) => Num::U64,
        (64, true) => Num::S64,
        (_, false) => Num::U32,
        (_, true) => Num::S32,
    }
}
