//! Which names other files of the program reach ([basic.link]).

use super::Sema;
use super::scope::{Owner, ScopeId, VariableIndex};
use super::value::FunctionName;
use crate::hir::{FunctionId, Linkage, Storage};
use crate::syntax::ast::{DeclaratorName, FunctionBody};

impl Sema<'_> {
    /// The linkage of a function, which has a body.
    pub(super) fn function_linkage(&self, id: FunctionId) -> Linkage {
        let instance = &self.instances[id];
        let info = &self.functions[instance.function];
        let flags = info.decl.specifiers.flags;
        let is_method = info.class.is_some();
        let is_own = flags.is_static && !is_method || self.is_nameless(info.scope);
        let is_device = self.rules.has_device_code && !info.global;
        if is_own || is_device {
            return Linkage::Internal;
        }
        if self.is_builtin(info.span) {
            return Linkage::Weak;
        }
        let is_template =
            !instance.arguments.is_empty() || info.class.is_some_and(|class| self.inside_template(class));
        let is_outside = match &info.decl.declarator.name {
            DeclaratorName::Qualified(name) => name.segments.len() > 1,
            DeclaratorName::Operator(name, _)
            | DeclaratorName::Constructor(name)
            | DeclaratorName::Destructor(name) => name.is_some(),
            _ => false,
        };
        let is_inline = flags.is_inline || flags.is_constexpr || flags.forceinline;
        let is_implicit = matches!(info.decl.body, FunctionBody::Defaulted);
        let is_lambda = info.name == FunctionName::Conversion;
        if is_template || is_inline || is_implicit || is_lambda || is_method && !is_outside {
            return Linkage::Weak;
        }
        Linkage::External
    }

    /// The linkage of a variable outside of functions.
    pub(super) fn variable_linkage(&self, variable: VariableIndex, owner: ScopeId) -> Linkage {
        let info = &self.variables[variable];
        let is_host = info.storage == Some(Storage::Host) && info.reference.is_none();
        let record = self.scopes.class(owner);
        let is_const = info.ty.quals.is_const && !info.is_external && !self.rules.is_c;
        let is_own = record.is_none() && (info.is_static || is_const && !info.is_inline);
        // Each file has its own copy of a variable in device memory, as without `-rdc=true`.
        if !is_host || self.is_builtin(info.span) || is_own || self.is_nameless(owner) {
            return Linkage::Internal;
        }
        if info.is_extern {
            return Linkage::Undefined;
        }
        let is_in_class = record.is_some() && (info.known.is_some() || info.init.is_some() && info.is_static);
        let is_of_template =
            record.is_some_and(|record| self.inside_template(record)) && !info.is_specialized;
        if info.is_inline || is_of_template {
            return Linkage::Weak;
        }
        if is_in_class && info.ty.quals.is_const {
            return Linkage::Weak;
        }
        if self.rules.is_c && info.init.is_none() {
            return Linkage::Common;
        }
        Linkage::External
    }

    /// The linkage of a static variable of the current function.
    pub(super) fn local_linkage(&self) -> Linkage {
        let function = self.function.as_ref().and_then(|function| function.instance);
        let is_weak = !self.rules.has_device_code
            && function.is_some_and(|id| self.function_linkage(id) == Linkage::Weak);
        if is_weak { Linkage::Weak } else { Linkage::Internal }
    }

    /// Whether no other file can name what is in a scope.
    pub(super) fn is_nameless(&self, scope: ScopeId) -> bool {
        self.scopes
            .outwards(scope)
            .any(|scope| matches!(self.scopes.get(scope).owner, Owner::Namespace(None) | Owner::Block))
    }
}
