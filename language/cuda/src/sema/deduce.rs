//! Deduction of template arguments from types ([temp.deduct]).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Sema;
use super::scope::{Entity, FunctionIndex, ScopeId, TemplateIndex};
use super::types::{CTypes, Qual, RecordId, Signature, TypeKind};
use super::value::{Res, TemplateValue};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{
    BaseType, Chunk, DeclaratorName, Expr, ExprKind, FunctionChunk, FunctionDecl, Parameter, QualifiedName,
    Qualifiers, Segment, Specifiers, TemplateArgument, TemplateParameter, TemplateParameters, TypeName,
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

    pub(super) fn deduce(
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
            Chunk::Pointer(quals) => match self.types.pointee(argument.ty) {
                Some(_)
                    if self.deduces_exactly
                        && (quals.is_const, quals.is_volatile)
                            != (argument.quals.is_const, argument.quals.is_volatile) =>
                {
                    false
                }
                Some(to) => self.deduce(template, specifiers, rest, to, found),
                None => !depends(template, specifiers),
            },
            Chunk::MemberPointer(name, quals) => {
                let Some((to, class)) = self.types.member_pointer(argument.ty) else {
                    return !depends(template, specifiers);
                };
                let is_const = |function: &FunctionChunk| function.is_const == to.quals.is_const;
                let is_method = matches!(self.types.kind(to.ty), TypeKind::Function(_));
                let fits = match rest.first() {
                    Some(Chunk::Function(function)) => is_method && is_const(function),
                    _ => true,
                };
                if !fits || self.deduces_exactly && quals.is_const != argument.quals.is_const {
                    return false;
                }
                let base = BaseType::Named(name.clone());
                let base = Specifiers::of_both_halves(base, name.span);
                self.deduce_base(template, &base, Qual::plain(class), found)
                    && self.deduce(template, specifiers, rest, to, found)
            }
            Chunk::Reference | Chunk::RvalueReference => {
                let to = match (chunk, self.types.kind(argument.ty)) {
                    (Chunk::Reference, TypeKind::Reference(to))
                    | (Chunk::RvalueReference, TypeKind::RvalueReference(to)) => *to,
                    _ => return !depends(template, specifiers),
                };
                self.deduce(template, specifiers, rest, to, found)
            }
            Chunk::Array(length) => match self.types.array(argument.ty) {
                Some((_, count)) if self.deduces_exactly && length.is_some() != count.is_some() => false,
                Some((element, count)) => {
                    if self.deduces_exactly
                        && let (Some(length), Some(count)) = (length, count)
                        && !self.may_have_length(template, length, count)
                    {
                        return false;
                    }
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
                    let own = |sema: &mut Self, parameter: &Parameter, ty: Qual, found: &mut Found| {
                        let chunks = &parameter.declarator.chunks;
                        sema.deduce(template, &parameter.specifiers, chunks, ty, found)
                    };
                    self.deduce_parameters(template, &function.parameters, &signature.parameters, found, own)
                        && self.deduce(template, specifiers, rest, signature.result, found)
                }
                _ => !depends(template, specifiers),
            },
        }
    }

    /// Whether the written length of an array is a parameter, or this number.
    fn may_have_length(&mut self, template: &TemplateParameters, length: &Expr, count: u64) -> bool {
        if let ExprKind::Name(name) = &length.kind
            && name.plain().is_some_and(|plain| is_parameter(template, plain.symbol))
        {
            return true;
        }
        let mark = self.out.mark();
        let constant = self.constant_int(length, "the length of an array");
        self.out.truncate(mark);
        constant.is_ok_and(|(value, _)| value == i128::from(count))
    }

    /// Deduces from the types of all parameters of a function.
    fn deduce_parameters(
        &mut self,
        template: &TemplateParameters,
        parameters: &[Parameter],
        types: &[Qual],
        found: &mut Found,
        step: impl Fn(&mut Self, &Parameter, Qual, &mut Found) -> bool,
    ) -> bool {
        let single = parameters.iter().position(|one| one.pack.is_some()).unwrap_or(parameters.len());
        if types.len() < single || single == parameters.len() && types.len() > single {
            return false;
        }
        let mut pairs = parameters[..single].iter().zip(types);
        if !pairs.all(|(parameter, ty)| step(self, parameter, *ty, found)) {
            return false;
        }
        let Some(parameter @ Parameter { pack: Some(packs), .. }) = parameters.get(single) else {
            return true;
        };
        let rest = &types[single..];
        self.deduce_pack(template, packs, rest.len(), found, |sema, at, found| {
            step(sema, parameter, rest[at], found)
        })
    }

    /// Deduces packs from a step for each of their elements.
    pub(super) fn deduce_pack(
        &mut self,
        template: &TemplateParameters,
        packs: &[Symbol],
        count: usize,
        found: &mut Found,
        mut step: impl FnMut(&mut Self, usize, &mut Found) -> bool,
    ) -> bool {
        let own = |symbol: &&Symbol| {
            template
                .list
                .iter()
                .any(|one| one.is_pack && one.name.is_some_and(|name| name.symbol == **symbol))
        };
        let mut lists: Vec<(Symbol, Vec<TemplateValue>)> =
            packs.iter().filter(own).map(|symbol| (*symbol, Vec::with_capacity(count))).collect();
        let known: Vec<_> = lists.iter().map(|(symbol, _)| found.remove(symbol)).collect();
        for at in 0..count {
            if !step(self, at, found) {
                return false;
            }
            for (symbol, list) in &mut lists {
                let Some(value) = found.remove(symbol) else { return false };
                list.push(value);
            }
        }
        lists.into_iter().zip(known).all(|((symbol, list), known)| {
            let value = self.packs.intern(&list);
            found.insert(symbol, value);
            known.is_none_or(|known| known == value)
        })
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
        let (written, given) = (specifiers.qualifiers, argument.quals);
        let lacks = written.is_const && !given.is_const || written.is_volatile && !given.is_volatile;
        if self.deduces_exactly && lacks {
            return false;
        }
        if let Some(plain) = name.plain()
            && is_parameter(template, plain.symbol)
        {
            let quals = Qualifiers {
                is_const: given.is_const && !written.is_const,
                is_volatile: given.is_volatile && !written.is_volatile,
                ..Qualifiers::default()
            };
            return note(found, plain.symbol, TemplateValue::Type(Qual { ty: argument.ty, quals }));
        }
        // `V<T>` against `V<int>`.
        let Some((expected, arguments)) = self.template_of_pattern(template, name) else { return true };
        if self.deduces_exactly
            && (written.is_const, written.is_volatile) != (given.is_const, given.is_volatile)
        {
            return false;
        }
        let Some(record) = self.types.record(argument.ty) else { return false };
        let mut is_instance = |id: RecordId| {
            let made = self.records[id].template.as_ref();
            made.is_some_and(|(own, _)| expected.is_none_or(|expected| *own == expected))
        };
        // A base class of a function's argument fits, too ([temp.deduct.call]/4).
        let classes = match self.deduces_exactly {
            true if is_instance(record) => vec![record],
            true => return false,
            false => self.classes().closest(record, &mut is_instance),
        };
        let &[class] = classes.as_slice() else { return false };
        let Some((own, values)) = self.records[class].template.clone() else { return false };
        if expected.is_none() && !note(found, name.last().name.symbol, TemplateValue::Template(own)) {
            return false;
        }
        self.deduce_arguments(template, &arguments, &values, found)
    }

    /// The class template of `V<T>` and its arguments, also where `V` is another name for it; no
    /// template where `V` is a parameter.
    fn template_of_pattern(
        &mut self,
        template: &TemplateParameters,
        name: &QualifiedName,
    ) -> Option<(Option<TemplateIndex>, Vec<TemplateArgument>)> {
        let mut arguments = name.last().arguments.clone()?;
        if name.segments.len() == 1 && is_parameter(template, name.last().name.symbol) {
            return Some((None, arguments));
        }
        let mut name = name.clone();
        let mut scope = self.scope;
        loop {
            let segments = name.segments.iter().map(|one| Segment { name: one.name, arguments: None });
            let plain = QualifiedName { segments: segments.collect(), ..name.clone() };
            let mark = self.out.mark();
            let found = self.in_scope(scope, |sema| sema.find_qualified(&plain));
            self.out.truncate(mark);
            match found {
                Ok((Entity::RecordTemplate(expected), _)) => return Some((Some(expected), arguments)),
                Ok((Entity::AliasTemplate(alias), _)) => {
                    let alias = Rc::clone(&self.aliases[alias]);
                    let BaseType::Named(target) = &alias.target.specifiers.base else { return None };
                    if !alias.target.declarator.chunks.is_empty() {
                        return None;
                    }
                    let inner = target.last().arguments.clone()?;
                    arguments = substituted(&alias.parameters, &inner, &arguments)?;
                    name = target.clone();
                    scope = alias.scope;
                }
                _ => return None,
            }
        }
    }

    fn deduce_arguments(
        &mut self,
        template: &TemplateParameters,
        pattern: &[TemplateArgument],
        values: &[TemplateValue],
        found: &mut Found,
    ) -> bool {
        let takes_any = values.iter().any(|value| matches!(value, TemplateValue::Pack(_)));
        let values = self.packs.flat(values);
        for (at, pattern) in pattern.iter().enumerate() {
            if let TemplateArgument::Expand(pattern, packs) = pattern {
                let rest = &values[at.min(values.len())..];
                return self.deduce_pack(template, packs, rest.len(), found, |sema, at, found| {
                    sema.deduce_argument(template, pattern, rest[at], found)
                });
            }
            let Some(value) = values.get(at) else { return false };
            if !self.deduce_argument(template, pattern, *value, found) {
                return false;
            }
        }
        // The arguments behind the written ones are defaults.
        !takes_any || pattern.len() == values.len()
    }

    fn deduce_argument(
        &mut self,
        template: &TemplateParameters,
        pattern: &TemplateArgument,
        value: TemplateValue,
        found: &mut Found,
    ) -> bool {
        match (pattern, value) {
            (TemplateArgument::Type(TypeName { specifiers, declarator, .. }), TemplateValue::Type(ty)) => {
                // It is compared when all parameters are known.
                if matches!(specifiers.base, BaseType::Decltype(_) | BaseType::OfDecltype(..)) {
                    return true;
                }
                let specifiers = specifiers.clone();
                let outer = std::mem::replace(&mut self.deduces_exactly, true);
                let fits = self.deduce(template, &specifiers, &declarator.chunks, ty, found);
                self.deduces_exactly = outer;
                fits && (depends(template, &specifiers)
                    || !declarator.chunks.is_empty()
                    || self.is_same_type(pattern, ty))
            }
            (TemplateArgument::Type(ty), TemplateValue::Template(_) | TemplateValue::Alias(_)) => match &ty
                .specifiers
                .base
            {
                BaseType::Named(name) => match name.plain() {
                    Some(plain) if is_parameter(template, plain.symbol) => note(found, plain.symbol, value),
                    _ => false,
                },
                _ => false,
            },
            (TemplateArgument::Value(expr), value) => match &expr.kind {
                ExprKind::Name(name)
                    if name.plain().is_some_and(|plain| is_parameter(template, plain.symbol)) =>
                {
                    note(found, name.last().name.symbol, value)
                }
                _ => {
                    let mark = self.out.mark();
                    let constant = self.constant_int(expr, "a template argument");
                    self.out.truncate(mark);
                    match (constant, value) {
                        (Ok((one, _)), TemplateValue::Value(other, _)) => one == other,
                        // It is compared when all parameters are known.
                        (Err(_), TemplateValue::Value(..)) => true,
                        _ => false,
                    }
                }
            },
            (TemplateArgument::Type(_) | TemplateArgument::Expand(..), _) => false,
        }
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
        let mut found = Found::default();
        let fits = self.in_scope(scope, |sema| sema.deduce_arguments(own, pattern, arguments, &mut found));
        // `const T` fits constant types only.
        let is_const = |(pattern, argument): (&TemplateArgument, &TemplateValue)| match (pattern, argument) {
            (TemplateArgument::Type(name), TemplateValue::Type(ty)) if name.declarator.chunks.is_empty() => {
                ty.quals.is_const || !name.specifiers.qualifiers.is_const
            }
            _ => true,
        };
        if !fits || !pattern.iter().zip(&self.packs.flat(arguments)).all(is_const) {
            return None;
        }
        let value = |one: &TemplateParameter| one.name.and_then(|name| found.get(&name.symbol).copied());
        let known: Vec<_> = own.list.iter().map(value).collect();
        let are_found = own.list.iter().zip(&known).all(|(one, value)| one.is_pack || value.is_some());
        if !are_found {
            return None;
        }
        let values: Vec<_> =
            known.into_iter().map(|one| one.unwrap_or_else(|| self.packs.intern(&[]))).collect();
        // What is not deduced, such as `typename T::type`, must exist and be the argument.
        if pattern.iter().any(|one| is_computed(own, one)) {
            let inner = self.bind(scope, own, &values);
            let mark = self.out.mark();
            let written = self.in_scope(inner, |sema| sema.written_values(pattern, None));
            self.out.truncate(mark);
            let given = self.packs.flat(arguments);
            let are_same = written
                .is_ok_and(|written| written.iter().zip(&given).all(|(one, other)| one.is_like(other)));
            if !are_same {
                return None;
            }
        }
        Some(values)
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
        let mut own = Found::default();
        let fits = self.in_scope(scope, |sema| {
            let types = &signature.parameters;
            sema.deduce_parameters(template, parameters, types, &mut own, |sema, parameter, ty, own| {
                let chunks = &parameter.declarator.chunks;
                match (chunks.first(), sema.types.pointee(ty.ty)) {
                    (Some(Chunk::Array(_)), Some(to)) => {
                        sema.deduce(template, &parameter.specifiers, &chunks[1..], to, own)
                    }
                    _ => sema.deduce(template, &parameter.specifiers, chunks, ty, own),
                }
            }) && sema.deduce_from_result(template, &decl, signature.result, &mut own)
        });
        if !fits {
            return Err(super::Failed);
        }
        for (name, value) in own {
            // A written pack may be the start of a longer one.
            if matches!(value, TemplateValue::Pack(_)) {
                found.insert(name, value);
            } else {
                found.entry(name).or_insert(value);
            }
        }
        let values = self.values_of(template, &found, span)?;
        if !self.function_satisfied(primary, &values)? {
            return Err(super::Failed);
        }
        let (_, own) = self.instance_type(primary, &values, span)?;
        if super::declare::same_parameters(&own, signature) { Ok(values) } else { Err(super::Failed) }
    }

    /// Deduces from the type of the result, which a specialization and an instantiation write
    /// ([temp.deduct.decl]).
    fn deduce_from_result(
        &mut self,
        template: &TemplateParameters,
        decl: &FunctionDecl,
        result: Qual,
        found: &mut Found,
    ) -> bool {
        if let DeclaratorName::Conversion(_, ty) = &decl.declarator.name {
            return self.deduce(template, &ty.specifiers, &ty.declarator.chunks, result, found);
        }
        let Some((Chunk::Function(function), chunks)) = decl.declarator.chunks.split_first() else {
            return true;
        };
        function.trailing.is_some()
            || self.types.contains_auto(result)
            || self.deduce(template, &decl.specifiers, chunks, result, found)
    }

    /// The values of all parameters, with defaults for those that were not found.
    pub(super) fn values_of(
        &mut self,
        template: &TemplateParameters,
        found: &Found,
        span: Span,
    ) -> Res<Vec<TemplateValue>> {
        let value = |one: &TemplateParameter| one.name.and_then(|name| found.get(&name.symbol).copied());
        let known: Vec<_> = template.list.iter().map(value).collect();
        self.complete_known(template, &known, span)
    }
}

/// Whether the type of a parameter names a parameter of its template, and all that it names are
/// among those with values.
pub(super) fn is_given(template: &TemplateParameters, parameter: &Parameter, fixed: &[Symbol]) -> bool {
    let mut names = Vec::new();
    names_of_type(&parameter.specifiers, &parameter.declarator.chunks, &mut names);
    names.retain(|name| is_parameter(template, *name));
    let is_single = |name: &Symbol| {
        let list = template.list.iter();
        !list.filter(|one| one.is_pack).any(|one| one.name.is_some_and(|own| own.symbol == *name))
    };
    !names.is_empty() && names.iter().all(|name| fixed.contains(name) && is_single(name))
}

/// The names in a type from which arguments are deduced.
fn names_of_type(specifiers: &Specifiers, chunks: &[Chunk], names: &mut Vec<Symbol>) {
    if let BaseType::Named(name) = &specifiers.base {
        for segment in &name.segments {
            names.push(segment.name.symbol);
            segment.arguments.iter().flatten().for_each(|one| names_of_argument(one, names));
        }
    }
    for chunk in chunks {
        match chunk {
            Chunk::MemberPointer(name, _) => names.extend(name.segments.iter().map(|one| one.name.symbol)),
            Chunk::Array(Some(length)) => names_of_value(length, names),
            Chunk::Function(function) => {
                for one in &function.parameters {
                    names_of_type(&one.specifiers, &one.declarator.chunks, names);
                }
            }
            _ => {}
        }
    }
}

fn names_of_argument(argument: &TemplateArgument, names: &mut Vec<Symbol>) {
    match argument {
        TemplateArgument::Type(ty) => names_of_type(&ty.specifiers, &ty.declarator.chunks, names),
        TemplateArgument::Value(value) => names_of_value(value, names),
        TemplateArgument::Expand(pattern, packs) => {
            names_of_argument(pattern, names);
            names.extend(packs.iter());
        }
    }
}

fn names_of_value(value: &Expr, names: &mut Vec<Symbol>) {
    if let ExprKind::Name(name) = &value.kind {
        names.extend(name.segments.iter().map(|one| one.name.symbol));
    }
}

/// Whether an argument of a specialization is more than a parameter with declarators around it.
fn is_computed(template: &TemplateParameters, argument: &TemplateArgument) -> bool {
    match argument {
        TemplateArgument::Type(ty) => match &ty.specifiers.base {
            BaseType::Named(name) if name.segments.len() > 1 || name.last().arguments.is_some() => true,
            BaseType::Decltype(_) | BaseType::OfDecltype(..) => true,
            // `int[N]`: the elements have no parameter.
            _ => !ty.declarator.chunks.is_empty() && !depends(template, &ty.specifiers),
        },
        TemplateArgument::Value(value) => !matches!(value.kind, ExprKind::Name(_)),
        TemplateArgument::Expand(pattern, _) => is_computed(template, pattern),
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

/// The arguments of the target of an alias template where the written arguments replace its
/// parameters. `None` where one is more than a parameter.
fn substituted(
    parameters: &TemplateParameters,
    target: &[TemplateArgument],
    written: &[TemplateArgument],
) -> Option<Vec<TemplateArgument>> {
    let at = |name: &QualifiedName| {
        let plain = name.plain()?;
        parameters.list.iter().position(|one| one.name.is_some_and(|own| own.symbol == plain.symbol))
    };
    let parameter = |argument: &TemplateArgument| match argument {
        TemplateArgument::Type(ty) => match &ty.specifiers.base {
            BaseType::Named(name) => at(name).map(|at| (at, ty.declarator.chunks.is_empty())),
            _ => None,
        },
        TemplateArgument::Value(Expr { kind: ExprKind::Name(name), .. }) => at(name).map(|at| (at, true)),
        _ => None,
    };
    let mut made = Vec::new();
    for argument in target {
        let (inner, is_expansion) = match argument {
            TemplateArgument::Expand(inner, _) => (&**inner, true),
            other => (other, false),
        };
        match parameter(inner) {
            Some((at, true)) if is_expansion => made.extend_from_slice(written.get(at..).unwrap_or_default()),
            Some((at, true)) => made.push(written.get(at)?.clone()),
            Some((_, false)) => return None,
            None if is_expansion => return None,
            None => made.push(argument.clone()),
        }
    }
    Some(made)
}

/// Records a value; false if another one is known.
fn note(found: &mut Found, name: Symbol, value: TemplateValue) -> bool {
    if let Some(known) = found.get(&name) {
        known.is_like(&value)
    } else {
        found.insert(name, value);
        true
    }
}
