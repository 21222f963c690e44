//! Local variables with their own rules: `static`, `__shared__`, `auto` and references.

use super::Sema;
use super::scope::{Entity, Owner};
use super::types::{CTypes, Qual, TypeKind};
use super::value::{Res, Value, VariableInfo};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, LocalKind, Stmt, StmtKind, Storage};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{Declarator, DeclaratorName, InitDeclarator, Specifiers};

impl Sema<'_> {
    /// `extern int x;` in a function: the variable of the namespace around it.
    fn extern_local(&mut self, ty: Qual, name: Symbol, span: Span) -> Res<()> {
        let found = self.scopes.outwards(self.scope).find_map(|scope| match self.scopes.get(scope).owner {
            Owner::File | Owner::Namespace(_) => Some(self.scopes.own(scope, name).cloned()),
            _ => None,
        });
        let Some(Some(Entity::Variable(variable))) = found else {
            return self.extern_elsewhere(ty, name, span);
        };
        self.check_defined(variable, span)?;
        let own = self.variables[variable].ty;
        let element = |sema: &Self, ty: Qual| sema.types.array(ty.ty).map_or(ty, |(element, _)| element);
        if element(self, own).ty != element(self, ty).ty {
            let (shown, declared) = (self.show(own), self.variables[variable].span);
            let message = format!("the variable is declared with another type, `{shown}`");
            return self.fail(Diagnostic::error("redefinition", span, message).at(declared, "declared here"));
        }
        let global = self.global_of(variable)?;
        self.declare(name, Entity::Static(global, own));
        Ok(())
    }

    /// `extern int x;` in a function for a variable that this file does not define. Only its use is
    /// an error then.
    fn extern_elsewhere(&mut self, ty: Qual, name: Symbol, span: Span) -> Res<()> {
        let around = self
            .scopes
            .outwards(self.scope)
            .find(|scope| matches!(self.scopes.get(*scope).owner, Owner::File | Owner::Namespace(_)));
        let Some(scope) = around else { return Err(super::Failed) };
        let variable = self.variables.push(VariableInfo {
            name,
            ty,
            storage: self.rules.plain_variables,
            init: None,
            scope,
            known: None,
            value: None,
            global: None,
            texture: None,
            reference: None,
            align: 1,
            is_extern: true,
            is_static: false,
            is_inline: false,
            is_external: true,
            is_specialized: false,
            order: 0,
            defined: 0,
            span,
        });
        self.declare(name, Entity::Variable(variable));
        Ok(())
    }

    /// A static or shared variable of a function.
    pub(super) fn static_local(
        &mut self,
        specifiers: &Specifiers,
        one: &InitDeclarator,
        ty: Qual,
        name: Symbol,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let flags = specifiers.flags;
        let span = one.declarator.span;
        let scope = self.scope;
        let mut ty = ty;
        if self.types.contains_auto(ty) {
            let found = self.deduced_type(specifiers, one, ty)?;
            self.check_placeholder(specifiers, ty, found)?;
            ty = found;
            ty.quals.is_const |= flags.is_constexpr;
        }
        let storage = if let Some(storage) = self.local_storage(ty, span)? {
            storage
        } else if self.rules.is_open_cl && !self.is_builtin(span) {
            return self.error("not-opencl", span, "OpenCL C does not have `static` or `extern` variables");
        } else if flags.shared && flags.is_extern {
            Storage::SharedDynamic
        } else if flags.shared {
            Storage::Shared
        } else if flags.constant {
            Storage::Constant
        } else {
            self.rules.memory
        };
        if flags.is_extern && !flags.shared {
            return self.extern_local(ty, name, span);
        }
        self.require_complete(ty.ty, span)?;
        self.check_storage(specifiers, one, ty, name)?;
        if matches!(storage, Storage::Device | Storage::Host)
            && ty.quals.is_const
            && self.types.is_arithmetic(ty.ty)
        {
            let known = self.known_value(ty, one.init.as_ref(), flags.is_constexpr, None);
            if let Some(known) = known {
                self.scopes.get_mut(scope).names.insert(name, Entity::Constant(known, ty.ty));
                return Ok(());
            }
        }
        let align = self.asked_alignment(specifiers, one)?;
        let hir_ty = self.hir_type(ty.ty, span)?;
        let text = self.text(name).to_owned();
        let symbol = self.mangled_local(name, storage);
        let linkage = self.local_linkage();
        let c_type = self.show(ty);
        let id = self.globals.push(hir::Global {
            name: text,
            symbol,
            ty: hir_ty,
            c_type,
            storage,
            linkage,
            is_dynamic: false,
            align: self.hir.align(hir_ty).max(align),
            init: None,
            visible: false,
            volatile: ty.quals.is_volatile,
            reference: None,
            span,
        });
        self.scopes.get_mut(scope).names.insert(name, Entity::Static(id, ty));
        self.refuse_destructor(storage, ty, span)?;
        if flags.is_constexpr
            && let Some(value) = self.constant_object(ty, one.init.as_ref(), true, span)
            && let Some(init) = self.constant_initializer(id, &value)
        {
            self.globals[id].init = Some(init);
            return Ok(());
        }
        if matches!(storage, Storage::Device | Storage::Constant | Storage::Host) {
            if storage == Storage::Host && self.is_dynamic(id, ty, one.init.as_ref(), span) {
                return self.initialize_once(id, ty, one.init.as_ref(), span, out);
            }
            if storage != Storage::Host {
                let init = self.static_initializer(id, ty, one.init.as_ref(), span)?;
                self.globals[id].init = init;
            }
        }
        Ok(())
    }

    /// Notes the value of a constant variable of the function that is a number.
    pub(super) fn note_number(&mut self, name: Symbol, ty: Qual, init: &hir::Expr, is_constexpr: bool) {
        if !ty.quals.is_const || ty.quals.is_volatile {
            return;
        }
        let known = self.known_number(init, ty, is_constexpr);
        let known = self.checked(known, is_constexpr, init.span);
        if let Some(Entity::Local(info)) = self.scopes.get_mut(self.scope).names.get_mut(&name) {
            info.known = known;
        }
    }

    /// `auto x = value`, `auto &x = value`.
    pub(super) fn auto_variable(
        &mut self,
        name: Symbol,
        ty: Qual,
        is_constexpr: bool,
        value: Value,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        match *self.types.kind(ty.ty) {
            TypeKind::Reference(to) => {
                let mut to = value.ty.with(to.quals);
                to.quals.is_expiring = false;
                let reference = Qual::plain(self.types.intern(TypeKind::Reference(to)));
                self.reference_variable(name, reference, value, span, out)
            }
            TypeKind::RvalueReference(_) => {
                let expires = !Self::names_object(&value) || value.ty.quals.is_expiring;
                let mut to = value.ty;
                to.quals.is_expiring = false;
                let kind = if expires { TypeKind::RvalueReference(to) } else { TypeKind::Reference(to) };
                let reference = Qual::plain(self.types.intern(kind));
                let mut value = self.as_place(value)?;
                value.ty.quals.is_expiring = expires;
                self.reference_variable(name, reference, value, span, out)
            }
            _ => {
                let value = self.rvalue(value)?;
                if value.ty.ty == CTypes::VOID {
                    return self.error("wrong-type", span, "a variable cannot have type `void`");
                }
                let quals = ty.quals;
                let own = value.ty.with(quals);
                let text = self.text(name).to_owned();
                let init = self.expr(value)?;
                let local = self.new_local(text, own, LocalKind::Variable, span)?;
                self.declare_local(name, local, own, span)?;
                if self.has_number(own.ty) {
                    self.note_number(name, own, &init, is_constexpr);
                } else if is_constexpr && !self.classes().is_destroyed(own.ty) {
                    let object = self.read_local(local, own, span);
                    let mut parts = Vec::new();
                    self.store(object, init.clone(), &mut parts)?;
                    self.note_constant(local, &parts, span);
                }
                out.push(Stmt { kind: StmtKind::Declare { local, init: Some(init) }, span });
                Ok(())
            }
        }
    }

    /// `T &x = value`: a pointer to the object.
    pub(super) fn reference_variable(
        &mut self,
        name: Symbol,
        ty: Qual,
        value: Value,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let init = self.convert(value, ty, "in the initialization")?;
        let text = self.text(name).to_owned();
        let local = self.new_local(text, ty, LocalKind::Variable, span)?;
        self.declare_local(name, local, ty, span)?;
        self.note_reference(local, ty, &init)?;
        out.push(Stmt { kind: StmtKind::Declare { local, init: Some(init) }, span });
        Ok(())
    }

    /// The variable of a range-based `for`.
    pub(super) fn declare_variable_from(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        value: Value,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let DeclaratorName::Plain(name) = declarator.name else {
            return self.error("syntax", declarator.span, "expected a variable");
        };
        let base = self.specifiers(specifiers)?;
        let ty = self.declarator(base, &declarator.chunks, declarator.span)?;
        if self.types.contains_auto(ty) {
            self.auto_variable(name.symbol, ty, false, value, declarator.span, out)?;
            return self.check_local_placeholder(specifiers, ty, name.symbol);
        }
        if self.types.referent(ty.ty).is_some() {
            return self.reference_variable(name.symbol, ty, value, declarator.span, out);
        }
        let init = self.convert(value, ty.unqualified(), "in the loop")?;
        let text = self.text(name.symbol).to_owned();
        let local = self.new_local(text, ty, LocalKind::Variable, declarator.span)?;
        self.declare_local(name.symbol, local, ty, declarator.span)?;
        out.push(Stmt { kind: StmtKind::Declare { local, init: Some(init) }, span: declarator.span });
        Ok(())
    }
}
