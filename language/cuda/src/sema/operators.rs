//! Operators with two operands ([expr.mul] to [expr.log.or]).

use super::Sema;
use super::scope::Constant;
use super::types::{CType, CTypes, Qual, TypeKind};
use super::value::{Res, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, BinaryOp, ExprKind as Hir};
use crate::lex::Punct;
use crate::source::Span;

/// The operator of the typed program.
pub(super) fn operator(punct: Punct) -> Option<BinaryOp> {
    Some(match punct {
        Punct::Plus => BinaryOp::Add,
        Punct::Minus => BinaryOp::Sub,
        Punct::Star => BinaryOp::Mul,
        Punct::Slash => BinaryOp::Div,
        Punct::Percent => BinaryOp::Rem,
        Punct::And => BinaryOp::And,
        Punct::Or => BinaryOp::Or,
        Punct::Xor => BinaryOp::Xor,
        Punct::Shl => BinaryOp::Shl,
        Punct::Shr => BinaryOp::Shr,
        Punct::EqEq => BinaryOp::Eq,
        Punct::NotEq => BinaryOp::Ne,
        Punct::Less => BinaryOp::Lt,
        Punct::Le => BinaryOp::Le,
        Punct::Greater => BinaryOp::Gt,
        Punct::Ge => BinaryOp::Ge,
        _ => return None,
    })
}

impl Sema<'_> {
    /// An operator between two values.
    pub(super) fn binary(
        &mut self,
        punct: Punct,
        left: Value,
        right: Value,
        span: Span,
        place: Span,
    ) -> Res<Value> {
        let is_class = |sema: &Self, value: &Value| {
            sema.types.record(value.ty.ty).is_some() || sema.types.is_enum(value.ty.ty)
        };
        if is_class(self, &left) || is_class(self, &right) {
            let operands = [left.clone(), right.clone()];
            if let Some(result) = self.overloaded(punct, &operands, span)? {
                return Ok(result);
            }
            if let Some(result) = self.rewritten(punct, &operands, span, place)? {
                return Ok(result);
            }
        }
        if punct == Punct::Spaceship {
            return self.three_way(left, right, span);
        }
        if self.rules.is_open_cl
            && let Some(result) = self.vector_binary(punct, &left, &right, span, place)?
        {
            return Ok(result);
        }
        if matches!(punct, Punct::AndAnd | Punct::OrOr) {
            return self.logical(punct, left, right, span);
        }
        if matches!(punct, Punct::DotStar | Punct::ArrowStar) {
            return self.pointed_member(punct, left, right, span);
        }
        let Some(op) = operator(punct) else {
            return self.unsupported(span, &format!("operator `{}`", punct.text()));
        };
        let (left, right) = (self.scalar_of(left)?, self.scalar_of(right)?);
        let (left, right) = (self.promoted_bits(left)?, self.promoted_bits(right)?);
        let (left_ty, right_ty) = (left.ty.ty, right.ty.ty);
        if self.types.member_pointer(left_ty).or(self.types.member_pointer(right_ty)).is_some()
            && matches!(op, BinaryOp::Eq | BinaryOp::Ne)
        {
            return self.compare_members(op, left, right, span, place);
        }
        let pointer = |sema: &Self, ty: CType| {
            sema.types.is_pointer(ty)
                || sema.types.array(ty).is_some()
                || matches!(sema.types.kind(ty), TypeKind::Nullptr)
        };
        if pointer(self, left_ty) || pointer(self, right_ty) {
            return self.pointer_operator(op, punct, left, right, span, place);
        }
        let same_enum = left_ty == right_ty && self.types.is_enum(left_ty) && op.is_comparison();
        let integers = self.types.is_integral(left_ty) && self.types.is_integral(right_ty);
        let numbers = self.types.is_arithmetic(left_ty) && self.types.is_arithmetic(right_ty);
        let needs_integers = matches!(
            op,
            BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr
        );
        if !(same_enum || integers || numbers && !needs_integers) {
            return self.bad_operands(punct, &left, &right, span, place);
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            return self.shift(op, left, right, span);
        }
        self.warn_double_literal(&left, &right, span);
        if op.is_comparison() {
            self.warn_signs(&left, &right, place);
        }
        let ty = if same_enum { left_ty } else { self.types.common(left_ty, right_ty) };
        let (left, right) = (self.operand(left, ty)?, self.operand(right, ty)?);
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && right.kind_is_zero() {
            self.out.push(
                Diagnostic::warning("division-by-zero", span, "division by zero")
                    .label("the result is undefined"),
            );
        }
        if op.is_comparison() {
            return Ok(self.compare(op, left, right, span));
        }
        Ok(Value::rvalue(self.folded(op, left, right), ty, span))
    }

    /// The operation, or its value if both operands are constants.
    fn folded(&self, op: BinaryOp, left: hir::Expr, right: hir::Expr) -> Hir {
        let folded = super::constant::fold_binary(op, &left.kind, &right.kind, self.hir.get(left.ty));
        folded.unwrap_or_else(|| Hir::Binary(op, Box::new(left), Box::new(right)))
    }

    fn operand(&mut self, value: Value, ty: CType) -> Res<hir::Expr> {
        let value = self.expr(value)?;
        self.cast(value, ty)
    }

    pub(super) fn bad_operands<T>(
        &mut self,
        punct: Punct,
        left: &Value,
        right: &Value,
        span: Span,
        place: Span,
    ) -> Res<T> {
        let shown = |value: &Value| match &value.kind {
            ValueKind::Functions(set) => format!("function `{}`", self.text(set.name)),
            _ => format!("`{}`", self.show(value.ty)),
        };
        let (one, two) = (shown(left), shown(right));
        let message = format!("operator `{}` does not take {one} and {two}", punct.text());
        let error = Diagnostic::error("wrong-type", place, message).at(left.span, one).at(right.span, two);
        let _ = span;
        self.fail(error)
    }

    fn logical(&mut self, punct: Punct, left: Value, right: Value, span: Span) -> Res<Value> {
        let known = (left.known(), right.known());
        let (left, right) = (self.condition(left)?, self.condition(right)?);
        let is_and = punct == Punct::AndAnd;
        if let (Some(Constant::Int(one)), other) = known {
            let one = one != 0;
            match other {
                _ if one != is_and => return Ok(Value::int(i128::from(one), CTypes::BOOL, span)),
                Some(Constant::Int(two)) => {
                    return Ok(Value::int(i128::from(two != 0), CTypes::BOOL, span));
                }
                _ => {}
            }
        }
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = if is_and { Hir::LogicalAnd(left, right) } else { Hir::LogicalOr(left, right) };
        Ok(Value::rvalue(kind, CTypes::BOOL, span))
    }

    fn shift(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Res<Value> {
        let ty = self.types.promoted(left.ty.ty);
        let bits = self.types.int_type(ty).map_or(32, |int| i128::from(int.bits));
        if let Some(Constant::Int(count)) = right.known()
            && !(0..bits).contains(&count)
        {
            let shown = self.show_type(ty);
            let warning =
                Diagnostic::warning("shift-count", right.span, format!("shift of `{shown}` by {count} bits"))
                    .label(format!("expected 0 to {}", bits - 1));
            self.out.push(warning);
        }
        let right = if self.rules.is_open_cl { self.masked_count(right, ty)? } else { right };
        let left = self.operand(left, ty)?;
        let right = self.operand(right, CTypes::UINT)?;
        Ok(Value::rvalue(self.folded(op, left, right), ty, span))
    }

    fn pointer_operator(
        &mut self,
        op: BinaryOp,
        punct: Punct,
        left: Value,
        right: Value,
        span: Span,
        place: Span,
    ) -> Res<Value> {
        let integral = |sema: &Self, value: &Value| sema.types.is_integral(value.ty.ty);
        if op.is_comparison() {
            if integral(self, &left) != integral(self, &right)
                && !matches!(left.known().or(right.known()), Some(Constant::Int(0)))
                && !self.mixes_pointers()
            {
                return self.bad_operands(punct, &left, &right, span, place);
            }
            let null = self.types.intern(TypeKind::Nullptr);
            let ty = if left.ty.ty == null && right.ty.ty == null {
                null
            } else {
                self.common_pointer(&left, &right, place)?
            };
            let to = Qual::plain(ty);
            let left = self.convert(left, to, "in the comparison")?;
            let right = self.convert(right, to, "in the comparison")?;
            return Ok(Value::rvalue(Hir::Binary(op, Box::new(left), Box::new(right)), CTypes::BOOL, span));
        }
        match op {
            BinaryOp::Add if integral(self, &right) => self.pointer_add(left, right, false, span),
            BinaryOp::Add if integral(self, &left) => self.pointer_add(right, left, false, span),
            BinaryOp::Sub if integral(self, &right) => self.pointer_add(left, right, true, span),
            BinaryOp::Sub => {
                let (left, right) = (self.rvalue(left)?, self.rvalue(right)?);
                let pointees = self.types.pointee(left.ty.ty).zip(self.types.pointee(right.ty.ty));
                let Some((one, two)) = pointees.filter(|(one, two)| one.ty == two.ty) else {
                    return self.bad_operands(punct, &left, &right, span, place);
                };
                let _ = two;
                self.require_complete(one.ty, span)?;
                let ty = self.types.difference_type;
                if self.types.variable_size(one.ty).is_some() {
                    return self.unsupported(span, "a difference of pointers to arrays of variable length");
                }
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                Ok(Value::rvalue(Hir::PointerDiff(Box::new(left), Box::new(right)), ty, span))
            }
            _ => self.bad_operands(punct, &left, &right, span, place),
        }
    }

    /// Pointer plus or minus a number of elements.
    pub(super) fn pointer_add(
        &mut self,
        pointer: Value,
        count: Value,
        negate: bool,
        span: Span,
    ) -> Res<Value> {
        let pointer = self.rvalue(pointer)?;
        let ty = pointer.ty.ty;
        let Some(to) = self.types.pointee(ty) else {
            return self.error("wrong-type", span, "expected a pointer");
        };
        self.require_complete(to.ty, span)?;
        let pointer = self.expr(pointer)?;
        let mut count_ty = self.types.promoted(count.ty.ty);
        let mut count = self.operand(count, count_ty)?;
        if negate {
            // A negated unsigned number of 32 bits needs the width of pointers.
            if count_ty == CTypes::UINT && self.target.pointer_bytes == 8 {
                count_ty = CTypes::LONG;
                count = self.cast(count, count_ty)?;
            }
            let hir_ty = self.hir.get(count.ty);
            let (hir, at) = (count.ty, count.span);
            let kind = super::constant::fold_unary(hir::UnaryOp::Negate, &count.kind, hir_ty)
                .unwrap_or_else(|| Hir::Unary(hir::UnaryOp::Negate, Box::new(count)));
            count = hir::Expr { kind, ty: hir, span: at };
        }
        self.stepped(pointer, count, Qual::plain(ty), to, span)
    }
}

impl hir::Expr {
    /// Whether the expression is the integer constant 0.
    fn kind_is_zero(&self) -> bool {
        matches!(self.kind, Hir::Int(0))
    }
}
