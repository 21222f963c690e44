//! Which of two constraints is stronger ([temp.constr.order]).

use super::Sema;
use super::concept::{definition, operands};
use super::scope::{Entity, FunctionIndex, ScopeId};
use super::value::TemplateValue;
use crate::lex::{Punct, Symbol};
use crate::source::Span;
use crate::syntax::ast::{BaseType, Expr, ExprKind, QualifiedName, TemplateArgument, TemplateParameters};

/// Concepts inside each other that are replaced by their definitions.
const MAX_DEPTH: u32 = 40;

/// Parts of a normal form.
const MAX_PARTS: u32 = 1_000;

/// Clauses of a normal form that are compared.
const MAX_CLAUSES: usize = 256;

/// What a parameter of a concept stands for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Argument {
    /// The parameter of this number of the constrained template.
    Parameter(usize),
    /// A type or value.
    Value(TemplateValue),
    /// What has no value, at a place.
    Written(Span),
}

/// The parameters of a concept or template with what they stand for.
type Mapping = Vec<(Symbol, Argument)>;

/// A constraint in normal form: names of concepts are replaced by their definitions.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Normal {
    /// An expression at a place, and the parameters that it can name.
    Atom(Span, Mapping),
    /// `a && b`.
    Both(Box<Normal>, Box<Normal>),
    /// `a || b`.
    Either(Box<Normal>, Box<Normal>),
}

impl Normal {
    /// The clauses of the disjunctive (true) or conjunctive form.
    fn clauses(&self, disjunctive: bool) -> Option<Vec<Vec<&Normal>>> {
        let (joins, left, right) = match self {
            Self::Atom(..) => return Some(vec![vec![self]]),
            Self::Both(left, right) => (!disjunctive, left, right),
            Self::Either(left, right) => (disjunctive, left, right),
        };
        let (mut left, right) = (left.clauses(disjunctive)?, right.clauses(disjunctive)?);
        if joins {
            left.extend(right);
            return (left.len() <= MAX_CLAUSES).then_some(left);
        }
        if left.len() * right.len() > MAX_CLAUSES {
            return None;
        }
        let pairs = left.iter().flat_map(|one| right.iter().map(|other| [&one[..], other].concat()));
        Some(pairs.collect())
    }

    /// Whether everything that satisfies this constraint satisfies another one, too, as far as both
    /// name the same concepts.
    fn subsumes(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (self.clauses(true), other.clauses(false)) else { return false };
        own.iter().all(|own| others.iter().all(|other| own.iter().any(|atom| other.contains(atom))))
    }
}

/// Whether a constraint is stronger than another one.
pub(super) fn is_stronger(one: Option<&Normal>, other: Option<&Normal>) -> bool {
    match (one, other) {
        (Some(_), None) => true,
        (Some(one), Some(other)) => one.subsumes(other) && !other.subsumes(one),
        (None, _) => false,
    }
}

/// The name that an argument is, without anything else.
fn plain(argument: &TemplateArgument) -> Option<Symbol> {
    let name: &QualifiedName = match argument {
        TemplateArgument::Type(ty) => match &ty.specifiers.base {
            BaseType::Named(name)
                if ty.declarator.chunks.is_empty()
                    && !ty.specifiers.qualifiers.is_const
                    && !ty.specifiers.qualifiers.is_volatile =>
            {
                name
            }
            _ => return None,
        },
        TemplateArgument::Value(Expr { kind: ExprKind::Name(name), .. }) => name,
        _ => return None,
    };
    name.plain().map(|name| name.symbol)
}

impl Sema<'_> {
    /// The constraint of a function with these arguments of its template, in normal form.
    pub(super) fn normal_constraint(
        &mut self,
        function: FunctionIndex,
        values: &[TemplateValue],
    ) -> Option<Normal> {
        if !self.is_constrained(function) {
            return None;
        }
        let info = &self.functions[function];
        let (outer, template, decl) = (info.scope, info.template.clone(), info.decl.clone());
        let trailing = decl.declarator.function().and_then(|chunk| chunk.requires.as_deref());
        let Some(template) = template else {
            let mut left = MAX_PARTS;
            return trailing.map(|trailing| self.normal(outer, trailing, &Vec::new(), (0, &mut left)));
        };
        self.normal_of(outer, &template, values, trailing)
    }

    /// The constraint of a template with these arguments in normal form, with a further one.
    pub(super) fn normal_of(
        &mut self,
        outer: ScopeId,
        template: &TemplateParameters,
        values: &[TemplateValue],
        further: Option<&Expr>,
    ) -> Option<Normal> {
        let named = template.list.iter().enumerate();
        let mapping: Mapping =
            named.filter_map(|(at, one)| Some((one.name?.symbol, Argument::Parameter(at)))).collect();
        let scope = self.bind(outer, template, values);
        let list = template.constraint.as_deref().into_iter().chain(further);
        let mut left = MAX_PARTS;
        let all: Vec<Normal> = list.map(|one| self.normal(scope, one, &mapping, (0, &mut left))).collect();
        all.into_iter().reduce(|one, other| Normal::Both(Box::new(one), Box::new(other)))
    }

    /// The normal form; beyond limits of depth and of parts, names of concepts stay.
    fn normal(
        &mut self,
        scope: ScopeId,
        constraint: &Expr,
        mapping: &Mapping,
        (depth, left): (u32, &mut u32),
    ) -> Normal {
        *left = left.saturating_sub(1);
        if let Some((op, one, other)) = operands(constraint) {
            let one = Box::new(self.normal(scope, one, mapping, (depth, left)));
            let other = Box::new(self.normal(scope, other, mapping, (depth, left)));
            return if op == Punct::AndAnd { Normal::Both(one, other) } else { Normal::Either(one, other) };
        }
        let atom = || Normal::Atom(constraint.span, mapping.clone());
        let ExprKind::Name(name) = &constraint.kind else { return atom() };
        if depth == MAX_DEPTH || *left == 0 {
            return atom();
        }
        let mark = self.out.mark();
        let inner = self.in_scope(scope, |sema| sema.definition_of(name, mapping));
        self.out.truncate(mark);
        let Some((inner, decl, mapping)) = inner else { return atom() };
        match definition(&decl) {
            Some(constraint) => self.normal(inner, constraint, &mapping, (depth + 1, left)),
            None => atom(),
        }
    }

    /// The concept that a name with arguments names: a scope with the arguments, and what each
    /// parameter stands for.
    fn definition_of(
        &mut self,
        name: &QualifiedName,
        around: &Mapping,
    ) -> Option<(ScopeId, std::rc::Rc<crate::syntax::ast::RecordDecl>, Mapping)> {
        let Ok((Entity::RecordTemplate(template), _)) = self.find_qualified(name) else { return None };
        let info = &self.templates[template];
        let (decl, outer) = (info.decl.clone(), info.scope);
        let parameters = decl.template.clone().filter(|_| decl.is_concept)?;
        let written = name.last().arguments.as_deref()?;
        let values = self
            .template_values(written, &parameters)
            .and_then(|values| {
                self.in_scope(outer, |sema| sema.complete_arguments(&parameters, values, name.span))
            })
            .ok();
        let has_packs = written.iter().any(|one| matches!(one, TemplateArgument::Expand(..)));
        let mut mapping = Vec::new();
        for (at, parameter) in parameters.list.iter().enumerate() {
            let Some(own) = parameter.name else { continue };
            let symbol = written.get(at).filter(|_| !has_packs && !parameter.is_pack).and_then(plain);
            let known = symbol.and_then(|symbol| around.iter().find(|(one, _)| *one == symbol));
            let value = values.as_ref().and_then(|values| values.get(at));
            let argument = match (known, value) {
                (Some((_, known)), _) => known.clone(),
                (None, Some(value)) => Argument::Value(*value),
                (None, None) => Argument::Written(name.span),
            };
            mapping.push((own.symbol, argument));
        }
        let scope = self.bind(outer, &parameters, values.as_deref().unwrap_or(&[]));
        Some((scope, decl, mapping))
    }

    /// Whether two functions have the same constraints as they are written ([temp.over.link]).
    pub(super) fn same_constraints(
        &self,
        one: &super::value::FunctionInfo,
        other: &super::value::FunctionInfo,
    ) -> bool {
        let places = |info: &super::value::FunctionInfo| {
            let own = info.template.as_ref().and_then(|template| template.constraint.as_ref());
            let trailing = info.decl.declarator.function().and_then(|chunk| chunk.requires.as_ref());
            [own, trailing].map(|one| one.map(|one| one.span))
        };
        let text = |span: Option<Span>| {
            let text = span.map_or("", |span| self.sources.text(span));
            text.split_whitespace().collect::<String>()
        };
        places(one).into_iter().zip(places(other)).all(|(one, other)| text(one) == text(other))
    }
}
