//! Vectors in memory without their alignment: `vload4`, `vstore4`, and halves.

use super::builtin::Call;
use super::rounding::Rounding;
use crate::hir::{self, ExprKind as Hir};
use crate::sema::Sema;
use crate::sema::types::{CType, CTypes, Qual, TypeKind};
use crate::sema::value::{Res, Value};
use crate::space::AddressSpace;
use crate::syntax::opencl::types::{Opaque, WIDTHS};

/// What an access transfers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Access {
    stores: bool,
    /// Number of elements; 1 for `vload_half` and `vstore_half`.
    count: u8,
    /// Of halves: whether vectors are aligned as a whole, and the rounding of a store.
    half: Option<(bool, Rounding)>,
}

impl Access {
    /// The access of a name.
    pub(super) fn of(name: &str) -> Option<Self> {
        let width = |digits: &str| WIDTHS.into_iter().find(|width| width.to_string() == digits);
        let (stores, rest) = match name.strip_prefix("vload") {
            Some(rest) => (false, rest),
            None => (true, name.strip_prefix("vstore")?),
        };
        if let Some(count) = width(rest) {
            return Some(Self { stores, count, half: None });
        }
        let (aligned, rest) = match rest.strip_prefix("a_half") {
            Some(rest) => (true, rest),
            None => (false, rest.strip_prefix("_half")?),
        };
        let (rest, rounding) = if stores { Rounding::split(rest) } else { (rest, None) };
        let count = if rest.is_empty() { Some(1).filter(|_| !aligned) } else { width(rest) };
        Some(Self { stores, count: count?, half: Some((aligned, rounding.unwrap_or(Rounding::Near))) })
    }
}

impl Sema<'_> {
    /// `vload4(offset, p)`, `vstore4(value, offset, p)` and their like.
    pub(super) fn vector_access(&mut self, call: Call, access: Access, mut values: Vec<Value>) -> Res<Value> {
        let expected = if access.stores { 3 } else { 2 };
        if values.len() != expected {
            return self.no_overload(call, &values);
        }
        let (Some(pointer), Some(offset)) = (values.pop(), values.pop()) else {
            return Err(crate::sema::Failed);
        };
        let pointer = self.pointer_of(pointer)?;
        let to = self.types.pointee(pointer.ty.ty);
        let half = self.types.intern(TypeKind::Opaque(Opaque::Half));
        let wanted = if access.half.is_some() { "a pointer to `half`" } else { "a pointer to numbers" };
        let Some(to) = to.filter(|to| {
            (access.half.is_some() && to.ty == half)
                || access.half.is_none() && self.types.is_arithmetic(to.ty)
        }) else {
            return self.wrong_pointer(call, &pointer, wanted);
        };
        if access.stores && (to.quals.is_const || to.quals.space == AddressSpace::Constant) {
            return self.wrong_pointer(call, &pointer, "memory that can be changed");
        }
        if !self.types.is_integral(offset.ty.ty) {
            return self.no_overload(call, &[offset, pointer]);
        }
        let (mut before, span) = (Vec::new(), call.span);
        // Halves are unsigned integers in memory.
        let given =
            values.last().map(|value| self.types.vector(value.ty.ty).map_or(value.ty.ty, |(ty, _)| ty));
        let (element, unit) = match (access.half, given) {
            (None, _) => (to.ty, to.ty),
            (Some(_), Some(CTypes::DOUBLE)) => (CTypes::DOUBLE, CTypes::USHORT),
            (Some(_), _) => (CTypes::FLOAT, CTypes::USHORT),
        };
        let unit = Qual { ty: unit, quals: to.quals };
        let ty = self.vector_of(element, access.count);
        let value = if access.stores {
            let value = values.pop().ok_or(crate::sema::Failed)?;
            // A number becomes all elements of a vector.
            if value.ty.ty != ty && !self.types.is_arithmetic(value.ty.ty) {
                return self.no_overload(call, &[value, offset, pointer]);
            }
            let value = self.convert(value, Qual::plain(ty), "to store")?;
            let parts = self.vector_parts(Value::rvalue(value.kind, ty, span), false)?;
            before.extend(parts.before);
            Some(parts.list)
        } else {
            None
        };
        let stride = match (access.count, access.half) {
            (3, Some((true, _))) => 4,
            (count, _) => i128::from(count),
        };
        let first = self.first_element(pointer, offset, unit, stride, &mut before)?;
        let at = |sema: &mut Self, index: u8| {
            let own = sema.types.pointer(unit);
            let address = sema.expr(first.clone())?;
            let index = Value::int(i128::from(index), CTypes::INT, span);
            let address = Value::rvalue(address.kind, own, span);
            let sum = sema.pointer_add(address, index, false, span)?;
            let sum = sema.expr(sum)?;
            Ok::<Value, crate::sema::Failed>(Value::deref(sum, unit, span))
        };
        let Some(value) = value else {
            let mut list = Vec::new();
            for index in 0..access.count {
                let part = at(self, index)?;
                list.push(if access.half.is_some() {
                    let made = self.header_call("__half2float", &[part], call)?;
                    self.expr(made)?
                } else {
                    self.expr(part)?
                });
            }
            return self.vector_from(before, list, ty, span);
        };
        let mut stored = Vec::new();
        for part in value {
            let part = match access.half {
                Some((_, rounding)) => self.half_of(call, part, rounding)?,
                None => self.cast_value(part, element)?,
            };
            let kept = self.in_variable(part, unit.ty, &mut before)?;
            stored.push(Value::place(kept, Qual::plain(unit.ty), span));
        }
        for (index, part) in (0u8..).zip(stored) {
            let place = at(self, index)?;
            let part = self.expr(part)?;
            self.store(place, part, &mut before)?;
        }
        let nothing = self.make(Hir::Int(0), CTypes::INT, span)?;
        let nothing = self.cast(nothing, CTypes::VOID)?;
        let value = self.after(before, nothing, CTypes::VOID)?;
        Ok(Value::rvalue(value.kind, CTypes::VOID, span))
    }

    /// A float or double as the bits of a half.
    fn half_of(&mut self, call: Call, value: Value, rounding: Rounding) -> Res<hir::Expr> {
        let is_double = value.ty.ty == CTypes::DOUBLE;
        let value = if is_double { self.header_call("__cl_odd", &[value], call)? } else { value };
        let function = format!("__float2half_{}", rounding.suffix());
        let made = self.header_call(&function, &[value], call)?;
        self.cast_value(made, CTypes::USHORT)
    }

    /// The address of element `offset * stride`, in a variable.
    fn first_element(
        &mut self,
        pointer: Value,
        offset: Value,
        unit: Qual,
        stride: i128,
        before: &mut Vec<hir::Expr>,
    ) -> Res<Value> {
        let span = pointer.span;
        let own: CType = self.types.pointer(unit);
        let pointer = self.expr(pointer)?;
        let pointer = self.cast(pointer, own)?;
        let stride = Value::int(stride, CTypes::INT, span);
        let offset = self.binary(crate::lex::Punct::Star, offset, stride, span, span)?;
        let sum = self.pointer_add(Value::rvalue(pointer.kind, own, span), offset, false, span)?;
        let sum = self.expr(sum)?;
        let place = self.in_variable(sum, own, before)?;
        Ok(Value::place(place, Qual::plain(own), span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_accesses() {
        let of = |name: &str| Access::of(name).map(|one| (one.stores, one.count, one.half));
        assert_eq!(of("vload4"), Some((false, 4, None)));
        assert_eq!(of("vstore16"), Some((true, 16, None)));
        assert_eq!(of("vload_half"), Some((false, 1, Some((false, Rounding::Near)))));
        assert_eq!(of("vloada_half8"), Some((false, 8, Some((true, Rounding::Near)))));
        assert_eq!(of("vstore_half3_rtz"), Some((true, 3, Some((false, Rounding::Zero)))));
        assert_eq!(of("vstorea_half2_rtn"), Some((true, 2, Some((true, Rounding::Down)))));
        for wrong in ["vload", "vload5", "vload_half_rte", "vloada_half", "vstore_half_rt", "load4"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
