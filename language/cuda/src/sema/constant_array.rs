//! Constant arrays: their elements are constants, and device code can read those of the host.

use super::Sema;
use super::scope::{Constant, Entity, VariableIndex};
use super::types::CType;
use super::value::{Res, Value};
use crate::hir::{PlaceKind, Storage};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, Initializer};

impl Sema<'_> {
    /// A constant array or object of the host: device code reads a copy of it.
    pub(super) fn constant_array(&mut self, variable: VariableIndex, span: Span) -> Res<Option<Value>> {
        let info = &self.variables[variable];
        let ty = info.ty;
        let is_array = self.types.array(ty.ty).is_some() && info.init.is_some();
        let is_kept = info.value.is_some() || is_array;
        if !is_kept || !ty.quals.is_const || self.function.is_none() {
            return Ok(None);
        }
        self.variables[variable].storage = Some(Storage::Device);
        self.variables[variable].is_static = true;
        let global = self.global_of(variable)?;
        Ok(Some(Value::place(PlaceKind::Global(global), ty, span)))
    }

    /// The constant array of the program, or of the host, that an expression names.
    pub(super) fn array_of_constants(&mut self, base: &Expr) -> Option<VariableIndex> {
        let ExprKind::Name(name) = &base.kind else { return None };
        let mark = self.out.mark();
        let found = self.find_qualified(name);
        self.out.truncate(mark);
        let (Entity::Variable(variable), _) = found.ok()? else { return None };
        let info = &self.variables[variable];
        let is_kept = !matches!(info.storage, Some(Storage::Constant | Storage::Shared));
        let quals = info.ty.quals;
        let (element, _) = self.types.array(info.ty.ty)?;
        let is_number = self.types.is_arithmetic(element.ty) || self.types.is_enum(element.ty);
        let is_const = quals.is_const || element.quals.is_const;
        (is_kept && is_const && !quals.is_volatile && is_number).then_some(variable)
    }

    /// The value and type of an element that is a constant.
    pub(super) fn element_of_constants(
        &mut self,
        variable: VariableIndex,
        at: Option<Constant>,
    ) -> Option<(Constant, CType)> {
        let Some(Constant::Int(at)) = at else { return None };
        let info = &self.variables[variable];
        let (ty, scope, init) = (info.ty, info.scope, info.init.clone()?);
        let (element, length) = self.types.array(ty.ty)?;
        let (Initializer::Value(list) | Initializer::List(list)) = &*init else { return None };
        let ExprKind::List(list) = &list.kind else { return None };
        let mark = self.out.mark();
        let list = self.in_scope(scope, |sema| sema.expanded_items(list));
        self.out.truncate(mark);
        let list = &*list.ok()?;
        let at = usize::try_from(at).ok().filter(|at| length.is_some_and(|length| (*at as u64) < length))?;
        if list.iter().any(|item| !item.designators.is_empty()) {
            return None;
        }
        let Some(item) = list.get(at) else {
            let zero =
                if self.types.is_floating(element.ty) { Constant::Float(0.0) } else { Constant::Int(0) };
            return Some((zero, element.ty));
        };
        let mark = self.out.mark();
        let found = self.in_scope(scope, |sema| {
            let value = sema.expression(&item.value)?;
            sema.convert(value, element.unqualified(), "")
        });
        self.out.truncate(mark);
        Some((Constant::of(&found.ok()?.kind)?, element.ty))
    }
}
