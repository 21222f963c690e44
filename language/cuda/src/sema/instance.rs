//! Instances of class templates and functions ([temp.inst]).

use super::constraint_order::{Normal, is_stronger};
use super::scope::{FunctionIndex, Owner, ScopeId, Scopes, TemplateIndex};
use super::types::{CTypes, Qual, RecordId, Signature, TypeKind};
use super::value::{Failed, Instance, Res, TemplateValue};
use super::{MAX_CHAIN, MAX_NAME, Sema};
use crate::budget::Resource;
use crate::diagnostics::Diagnostic;
use crate::hir;
use crate::source::Span;
use crate::syntax::ast::{
    RecordDecl, TemplateArgument, TemplateParameter, TemplateParameterKind, TemplateParameters,
};
use std::rc::Rc;

impl Sema<'_> {
    /// The instance of a class template around the current scope.
    pub(super) fn enclosing_instance(&self, template: TemplateIndex) -> Option<RecordId> {
        self.scopes.outwards(self.scope).find_map(|scope| match self.scopes.get(scope).owner {
            Owner::Record(record) => {
                let of = self.records[record].template.as_ref().map(|(template, _)| *template);
                (of == Some(template)).then_some(record)
            }
            _ => None,
        })
    }

    /// The class that a template and complete arguments make.
    pub(super) fn instantiate_record(
        &mut self,
        template: TemplateIndex,
        arguments: Vec<TemplateValue>,
        span: Span,
    ) -> Res<RecordId> {
        if let Some(&known) = self.templates[template].instances.get(&arguments) {
            return Ok(known);
        }
        self.spend(Resource::Classes, 1, span)?;
        let mut height = 0;
        for value in self.packs.flat(&arguments) {
            if let TemplateValue::Type(Qual { ty, .. }) = value {
                self.check_height(ty, span)?;
                height = height.max(self.types.height(ty));
            }
        }
        let info = &self.templates[template];
        let (mut decl, mut outer) = (info.decl.clone(), info.scope);
        let specializations = info.specializations.clone();
        if let Some(name) = decl.name
            && let Some((nested, scope)) = self.nested_definition(outer, name.symbol)
        {
            (decl, outer) = (nested, scope);
        }
        let parameters = decl.template.clone();
        if let (Some(parameters), Some(name)) = (&parameters, decl.name) {
            let name = self.text(name.symbol).to_owned();
            self.require_satisfied(outer, parameters, &arguments, &name, span)?;
        }
        let mut scope = None;
        let mut matched = Vec::new();
        for special in &specializations {
            let Some(own) = special.1.template.clone() else { continue };
            self.spend(Resource::Steps, 4, span)?;
            let values = self.fits_special(template, &own, &special.0, &arguments, span);
            if let Some(values) = values
                && self.arguments_satisfy(outer, &own, &values)?
            {
                matched.push((special, own, values));
            }
        }
        let best = match matched.as_slice() {
            [] => None,
            [_] => Some(0),
            several => {
                let list: Vec<_> = several.iter().map(|(special, ..)| *special).collect();
                let constraints: Vec<_> =
                    several.iter().map(|(_, own, values)| self.normal_of(outer, own, values, None)).collect();
                Some(self.most_special(template, &list, &constraints, span)?)
            }
        };
        if let Some((special, own, values)) = best.map(|best| matched.swap_remove(best)) {
            scope = Some(self.bind(outer, &own, &values));
            decl = special.1.clone();
        }
        let scope = match (scope, &parameters) {
            (Some(scope), _) => scope,
            (None, Some(parameters)) => self.bind(outer, parameters, &arguments),
            (None, None) => outer,
        };
        let name = decl.name.map(|name| name.symbol);
        let id = self.new_record(name, scope, decl.span);
        self.types.set_height(id, height);
        let written = match &parameters {
            Some(parameters) if self.is_builtin(decl.span) => {
                self.count_without_defaults(outer, parameters, &arguments, span)
            }
            _ => arguments.len(),
        };
        let shown = self.show_arguments(&arguments[..written]);
        let record = &mut self.records[id];
        record.name.push_str(&shown);
        if record.name.len() > MAX_NAME {
            record.name.truncate(record.name.floor_char_boundary(MAX_NAME));
            record.name.push_str("...");
        }
        record.template = Some((template, arguments.clone()));
        if decl.members.is_some() {
            record.decl = Some(Rc::<RecordDecl>::clone(&decl));
        }
        self.templates[template].instances.insert(arguments, id);
        Ok(id)
    }

    /// The number of template arguments up to the last that is not its default. Messages show these
    /// of a class of the library: `vector<int>`.
    fn count_without_defaults(
        &mut self,
        outer: ScopeId,
        parameters: &TemplateParameters,
        arguments: &[TemplateValue],
        span: Span,
    ) -> usize {
        let scope = self.bind(outer, parameters, arguments);
        let mark = self.out.mark();
        let is_default = |sema: &mut Self, at: usize| {
            let parameter = &parameters.list[at];
            let is_class =
                matches!(arguments[at], TemplateValue::Type(ty) if sema.types.record(ty.ty).is_some());
            is_class
                && matches!(parameter.kind, TemplateParameterKind::Type(Some(_)))
                && sema.default_value(scope, parameters, parameter, span).ok() == Some(arguments[at])
        };
        let mut count = arguments.len();
        while count > 0 && is_default(self, count - 1) {
            count -= 1;
        }
        self.out.truncate(mark);
        count
    }

    /// The most special of several partial specializations that fit ([temp.spec.partial.order]).
    fn most_special(
        &mut self,
        template: TemplateIndex,
        list: &[&(Vec<TemplateArgument>, Rc<RecordDecl>)],
        constraints: &[Option<Normal>],
        span: Span,
    ) -> Res<usize> {
        let with = |at: usize| (list[at], constraints[at].as_ref());
        let mut best = 0;
        for at in 1..list.len() {
            if self.is_more_special(template, with(at), with(best), span)? {
                best = at;
            }
        }
        for at in 0..list.len() {
            if at != best && !self.is_more_special(template, with(best), with(at), span)? {
                let message = "several specializations of the template fit equally well";
                let error = Diagnostic::error("ambiguous", span, message)
                    .at(list[best].1.span, "candidate")
                    .at(list[at].1.span, "candidate");
                return self.fail(error);
            }
        }
        Ok(best)
    }

    /// Whether every class that fits one specialization fits another, and not the other way round.
    fn is_more_special(
        &mut self,
        template: TemplateIndex,
        (one, constraint): (&(Vec<TemplateArgument>, Rc<RecordDecl>), Option<&Normal>),
        (other, other_constraint): (&(Vec<TemplateArgument>, Rc<RecordDecl>), Option<&Normal>),
        span: Span,
    ) -> Res<bool> {
        self.spend(Resource::Steps, 20, span)?;
        let pattern = |special: &(Vec<TemplateArgument>, Rc<RecordDecl>)| special.1.template.clone();
        let (Some(own), Some(its)) = (pattern(one), pattern(other)) else { return Ok(false) };
        let (first, second) = ((&one.0[..], own), (&other.0[..], its));
        let fits = (
            self.fits_pattern(template, &first, &second, span),
            self.fits_pattern(template, &second, &first, span),
        );
        let expansions = |pattern: &[TemplateArgument]| {
            pattern.iter().filter(|one| matches!(one, TemplateArgument::Expand(..))).count()
        };
        Ok(match fits {
            (fits, false) => fits,
            (false, true) => false,
            // A pattern without `...`, or with more in front of it, is more special.
            (true, true) => {
                let (one, other) = (&one.0, &other.0);
                expansions(one) < expansions(other)
                    || expansions(one) == expansions(other)
                        && (one.len() > other.len()
                            || one.len() == other.len() && is_stronger(constraint, other_constraint))
            }
        })
    }

    /// Whether the arguments of a specialization, with stand-ins for its parameters, fit another.
    pub(super) fn fits_pattern(
        &mut self,
        template: TemplateIndex,
        (pattern, own): &(&[TemplateArgument], Rc<TemplateParameters>),
        (other_pattern, other): &(&[TemplateArgument], Rc<TemplateParameters>),
        span: Span,
    ) -> bool {
        let outer = self.templates[template].scope;
        let Some(primary) = self.templates[template].decl.template.clone() else { return false };
        let values: Vec<TemplateValue> = own.list.iter().map(|one| self.stand_in(one, span)).collect();
        let scope = self.bind(outer, own, &values);
        let mark = self.out.mark();
        let values = self.in_scope(scope, |sema| sema.template_values(pattern, &primary));
        let values = values
            .and_then(|values| self.in_scope(outer, |sema| sema.complete_arguments(&primary, values, span)));
        self.out.truncate(mark);
        let Ok(values) = values else { return false };
        self.fits_special(template, other, other_pattern, &values, span).is_some()
    }

    /// Returns the arguments of a specialization that an instance with these arguments is, if it
    /// is.
    pub(super) fn fits_special(
        &mut self,
        template: TemplateIndex,
        own: &TemplateParameters,
        pattern: &[TemplateArgument],
        arguments: &[TemplateValue],
        span: Span,
    ) -> Option<Vec<TemplateValue>> {
        let outer = self.templates[template].scope;
        let values = self.match_specialization(outer, own, pattern, arguments)?;
        let primary = self.templates[template].decl.template.clone()?;
        if pattern.len() >= primary.list.len() || primary.list.iter().any(|one| one.is_pack) {
            return Some(values);
        }
        // The arguments that it does not write are the defaults.
        let scope = self.bind(outer, own, &values);
        let mark = self.out.mark();
        let written = self.in_scope(scope, |sema| sema.template_values(pattern, &primary));
        let all = written.and_then(|written| {
            self.in_scope(outer, |sema| sema.complete_arguments(&primary, written, span))
        });
        self.out.truncate(mark);
        all.is_ok_and(|all| all.iter().zip(arguments).all(|(one, other)| one.is_like(other)))
            .then_some(values)
    }

    /// An argument that equals no other, for a parameter of a template.
    pub(super) fn stand_in(&mut self, parameter: &TemplateParameter, span: Span) -> TemplateValue {
        let one = |sema: &mut Self| match &parameter.kind {
            TemplateParameterKind::Type(_) | TemplateParameterKind::Template(..) => {
                let record = sema.new_record(None, Scopes::FILE, span);
                TemplateValue::Type(Qual::plain(sema.types.intern(TypeKind::Record(record))))
            }
            TemplateParameterKind::Value(..) => {
                // No program has it, and an array may be so long.
                let number = 1_000_003_019 + sema.scopes.count() as i128;
                TemplateValue::Value(number, CTypes::INT)
            }
        };
        if !parameter.is_pack {
            return one(self);
        }
        let list = [one(self), one(self)];
        self.packs.intern(&list)
    }

    /// The index of an instance of a function; it is analyzed later.
    pub(super) fn instance(
        &mut self,
        function: FunctionIndex,
        arguments: Vec<TemplateValue>,
        span: Span,
    ) -> Res<hir::FunctionId> {
        if let Some(&known) = self.functions[function].instances.get(&arguments) {
            self.queue(known);
            return Ok(known);
        }
        self.spend(Resource::Functions, 1, span)?;
        let chain = self.chain_of(&arguments);
        if chain > MAX_CHAIN {
            self.out.stop(span, format!("function templates lead to each other more than {MAX_CHAIN} times"));
            return Err(Failed);
        }
        let info = &self.functions[function];
        if let Some((_, special)) = info.specializations.iter().find(|(values, _)| *values == arguments) {
            return self.instance(*special, Vec::new(), span);
        }
        let (scope, signature) = self.instance_type(function, &arguments, span)?;
        if self.functions[function].global {
            let decl = self.functions[function].decl.clone();
            if signature.result.ty != CTypes::VOID {
                return self.error("kernel-result", decl.specifiers.span, "a kernel must return `void`");
            }
        }
        let origin = match &self.function {
            Some(function) if self.is_builtin(span) => function.origin,
            _ => span,
        };
        let id = self.instances.push(Instance {
            function,
            arguments: arguments.clone(),
            scope,
            signature,
            body: None,
            queued: false,
            started: false,
            needed_at: span,
            origin,
            chain,
        });
        self.functions[function].instances.insert(arguments, id);
        self.queue(id);
        Ok(id)
    }

    /// Has the body of an instance analyzed later, if code calls it.
    fn queue(&mut self, id: hir::FunctionId) {
        // The host half launches kernels by name.
        let is_made = self.rules.has_device_code || !self.functions[self.instances[id].function].global;
        if !self.is_unevaluated && is_made && !std::mem::replace(&mut self.instances[id].queued, true) {
            self.pending.push_back(id);
        }
    }

    /// Instances of templates that led to one with these arguments, from the function that is
    /// analyzed.
    fn chain_of(&self, arguments: &[TemplateValue]) -> u32 {
        let around = self.function.as_ref().and_then(|function| function.instance);
        let around = around.map_or(0, |id| self.instances[id].chain);
        // Methods of class templates have no arguments.
        around + u32::from(!arguments.is_empty())
    }

    /// Scope and types of an instance.
    pub(super) fn instance_type(
        &mut self,
        function: FunctionIndex,
        arguments: &[TemplateValue],
        span: Span,
    ) -> Res<(ScopeId, Signature)> {
        let info = &self.functions[function];
        let (outer, decl) = (info.scope, info.decl.clone());
        let Some(template) = info.template.clone() else {
            let Some(signature) = info.signature.clone() else {
                return self.error("wrong-type", span, "the types of this function are not known");
            };
            return Ok((outer, signature));
        };
        let scope = self.bind(outer, &template, arguments);
        let signature = self.deeper(span, |sema| sema.in_scope(scope, |sema| sema.function_type(&decl)))?;
        Ok((scope, signature))
    }
}
