//! Arithmetic functions that are instructions of PTX, or short sequences where the target has no
//! such instruction.

use super::function::Lowerer;
use crate::hir::{Expr, TypeId};
use crate::ssa::{Convert, Intrin, Lowering, Num, Op, Rounding, Ternary, Ty, Value};
use smallvec::SmallVec;

impl Lowerer<'_> {
    pub(super) fn math(&mut self, function: Intrin, args: &[Expr], ty: TypeId) -> Option<Value> {
        let values: SmallVec<[Value; 4]> = args.iter().map(|arg| self.expr(arg)).collect();
        let a = *values.first()?;
        let kind = self.f.ty(a);
        let single = kind == Ty::F32;
        let fermi = self.program.target.is_fermi();
        let signed = args.first().is_some_and(|arg| self.is_signed(arg.ty));
        let intrin = match function.row().lowering {
            Lowering::Unary(op) => return Some(self.emit(kind, Op::Unary(op, a))),
            Lowering::Binary(float, one, other) => {
                let [a, b] = values[..] else { return None };
                let integer = if signed { one } else { other };
                return Some(self.binary(if kind.is_float() { float } else { integer }, a, b));
            }
            Lowering::Integral(rounding) => return Some(self.integral(rounding, a)),
            Lowering::IsNan => return Some(self.is_nan(a)),
            Lowering::Bits => return Some(self.bitcast(a, ty)),
            Lowering::Convert => {
                let (from, to) = (self.num(self.types.get(args[0].ty)), self.num(self.types.get(ty)));
                let convert = Convert { rounding: function.rounding, ..Convert::c(from, to) };
                return Some(self.emit(to.ty(), Op::Convert(convert, a)));
            }
            Lowering::MultiplyAdd if single && !fermi => {
                let [a, b, c] = values[..] else { return None };
                return Some(self.emit(kind, Op::Ternary(Ternary::Mad, a, b, c)));
            }
            Lowering::Fermi(_, older) if single && !fermi => Intrin::named(older)?,
            Lowering::Exact(_, approximate) if single && !self.options.prec_sqrt => {
                Intrin::named(approximate)?
            }
            Lowering::Exact(exact, _) => Intrin::named(&format!("{exact}rn"))?,
            Lowering::Ptx(_) => function.of_signed(signed),
            Lowering::Block(_) | Lowering::Fermi(..) | Lowering::MultiplyAdd => function,
        };
        let result = super::scalar(self.types, ty).unwrap_or(kind);
        Some(self.emit(result, Op::Intrin(intrin, values)))
    }

    fn integral(&mut self, rounding: Rounding, a: Value) -> Value {
        let num = if self.f.ty(a) == Ty::F64 { Num::F64 } else { Num::F32 };
        self.emit(self.f.ty(a), Op::Convert(Convert { from: num, to: num, rounding, integral: true }, a))
    }

    fn bitcast(&mut self, a: Value, ty: TypeId) -> Value {
        let to = super::scalar(self.types, ty).unwrap_or(Ty::I32);
        self.bits(a, to)
    }
}
