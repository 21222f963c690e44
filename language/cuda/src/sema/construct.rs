//! Objects of classes: constructors and `T(...)` ([class.init], [expr.type.conv]).

use super::Sema;
use super::class_deduction::Form;
use super::overload::{Argument, Selected};
use super::scope::FunctionIndex;
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{Res, TemplateValue, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, LocalKind, PlaceKind};
use crate::source::Span;
use crate::syntax::ast::{CastKind, Expr, ExprKind, Initializer, ListItem, TypeName};

impl Sema<'_> {
    /// `T(a, b)` and `T{a, b}`.
    pub(super) fn construct(&mut self, ty: &TypeName, list: &[Expr], braces: bool, span: Span) -> Res<Value> {
        if ty.declarator.chunks.is_empty()
            && let Some(template) = self.placeholder(&ty.specifiers)
        {
            return self.with_deduced(
                |sema| {
                    let form = if braces { Form::List } else { Form::Direct };
                    sema.deduced_class(template, list, form, span)
                },
                |sema, to| sema.construct_as(to, list, braces, span),
            );
        }
        let to = self.type_name(ty)?.unqualified();
        self.construct_as(to, list, braces, span)
    }

    pub(super) fn construct_as(&mut self, to: Qual, list: &[Expr], braces: bool, span: Span) -> Res<Value> {
        let list = &*self.expanded(list)?;
        if self.types.vector(to.ty).is_some() {
            return self.vector_literal(to, list, span);
        }
        if self.rules.is_open_cl && !braces && list.len() > 1 {
            return self.cast_of_last(to, list, span);
        }
        if braces && self.types.array(to.ty).is_some() {
            return self.array_of_items(to, list, span);
        }
        let Some(record) = self.types.record(to.ty) else {
            return match list {
                [] => Ok(self.zero(to.ty, span)),
                [one] if !matches!(one.kind, ExprKind::List(_)) => {
                    let value = self.expression(one)?;
                    self.explicit_cast(CastKind::C, value, to, span)
                }
                _ => self.error("wrong-type", span, format!("`{}` is made from one value", self.show(to))),
            };
        };
        self.require_complete(to.ty, span)?;
        self.refuse_abstract(to.ty, span)?;
        if self.classes().has_constructors(record) {
            if braces && !list.is_empty() {
                let items: Vec<ListItem> = list
                    .iter()
                    .map(|value| ListItem { designators: Vec::new(), value: value.clone() })
                    .collect();
                let (place, mut parts) = self.temporary(to, span)?;
                if self.initialize_by_list(&place, record, &items, span, &mut parts)? {
                    return self.sequence(parts, place);
                }
            }
            let arguments = self.arguments(list)?;
            return self.construct_from(record, arguments, span);
        }
        if list.is_empty() {
            return self.zero_of_record(record, span);
        }
        if let ([one], false) = (list, braces) {
            let value = self.expression(one)?;
            let value = self.convert(value, to, "in the conversion")?;
            return Ok(Value::rvalue(value.kind, to.ty, span));
        }
        if !braces {
            let shown = self.show(to);
            let error = Diagnostic::error("no-match", span, format!("`{shown}` has no constructor"))
                .help(format!("write `{shown}{{...}}`, or add a `__device__` constructor"));
            return self.fail(error);
        }
        self.value_of_items(list, to, span)
    }

    /// `T{...}` of an array: a temporary, whose length may be the number of values.
    fn array_of_items(&mut self, to: Qual, list: &[Expr], span: Span) -> Res<Value> {
        let items =
            list.iter().map(|value| ListItem { designators: Vec::new(), value: value.clone() }).collect();
        let list = Expr { kind: ExprKind::List(items), span, depth: 1, chain: 0 };
        let to = self.complete_array(to, Some(&Initializer::List(list.clone())));
        self.require_complete(to.ty, span)?;
        let (place, mut parts) = self.temporary(to, span)?;
        self.initialize_from(&place, &list, &mut parts)?;
        parts.extend(self.defer(&place)?);
        let mut object = self.object_after(parts, place)?;
        object.ty.quals.is_expiring = true;
        Ok(object)
    }

    /// `(T){...}` of C: an object.
    pub(super) fn compound_literal(&mut self, ty: &TypeName, list: &Expr, span: Span) -> Res<Value> {
        let to = self.type_name(ty)?.unqualified();
        let to = self.complete_array(to, Some(&Initializer::List(list.clone())));
        if self.function.is_none() {
            return self.unsupported(span, "a compound literal outside of functions");
        }
        self.require_complete(to.ty, span)?;
        let (place, mut parts) = self.temporary(to, span)?;
        self.initialize_from(&place, list, &mut parts)?;
        self.object_after(parts, place)
    }

    /// An object after expressions were evaluated.
    pub(super) fn object_after(&mut self, parts: Vec<hir::Expr>, place: Value) -> Res<Value> {
        let (ty, span) = (place.ty, place.span);
        let address = self.address(place)?;
        let pointer = self.types.pointer(ty);
        let address = self.after(parts, address, pointer)?;
        Ok(Value::deref(address, ty, span))
    }

    /// The value of an object whose bytes are 0.
    pub(super) fn zero_of(&self, ty: CType) -> Hir {
        match self.types.kind(ty) {
            TypeKind::Record(_) | TypeKind::Array(..) => Hir::Zero,
            TypeKind::MemberPointer(..) if self.types.method_pointer(ty).is_some() => Hir::Zero,
            _ if self.types.is_floating(ty) => Hir::Float(0.0),
            _ => Hir::Int(0),
        }
    }

    /// The zero value.
    fn zero(&mut self, ty: CType, span: Span) -> Value {
        if ty == CTypes::VOID {
            return Value::rvalue(Hir::Cast(Box::new(hir::Expr::int(0, span))), ty, span);
        }
        Value::rvalue(self.zero_of(ty), ty, span)
    }

    /// `T()` of a class without constructors: zero, then the initializers of its members.
    fn zero_of_record(&mut self, record: RecordId, span: Span) -> Res<Value> {
        let ty = Qual::plain(self.types.intern(TypeKind::Record(record)));
        if !self.classes().needs_construction(ty.ty) {
            return Ok(Value::rvalue(Hir::Zero, ty.ty, span));
        }
        let (place, mut parts) = self.temporary(ty, span)?;
        let zero = self.make(Hir::Zero, ty.ty, span)?;
        self.store(place.clone(), zero, &mut parts)?;
        self.construct_default(&place, &mut parts)?;
        self.sequence(parts, place)
    }

    /// A temporary variable.
    pub(super) fn temporary(&mut self, ty: Qual, span: Span) -> Res<(Value, Vec<hir::Expr>)> {
        let local = self.new_local(String::new(), ty, LocalKind::Temporary, span)?;
        let place = Value::place(PlaceKind::Local(local), ty, span);
        Ok((place, Vec::new()))
    }

    /// Stores a value in a place.
    pub(super) fn store(&mut self, place: Value, value: hir::Expr, out: &mut Vec<hir::Expr>) -> Res<()> {
        let (ty, span) = (place.ty, place.span);
        let ValueKind::Place(kind, _) = place.kind else { return Err(super::Failed) };
        let place = self.make_place(kind, ty, span)?;
        let store = self.make(Hir::Assign(Box::new(place), Box::new(value)), CTypes::VOID, span)?;
        out.push(store);
        Ok(())
    }

    /// The value of a place after expressions were evaluated.
    pub(super) fn sequence(&mut self, parts: Vec<hir::Expr>, place: Value) -> Res<Value> {
        let (ty, span) = (place.ty, place.span);
        let value = self.bytes_of(place)?;
        let value = self.after(parts, value, ty.ty)?;
        Ok(Value::rvalue(value.kind, ty.ty, span))
    }

    /// An object made by the constructor that fits the arguments.
    pub(super) fn construct_from(
        &mut self,
        record: RecordId,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Res<Value> {
        if let [Argument::Value(value)] = arguments.as_slice()
            && self.types.record(value.ty.ty).is_some_and(|from| from == record)
            && self.copies_bytes(value)
        {
            let value = self.rvalue(value.clone())?;
            return Ok(Value { span, ..value });
        }
        if let Some(base) = self.copied_base(record, &arguments) {
            let made = self.base_of(base, record)?;
            return self.rvalue(made);
        }
        let candidates = self.records[record].constructors.clone();
        let Some(selected) = self.select(&candidates, None, None, &arguments, span)? else {
            let name = self.records[record].symbol;
            return self.no_match(&candidates, name, &arguments, span);
        };
        self.construct_with_arguments(record, &selected, arguments, span)
    }

    /// The only argument of a construction, if the object is a copy of its base class that the
    /// language defines.
    pub(super) fn copied_base(&mut self, record: RecordId, arguments: &[Argument]) -> Option<Value> {
        let [Argument::Value(value)] = arguments else { return None };
        let from = self.types.record(value.ty.ty)?;
        let copies = self.records[record].copies;
        if from == record || !self.classes().derives(from, record) || copies {
            return None;
        }
        let constructors = self.records[record].constructors.clone();
        let closer = self.closer_than_base(&constructors, value, record);
        let mark = self.out.mark();
        let selected = self.select(&closer, None, None, arguments, value.span);
        self.out.truncate(mark);
        selected.ok().flatten().is_none().then(|| value.clone())
    }

    /// The functions that take a value of a class better than the copy or the assignment of a base
    /// class that the language defines: not a function of a number to which the value converts.
    pub(super) fn closer_than_base(
        &mut self,
        constructors: &[FunctionIndex],
        value: &Value,
        record: RecordId,
    ) -> Vec<FunctionIndex> {
        let ty = self.types.intern(TypeKind::Record(record));
        let reference = Qual::plain(self.types.intern(TypeKind::Reference(Qual::constant(ty))));
        let base = self.rank(value, reference);
        let mut closer = constructors.to_vec();
        closer.retain(|one| {
            let info = &self.functions[*one];
            let first = info.signature.as_ref().and_then(|signature| signature.parameters.first().copied());
            info.template.is_some()
                || first.and_then(|to| self.rank(value, to)).is_some_and(|rank| Some(rank) < base)
        });
        closer
    }

    /// Whether an object of a class is made from a value of the class by its bytes alone.
    pub(super) fn copies_bytes(&self, value: &Value) -> bool {
        matches!(value.kind, ValueKind::Rvalue(_)) || !self.classes().copies(value.ty.ty)
    }

    /// An object made by a constructor from values.
    pub(super) fn construct_with(
        &mut self,
        record: RecordId,
        selected: &Selected,
        values: Vec<Value>,
        span: Span,
    ) -> Res<Value> {
        let arguments = values.into_iter().map(Argument::Value).collect();
        self.construct_with_arguments(record, selected, arguments, span)
    }

    fn construct_with_arguments(
        &mut self,
        record: RecordId,
        selected: &Selected,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Res<Value> {
        let ty = Qual::plain(self.types.intern(TypeKind::Record(record)));
        let (place, mut parts) = self.temporary(ty, span)?;
        let call = self.call_selected(selected, Some(place.clone()), arguments, span)?;
        parts.push(self.expr(call)?);
        self.sequence(parts, place)
    }

    /// Initializes an object that has no initializer.
    pub(super) fn construct_default(&mut self, place: &Value, out: &mut Vec<hir::Expr>) -> Res<()> {
        if !self.classes().needs_construction(place.ty.ty) {
            return Ok(());
        }
        let span = place.span;
        if let Some((_, length)) = self.types.array(place.ty.ty) {
            let count = length.unwrap_or(0);
            // In host code a constructor may fail: the elements before it end.
            let may_fail = !self.rules.has_device_code && self.classes().is_destroyed(place.ty.ty);
            if count > 16 || may_fail && count > 1 {
                return self.construct_array(place, out);
            }
            for at in 0..count {
                let element = self.element(place, at)?;
                self.construct_default(&element, out)?;
            }
            return Ok(());
        }
        let Some(record) = self.types.record(place.ty.ty) else { return Ok(()) };
        if self.classes().has_constructors(record) {
            let candidates = self.records[record].constructors.clone();
            let Some(selected) = self.select(&candidates, None, None, &[], span)? else {
                let name = self.records[record].name.clone();
                let message = format!("`{name}` has no constructor without parameters");
                let error = Diagnostic::error("no-match", span, message);
                return self.fail(error);
            };
            let call = self.call_selected(&selected, Some(place.clone()), Vec::new(), span)?;
            let call = self.expr(call)?;
            out.push(call);
            return Ok(());
        }
        self.construct_members(place, record, out)
    }

    /// Initializes the elements of a long array.
    fn construct_array(&mut self, place: &Value, out: &mut Vec<hir::Expr>) -> Res<()> {
        let span = place.span;
        let (element, count) = self.types.all_elements(place.ty.ty);
        let element = TemplateValue::Type(Qual::plain(element));
        let id = self.prelude_function("__ws_construct", vec![element], span)?;
        let pointer = self.instances[id].signature.parameters[0];
        let address = self.address(place.clone())?;
        let address = self.cast(address, pointer.ty)?;
        let count = self.make(Hir::Int(i128::from(count)), self.types.size_type, span)?;
        let call = self.make(Hir::Call(id, vec![address, count]), CTypes::VOID, span)?;
        out.push(call);
        Ok(())
    }

    /// Initializes the members of an object by their own initializers.
    pub(super) fn construct_members(
        &mut self,
        place: &Value,
        record: RecordId,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        for at in self.records[record].construction() {
            self.construct_member(place, record, at, None, out)?;
        }
        Ok(())
    }

    /// Initializes one member: by the initializer of the constructor, its own, or its default.
    pub(super) fn construct_member(
        &mut self,
        place: &Value,
        record: RecordId,
        at: u32,
        init: Option<&Initializer>,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        if self.is_pointer_to_table(record, at) {
            return self.store_tables(place, record, place.span, out);
        }
        self.construct_field(place, record, at, init, out)?;
        self.store_base_tables(place, record, at, place.span, out)
    }

    fn construct_field(
        &mut self,
        place: &Value,
        record: RecordId,
        at: u32,
        init: Option<&Initializer>,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        let field = self.records[record].fields[at as usize].clone();
        let mut member = self.field_at(place.clone(), at, place.span)?;
        member.ty.quals.is_const = false;
        if let Some(init) = init {
            return self.initialize(&member, init, out);
        }
        match &field.init {
            Some(init) => {
                let scope = self.records[record].scope;
                let object = |sema: &mut Self, object: Option<Value>| {
                    sema.function
                        .as_mut()
                        .and_then(|function| std::mem::replace(&mut function.object, object))
                };
                let outer = object(self, Some(place.clone()));
                let result = self.in_scope(scope, |sema| sema.initialize(&member, init, out));
                object(self, outer);
                result
            }
            None => self.construct_default(&member, out),
        }
    }
}
