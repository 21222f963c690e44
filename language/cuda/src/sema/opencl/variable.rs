//! Variables: their memory.

use crate::diagnostics::Diagnostic;
use crate::hir::Storage;
use crate::sema::Sema;
use crate::sema::scope::Entity;
use crate::sema::types::Qual;
use crate::sema::value::{Res, VariableInfo};
use crate::source::Span;
use crate::space::AddressSpace;
use crate::syntax::ast::{InitDeclarator, Name, Specifiers};
use std::rc::Rc;

impl Sema<'_> {
    /// Declares a variable outside functions.
    pub(in crate::sema) fn open_cl_variable(
        &mut self,
        specifiers: &Specifiers,
        one: &InitDeclarator,
        ty: Qual,
        name: Name,
    ) -> Res<()> {
        let span = one.declarator.span;
        if let Some(known) = self.sampler(ty, one.init.as_ref(), span)? {
            self.declare(name.symbol, Entity::Constant(known, ty.ty));
            return Ok(());
        }
        let storage = self.open_cl_storage(ty, false, span)?;
        self.require_complete(ty.ty, span)?;
        self.check_storage(specifiers, one, ty, name.symbol)?;
        let text = self.text(name.symbol).to_owned();
        if one.init.is_none() && !specifiers.flags.is_extern {
            let message = format!("`__constant {text}` needs an initializer");
            return self.error("not-constant", span, message);
        }
        if let Some(Entity::Variable(first)) = self.scopes.get(self.scope).names.get(&name.symbol) {
            let first = self.variables[*first].span;
            let message = format!("`{text}` is defined twice");
            return self.fail(Diagnostic::error("redefinition", span, message).at(first, "first definition"));
        }
        // Its value can be the length of an array.
        let known = self.known_value(ty.as_constant(), one.init.as_ref(), false, None);
        let align = self.asked_alignment(specifiers, one)?;
        let mut ty = ty;
        ty.quals.is_const = true;
        let info = VariableInfo {
            name: name.symbol,
            ty,
            storage,
            init: one.init.clone().map(Rc::new),
            scope: self.scope,
            known,
            value: None,
            global: None,
            texture: None,
            reference: None,
            align,
            is_extern: specifiers.flags.is_extern && one.init.is_none(),
            is_static: true,
            is_inline: false,
            is_external: false,
            is_specialized: false,
            order: self.order,
            defined: self.order,
            span,
        };
        let index = self.variables.push(info);
        self.declare(name.symbol, Entity::Variable(index));
        Ok(())
    }

    /// The memory of a variable of a function by its type.
    pub(in crate::sema) fn local_storage(&mut self, ty: Qual, span: Span) -> Res<Option<Storage>> {
        if !self.rules.is_open_cl || self.is_builtin(span) {
            return Ok(None);
        }
        self.open_cl_storage(ty, true, span)
    }
}

impl Qual {
    /// The type without a memory, `const`: for the value of a constant.
    fn as_constant(self) -> Self {
        let mut ty = self;
        ty.quals.space = AddressSpace::Unnamed;
        ty.quals.is_const = true;
        ty
    }
}
