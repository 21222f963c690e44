//! Arithmetic functions that are instructions of PTX, or short sequences where the target has no
//! such instruction.

use super::function::Lowerer;
use crate::hir::{Expr, MathOp, Rounding as Hir, TypeId};
use crate::ssa::{Binary, Cmp, Convert, Intrin, Num, Op, Rounding, Ternary, Ty, Unary, Value};
use isa::retarget::recipe::{self, Emit, Operation};
use smallvec::SmallVec;

fn rounding(rounding: Hir) -> Rounding {
    match rounding {
        Hir::Nearest => Rounding::Near,
        Hir::Zero => Rounding::Zero,
        Hir::Up => Rounding::Up,
        Hir::Down => Rounding::Down,
    }
}

impl Lowerer<'_> {
    pub(super) fn math(&mut self, op: MathOp, args: &[Expr], ty: TypeId) -> Option<Value> {
        let values: SmallVec<[Value; 4]> = args.iter().map(|arg| self.expr(arg)).collect();
        let a = *values.first()?;
        let kind = self.f.ty(a);
        let single = kind == Ty::F32;
        let exact = !single || self.program.target.is_fermi();
        let signed = args.first().is_some_and(|arg| self.is_signed(arg.ty));
        let pick = |s, u| if signed { s } else { u };
        let binary = |f, s, u| if kind.is_float() { f } else { pick(s, u) };
        let intrin = match op {
            MathOp::Abs => return Some(self.emit(kind, Op::Unary(Unary::Abs, a))),
            MathOp::Min => return self.two(binary(Binary::FMin, Binary::MinS, Binary::MinU), &values),
            MathOp::Max => return self.two(binary(Binary::FMax, Binary::MaxS, Binary::MaxU), &values),
            MathOp::Mul24 => return self.two(pick(Binary::Mul24S, Binary::Mul24U), &values),
            MathOp::MulHi => return self.two(pick(Binary::MulHiS, Binary::MulHiU), &values),
            MathOp::Floor => return Some(self.integral(Rounding::Down, a)),
            MathOp::Ceil => return Some(self.integral(Rounding::Up, a)),
            MathOp::Trunc => return Some(self.integral(Rounding::Zero, a)),
            MathOp::Rint => return Some(self.integral(Rounding::Near, a)),
            MathOp::IsNan => return Some(self.is_nan(a)),
            MathOp::Bitcast => return Some(self.bitcast(a, ty)),
            MathOp::ConvertRounded(mode) => {
                let mut convert =
                    Convert::c(self.num(self.types.get(args[0].ty)), self.num(self.types.get(ty)));
                convert.rounding = rounding(mode);
                return Some(self.emit(convert.to.ty(), Op::Convert(convert, a)));
            }
            MathOp::Fma | MathOp::FmaRounded(_) if !exact => {
                let [a, b, c] = values[..] else { return None };
                return Some(self.emit(kind, Op::Ternary(Ternary::Mad, a, b, c)));
            }
            MathOp::Popc | MathOp::Clz | MathOp::Brev | MathOp::BytePerm
                if !self.program.target.is_fermi() =>
            {
                return self.bits_without_instruction(op, &values);
            }
            MathOp::Saturate => Intrin::Saturate,
            MathOp::Sqrt if single && !self.options.prec_sqrt => Intrin::Sqrt,
            MathOp::Sqrt => Intrin::SqrtRounded(Rounding::Near),
            MathOp::Rsqrt => Intrin::Rsqrt,
            MathOp::SinApprox => Intrin::Sin,
            MathOp::CosApprox => Intrin::Cos,
            MathOp::Ex2Approx => Intrin::Ex2,
            MathOp::Lg2Approx => Intrin::Lg2,
            MathOp::RcpApprox => Intrin::Rcp,
            MathOp::DivApprox => Intrin::DivApprox,
            MathOp::Fma => Intrin::Fma(Rounding::Near),
            MathOp::FmaRounded(mode) => Intrin::Fma(rounding(mode)),
            MathOp::AddRounded(mode) => Intrin::Add(rounding(mode)),
            MathOp::MulRounded(mode) => Intrin::Mul(rounding(mode)),
            MathOp::DivRounded(_) if !exact => Intrin::DivFull,
            MathOp::RcpRounded(_) if !exact => Intrin::Rcp,
            MathOp::SqrtRounded(_) if !exact => Intrin::Sqrt,
            MathOp::DivRounded(mode) => Intrin::Div(rounding(mode)),
            MathOp::RcpRounded(mode) => Intrin::RcpRounded(rounding(mode)),
            MathOp::SqrtRounded(mode) => Intrin::SqrtRounded(rounding(mode)),
            MathOp::Sad if signed => Intrin::SadS,
            MathOp::Sad => Intrin::SadU,
            MathOp::Popc => Intrin::Popc,
            MathOp::Clz => Intrin::Clz,
            MathOp::Brev => Intrin::Brev,
            MathOp::BytePerm => Intrin::Prmt,
            MathOp::FloatToHalf => Intrin::ToHalf,
            MathOp::HalfToFloat => Intrin::FromHalf,
        };
        let result = super::scalar(self.types, ty).unwrap_or(kind);
        Some(self.emit(result, Op::Intrin(intrin, values)))
    }

    fn two(&mut self, op: Binary, values: &[Value]) -> Option<Value> {
        let [a, b] = *values else { return None };
        Some(self.binary(op, a, b))
    }

    fn integral(&mut self, rounding: Rounding, a: Value) -> Value {
        let num = if self.f.ty(a) == Ty::F64 { Num::F64 } else { Num::F32 };
        self.emit(self.f.ty(a), Op::Convert(Convert { from: num, to: num, rounding, integral: true }, a))
    }

    fn bitcast(&mut self, a: Value, ty: TypeId) -> Value {
        let to = super::scalar(self.types, ty).unwrap_or(Ty::I32);
        if self.f.ty(a) == to { a } else { self.emit(to, Op::Bits(a)) }
    }

    /// `__popc`, `__clz`, `__brev` and `__byte_perm` below `sm_20`.
    fn bits_without_instruction(&mut self, op: MathOp, values: &[Value]) -> Option<Value> {
        let a = *values.first()?;
        if self.f.ty(a) == Ty::I64 {
            let (low, high) = self.halves(a);
            return Some(match op {
                MathOp::Popc => {
                    let (low, high) = (recipe::ones(self, &low), recipe::ones(self, &high));
                    self.binary(Binary::Add, low, high)
                }
                MathOp::Clz => {
                    let (low, above) =
                        (recipe::leading_zeros(self, &low), recipe::leading_zeros(self, &high));
                    let (zero, half) = (self.int(0), self.int(32));
                    let none = self.cmp(Cmp::Eq, high, zero);
                    let low = self.binary(Binary::Add, low, half);
                    self.emit(Ty::I32, Op::Select(none, low, above))
                }
                _ => {
                    let (low, high) = (recipe::reversed(self, &low), recipe::reversed(self, &high));
                    self.joined(high, low)
                }
            });
        }
        Some(match op {
            MathOp::Popc => recipe::ones(self, &a),
            MathOp::Clz => recipe::leading_zeros(self, &a),
            MathOp::Brev => recipe::reversed(self, &a),
            _ => {
                let [a, b, selector] = *values else { return None };
                self.byte_perm(a, b, selector)
            }
        })
    }

    fn shifted(&mut self, op: Binary, a: Value, count: i64) -> Value {
        let count = self.int(count);
        self.binary(op, a, count)
    }

    fn masked(&mut self, a: Value, mask: u32) -> Value {
        let mask = self.int(i64::from(mask));
        self.binary(Binary::And, a, mask)
    }

    fn byte_perm(&mut self, a: Value, b: Value, selector: Value) -> Value {
        let bytes = self.joined(a, b);
        let mut result = self.int(0);
        for index in 0..4 {
            let digit = self.shifted(Binary::ShrU, selector, 4 * index);
            let digit = self.masked(digit, 7);
            let count = self.shifted(Binary::Shl, digit, 3);
            let shifted = self.binary(Binary::ShrU, bytes, count);
            let byte = self.emit(Ty::I32, Op::Convert(Convert::c(Num::U64, Num::U32), shifted));
            let byte = self.masked(byte, 0xff);
            let byte = self.shifted(Binary::Shl, byte, 8 * index);
            result = self.binary(Binary::Or, result, byte);
        }
        result
    }
}

impl Emit for Lowerer<'_> {
    type Value = Value;

    fn word(&mut self) -> Value {
        self.int(0)
    }

    fn number(&mut self, value: u32) -> Value {
        self.int(value.into())
    }

    fn operation(&mut self, operation: Operation, to: &mut Value, a: &Value, b: &Value) {
        let binary = match operation {
            Operation::Add => Binary::Add,
            Operation::Sub => Binary::Sub,
            Operation::And => Binary::And,
            Operation::Or => Binary::Or,
            Operation::Shl => Binary::Shl,
            Operation::Shr => Binary::ShrU,
            Operation::Min => Binary::MinU,
        };
        *to = self.binary(binary, *a, *b);
    }

    fn rounded(&mut self, to: &mut Value, of: &Value) {
        let convert = Convert { rounding: Rounding::Zero, ..Convert::c(Num::U32, Num::F32) };
        let float = self.emit(Ty::F32, Op::Convert(convert, *of));
        *to = self.emit(Ty::I32, Op::Bits(float));
    }
}
