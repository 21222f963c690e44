//! Initializers: from single values to nested lists.

use super::Sema;
use super::overload::Argument;
use super::types::{CTypes, Kind, Qual, RecordId};
use super::value::{Res, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, PlaceKind};
use crate::source::Span;
use crate::syntax::ast::{Designator, Expr, ExprKind, Initializer, ListItem, Tag};

impl Sema<'_> {
    /// Initializes an object. `out` receives the expressions that do it.
    pub(super) fn initialize(
        &mut self,
        place: &Value,
        init: &Initializer,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        match init {
            Initializer::Value(expr) | Initializer::List(expr) => self.initialize_from(place, expr, out),
            Initializer::Arguments(list, span) => {
                if let Some(record) = self.types.record(place.ty.ty) {
                    self.require_complete(place.ty.ty, *span)?;
                    if self.has_constructors(record) {
                        let arguments = self.arguments(list)?;
                        return self.construct_at(place, record, arguments, *span, out);
                    }
                }
                match list.as_slice() {
                    [one] => self.initialize_from(place, one, out),
                    [] => {
                        let kind = match self.types.kind(place.ty.ty) {
                            Kind::Record(_) | Kind::Array(..) => Hir::Zero,
                            _ if self.types.is_floating(place.ty.ty) => Hir::Float(0.0),
                            _ => Hir::Int(0),
                        };
                        let zero = self.make(kind, place.ty.ty, *span)?;
                        self.store(place.clone(), zero, out)
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
    fn construct_at(
        &mut self,
        place: &Value,
        record: RecordId,
        arguments: Vec<Argument>,
        span: Span,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        if let [Argument::Value(value)] = arguments.as_slice()
            && self.types.record(value.ty.ty) == Some(record)
            && self.copy_constructor(record).is_none()
        {
            let value = self.expr(value.clone())?;
            return self.store(place.clone(), value, out);
        }
        let candidates = self.records[record.0 as usize].constructors.clone();
        let Some(selected) = self.select(&candidates, None, None, &arguments, span)? else {
            let name = self.records[record.0 as usize].symbol;
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
        if let ExprKind::List(items) = &expr.kind {
            self.require_complete(ty.ty, expr.span)?;
            return self.initialize_list(place, items, expr.span, out);
        }
        if let (Some((element, length)), ExprKind::Text(bytes)) = (self.types.array(ty.ty), &expr.kind)
            && matches!(element.ty, CTypes::CHAR | CTypes::SCHAR | CTypes::UCHAR)
        {
            let length = length.unwrap_or(bytes.len() as u64 + 1);
            if bytes.len() as u64 > length {
                let shown = self.show(ty);
                return self.error("wrong-type", expr.span, format!("the string does not fit in `{shown}`"));
            }
            for at in 0..length {
                let byte = bytes.get(at as usize).copied().unwrap_or(0);
                let element = self.element(place, at)?;
                let value = self.int_value(i128::from(byte as i8), element.ty.ty, expr.span);
                let value = self.expr(value)?;
                self.store(element, value, out)?;
            }
            return Ok(());
        }
        let value = self.expression(expr)?;
        if self.types.array(ty.ty).is_some() {
            let shown = self.show(ty);
            return self.error("wrong-type", expr.span, format!("`{shown}` needs a list in braces"));
        }
        self.warn_narrowing_literal(&value, ty);
        let value = self.convert(value, ty.unqualified(), "in the initialization")?;
        self.store(place.clone(), value, out)
    }

    fn initialize_list(
        &mut self,
        place: &Value,
        items: &[ListItem],
        span: Span,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        let ty = place.ty.ty;
        let record = self.types.record(ty);
        if let Some(record) = record.filter(|record| self.has_constructors(*record)) {
            let mut arguments = Vec::new();
            for item in items {
                arguments.push(match item.value.kind {
                    ExprKind::List(_) => Argument::List(&item.value),
                    _ => Argument::Value(self.expression(&item.value)?),
                });
            }
            return self.construct_at(place, record, arguments, span, out);
        }
        if record.is_none() && self.types.array(ty).is_none() {
            return match items {
                [] => {
                    let kind = if self.types.is_floating(ty) { Hir::Float(0.0) } else { Hir::Int(0) };
                    let zero = self.make(kind, ty, span)?;
                    self.store(place.clone(), zero, out)
                }
                [one] => self.initialize_from(place, &one.value, out),
                _ => {
                    let shown = self.show(place.ty);
                    self.error("wrong-type", span, format!("`{shown}` takes one value, not {}", items.len()))
                }
            };
        }
        // An object of the same class in braces is a copy.
        if let ([one], Some(record)) = (items, record)
            && one.designators.is_empty()
            && !matches!(one.value.kind, ExprKind::List(_))
        {
            let value = self.expression(&one.value)?;
            if self.types.record(value.ty.ty).is_some_and(|from| self.derives(from, record)) {
                let value = self.convert(value, place.ty.unqualified(), "in the initialization")?;
                return self.store(place.clone(), value, out);
            }
        }
        if !self.covers(place.ty, items) {
            let zero = self.make(Hir::Zero, ty, span)?;
            self.store(place.clone(), zero, out)?;
        }
        let mut at = 0;
        self.fill(place, items, &mut at, true, out)?;
        if let Some(extra) = items.get(at) {
            let shown = self.show(place.ty);
            let count = items.len();
            let error = Diagnostic::error(
                "wrong-type",
                extra.value.span,
                format!("`{shown}` has fewer elements than the {count} values of its list"),
            );
            return self.fail(error);
        }
        Ok(())
    }

    /// Whether a list without designators gives every part of an object a value.
    fn covers(&self, ty: Qual, items: &[ListItem]) -> bool {
        let parts: Vec<Qual> = match self.types.kind(ty.ty) {
            Kind::Array(element, Some(length)) => {
                if *length != items.len() as u64 {
                    return false;
                }
                vec![*element; items.len()]
            }
            Kind::Record(id) => {
                let info = &self.records[id.0 as usize];
                if info.is_union {
                    return false;
                }
                info.fields.iter().map(|field| field.ty).collect()
            }
            _ => return true,
        };
        parts.len() == items.len()
            && items.iter().zip(parts).all(|(item, part)| {
                item.designators.is_empty()
                    && match &item.value.kind {
                        ExprKind::List(inner) => self.covers(part, inner),
                        ExprKind::Text(_) => true,
                        _ => self.types.array(part.ty).is_none(),
                    }
            })
    }

    /// Number of parts of an array or class, and the name of the part in messages.
    fn parts(&self, ty: Qual) -> u64 {
        match self.types.kind(ty.ty) {
            Kind::Array(_, length) => length.unwrap_or(0),
            Kind::Record(id) => {
                let info = &self.records[id.0 as usize];
                if info.is_union { info.fields.len().min(1) as u64 } else { info.fields.len() as u64 }
            }
            _ => 0,
        }
    }

    fn part(&mut self, place: &Value, at: u64) -> Res<Value> {
        if self.types.array(place.ty.ty).is_some() {
            self.element(place, at)
        } else {
            self.field_at(place.clone(), at as u32, place.span)
        }
    }

    /// Element of an array with a constant index.
    pub(super) fn element(&mut self, place: &Value, at: u64) -> Res<Value> {
        let Some((element, _)) = self.types.array(place.ty.ty) else { return Err(super::Failed) };
        let ValueKind::Place(kind, _) = place.kind.clone() else { return Err(super::Failed) };
        let array = self.make_place(kind, place.ty, place.span)?;
        let index = self.make(Hir::Int(i128::from(at)), CTypes::INT, place.span)?;
        let kind = ValueKind::Place(PlaceKind::Index(Box::new(array), Box::new(index)), None);
        Ok(Value { kind, ty: element.with(place.ty.quals), span: place.span })
    }

    /// Gives the parts of an object the values of a list from `at` on. Inner braces may be missing.
    fn fill(
        &mut self,
        place: &Value,
        items: &[ListItem],
        at: &mut usize,
        whole: bool,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        let count = self.parts(place.ty);
        let mut next = 0u64;
        while let Some(item) = items.get(*at) {
            if let Some(designator) = item.designators.first() {
                if !whole {
                    return Ok(());
                }
                next = self.designated(place, designator)?;
                if item.designators.len() > 1 {
                    return self.unsupported(item.value.span, "a designator with several parts");
                }
            }
            if next >= count {
                return Ok(());
            }
            let part = self.part(place, next)?;
            next += 1;
            let is_aggregate = self.types.array(part.ty.ty).is_some()
                || self.types.record(part.ty.ty).is_some_and(|record| !self.has_constructors(record));
            let text = matches!(item.value.kind, ExprKind::Text(_));
            let elided = is_aggregate && !matches!(item.value.kind, ExprKind::List(_)) && !text;
            if !elided {
                *at += 1;
                self.initialize_from(&part, &item.value, out)?;
                continue;
            }
            if self.types.record(part.ty.ty).is_some() {
                let value = self.expression(&item.value)?;
                if self.rank(&value, part.ty.unqualified()).is_some() {
                    *at += 1;
                    let value = self.convert(value, part.ty.unqualified(), "in the initialization")?;
                    self.store(part, value, out)?;
                    continue;
                }
            }
            self.fill(&part, items, at, false, out)?;
        }
        Ok(())
    }

    fn designated(&mut self, place: &Value, designator: &Designator) -> Res<u64> {
        match designator {
            Designator::Index(index) => {
                let (value, _) = self.constant_int(index, "the index")?;
                if value < 0 || value as u64 >= self.parts(place.ty) {
                    let shown = self.show(place.ty);
                    return self.error(
                        "out-of-bounds",
                        index.span,
                        format!("index {value} is out of bounds of `{shown}`"),
                    );
                }
                Ok(value as u64)
            }
            Designator::Member(name) => {
                let found = self.types.record(place.ty.ty).and_then(|record| {
                    self.records[record.0 as usize]
                        .fields
                        .iter()
                        .position(|field| field.name == Some(name.symbol))
                });
                if let Some(at) = found {
                    Ok(at as u64)
                } else {
                    let (shown, text) = (self.show(place.ty), self.text(name.symbol).to_owned());
                    self.error("undeclared-name", name.span, format!("`{shown}` has no member `{text}`"))
                }
            }
        }
    }

    /// The value of `{...}` of a type.
    pub(super) fn value_of_list(&mut self, list: &Expr, ty: Qual) -> Res<Value> {
        let ExprKind::List(items) = &list.kind else { return self.expression(list) };
        if self.types.record(ty.ty).is_none() && self.types.array(ty.ty).is_none() {
            return match items.as_slice() {
                [one] => self.expression(&one.value),
                [] => {
                    let kind = if self.types.is_floating(ty.ty) { Hir::Float(0.0) } else { Hir::Int(0) };
                    Ok(self.rvalue_of(kind, ty.ty, list.span))
                }
                _ => {
                    let shown = self.show(ty);
                    self.error("wrong-type", list.span, format!("`{shown}` takes one value"))
                }
            };
        }
        self.require_complete(ty.ty, list.span)?;
        let (place, mut parts) = self.temporary(ty, list.span)?;
        self.initialize_list(&place, items, list.span, &mut parts)?;
        self.collected(parts, place)
    }

    /// The value of a class from the values of its members.
    pub(super) fn value_of_items(&mut self, list: &[Expr], ty: Qual, span: Span) -> Res<Value> {
        let items: Vec<ListItem> =
            list.iter().map(|value| ListItem { designators: Vec::new(), value: value.clone() }).collect();
        let (place, mut parts) = self.temporary(ty, span)?;
        self.initialize_list(&place, &items, span, &mut parts)?;
        self.collected(parts, place)
    }

    /// The value of a temporary that was initialized. When every member was stored once, in order,
    /// the value is made without the temporary.
    fn collected(&mut self, parts: Vec<hir::Expr>, place: Value) -> Res<Value> {
        let record = self.types.record(place.ty.ty).map(|id| &self.records[id.0 as usize]);
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
        Ok(self.rvalue_of(Hir::Aggregate(values.collect()), place.ty.ty, place.span))
    }

    /// The length of an array that its initializer gives.
    pub(super) fn complete_array(&mut self, ty: Qual, init: Option<&Initializer>) -> Qual {
        let Some((element, None)) = self.types.array(ty.ty) else { return ty };
        let Some(Initializer::Value(expr) | Initializer::List(expr)) = init else { return ty };
        let length = match &expr.kind {
            ExprKind::Text(bytes) => bytes.len() as u64 + 1,
            ExprKind::List(items) => {
                let mut next = 0u64;
                let mut most = 0;
                // Without inner braces, one element takes several values.
                let flat = items
                    .iter()
                    .all(|item| !matches!(item.value.kind, ExprKind::List(_) | ExprKind::Text(_)));
                for item in items {
                    if let Some(Designator::Index(index)) = item.designators.first() {
                        let mark = self.out.mark();
                        next =
                            self.constant_int(index, "the index").map_or(0, |(value, _)| value.max(0) as u64);
                        self.out.truncate(mark);
                    }
                    next += 1;
                    most = most.max(next);
                }
                let per = if flat { self.scalars(element) } else { 1 };
                most.div_ceil(per.max(1))
            }
            _ => return ty,
        };
        Qual { ty: self.types.intern(Kind::Array(element, Some(length))), quals: ty.quals }
    }

    /// Number of scalars of an array of arrays; 1 for other types.
    fn scalars(&self, ty: Qual) -> u64 {
        match self.types.array(ty.ty) {
            Some((element, length)) => length.unwrap_or(1).saturating_mul(self.scalars(element)),
            None => 1,
        }
    }
}
