//! `noexcept`: whether an expression can throw ([expr.unary.noexcept]).

use super::Sema;
use super::types::CTypes;
use super::value::{FunctionName, Res, Value};
use crate::hir::visit::{statements, visit_expr};
use crate::hir::{self, ExprKind as Hir, FunctionId, Intrinsic, Stmt, StmtKind};
use crate::source::Span;
use crate::syntax::ast::{Expr, FunctionBody, FunctionChunk, Noexcept};

/// What an expression does that may throw.
#[derive(Default)]
struct Found {
    throws: bool,
    calls: Vec<FunctionId>,
}

impl Found {
    fn add(&mut self, expr: &hir::Expr) {
        match &expr.kind {
            Hir::Call(function, _) => self.calls.push(*function),
            Hir::CallIndirect(..)
            | Hir::Launch(_)
            | Hir::Intrinsic(Intrinsic::Throw(_) | Intrinsic::Rethrow, _) => self.throws = true,
            // `new` throws if there is no memory.
            Hir::Intrinsic(Intrinsic::Library(name), _) => {
                self.throws |= matches!(name.as_str(), "__ws_malloc" | "__ws_exception_throw")
                    || name.starts_with("__ws_new");
            }
            _ => {}
        }
    }
}

impl Sema<'_> {
    /// `noexcept(e)`: the operand is not evaluated.
    pub(super) fn noexcept(&mut self, operand: &Expr, span: Span) -> Res<Value> {
        let value = self.without_evaluation(|sema| {
            let value = sema.expression(operand)?;
            sema.discarded(value)
        });
        let mut found = Found::default();
        visit_expr(&value?, &mut |one| found.add(one));
        let throws = found.throws || self.any_throws(found.calls, 0)?;
        Ok(Value::int(i128::from(!throws), CTypes::BOOL, span))
    }

    /// The constant in `noexcept(condition)` behind a parameter list.
    pub(super) fn noexcept_condition(&mut self, chunk: &FunctionChunk, condition: &Expr) -> Res<bool> {
        let what = "the condition of `noexcept`";
        self.in_parameters(chunk, |sema| sema.constant_int(condition, what)).map(|(value, _)| value != 0)
    }

    /// The statements of a function. Where it is `noexcept` and calls what may throw, an exception
    /// ends the program ([except.terminate]).
    pub(super) fn without_exceptions(&mut self, id: FunctionId, body: Vec<Stmt>) -> Res<Vec<Stmt>> {
        let function = self.instances[id].function;
        let info = &self.functions[function];
        let chunk = info.decl.declarator.function();
        let is_said = chunk.is_some_and(|chunk| !matches!(chunk.noexcept, Noexcept::No));
        let ends = is_said || info.name == FunctionName::Destructor;
        if !ends || self.rules.has_device_code || self.is_builtin(info.span) || self.may_throw(id, 0)? {
            return Ok(body);
        }
        let mut found = Found::default();
        statements(&body, &mut |one| found.add(one));
        if !(found.throws || self.any_throws(found.calls, 0)?) {
            return Ok(body);
        }
        let span = self.functions[function].span;
        Ok(vec![Stmt { kind: StmtKind::Try { body, handlers: Vec::new() }, span }])
    }

    fn any_throws(&mut self, calls: Vec<FunctionId>, depth: u32) -> Res<bool> {
        for call in calls {
            if self.may_throw(call, depth)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a function may throw, by its declaration. A function that the language defines
    /// throws what the functions that it calls throw.
    fn may_throw(&mut self, id: FunctionId, depth: u32) -> Res<bool> {
        let function = self.instances[id].function;
        let (scope, info) = (self.instances[id].scope, &self.functions[function]);
        let chunk = info.decl.declarator.function().cloned();
        let (is_destructor, is_default) =
            (info.name == FunctionName::Destructor, matches!(info.decl.body, FunctionBody::Defaulted));
        match chunk.as_ref().map_or(&Noexcept::No, |chunk| &chunk.noexcept) {
            Noexcept::Yes => return Ok(false),
            Noexcept::If(condition) => {
                let Some(chunk) = &chunk else { return Ok(true) };
                let said = self.in_scope(scope, |sema| sema.noexcept_condition(chunk, condition));
                return said.map(|on| !on);
            }
            Noexcept::No if is_destructor => return Ok(false),
            Noexcept::No if !is_default || depth > 20 => return Ok(true),
            Noexcept::No => {}
        }
        let current = self.scope;
        self.analyze_instance(id);
        self.scope = current;
        let mut found = Found::default();
        if let Some(body) = &self.instances[id].body {
            statements(&body.body, &mut |one| found.add(one));
        }
        if found.throws { Ok(true) } else { self.any_throws(found.calls, depth + 1) }
    }
}
