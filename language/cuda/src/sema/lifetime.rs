//! The end of objects: where they are registered for destruction.
//!
//! A value of a class that is no object belongs to the code that uses it: a variable or a result
//! takes its bytes over. An object is registered with [`Intrinsic::Defer`] when it is made: a
//! variable, or the temporary variable of a value that needs an address, such as an argument. The
//! innermost scope destroys its registered objects: a [`StmtKind::Scope`] its variables, a
//! [`Hir::Scoped`] the temporary objects of a full expression.

use super::Sema;
use super::expression::in_order;
use super::scope::{Entity, Scopes};
use super::types::{CType, CTypes, Qual};
use super::value::{Res, TemplateValue, Value, ValueKind};
use crate::hir::{self, ExprKind as Hir, Intrinsic, LocalKind, PlaceKind, Stmt, StmtKind, Storage};
use crate::source::Span;

impl Sema<'_> {
    /// An instance of a function template of the prelude.
    pub(super) fn prelude_function(
        &mut self,
        name: &str,
        arguments: Vec<TemplateValue>,
        span: Span,
    ) -> Res<hir::FunctionId> {
        let scope = self.scopes.get(Scopes::FILE);
        let found = self.names.find(name).and_then(|symbol| scope.names.get(&symbol));
        match found {
            Some(Entity::Functions(list)) if !list.is_empty() => {
                let function = list[0];
                self.instance(function, arguments, span)
            }
            _ => self.error("unsupported", span, format!("`{name}` is missing in the prelude")),
        }
    }

    /// The address of the function that destroys an object of a type.
    fn destroyer(&mut self, ty: CType, span: Span) -> Res<Option<hir::Expr>> {
        let (element, count) = self.types.all_elements(ty);
        let Some(destructor) = self.classes().destructor(element) else { return Ok(None) };
        if !self.functions[destructor].device {
            return self.foreign_call(destructor, span);
        }
        let id = if self.types.array(ty).is_some() {
            let count = TemplateValue::Value(i128::from(count), self.types.size_type);
            let arguments = vec![TemplateValue::Type(Qual::plain(element)), count];
            self.prelude_function("__ws_destroy_array", arguments, span)?
        } else {
            self.instance(destructor, Vec::new(), span)?
        };
        let pointer = self.types.pointer(Qual::plain(CTypes::VOID));
        Ok(Some(self.make(Hir::FunctionAddress(id), pointer, span)?))
    }

    /// Registers an object for destruction, if that has an effect.
    pub(super) fn defer(&mut self, object: &Value) -> Res<Option<hir::Expr>> {
        let made = self.registered(object, Intrinsic::Defer)?;
        if made.is_some() {
            self.set_deferred(true);
        }
        Ok(made)
    }

    /// Registers an object for destruction at the end of the program.
    pub(super) fn registered(&mut self, object: &Value, how: Intrinsic) -> Res<Option<hir::Expr>> {
        if !self.classes().is_destroyed(object.ty.ty) {
            return Ok(None);
        }
        let span = object.span;
        let Some(function) = self.destroyer(object.ty.ty, span)? else { return Ok(None) };
        let address = self.address(object.clone())?;
        Ok(Some(self.make(Hir::Intrinsic(how, vec![address, function]), CTypes::VOID, span)?))
    }

    /// Refuses a variable that no thread could destroy.
    pub(super) fn refuse_destructor(&mut self, storage: Storage, ty: Qual, span: Span) -> Res<()> {
        if storage == Storage::Host || !self.classes().is_destroyed(ty.ty) {
            return Ok(());
        }
        let message = "a variable in the memory of the device cannot have a destructor";
        self.error("unsupported", span, message)
    }

    /// Notes whether objects were registered in the current scope; returns what was noted before.
    pub(super) fn set_deferred(&mut self, deferred: bool) -> bool {
        self.function.as_mut().is_some_and(|function| std::mem::replace(&mut function.deferred, deferred))
    }

    /// Analyzes a full expression: its temporary objects end with it.
    pub(super) fn full(&mut self, step: impl FnOnce(&mut Self) -> Res<hir::Expr>) -> Res<hir::Expr> {
        let outer = self.set_deferred(false);
        let result = step(self);
        let deferred = self.set_deferred(outer);
        result.map(|expr| if deferred { scoped(expr) } else { expr })
    }

    /// Analyzes statements of a scope: its variables end with it.
    pub(super) fn lifetimes(&mut self, step: impl FnOnce(&mut Self) -> Res<Vec<Stmt>>) -> Res<Vec<Stmt>> {
        let outer = self.set_deferred(false);
        let result = step(self);
        let deferred = self.set_deferred(outer);
        result.map(|list| match list.first() {
            Some(first) if deferred => {
                let span = first.span;
                vec![Stmt { kind: StmtKind::Scope(list), span }]
            }
            _ => list,
        })
    }

    /// Analyzes expressions that initialize an object: temporary objects end with each of them.
    pub(super) fn full_parts(
        &mut self,
        step: impl FnOnce(&mut Self, &mut Vec<hir::Expr>) -> Res<()>,
    ) -> Res<Vec<hir::Expr>> {
        let outer = self.set_deferred(false);
        let mut parts = Vec::new();
        let result = step(self, &mut parts);
        let deferred = self.set_deferred(outer);
        result?;
        Ok(if deferred { parts.into_iter().map(scoped).collect() } else { parts })
    }

    /// The value of an object without a copy: the bytes move.
    pub(super) fn bytes_of(&mut self, object: Value) -> Res<hir::Expr> {
        let (ty, span) = (object.ty, object.span);
        let ValueKind::Place(kind, _) = object.kind else { return self.expr(object) };
        let place = self.make_place(kind, ty, span)?;
        self.make(Hir::Load(Box::new(place)), ty.ty, span)
    }

    /// A value that an expression statement drops: objects stay, other values are destroyed.
    pub(super) fn dropped(&mut self, value: Value) -> Res<hir::Expr> {
        if self.types.record(value.ty.ty).is_none() {
            return self.expr(value);
        }
        if matches!(value.kind, ValueKind::Rvalue(_)) && !self.classes().is_destroyed(value.ty.ty) {
            return self.expr(value);
        }
        self.address(value)
    }

    /// The local object that `return` names: its bytes move to the result.
    pub(super) fn returned_local(&mut self, value: &Value, result: Qual) -> Res<Option<hir::Expr>> {
        let ValueKind::Place(PlaceKind::Local(local), _) = value.kind else { return Ok(None) };
        let (ty, span) = (value.ty, value.span);
        let is_variable =
            self.function.as_ref().is_some_and(|function| function.locals[local].kind == LocalKind::Variable);
        if !is_variable || ty.ty != result.ty || !self.classes().is_destroyed(ty.ty) {
            return Ok(None);
        }
        let address = self.address(value.clone())?;
        let forget = self.make(Hir::Intrinsic(Intrinsic::Forget, vec![address]), CTypes::VOID, span)?;
        let bytes = self.bytes_of(value.clone())?;
        Ok(Some(self.make(Hir::Comma(Box::new(forget), Box::new(bytes)), ty.ty, span)?))
    }
}

/// A full expression with temporary objects.
pub(super) fn scoped(expr: hir::Expr) -> hir::Expr {
    let (ty, span) = (expr.ty, expr.span);
    hir::Expr { kind: Hir::Scoped(Box::new(expr)), ty, span }
}

/// Ends temporary objects with the expression of a statement, or of a declaration: one full
/// expression initializes all parts of its object.
pub(super) fn scope_expressions(list: &mut Vec<Stmt>, first: usize) {
    let mut parts = Vec::new();
    for mut statement in list.split_off(first) {
        match &mut statement.kind {
            StmtKind::Expr(expr) => {
                parts.push(std::mem::replace(expr, hir::Expr::int(0, expr.span)));
                continue;
            }
            StmtKind::Declare { init: Some(expr), .. } | StmtKind::Return(Some(expr)) => {
                let inner = std::mem::replace(expr, hir::Expr::int(0, expr.span));
                *expr = scoped(inner);
            }
            _ => {}
        }
        end_parts(&mut parts, list);
        list.push(statement);
    }
    end_parts(&mut parts, list);
}

fn end_parts(parts: &mut Vec<hir::Expr>, list: &mut Vec<Stmt>) {
    if let Some(all) = in_order(std::mem::take(parts)) {
        list.push(Stmt { span: all.span, kind: StmtKind::Expr(scoped(all)) });
    }
}
