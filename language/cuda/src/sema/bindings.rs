//! Structured bindings: names for the parts of an array or a class ([dcl.struct.bind]).

use std::rc::Rc;

use super::Sema;
use super::local::single;
use super::overload::Argument;
use super::scope::{Constant, Entity, Scopes};
use super::types::{CTypes, Qual, RecordId, TypeKind};
use super::value::{FunctionSet, Res, TemplateValue, Value, ValueKind};
use crate::hir::{ExprKind as Hir, PlaceKind, Stmt};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::Keyword;
use crate::syntax::ast::{
    BaseType, Chunk, Declarator, DeclaratorName, ExprKind, InitDeclarator, Initializer, Name, Specifiers,
};

/// The name of the hidden variable, which no program can write.
const HIDDEN: Symbol = Symbol(Keyword::Auto as u32);

impl Sema<'_> {
    /// `auto [a, b] = value;`
    pub(super) fn structured_binding(
        &mut self,
        specifiers: &Specifiers,
        one: &InitDeclarator,
        names: &[Name],
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let span = one.declarator.span;
        let flags = specifiers.flags;
        if flags.is_static || flags.is_constexpr || flags.is_extern || flags.shared {
            return self.unsupported(span, "a structured binding that is `static`, `constexpr` or shared");
        }
        let Some(mut expr) = one.init.as_ref().and_then(single) else {
            return self.error("wrong-type", span, "a structured binding needs an initializer");
        };
        if let (Some(Initializer::List(_)), ExprKind::List(items)) = (&one.init, &expr.kind)
            && let [only] = items.as_slice()
        {
            expr = &only.value;
        }
        let outer = self.set_deferred(false);
        let first = out.len();
        let value = self.expression(expr);
        let result = value.and_then(|value| self.hidden_variable(specifiers, &one.declarator, value, out));
        let temporaries = self.set_deferred(outer);
        let copies_array = result?;
        self.after_variable(HIDDEN, temporaries, first, out)?;
        self.bind_names(specifiers, &one.declarator, names, copies_array, out)
    }

    /// The names of a structured binding in a loop over the values of a range.
    pub(super) fn bind_element(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        names: &[Name],
        value: Value,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let copies_array = self.hidden_variable(specifiers, declarator, value, out)?;
        self.defer_variable(HIDDEN, out)?;
        self.bind_names(specifiers, declarator, names, copies_array, out)
    }

    /// Declares the hidden variable that is the value or refers to it. Returns whether it refers to
    /// an array whose elements are copied.
    fn hidden_variable(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        value: Value,
        out: &mut Vec<Stmt>,
    ) -> Res<bool> {
        let span = declarator.span;
        if !matches!(specifiers.base, BaseType::Auto) {
            return self.error("wrong-type", span, "a structured binding needs the type `auto`");
        }
        let copies_array = declarator.chunks.is_empty() && self.types.array(value.ty.ty).is_some();
        let name = DeclaratorName::Plain(Name { symbol: HIDDEN, span });
        let mut own = Declarator { name, ..declarator.clone() };
        if copies_array {
            own.chunks = vec![Chunk::Reference];
        }
        self.declare_variable_from(specifiers, &own, value, out)?;
        Ok(copies_array)
    }

    /// Declares the names for the parts of the hidden variable.
    fn bind_names(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        names: &[Name],
        copies_array: bool,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let span = declarator.span;
        let found = self.scopes.get_mut(self.scope).names.remove(&HIDDEN);
        let Some(Entity::Local(info)) = found else { return Err(super::Failed) };
        if let Some(function) = &mut self.function {
            function.locals[info.local].name.clear();
        }
        let object = self.local_value(info, HIDDEN, span)?;
        let parts = self.bound_parts(object, names, span)?;
        for (name, part) in names.iter().zip(parts) {
            let is_bits = matches!(part.kind, ValueKind::Place(PlaceKind::Bits(..), _));
            if is_bits && !declarator.chunks.is_empty() {
                let function = self.function.as_ref().map_or(0, |function| function.number);
                if self.scopes.get(self.scope).names.contains_key(&name.symbol) {
                    let message = format!("`{}` is declared twice in this block", self.text(name.symbol));
                    return self.error("redefinition", name.span, message);
                }
                if let ValueKind::Place(place, _) = part.kind {
                    self.declare(name.symbol, Entity::Bound(Rc::new(place), part.ty, function));
                }
                continue;
            }
            if copies_array && self.types.array(part.ty.ty).is_some() {
                return self.unsupported(name.span, "a structured binding to a copy of an array of arrays");
            }
            if copies_array || is_bits {
                let auto = self.types.intern(TypeKind::Auto);
                let auto = Qual { ty: auto, quals: specifiers.qualifiers };
                self.auto_variable(name.symbol, auto, false, part, name.span, out)?;
                self.defer_variable(name.symbol, out)?;
                continue;
            }
            let mut to = part.ty;
            to.quals.is_expiring = false;
            let is_object = matches!(part.kind, ValueKind::Place(..));
            let kind = if is_object { TypeKind::Reference(to) } else { TypeKind::RvalueReference(to) };
            let ty = Qual::plain(self.types.intern(kind));
            self.reference_variable(name.symbol, ty, part, name.span, out)?;
        }
        Ok(())
    }

    /// The parts of an object: as many as there are names.
    fn bound_parts(&mut self, object: Value, names: &[Name], span: Span) -> Res<Vec<Value>> {
        if let Some((element, Some(length))) = self.types.array(object.ty.ty) {
            self.check_parts(&object, length, names, span)?;
            return self.elements(object, element, names);
        }
        let Some(record) = self.types.record(object.ty.ty) else {
            let shown = self.show(object.ty);
            let message = format!("`{shown}` has no parts: a structured binding needs an array or a class");
            return self.error("wrong-type", span, message);
        };
        self.require_complete(object.ty.ty, span)?;
        let shown = self.show(object.ty.unqualified());
        let info = &self.records[record];
        if info.lambda.is_some() || info.is_union {
            let what = if info.is_union { "union" } else { "lambda expression" };
            return self.unsupported(span, &format!("a structured binding to the {what} `{shown}`"));
        }
        if let Some(parts) = self.tuple_parts(&object, record, names, span)? {
            return Ok(parts);
        }
        let members = self.bound_members(record, &shown, span)?;
        let info = &self.records[record];
        if info.builtin
            && info.symbol.is_some_and(|name| self.text(name) == "array")
            && let [only] = members.as_slice()
        {
            // The elements of `std::array`, which has the interface of a tuple.
            let items = self.field(object, *only, span)?;
            let Some((element, Some(length))) = self.types.array(items.ty.ty) else {
                return Err(super::Failed);
            };
            self.check_parts(&items, length, names, span)?;
            return self.elements(items, element, names);
        }
        self.check_parts(&object, members.len() as u64, names, span)?;
        let mut parts = Vec::new();
        for (member, name) in members.into_iter().zip(names) {
            self.check_access(record, member, name.span)?;
            parts.push(self.field(object.clone(), member, name.span)?);
        }
        Ok(parts)
    }

    /// The parts of a class with the interface of a tuple: `get<0>(object)` and so on
    /// ([dcl.struct.bind]/4).
    fn tuple_parts(
        &mut self,
        object: &Value,
        record: RecordId,
        names: &[Name],
        span: Span,
    ) -> Res<Option<Vec<Value>>> {
        let info = &self.records[record];
        if info.builtin && info.symbol.is_none_or(|name| self.text(name) != "tuple") {
            return Ok(None);
        }
        let symbols = ["std", "tuple_size", "value", "get"].map(|name| self.names.find(name));
        let [Some(std), Some(size), Some(value), Some(get)] = symbols else { return Ok(None) };
        let Some(Entity::Namespace(std)) = self.scopes.own(Scopes::FILE, std).cloned() else {
            return Ok(None);
        };
        let Some(Entity::RecordTemplate(size)) = self.scopes.own(std, size).cloned() else {
            return Ok(None);
        };
        let class = TemplateValue::Type(object.ty.unqualified());
        let size = self.instantiate_record(size, vec![class], span)?;
        // The template is only declared: classes that are tuples have specializations.
        if self.records[size].decl.is_none() {
            return Ok(None);
        }
        let Some((Entity::Variable(variable), _)) = self.find_member(size, value) else { return Ok(None) };
        let Some(Constant::Int(count)) = self.variable_value(variable, span)?.known() else {
            return Ok(None);
        };
        self.check_parts(object, count as u64, names, span)?;
        let functions = match self.scopes.own(std, get) {
            Some(Entity::Functions(list)) => list.clone(),
            _ => Vec::new(),
        };
        let mut parts = Vec::new();
        for at in 0..count {
            let arguments = Some(vec![TemplateValue::Value(at, self.types.size_type)]);
            let set = FunctionSet {
                functions: functions.clone(),
                arguments,
                object: None,
                name: get,
                is_named: false,
            };
            parts.push(self.call_set(set, span, vec![Argument::Value(object.clone())], span)?);
        }
        Ok(Some(parts))
    }

    /// The names of the members of a class, which must all be in the class or in one base class.
    fn bound_members(&mut self, record: RecordId, shown: &str, span: Span) -> Res<Vec<Symbol>> {
        let classes: Vec<RecordId> = self.classes().bases(record).collect();
        let mut found = Vec::new();
        for class in classes {
            let info = &self.records[class];
            let fields = &info.fields;
            let is_hidden = |at: usize| {
                let at = at as u32;
                info.base_at(at).is_none() && !self.is_pointer_to_table(class, at)
            };
            if (0..fields.len()).any(|at| fields[at].name.is_none() && is_hidden(at)) {
                let what = format!("a structured binding to `{shown}`, which has an anonymous member,");
                return self.unsupported(span, &what);
            }
            let own: Vec<Symbol> = fields.iter().filter_map(|field| field.name).collect();
            if !own.is_empty() && !found.is_empty() {
                let message =
                    format!("`{shown}` cannot be bound: it and its base class both have member variables");
                return self.error("wrong-type", span, message);
            }
            if !own.is_empty() {
                self.base_path(record, class, span)?;
            }
            found.extend(own);
        }
        Ok(found)
    }

    fn check_parts(&mut self, object: &Value, count: u64, names: &[Name], span: Span) -> Res<()> {
        if count == names.len() as u64 {
            return Ok(());
        }
        let shown = self.show(object.ty.unqualified());
        let message = format!("`{shown}` has {count} parts, but the structured binding has {}", names.len());
        self.error("wrong-type", span, message)
    }

    /// The elements of an array.
    fn elements(&mut self, array: Value, element: Qual, names: &[Name]) -> Res<Vec<Value>> {
        let ValueKind::Place(kind, _) = array.kind else { return Err(super::Failed) };
        let mut parts = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let place = self.make_place(kind.clone(), array.ty, name.span)?;
            let index = self.make(Hir::Int(at as i128), CTypes::INT, name.span)?;
            let ty = element.with(array.ty.quals);
            parts.push(Value::place(PlaceKind::Index(Box::new(place), Box::new(index)), ty, name.span));
        }
        Ok(parts)
    }
}
