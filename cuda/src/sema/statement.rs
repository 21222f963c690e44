//! Statements: dispatch, blocks, conditions and `if`.

use super::Sema;
use super::loops::unroll;
use super::scope::{Entity, Owner};
use super::value::Res;
use crate::hir::{Stmt, StmtKind};
use crate::source::Span;
use crate::syntax::ast::{Condition, DeclKind, DeclaratorName, Stmt as Ast, StmtKind as AstKind};

impl Sema<'_> {
    /// Analyzes a statement. Errors in it are recorded, and the next statement is analyzed.
    pub(super) fn statement(&mut self, statement: &Ast, out: &mut Vec<Stmt>) -> Res<()> {
        let result = self.statement_inner(statement, out);
        if result.is_err() && self.target.is_host() && !self.out.has_errors() {
            // No failure may pass without a message: it follows from a declaration.
            if !self.quiet.is_empty() {
                for message in std::mem::take(&mut self.quiet) {
                    self.out.push(message);
                }
                return result;
            }
            return self.unsupported(statement.span, "this statement in host code");
        }
        result
    }

    fn statement_inner(&mut self, statement: &Ast, out: &mut Vec<Stmt>) -> Res<()> {
        if self.out.is_full() {
            return Err(super::Failed);
        }
        let span = statement.span;
        let kind = match &statement.kind {
            AstKind::Empty => return Ok(()),
            AstKind::Expr(expr) => {
                let value = self.full(|sema| {
                    let value = sema.expression(expr)?;
                    sema.warn_unused(expr, &value);
                    sema.discarded(value)
                })?;
                StmtKind::Expr(value)
            }
            AstKind::Decl(decl) => return self.local_declaration(decl, out),
            AstKind::Block(list) => StmtKind::Block(self.block(list)?),
            AstKind::Labelled(list) => {
                let mut failed = false;
                for one in list {
                    failed |= self.statement(one, out).is_err();
                }
                return if failed { Err(super::Failed) } else { Ok(()) };
            }
            AstKind::If(condition, then, otherwise) => {
                return self.if_statement(condition, then, otherwise.as_deref(), span, out);
            }
            AstKind::While(condition, body, pragma) => {
                return self.while_statement(condition, body, *pragma, span, out);
            }
            AstKind::DoWhile(body, condition, pragma) => {
                let body = self.loop_body(body);
                let condition =
                    self.full(|sema| sema.expression(condition).and_then(|value| sema.condition(value)));
                StmtKind::DoWhile { body: body?, condition: condition?, unroll: unroll(*pragma) }
            }
            AstKind::For(inner) => StmtKind::Block(self.for_statement(inner, span)?),
            AstKind::RangeFor(inner) => StmtKind::Block(self.range_for(inner, span)?),
            AstKind::Switch(condition, body) => return self.switch(condition, body, span, out),
            AstKind::Case(first, last) => return self.case(first, last.as_ref(), span, out),
            AstKind::Default => return self.default_label(span, out),
            AstKind::Label(name) => {
                let label = self.label(name.symbol, name.span, true)?;
                StmtKind::Label(label)
            }
            AstKind::Goto(name) => StmtKind::Goto(self.label(name.symbol, name.span, false)?),
            AstKind::Break => {
                if self.function.as_ref().is_none_or(|function| function.breakable == 0) {
                    return self.error("syntax", span, "`break` outside of a loop or `switch`");
                }
                StmtKind::Break
            }
            AstKind::Continue => {
                if self.function.as_ref().is_none_or(|function| function.loops == 0) {
                    return self.error("syntax", span, "`continue` outside of a loop");
                }
                StmtKind::Continue
            }
            AstKind::Return(value) => {
                let outer = self.set_deferred(false);
                let kind = self.return_statement(value.as_ref(), span);
                let mut list = vec![Stmt { kind: kind?, span }];
                if self.set_deferred(outer) {
                    super::lifetime::scope_expressions(&mut list);
                }
                out.append(&mut list);
                return Ok(());
            }
            AstKind::Try(body, handlers) => self.try_statement(body, handlers)?,
            AstKind::Asm(asm) => {
                let asm = self.inline_asm(asm, span)?;
                StmtKind::Expr(asm)
            }
            AstKind::Unsupported(construct) => return self.unsupported(span, construct),
        };
        out.push(Stmt { kind, span });
        Ok(())
    }

    /// Analyzes statements in their own scope.
    pub(super) fn block(&mut self, list: &[Ast]) -> Res<Vec<Stmt>> {
        let scope = self.scopes.add(self.scope, Owner::Block);
        self.in_scope(scope, |sema| {
            sema.lifetimes(|sema| {
                let mut out = Vec::with_capacity(list.len());
                let mut failed = false;
                for one in list {
                    failed |= sema.statement(one, &mut out).is_err();
                }
                if failed { Err(super::Failed) } else { Ok(out) }
            })
        })
    }

    /// Analyzes a statement in its own scope.
    pub(super) fn scoped_statement(&mut self, statement: &Ast) -> Res<Vec<Stmt>> {
        if let AstKind::Block(list) = &statement.kind {
            return self.block(list);
        }
        self.block(std::slice::from_ref(statement))
    }

    /// A condition; a declaration in it goes to `out`.
    pub(super) fn condition_value(
        &mut self,
        condition: &Condition,
        out: &mut Vec<Stmt>,
    ) -> Res<super::value::Value> {
        match condition {
            Condition::Expr(expr) => {
                self.warn_assignment(expr);
                self.expression(expr)
            }
            Condition::Decl(decl) => {
                self.local_declaration(decl, out)?;
                let DeclKind::Simple(_, list) = &decl.kind else { return Err(super::Failed) };
                let Some(DeclaratorName::Plain(name)) = list.first().map(|one| &one.declarator.name) else {
                    return Err(super::Failed);
                };
                match self.find(name.symbol) {
                    Some((Entity::Local(info), _)) => Ok(self.read_local(info.local, info.ty, name.span)),
                    _ => Err(super::Failed),
                }
            }
        }
    }

    fn if_statement(
        &mut self,
        condition: &Condition,
        then: &Ast,
        otherwise: Option<&Ast>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let scope = self.scopes.add(self.scope, Owner::Block);
        self.in_scope(scope, |sema| {
            let mut before = Vec::new();
            let outer = sema.set_deferred(false);
            let test = sema.full_condition(condition, &mut before);
            let then = sema.scoped_statement(then);
            let otherwise = otherwise.map_or(Ok(Vec::new()), |otherwise| sema.scoped_statement(otherwise));
            let kind = StmtKind::If { condition: test?, then: then?, otherwise: otherwise? };
            let deferred = sema.set_deferred(outer);
            push_after(before, Stmt { kind, span }, deferred, out);
            Ok(())
        })
    }

    /// A condition whose temporary objects end with it; a declaration in it goes to `out`.
    pub(super) fn full_condition(
        &mut self,
        condition: &Condition,
        out: &mut Vec<Stmt>,
    ) -> Res<crate::hir::Expr> {
        match condition {
            Condition::Expr(_) => {
                self.full(|sema| sema.condition_value(condition, out).and_then(|value| sema.condition(value)))
            }
            Condition::Decl(_) => {
                let value = self.condition_value(condition, out)?;
                self.full(|sema| sema.condition(value))
            }
        }
    }
}

/// Adds statements that a condition needs and the statement itself, in one block if necessary.
pub(super) fn push_after(mut before: Vec<Stmt>, statement: Stmt, deferred: bool, out: &mut Vec<Stmt>) {
    if before.is_empty() && !deferred {
        out.push(statement);
        return;
    }
    let span = statement.span;
    before.push(statement);
    let kind = if deferred { StmtKind::Scope(before) } else { StmtKind::Block(before) };
    out.push(Stmt { kind, span });
}
