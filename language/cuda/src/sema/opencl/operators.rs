//! Operators of vectors: the operator between their elements.

use super::vector::Parts;
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir};
use crate::lex::Punct;
use crate::sema::Sema;
use crate::sema::operators::operator;
use crate::sema::types::{CType, CTypes, Qual};
use crate::sema::value::{Elements, Res, Value, ValueKind};
use crate::source::Span;
use crate::syntax::ast::UnaryOp;

impl Sema<'_> {
    /// An operator between two values, if one of them is a vector.
    pub(in crate::sema) fn vector_binary(
        &mut self,
        punct: Punct,
        left: &Value,
        right: &Value,
        span: Span,
        place: Span,
    ) -> Res<Option<Value>> {
        let vector = |sema: &Self, value: &Value| sema.types.vector(value.ty.ty);
        let (one, two) = (vector(self, left), vector(self, right));
        if one.is_none() && two.is_none() {
            return Ok(None);
        }
        let op = operator(punct);
        let is_shift = matches!(punct, Punct::Shl | Punct::Shr);
        let fits = match (one, two) {
            (Some(one), Some(two)) => one == two || is_shift && one.1 == two.1,
            (Some(one), None) => self.widens(right, one.0),
            (None, Some(two)) => self.widens(left, two.0) && !is_shift,
            (None, None) => false,
        };
        let element = one.or(two).map_or(CTypes::INT, |(element, _)| element);
        let needs_integers =
            is_shift || matches!(punct, Punct::Percent | Punct::And | Punct::Or | Punct::Xor);
        if !fits || needs_integers && !self.types.is_integral(element) {
            return self.bad_operands(punct, left, right, span, place);
        }
        let ty = if one.is_some() { left.ty.ty } else { right.ty.ty };
        let count_type = if is_shift { two.map_or(element, |(element, _)| element) } else { element };
        let (mut first, second) =
            (self.operand_parts(left, element)?, self.operand_parts(right, count_type)?);
        first.before.extend(second.before);
        let is_logical = matches!(punct, Punct::AndAnd | Punct::OrOr);
        let compares = is_logical || op.is_some_and(hir::BinaryOp::is_comparison);
        let result = if compares { self.integer_like(element, true) } else { element };
        let mut list = Vec::new();
        let count = first.list.len().max(second.list.len());
        for at in 0..count {
            let pick = |list: &[Value]| list[at % list.len()].clone();
            let (a, mut b) = (pick(&first.list), pick(&second.list));
            if is_shift {
                b = self.masked_count(b, element)?;
            }
            let value = self.binary(punct, a, b, span, place)?;
            list.push(if compares { self.all_ones(value, result)? } else { self.cast_value(value, result)? });
        }
        let ty = self.with_elements(ty, result);
        self.vector_from(first.before, list, ty, span).map(Some)
    }

    /// Whether a number can stand for a vector of these elements in an operator.
    fn widens(&self, value: &Value, element: CType) -> bool {
        let ty = value.ty.ty;
        let fits = self.types.is_arithmetic(ty);
        // A number of a wider type would lose its value, unless it is a constant.
        let is_wider = self.types.is_floating(ty) && !self.types.is_floating(element)
            || ty == CTypes::DOUBLE && element == CTypes::FLOAT;
        fits && (!is_wider || value.known().is_some())
    }

    fn operand_parts(&mut self, value: &Value, element: CType) -> Res<Parts> {
        let is_vector = self.types.vector(value.ty.ty).is_some();
        if is_vector {
            return self.vector_parts(value.clone(), false);
        }
        let value = self.rvalue(value.clone())?;
        let (span, value) = (value.span, self.expr(value)?);
        let value = self.cast(value, element)?;
        self.vector_parts(Value::rvalue(value.kind, element, span), true)
    }

    /// The number of bits of a shift: the lowest bits count.
    pub(in crate::sema) fn masked_count(&mut self, count: Value, shifted: CType) -> Res<Value> {
        let bits = self.types.int_type(shifted).map_or(32, |int| i128::from(int.bits));
        let span = count.span;
        if let Some(known) = count.known() {
            let crate::sema::scope::Constant::Int(known) = known else { return Err(crate::sema::Failed) };
            return Ok(Value::int(known & (bits - 1), CTypes::INT, span));
        }
        let count = self.rvalue(count)?;
        let mask = Value::int(bits - 1, CTypes::INT, span);
        self.binary(Punct::And, count, mask, span, span)
    }

    /// A condition as an element of a vector: all bits are 1 if it is true.
    pub(super) fn all_ones(&mut self, value: Value, ty: CType) -> Res<hir::Expr> {
        let span = value.span;
        if let Some(crate::sema::scope::Constant::Int(known)) = value.known() {
            return self.make(Hir::Int(-i128::from(known != 0)), ty, span);
        }
        let test = self.condition(value)?;
        let (yes, no) = (self.make(Hir::Int(-1), ty, span)?, self.make(Hir::Int(0), ty, span)?);
        self.make(Hir::Conditional(Box::new(test), Box::new(yes), Box::new(no)), ty, span)
    }

    /// A number converted to another type, as a cast does.
    pub(super) fn cast_value(&mut self, value: Value, ty: CType) -> Res<hir::Expr> {
        let value = self.expr(value)?;
        self.cast(value, ty)
    }

    /// `-v`, `+v`, `~v` and `!v`.
    pub(in crate::sema) fn vector_unary(&mut self, op: UnaryOp, value: Value, span: Span) -> Res<Value> {
        let ty = value.ty.ty;
        let element = self.element_type(ty);
        if op == UnaryOp::Complement && !self.types.is_integral(element) {
            let shown = self.show(value.ty);
            return self.error("wrong-type", span, format!("`~` does not take a `{shown}`"));
        }
        let parts = self.vector_parts(value, false)?;
        let result = if op == UnaryOp::Not { self.integer_like(element, true) } else { element };
        let mut list = Vec::new();
        for part in parts.list {
            list.push(if op == UnaryOp::Not {
                let zero = Value::int(0, CTypes::INT, span);
                let value = self.binary(Punct::EqEq, part, zero, span, span)?;
                self.all_ones(value, result)?
            } else {
                let value = self.arithmetic_unary(op, part, span)?;
                self.cast_value(value, result)?
            });
        }
        let ty = self.with_elements(ty, result);
        self.vector_from(parts.before, list, ty, span)
    }

    /// `c ? a : b` where `c` is a vector: the highest bit of each element selects.
    pub(in crate::sema) fn vector_conditional(
        &mut self,
        test: Value,
        one: Value,
        two: Value,
        span: Span,
    ) -> Res<Value> {
        let Some((condition, count)) = self.types.vector(test.ty.ty) else { return Err(crate::sema::Failed) };
        let element = match (self.types.vector(one.ty.ty), self.types.vector(two.ty.ty)) {
            (Some((one, _)), _) | (None, Some((one, _))) => one,
            (None, None) => self.types.common(one.ty.ty, two.ty.ty),
        };
        let fits = self.types.is_integral(condition)
            && self.types.arithmetic_size(condition) == self.types.arithmetic_size(element);
        if !fits {
            let (shown, wanted) = (self.show(test.ty), self.integer_like(element, true));
            let wanted = self.vector_name(wanted, count);
            let message = format!("the condition is a `{shown}`; expected a `{wanted}`");
            return self.error("wrong-type", test.span, message);
        }
        let to = Qual::plain(self.vector_of(element, count));
        let (one, two) =
            (self.convert(one, to, "in the conditional")?, self.convert(two, to, "in the conditional")?);
        let value = |value: hir::Expr| Value::rvalue(value.kind, to.ty, span);
        let (test, one, two) = (
            self.vector_parts(test, false)?,
            self.vector_parts(value(one), false)?,
            self.vector_parts(value(two), false)?,
        );
        let mut before = test.before;
        before.extend(one.before);
        before.extend(two.before);
        let mut list = Vec::new();
        for ((test, one), two) in test.list.into_iter().zip(one.list).zip(two.list) {
            list.push(self.selected_by_sign(test, one, two, element)?);
        }
        self.vector_from(before, list, to.ty, span)
    }

    /// The first number if the highest bit of an integer is set, else the second one.
    pub(super) fn selected_by_sign(
        &mut self,
        test: Value,
        one: Value,
        two: Value,
        ty: CType,
    ) -> Res<hir::Expr> {
        let span = test.span;
        let signed = self.integer_like(test.ty.ty, true);
        let test = self.cast_value(test, signed)?;
        let test = Value::rvalue(test.kind, signed, span);
        let zero = Value::int(0, CTypes::INT, span);
        let test = self.binary(Punct::Less, test, zero, span, span)?;
        let test = self.condition(test)?;
        let (one, two) = (self.cast_value(one, ty)?, self.cast_value(two, ty)?);
        self.make(Hir::Conditional(Box::new(test), Box::new(one), Box::new(two)), ty, span)
    }

    /// Assigns to several elements of a vector.
    pub(in crate::sema) fn assign_elements(
        &mut self,
        elements: Elements,
        value: Value,
        span: Span,
        place: Span,
    ) -> Res<Value> {
        let Elements { of, ty, at } = elements;
        let repeated = at.iter().enumerate().any(|(index, one)| at[..index].contains(one));
        if repeated {
            let message = "an element cannot be assigned twice";
            return self.fail(Diagnostic::error("wrong-type", span, message).at(place, "assigned here"));
        }
        let (whole, ty) = self.target(Value::place(of, ty, span), place)?;
        let element = self.element_type(ty.ty);
        let to = self.vector_of(element, at.len() as u8);
        let value = self.convert(value, Qual::plain(to), "in the assignment")?;
        let mut before = Vec::new();
        let value = self.in_variable(value, to, &mut before)?;
        let object = self.again(whole.kind, ty, span, &mut before)?;
        for (index, one) in at.into_iter().enumerate() {
            let part = self.vector_element(&value, Qual::plain(to), index as u8, span)?;
            let part = self.expr(part)?;
            let target = self.vector_element(&object, ty, one, span)?;
            self.store(target, part, &mut before)?;
        }
        let whole = self.make_place(value, Qual::plain(to), span)?;
        let whole = self.make(Hir::Load(Box::new(whole)), to, span)?;
        let value = self.after(before, whole, to)?;
        Ok(Value::rvalue(value.kind, to, span))
    }

    /// `v += w`, `++v` and the like. `postfix`: the value is the one before.
    pub(in crate::sema) fn vector_update(
        &mut self,
        target: Value,
        span: Span,
        place: Span,
        postfix: bool,
        change: impl FnOnce(&mut Self, Value) -> Res<Value>,
    ) -> Res<Value> {
        let (ty, mut before) = (target.ty, Vec::new());
        let object = match target.kind {
            ValueKind::Elements(elements) => {
                let of = self.again(elements.of, elements.ty, span, &mut before)?;
                ValueKind::Elements(Box::new(Elements { of, ..*elements }))
            }
            ValueKind::Place(of, _) => ValueKind::Place(self.again(of, ty, span, &mut before)?, None),
            kind => kind,
        };
        let object = Value { kind: object, ty, span };
        let old = self.rvalue(object.clone())?;
        let old = self.expr(old)?;
        let old = self.in_variable(old, ty.ty, &mut before)?;
        let old = Value::place(old, ty.unqualified(), span);
        let new = change(self, old.clone())?;
        let stored = self.assign(object, new, span, place)?;
        let stored = self.expr(stored)?;
        let value = if postfix {
            before.push(stored);
            let old = self.rvalue(old)?;
            self.expr(old)?
        } else {
            stored
        };
        let value = self.after(before, value, ty.ty)?;
        Ok(Value::rvalue(value.kind, ty.ty, span))
    }
}
