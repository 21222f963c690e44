//! Concepts and `requires`: whether template arguments satisfy a constraint ([temp.constr]).

use super::Sema;
use super::scope::{Constant, Entity, FunctionIndex, Owner, ScopeId, TemplateIndex};
use super::types::{CTypes, Qual, TypeKind};
use super::value::{Failed, Res, TemplateValue, Value};
use crate::budget::Resource;
use crate::diagnostics::Diagnostic;
use crate::hir::LocalKind;
use crate::lex::{Punct, Symbol};
use crate::source::Span;
use crate::syntax::PART_OF_CHAIN;
use crate::syntax::ast::{
    DeclKind, Expr, ExprKind, Initializer, QualifiedName, RecordDecl, Requirement, Requires, Segment,
    Specifiers, TemplateArgument, TemplateParameters, TypeName,
};

/// The constraint that a concept is a name for.
pub(super) fn definition(decl: &RecordDecl) -> Option<&Expr> {
    let member = decl.members.as_ref().filter(|_| decl.is_concept)?.first()?;
    let DeclKind::Simple(_, list) = &member.decl.kind else { return None };
    match &list.first()?.init {
        Some(Initializer::Value(value)) => Some(value),
        _ => None,
    }
}

/// The operands of `&&` or `||` that form a constraint.
pub(super) fn operands(constraint: &Expr) -> Option<(Punct, &Expr, &Expr)> {
    match &constraint.kind {
        ExprKind::Binary(op @ (Punct::AndAnd | Punct::OrOr), left, right, _)
            if usize::from(constraint.chain) < PART_OF_CHAIN =>
        {
            Some((*op, left, right))
        }
        _ => None,
    }
}

impl Sema<'_> {
    /// Whether a constraint is satisfied in the current scope. What cannot be formed with the
    /// template arguments is not.
    pub(super) fn satisfied(&mut self, constraint: &Expr) -> Res<bool> {
        self.spend(Resource::Steps, 2, constraint.span)?;
        match operands(constraint) {
            Some((Punct::AndAnd, left, right)) => return Ok(self.satisfied(left)? && self.satisfied(right)?),
            Some((_, left, right)) => return Ok(self.satisfied(left)? || self.satisfied(right)?),
            None => {}
        }
        let mut wrong = None;
        let holds = self.holds(|sema| {
            let (value, ty) =
                sema.without_evaluation(|sema| sema.constant_int(constraint, "a constraint"))?;
            wrong = (ty != CTypes::BOOL).then_some(ty);
            Ok(value != 0)
        })?;
        if let Some(ty) = wrong {
            let shown = self.show(Qual::plain(ty));
            let message = format!("a constraint must have type `bool`, not `{shown}`");
            return self.error("wrong-type", constraint.span, message);
        }
        Ok(holds)
    }

    /// The answer of a step; `false` if it fails, except at a limit of the compiler.
    fn holds(&mut self, step: impl FnOnce(&mut Self) -> Res<bool>) -> Res<bool> {
        let mark = self.out.mark();
        let found = step(self);
        let messages = self.out.list().get(mark..).unwrap_or_default();
        if found.is_err() && (self.out.is_stopped() || messages.iter().any(|one| one.code == "limit")) {
            return Err(Failed);
        }
        self.out.truncate(mark);
        Ok(found.unwrap_or(false))
    }

    /// Runs a step in a scope as if it were outside of the function that is analyzed.
    fn apart<T>(&mut self, scope: ScopeId, step: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let outer = self.function.take();
        let result = self.in_scope(scope, step);
        self.function = outer;
        result
    }

    /// The value of `concept<arguments>`.
    pub(super) fn concept_value(
        &mut self,
        template: TemplateIndex,
        segment: &Segment,
        span: Span,
    ) -> Res<Value> {
        let info = &self.templates[template];
        let (decl, scope) = (info.decl.clone(), info.scope);
        let (Some(parameters), Some(constraint)) = (&decl.template, definition(&decl)) else {
            return Err(Failed);
        };
        let Some(arguments) = &segment.arguments else {
            let text = self.text(segment.name.symbol).to_owned();
            return self.error("template", span, format!("concept `{text}` needs arguments"));
        };
        let values = self.template_values(arguments, parameters)?;
        let values = self.in_scope(scope, |sema| sema.complete_arguments(parameters, values, span))?;
        let known = self.templates[template].satisfied.get(&values).copied();
        let holds = if let Some(known) = known {
            known
        } else {
            let holds = self.deeper(span, |sema| {
                let inner = sema.bind(scope, parameters, &values);
                sema.apart(inner, |sema| sema.satisfied(constraint))
            })?;
            self.templates[template].satisfied.insert(values, holds);
            holds
        };
        Ok(Value::int(i128::from(holds), CTypes::BOOL, span))
    }

    /// Whether arguments satisfy the constraint of their template.
    pub(super) fn arguments_satisfy(
        &mut self,
        outer: ScopeId,
        parameters: &TemplateParameters,
        values: &[TemplateValue],
    ) -> Res<bool> {
        let Some(constraint) = &parameters.constraint else { return Ok(true) };
        self.deeper(constraint.span, |sema| {
            let scope = sema.bind(outer, parameters, values);
            sema.apart(scope, |sema| sema.satisfied(constraint))
        })
    }

    /// Refuses arguments that do not satisfy the constraint of their template.
    pub(super) fn require_satisfied(
        &mut self,
        outer: ScopeId,
        parameters: &TemplateParameters,
        values: &[TemplateValue],
        name: &str,
        span: Span,
    ) -> Res<()> {
        if self.arguments_satisfy(outer, parameters, values)? {
            return Ok(());
        }
        let place = parameters.constraint.as_ref().map_or(parameters.span, |constraint| constraint.span);
        let shown = self.show_arguments(values);
        let message = format!("`{shown}` does not satisfy the constraint of `{name}`");
        let error = Diagnostic::error("constraint", span, message);
        self.fail(error.at(place, "this is not satisfied"))
    }

    /// Whether a function can be called with these arguments of its template: its constraint and
    /// the `requires` behind its parameters are satisfied.
    pub(super) fn function_satisfied(
        &mut self,
        function: FunctionIndex,
        values: &[TemplateValue],
    ) -> Res<bool> {
        let info = &self.functions[function];
        let (outer, template, decl) = (info.scope, info.template.clone(), info.decl.clone());
        let chunk = decl.declarator.function();
        let own = template.as_ref().and_then(|template| template.constraint.as_ref());
        let trailing = chunk.and_then(|chunk| Some((chunk, chunk.requires.as_ref()?)));
        self.unsatisfied.remove(&function);
        if own.is_none() && trailing.is_none() {
            return Ok(true);
        }
        if let Some(template) = &template
            && !self.arguments_satisfy(outer, template, values)?
        {
            let place = own.map_or(template.span, |constraint| constraint.span);
            self.unsatisfied.insert(function, place);
            return Ok(false);
        }
        let Some((chunk, constraint)) = trailing else { return Ok(true) };
        let holds = self.deeper(constraint.span, |sema| {
            let scope = match &template {
                Some(template) => sema.bind(outer, template, values),
                None => outer,
            };
            sema.apart(scope, |sema| {
                sema.holds(|sema| sema.in_parameters(chunk, |sema| sema.satisfied(constraint)))
            })
        })?;
        if !holds {
            self.unsatisfied.insert(function, constraint.span);
        }
        Ok(holds)
    }

    /// Whether a function has a constraint.
    pub(super) fn is_constrained(&self, function: FunctionIndex) -> bool {
        let info = &self.functions[function];
        info.template.as_ref().is_some_and(|template| template.constraint.is_some())
            || info.decl.declarator.function().is_some_and(|chunk| chunk.requires.is_some())
    }

    /// Adds the constraints of candidates that are not satisfied to a message.
    pub(super) fn with_unsatisfied(&self, mut error: Diagnostic, functions: &[FunctionIndex]) -> Diagnostic {
        for place in functions.iter().filter_map(|one| self.unsatisfied.get(one)).take(4) {
            if !self.is_builtin(*place) {
                error = error.at(*place, "this constraint is not satisfied");
            }
        }
        error
    }

    /// The value of a `requires` expression. Outside of templates, what is not valid is an error.
    pub(super) fn requires_value(&mut self, requires: &Requires, span: Span) -> Res<Value> {
        let in_template = self.is_in_template();
        let step = |sema: &mut Self| {
            sema.without_evaluation(|sema| {
                let own = sema.scopes.add(sema.scope, Owner::Block);
                sema.in_scope(own, |sema| sema.meets(requires))
            })
        };
        let holds = if in_template { self.holds(step)? } else { step(self)? };
        Ok(Value::int(i128::from(holds), CTypes::BOOL, span))
    }

    /// Whether template arguments have values in the current scope.
    fn is_in_template(&self) -> bool {
        self.scopes.outwards(self.scope).any(|scope| self.scopes.get(scope).owner == Owner::Template)
    }

    /// Whether all requirements are met.
    fn meets(&mut self, requires: &Requires) -> Res<bool> {
        let signature = self.signature(&requires.function, Qual::plain(CTypes::VOID))?;
        let parameters = &requires.function.parameters;
        self.declare_parameters(parameters, &signature.parameters, |sema, name, ty, span| {
            sema.new_local(name, ty, LocalKind::Variable, span)
        })?;
        for one in &requires.list {
            self.spend(Resource::Steps, 2, requires.function.span)?;
            let is_met = match one {
                Requirement::Valid(value) => self.expression(value).map(|_| true)?,
                Requirement::Type(ty) => self.type_name(ty).map(|_| true)?,
                Requirement::Nested(constraint) => self.satisfied(constraint)?,
                Requirement::Compound(value, quiet, of_type) => {
                    self.expression(value)?;
                    let is_quiet = match quiet {
                        Some(span) => self.noexcept(value, *span)?.known(),
                        None => None,
                    };
                    !matches!(is_quiet, Some(Constant::Int(0)))
                        && of_type.as_ref().map_or(Ok(true), |of_type| self.satisfied(of_type))?
                }
            };
            if !is_met {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Refuses the type that `auto` is where a concept is in front of it. `declared` is the type
    /// with `auto`, and `found` the type that it becomes.
    pub(super) fn check_placeholder(
        &mut self,
        specifiers: &Specifiers,
        declared: Qual,
        found: Qual,
    ) -> Res<()> {
        let Some(concept) = &specifiers.constraint else { return Ok(()) };
        let (mut pattern, mut ty) = (declared, found);
        while self.types.kind(pattern.ty) != &TypeKind::Auto {
            let inner = |ty: Qual| self.types.referent(ty.ty).or_else(|| self.types.pointee(ty.ty));
            let Some(next) = inner(pattern) else { break };
            let is_reference = self.types.referent(pattern.ty).is_some();
            if !is_reference || self.types.referent(ty.ty).is_some() {
                ty = inner(ty).unwrap_or(ty);
            }
            pattern = next;
        }
        if pattern.quals.is_const {
            ty.quals.is_const = false;
        }
        ty.quals.is_expiring = false;
        if self.type_satisfies(concept, ty)? {
            return Ok(());
        }
        let (text, shown) = (self.text(concept.last().name.symbol).to_owned(), self.show(ty));
        let message = format!("`{shown}` does not satisfy `{text}`");
        self.error("constraint", concept.span, message)
    }

    /// [`Self::check_placeholder`] for a variable of the function.
    pub(super) fn check_local_placeholder(
        &mut self,
        specifiers: &Specifiers,
        declared: Qual,
        name: Symbol,
    ) -> Res<()> {
        let found = match self.scopes.get(self.scope).names.get(&name) {
            Some(Entity::Local(info)) => info.ty,
            Some(Entity::Static(_, ty)) => *ty,
            _ => return Ok(()),
        };
        self.check_placeholder(specifiers, declared, found)
    }

    /// Whether a type satisfies the concept of `concept<arguments> auto`.
    fn type_satisfies(&mut self, concept: &QualifiedName, ty: Qual) -> Res<bool> {
        let (entity, _) = self.find_qualified(concept)?;
        let Entity::RecordTemplate(template) = entity else { return Err(Failed) };
        // The type has a name in a scope, which the argument in front of the written ones names.
        let name = concept.last().name;
        let scope = self.scopes.add(self.scope, Owner::Template);
        self.scopes.get_mut(scope).names.insert(name.symbol, Entity::Type(ty));
        let first = TemplateArgument::Type(TypeName::named(QualifiedName::of(name)));
        let written = concept.last().arguments.clone().unwrap_or_default();
        let arguments = std::iter::once(first).chain(written).collect();
        let segment = Segment { name, arguments: Some(arguments) };
        let value = self.in_scope(scope, |sema| sema.concept_value(template, &segment, concept.span))?;
        Ok(value.known() == Some(Constant::Int(1)))
    }
}
