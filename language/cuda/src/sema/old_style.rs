//! Functions of C that are called without a prototype: `f()` declares no parameters, and a function
//! that is not declared at all returns `int`.
//!
//! The function may be in another file. A call declares it there with the promoted types of its
//! arguments, which the linker compares with the types of the definition: a difference, which the
//! standard leaves undefined, is an error.

use super::Sema;
use super::overload::Argument;
use super::scope::{Entity, FunctionIndex};
use super::types::{CTypes, Qual};
use super::value::{FunctionInfo, FunctionSet, Res, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::syntax::ast::{
    BaseType, Builtin, Chunk, Declarator, DeclaratorName, FunctionBody, FunctionChunk, FunctionDecl, Name,
    Noexcept, QualifiedName, RefQualifier, Specifiers,
};
use std::rc::Rc;

impl Sema<'_> {
    /// Whether one of two declarations of a function has no parameters, so that the other one
    /// counts.
    pub(super) fn joins_old_style(&mut self, new: &FunctionInfo, old: FunctionIndex) -> Res<bool> {
        let first = &self.functions[old];
        if !new.decl.is_open() && !first.decl.is_open() {
            return Ok(false);
        }
        let (Some(one), Some(other)) = (&new.signature, &first.signature) else { return Ok(false) };
        if self.sources.is_builtin(first.span) {
            // `char *getenv();` names the function of the library.
            return Ok(one.result == other.result);
        }
        if one.result != other.result {
            let message = "the function was declared with another result";
            let error =
                Diagnostic::error("redefinition", new.span, message).at(first.span, "first declaration");
            return self.fail(error);
        }
        Ok(true)
    }

    /// Whether a call of this name has no prototype.
    pub(super) fn is_without_prototype(&mut self, name: &QualifiedName) -> bool {
        let Some(name) = name.plain().filter(|_| self.rules.is_c && !self.rules.is_open_cl) else {
            return false;
        };
        match self.find(name.symbol) {
            // Another file may define it.
            None => self.is_part && !self.failed.contains_key(&name.symbol),
            Some((Entity::Functions(list), _)) => list.iter().all(|one| {
                let info = &self.functions[*one];
                let is_int = info.signature.as_ref().is_some_and(|one| one.result.ty == CTypes::INT);
                info.decl.is_open() || is_int && self.is_later(*one)
            }),
            Some(_) => false,
        }
    }

    /// Whether a function is declared behind the code that calls it.
    fn is_later(&self, function: FunctionIndex) -> bool {
        let info = &self.functions[function];
        self.function.as_ref().is_some_and(|caller| info.order > caller.order)
    }

    /// The function of a call without a prototype, and its arguments.
    pub(super) fn without_prototype<'e>(
        &mut self,
        name: Name,
        arguments: Vec<Argument<'e>>,
    ) -> Res<(Value, Vec<Argument<'e>>)> {
        let known = match self.find(name.symbol) {
            Some((Entity::Functions(list), _)) => list.clone(),
            _ => Vec::new(),
        };
        let later =
            known.iter().copied().find(|one| self.is_later(*one) && !self.functions[*one].decl.is_open());
        if known.is_empty() || later.is_some() {
            let message = format!("function `{}` is not declared", self.text(name.symbol));
            let mut warning = Diagnostic::warning("implicit-declaration", name.span, message)
                .label("C takes it as a function that returns `int`")
                .help("declare it above this function, or include its header");
            if let Some(later) = later {
                warning = warning.at(self.functions[later].span, "declared here");
                // From here on it is declared.
                self.functions[later].order = 0;
            }
            self.out.push_once(warning);
        }
        let (function, arguments) = match later {
            Some(later) => (later, arguments),
            None => self.declared_by_call(name, &known, arguments)?,
        };
        let set = FunctionSet {
            functions: vec![function],
            arguments: None,
            object: None,
            is_named: false,
            name: name.symbol,
        };
        let kind = ValueKind::Functions(Box::new(set));
        Ok((Value { kind, ty: Qual::plain(CTypes::VOID), span: name.span }, arguments))
    }

    /// Declares a function with the promoted types of the arguments.
    fn declared_by_call<'e>(
        &mut self,
        name: Name,
        known: &[FunctionIndex],
        arguments: Vec<Argument<'e>>,
    ) -> Res<(FunctionIndex, Vec<Argument<'e>>)> {
        let (mut parameters, mut values) = (Vec::new(), Vec::new());
        for argument in arguments {
            let Argument::Value(value) = argument else { return Err(super::Failed) };
            let value = self.promoted_bits(value)?;
            let value = self.rvalue(value)?;
            let ty = value.ty.ty;
            let to = if ty == CTypes::FLOAT { CTypes::DOUBLE } else { self.types.promoted(ty) };
            parameters.push(Qual::plain(to));
            values.push(Argument::Value(value));
        }
        let has_them = |one: &&FunctionIndex| {
            self.functions[**one].signature.as_ref().is_some_and(|one| one.parameters == parameters)
        };
        if let Some(function) = known.iter().find(has_them) {
            return Ok((*function, values));
        }
        let mut info = match known.first() {
            Some(first) => {
                let (decl, scope) = (self.functions[*first].decl.clone(), self.functions[*first].scope);
                self.function_info(&decl, scope)?
            }
            None => self.implicitly_declared(name)?,
        };
        (info.order, info.defaults) = (0, vec![None; parameters.len()]);
        if let Some(signature) = &mut info.signature {
            signature.parameters = parameters;
        }
        let scope = info.scope;
        let function = self.functions.push(info);
        self.scopes.add_function(scope, name.symbol, function);
        Ok((function, values))
    }

    /// `int f();`
    fn implicitly_declared(&mut self, name: Name) -> Res<FunctionInfo> {
        let chunk = FunctionChunk {
            parameters: Vec::new(),
            variadic: false,
            is_old_style: true,
            is_const: false,
            reference: RefQualifier::None,
            noexcept: Noexcept::No,
            trailing: None,
            overrides: false,
            is_final: false,
            requires: None,
            span: name.span,
        };
        let declarator = Declarator {
            name: DeclaratorName::Plain(name),
            chunks: vec![Chunk::Function(Box::new(chunk))],
            span: name.span,
        };
        let specifiers = Specifiers::of_both_halves(BaseType::Builtin(Builtin::Int), name.span);
        let decl = FunctionDecl {
            specifiers: Rc::new(specifiers),
            declarator,
            template: None,
            extern_c: true,
            is_pure: false,
            body: FunctionBody::None,
        };
        let scope = self.scopes.outwards(self.scope).last().unwrap_or(self.scope);
        self.function_info(&Rc::new(decl), scope)
    }
}
