//! Constant expressions: operators on constants are computed while the tree is built.

use super::Sema;
use super::assign::root_global;
use super::cells::Stop;
use super::scope::Constant;
use super::types::CType;
use super::value::Res;
use crate::diagnostics::Diagnostic;
use crate::hir::{BinaryOp, ExprKind, IntType, Type, TypeId, UnaryOp};
use crate::syntax::ast::Expr;

impl Sema<'_> {
    /// The value of an expression that must be an integer constant.
    pub(super) fn constant_int(&mut self, expr: &Expr, what: &str) -> Res<(i128, CType)> {
        let (ty, known) = self.as_constant(|sema| {
            let value = sema.expression(expr)?;
            // An object becomes the number to which its class converts ([expr.const]).
            let value = sema.scalar_of(value)?;
            let ty = value.ty;
            if let Some(known) = value.known() {
                return Ok((ty, Ok(known)));
            }
            let value = sema.expr(value)?;
            let known = sema.constant_value(&value);
            Ok((ty, known))
        })?;
        let is_integer = self.types.is_integral(ty.ty) || self.types.is_enum(ty.ty);
        match known {
            Ok(Constant::Int(int)) if is_integer => Ok((int, ty.ty)),
            Ok(_) => {
                let shown = self.show(ty);
                self.error("not-constant", expr.span, format!("{what} must be an integer, not `{shown}`"))
            }
            Err(stop) => {
                let error =
                    Diagnostic::error("not-constant", expr.span, format!("{what} must be a constant"));
                self.fail(match stop {
                    Stop::Undefined(problem, place) if place != expr.span => error.at(place, problem),
                    Stop::Undefined(problem, _) => error.label(problem),
                    _ => error.label("its value is not known when the program is compiled"),
                })
            }
        }
    }

    /// Folds a conversion of a constant.
    pub(super) fn fold_cast(&self, kind: &ExprKind, from: TypeId, to: TypeId) -> Option<ExprKind> {
        let target = self.hir.get(to);
        match (kind, target) {
            (ExprKind::Int(value), Type::Int(int)) => Some(ExprKind::Int(int.wrap(*value))),
            (ExprKind::Int(value), Type::Bool) => Some(ExprKind::Int(i128::from(*value != 0))),
            (ExprKind::Int(value), Type::F64) if is_number(self.hir.get(from)) => {
                Some(ExprKind::Float(*value as f64))
            }
            (ExprKind::Int(value), Type::F32) if is_number(self.hir.get(from)) => {
                Some(ExprKind::Float(f64::from(*value as f32)))
            }
            (ExprKind::Int(value), Type::Pointer(..) | Type::FunctionPointer(_)) => {
                Some(ExprKind::Int(*value))
            }
            // `offsetof`: the address of a member of an object at a number.
            (ExprKind::AddressOf(place), Type::Int(int)) if root_global(&place.kind).is_none() => {
                Some(ExprKind::Int(int.wrap(self.offset_of(place)?.into())))
            }
            (ExprKind::Float(value), Type::F64) => Some(ExprKind::Float(*value)),
            (ExprKind::Float(value), Type::F32) => Some(ExprKind::Float(f64::from(*value as f32))),
            (ExprKind::Float(value), Type::Bool) => Some(ExprKind::Int(i128::from(*value != 0.0))),
            (ExprKind::Float(value), Type::Int(int)) => {
                // Out of range the result is undefined. The hardware clamps to 32 or 64 bits, so
                // NVIDIA's compilers leave it to the conversion if the type is smaller.
                let (low, high) = if int.signed {
                    (-(1i128 << (int.bits - 1)), (1i128 << (int.bits - 1)) - 1)
                } else {
                    (0, (1i128 << int.bits) - 1)
                };
                let clamped = (*value as i128).clamp(low, high);
                let is_left = self.rules.has_device_code && int.bits < 32 && clamped != *value as i128;
                (!is_left).then_some(ExprKind::Int(clamped))
            }
            _ => None,
        }
    }
}

fn is_number(ty: Type) -> bool {
    matches!(ty, Type::Int(_) | Type::Bool | Type::F32 | Type::F64)
}

/// Folds an operator with one constant operand.
pub(super) fn fold_unary(op: UnaryOp, operand: &ExprKind, ty: Type) -> Option<ExprKind> {
    match (op, operand, ty) {
        (UnaryOp::Negate, ExprKind::Int(value), Type::Int(int)) => Some(ExprKind::Int(int.wrap(-value))),
        (UnaryOp::Negate, ExprKind::Float(value), _) => Some(ExprKind::Float(-value)),
        (UnaryOp::Complement, ExprKind::Int(value), Type::Int(int)) => Some(ExprKind::Int(int.wrap(!value))),
        (UnaryOp::Not, ExprKind::Int(value), _) => Some(ExprKind::Int(i128::from(*value == 0))),
        _ => None,
    }
}

/// Folds an operator with two constant operands of one type.
pub(super) fn fold_binary(op: BinaryOp, left: &ExprKind, right: &ExprKind, ty: Type) -> Option<ExprKind> {
    match (left, right, ty) {
        (ExprKind::Int(left), ExprKind::Int(right), Type::Int(int)) => fold_int(op, *left, *right, int),
        (ExprKind::Int(left), ExprKind::Int(right), _) if op.is_comparison() => {
            fold_int(op, *left, *right, IntType::U64)
        }
        (ExprKind::Float(left), ExprKind::Float(right), _) => fold_float(op, *left, *right, ty == Type::F32),
        _ => None,
    }
}

fn fold_int(op: BinaryOp, left: i128, right: i128, int: IntType) -> Option<ExprKind> {
    let truth = |value: bool| i128::from(value);
    let value = match op {
        BinaryOp::Add => int.wrap(left.wrapping_add(right)),
        BinaryOp::Sub => int.wrap(left.wrapping_sub(right)),
        BinaryOp::Mul => int.wrap(left.wrapping_mul(right)),
        BinaryOp::Div => int.wrap(left.checked_div(right)?),
        BinaryOp::Rem => int.wrap(left.checked_rem(right)?),
        BinaryOp::And => left & right,
        BinaryOp::Or => left | right,
        BinaryOp::Xor => left ^ right,
        BinaryOp::Shl if (0..i128::from(int.bits)).contains(&right) => int.wrap(left << right),
        BinaryOp::Shr if (0..i128::from(int.bits)).contains(&right) => left >> right,
        BinaryOp::Shl | BinaryOp::Shr => return None,
        BinaryOp::Eq => truth(left == right),
        BinaryOp::Ne => truth(left != right),
        BinaryOp::Lt => truth(left < right),
        BinaryOp::Le => truth(left <= right),
        BinaryOp::Gt => truth(left > right),
        BinaryOp::Ge => truth(left >= right),
    };
    Some(ExprKind::Int(value))
}

#[expect(clippy::float_cmp, reason = "the comparison of the program, at compile time")]
fn fold_float(op: BinaryOp, left: f64, right: f64, single: bool) -> Option<ExprKind> {
    let truth = |value: bool| Some(ExprKind::Int(i128::from(value)));
    match op {
        BinaryOp::Eq => return truth(left == right),
        BinaryOp::Ne => return truth(left != right),
        BinaryOp::Lt => return truth(left < right),
        BinaryOp::Le => return truth(left <= right),
        BinaryOp::Gt => return truth(left > right),
        BinaryOp::Ge => return truth(left >= right),
        _ => {}
    }
    let (one, two) = (left as f32, right as f32);
    let value = match (op, single) {
        (BinaryOp::Add, false) => left + right,
        (BinaryOp::Sub, false) => left - right,
        (BinaryOp::Mul, false) => left * right,
        (BinaryOp::Div, false) => left / right,
        (BinaryOp::Add, true) => f64::from(one + two),
        (BinaryOp::Sub, true) => f64::from(one - two),
        (BinaryOp::Mul, true) => f64::from(one * two),
        (BinaryOp::Div, true) => f64::from(one / two),
        _ => return None,
    };
    // Results that are no normal numbers depend on the options of the code generator.
    value.is_normal().then_some(ExprKind::Float(value)).or((value == 0.0).then_some(ExprKind::Float(value)))
}
