//! Results of functions: `return`, and types that `return` determines ([dcl.spec.auto]).

use super::Sema;
use super::assign::is_assigned_object;
use super::scope::{Entity, Owner};
use super::types::{CTypes, Qual, TypeKind};
use super::value::{Res, Value, ValueKind};
use crate::hir::{self, PlaceKind, Stmt, StmtKind};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{BaseType, Expr, ExprKind, MemberName, Stmt as Ast, StmtKind as AstKind};

impl Sema<'_> {
    /// Analyzes a function whose result type comes from its body.
    pub(super) fn deduce_result(&mut self, id: hir::FunctionId, span: Span) -> Res<()> {
        if !self.types.contains_auto(self.instances[id].signature.result) {
            return Ok(());
        }
        self.deeper(span, |sema| {
            let scope = sema.scope;
            sema.analyze_instance(id);
            sema.scope = scope;
            if sema.types.contains_auto(sema.instances[id].signature.result) {
                if sema.instances[id].body.is_none() && sema.out.has_errors() {
                    return Err(super::Failed);
                }
                return sema.error("wrong-type", span, "the result type of the function is not known here");
            }
            Ok(())
        })
    }

    /// `return`.
    pub(super) fn return_statement(&mut self, value: Option<&Expr>, span: Span) -> Res<StmtKind> {
        let Some(function) = &self.function else { return Err(super::Failed) };
        let (mut result, is_kernel, name) = (function.result, function.is_kernel, function.name.clone());
        let mut is_auto = self.types.kind(result.ty) == &TypeKind::Auto;
        if let Some(expr) = value
            && !is_auto
            && self.types.contains_auto(result)
        {
            let found = self.unevaluated(expr)?;
            let Some(deduced) = self.result_of_pattern(result, &found) else {
                let (pattern, shown) = (self.show(result), self.show(found.ty));
                let message = format!("the result type `{pattern}` of `{name}` does not fit a `{shown}`");
                return self.error("wrong-type", expr.span, message);
            };
            if let Some(function) = &mut self.function {
                function.result = deduced;
            }
            result = deduced;
        }
        let Some(expr) = value else {
            if result.ty != CTypes::VOID && !is_auto {
                let shown = self.show(result);
                return self.error("wrong-type", span, format!("`{name}` must return a `{shown}`"));
            }
            return Ok(StmtKind::Return(None));
        };
        let value = match expr.kind {
            ExprKind::List(_) => self.value_of_list(expr, result.unqualified())?,
            _ if self.types.referent(result.ty).is_some() => self.object_expression(expr)?,
            _ => self.expression(expr)?,
        };
        if is_auto
            && self.returns_decltype()
            && let Some(reference) = self.decltype_reference(expr, &value)
            && let Some(function) = &mut self.function
        {
            (function.result, result, is_auto) = (reference, reference, false);
        }
        let returned = self.function.as_ref().and_then(|function| function.returned);
        let is_named = returned.is_some() && plain_name(expr) == returned;
        if is_named
            && let Some(moved) = self.returned_local(&value, if is_auto { value.ty } else { result })?
        {
            if let Some(function) = &mut self.function {
                function.result = if is_auto { value.ty.unqualified() } else { result };
            }
            return Ok(StmtKind::Return(Some(moved)));
        }
        let value = self.returned_value(value, result);
        if is_auto {
            let value = self.rvalue(value)?;
            if let Some(function) = &mut self.function {
                function.result = value.ty;
            }
            let value = self.expr(value)?;
            return Ok(StmtKind::Return(Some(value)));
        }
        if result.ty == CTypes::VOID {
            if value.ty.ty == CTypes::VOID {
                return self.return_void(value);
            }
            let what = if is_kernel { format!("kernel `{name}`") } else { format!("`{name}`") };
            let message = format!("{what} returns `void`, so `return` cannot have a value");
            return self.error("wrong-type", span, message);
        }
        self.warn_narrowing_literal(&value, result);
        let value = self.convert(value, result.unqualified(), "to return")?;
        Ok(StmtKind::Return(Some(value)))
    }

    /// The result type from a pattern with `auto` behind pointers or a reference, and a value that
    /// the function returns.
    fn result_of_pattern(&mut self, pattern: Qual, value: &Value) -> Option<Qual> {
        let mut have = value.ty;
        let is_expiring = std::mem::take(&mut have.quals.is_expiring);
        let is_place = Self::names_object(value) && !is_expiring;
        let kind = match *self.types.kind(pattern.ty) {
            TypeKind::Reference(to) => TypeKind::Reference(self.filled(to, have)?),
            // `auto &&` for a place is a reference to it.
            TypeKind::RvalueReference(to) if is_place => TypeKind::Reference(self.filled(to, have)?),
            TypeKind::RvalueReference(to) => TypeKind::RvalueReference(self.filled(to, have)?),
            _ => return self.filled(pattern, have),
        };
        Some(Qual::plain(self.types.intern(kind)))
    }

    /// A type in the place of `auto` in a pattern.
    fn filled(&mut self, pattern: Qual, have: Qual) -> Option<Qual> {
        let kind = match *self.types.kind(pattern.ty) {
            TypeKind::Auto => return Some(have.with(pattern.quals)),
            TypeKind::Pointer(to) => {
                let element = self.types.array(have.ty).map(|(element, _)| element.with(have.quals));
                let have = element.or_else(|| self.types.pointee(have.ty))?;
                TypeKind::Pointer(self.filled(to, have)?)
            }
            _ => return None,
        };
        Some(Qual::plain(self.types.intern(kind)).with(pattern.quals))
    }

    /// Whether the result type of the function is that of `decltype` of what it returns.
    fn returns_decltype(&self) -> bool {
        let Some(id) = self.function.as_ref().and_then(|function| function.instance) else { return false };
        let decl = &self.functions[self.instances[id].function].decl;
        let trailing = decl.declarator.function().and_then(|chunk| chunk.trailing.as_ref());
        let base = trailing.map_or(&decl.specifiers.base, |ty| &ty.specifiers.base);
        matches!(base, BaseType::DecltypeAuto | BaseType::Decltype(_))
    }

    /// The type of `decltype(e)` ([dcl.type.decltype]).
    pub(super) fn decltype(&mut self, expr: &Expr) -> Res<Qual> {
        let mut value = self.unevaluated(expr)?;
        if let ValueKind::Functions(set) = &value.kind {
            let Some((function, arguments)) = self.only_function(set, expr.span) else {
                let message = "`decltype` of a name that several functions have";
                return self.error("wrong-type", expr.span, message);
            };
            let (_, signature) = self.instance_type(function, &arguments, expr.span)?;
            return Ok(Qual::plain(self.types.intern(TypeKind::Function(signature))));
        }
        if let Some(reference) = self.decltype_reference(expr, &value) {
            return Ok(reference);
        }
        if matches!(value.kind, ValueKind::Place(..))
            && let Some(declared) = self.declared_member(expr)
        {
            return Ok(declared);
        }
        value.ty.quals.is_expiring = false;
        Ok(value.ty)
    }

    /// The type of the declaration of the member variable that an expression names.
    fn declared_member(&mut self, expr: &Expr) -> Option<Qual> {
        let (record, name) = match &expr.kind {
            ExprKind::Name(name) => {
                let Some((Entity::Field, scope)) = self.find(name.last().name.symbol) else { return None };
                let Owner::Record(record) = self.scopes.get(scope).owner else { return None };
                (record, name)
            }
            ExprKind::Member(base, _, MemberName::Name(name)) => {
                let ty = self.unevaluated(base).ok()?.ty;
                let ty = self.types.pointee(ty.ty).unwrap_or(ty);
                (self.types.record(ty.ty)?, name)
            }
            _ => return None,
        };
        let path = self.classes().field_path(record, name.last().name.symbol)?;
        let (last, front) = path.split_last()?;
        let mut class = record;
        for at in front {
            class = self.types.record(self.records[class].fields[*at as usize].ty.ty)?;
        }
        Some(self.records[class].fields[*last as usize].ty)
    }

    /// The type that `decltype` is for a value, if it is a reference ([dcl.type.decltype]).
    pub(super) fn decltype_reference(&mut self, expr: &Expr, value: &Value) -> Option<Qual> {
        let is_object = matches!(value.kind, ValueKind::Place(..))
            || !self.rules.is_c && is_assigned_object(value)
            || Self::is_selected_object(value);
        if !is_object {
            return None;
        }
        match &expr.kind {
            // Without parentheses a name has the type of its declaration.
            ExprKind::Name(name) if name.span == expr.span => {
                let mark = self.out.mark();
                let found = self.find_qualified(name);
                self.out.truncate(mark);
                let declared = match found {
                    Ok((Entity::Local(info), _)) => info.ty,
                    Ok((Entity::Variable(variable), _)) => self.variables[variable].ty,
                    _ => return self.declared_member(expr).filter(|ty| self.types.referent(ty.ty).is_some()),
                };
                return self.types.referent(declared.ty).map(|_| declared);
            }
            ExprKind::Member(_, _, MemberName::Name(name)) if name.span.end == expr.span.end => {
                return self.declared_member(expr).filter(|ty| self.types.referent(ty.ty).is_some());
            }
            _ => {}
        }
        let mut to = value.ty;
        let is_expiring = std::mem::take(&mut to.quals.is_expiring);
        let kind = if is_expiring { TypeKind::RvalueReference(to) } else { TypeKind::Reference(to) };
        Some(Qual::plain(self.types.intern(kind)))
    }

    /// A value that is returned: variables of the function are about to end.
    fn returned_value(&self, mut value: Value, result: Qual) -> Value {
        let own = matches!(value.kind, ValueKind::Place(PlaceKind::Local(_), _));
        let by_value = self.types.referent(result.ty).is_none();
        if own && by_value && self.types.record(value.ty.ty).is_some() {
            value.ty.quals.is_expiring = true;
        }
        value
    }

    fn return_void(&mut self, value: Value) -> Res<StmtKind> {
        let span = value.span;
        let call = self.discarded(value)?;
        let statements =
            vec![Stmt { kind: StmtKind::Expr(call), span }, Stmt { kind: StmtKind::Return(None), span }];
        Ok(StmtKind::Block(statements))
    }
}

/// The name that an expression is.
fn plain_name(expr: &Expr) -> Option<Symbol> {
    if let ExprKind::Name(name) = &expr.kind { name.plain().map(|name| name.symbol) } else { None }
}

/// The variable that every `return` with a value names.
pub(super) fn returned_variable(list: &[Ast]) -> Option<Symbol> {
    let mut names = Vec::new();
    all_returned_names(list, &mut names);
    let first = names.first().copied().flatten()?;
    names.iter().all(|name| *name == Some(first)).then_some(first)
}

/// Whether statements contain `return`.
pub(super) fn has_return(list: &[Ast]) -> bool {
    let mut names = Vec::new();
    all_returned_names(list, &mut names);
    !names.is_empty()
}

fn all_returned_names(list: &[Ast], names: &mut Vec<Option<Symbol>>) {
    for one in list {
        returned_names(one, names);
    }
}

/// Collects what each `return` of a statement names.
fn returned_names(statement: &Ast, names: &mut Vec<Option<Symbol>>) {
    match &statement.kind {
        AstKind::Return(value) => names.push(value.as_ref().and_then(plain_name)),
        AstKind::Block(list) | AstKind::Labelled(list) => {
            all_returned_names(list, names);
        }
        AstKind::If(_, then, otherwise) => {
            returned_names(then, names);
            if let Some(otherwise) = otherwise {
                returned_names(otherwise, names);
            }
        }
        AstKind::While(_, body, _) | AstKind::DoWhile(body, ..) | AstKind::Switch(_, body) => {
            returned_names(body, names);
        }
        AstKind::For(inner) => returned_names(&inner.body, names),
        AstKind::RangeFor(inner) => returned_names(&inner.body, names),
        AstKind::Try(body, handlers) => {
            all_returned_names(body, names);
            for handler in handlers {
                all_returned_names(&handler.body, names);
            }
        }
        _ => {}
    }
}
