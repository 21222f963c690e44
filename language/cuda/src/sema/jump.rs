//! Labels, `goto` and `switch` ([stmt.switch], [stmt.goto]).

use super::Sema;
use super::function::Switch;
use super::scope::Owner;
use super::statement::push_after;
use super::value::Res;
use crate::diagnostics::Diagnostic;
use crate::hir::{LabelId, Stmt, StmtKind};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{Condition, Expr, Stmt as Ast};

/// Values that one `case a ... b` may cover.
const MAX_CASE_RANGE: i128 = 4096;

impl Sema<'_> {
    pub(super) fn switch(
        &mut self,
        condition: &Condition,
        body: &Ast,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let scope = self.scopes.add(self.scope, Owner::Block);
        self.in_scope(scope, |sema| {
            let mut before = Vec::new();
            let outer = sema.set_deferred(false);
            let value = sema.condition_value(condition, &mut before)?;
            let value = sema.scalar_of(value)?;
            let ty = value.ty.ty;
            if !sema.types.is_integral(ty) && !sema.types.is_enum(ty) {
                let shown = sema.show(value.ty);
                let message = format!("`switch` takes an integer, not `{shown}`");
                return sema.error("wrong-type", value.span, message);
            }
            let value = sema.promoted_bits(value)?;
            let promoted = sema.types.promoted(value.ty.ty);
            let value = sema.expr(value)?;
            let value = sema.cast(value, promoted)?;
            let Some(function) = &mut sema.function else { return Err(super::Failed) };
            function.switches.push(Switch { ty: Some(promoted), ..Switch::default() });
            function.breakable += 1;
            let body = sema.scoped_statement(body);
            let Some(function) = &mut sema.function else { return Err(super::Failed) };
            function.breakable -= 1;
            let Some(switch) = function.switches.pop() else { return Err(super::Failed) };
            let mut body = body?;
            // The cases jump into the body: its variables end with the whole statement.
            let mut deferred = sema.set_deferred(outer);
            if let [Stmt { kind: StmtKind::Scope(list), .. }] = body.as_mut_slice() {
                body = std::mem::take(list);
                deferred = true;
            }
            let kind = StmtKind::Switch { value, cases: switch.cases, default: switch.default, body };
            push_after(before, Stmt { kind, span }, deferred, out);
            Ok(())
        })
    }

    fn new_label(&mut self) -> LabelId {
        let Some(function) = &mut self.function else { return LabelId(0) };
        function.labels += 1;
        LabelId(function.labels - 1)
    }

    pub(super) fn case(
        &mut self,
        first: &Expr,
        last: Option<&Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let (low, _) = self.constant_int(first, "the value of `case`")?;
        let high = match last {
            Some(last) => self.constant_int(last, "the value of `case`")?.0,
            None => low,
        };
        if high < low || high - low >= MAX_CASE_RANGE {
            return self.error("limit", span, format!("`case {low} ... {high}` has no values or too many"));
        }
        let label = self.new_label();
        let ty =
            self.function.as_ref().and_then(|function| function.switches.last()).and_then(|switch| switch.ty);
        let Some(int) = ty.and_then(|ty| self.types.int_type(ty)) else {
            return self.error("syntax", span, "`case` outside of a `switch`");
        };
        for value in low..=high {
            let value = int.wrap(value);
            let Some(switch) = self.function.as_mut().and_then(|function| function.switches.last_mut())
            else {
                break;
            };
            if let Some(at) = switch.cases.iter().position(|(known, _)| *known == value) {
                let first = switch.spans[at];
                let error = Diagnostic::error("redefinition", span, format!("`case {value}` occurs twice"))
                    .at(first, "first occurrence");
                return self.fail(error);
            }
            switch.cases.push((value, label));
            switch.spans.push(span);
        }
        out.push(Stmt { kind: StmtKind::Label(label), span });
        Ok(())
    }

    pub(super) fn default_label(&mut self, span: Span, out: &mut Vec<Stmt>) -> Res<()> {
        let label = self.new_label();
        let switch = self.function.as_mut().and_then(|function| function.switches.last_mut());
        match switch {
            None => self.error("syntax", span, "`default` outside of a `switch`"),
            Some(switch) if switch.default.is_some() => {
                self.error("redefinition", span, "`default` occurs twice in this `switch`")
            }
            Some(switch) => {
                switch.default = Some(label);
                out.push(Stmt { kind: StmtKind::Label(label), span });
                Ok(())
            }
        }
    }

    pub(super) fn label(&mut self, name: Symbol, span: Span, defines: bool) -> Res<LabelId> {
        let known = self.function.as_ref().and_then(|function| function.named.get(&name).copied());
        if let Some((_, true, first)) = known.filter(|_| defines) {
            let text = self.text(name).to_owned();
            let error = Diagnostic::error("redefinition", span, format!("label `{text}` is defined twice"))
                .at(first, "first definition");
            return self.fail(error);
        }
        let (label, defined) = match known {
            Some((label, defined, _)) => (label, defined || defines),
            None => (self.new_label(), defines),
        };
        if let Some(function) = &mut self.function {
            function.named.insert(name, (label, defined, span));
        }
        Ok(label)
    }
}
