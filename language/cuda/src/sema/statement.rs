//! Statements: dispatch, blocks, conditions and `if`.

use super::Sema;
use super::loops::unroll;
use super::scope::{Entity, Owner};
use super::types::{CTypes, Qual};
use super::value::{Res, Value};
use crate::hir::{ExprKind, LocalId, LocalKind, Stmt, StmtKind};
use crate::source::Span;
use crate::syntax::PART_OF_CHAIN;
use crate::syntax::ast::{Condition, DeclKind, DeclaratorName, Expr, Stmt as Ast, StmtKind as AstKind};

/// The branches of a chain of `else if` and its last `else`, if it is too long to be nested. Only
/// the conditions of such a chain must not declare variables.
#[expect(clippy::type_complexity, reason = "the parts of the statement")]
fn long_chain<'a>(
    condition: &'a Condition,
    then: &'a Ast,
    otherwise: Option<&'a Ast>,
    span: Span,
) -> Option<(Vec<(&'a Condition, &'a Ast, Span)>, Option<&'a Ast>)> {
    let mut branches = vec![(condition, then, span)];
    let mut last = otherwise;
    while let Some(Ast { kind: AstKind::If(condition, then, otherwise), span }) = last {
        branches.push((condition, then, *span));
        last = otherwise.as_deref();
    }
    let is_plain = branches.iter().all(|(condition, ..)| matches!(condition, Condition::Expr(_)));
    (branches.len() > PART_OF_CHAIN && is_plain).then_some((branches, last))
}

impl Sema<'_> {
    /// Analyzes a statement. Errors in it are recorded, and the next statement is analyzed.
    pub(super) fn statement(&mut self, statement: &Ast, out: &mut Vec<Stmt>) -> Res<()> {
        let first = out.len();
        let result = self.statement_inner(statement, out);
        self.take_sizes_to(first, out);
        if result.is_err() && self.rules.explains_failures && !self.out.has_errors() {
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
                    super::lifetime::scope_expressions(&mut list, 0);
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
    pub(super) fn condition_value(&mut self, condition: &Condition, out: &mut Vec<Stmt>) -> Res<Value> {
        match condition {
            Condition::Expr(expr) | Condition::Constant(expr) => {
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
                    Some((Entity::Local(info), _)) => self.local_value(info, name.symbol, name.span),
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
        if let Condition::Constant(condition) = condition {
            return self.constant_if(condition, then, otherwise, out);
        }
        if let Some((branches, last)) = long_chain(condition, then, otherwise, span) {
            return self.chain(&branches, last, span, out);
        }
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

    /// `if constexpr` with all its `else if constexpr`: the first branch whose condition is true.
    fn constant_if<'a>(
        &mut self,
        condition: &'a Expr,
        then: &'a Ast,
        otherwise: Option<&'a Ast>,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let in_template =
            self.scopes.outwards(self.scope).any(|scope| self.scopes.get(scope).owner == Owner::Template);
        let mut next = Some((condition, then, otherwise));
        let (mut taken, mut failed) = (false, false);
        while let Some((condition, then, otherwise)) = next.take() {
            // The instance of a template has no code of the branches that are not taken.
            if taken && in_template {
                break;
            }
            let is_true = match self.constant_int(condition, "the condition of `if constexpr`") {
                Ok((value, _)) => value != 0,
                Err(_) => return Err(super::Failed),
            };
            failed |= self.constant_branch(then, is_true && !taken, in_template, out).is_err();
            taken |= is_true;
            match otherwise {
                Some(Ast { kind: AstKind::If(Condition::Constant(condition), then, otherwise), .. }) => {
                    next = Some((condition, &**then, otherwise.as_deref()));
                }
                Some(last) => failed |= self.constant_branch(last, !taken, in_template, out).is_err(),
                None => {}
            }
        }
        if failed { Err(super::Failed) } else { Ok(()) }
    }

    /// A branch of `if constexpr`. Outside of templates, a branch that is not taken is checked, but
    /// it takes no part in the type of the result.
    fn constant_branch(
        &mut self,
        branch: &Ast,
        taken: bool,
        in_template: bool,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        if taken {
            let list = self.scoped_statement(branch)?;
            out.push(Stmt { kind: StmtKind::Block(list), span: branch.span });
            return Ok(());
        }
        if in_template {
            return Ok(());
        }
        let declared = self.function.as_ref().and_then(|function| function.instance);
        let declared = declared.map(|id| self.instances[id].signature.result);
        let before = self.function.as_mut().map(|function| {
            let result = function.result;
            function.result = declared.unwrap_or(result);
            (result, function.named.clone())
        });
        let checked = self.scoped_statement(branch);
        if let (Some(function), Some((result, named))) = (&mut self.function, before) {
            (function.result, function.named) = (result, named);
        }
        checked.map(|_| ())
    }

    /// A long chain of `else if`: parts of limited length. If no branch of a part runs, a variable
    /// says that the next part is executed.
    fn chain(
        &mut self,
        branches: &[(&Condition, &Ast, Span)],
        last: Option<&Ast>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let ty = Qual::plain(CTypes::BOOL);
        let goes_on = self.new_local(String::new(), ty, LocalKind::Temporary, span)?;
        let mut failed = false;
        let count = branches.len().div_ceil(PART_OF_CHAIN);
        for (number, part) in branches.chunks(PART_OF_CHAIN).enumerate() {
            let mut tests = Vec::new();
            for (condition, then, span) in part {
                let scope = self.scopes.add(self.scope, Owner::Block);
                let branch = self.in_scope(scope, |sema| {
                    let condition = sema.full_condition(condition, &mut Vec::new());
                    (condition, sema.scoped_statement(then))
                });
                match branch {
                    (Ok(condition), Ok(then)) => tests.push((condition, then, *span)),
                    _ => failed = true,
                }
            }
            let mut otherwise = match last {
                _ if number + 1 < count => vec![self.set_flag(goes_on, true, span)?],
                Some(last) => self.scoped_statement(last)?,
                None => Vec::new(),
            };
            for (condition, then, span) in tests.into_iter().rev() {
                otherwise = vec![Stmt { kind: StmtKind::If { condition, then, otherwise }, span }];
            }
            otherwise.insert(0, self.set_flag(goes_on, false, span)?);
            if number == 0 {
                out.append(&mut otherwise);
                continue;
            }
            let test = self.read_local(goes_on, ty, span);
            let condition = self.condition(test)?;
            let kind = StmtKind::If { condition, then: otherwise, otherwise: Vec::new() };
            out.push(Stmt { kind, span });
        }
        if failed { Err(super::Failed) } else { Ok(()) }
    }

    fn set_flag(&mut self, flag: LocalId, value: bool, span: Span) -> Res<Stmt> {
        let ty = Qual::plain(CTypes::BOOL);
        let place = self.read_local(flag, ty, span);
        let value = self.make(ExprKind::Int(i128::from(value)), CTypes::BOOL, span)?;
        let mut parts = Vec::new();
        self.store(place, value, &mut parts)?;
        let Some(store) = parts.pop() else { return Err(super::Failed) };
        Ok(Stmt { kind: StmtKind::Expr(store), span })
    }

    /// A condition whose temporary objects end with it; a declaration in it goes to `out`.
    pub(super) fn full_condition(
        &mut self,
        condition: &Condition,
        out: &mut Vec<Stmt>,
    ) -> Res<crate::hir::Expr> {
        match condition {
            Condition::Expr(_) | Condition::Constant(_) => {
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
