//! Members of base classes that a class names with `using` ([namespace.udecl]).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Sema;
use super::overload::{Argument, Selected};
use super::scope::{Entity, FunctionIndex, Owner};
use super::types::{Qual, RecordId, TypeKind};
use super::value::{FunctionInfo, FunctionName, Res, Value};
use crate::hir::{ExprKind as Hir, LocalId, LocalKind, PlaceKind, Stmt};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{FunctionBody, FunctionDecl, Operator, QualifiedName};

impl Sema<'_> {
    /// `using Base::member;` in a class.
    pub(super) fn use_member(&mut self, id: RecordId, name: &QualifiedName) -> Res<()> {
        let before = name.segments.iter().rev().nth(1).map(|segment| segment.name.symbol);
        if before == Some(name.last().name.symbol) {
            return self.inherit_constructors(id, name);
        }
        let Ok((entity, scope)) = self.find_qualified(name) else { return Ok(()) };
        let symbol = name.last().name.symbol;
        let own = self.scope;
        match entity {
            Entity::Functions(list) => {
                for function in list {
                    self.scopes.add_function(own, symbol, function);
                }
            }
            Entity::Field => {
                if let Owner::Record(base) = self.scopes.get(scope).owner {
                    self.records[id].used.insert(symbol, base);
                }
                self.declare(symbol, Entity::Field);
            }
            entity => self.declare(symbol, entity),
        }
        Ok(())
    }

    /// `using Base::operator();` in a class.
    pub(super) fn use_operator(&mut self, id: RecordId, name: &QualifiedName, operator: Operator) -> Res<()> {
        let ty = self.named_type(name)?;
        let base = self.types.record(ty.ty).filter(|base| self.classes().derives(id, *base));
        let Some(base) = base.filter(|base| *base != id) else {
            let shown = self.show(ty);
            return self.error("wrong-type", name.span, format!("`{shown}` is no base class of this class"));
        };
        let used = self.methods_named(base, FunctionName::Operator(operator));
        if used.is_empty() {
            let shown = self.show(ty);
            return self.error("undeclared-name", name.span, format!("`{shown}` has no such operator"));
        }
        self.records[id].operators.extend(used.into_iter().map(|function| (operator, function)));
        Ok(())
    }

    /// Removes functions of base classes that a function of the class hides, although `using` names
    /// them ([namespace.udecl]/15).
    pub(super) fn hide_used(&mut self, id: RecordId) {
        let scope = self.records[id].scope;
        let names: Vec<Symbol> = self.scopes.get(scope).names.keys().copied().collect();
        let operators = self.records[id].operators.clone();
        let is_own = |one: &FunctionIndex| self.functions[*one].class == Some(id);
        self.records[id].operators = operators
            .iter()
            .copied()
            .filter(|(_, one)| {
                let hides =
                    |(_, own): &(Operator, FunctionIndex)| is_own(own) && self.is_same_function(*own, *one);
                is_own(one) || !operators.iter().any(hides)
            })
            .collect();
        for name in names {
            let Some(Entity::Functions(list)) = self.scopes.own(scope, name) else { continue };
            if list.iter().all(|one| self.functions[*one].class == Some(id)) {
                continue;
            }
            let own: Vec<FunctionIndex> =
                list.iter().copied().filter(|one| self.functions[*one].class == Some(id)).collect();
            let mut kept = list.clone();
            kept.retain(|one| own.contains(one) || !own.iter().any(|own| self.is_same_function(*own, *one)));
            self.scopes.get_mut(scope).names.insert(name, Entity::Functions(kept));
        }
    }

    /// `using Base::Base;`: constructors that make the base class, and the members by their own
    /// initializers ([class.inhctor.init]).
    fn inherit_constructors(&mut self, id: RecordId, name: &QualifiedName) -> Res<()> {
        let (_, front) = name.segments.split_last().expect("a qualified name has a segment");
        let scope = self.scope_of_front(name, front)?;
        let base = match self.scopes.get(scope).owner {
            Owner::Record(base) if self.records[id].bases.contains(&base) => base,
            _ => {
                let message = "constructors are inherited from a direct base class only";
                return self.error("wrong-type", name.span, message);
            }
        };
        let constructors = self.records[base].constructors.clone();
        let copies = self.classes().declared(base, &constructors);
        for constructor in constructors {
            let info = &self.functions[constructor];
            if [copies.copy, copies.movement].contains(&Some(constructor)) || info.defaults.is_empty() {
                continue;
            }
            let decl = FunctionDecl { body: FunctionBody::Defaulted, ..FunctionDecl::clone(&info.decl) };
            let made = FunctionInfo {
                name: FunctionName::Constructor,
                decl: Rc::new(decl),
                scope: info.scope,
                class: Some(id),
                template: info.template.clone(),
                signature: info.signature.clone(),
                defaults: info.defaults.clone(),
                specializations: Vec::new(),
                instances: FxHashMap::default(),
                is_redeclared: false,
                device: info.device,
                global: false,
                is_static: false,
                is_const: false,
                inherits: Some(constructor),
                is_guide: false,
                order: info.order,
                body_order: info.body_order,
                span: info.span,
            };
            let made = self.functions.push(made);
            self.records[id].constructors.push(made);
        }
        Ok(())
    }

    /// Removes inherited constructors that a constructor of the class hides. A class that declares
    /// none keeps the constructor without parameters.
    pub(super) fn hide_inherited(&mut self, id: RecordId) {
        let list = self.records[id].constructors.clone();
        let is_inherited = |one: &FunctionIndex| self.functions[*one].inherits.is_some();
        if !list.iter().any(is_inherited) {
            return;
        }
        let (mut kept, own): (Vec<_>, Vec<_>) = list.into_iter().partition(is_inherited);
        kept.retain(|one| !own.iter().any(|own| self.is_same_function(*own, *one)));
        if own.is_empty() {
            let span = self.records[id].span;
            kept.push(self.implicit(id, FunctionName::Constructor, None, span));
        }
        kept.extend(own);
        self.records[id].constructors = kept;
    }

    /// The constructor of a base class that the current function calls.
    pub(super) fn inherited_constructor(&self) -> Option<FunctionIndex> {
        let instance = self.function.as_ref()?.instance?;
        self.functions[self.instances[instance].function].inherits
    }

    /// The statements of an inherited constructor: the object of `this` and the parameters exist.
    pub(super) fn inherited_body(
        &mut self,
        class: RecordId,
        inherited: FunctionIndex,
        parameters: &[Qual],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let Some(object) = self.method_object(span) else { return Err(super::Failed) };
        let locals = self.function.as_ref().map(|function| &function.locals);
        let mut locals: Vec<LocalId> = locals.map_or_else(Vec::new, |locals| {
            locals.ids().filter(|id| locals[*id].kind == LocalKind::Parameter).skip(1).collect()
        });
        for ty in &parameters[locals.len().min(parameters.len())..] {
            locals.push(self.new_local(String::new(), *ty, LocalKind::Parameter, span)?);
        }
        let base = self.functions[inherited].class;
        let instance = self.function.as_ref().and_then(|function| function.instance);
        let own = instance.map_or_else(Vec::new, |id| self.instances[id].arguments.clone());
        for at in self.records[class].construction() {
            let parts = self.full_parts(|sema, parts| {
                if sema.records[class].base_at(at) != base {
                    return sema.construct_member(&object, class, at, None, parts);
                }
                let member = sema.field_at(object.clone(), at, span)?;
                let mut arguments = Vec::new();
                for (local, ty) in locals.iter().zip(parameters) {
                    arguments.push(Argument::Value(sema.handed_over(*local, *ty)?));
                }
                let selected = Selected { function: inherited, arguments: own.clone(), is_named: false };
                let member = sema.as_object(member)?;
                let call = sema.call_selected(&selected, Some(member), arguments, span)?;
                parts.push(sema.expr(call)?);
                sema.store_base_tables(&object, class, at, span, parts)
            })?;
            super::special::push_expressions(parts, out);
            self.guard_member(&object, at, out)?;
        }
        Ok(())
    }

    /// A parameter as an argument of another constructor.
    fn handed_over(&mut self, local: LocalId, ty: Qual) -> Res<Value> {
        let span = self.function.as_ref().map_or(Span::NONE, |function| function.locals[local].span);
        let Some(to) = self.types.referent(ty.ty) else {
            let mut value = Value::place(PlaceKind::Local(local), ty, span);
            value.ty.quals.is_expiring = self.types.record(ty.ty).is_some();
            return Ok(value);
        };
        let pointer = self.types.pointer(to);
        let place = self.make_place(PlaceKind::Local(local), Qual::plain(pointer), span)?;
        let address = self.make(Hir::Load(Box::new(place)), pointer, span)?;
        let mut of = to;
        of.quals.is_expiring = matches!(self.types.kind(ty.ty), TypeKind::RvalueReference(_));
        Ok(Value::deref(address, of, span))
    }
}
