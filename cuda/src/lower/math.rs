//! Arithmetic functions that are instructions of PTX, or short sequences where the target has no
//! such instruction.

use super::function::Lowerer;
use crate::hir::{Expr, MathOp, Rounding as Hir, TypeId};
use crate::ssa::{Binary, Convert, Intrin, Num, Op, Rounding, Ternary, Ty, Unary, Value};
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
}
