//! Casts: which conversions the source may ask for ([expr.cast]).

use super::Sema;
use super::assign::assigns;
use super::rank::Conversion;
use super::types::{CType, CTypes, Qual, TypeKind};
use super::value::{Res, Value, ValueKind};
use crate::hir::ExprKind as Hir;
use crate::source::Span;
use crate::syntax::ast::{CastKind, Expr, TypeName};

impl Sema<'_> {
    pub(super) fn written_cast(
        &mut self,
        kind: CastKind,
        ty: &TypeName,
        operand: &Expr,
        span: Span,
    ) -> Res<Value> {
        let to = self.type_name(ty)?;
        let value = self.expression(operand)?;
        if kind == CastKind::Dynamic {
            return self.dynamic_cast(value, to, span);
        }
        self.explicit_cast(kind, value, to, span)
    }

    /// A conversion that the source asks for.
    pub(super) fn explicit_cast(&mut self, kind: CastKind, value: Value, to: Qual, span: Span) -> Res<Value> {
        if let Some(referent) = self.types.referent(to.ty) {
            if let CastKind::C | CastKind::Static = kind
                && let Some((operator, _)) = self.conversion_operator(&value, to.ty, Conversion::Any)
            {
                return self.call_conversion(&operator, value, span);
            }
            // A cast to a reference is another view of the object.
            let value = self.as_place(value)?;
            let ValueKind::Place(place, _) = value.kind else { return Err(super::Failed) };
            let from = self.types.pointer(value.ty);
            let pointer = self.types.pointer(referent);
            let place = self.make_place(place, value.ty, span)?;
            let address = self.make(Hir::AddressOf(Box::new(place)), from, span)?;
            if kind == CastKind::Static {
                self.check_pointer_access(from, pointer, span)?;
            }
            let address = match kind {
                CastKind::Reinterpret => self.cast(address, pointer)?,
                _ => self.cast_address(address, from, pointer)?,
            };
            return Ok(Value::deref(address, self.referred(to.ty, referent), span));
        }
        if to.ty == CTypes::VOID {
            let value = self.discarded(value)?;
            let value = self.cast(value, CTypes::VOID)?;
            return Ok(Value::rvalue(value.kind, CTypes::VOID, span));
        }
        // Without a function of the type, the address is cast.
        let is_function =
            matches!(value.kind, ValueKind::Functions(_)) && self.rank_scalar(&value, to.ty).is_some();
        if self.types.record(to.ty).is_some() || self.types.record(value.ty.ty).is_some() || is_function {
            let value = self.convert(Value { span, ..value }, to, "in the cast")?;
            return Ok(Value::rvalue(value.kind, to.ty, span));
        }
        if self.types.vector(to.ty).is_some() {
            let value = self.convert(Value { span, ..value }, to.unqualified(), "in the cast")?;
            return Ok(Value::rvalue(value.kind, to.ty, span));
        }
        if self.types.member_pointer(to.ty).is_some() {
            let classes = self.types.member_pointer(value.ty.ty).zip(self.types.member_pointer(to.ty));
            let is_back = classes.is_some_and(|((one, from), (two, class))| {
                let classes = self.types.record(from).zip(self.types.record(class));
                one == two && classes.is_some_and(|(from, class)| self.classes().derives(from, class))
            });
            if kind == CastKind::Reinterpret && value.ty.ty != to.ty {
                return self.unsupported(span, "`reinterpret_cast` of a pointer to a member");
            }
            let value = if is_back {
                self.cast_member_pointer(value, to.ty)?
            } else {
                self.convert(Value { span, ..value }, to.unqualified(), "in the cast")?
            };
            return Ok(Value::rvalue(value.kind, to.ty, span));
        }
        let value = self.rvalue(value)?;
        let (from, target) = (value.ty.ty, to.ty);
        if let (Some(one), Some(two)) = (self.types.pointee(from), self.types.pointee(target)) {
            self.check_spaces(one, two, span)?;
        }
        let pointerish = |sema: &Self, ty: CType| {
            sema.types.is_pointer(ty) || matches!(sema.types.kind(ty), TypeKind::Nullptr)
        };
        let integer = |sema: &Self, ty: CType| sema.types.int_type(ty).is_some() || sema.types.is_boolean(ty);
        let numbers = (integer(self, from) || self.types.is_floating(from))
            && (integer(self, target) || self.types.is_floating(target));
        let pointers = pointerish(self, from) && pointerish(self, target);
        let mixed = pointerish(self, from) && integer(self, target)
            || integer(self, from) && pointerish(self, target);
        let allowed = match kind {
            CastKind::C => numbers || pointers || mixed,
            CastKind::Static => numbers || pointers || self.rank(&value, to.unqualified()).is_some(),
            CastKind::Reinterpret => pointers || mixed || from == target,
            CastKind::Const | CastKind::Dynamic => pointers || from == target,
        };
        if !allowed {
            let (from, target) = (self.show(value.ty), self.show(to));
            return self.error("wrong-type", span, format!("`{from}` cannot be cast to `{target}`"));
        }
        if kind == CastKind::Static {
            self.check_pointer_access(from, target, span)?;
        }
        let value = self.expr(value)?;
        // Integers of another size are extended by their sign first.
        let value = match kind {
            CastKind::Reinterpret => self.cast(value, target)?,
            _ => self.cast_pointer(value, from, target)?,
        };
        // A cast to the same type is a value, no longer the object that is assigned to.
        let kind = if assigns(&value.kind) { Hir::Cast(Box::new(value)) } else { value.kind };
        Ok(Value::rvalue(kind, target, span))
    }
}
