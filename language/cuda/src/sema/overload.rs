//! Overload resolution ([over.match]): the viable functions of a call, and the best one.

use std::cmp::Ordering;

use super::Sema;
use super::assign::is_assigned_object;
use super::constraint_order::{Normal, is_stronger};
use super::function_order::best_of;
use super::rank::Rank;
use super::scope::FunctionIndex;
use super::types::{CType, Qual, RecordId, Signature, TypeKind};
use super::value::{FunctionName, FunctionSet, Res, TemplateValue, Value, ValueKind};
use crate::budget::Resource;
use crate::diagnostics::Diagnostic;
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, FunctionBody, Operator, RefQualifier};

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
    /// Number of arguments without the object of a method.
    arguments: usize,
    is_template: bool,
    is_guide: bool,
    /// Number of the parameters of the template, and its constraint, which decides between
    /// templates that have the same parameters.
    count: usize,
    constraint: Option<Normal>,
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
        let viable = self.viable_among(functions, explicit, object, arguments, span)?;
        self.select_viable(viable, span)
    }

    /// Selects among the methods of an object and functions that take it as their first argument
    /// ([over.match.oper]/3).
    pub(super) fn select_operator(
        &mut self,
        (methods, object): (&[FunctionIndex], Option<&Value>),
        functions: &[FunctionIndex],
        operands: &[Argument],
        span: Span,
    ) -> Res<Option<Selected>> {
        let mut viable = Vec::new();
        if let Some(object) = object {
            viable = self.viable_among(methods, None, Some(object), &operands[1..], span)?;
            let own = self.types.record(object.ty.ty).map(|record| &self.records[record].operators);
            // An inherited method converts the object to its class.
            for one in &mut viable {
                let is_own = |(_, method): &(Operator, FunctionIndex)| *method == one.selected.function;
                if !own.is_some_and(|own| own.iter().any(is_own)) {
                    one.ranks[0].0 += Rank::CONVERSION.0;
                }
            }
        }
        viable.extend(self.viable_among(functions, None, None, operands, span)?);
        self.select_viable(viable, span)
    }

    fn viable_among(
        &mut self,
        functions: &[FunctionIndex],
        explicit: Option<&[TemplateValue]>,
        object: Option<&Value>,
        arguments: &[Argument],
        span: Span,
    ) -> Res<Vec<Viable>> {
        let templates = functions.iter().filter(|one| self.functions[**one].template.is_some());
        let steps = functions.len() + TEMPLATE_STEPS * templates.count();
        self.spend(Resource::Steps, steps, span)?;
        let viable = functions.iter().filter_map(|one| self.viable(*one, explicit, object, arguments, span));
        Ok(viable.collect())
    }

    fn select_viable(&mut self, mut viable: Vec<Viable>, span: Span) -> Res<Option<Selected>> {
        // A function that needs a conversion that only C has gives way to one that does not.
        if viable.iter().any(|one| !one.ranks.contains(&Rank::ONLY_C)) {
            viable.retain(|one| !one.ranks.contains(&Rank::ONLY_C));
        }
        let best = best_of(viable.len(), |one, other| self.is_better(&viable[one], &viable[other], span));
        if let Some(best) = best {
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

    /// Whether every argument converts at least as well, and one converts better, or the function
    /// is more specialized ([over.match.best]/1).
    fn is_better(&mut self, one: &Viable, other: &Viable, span: Span) -> bool {
        let mut ranks = one.ranks.iter().zip(&other.ranks);
        if ranks.clone().any(|(one, other)| one > other) {
            return false;
        }
        if ranks.any(|(one, other)| one < other) {
            return true;
        }
        if one.is_template != other.is_template {
            return other.is_template;
        }
        let order = match (one.is_template, one.arguments == other.arguments) {
            (true, true) => {
                let functions = (one.selected.function, other.selected.function);
                self.function_order(functions.0, functions.1, one.arguments, span)
            }
            // A method and a function are not compared.
            (true, false) => None,
            (false, _) => Some(Ordering::Equal),
        };
        match order {
            Some(Ordering::Greater) => true,
            Some(Ordering::Less) => false,
            Some(Ordering::Equal) if one.is_guide == other.is_guide => {
                one.count == other.count && is_stronger(one.constraint.as_ref(), other.constraint.as_ref())
            }
            _ => one.is_guide && !other.is_guide,
        }
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
        if self.copies_by_inherited(function, &signature, arguments)
            || self.copies_by_value(function, &signature, arguments)
        {
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
        Some(Viable {
            selected: Selected { function, arguments: values, is_named: false },
            ranks,
            arguments: arguments.len(),
            is_template,
            is_guide,
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

    /// Whether a constructor template would take an object of its class by value: the copy that it
    /// needs would need the constructor ([class.copy.ctor]/5).
    fn copies_by_value(
        &self,
        function: FunctionIndex,
        signature: &Signature,
        arguments: &[Argument],
    ) -> bool {
        let info = &self.functions[function];
        let (FunctionName::Constructor, Some(_), [_]) = (info.name, &info.template, arguments) else {
            return false;
        };
        let first = signature.parameters.first().and_then(|ty| self.types.record(ty.ty));
        first.is_some() && first == info.class
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
                let items = self.expanded_items(items).ok()?;
                let mark = self.out.mark();
                let mut worst = Some(Rank::EXACT);
                for item in items.iter() {
                    let own = match &item.value.kind {
                        ExprKind::List(_) => self.rank_list(&item.value, element),
                        _ => self.expression(&item.value).ok().and_then(|value| self.rank(&value, element)),
                    };
                    worst = worst.zip(own).map(|(one, other)| one.max(other));
                }
                self.out.truncate(mark);
                worst.map(Rank::of_list)
            }
            TypeKind::Record(record) => {
                let record = *record;
                self.is_made_from_list(record, list).then_some(Rank(Rank::USER.0 + u32::from(lvalue)))
            }
            TypeKind::Array(..) => Some(Rank(Rank::USER.0 + u32::from(lvalue))),
            _ => match &list.kind {
                ExprKind::List(items) if self.expanded_items(items).ok()?.len() <= 1 => {
                    Some(Rank::CONVERSION)
                }
                _ => None,
            },
        }
    }

    /// Whether a constructor of a class, if it has any, takes the values of a list
    /// ([over.match.list]).
    fn is_made_from_list(&mut self, record: RecordId, list: &Expr) -> bool {
        let ExprKind::List(items) = &list.kind else { return false };
        if self.complete(record).is_err() {
            return true;
        }
        if !self.classes().has_constructors(record) {
            // An aggregate without elements takes no values.
            let info = &self.records[record];
            return items.is_empty() || !info.fields.is_empty() || !info.bases.is_empty();
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
        let mut fitting = Vec::new();
        for function in candidates {
            let info = &self.functions[*function];
            let span = info.span;
            if let Some(own) = info.signature.clone() {
                if self.types.intern(TypeKind::Function(own)) == ty {
                    return Some((*function, Vec::new()));
                }
            } else if let Some(template) = info.template.clone() {
                let mark = self.out.mark();
                let Some(written) = self.grouped(written, &template) else { continue };
                let values = self.match_signature(*function, &template, &written, &signature, span);
                self.out.truncate(mark);
                fitting.extend(values.ok().map(|values| (*function, values)));
            }
        }
        let span = self.functions[fitting.first()?.0].span;
        let best = self.most_specialized(&fitting, span)?;
        Some(fitting.swap_remove(best))
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
