//! Operators, constructors and conversions that classes define ([over.oper]).

use super::Sema;
use super::overload::{Argument, Selected};
use super::rank::{Conversion, Rank};
use super::scope::{Entity, FunctionIndex};
use super::types::{CType, CTypes, Qual, RecordId, Signature, TypeKind};
use super::value::{FunctionName, Res, TemplateValue, Value};
use crate::diagnostics::Diagnostic;
use crate::hir::ExprKind;
use crate::lex::Punct;
use crate::source::Span;
use crate::syntax::ast::{Expr, Operator};

impl Sema<'_> {
    /// Methods of a class, also inherited ones.
    pub(super) fn methods_named(&mut self, record: RecordId, name: FunctionName) -> Vec<FunctionIndex> {
        match name {
            FunctionName::Plain(symbol) => match self.find_member(record, symbol) {
                Some((Entity::Functions(list), _)) => list,
                _ => Vec::new(),
            },
            FunctionName::Constructor => self.records[record].constructors.clone(),
            FunctionName::Destructor => self.records[record].destructor.into_iter().collect(),
            FunctionName::Covariant(_) | FunctionName::Moved(..) => Vec::new(),
            FunctionName::Operator(operator) => {
                let classes = self.classes_with(record, operator);
                let all = classes.into_iter().flat_map(|id| &self.records[id].operators);
                all.filter(|(one, _)| *one == operator).map(|(_, function)| *function).collect()
            }
            FunctionName::Conversion => {
                let bases = self.classes().bases(record);
                bases.flat_map(|id| &self.records[id].conversions).copied().collect()
            }
        }
    }

    /// The classes whose methods for an operator an object has: a method hides those of base
    /// classes.
    fn classes_with(&self, record: RecordId, operator: Operator) -> Vec<RecordId> {
        let mut has = |id| self.records[id].operators.iter().any(|(one, _)| *one == operator);
        self.classes().closest(record, &mut has)
    }

    /// Refuses an operator that several base classes declare.
    pub(super) fn check_operator(&mut self, record: RecordId, operator: Operator, span: Span) -> Res<()> {
        if self.classes_with(record, operator).len() < 2 {
            return Ok(());
        }
        let name = &self.records[record].name;
        let message = format!("several base classes of `{name}` have this operator");
        let error = Diagnostic::error("ambiguous", span, message);
        self.fail(error.help("convert the object to one of the base classes first"))
    }

    /// Calls an operator that a class defines, if one fits.
    pub(super) fn overloaded(&mut self, punct: Punct, operands: &[Value], span: Span) -> Res<Option<Value>> {
        let operator = Operator::Symbol(punct);
        let mut candidates = Vec::new();
        if let Some(record) = self.types.record(operands[0].ty.ty) {
            self.require_complete(operands[0].ty.ty, span)?;
            candidates = self.methods_named(record, FunctionName::Operator(operator));
            if punct != Punct::Assign {
                self.check_operator(record, operator, span)?;
            }
            if punct == Punct::Assign
                && let [_, value] = operands
                && self.types.record(value.ty.ty).is_some_and(|from| self.classes().derives(from, record))
                && self.classes().copy_assignment(record).is_none()
            {
                // The assignment that the language defines is no member of the class.
                candidates.retain(|one| self.functions[*one].class == Some(record));
                candidates = self.closer_than_base(&candidates, value, record);
            }
        }
        let object = if candidates.is_empty() { None } else { Some(self.as_object(operands[0].clone())?) };
        let mut functions = match punct {
            Punct::Assign => Vec::new(),
            _ => self.operators_in_scope(operator, operands),
        };
        if operands.iter().all(|operand| self.types.record(operand.ty.ty).is_none()) {
            functions.retain(|function| self.takes_enum(*function, operands));
        }
        let mut all: Vec<Argument> = operands.iter().cloned().map(Argument::Value).collect();
        let methods = (&candidates[..], object.as_ref());
        let Some(selected) = self.select_operator(methods, &functions, &all, span)? else { return Ok(None) };
        let object = object.filter(|_| candidates.contains(&selected.function));
        if object.is_some() {
            all.remove(0);
        }
        self.call_selected(&selected, object, all, span).map(Some)
    }

    /// Whether an operator has a parameter of the enumeration of its operand. The operators of the
    /// language, which take the promoted numbers, fit better than others.
    fn takes_enum(&self, function: FunctionIndex, operands: &[Value]) -> bool {
        let info = &self.functions[function];
        let Some(signature) = info.signature.as_ref().filter(|_| info.template.is_none()) else {
            return true;
        };
        let plain = |ty: CType| self.types.referent(ty).map_or(ty, |to| to.ty);
        let mut pairs = signature.parameters.iter().zip(operands);
        pairs.any(|(parameter, operand)| {
            self.types.is_enum(operand.ty.ty) && plain(parameter.ty) == operand.ty.ty
        })
    }

    /// Operators outside classes: in the scopes around, and in those of the operands' classes.
    pub(super) fn operators_in_scope(&self, operator: Operator, operands: &[Value]) -> Vec<FunctionIndex> {
        let mut found: Vec<FunctionIndex> = Vec::new();
        let mut add = |list: &[FunctionIndex]| {
            for one in list {
                if !found.contains(one) {
                    found.push(*one);
                }
            }
        };
        let mut starts = vec![self.scope];
        for operand in operands {
            match self.types.kind(operand.ty.ty) {
                TypeKind::Record(id) => {
                    starts.extend(self.classes().bases(*id).map(|class| self.records[class].parent));
                }
                TypeKind::Enum(id) => starts.push(self.types.enums[*id].parent),
                _ => {}
            }
        }
        for start in starts {
            for scope in self.scopes.outwards(start) {
                // `using namespace` reaches the namespaces that the namespace uses, too.
                let mut visible = vec![scope];
                let mut at = 0;
                while let Some(scope) = visible.get(at).map(|scope| self.scopes.get(*scope)) {
                    if let Some(list) = scope.operators.get(&operator) {
                        add(list);
                    }
                    let more: Vec<_> =
                        scope.also.iter().copied().filter(|also| !visible.contains(also)).collect();
                    visible.extend(more);
                    at += 1;
                }
            }
        }
        found
    }

    /// `a += {1, 2}` of a class.
    pub(super) fn operator_of_list(
        &mut self,
        punct: Punct,
        object: Value,
        list: &Expr,
        span: Span,
    ) -> Res<Value> {
        let name = FunctionName::Operator(Operator::Symbol(punct));
        let methods = self.types.record(object.ty.ty).map(|record| self.methods_named(record, name));
        let arguments = [Argument::List(list)];
        let object = self.as_object(object)?;
        match self.select(&methods.unwrap_or_default(), None, Some(&object), &arguments, span)? {
            Some(selected) => self.call_selected(&selected, Some(object), arguments.into(), span),
            None => self.error("syntax", list.span, "an initializer list is not a value here"),
        }
    }

    /// The method of `a[i]`.
    pub(super) fn index_operator(
        &mut self,
        record: RecordId,
        base: Value,
        index: Argument,
        span: Span,
    ) -> Res<Value> {
        let candidates = self.methods_named(record, FunctionName::Operator(Operator::Index));
        let object = self.as_object(base)?;
        let arguments = vec![index];
        let Some(selected) = self.select(&candidates, None, Some(&object), &arguments, span)? else {
            let shown = self.show(object.ty);
            return self.error("wrong-type", span, format!("class `{shown}` has no `operator[]` that fits"));
        };
        self.call_selected(&selected, Some(object), arguments, span)
    }

    /// The constructor that converts a value to a class.
    pub(super) fn converting_constructor(&mut self, value: &Value, record: RecordId) -> Option<Selected> {
        // One conversion by the user may be part of another conversion, but not two.
        if self.converting || self.complete(record).is_err() {
            return None;
        }
        self.converting = true;
        let mut candidates: Vec<FunctionIndex> = self.records[record]
            .constructors
            .iter()
            .copied()
            .filter(|one| !self.functions[*one].decl.specifiers.flags.is_explicit)
            .collect();
        let arguments = [Argument::Value(value.clone())];
        let mark = self.out.mark();
        let selected = loop {
            let selected = self.select(&candidates, None, None, &arguments, value.span).ok().flatten();
            let Some(one) = selected else { break None };
            // The condition of `explicit` may depend on template arguments.
            if self.is_explicit(one.function, &one.arguments).ok() != Some(true) {
                break Some(one);
            }
            candidates.retain(|candidate| *candidate != one.function);
        };
        self.out.truncate(mark);
        self.converting = false;
        selected
    }

    /// The method that converts an object to a type ([over.match.conv]), and how well its result
    /// converts further: one for objects that are not `const` fits better, then one whose result
    /// converts better to the type, then one that is no template.
    pub(super) fn conversion_operator(
        &mut self,
        value: &Value,
        to: CType,
        kind: Conversion,
    ) -> Option<(Selected, Rank)> {
        // The argument of a constructor that converts is not converted by the user.
        if self.converting && kind == Conversion::Implicit {
            return None;
        }
        let record = self.types.record(value.ty.ty)?;
        self.complete(record).ok()?;
        let mut found: Vec<((bool, Rank, bool), Selected)> = Vec::new();
        for function in self.methods_named(record, FunctionName::Conversion) {
            let is_const = self.functions[function].is_const;
            if value.ty.quals.is_const && !is_const {
                continue;
            }
            let is_template = self.functions[function].template.is_some();
            let made = if is_template {
                self.conversion_instance(function, to).map(|arguments| (Rank::EXACT, arguments))
            } else {
                self.rank_conversion(function, to).map(|rank| (rank, Vec::new()))
            };
            found.extend(made.map(|(rank, arguments)| {
                ((is_const, rank, is_template), Selected { function, arguments, is_named: false })
            }));
        }
        let is_explicit = |sema: &mut Self, one: &Selected| {
            sema.is_explicit(one.function, &one.arguments).is_ok_and(|is_explicit| is_explicit)
        };
        if kind == Conversion::Implicit {
            found.retain(|(_, one)| !is_explicit(self, one));
        }
        if found.iter().any(|(_, one)| !is_explicit(self, one)) {
            found.retain(|((_, rank, _), one)| *rank == Rank::EXACT || !is_explicit(self, one));
        }
        // A conversion hides the conversion of a base class to the same type.
        let class = |sema: &Self, one: &Selected| {
            let info = &sema.functions[one.function];
            info.class.zip(info.signature.as_ref().map(|signature| signature.result))
        };
        let declared: Vec<_> = found.iter().filter_map(|(_, one)| class(self, one)).collect();
        found.retain(|(_, one)| {
            class(self, one).is_none_or(|(own, result)| {
                !declared.iter().any(|(other, same)| {
                    *same == result && *other != own && self.classes().derives(*other, own)
                })
            })
        });
        let best = found.iter().map(|(order, _)| *order).min()?;
        let mut best = found.into_iter().filter(|(order, _)| *order == best);
        match (best.next(), best.next()) {
            (Some(((_, rank, _), only)), None) => Some((only, rank)),
            _ => None,
        }
    }

    /// The arguments with which a template of conversion functions converts to a type
    /// ([temp.deduct.conv]).
    pub(super) fn conversion_instance(
        &mut self,
        function: FunctionIndex,
        to: CType,
    ) -> Option<Vec<TemplateValue>> {
        if self.types.referent(to).is_some() {
            return None;
        }
        let info = &self.functions[function];
        let (template, span) = (info.template.clone()?, info.span);
        let signature = Signature { result: Qual::plain(to), parameters: Vec::new(), variadic: false };
        let mark = self.out.mark();
        let values = self.match_signature(function, &template, &[], &signature, span);
        self.out.truncate(mark);
        let values = values.ok()?;
        let (_, made) = self.instance_type(function, &values, span).ok()?;
        (made.result.ty == to).then_some(values)
    }

    /// Converts an object by a method of its class.
    pub(super) fn call_conversion(&mut self, operator: &Selected, object: Value, span: Span) -> Res<Value> {
        let object = self.as_object(object)?;
        self.call_selected(operator, Some(object), Vec::new(), span)
    }

    /// Whether an object has several functions that convert it to a type, and none is selected.
    pub(super) fn has_ambiguous_conversion(&mut self, value: &Value, to: CType) -> bool {
        let Some(record) = self.types.record(value.ty.ty) else { return false };
        let all = self.methods_named(record, FunctionName::Conversion);
        let fitting = all.into_iter().filter(|one| self.rank_conversion(*one, to).is_some()).count();
        fitting > 1 && self.conversion_operator(value, to, Conversion::Any).is_none()
    }

    /// How well the result of a conversion function converts further.
    pub(super) fn rank_conversion(&mut self, function: FunctionIndex, to: CType) -> Option<Rank> {
        let result = self.functions[function].signature.as_ref()?.result.ty;
        let ty = self.types.referent(result).map_or(result, |referent| referent.ty);
        if result == to || ty == to {
            return Some(Rank::EXACT);
        }
        if self.types.referent(to).is_some() || !self.types.is_scalar(ty) {
            return None;
        }
        let made = Value::rvalue(ExprKind::Zero, ty, self.functions[function].span);
        self.rank_scalar(&made, to)
    }

    /// An operand of an operator of the language: an object becomes the number or pointer to which
    /// its class converts, if there is one ([over.built]).
    pub(super) fn scalar_of(&mut self, value: Value) -> Res<Value> {
        self.converted_where(value, CTypes::is_scalar)
    }

    /// The callee of a call with a number of arguments: an object becomes the function to which its
    /// class converts by a pointer, if there is one ([over.call.object]/2).
    pub(super) fn callee_of(&mut self, value: Value, count: usize) -> Res<Value> {
        self.converted_where(value, |types, ty| {
            let to = types.pointee(ty).map(|to| types.kind(to.ty));
            matches!(to, Some(TypeKind::Function(signature)) if signature.parameters.len() == count)
        })
    }

    /// An object as the result of the only implicit conversion to a type that fits.
    fn converted_where(&mut self, value: Value, fits_type: impl Fn(&CTypes, CType) -> bool) -> Res<Value> {
        let Some(record) = self.types.record(value.ty.ty) else { return Ok(value) };
        let mut found = Vec::new();
        for one in self.methods_named(record, FunctionName::Conversion) {
            let info = &self.functions[one];
            let Some(result) = info.signature.as_ref().map(|signature| signature.result.ty) else { continue };
            let ty = self.types.referent(result).map_or(result, |to| to.ty);
            let fits = info.is_const || !value.ty.quals.is_const;
            if fits && !info.decl.specifiers.flags.is_explicit && fits_type(&self.types, ty) {
                found.push((info.is_const, one));
            }
        }
        // One for objects that are not `const` fits such an object better.
        let best = found.iter().map(|(is_const, _)| *is_const).min();
        found.retain(|(is_const, _)| Some(*is_const) == best);
        let &[(_, only)] = found.as_slice() else { return Ok(value) };
        let span = value.span;
        self.call_method(only, value, Vec::new(), span)
    }
}
