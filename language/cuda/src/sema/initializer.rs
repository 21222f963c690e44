//! Initialization of objects, and lists as values.

use super::Sema;
use super::overload::Argument;
use super::types::{CTypes, Qual, RecordId, TypeKind};
use super::value::{Res, Value};
use crate::hir::{self, ExprKind as Hir, PlaceKind};
use crate::source::Span;
use crate::syntax::ast::{CastKind, Designator, Expr, ExprKind, Initializer, ListItem, Tag};

impl Sema<'_> {
    /// Initializes an object. `out` receives the expressions that do it.
    pub(super) fn initialize(
        &mut self,
        place: &Value,
        init: &Initializer,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        match init {
            Initializer::List(list) if self.types.is_enum(place.ty.ty) => {
                let value = self.value_of_list(list, place.ty)?;
                let value = self.convert(value, place.ty.unqualified(), "in the initialization")?;
                self.store(place.clone(), value, out)
            }
            Initializer::Value(expr) | Initializer::List(expr) => self.initialize_from(place, expr, out),
            Initializer::Arguments(list, span) => {
                let list = &*self.expanded(list)?;
                if let Some(record) = self.types.record(place.ty.ty) {
                    self.require_complete(place.ty.ty, *span)?;
                    if self.classes().has_constructors(record) {
                        let arguments = self.arguments(list)?;
                        return self.construct_at(place, record, arguments, *span, out);
                    }
                }
                match list {
                    [one] => self.initialize_from(place, one, out),
                    [] => {
                        let zero = self.make(self.zero_of(place.ty.ty), place.ty.ty, *span)?;
                        self.store(place.clone(), zero, out)?;
                        // The initializers of its members follow ([dcl.init]/8).
                        if self.classes().needs_construction(place.ty.ty) {
                            self.construct_default(place, out)?;
                        }
                        Ok(())
                    }
                    _ => {
                        let shown = self.show(place.ty);
                        self.error(
                            "no-match",
                            *span,
                            format!("`{shown}` has no constructor for these arguments"),
                        )
                    }
                }
            }
        }
    }

    /// Calls the constructor that fits the arguments on an object.
    pub(super) fn construct_at(
        &mut self,
        place: &Value,
        record: RecordId,
        arguments: Vec<Argument>,
        span: Span,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        if let [Argument::Value(value)] = arguments.as_slice()
            && self.types.record(value.ty.ty) == Some(record)
            && self.copies_bytes(value)
        {
            let value = self.expr(value.clone())?;
            return self.store(place.clone(), value, out);
        }
        if let Some(value) = self.copied_base(record, &arguments) {
            let base = self.base_of(value, record)?;
            let base = self.expr(base)?;
            return self.store(place.clone(), base, out);
        }
        let candidates = self.records[record].constructors.clone();
        let Some(selected) = self.select(&candidates, None, None, &arguments, span)? else {
            let name = self.records[record].symbol;
            return self.no_match(&candidates, name, &arguments, span);
        };
        let mut object = place.clone();
        object.ty.quals.is_const = false;
        let call = self.call_selected(&selected, Some(object), arguments, span)?;
        let call = self.expr(call)?;
        out.push(call);
        Ok(())
    }

    /// Initializes an object from an expression or a list.
    pub(super) fn initialize_from(
        &mut self,
        place: &Value,
        expr: &Expr,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        let ty = place.ty;
        if let ExprKind::Element(pattern, packs, at) = &expr.kind {
            let at = *at as usize;
            return self.in_element(packs, at, |sema| sema.initialize_from(place, pattern, out));
        }
        // `char text[] = {"..."}` ([dcl.init.string]).
        if let ExprKind::List(items) = &expr.kind
            && let [ListItem { value: text @ Expr { kind: ExprKind::Text(_), .. }, designators }] =
                items.as_slice()
            && designators.is_empty()
            && self.types.array(ty.ty).is_some_and(|(element, _)| CTypes::is_char(element.ty))
        {
            return self.initialize_from(place, text, out);
        }
        if let ExprKind::List(items) = &expr.kind {
            self.require_complete(ty.ty, expr.span)?;
            return self.initialize_list(place, items, expr.span, out);
        }
        if let (Some((element, length)), ExprKind::Text(bytes)) = (self.types.array(ty.ty), &expr.kind)
            && CTypes::is_char(element.ty)
        {
            let length = length.unwrap_or(bytes.len() as u64 + 1);
            if bytes.len() as u64 > length {
                let shown = self.show(ty);
                return self.error("wrong-type", expr.span, format!("the string does not fit in `{shown}`"));
            }
            for at in 0..length {
                let byte = bytes.get(at as usize).copied().unwrap_or(0);
                let element = self.element(place, at)?;
                let value = Value::int(i128::from(byte as i8), element.ty.ty, expr.span);
                let value = self.expr(value)?;
                self.store(element, value, out)?;
            }
            return Ok(());
        }
        let value = if self.types.referent(ty.ty).is_some() {
            self.object_expression(expr)?
        } else {
            self.expression(expr)?
        };
        if self.types.array(ty.ty).is_some() {
            let shown = self.show(ty);
            return self.error("wrong-type", expr.span, format!("`{shown}` needs a list in braces"));
        }
        self.warn_narrowing_literal(&value, ty);
        let value = self.convert(value, ty.unqualified(), "in the initialization")?;
        self.store(place.clone(), value, out)
    }

    /// The value of `{...}` of a type.
    pub(super) fn value_of_list(&mut self, list: &Expr, ty: Qual) -> Res<Value> {
        let ExprKind::List(items) = &list.kind else { return self.expression(list) };
        let items = &*self.expanded_items(items)?;
        let is_number = self.types.record(ty.ty).is_none()
            && self.types.array(ty.ty).is_none()
            && self.types.vector(ty.ty).is_none();
        if is_number {
            return match items {
                [one] => {
                    let value = self.expression(&one.value)?;
                    self.enum_of_number(value, ty)
                }
                [] => Ok(Value::rvalue(self.zero_of(ty.ty), ty.ty, list.span)),
                _ => self.error("wrong-type", list.span, format!("`{}` takes one value", self.show(ty))),
            };
        }
        self.require_complete(ty.ty, list.span)?;
        let (place, mut parts) = self.temporary(ty, list.span)?;
        self.initialize_list(&place, items, list.span, &mut parts)?;
        self.collected(parts, place)
    }

    /// A number in braces for an enumeration with a fixed type ([dcl.init.list]/3.8).
    fn enum_of_number(&mut self, value: Value, ty: Qual) -> Res<Value> {
        let is_fixed = self.types.enumeration(ty.ty).is_some_and(|id| self.types.enums[id].is_fixed);
        if !is_fixed || self.types.int_type(value.ty.ty).is_none() {
            return Ok(value);
        }
        let span = value.span;
        self.explicit_cast(CastKind::Static, value, ty.unqualified(), span)
    }

    /// The value of a class from the values of its members.
    pub(super) fn value_of_items(&mut self, list: &[Expr], ty: Qual, span: Span) -> Res<Value> {
        let items: Vec<ListItem> =
            list.iter().map(|value| ListItem { designators: Vec::new(), value: value.clone() }).collect();
        // The parser leaves a list with designators whole.
        let items = match list {
            [Expr { kind: ExprKind::List(whole), .. }]
                if whole.iter().any(|one| !one.designators.is_empty()) =>
            {
                whole
            }
            _ => &items,
        };
        let (place, mut parts) = self.temporary(ty, span)?;
        self.initialize_list(&place, items, span, &mut parts)?;
        self.collected(parts, place)
    }

    /// The value of a temporary that was initialized. When every member was stored once, in order,
    /// the value is made without the temporary.
    fn collected(&mut self, parts: Vec<hir::Expr>, place: Value) -> Res<Value> {
        let record = self.types.record(place.ty.ty).filter(|id| !self.classes().has_bits(*id));
        let record = record.map(|id| &self.records[id]);
        let fields = record
            .filter(|info| info.decl.as_ref().is_some_and(|decl| decl.tag == Tag::Struct))
            .map(|info| info.fields.len());
        let in_order = fields == Some(parts.len())
            && parts.iter().enumerate().all(|(at, part)| match &part.kind {
                Hir::Assign(place, _) => matches!(&place.kind, PlaceKind::Field(inner, field)
                    if *field as usize == at && matches!(inner.kind, PlaceKind::Local(_))),
                _ => false,
            });
        if !in_order {
            return self.sequence(parts, place);
        }
        let values = parts.into_iter().filter_map(|part| match part.kind {
            Hir::Assign(_, value) => Some(*value),
            _ => None,
        });
        Ok(Value::rvalue(Hir::Aggregate(values.collect()), place.ty.ty, place.span))
    }

    /// The length of an array that its initializer gives.
    pub(super) fn complete_array(&mut self, ty: Qual, init: Option<&Initializer>) -> Qual {
        let Some((element, None)) = self.types.array(ty.ty) else { return ty };
        if self.types.variable_size(ty.ty).is_some() {
            return ty;
        }
        let Some(Initializer::Value(expr) | Initializer::List(expr)) = init else { return ty };
        let length = match &expr.kind {
            ExprKind::Text(bytes) => bytes.len() as u64 + 1,
            ExprKind::List(items)
                if CTypes::is_char(element.ty)
                    && matches!(items.as_slice(), [one] if matches!(one.value.kind, ExprKind::Text(_))) =>
            {
                let ExprKind::Text(bytes) = &items[0].value.kind else { return ty };
                bytes.len() as u64 + 1
            }
            ExprKind::List(items) => {
                let Ok(items) = self.expanded_items(items) else { return ty };
                let mut next = 0u64;
                let mut most = 0;
                let mut at = 0;
                while let Some(item) = items.get(at) {
                    if let Some(Designator::Index(index)) = item.designators.first() {
                        let mark = self.out.mark();
                        next =
                            self.constant_int(index, "the index").map_or(0, |(value, _)| value.max(0) as u64);
                        self.out.truncate(mark);
                    }
                    self.take_items(element, &items, &mut at);
                    next += 1;
                    most = most.max(next);
                }
                most
            }
            _ => return ty,
        };
        Qual { ty: self.types.intern(TypeKind::Array(element, Some(length))), quals: ty.quals }
    }

    /// Advances in a list over the values of one object. Without inner braces, it takes several.
    fn take_items(&mut self, ty: Qual, items: &[ListItem], at: &mut usize) {
        let Some(item) = items.get(*at) else { return };
        let start = *at;
        let is_whole = match &item.value.kind {
            ExprKind::List(_) => true,
            ExprKind::Text(_) => self.is_array_of_chars(ty.ty),
            _ => false,
        };
        let record = self.types.record(ty.ty).filter(|record| !self.classes().has_constructors(*record));
        if !is_whole && let Some((element, length)) = self.types.array(ty.ty) {
            let mut left = length.unwrap_or(0);
            while left > 0 && Self::continues(items, *at, start) {
                self.take_items(element, items, at);
                left -= 1;
            }
        } else if let (false, Some(record)) = (is_whole, record) {
            let mark = self.out.mark();
            let value = self.unevaluated(&item.value);
            let is_object = value.is_ok_and(|value| self.rank(&value, ty.unqualified()).is_some());
            self.out.truncate(mark);
            let info = &self.records[record];
            let count = if info.is_union { info.fields.len().min(1) } else { info.fields.len() };
            for field in 0..if is_object { 0 } else { count } {
                if !Self::continues(items, *at, start) {
                    break;
                }
                let field = self.records[record].fields[field].ty;
                self.take_items(field, items, at);
            }
        }
        // Other objects take one value.
        *at = (*at).max(start + 1);
    }

    /// Whether an object without inner braces takes a further value: a designator ends it.
    fn continues(items: &[ListItem], at: usize, start: usize) -> bool {
        items.get(at).is_some_and(|item| at == start || item.designators.is_empty())
    }
}
