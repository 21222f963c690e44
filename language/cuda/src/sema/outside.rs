//! Members that are defined outside of their class template: which class a definition means, and
//! the values of its parameters there ([temp.mem.class], [temp.spec.partial.member]).

use super::Sema;
use super::scope::{Entity, ScopeId, TemplateIndex};
use super::types::RecordId;
use super::value::{OuterClass, OuterNested, Res};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{QualifiedName, RecordDecl, Segment, TemplateArgument, TemplateParameters};
use std::rc::Rc;

impl Sema<'_> {
    /// The class template that a definition outside of it names in front of a member, and the class
    /// of the member. `None` if the name has no template that is not a specialization.
    pub(super) fn outer_class(
        &mut self,
        name: &QualifiedName,
        parameters: &Rc<TemplateParameters>,
    ) -> Res<Option<(TemplateIndex, OuterClass)>> {
        let plain = |segment: &Segment| Segment { name: segment.name, arguments: None };
        let front = &name.segments[..name.segments.len() - 1];
        for length in 1..=front.len() {
            let segments = front[..length].iter().map(plain).collect();
            let (entity, _) = self.find_qualified(&QualifiedName { segments, ..name.clone() })?;
            let Entity::RecordTemplate(template) = entity else { continue };
            let inner = &front[length..];
            if inner.iter().any(|segment| segment.arguments.is_some()) {
                return self
                    .unsupported(name.span, "a definition for a class template inside a class template");
            }
            let arguments = front[length - 1].arguments.as_deref();
            let special =
                arguments.and_then(|arguments| self.special(template, parameters, arguments, name.span));
            let path = inner.iter().map(|segment| segment.name.symbol).collect();
            return Ok(Some((template, OuterClass { special, path })));
        }
        Ok(None)
    }

    /// Declares the definition of a class or class template inside a class template.
    pub(super) fn collect_nested(&mut self, decl: &Rc<RecordDecl>, name: &QualifiedName) -> Res<()> {
        let Some(own) = &decl.template else { return Ok(()) };
        let (parameters, template) = match &own.outer {
            Some(outer) => {
                let own = TemplateParameters { outer: None, ..TemplateParameters::clone(own) };
                (Rc::clone(outer), Some(Rc::new(own)))
            }
            None => (Rc::clone(own), None),
        };
        let is_deep = parameters.outer.is_some() || decl.arguments.is_some();
        let around = if is_deep { None } else { self.outer_class(name, &parameters)? };
        let Some((home, class)) = around else {
            return self.unsupported(name.span, "this definition of a class inside a class template");
        };
        let exact = match name.segments.iter().find_map(|segment| segment.arguments.as_ref()) {
            Some(arguments) if parameters.list.is_empty() => {
                let Some(own) = self.templates[home].decl.template.clone() else { return Ok(()) };
                let values = self.template_values(arguments, &own)?;
                Some(self.complete_arguments(&own, values, name.span)?)
            }
            _ => None,
        };
        let decl = Rc::new(RecordDecl { outside: None, template, ..RecordDecl::clone(decl) });
        self.templates[home].nested.push(Rc::new(OuterNested { class, exact, parameters, decl }));
        Ok(())
    }

    /// The definition of a class inside an instance of a class template, if it is outside of that,
    /// and the scope around it.
    pub(super) fn nested_definition(
        &mut self,
        scope: ScopeId,
        name: Symbol,
    ) -> Option<(Rc<RecordDecl>, ScopeId)> {
        let class = self.scopes.class(scope)?;
        let (home, path) = self.home_of(class)?;
        let (template, arguments) = self.records[home].template.clone()?;
        let is_named = |one: &&Rc<OuterNested>| one.decl.name.is_some_and(|own| own.symbol == name);
        let found: Vec<_> = self.templates[template].nested.iter().filter(is_named).cloned().collect();
        let is_exact =
            |one: &&Rc<OuterNested>| one.exact.as_ref() == Some(&arguments) && one.class.path == path;
        if let Some(one) = found.iter().find(is_exact) {
            return Some((Rc::clone(&one.decl), scope));
        }
        found.into_iter().filter(|one| one.exact.is_none()).find_map(|one| {
            let bound = self.bind_outer(scope, class, (&one.class, &one.parameters))?;
            Some((Rc::clone(&one.decl), bound))
        })
    }

    /// The partial specialization, declared before, that has these parameters and arguments.
    fn special(
        &mut self,
        template: TemplateIndex,
        parameters: &Rc<TemplateParameters>,
        arguments: &[TemplateArgument],
        span: Span,
    ) -> Option<(usize, Vec<TemplateArgument>)> {
        let one = (arguments, Rc::clone(parameters));
        let specializations = self.templates[template].specializations.clone();
        let is_expanded = |one: &TemplateArgument| matches!(one, TemplateArgument::Expand(..));
        let number = specializations.iter().position(|(pattern, decl)| {
            pattern.iter().map(is_expanded).eq(arguments.iter().map(is_expanded))
                && decl.template.clone().is_some_and(|own| {
                    let other = (&pattern[..], own);
                    self.fits_pattern(template, &one, &other, span)
                        && self.fits_pattern(template, &other, &one, span)
                })
        })?;
        Some((number, arguments.to_vec()))
    }

    /// The instance of a class template that a class is or is inside of, and the path to the class
    /// as in [`OuterClass`].
    pub(super) fn home_of(&self, class: RecordId) -> Option<(RecordId, Vec<Symbol>)> {
        let (mut home, mut path) = (class, Vec::new());
        while self.records[home].template.is_none() {
            path.push(self.records[home].symbol?);
            let mut around = self.scopes.outwards(self.records[home].parent);
            home = around.find_map(|scope| self.scopes.class(scope))?;
        }
        path.reverse();
        Some((home, path))
    }

    /// Makes a scope in which the parameters of a definition outside of a class template have the
    /// values that the class of the member gives them; `None` if it is the definition for another
    /// class.
    pub(super) fn bind_outer(
        &mut self,
        scope: ScopeId,
        class: RecordId,
        (outer, parameters): (&OuterClass, &TemplateParameters),
    ) -> Option<ScopeId> {
        let (home, path) = self.home_of(class)?;
        let record = &self.records[home];
        let (template, arguments) = record.template.clone()?;
        let specializations = self.templates[template].specializations.iter();
        let own = record.decl.as_ref().and_then(|decl| {
            specializations
                .enumerate()
                .find(|(_, (_, other))| Rc::ptr_eq(decl, other))
                .map(|(number, _)| number)
        });
        if own != outer.special.as_ref().map(|(number, _)| *number) || path != outer.path {
            return None;
        }
        let Some((_, pattern)) = &outer.special else {
            return Some(self.bind(scope, parameters, &arguments));
        };
        let values = self.fits_special(template, parameters, pattern, &arguments, parameters.span)?;
        Some(self.bind(scope, parameters, &values))
    }
}
