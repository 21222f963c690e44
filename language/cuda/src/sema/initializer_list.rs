//! Initializer lists: elements, members and designators.

use std::ops::Range;

use super::Sema;
use super::overload::{Argument, Selected};
use super::scope::{Entity, FunctionIndex};
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{Res, TemplateValue, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, PlaceKind};
use crate::source::Span;
use crate::syntax::ast::{Designator, ExprKind, ListItem};

/// How the values of a list are for a part of an object.
#[derive(Clone, Copy)]
enum Inside<'d> {
    /// The list is for the object.
    Whole,
    /// The list is for an object around it, and inner braces are missing.
    Part,
    /// As `Part`, and the first value has these designators.
    Designated(&'d [Designator]),
}

impl Sema<'_> {
    pub(super) fn initialize_list(
        &mut self,
        place: &Value,
        items: &[ListItem],
        span: Span,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        let items = &*self.expanded_items(items)?;
        let ty = place.ty.ty;
        let record = self.types.record(ty);
        if let Some(record) = record
            && self.initialize_by_list(place, record, items, span, out)?
        {
            return Ok(());
        }
        if let Some(record) = record.filter(|record| self.classes().has_constructors(*record)) {
            let mut arguments = Vec::new();
            for item in items {
                arguments.push(match item.value.kind {
                    ExprKind::List(_) => Argument::List(&item.value),
                    _ => Argument::Value(self.expression(&item.value)?),
                });
            }
            return self.construct_at(place, record, arguments, span, out);
        }
        if record.is_none() && self.types.array(ty).is_none() && self.types.vector(ty).is_none() {
            return match items {
                [] => {
                    let zero = self.make(self.zero_of(ty), ty, span)?;
                    self.store(place.clone(), zero, out)
                }
                [one] => self.initialize_from(place, &one.value, out),
                _ => {
                    let shown = self.show(place.ty);
                    self.error("wrong-type", span, format!("`{shown}` takes one value, not {}", items.len()))
                }
            };
        }
        // An object of the same class in braces is a copy. A lambda expression has a new class,
        // which only the first use takes from the deduction of the template.
        if let ([one], Some(record)) = (items, record)
            && one.designators.is_empty()
            && !matches!(one.value.kind, ExprKind::List(_) | ExprKind::Lambda(_))
        {
            let value = self.expression(&one.value)?;
            if self.types.record(value.ty.ty).is_some_and(|from| self.classes().derives(from, record)) {
                let value = self.convert(value, place.ty.unqualified(), "in the initialization")?;
                return self.store(place.clone(), value, out);
            }
        }
        if !self.covers(place.ty, items) {
            let zero = self.make(Hir::Zero, ty, span)?;
            self.store(place.clone(), zero, out)?;
        }
        let mut at = 0;
        self.fill(place, items, &mut at, Inside::Whole, out)?;
        if let Some(extra) = items.get(at) {
            let shown = self.show(place.ty);
            let count = items.len();
            let message = format!("`{shown}` has fewer elements than the {count} values of its list");
            let error = Diagnostic::error("wrong-type", extra.value.span, message);
            return self.fail(error);
        }
        Ok(())
    }

    /// Initializes an object by its constructor from a `std::initializer_list`, or such a list
    /// itself. Returns false if neither fits.
    pub(super) fn initialize_by_list(
        &mut self,
        place: &Value,
        record: RecordId,
        items: &[ListItem],
        span: Span,
        out: &mut Vec<hir::Expr>,
    ) -> Res<bool> {
        if let Some(element) = self.list_element(record) {
            let list = self.list_object(record, element, items, span)?;
            self.store(place.clone(), list, out)?;
            return Ok(true);
        }
        let constructors = self.records[record].constructors.clone();
        let found = constructors.iter().find_map(|one| {
            let info = &self.functions[*one];
            let first = info.signature.as_ref()?.parameters.first()?;
            let list = self.types.record(self.types.referent(first.ty).unwrap_or(*first).ty)?;
            Some((*one, list, self.list_element(list)?))
        });
        let Some((function, list, element)) = found else { return Ok(false) };
        // `{}` is a value of the class if it has a constructor without arguments.
        let takes_nothing = |one: &FunctionIndex| self.functions[*one].defaults.iter().all(Option::is_some);
        if items.is_empty() && constructors.iter().any(takes_nothing) {
            return Ok(false);
        }
        for item in items {
            if let ExprKind::List(_) = item.value.kind {
                if self.types.record(element.ty).is_none() {
                    return Ok(false);
                }
                continue;
            }
            let mark = self.out.mark();
            let value = self.expression(&item.value)?;
            self.out.truncate(mark);
            if self.rank(&value, element).is_none() {
                return Ok(false);
            }
        }
        let value = self.list_object(list, element, items, span)?;
        let ty = Qual::plain(self.types.intern(TypeKind::Record(list)));
        let argument = Value::rvalue(value.kind, ty.ty, span);
        let selected = Selected { function, arguments: Vec::new(), is_named: false };
        let mut object = place.clone();
        object.ty.quals.is_const = false;
        let call = self.call_selected(&selected, Some(object), vec![Argument::Value(argument)], span)?;
        let call = self.expr(call)?;
        out.push(call);
        Ok(true)
    }

    /// `T` of `std::initializer_list<T>`.
    pub(super) fn list_element(&self, record: RecordId) -> Option<Qual> {
        let info = &self.records[record];
        let symbol = info.symbol.filter(|_| info.builtin)?;
        match info.template.as_ref()?.1.as_slice() {
            [TemplateValue::Type(ty)] if self.text(symbol) == "initializer_list" => Some(ty.unqualified()),
            _ => None,
        }
    }

    /// A `std::initializer_list`: the address of a temporary array, and its length.
    fn list_object(
        &mut self,
        list: RecordId,
        element: Qual,
        items: &[ListItem],
        span: Span,
    ) -> Res<hir::Expr> {
        let ty = Qual::plain(self.types.intern(TypeKind::Record(list)));
        self.require_complete(ty.ty, span)?;
        let pointer = self.types.pointer(Qual::constant(element.ty));
        let first = if items.is_empty() {
            self.make(Hir::Int(0), pointer, span)?
        } else {
            let array = self.temporary_array(element, items, span)?;
            let address = self.address(array)?;
            self.cast(address, pointer)?
        };
        let count = self.make(Hir::Int(items.len() as i128), self.types.size_type, span)?;
        self.make(Hir::Aggregate(vec![first, count]), ty.ty, span)
    }

    /// The `std::initializer_list` of `auto list = {…}` ([dcl.type.auto.deduct]/4.1).
    pub(super) fn list_of_auto(&mut self, items: &[ListItem], span: Span) -> Res<Value> {
        let Some(Entity::RecordTemplate(template)) = self.named_in_std("initializer_list") else {
            let message = "a list in braces needs the type `std::initializer_list` here";
            let error = Diagnostic::error("undeclared-name", span, message);
            return self.fail(error.help("write `#include <initializer_list>`"));
        };
        let array = self.array_of_list(items, span)?;
        let Some((element, _)) = self.types.array(array.ty.ty) else { return Err(super::Failed) };
        let record = self.instantiate_record(template, vec![TemplateValue::Type(element)], span)?;
        let ty = self.types.intern(TypeKind::Record(record));
        self.require_complete(ty, span)?;
        let pointer = self.types.pointer(Qual::constant(element.ty));
        let address = self.address(array)?;
        let first = self.cast(address, pointer)?;
        let count = self.make(Hir::Int(items.len() as i128), self.types.size_type, span)?;
        Ok(Value::rvalue(Hir::Aggregate(vec![first, count]), ty, span))
    }

    /// Whether a list without designators gives every part of an object a value.
    fn covers(&self, ty: Qual, items: &[ListItem]) -> bool {
        let parts: Vec<Qual> = match self.types.kind(ty.ty) {
            TypeKind::Array(element, Some(length)) => {
                if *length != items.len() as u64 {
                    return false;
                }
                vec![*element; items.len()]
            }
            TypeKind::Record(id) => {
                let info = &self.records[*id];
                if info.is_union || self.classes().has_bits(*id) {
                    return false;
                }
                info.fields.iter().map(|field| field.ty).collect()
            }
            TypeKind::Vector(element, count) => vec![Qual::plain(*element); usize::from(*count)],
            _ => return true,
        };
        parts.len() == items.len()
            && items.iter().zip(parts).all(|(item, part)| {
                item.designators.is_empty()
                    && match &item.value.kind {
                        ExprKind::List(inner) => self.covers(part, inner),
                        ExprKind::Text(_) if self.is_array_of_chars(part.ty) => true,
                        // Without inner braces, a value may initialize only the first part.
                        _ => self.types.array(part.ty).is_none() && self.types.record(part.ty).is_none(),
                    }
            })
    }

    /// Number of parts of an array or class, and the name of the part in messages.
    fn parts(&self, ty: Qual) -> u64 {
        match self.types.kind(ty.ty) {
            TypeKind::Array(_, length) => length.unwrap_or(0),
            TypeKind::Record(id) => {
                let info = &self.records[*id];
                if info.is_union { info.fields.len().min(1) as u64 } else { info.fields.len() as u64 }
            }
            TypeKind::Vector(_, count) => u64::from(*count),
            _ => 0,
        }
    }

    pub(super) fn is_array_of_chars(&self, ty: CType) -> bool {
        self.types.array(ty).is_some_and(|(element, _)| CTypes::is_char(element.ty))
    }

    fn part(&mut self, place: &Value, at: u64) -> Res<Value> {
        if self.types.array(place.ty.ty).is_some() {
            self.element(place, at)
        } else if let (Some(_), ValueKind::Place(of, _)) = (self.types.vector(place.ty.ty), &place.kind) {
            self.vector_element(of, place.ty, at as u8, place.span)
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
        inside: Inside<'_>,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        let (whole, mut path) = match inside {
            Inside::Whole => (true, None),
            Inside::Part => (false, None),
            Inside::Designated(path) => (false, Some(path)),
        };
        let mut count = self.parts(place.ty);
        let is_union = self.types.record(place.ty.ty).is_some_and(|id| self.records[id].is_union);
        let mut next = 0u64;
        while let Some(item) = items.get(*at) {
            let is_inner = path.is_some();
            let designators = path.take().unwrap_or(&item.designators);
            if let Some((designator, rest)) = designators.split_first() {
                if !whole && !is_inner {
                    return Ok(());
                }
                let to = self.designated(place, designator)?;
                let record = self.types.record(place.ty.ty).filter(|id| !self.records[*id].is_union);
                if record.is_some() && !self.rules.is_c {
                    if to < next {
                        let message = "designators of C++ follow the order of the members";
                        return self.error("wrong-type", item.value.span, message);
                    }
                    self.construct_parts(place, next..to, out)?;
                }
                next = to;
                if is_union {
                    // A designator selects the only member that has a value.
                    count = to + 1;
                }
                if !rest.is_empty() && !self.rules.is_c {
                    return self.unsupported(item.value.span, "a designator with several parts");
                }
                if !rest.is_empty() {
                    // The values without designators behind it are for the next inner parts.
                    let part = self.part(place, next)?;
                    next += 1;
                    self.fill(&part, items, at, Inside::Designated(rest), out)?;
                    continue;
                }
            }
            if next >= count {
                return Ok(());
            }
            let part = self.part(place, next)?;
            next += 1;
            let is_aggregate = self.types.array(part.ty.ty).is_some()
                || self
                    .types
                    .record(part.ty.ty)
                    .is_some_and(|record| !self.classes().has_constructors(record));
            // A text initializes a whole array of characters, and one element of other arrays.
            let text = matches!(item.value.kind, ExprKind::Text(_)) && self.is_array_of_chars(part.ty.ty);
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
            self.fill(&part, items, at, Inside::Part, out)?;
        }
        let count = self.parts(place.ty);
        self.construct_parts(place, next..count, out)
    }

    /// Initializes parts of an object that a list gives no values.
    fn construct_parts(&mut self, place: &Value, parts: Range<u64>, out: &mut Vec<hir::Expr>) -> Res<()> {
        if !self.classes().needs_construction(place.ty.ty) {
            return Ok(());
        }
        let record = self.types.record(place.ty.ty);
        for at in parts {
            if let Some(record) = record {
                self.construct_member(place, record, at as u32, None, out)?;
            } else {
                let part = self.part(place, at)?;
                self.construct_default(&part, out)?;
            }
        }
        Ok(())
    }

    fn designated(&mut self, place: &Value, designator: &Designator) -> Res<u64> {
        match designator {
            Designator::Index(index) => {
                let (value, _) = self.constant_int(index, "the index")?;
                if value < 0 || value as u64 >= self.parts(place.ty) {
                    let shown = self.show(place.ty);
                    let message = format!("index {value} is out of bounds of `{shown}`");
                    return self.error("out-of-bounds", index.span, message);
                }
                Ok(value as u64)
            }
            Designator::Member(name) => {
                let found = self.types.record(place.ty.ty).and_then(|record| {
                    self.records[record].fields.iter().position(|field| field.name == Some(name.symbol))
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
}
