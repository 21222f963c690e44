//! Deduction of template arguments from types ([temp.deduct]).

use rustc_hash::FxHashMap;

use super::Sema;
use super::scope::{Entity, FunctionIndex, ScopeId};
use super::types::{CTypes, Qual, Signature, TypeKind};
use super::value::{Res, TemplateValue};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{
    BaseType, Chunk, ExprKind, Parameter, QualifiedName, Qualifiers, Segment, Specifiers, TemplateArgument,
    TemplateParameters, TypeName,
};

/// Values found so far by parameter name.
pub(super) type Found = FxHashMap<Symbol, TemplateValue>;

impl Sema<'_> {
    /// Deduces parameters from one argument. Returns false where the types do not fit; what depends
    /// on no parameter always fits here and is checked as a conversion later.
    pub(super) fn deduce_parameter(
        &mut self,
        template: &TemplateParameters,
        parameter: &Parameter,
        argument: Qual,
        found: &mut Found,
    ) -> bool {
        let chunks = &parameter.declarator.chunks;
        // The outermost layer comes first: chunks go outwards from the name.
        let by_reference = matches!(chunks.first(), Some(Chunk::Reference | Chunk::RvalueReference));
        let chunks = if by_reference { &chunks[1..] } else { &chunks[..] };
        let mut argument = argument;
        if !by_reference {
            // Arrays and functions become pointers; qualifiers of the value do not matter.
            argument = self.types.adjusted(argument).unqualified();
            if let Some(Chunk::Array(_)) = chunks.first() {
                let Some(to) = self.types.pointee(argument.ty) else { return true };
                return self.deduce(template, &parameter.specifiers, &chunks[1..], to, found);
            }
        }
        self.deduce(template, &parameter.specifiers, chunks, argument, found)
    }

    fn deduce(
        &mut self,
        template: &TemplateParameters,
        specifiers: &Specifiers,
        chunks: &[Chunk],
        argument: Qual,
        found: &mut Found,
    ) -> bool {
        let Some((chunk, rest)) = chunks.split_first() else {
            return self.deduce_base(template, specifiers, argument, found);
        };
        match chunk {
            Chunk::Pointer(_) => match self.types.pointee(argument.ty) {
                Some(to) => self.deduce(template, specifiers, rest, to, found),
                None => !depends(template, specifiers),
            },
            Chunk::Reference | Chunk::RvalueReference => {
                let to = self.types.referent(argument.ty).unwrap_or(argument);
                self.deduce(template, specifiers, rest, to, found)
            }
            Chunk::Array(length) => match self.types.array(argument.ty) {
                Some((element, count)) => {
                    if let (Some(length), Some(count)) = (length, count)
                        && let ExprKind::Name(name) = &length.kind
                        && let Some(plain) = name.plain()
                        && is_parameter(template, plain.symbol)
                        && !note(found, plain.symbol, TemplateValue::Value(i128::from(count), CTypes::INT))
                    {
                        return false;
                    }
                    self.deduce(template, specifiers, rest, element.with(argument.quals), found)
                }
                None => !depends(template, specifiers),
            },
            Chunk::Function(function) => match self.types.kind(argument.ty).clone() {
                TypeKind::Function(signature) => {
                    if function.parameters.len() != signature.parameters.len() {
                        return false;
                    }
                    let parameters = function.parameters.iter().zip(&signature.parameters);
                    for (parameter, ty) in parameters {
                        if !self.deduce(
                            template,
                            &parameter.specifiers,
                            &parameter.declarator.chunks,
                            *ty,
                            found,
                        ) {
                            return false;
                        }
                    }
                    self.deduce(template, specifiers, rest, signature.result, found)
                }
                _ => !depends(template, specifiers),
            },
        }
    }

    /// Deduces from the type behind all declarators: `T`, or the arguments of `V<T>`.
    fn deduce_base(
        &mut self,
        template: &TemplateParameters,
        specifiers: &Specifiers,
        argument: Qual,
        found: &mut Found,
    ) -> bool {
        let BaseType::Named(name) = &specifiers.base else { return true };
        if let Some(plain) = name.plain()
            && is_parameter(template, plain.symbol)
        {
            let quals = Qualifiers {
                is_const: argument.quals.is_const && !specifiers.qualifiers.is_const,
                is_volatile: argument.quals.is_volatile && !specifiers.qualifiers.is_volatile,
                ..Qualifiers::default()
            };
            return note(found, plain.symbol, TemplateValue::Type(Qual { ty: argument.ty, quals }));
        }
        // `V<T>` against `V<int>`.
        let Some(arguments) = name.last().arguments.clone() else { return true };
        let plain = QualifiedName {
            segments: name.segments.iter().map(|one| Segment { name: one.name, arguments: None }).collect(),
            ..name.clone()
        };
        let mark = self.out.mark();
        let found_entity = self.find_qualified(&plain);
        self.out.truncate(mark);
        let Ok((Entity::RecordTemplate(expected), _)) = found_entity else { return true };
        // A base class of the argument fits, too ([temp.deduct.call]/4).
        let Some(record) = self.types.record(argument.ty) else { return false };
        let values = self.classes().bases(record).find_map(|id| {
            let (own, values) = self.records[id].template.as_ref()?;
            (*own == expected).then(|| values.clone())
        });
        values.is_some_and(|values| self.deduce_arguments(template, &arguments, &values, found))
    }

    fn deduce_arguments(
        &mut self,
        template: &TemplateParameters,
        pattern: &[TemplateArgument],
        values: &[TemplateValue],
        found: &mut Found,
    ) -> bool {
        pattern.iter().zip(values).all(|(pattern, value)| match (pattern, value) {
            (TemplateArgument::Type(TypeName { specifiers, declarator, .. }), TemplateValue::Type(ty)) => {
                let specifiers = specifiers.clone();
                self.deduce(template, &specifiers, &declarator.chunks, *ty, found)
                    && (depends(template, &specifiers) || self.is_same_type(pattern, *ty))
            }
            (TemplateArgument::Value(expr), value) => match &expr.kind {
                ExprKind::Name(name) if name.plain().is_some_and(|plain| is_parameter(template, plain.symbol)) => {
                    note(found, name.last().name.symbol, *value)
                }
                _ => {
                    let mark = self.out.mark();
                    let constant = self.constant_int(expr, "a template argument");
                    self.out.truncate(mark);
                    matches!((constant, value), (Ok((one, _)), TemplateValue::Value(other, _)) if one == *other)
                }
            },
            (TemplateArgument::Type(_), _) => false,
        })
    }

    fn is_same_type(&mut self, pattern: &TemplateArgument, ty: Qual) -> bool {
        let TemplateArgument::Type(name) = pattern else { return false };
        let mark = self.out.mark();
        let own = self.type_name(name);
        self.out.truncate(mark);
        own.is_ok_and(|own| own == ty)
    }

    /// The arguments of the parameters of a specialization, if it fits.
    pub(super) fn match_specialization(
        &mut self,
        scope: ScopeId,
        own: &TemplateParameters,
        pattern: &[TemplateArgument],
        arguments: &[TemplateValue],
    ) -> Option<Vec<TemplateValue>> {
        if pattern.len() > arguments.len() {
            return None;
        }
        let mut found = Found::default();
        let fits = self.in_scope(scope, |sema| sema.deduce_arguments(own, pattern, arguments, &mut found));
        // `const T` fits constant types only.
        let is_const = |(pattern, argument): (&TemplateArgument, &TemplateValue)| match (pattern, argument) {
            (TemplateArgument::Type(name), TemplateValue::Type(ty)) if name.declarator.chunks.is_empty() => {
                ty.quals.is_const || !name.specifiers.qualifiers.is_const
            }
            _ => true,
        };
        if !fits || !pattern.iter().zip(arguments).all(is_const) {
            return None;
        }
        let values = own.list.iter().map(|one| one.name.and_then(|name| found.get(&name.symbol).copied()));
        values.collect()
    }

    /// Template arguments of a function template that has this signature.
    pub(super) fn match_signature(
        &mut self,
        primary: FunctionIndex,
        template: &TemplateParameters,
        written: &[TemplateValue],
        signature: &Signature,
        span: Span,
    ) -> Res<Vec<TemplateValue>> {
        let info = &self.functions[primary];
        let (decl, scope) = (info.decl.clone(), info.scope);
        let mut found = Found::default();
        for (parameter, value) in template.list.iter().zip(written) {
            if let Some(name) = parameter.name {
                found.insert(name.symbol, *value);
            }
        }
        let parameters = decl.declarator.function().map_or(&[][..], |function| &function.parameters);
        if parameters.len() != signature.parameters.len() {
            return Err(super::Failed);
        }
        self.in_scope(scope, |sema| {
            for (parameter, ty) in parameters.iter().zip(&signature.parameters) {
                let mut own = Found::default();
                let chunks = &parameter.declarator.chunks;
                let fits =
                    if let (Some(Chunk::Array(_)), Some(to)) = (chunks.first(), sema.types.pointee(ty.ty)) {
                        sema.deduce(template, &parameter.specifiers, &chunks[1..], to, &mut own)
                    } else {
                        sema.deduce(template, &parameter.specifiers, chunks, *ty, &mut own)
                    };
                if !fits {
                    return Err(super::Failed);
                }
                for (name, value) in own {
                    found.entry(name).or_insert(value);
                }
            }
            Ok(())
        })?;
        let values = self.values_of(template, &found, span)?;
        let (_, own) = self.instance_type(primary, &values, span)?;
        if super::declare::same_parameters(&own, signature) { Ok(values) } else { Err(super::Failed) }
    }

    /// The values of all parameters, with defaults for those that were not found.
    pub(super) fn values_of(
        &mut self,
        template: &TemplateParameters,
        found: &Found,
        span: Span,
    ) -> Res<Vec<TemplateValue>> {
        let known: Vec<TemplateValue> = template
            .list
            .iter()
            .map_while(|one| one.name.and_then(|name| found.get(&name.symbol).copied()))
            .collect();
        let parameters = std::rc::Rc::new(template.clone());
        self.complete_arguments(&parameters, known, span)
    }
}

/// Whether specifiers name a template parameter.
fn depends(template: &TemplateParameters, specifiers: &Specifiers) -> bool {
    let BaseType::Named(name) = &specifiers.base else { return false };
    let of_parameter = |segment: &Segment| is_parameter(template, segment.name.symbol);
    name.segments.iter().any(|segment| of_parameter(segment) || segment.arguments.is_some())
}

fn is_parameter(template: &TemplateParameters, symbol: Symbol) -> bool {
    template.list.iter().any(|one| one.name.is_some_and(|name| name.symbol == symbol))
}

/// Records a value; false if another one is known.
fn note(found: &mut Found, name: Symbol, value: TemplateValue) -> bool {
    let same = |one: &TemplateValue, other: &TemplateValue| match (one, other) {
        (TemplateValue::Value(one, _), TemplateValue::Value(other, _)) => one == other,
        _ => one == other,
    };
    if let Some(known) = found.get(&name) {
        same(known, &value)
    } else {
        found.insert(name, value);
        true
    }
}
