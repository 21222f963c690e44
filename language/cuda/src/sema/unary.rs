//! Operators with one operand, and elements of arrays ([expr.unary]).

use super::Sema;
use super::overload::Argument;
use super::scope::Constant;
use super::types::{CTypes, Qual, TypeKind};
use super::value::{FunctionName, Res, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, PlaceKind};
use crate::lex::Punct;
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, Operator, UnaryOp};

impl Sema<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Res<Value> {
        match op {
            UnaryOp::AddressOf => return self.address_of(operand, span),
            UnaryOp::Increment => return self.step(operand, true, false, span),
            UnaryOp::Decrement => return self.step(operand, false, false, span),
            _ => {}
        }
        let value = self.expression(operand)?;
        let punct = match op {
            UnaryOp::Plus => Punct::Plus,
            UnaryOp::Minus => Punct::Minus,
            UnaryOp::Not => Punct::Not,
            UnaryOp::Complement => Punct::Tilde,
            _ => Punct::Star,
        };
        if (self.types.record(value.ty.ty).is_some() || self.types.is_enum(value.ty.ty))
            && let Some(result) = self.overloaded(punct, std::slice::from_ref(&value), span)?
        {
            return Ok(result);
        }
        if op == UnaryOp::Plus
            && let Some(record) = self.types.record(value.ty.ty)
            && self.classes().has_no_captures(record)
        {
            return self.lambda_address(value, record);
        }
        if self.types.vector(value.ty.ty).is_some() && op != UnaryOp::Deref {
            return self.vector_unary(op, value, span);
        }
        match op {
            UnaryOp::Deref => {
                let value = self.scalar_of(value)?;
                self.deref(value, span)
            }
            UnaryOp::Not => {
                let known = value.known();
                let value = self.condition(value)?;
                if let Some(Constant::Int(int)) = known {
                    return Ok(Value::int(i128::from(int == 0), CTypes::BOOL, span));
                }
                Ok(Value::rvalue(Hir::Unary(hir::UnaryOp::Not, Box::new(value)), CTypes::BOOL, span))
            }
            _ => {
                let value = self.scalar_of(value)?;
                self.arithmetic_unary(op, value, span)
            }
        }
    }

    pub(super) fn arithmetic_unary(&mut self, op: UnaryOp, value: Value, span: Span) -> Res<Value> {
        let value = self.promoted_bits(value)?;
        let value = self.rvalue(value)?;
        let ty = value.ty.ty;
        let fits = self.types.is_integral(ty) || self.types.is_floating(ty) && op != UnaryOp::Complement;
        if !fits {
            if op == UnaryOp::Plus && self.types.is_pointer(ty) {
                return Ok(value);
            }
            let shown = self.show(value.ty);
            let sign = match op {
                UnaryOp::Plus => "+",
                UnaryOp::Minus => "-",
                _ => "~",
            };
            return self.error("wrong-type", span, format!("`{sign}` does not take a `{shown}`"));
        }
        let ty = self.types.promoted(ty);
        let value = self.expr(value)?;
        let value = self.cast(value, ty)?;
        let op = match op {
            UnaryOp::Minus => hir::UnaryOp::Negate,
            UnaryOp::Complement => hir::UnaryOp::Complement,
            _ => return Ok(Value::rvalue(value.kind, ty, span)),
        };
        let hir_ty = self.hir.get(value.ty);
        let kind = super::constant::fold_unary(op, &value.kind, hir_ty)
            .unwrap_or_else(|| Hir::Unary(op, Box::new(value)));
        Ok(Value::rvalue(kind, ty, span))
    }

    fn address_of(&mut self, operand: &Expr, span: Span) -> Res<Value> {
        if let ExprKind::Name(name) = &operand.kind
            && name.segments.len() > 1
            && let Some(member) = self.address_of_member(name, span)?
        {
            return Ok(member);
        }
        let value = match &operand.kind {
            ExprKind::Index(base, index) => self.index(base, index, operand.span, true)?,
            _ => self.expression(operand)?,
        };
        let operand = std::slice::from_ref(&value);
        let operator = Operator::Symbol(Punct::And);
        let has_operator = self.types.record(value.ty.ty).is_some_and(|record| {
            !self.methods_named(record, FunctionName::Operator(operator)).is_empty()
                || !self.operators_in_scope(operator, operand).is_empty()
        });
        if has_operator && let Some(result) = self.overloaded(Punct::And, operand, span)? {
            return Ok(result);
        }
        let value = self.assigned_object(value)?;
        match value.kind {
            // The type to which it is converted selects one of several functions.
            ValueKind::Functions(ref set)
                if set.object.is_none() && self.only_function(set, span).is_none() =>
            {
                Ok(Value { span, ..value })
            }
            ValueKind::Functions(_) => self.rvalue(Value { span, ..value }),
            ValueKind::Place(PlaceKind::Bits(..), _) => {
                self.error("wrong-type", span, "a bit field has no address")
            }
            ValueKind::Elements(_) => self.error("wrong-type", span, "elements of a vector have no address"),
            ValueKind::Place(PlaceKind::Field(of, _), _) if self.is_hir_vector(of.ty) => {
                self.error("wrong-type", span, "an element of a vector has no address")
            }
            ValueKind::Place(kind, _) => {
                self.refuse_object(value.ty.ty, "what a pointer points to", span)?;
                let ty = self.types.pointer(value.ty);
                let place = self.make_place(kind, value.ty, span)?;
                Ok(Value::rvalue(Hir::AddressOf(Box::new(place)), ty, span))
            }
            ValueKind::Rvalue(_) => {
                // A function is a pointer already.
                if let Some(to) = self.types.pointee(value.ty.ty)
                    && matches!(self.types.kind(to.ty), TypeKind::Function(_))
                {
                    return Ok(value);
                }
                self.error("wrong-type", span, "the operand of `&` has no address")
            }
        }
    }

    /// The object that a pointer points to.
    pub(super) fn deref(&mut self, pointer: Value, span: Span) -> Res<Value> {
        let pointer = self.rvalue(pointer)?;
        let Some(to) = self.types.pointee(pointer.ty.ty) else {
            return self.error("wrong-type", span, format!("`{}` is not a pointer", self.show(pointer.ty)));
        };
        if to.ty == CTypes::VOID {
            return self.error("wrong-type", span, "a `void` pointer cannot be dereferenced");
        }
        if let TypeKind::Function(_) = self.types.kind(to.ty) {
            return Ok(pointer);
        }
        let pointer = self.expr(pointer)?;
        Ok(Value::deref(pointer, to, span))
    }

    pub(super) fn index(&mut self, base: &Expr, index: &Expr, span: Span, address: bool) -> Res<Value> {
        let constants = self.array_of_constants(base);
        if let (Some(array), None) = (constants, &self.function) {
            // The host has an array that device code may have no copy of.
            let index = self.expression(index)?;
            if let Some((value, ty)) = self.element_of_constants(array, index.known()) {
                return Ok(Value::constant(value, ty, span));
            }
        }
        let mut base = self.expression(base)?;
        if let Some(record) = self.types.record(base.ty.ty) {
            if !self.methods_named(record, FunctionName::Operator(Operator::Index)).is_empty() {
                let index = match index.kind {
                    ExprKind::List(_) => Argument::List(index),
                    _ => Argument::Value(self.expression(index)?),
                };
                return self.index_operator(record, base, index, span);
            }
            base = self.scalar_of(base)?;
        }
        let mut index = self.expression(index)?;
        index = self.scalar_of(index)?;
        if self.types.is_integral(base.ty.ty) {
            std::mem::swap(&mut base, &mut index);
        }
        if !self.types.is_integral(index.ty.ty) {
            let shown = self.show(index.ty);
            let message = format!("an index must be an integer, not `{shown}`");
            return self.error("wrong-type", index.span, message);
        }
        let index = self.promoted_bits(index)?;
        let known = index.known();
        let index_ty = self.types.promoted(index.ty.ty);
        let index_span = index.span;
        let index = self.expr(index)?;
        let index = self.cast(index, index_ty)?;
        if let (Some((element, length)), ValueKind::Place(place, _)) =
            (self.types.array(base.ty.ty), &base.kind)
            && self.types.variable_size(base.ty.ty).is_none()
        {
            if let (Some(length), Some(Constant::Int(at))) = (length, known) {
                let limit = i128::from(length) + i128::from(address);
                if at < 0 || at >= limit {
                    let shown = self.show(base.ty);
                    let message = format!("index {at} is out of bounds of `{shown}`");
                    let error = Diagnostic::error("out-of-bounds", index_span, message)
                        .label(format!("the array has {length} elements"));
                    return self.fail(error);
                }
            }
            let element = element.with(base.ty.quals);
            let array = self.make_place(place.clone(), base.ty, base.span)?;
            let place = PlaceKind::Index(Box::new(array), Box::new(index));
            let part = self.constant_part(&place, element, span);
            let value = constants.and_then(|variable| self.element_of_constants(variable, known));
            let kind = ValueKind::Place(place, part.or(value.map(|(value, _)| value)));
            return Ok(Value { kind, ty: element, span });
        }
        let pointer = self.rvalue(base)?;
        let Some(to) = self.types.pointee(pointer.ty.ty) else {
            let shown = self.show(pointer.ty);
            let message = match self.types.record(pointer.ty.ty) {
                Some(_) => format!("class `{shown}` has no `operator[]`"),
                None => format!("`{shown}` is neither an array nor a pointer"),
            };
            return self.error("wrong-type", span, message);
        };
        self.require_complete(to.ty, span)?;
        let ty = pointer.ty.ty;
        let pointer = self.expr(pointer)?;
        let sum = self.stepped(pointer, index, Qual::plain(ty), to, span)?;
        self.deref(sum, span)
    }
}
