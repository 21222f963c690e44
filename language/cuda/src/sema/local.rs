//! Local declarations and their initialization ([stmt.dcl]).

use std::rc::Rc;

use super::Sema;
use super::extended::take_extended;
use super::scope::{Entity, Scopes};
use super::types::{CTypes, Qual, TypeKind};
use super::value::Res;
use crate::hir::{LocalKind, Stmt, StmtKind};
use crate::lex::Symbol;
use crate::syntax::ast::{
    BaseType, Decl, DeclKind, DeclaratorName, Expr, ExprKind, FunctionBody, FunctionDecl, InitDeclarator,
    Initializer, Specifiers,
};

/// The only value of an initializer.
pub(super) fn single(init: &Initializer) -> Option<&Expr> {
    match init {
        Initializer::Value(expr) | Initializer::List(expr) => Some(expr),
        Initializer::Arguments(list, _) => list.first().filter(|_| list.len() == 1),
    }
}

impl Sema<'_> {
    /// Declarations in a function.
    pub(super) fn local_declaration(&mut self, decl: &Decl, out: &mut Vec<Stmt>) -> Res<()> {
        match &decl.kind {
            DeclKind::Simple(specifiers, list) if self.is_deduced(specifiers, list) => {
                let Some(template) = self.placeholder(specifiers) else { return Err(super::Failed) };
                for one in list {
                    let span = one.declarator.span;
                    let made = self.with_deduced(
                        |sema| sema.deduced_from(template, one.init.as_ref(), span),
                        |sema, base| {
                            sema.local_variable(specifiers, base.with(specifiers.qualifiers), one, out)
                        },
                    );
                    if let (Err(_), DeclaratorName::Plain(name)) = (&made, &one.declarator.name) {
                        self.scopes.get_mut(self.scope).names.entry(name.symbol).or_insert(Entity::Error);
                    }
                    made?;
                }
                Ok(())
            }
            DeclKind::Simple(specifiers, list) => {
                let base = self.specifiers(specifiers);
                if base.is_err() {
                    // Later uses of the names give no further errors.
                    for one in list {
                        if let DeclaratorName::Plain(name) = one.declarator.name {
                            self.declare(name.symbol, Entity::Error);
                        }
                    }
                }
                let base = base?;
                let mut failed = false;
                for one in list {
                    failed |= self.local_variable(specifiers, base, one, out).is_err();
                }
                if failed { Err(super::Failed) } else { Ok(()) }
            }
            DeclKind::StaticAssert(condition, text) => self.static_assertion(condition, text),
            DeclKind::Alias(name, target, template) => self.collect_alias(*name, target, template.as_ref()),
            DeclKind::Using(name, _) => {
                let (entity, _) = self.find_qualified(name)?;
                self.declare(name.last().name.symbol, entity);
                Ok(())
            }
            DeclKind::UsingNamespace(name) => {
                if let (Entity::Namespace(other), _) = self.find_qualified(name)? {
                    self.scopes.get_mut(self.scope).also.push(other);
                }
                Ok(())
            }
            DeclKind::UsingEnum(name) => self.use_enum(name),
            DeclKind::NamespaceAlias(name, target) => {
                let (entity, _) = self.find_qualified(target)?;
                self.declare(name.symbol, entity);
                Ok(())
            }
            DeclKind::Empty => Ok(()),
            DeclKind::Function(_) => self.unsupported(decl.span, "a function in a function"),
            _ => self.unsupported(decl.span, "this declaration in a function"),
        }
    }

    /// Whether the initializers of variables determine the arguments of their class template.
    pub(super) fn is_deduced(&mut self, specifiers: &Specifiers, list: &[InitDeclarator]) -> bool {
        !list.is_empty()
            && !specifiers.flags.is_typedef
            && list.iter().all(|one| {
                matches!(one.declarator.name, DeclaratorName::Plain(_)) && one.declarator.chunks.is_empty()
            })
            && self.placeholder(specifiers).is_some()
    }

    fn local_variable(
        &mut self,
        specifiers: &Specifiers,
        base: Qual,
        one: &InitDeclarator,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let span = one.declarator.span;
        let name = match &one.declarator.name {
            DeclaratorName::Plain(name) => *name,
            DeclaratorName::Bindings(names) => {
                let result = self.structured_binding(specifiers, one, names, out);
                if result.is_err() {
                    for name in names {
                        self.scopes.get_mut(self.scope).names.entry(name.symbol).or_insert(Entity::Error);
                    }
                }
                return result;
            }
            _ => return self.error("syntax", span, "expected a variable"),
        };
        let outer = self.set_deferred(false);
        let first = out.len();
        let result = self.local_variable_named(specifiers, base, one, name.symbol, out);
        let temporaries = self.set_deferred(outer);
        let result = result.and_then(|()| self.after_variable(name.symbol, temporaries, first, out));
        if result.is_err() {
            // Later uses of the name give no further errors.
            self.scopes.get_mut(self.scope).names.entry(name.symbol).or_insert(Entity::Error);
        }
        result
    }

    /// Ends the temporary objects of a declaration, and registers the variable for destruction.
    pub(super) fn after_variable(
        &mut self,
        name: Symbol,
        temporaries: bool,
        first: usize,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let local = match self.scopes.get(self.scope).names.get(&name) {
            Some(Entity::Local(info)) => *info,
            _ => return Ok(()),
        };
        let ty = local.ty.ty;
        let may_refer = self.types.referent(ty).is_some()
            || self.types.record(ty).is_some()
            || self.types.array(ty).is_some();
        if temporaries {
            let taken =
                if may_refer { take_extended(local.local, &mut out[first..]) } else { Some(Vec::new()) };
            if taken.as_ref().is_none_or(|taken| !taken.is_empty()) {
                self.set_deferred(true);
            }
            if let Some(taken) = taken {
                super::lifetime::scope_expressions(out, first);
                super::special::push_expressions(taken, out);
            }
        }
        self.defer_variable(name, out)
    }

    /// Registers a variable for destruction.
    pub(super) fn defer_variable(&mut self, name: Symbol, out: &mut Vec<Stmt>) -> Res<()> {
        let Some(Entity::Local(info)) = self.scopes.get(self.scope).names.get(&name) else { return Ok(()) };
        let info = *info;
        let object = self.read_local(info.local, info.ty, info.span);
        if let Some(defer) = self.defer(&object)? {
            out.push(Stmt { kind: StmtKind::Expr(defer), span: info.span });
        }
        Ok(())
    }

    /// `int f(int);` in a function declares a function of the namespace around ([dcl.meaning]/3).
    fn local_function(&mut self, specifiers: &Specifiers, one: &InitDeclarator, name: Symbol) -> Res<()> {
        let around = self.scopes.outwards(self.scope).find(|scope| self.scopes.is_global(*scope));
        let decl = FunctionDecl {
            specifiers: Rc::new(specifiers.clone()),
            declarator: one.declarator.clone(),
            template: None,
            extern_c: false,
            is_pure: false,
            body: FunctionBody::None,
        };
        let scope = around.unwrap_or(Scopes::FILE);
        self.in_scope(scope, |sema| sema.collect_function(&Rc::new(decl)))?;
        if let Some(found) = self.scopes.own(scope, name).cloned() {
            // The definition may follow.
            let now = self.function.as_ref().map_or(self.order, |function| function.order);
            if let Entity::Functions(list) = &found {
                for one in list {
                    let order = &mut self.functions[*one].order;
                    *order = now.min(*order);
                }
            }
            self.declare(name, found);
        }
        Ok(())
    }

    fn local_variable_named(
        &mut self,
        specifiers: &Specifiers,
        base: Qual,
        one: &InitDeclarator,
        name: Symbol,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let span = one.declarator.span;
        let mut ty = self.declarator(base, &one.declarator.chunks, span)?;
        ty.quals.is_const |= specifiers.flags.is_constexpr && self.types.referent(ty.ty).is_none();
        self.take_sizes(out);
        if specifiers.flags.is_typedef {
            self.check_alias(specifiers, one, ty)?;
            self.declare(name, Entity::Type(ty));
            return Ok(());
        }
        if self.types.is_function(ty.ty) {
            return self.local_function(specifiers, one, name);
        }
        let ty = self.complete_array(ty, one.init.as_ref());
        if let Some(known) = self.sampler(ty, one.init.as_ref(), span)? {
            self.declare(name, Entity::Constant(known, ty.ty));
            return Ok(());
        }
        let flags = specifiers.flags;
        if flags.shared
            || self.local_storage(ty, span)?.is_some()
            || flags.is_static
            || flags.constant
            || flags.device
            || flags.managed
            || flags.is_extern
        {
            return self.static_local(specifiers, one, ty, name, out);
        }
        if self.types.variable_size(ty.ty).is_some() {
            return self.variable_array_local(name, ty, one, out);
        }
        if ty.ty == CTypes::VOID {
            return self.error("wrong-type", span, "a variable cannot have type `void`");
        }
        if self.types.kind(ty.ty) == &TypeKind::Auto || self.types.contains_auto(ty) {
            let Some(expr) = one.init.as_ref().and_then(single) else {
                return self.error("wrong-type", span, "`auto` needs an initializer");
            };
            let value = match (&one.init, &expr.kind) {
                (Some(Initializer::Value(_)), ExprKind::List(items)) => {
                    self.list_of_auto(items, expr.span)?
                }
                (Some(Initializer::List(_)), ExprKind::List(items)) if items.len() == 1 => {
                    self.expression(&items[0].value)?
                }
                _ => self.expression(expr)?,
            };
            if let (BaseType::DecltypeAuto, Some(reference)) =
                (&specifiers.base, self.decltype_reference(expr, &value))
            {
                self.check_placeholder(specifiers, ty, reference)?;
                return self.reference_variable(name, reference, value, span, out);
            }
            self.auto_variable(name, ty, flags.is_constexpr, value, span, out)?;
            return self.check_local_placeholder(specifiers, ty, name);
        }
        if self.types.referent(ty.ty).is_some() {
            let Some(expr) = one.init.as_ref().and_then(single) else {
                let message = format!("reference `{}` needs an initializer", self.text(name));
                return self.error("wrong-type", span, message);
            };
            let value = self.object_expression(expr)?;
            return self.reference_variable(name, ty, value, span, out);
        }
        self.require_complete(ty.ty, span)?;
        if let Some((_, None)) = self.types.array(ty.ty) {
            return self.error("array-length", span, "the array needs a length");
        }
        self.refuse_abstract(ty.ty, span)?;
        let text = self.text(name).to_owned();
        let local = self.new_local(text, ty, LocalKind::Variable, span)?;
        self.raise_alignment(specifiers, one, local)?;
        // A declaration is visible in its own initializer.
        let declared = self.declare_local(name, local, ty, span);
        let place = self.read_local(local, ty, span);
        let mut parts = Vec::new();
        match &one.init {
            Some(init) => self.initialize(&place, init, &mut parts)?,
            None => self.construct_default(&place, &mut parts)?,
        }
        let is_number = self.has_number(ty.ty);
        if flags.is_constexpr && !is_number && !self.classes().is_destroyed(ty.ty) {
            self.note_constant(local, &parts, span);
        }
        let init = Self::single_store(&mut parts, local);
        if let Some(init) = init.as_ref().filter(|_| is_number) {
            self.note_number(name, ty, init, flags.is_constexpr);
        }
        out.push(Stmt { kind: StmtKind::Declare { local, init }, span });
        out.extend(parts.into_iter().map(|part| Stmt { span: part.span, kind: StmtKind::Expr(part) }));
        declared
    }
}
