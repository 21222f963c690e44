//! Deduction of template arguments from the arguments of a call ([temp.deduct.call]).

use super::Sema;
use super::deduce::{Found, is_given};
use super::overload::Argument;
use super::scope::FunctionIndex;
use super::types::{Qual, Signature, TypeKind};
use super::value::{TemplateValue, Value, ValueKind};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{
    BaseType, Chunk, Expr, ExprKind, ListItem, Parameter, QualifiedName, TemplateArgument, TemplateParameters,
};

impl Sema<'_> {
    /// Template arguments and types of a call of a template.
    pub(super) fn deduce_call(
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
                self.deduce_list(&template, parameter, list, &fixed, &mut found)
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
        let is_object = Self::names_object(value) && !value.ty.quals.is_expiring;
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
        fixed: &[Symbol],
        found: &mut Found,
    ) -> bool {
        let ExprKind::List(items) = &list.kind else { return true };
        let name = match &parameter.specifiers.base {
            BaseType::Named(name) => Some(name),
            _ => None,
        };
        let is_own = |symbol: Symbol| {
            template.list.iter().any(|one| one.name.is_some_and(|name| name.symbol == symbol))
                && !fixed.contains(&symbol)
        };
        // `T (&&)[N]` has as many elements as the list ([temp.deduct.call]/1).
        if let [Chunk::Reference | Chunk::RvalueReference, Chunk::Array(length)] =
            parameter.declarator.chunks.as_slice()
        {
            let Ok(items) = self.expanded_items(items) else { return false };
            let count = TemplateValue::Value(items.len() as i128, self.types.size_type);
            if let Some(Expr { kind: ExprKind::Name(length), .. }) = length.as_deref()
                && let Some(length) = length.plain().filter(|length| is_own(length.symbol))
                && *found.entry(length.symbol).or_insert(count) != count
            {
                return false;
            }
            return match name.and_then(QualifiedName::plain).filter(|element| is_own(element.symbol)) {
                Some(element) => self.deduce_element(element.symbol, &items, found),
                None => true,
            };
        }
        let Some(last) = name.map(QualifiedName::last) else { return true };
        if self.text(last.name.symbol) != "initializer_list" {
            return true;
        }
        let Some([TemplateArgument::Type(ty)]) = last.arguments.as_deref() else { return true };
        let BaseType::Named(element) = &ty.specifiers.base else { return true };
        // Values convert to a type that the call gives.
        let Some(plain) = element.plain().filter(|plain| is_own(plain.symbol)) else { return true };
        let Ok(items) = self.expanded_items(items) else { return false };
        self.deduce_element(plain.symbol, &items, found)
    }

    /// Deduces a type from all values of a list.
    fn deduce_element(&mut self, name: Symbol, items: &[ListItem], found: &mut Found) -> bool {
        items.iter().all(|item| match self.type_of_item(&item.value) {
            Ok(ty) => {
                let ty = TemplateValue::Type(ty);
                *found.entry(name).or_insert(ty) == ty
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
}
