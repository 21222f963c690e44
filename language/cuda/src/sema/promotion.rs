//! Integral promotions of bit fields.

use super::Sema;
use super::types::{CType, CTypes};
use super::value::{Res, Value, ValueKind};
use crate::hir::{ExprKind, PlaceKind, Yields};

impl Sema<'_> {
    /// The type to which a bit field is promoted: `int` or `unsigned`, if it has all values of the
    /// field ([conv.prom]/5). `None` for a wider field, an enumeration, or another object.
    pub(super) fn bits_promotion(&self, place: &PlaceKind, ty: CType) -> Option<CType> {
        let PlaceKind::Bits(_, _, width) = *place else { return None };
        let int = self.types.int_type(ty).filter(|_| !self.types.is_enum(ty))?;
        let promoted = match (int.signed, width) {
            (true, ..=32) | (false, ..32) => CTypes::INT,
            (false, 32) => CTypes::UINT,
            _ => return None,
        };
        (promoted != ty).then_some(promoted)
    }

    /// The type to which a value is promoted if it is a bit field. An assignment to a bit field is
    /// a bit field, too.
    fn promotion_of_bits(&self, value: &Value) -> Option<CType> {
        let mut kind = match &value.kind {
            ValueKind::Place(place, _) => return self.bits_promotion(place, value.ty.ty),
            ValueKind::Rvalue(kind) => kind,
            _ => return None,
        };
        while let ExprKind::Comma(_, last) = kind {
            kind = &last.kind;
        }
        match kind {
            ExprKind::Assign(place, _) | ExprKind::Update { place, yields: Yields::New, .. } => {
                self.bits_promotion(&place.kind, value.ty.ty)
            }
            _ => None,
        }
    }

    /// The type to which an arithmetic value is promoted.
    pub(super) fn promotion(&self, value: &Value) -> CType {
        self.promotion_of_bits(value).unwrap_or_else(|| self.types.promoted(value.ty.ty))
    }

    /// A bit field as a value of the type to which it is promoted; another value as it is.
    pub(super) fn promoted_bits(&mut self, value: Value) -> Res<Value> {
        let Some(promoted) = self.promotion_of_bits(&value) else { return Ok(value) };
        let span = value.span;
        let value = self.expr(value)?;
        let value = self.cast(value, promoted)?;
        Ok(Value::rvalue(value.kind, promoted, span))
    }
}
