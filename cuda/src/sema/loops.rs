//! Loops: `while`, `for` and `for` over an array.

use super::Sema;
use super::scope::Owner;
use super::types::Qual;
use super::value::{Res, ValueKind};
use crate::hir::{self, LocalKind, Stmt, StmtKind, Unroll};
use crate::source::Span;
use crate::syntax::ast::{Condition, For, RangeFor, Stmt as Ast};

pub(super) fn unroll(pragma: Option<u32>) -> Unroll {
    match pragma {
        None => Unroll::Auto,
        Some(0) => Unroll::Full,
        Some(times) => Unroll::Times(times),
    }
}

impl Sema<'_> {
    pub(super) fn loop_body(&mut self, body: &Ast) -> Res<Vec<Stmt>> {
        if let Some(function) = &mut self.function {
            function.loops += 1;
            function.breakable += 1;
        }
        let result = self.scoped_statement(body);
        if let Some(function) = &mut self.function {
            function.loops -= 1;
            function.breakable -= 1;
        }
        result
    }

    pub(super) fn while_statement(
        &mut self,
        condition: &Condition,
        body: &Ast,
        pragma: Option<u32>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let scope = self.scopes.add(self.scope, Owner::Block);
        self.in_scope(scope, |sema| {
            let mut before = Vec::new();
            let test = sema.condition_value(condition, &mut before).and_then(|value| sema.condition(value));
            let body = sema.loop_body(body);
            let (test, mut body) = (test?, body?);
            if before.is_empty() {
                let kind = StmtKind::While { condition: test, body, unroll: unroll(pragma) };
                out.push(Stmt { kind, span });
                return Ok(());
            }
            // The variable of the condition is declared anew in each iteration.
            let at = test.span;
            let stop = vec![Stmt { kind: StmtKind::Break, span: at }];
            before.push(Stmt {
                kind: StmtKind::If { condition: test, then: Vec::new(), otherwise: stop },
                span: at,
            });
            before.append(&mut body);
            let always = hir::Expr { kind: hir::ExprKind::Int(1), ty: hir::Types::BOOL, span: at };
            let kind = StmtKind::While { condition: always, body: before, unroll: unroll(pragma) };
            out.push(Stmt { kind, span });
            Ok(())
        })
    }

    pub(super) fn for_statement(&mut self, inner: &For, span: Span) -> Res<Vec<Stmt>> {
        let scope = self.scopes.add(self.scope, Owner::Block);
        self.in_scope(scope, |sema| {
            let mut init = Vec::new();
            let started = inner.init.as_ref().map_or(Ok(()), |first| sema.statement(first, &mut init));
            let mut before = Vec::new();
            let condition = match &inner.condition {
                None => Ok(None),
                Some(condition) => sema
                    .condition_value(condition, &mut before)
                    .and_then(|value| sema.condition(value))
                    .map(Some),
            };
            if !before.is_empty() {
                return sema.unsupported(span, "a declaration in the condition of `for`");
            }
            let step = match &inner.step {
                None => Ok(None),
                Some(step) => sema.expression(step).and_then(|value| sema.discarded(value)).map(Some),
            };
            let body = sema.loop_body(&inner.body);
            started?;
            let kind = StmtKind::For {
                init,
                condition: condition?,
                step: step?,
                body: body?,
                unroll: unroll(inner.unroll),
            };
            Ok(vec![Stmt { kind, span }])
        })
    }

    /// `for (x : array)`: a loop over the index.
    pub(super) fn range_for(&mut self, inner: &RangeFor, span: Span) -> Res<Vec<Stmt>> {
        let scope = self.scopes.add(self.scope, Owner::Block);
        self.in_scope(scope, |sema| {
            let range = sema.expression(&inner.range)?;
            let at = inner.range.span;
            let (Some((_, Some(length))), ValueKind::Place(..)) =
                (sema.types.array(range.ty.ty), &range.kind)
            else {
                return sema.unsupported(at, "a `for` loop over what is not an array");
            };
            let index_ty = Qual::plain(super::types::CTypes::INT);
            let index = sema.new_local(String::new(), index_ty, LocalKind::Temporary, at)?;
            let read = |sema: &mut Self| sema.read_local(index, index_ty, at);
            let zero = sema.make(hir::ExprKind::Int(0), index_ty.ty, at)?;
            let init = vec![Stmt { kind: StmtKind::Declare { local: index, init: Some(zero) }, span: at }];
            let (left, limit) = (read(sema), sema.int_value(i128::from(length), index_ty.ty, at));
            let condition = sema.binary(crate::lex::Punct::Less, left, limit, at, at)?;
            let condition = sema.condition(condition)?;
            let one = sema.int_value(1, index_ty.ty, at);
            let value = read(sema);
            let next = sema.binary(crate::lex::Punct::Plus, value, one, at, at)?;
            let next = sema.expr(next)?;
            let place = sema.make_place(hir::PlaceKind::Local(index), index_ty, at)?;
            let step = sema.make(
                hir::ExprKind::Assign(Box::new(place), Box::new(next)),
                super::types::CTypes::VOID,
                at,
            )?;
            let ValueKind::Place(kind, _) = range.kind.clone() else { return Err(super::Failed) };
            let Some((element, _)) = sema.types.array(range.ty.ty) else { return Err(super::Failed) };
            let array = sema.make_place(kind, range.ty, at)?;
            let index_value = read(sema);
            let index_value = sema.expr(index_value)?;
            let kind = hir::PlaceKind::Index(Box::new(array), Box::new(index_value));
            let element_value = super::value::Value {
                kind: ValueKind::Place(kind, None),
                ty: element.with(range.ty.quals),
                span: at,
            };
            let mut body = Vec::new();
            sema.declare_variable_from(&inner.specifiers, &inner.declarator, element_value, &mut body)?;
            let mut rest = sema.loop_body(&inner.body)?;
            body.append(&mut rest);
            let kind = StmtKind::For {
                init,
                condition: Some(condition),
                step: Some(step),
                body,
                unroll: unroll(inner.unroll),
            };
            Ok(vec![Stmt { kind, span }])
        })
    }
}
