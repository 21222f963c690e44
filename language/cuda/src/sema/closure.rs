//! Lambda expressions with `__device__` in host code, which kernels get as arguments.
//!
//! The host half knows the function around such an expression: the types of the captures, and what
//! other names mean there. It describes them as it describes the arguments of templates. The device
//! half, which skips host functions, parses the expression alone and makes its class from the
//! description.

use std::rc::Rc;

use super::Sema;
use super::described::{Argument, Around, Captured, Closure};
use super::handover::MAX_PARTS;
use super::lambda::ClosureClass;
use super::scope::{Constant, Entity, Owner, ScopeId};
use super::types::{CType, Qual, TypeKind};
use super::value::{Res, TemplateValue};
use crate::diagnostics::Diagnostic;
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::WantedName;
use crate::syntax::ast::{Capture, Lambda, Name};
use rustc_hash::FxHashMap;

impl Sema<'_> {
    /// Describes the class of a lambda expression for the device half; `None` if it does not belong
    /// there.
    pub(super) fn device_closure(
        &mut self,
        lambda: &Lambda,
        captures: &[Capture],
        fields: &[(Name, Qual)],
        span: Span,
    ) -> Res<Option<Rc<Closure>>> {
        let Some(marks) = lambda.marks.as_ref().filter(|marks| marks.device) else { return Ok(None) };
        if self.rules.has_device_code {
            return Ok(None);
        }
        self.check_captures(captures, lambda.default, span)?;
        let outer = self.scopes.outwards(self.scope).find(|scope| match self.scopes.get(*scope).owner {
            Owner::File | Owner::Namespace(_) => true,
            Owner::Record(id) => self.records[id].lambda.is_none(),
            Owner::Enum(_) | Owner::Template | Owner::Block => false,
        });
        let path = outer.and_then(|outer| self.steps(outer));
        let (Some(place), Some(path), Some(outer)) = (marks.place.clone(), path, outer) else {
            return self.unsupported(span, "a `__device__` lambda expression in a class inside a function");
        };
        let mut closure = Closure {
            place,
            number: self.lambda_count + 1,
            path,
            captures: Vec::new(),
            around: Vec::new(),
            wanted: Vec::new(),
        };
        let mut fields = fields.iter();
        for capture in captures {
            let name = self.text(capture.name.symbol).to_owned();
            let is_pack = capture.pack.is_some();
            if is_pack {
                closure.wanted.push((name.clone(), WantedName::Values));
            }
            let own = fields.clone().take_while(|(field, _)| field.symbol == capture.name.symbol);
            let own: Vec<Qual> = own.take(if is_pack { usize::MAX } else { 1 }).map(|(_, ty)| *ty).collect();
            let mut types = Vec::new();
            for ty in own {
                fields.next();
                let is_small = self.is_small(TemplateValue::Type(ty));
                let Some(ty) = Some(ty).filter(|_| is_small).and_then(|ty| self.described(ty)) else {
                    let shown = self.show(ty);
                    return self.unknown_capture(&name, &shown, span);
                };
                types.push(ty);
            }
            closure.captures.push(Captured { name, is_pack, types });
        }
        self.describe_around(marks.names.clone(), captures, outer, &mut closure);
        let closure = Rc::new(closure);
        self.closures.push(closure.clone());
        Ok(Some(closure))
    }

    /// Refuses captures that a kernel cannot use.
    fn check_captures(&mut self, captures: &[Capture], default: Option<bool>, span: Span) -> Res<()> {
        let mut by_reference = captures.iter().filter(|one| one.by_reference);
        if by_reference.clone().any(Capture::is_this) {
            let message = "a `__device__` lambda expression cannot use `this` of a host function";
            let error =
                Diagnostic::error("launch", span, message).help("capture a copy of the object: `[=, *this]`");
            return self.fail(error);
        }
        let by_reference = by_reference.next();
        if default != Some(true) && by_reference.is_none() {
            return Ok(());
        }
        let place = by_reference.map_or(span, |one| one.name.span);
        let message = "a `__device__` lambda expression cannot capture by reference";
        let error = Diagnostic::error("launch", place, message)
            .label("a kernel cannot use the variables of a host function")
            .help("capture by value: `[=] __device__ (int i) { ... }`");
        self.fail(error)
    }

    fn unknown_capture<T>(&mut self, name: &str, shown: &str, span: Span) -> Res<T> {
        let message = format!(
            "a `__device__` lambda expression cannot capture `{name}`: device code does not have the type `{shown}`"
        );
        self.error("launch", span, message)
    }

    /// Describes what the function around a lambda expression declares.
    fn describe_around(
        &mut self,
        names: Vec<Symbol>,
        captures: &[Capture],
        outer: ScopeId,
        closure: &mut Closure,
    ) {
        let inner: Vec<ScopeId> =
            self.scopes.outwards(self.scope).take_while(|scope| *scope != outer).collect();
        for symbol in names {
            if captures.iter().any(|one| one.name.symbol == symbol) {
                continue;
            }
            let Some((entity, scope)) = self.find(symbol) else { continue };
            let name = self.text(symbol).to_owned();
            if let Some(kind) = wanted_name(&entity) {
                closure.wanted.push((name.clone(), kind));
            }
            if inner.contains(&scope)
                && let Some(around) = self.described_entity(&entity)
            {
                closure.around.push((name, around));
            }
        }
    }

    fn described_entity(&self, entity: &Entity) -> Option<Around> {
        let value = match entity {
            Entity::Local(info) => match info.known {
                Some(value) => return Some(self.described_constant(value, info.ty.ty)),
                None => return Some(Around::OfHost),
            },
            Entity::Constant(value, ty) => return Some(self.described_constant(*value, *ty)),
            Entity::Static(..) => return Some(Around::OfHost),
            Entity::Pack(list) => {
                let list = list.iter().map(|one| match self.described_entity(one) {
                    Some(Around::Argument(argument)) => Some(argument),
                    _ => None,
                });
                let list = list.collect::<Option<_>>();
                return Some(list.map_or(Around::OfHost, |list| Around::Argument(Argument::Pack(list))));
            }
            Entity::Type(ty) => TemplateValue::Type(*ty),
            Entity::RecordTemplate(template) => TemplateValue::Template(*template),
            _ => return None,
        };
        if !self.is_small(value) {
            return Some(Around::OfHost);
        }
        Some(self.described_argument(value).map_or(Around::OfHost, Around::Argument))
    }

    /// Whether a type can be written out.
    fn is_small(&self, value: TemplateValue) -> bool {
        self.parts_of(value, &mut FxHashMap::default()) <= MAX_PARTS
    }

    fn described_constant(&self, value: Constant, ty: CType) -> Around {
        match (value, self.described_type(ty)) {
            (Constant::Int(value), Some(ty)) => Around::Argument(Argument::Value(value, ty)),
            (Constant::Float(value), Some(ty)) => Around::Float(value, ty),
            (_, None) => Around::OfHost,
        }
    }

    /// The class of a lambda expression of the host half.
    pub(super) fn found_closure(&mut self, closure: &Rc<Closure>) -> Option<CType> {
        if let Some(known) = self.found_closures.get(&closure.number) {
            return Some(*known);
        }
        let lambda = self.lambdas.get(&closure.place)?.clone();
        let span = lambda.function.span;
        let outer = self.scope_of_steps(&closure.path)?;
        let scope = self.scopes.add(outer, Owner::Template);
        for (name, around) in &closure.around {
            let Some(symbol) = self.names.find(name) else { continue };
            let entity = match around {
                Around::Argument(argument) => {
                    let found = self.found_arguments(std::slice::from_ref(argument));
                    found.map_or(Entity::OfHost, |found| self.entity_of(found[0]))
                }
                Around::Float(value, ty) => Entity::Constant(Constant::Float(*value), self.found_type(ty)?),
                Around::OfHost => Entity::OfHost,
            };
            self.scopes.get_mut(scope).names.insert(symbol, entity);
        }
        let (mut fields, mut names) = (Vec::new(), Vec::new());
        for Captured { name: text, is_pack, types } in &closure.captures {
            let name = Name { symbol: self.names.find(text)?, span };
            let first = fields.len();
            for written in types {
                let Some(ty) = self.found(written) else {
                    let message = format!(
                        "a `__device__` lambda expression captures `{text}`, whose type device code does not have"
                    );
                    let _ = self.error::<()>("launch", span, message);
                    return None;
                };
                fields.push((name, ty));
            }
            names.push((name, is_pack.then_some(first as u32..fields.len() as u32)));
        }
        let class = ClosureClass { fields, names, number: closure.number, closure: Some(closure.clone()) };
        let id = self.closure_class(&lambda, scope, class, span).ok()?;
        let ty = self.types.intern(TypeKind::Record(id));
        self.found_closures.insert(closure.number, ty);
        Some(ty)
    }

    /// Reports a variable of the host function around a lambda expression.
    pub(super) fn not_captured<T>(&mut self, symbol: Symbol, span: Span) -> Res<T> {
        let text = self.text(symbol).to_owned();
        let message = format!("`{text}` belongs to the host function around the lambda expression");
        let error = Diagnostic::error("wrong-type", span, message)
            .help("capture a variable by value: `[=]`; declare a type outside of the function");
        self.fail(error)
    }
}

/// What the parser has to know about a name.
fn wanted_name(entity: &Entity) -> Option<WantedName> {
    match entity {
        Entity::Type(_) => Some(WantedName::Type),
        Entity::RecordTemplate(_) | Entity::AliasTemplate(_) => Some(WantedName::Template),
        Entity::Pack(list) => match list.first() {
            Some(Entity::Type(_)) => Some(WantedName::Types),
            _ => Some(WantedName::Values),
        },
        _ => None,
    }
}
