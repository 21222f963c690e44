//! Overload resolution ([over.match]): the viable functions of a call, and the best one.

use super::Sema;
use super::assign::is_assigned_object;
use super::constraint_order::{Normal, is_stronger};
use super::deduce::{Found, is_given};
use super::rank::Rank;
use super::scope::FunctionIndex;
use super::types::{CType, Qual, RecordId, Signature, TypeKind};
use super::value::{FunctionName, FunctionSet, Res, TemplateValue, Value, ValueKind};
use crate::budget::Resource;
use crate::diagnostics::Diagnostic;
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{
    BaseType, Chunk, Expr, ExprKind, FunctionBody, Parameter, RefQualifier, TemplateArgument,
    TemplateParameters,
};

/// An argument of a call.
#[derive(Clone)]
pub(super) enum Argument<'e> {
    /// A value.
    Value(Value),
    /// `{...}`, whose type depends on the parameter.
    List(&'e Expr),
}

/// A selected function.
#[derive(Clone, Debug)]
pub(super) struct Selected {
    pub(super) function: FunctionIndex,
    pub(super) arguments: Vec<TemplateValue>,
    /// Whether the source names the class of the function: none that overrides it is called.
    pub is_named: bool,
}

struct Viable {
    selected: Selected,
    ranks: Vec<Rank>,
    is_template: bool,
    is_guide: bool,
    /// How special a template is: layers of types that it spells out, and the parameters before a
    /// pack, or none; last, fewer `T &&`, which take any object ([temp.deduct.partial]/9).
    detail: (usize, usize, usize),
    /// Number of the parameters of the template, and its constraint, which decides between
    /// templates that have the same parameters.
    count: usize,
    constraint: Option<Normal>,
}

impl Viable {
    /// Whether every argument converts at least as well, and one converts better, or the function
    /// is more specialized ([over.match.best]/1).
    fn is_better(&self, other: &Self) -> bool {
        let ranks = || self.ranks.iter().zip(&other.ranks);
        let is_special = other.is_template
            && (!self.is_template || (self.is_guide, self.detail) > (other.is_guide, other.detail));
        let is_like = (self.is_template, self.is_guide, self.detail, self.count)
            == (other.is_template, other.is_guide, other.detail, other.count);
        let is_special =
            is_special || is_like && is_stronger(self.constraint.as_ref(), other.constraint.as_ref());
        ranks().all(|(one, other)| one <= other) && (is_special || ranks().any(|(one, other)| one < other))
    }
}

/// The function that is better than each one before it and each one after it.
fn best_of(viable: &[Viable]) -> Option<usize> {
    let better = |best, at: usize| if viable[at].is_better(&viable[best]) { at } else { best };
    let best = (0..viable.len()).reduce(better)?;
    (0..viable.len()).all(|at| at == best || viable[best].is_better(&viable[at])).then_some(best)
}

/// Steps in which the arguments of a template are deduced.
const TEMPLATE_STEPS: usize = 10;

impl Sema<'_> {
    /// Selects the best function; `None` if none fits.
    pub(super) fn select(
        &mut self,
        functions: &[FunctionIndex],
        explicit: Option<&[TemplateValue]>,
        object: Option<&Value>,
        arguments: &[Argument],
        span: Span,
    ) -> Res<Option<Selected>> {
        let mut viable: Vec<Viable> = Vec::new();
        let templates = functions.iter().filter(|one| self.functions[**one].template.is_some());
        let steps = functions.len() + TEMPLATE_STEPS * templates.count();
        self.spend(Resource::Steps, steps, span)?;
        for function in functions {
            if let Some(found) = self.viable(*function, explicit, object, arguments, span) {
                viable.push(found);
            }
        }
        // A function that needs a conversion that only C has gives way to one that does not.
        if viable.iter().any(|one| !one.ranks.contains(&Rank::ONLY_C)) {
            viable.retain(|one| !one.ranks.contains(&Rank::ONLY_C));
        }
        if let Some(best) = best_of(&viable) {
            return Ok(Some(viable.swap_remove(best).selected));
        }
        if viable.is_empty() {
            return Ok(None);
        }
        // Host and device versions of one function: the device one is meant.
        let device: Vec<usize> =
            (0..viable.len()).filter(|at| self.functions[viable[*at].selected.function].device).collect();
        if let [only] = device.as_slice() {
            return Ok(Some(viable.swap_remove(*only).selected));
        }
        let mut error = Diagnostic::error("ambiguous", span, "several functions fit this call equally well");
        for candidate in viable.iter().take(4) {
            let place = self.functions[candidate.selected.function].span;
            error = error.at(place, "candidate");
        }
        self.fail(error)
    }

    /// The conversions of a call of a function, if the arguments fit it ([over.match.viable]).
    fn viable(
        &mut self,
        function: FunctionIndex,
        explicit: Option<&[TemplateValue]>,
        object: Option<&Value>,
        arguments: &[Argument],
        span: Span,
    ) -> Option<Viable> {
        let info = &self.functions[function];
        let is_member = info.class.is_some() && info.name != FunctionName::Constructor;
        let is_method = is_member && !info.is_static;
        // A method that adds `const` to the object fits less well.
        let adds_const = is_method && info.is_const && object.is_some_and(|one| !one.ty.quals.is_const);
        let mut binds_less = false;
        if is_method {
            let object = object?;
            let reference = info.reference();
            let is_temporary = matches!(object.kind, ValueKind::Rvalue(_)) && !is_assigned_object(object);
            let expires = object.ty.quals.is_expiring || is_temporary;
            let is_refused = match reference {
                RefQualifier::None => false,
                RefQualifier::Lvalue => expires && !info.is_const,
                RefQualifier::Rvalue => !expires,
            };
            if object.ty.quals.is_const && !info.is_const || is_refused {
                return None;
            }
            // `&&` fits an object that may be moved from better than `const &`.
            binds_less = expires && reference == RefQualifier::Lvalue;
        }
        if matches!(info.decl.body, FunctionBody::Deleted) || explicit.is_some() && info.template.is_none() {
            return None;
        }
        let parameters = info.decl.declarator.function().map_or(&[][..], |chunk| &chunk.parameters);
        let single = parameters.iter().position(|one| one.pack.is_some());
        let required = info.defaults.iter().take_while(|default| default.is_none()).count();
        let required = required.min(single.unwrap_or(required));
        let (is_template, is_guide) = (info.template.is_some(), info.is_guide);
        let variadic = info.decl.declarator.function().is_some_and(|chunk| chunk.variadic);
        let takes_more = variadic || single.is_some();
        if arguments.len() < required || arguments.len() > info.defaults.len() && !takes_more {
            return None;
        }
        let (values, signature) = match info.signature.clone() {
            Some(signature) => {
                if self.is_constrained(function) && !self.function_satisfied(function, &[]).ok()? {
                    return None;
                }
                (Vec::new(), signature)
            }
            None => self.deduce_call(function, explicit.unwrap_or(&[]), arguments, span)?,
        };
        if single.is_some_and(|single| {
            let (given, count) = (arguments.len(), signature.parameters.len());
            given < count && count > single || given > count && !variadic
        }) {
            return None;
        }
        if self.copies_by_inherited(function, &signature, arguments) {
            return None;
        }
        let mut ranks = Vec::with_capacity(arguments.len() + 1);
        if is_member {
            ranks.push(Rank(u32::from(adds_const) + u32::from(binds_less)));
        }
        for (argument, to) in arguments.iter().zip(&signature.parameters) {
            ranks.push(match argument {
                Argument::Value(value) => self.rank(value, *to)?,
                Argument::List(list) => self.rank_list(list, *to)?,
            });
        }
        // What `...` takes converts worst.
        ranks.extend(arguments.iter().skip(signature.parameters.len()).map(|_| Rank::ELLIPSIS));
        let constraint = self.normal_constraint(function, &values);
        let count = values.len();
        let detail = if is_template { self.detail(function) } else { (0, usize::MAX, usize::MAX) };
        Some(Viable {
            selected: Selected { function, arguments: values, is_named: false },
            ranks,
            is_template,
            is_guide,
            detail,
            count,
            constraint,
        })
    }

    /// Whether an inherited constructor would make an object of a class from another one
    /// ([over.match.funcs]/8).
    fn copies_by_inherited(
        &self,
        function: FunctionIndex,
        signature: &Signature,
        arguments: &[Argument],
    ) -> bool {
        let info = &self.functions[function];
        let (Some(_), Some(class), [_]) = (info.inherits, info.class, arguments) else { return false };
        let first = signature.parameters.first().and_then(|ty| self.types.referent(ty.ty));
        let record = first.and_then(|ty| self.types.record(ty.ty));
        record.is_some_and(|record| record == class || self.classes().derives(record, class))
    }

    /// How much of its parameter types a template spells out: an order of templates that agrees
    /// with [temp.func.order] where one template only adds to another.
    pub(super) fn detail(&self, function: FunctionIndex) -> (usize, usize, usize) {
        let info = &self.functions[function];
        let all = info.decl.declarator.function().map_or(&[][..], |chunk| &chunk.parameters);
        let single = all.iter().position(|one| one.pack.is_some());
        let parameters = &all[..single.unwrap_or(all.len())];
        let layers = |chunks: &[Chunk]| {
            chunks.iter().filter(|chunk| !matches!(chunk, Chunk::Reference | Chunk::RvalueReference)).count()
        };
        let template = info.template.iter().flat_map(|template| &template.list);
        let open: Vec<Symbol> = template.filter_map(|one| Some(one.name?.symbol)).collect();
        let is_open = |symbol: Symbol| open.contains(&symbol);
        let spelled = parameters.iter().map(|parameter| {
            let base = match &parameter.specifiers.base {
                BaseType::Named(name) if name.plain().is_some_and(|name| is_open(name.symbol)) => 0,
                // A type weighs more than `const` in front of a parameter of the template.
                _ => 2,
            };
            layers(&parameter.declarator.chunks)
                + base
                + usize::from(parameter.specifiers.qualifiers.is_const)
        });
        let forwards = |parameter: &&Parameter| {
            matches!(parameter.declarator.chunks.first(), Some(Chunk::RvalueReference))
        };
        let forwarding = parameters.iter().filter(forwards).count();
        (spelled.sum(), single.unwrap_or(usize::MAX), usize::MAX - forwarding)
    }

    /// How well `{...}` converts to a type ([over.ics.list]).
    fn rank_list(&mut self, list: &Expr, to: Qual) -> Option<Rank> {
        let lvalue = matches!(self.types.kind(to.ty), TypeKind::Reference(_));
        let to = self.types.referent(to.ty).unwrap_or(to);
        match self.types.kind(to.ty) {
            TypeKind::Record(record) if self.list_element(*record).is_some() => {
                // A list of elements is better than an object that takes them.
                let element = self.list_element(*record)?;
                let ExprKind::List(items) = &list.kind else { return None };
                let mark = self.out.mark();
                let mut worst = Some(Rank::EXACT);
                for item in items {
                    let own = match &item.value.kind {
                        ExprKind::List(_) => self.rank_list(&item.value, element),
                        _ => self.expression(&item.value).ok().and_then(|value| self.rank(&value, element)),
                    };
                    worst = worst.zip(own).map(|(one, other)| one.max(other));
                }
                self.out.truncate(mark);
                // It is better than a number, too, unless the user converts an element.
                worst.map(|worst| if worst < Rank::USER { Rank(10 + worst.0 / 4) } else { Rank(38) })
            }
            TypeKind::Record(record) => {
                let record = *record;
                self.is_made_from_list(record, list).then_some(Rank(40 + u32::from(lvalue)))
            }
            TypeKind::Array(..) => Some(Rank(40 + u32::from(lvalue))),
            _ => match &list.kind {
                ExprKind::List(items) if items.len() <= 1 => Some(Rank(20)),
                _ => None,
            },
        }
    }

    /// Whether a constructor of a class, if it has any, takes the values of a list
    /// ([over.match.list]).
    fn is_made_from_list(&mut self, record: RecordId, list: &Expr) -> bool {
        let ExprKind::List(items) = &list.kind else { return false };
        if self.complete(record).is_err() || !self.classes().has_constructors(record) {
            return true;
        }
        let mark = self.out.mark();
        let constructors = self.records[record].constructors.clone();
        let takes_list = constructors.iter().any(|one| {
            let info = &self.functions[*one];
            let first = info.signature.as_ref().and_then(|signature| signature.parameters.first()).copied();
            first.is_some_and(|first| {
                let to = self.types.referent(first.ty).unwrap_or(first);
                let inner = self.types.record(to.ty).filter(|inner| *inner != record);
                inner.is_some_and(|inner| self.list_element(inner).is_some())
                    && self.rank_list(list, to).is_some()
            })
        });
        let mut fits = takes_list;
        if !takes_list && let Ok(items) = self.expanded_items(items) {
            let arguments: Res<Vec<Argument>> = items
                .iter()
                .map(|item| match item.value.kind {
                    ExprKind::List(_) => Ok(Argument::List(&item.value)),
                    _ => self.expression(&item.value).map(Argument::Value),
                })
                .collect();
            fits = arguments.is_ok_and(|arguments| {
                self.select(&constructors, None, None, &arguments, list.span).is_ok_and(|one| one.is_some())
            });
        }
        self.out.truncate(mark);
        fits
    }

    /// Template arguments and types of a call of a template.
    fn deduce_call(
        &mut self,
        function: FunctionIndex,
        explicit: &[TemplateValue],
        arguments: &[Argument],
        span: Span,
    ) -> Option<(Vec<TemplateValue>, Signature)> {
        let info = &self.functions[function];
        let (decl, scope) = (info.decl.clone(), info.scope);
        let template = info.template.clone()?;
        let explicit = self.grouped(explicit, &template)?;
        let mut found = Found::default();
        let mut fixed = Vec::new();
        for (parameter, value) in template.list.iter().zip(&explicit) {
            if let Some(name) = parameter.name {
                found.insert(name.symbol, *value);
                fixed.push(name.symbol);
            }
        }
        let parameters = decl.declarator.function().map_or(&[][..], |chunk| &chunk.parameters);
        let mark = self.out.mark();
        // The values of a list are written where the call is.
        let of_lists = parameters.iter().zip(arguments).all(|(parameter, argument)| match argument {
            Argument::List(list) if parameter.pack.is_none() => {
                self.deduce_list(&template, parameter, list, &mut found)
            }
            _ => true,
        });
        // Function pointers deduce nothing.
        let fits = of_lists
            && self.in_scope(scope, |sema| {
                // Where every parameter is given, arguments convert to the types.
                let given =
                    fixed.len() == template.list.len() && !template.list.iter().any(|one| one.is_pack);
                given
                    || parameters.iter().enumerate().all(|(at, parameter)| match &parameter.pack {
                        None => arguments.get(at).is_none_or(|argument| {
                            sema.deduce_one(&template, parameter, argument, &fixed, &mut found)
                        }),
                        Some(packs) => {
                            let rest = arguments.get(at..).unwrap_or_default();
                            sema.deduce_rest(&template, (parameter, packs), rest, &fixed, &mut found)
                        }
                    })
            });
        let result = if fits {
            let values = self.in_scope(scope, |sema| sema.values_of(&template, &found, span));
            values.and_then(|values| {
                if !self.are_as_named(&template, &values) || !self.function_satisfied(function, &values)? {
                    return Err(super::Failed);
                }
                let (_, signature) = self.instance_type(function, &values, span)?;
                Ok((values, signature))
            })
        } else {
            Err(super::Failed)
        };
        // What does not fit is no candidate; limits must be reported.
        let limit = self.out.list()[mark.min(self.out.list().len())..].iter().any(|one| one.code == "limit");
        if !limit {
            self.out.truncate(mark);
        }
        result.ok()
    }

    /// Deduces from one argument of a call; `fixed` parameters have their values.
    fn deduce_one(
        &mut self,
        template: &TemplateParameters,
        parameter: &Parameter,
        argument: &Argument,
        fixed: &[Symbol],
        found: &mut Found,
    ) -> bool {
        let value = match argument {
            Argument::List(_) => return true,
            Argument::Value(value) => value,
        };
        if let ValueKind::Functions(_) = value.kind {
            return self.deduce_function(template, parameter, value, found);
        }
        // Where all parameters that a type names are given, the argument converts to it.
        if !fixed.is_empty() && parameter.pack.is_none() && is_given(template, parameter, fixed) {
            return true;
        }
        let mut own = Found::default();
        if let Some(name) = Self::forwarded(template, parameter, value) {
            // `T &&` of an object: `T` is a reference to it.
            let reference = Qual::plain(self.types.intern(TypeKind::Reference(value.ty)));
            own.insert(name, TemplateValue::Type(reference));
        } else if !self.deduce_parameter(template, parameter, value.ty, &mut own) {
            return false;
        }
        own.into_iter()
            .all(|(name, value)| fixed.contains(&name) || *found.entry(name).or_insert(value) == value)
    }

    /// Deduces packs from the last arguments of a call. Explicit arguments are the first elements.
    fn deduce_rest(
        &mut self,
        template: &TemplateParameters,
        (parameter, packs): (&Parameter, &[Symbol]),
        rest: &[Argument],
        fixed: &[Symbol],
        found: &mut Found,
    ) -> bool {
        let given: Vec<(Symbol, Vec<TemplateValue>)> = packs
            .iter()
            .filter(|symbol| fixed.contains(symbol))
            .filter_map(|symbol| match found.remove(symbol) {
                Some(TemplateValue::Pack(id)) => Some((*symbol, self.packs.get(id).to_vec())),
                _ => None,
            })
            .collect();
        // A pack of the class around a method is known.
        let own = |symbol: &Symbol| {
            template.list.iter().any(|one| one.name.is_some_and(|name| name.symbol == *symbol))
        };
        if !packs.iter().any(own) {
            return true;
        }
        let fixed: Vec<Symbol> = fixed.iter().copied().filter(|one| !packs.contains(one)).collect();
        self.deduce_pack(template, packs, rest.len(), found, |sema, at, found| {
            let explicit: Vec<(Symbol, TemplateValue)> =
                given.iter().filter_map(|(symbol, list)| Some((*symbol, *list.get(at)?))).collect();
            let fits = explicit.len() == packs.len()
                || sema.deduce_one(template, parameter, &rest[at], &fixed, found);
            found.extend(explicit);
            fits
        })
    }

    /// The parameter `T` of `T &&`, if the argument is an object that stays.
    fn forwarded(template: &TemplateParameters, parameter: &Parameter, value: &Value) -> Option<Symbol> {
        let is_object = matches!(value.kind, ValueKind::Place(..)) && !value.ty.quals.is_expiring;
        let qualifiers = parameter.specifiers.qualifiers;
        if !is_object || qualifiers.is_const || qualifiers.is_volatile {
            return None;
        }
        let BaseType::Named(name) = &parameter.specifiers.base else { return None };
        let plain = name.plain()?;
        let own = template.list.iter().any(|one| one.name.is_some_and(|name| name.symbol == plain.symbol));
        let [Chunk::RvalueReference] = parameter.declarator.chunks.as_slice() else { return None };
        own.then_some(plain.symbol)
    }

    /// Deduces `T` of `initializer_list<T>` from the values of a list.
    fn deduce_list(
        &mut self,
        template: &TemplateParameters,
        parameter: &Parameter,
        list: &Expr,
        found: &mut Found,
    ) -> bool {
        let (BaseType::Named(name), ExprKind::List(items)) = (&parameter.specifiers.base, &list.kind) else {
            return true;
        };
        let last = name.last();
        if self.text(last.name.symbol) != "initializer_list" {
            return true;
        }
        let Some([TemplateArgument::Type(ty)]) = last.arguments.as_deref() else { return true };
        let BaseType::Named(element) = &ty.specifiers.base else { return true };
        let Some(plain) = element.plain() else { return true };
        let own = template.list.iter().any(|one| one.name.is_some_and(|name| name.symbol == plain.symbol));
        if !own {
            return true;
        }
        let Ok(items) = self.expanded_items(items) else { return false };
        items.iter().all(|item| match self.type_of_item(&item.value) {
            Ok(ty) => {
                let ty = TemplateValue::Type(ty);
                *found.entry(plain.symbol).or_insert(ty) == ty
            }
            Err(_) => false,
        })
    }

    /// Whether parameters of headers of the compiler are what their names say: `__Iterator` is a
    /// pointer or class, `__Number` a number, `__Callable` a pointer or a class other than
    /// `std::function`.
    fn are_as_named(&self, template: &TemplateParameters, values: &[TemplateValue]) -> bool {
        template.list.iter().zip(values).all(|(parameter, value)| {
            let (Some(name), TemplateValue::Type(ty)) = (parameter.name, value) else { return true };
            match self.text(name.symbol) {
                "__Iterator" => self.types.is_pointer(ty.ty) || self.types.record(ty.ty).is_some(),
                "__Number" => self.types.is_arithmetic(ty.ty),
                "__Callable" => match self.types.record(ty.ty) {
                    Some(record) => {
                        let record = &self.records[record];
                        !record.builtin || record.symbol.is_none_or(|name| self.text(name) != "function")
                    }
                    None => self.types.is_pointer(ty.ty) || self.types.member_pointer(ty.ty).is_some(),
                },
                _ => true,
            }
        })
    }

    fn deduce_function(
        &mut self,
        template: &TemplateParameters,
        parameter: &Parameter,
        value: &Value,
        found: &mut Found,
    ) -> bool {
        let ValueKind::Functions(set) = &value.kind else { return true };
        let Some((function, values)) = self.only_function(set, value.span) else { return true };
        let Ok((_, signature)) = self.instance_type(function, &values, value.span) else { return true };
        let pointer = if self.is_method(function) {
            self.method_type(function, signature)
        } else {
            let ty = self.types.intern(TypeKind::Function(signature));
            self.types.pointer(Qual::plain(ty))
        };
        self.deduce_parameter(template, parameter, Qual::plain(pointer), found)
    }

    /// The function that a name with its template arguments names, if it is one.
    pub(super) fn only_function(
        &mut self,
        set: &FunctionSet,
        span: Span,
    ) -> Option<(FunctionIndex, Vec<TemplateValue>)> {
        let mut found = Vec::new();
        for function in &set.functions {
            let info = &self.functions[*function];
            match (info.template.clone(), &set.arguments) {
                (None, None) => found.push((*function, Vec::new())),
                (Some(template), Some(written)) => {
                    let (scope, mark) = (info.scope, self.out.mark());
                    let Some(grouped) = self.grouped(written, &template) else { continue };
                    let values =
                        self.in_scope(scope, |sema| sema.complete_arguments(&template, grouped, span));
                    let made = values.and_then(|values| {
                        if !self.function_satisfied(*function, &values)? {
                            return Err(super::Failed);
                        }
                        self.instance_type(*function, &values, span).map(|_| values)
                    });
                    self.out.truncate(mark);
                    found.extend(made.ok().map(|values| (*function, values)));
                }
                _ => {}
            }
        }
        if found.len() == 1 { found.pop() } else { None }
    }

    /// The function among candidates that has a type.
    pub(super) fn function_of_type(
        &mut self,
        candidates: &[FunctionIndex],
        written: &[TemplateValue],
        ty: CType,
    ) -> Option<(FunctionIndex, Vec<TemplateValue>)> {
        let TypeKind::Function(signature) = self.types.kind(ty).clone() else { return None };
        for function in candidates {
            let info = &self.functions[*function];
            match (&info.signature, info.template.clone()) {
                (Some(own), _) if *own == signature => return Some((*function, Vec::new())),
                (None, Some(template)) => {
                    let mark = self.out.mark();
                    let span = info.span;
                    let Some(written) = self.grouped(written, &template) else { continue };
                    let values = self.match_signature(*function, &template, &written, &signature, span);
                    self.out.truncate(mark);
                    if let Ok(values) = values {
                        return Some((*function, values));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Reports that no function fits a call.
    pub(super) fn no_match<T>(
        &mut self,
        functions: &[FunctionIndex],
        name: Option<Symbol>,
        arguments: &[Argument],
        span: Span,
    ) -> Res<T> {
        let text = match (name, functions.first()) {
            (Some(name), _) => format!("`{}`", self.text(name)),
            (None, Some(first)) if self.functions[*first].name != FunctionName::Constructor => {
                format!("`{}`", self.function_name(*first))
            }
            (None, _) => "the constructor".to_owned(),
        };
        if let [only] = functions {
            return self.no_match_of(*only, &text, arguments, span);
        }
        let shown: Vec<String> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(value) if matches!(value.kind, ValueKind::Functions(_)) => {
                    "function".to_owned()
                }
                Argument::Value(value) => self.show(value.ty),
                Argument::List(_) => "{...}".to_owned(),
            })
            .collect();
        let message = format!("no {text} takes ({})", shown.join(", "));
        let mut error = Diagnostic::error("no-match", span, message);
        for function in functions.iter().take(6) {
            let info = &self.functions[*function];
            if !self.is_builtin(info.span) {
                error = error.at(info.span, "candidate");
            } else if let Some(signature) = info.signature.clone() {
                let list: Vec<String> = signature.parameters.iter().map(|ty| self.show(*ty)).collect();
                error =
                    error.note(format!("candidate: {}({})", self.function_name(*function), list.join(", ")));
            }
        }
        error = self.with_unsatisfied(error, functions);
        if let (Some(name), Some(address)) = (name, shown.first()) {
            let address = address.trim_end_matches([' ', '*']);
            let help = super::names::needs_feature(self.text(name), address, self.target.features);
            error = help.into_iter().fold(error, Diagnostic::help);
        }
        self.fail(error)
    }

    fn no_match_of<T>(
        &mut self,
        function: FunctionIndex,
        text: &str,
        arguments: &[Argument],
        span: Span,
    ) -> Res<T> {
        let info = &self.functions[function];
        let (most, place) = (info.defaults.len(), info.span);
        let least = info.defaults.iter().take_while(|default| default.is_none()).count();
        let given = arguments.len();
        if given < least || given > most {
            let count = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let plural = if least == most && most == 1 { "" } else { "s" };
            let verb = if given == 1 { "is" } else { "are" };
            let message = format!("{text} takes {count} argument{plural}, but {given} {verb} given");
            return self.fail(Diagnostic::error("no-match", span, message).at(place, "declared here"));
        }
        let signature = info.signature.clone();
        let arguments_fit = signature.is_some();
        for (at, argument) in arguments.iter().enumerate() {
            let Some(to) = signature.as_ref().and_then(|signature| signature.parameters.get(at)).copied()
            else {
                break;
            };
            if let Argument::Value(value) = argument
                && self.rank(value, to).is_none()
            {
                let what = format!("for argument {} of {text}", at + 1);
                self.convert(value.clone(), to, &what)?;
            }
        }
        let info = &self.functions[function];
        let is_method = info.class.is_some() && !info.is_static && info.name != FunctionName::Constructor;
        let message = if is_method && !info.is_const && arguments_fit {
            format!("{text} cannot be called: the object is `const`, and the method is not")
        } else {
            format!("{text} does not fit these arguments")
        };
        let error = Diagnostic::error("no-match", span, message).at(place, "declared here");
        let error = self.with_unsatisfied(error, &[function]);
        self.fail(error)
    }
}
