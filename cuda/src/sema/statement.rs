//! Statements.

use super::Sema;
use super::function::Switch;
use super::scope::{Constant, Entity, Owner};
use super::types::{Kind, Qual};
use super::value::{Res, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, LabelId, LocalKind, Stmt, StmtKind, Unroll};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{
    Condition, Decl, DeclKind, DeclaratorName, Expr, For, InitDeclarator, Initializer, RangeFor, Specifiers,
    Stmt as Ast, StmtKind as AstKind,
};

/// Values that one `case a ... b` may cover.
const MAX_CASE_RANGE: i128 = 4096;

fn unroll(pragma: Option<u32>) -> Unroll {
    match pragma {
        None => Unroll::Auto,
        Some(0) => Unroll::Full,
        Some(times) => Unroll::Times(times),
    }
}

impl Sema<'_> {
    /// Analyzes a statement. Errors in it are recorded, and the next statement is analyzed.
    pub(super) fn statement(&mut self, statement: &Ast, out: &mut Vec<Stmt>) -> Res<()> {
        if self.out.is_full() {
            return Err(super::Failed);
        }
        let span = statement.span;
        let kind = match &statement.kind {
            AstKind::Empty => return Ok(()),
            AstKind::Expr(expr) => {
                let value = self.expression(expr)?;
                self.warn_unused(expr, &value);
                StmtKind::Expr(self.discarded(value)?)
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
                let condition = self.expression(condition).and_then(|value| self.condition(value));
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
            AstKind::Return(value) => self.return_statement(value.as_ref(), span)?,
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
    fn block(&mut self, list: &[Ast]) -> Res<Vec<Stmt>> {
        let scope = self.scopes.add(self.scope, Owner::Block);
        self.in_scope(scope, |sema| {
            let mut out = Vec::with_capacity(list.len());
            let mut failed = false;
            for one in list {
                failed |= sema.statement(one, &mut out).is_err();
            }
            if failed { Err(super::Failed) } else { Ok(out) }
        })
    }

    /// Analyzes a statement in its own scope.
    fn scoped_statement(&mut self, statement: &Ast) -> Res<Vec<Stmt>> {
        if let AstKind::Block(list) = &statement.kind {
            return self.block(list);
        }
        self.block(std::slice::from_ref(statement))
    }

    fn loop_body(&mut self, body: &Ast) -> Res<Vec<Stmt>> {
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

    /// A condition; a declaration in it goes to `out`.
    fn condition_value(&mut self, condition: &Condition, out: &mut Vec<Stmt>) -> Res<super::value::Value> {
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
            let test = sema.condition_value(condition, &mut before).and_then(|value| sema.condition(value));
            let then = sema.scoped_statement(then);
            let otherwise = otherwise.map_or(Ok(Vec::new()), |otherwise| sema.scoped_statement(otherwise));
            let kind = StmtKind::If { condition: test?, then: then?, otherwise: otherwise? };
            push_after(before, Stmt { kind, span }, out);
            Ok(())
        })
    }

    fn while_statement(
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

    fn for_statement(&mut self, inner: &For, span: Span) -> Res<Vec<Stmt>> {
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
    fn range_for(&mut self, inner: &RangeFor, span: Span) -> Res<Vec<Stmt>> {
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

    fn switch(&mut self, condition: &Condition, body: &Ast, span: Span, out: &mut Vec<Stmt>) -> Res<()> {
        let scope = self.scopes.add(self.scope, Owner::Block);
        self.in_scope(scope, |sema| {
            let mut before = Vec::new();
            let value = sema.condition_value(condition, &mut before)?;
            let ty = value.ty.ty;
            if !sema.types.is_integral(ty) && !sema.types.is_enum(ty) {
                let shown = sema.show(value.ty);
                return sema.error(
                    "wrong-type",
                    value.span,
                    format!("`switch` takes an integer, not `{shown}`"),
                );
            }
            let promoted = sema.types.promoted(ty);
            let value = sema.expr(value)?;
            let value = sema.cast(value, promoted)?;
            let Some(function) = &mut sema.function else { return Err(super::Failed) };
            function.switches.push(Switch { ty: Some(promoted), ..Switch::default() });
            function.breakable += 1;
            let body = sema.scoped_statement(body);
            let Some(function) = &mut sema.function else { return Err(super::Failed) };
            function.breakable -= 1;
            let Some(switch) = function.switches.pop() else { return Err(super::Failed) };
            let kind = StmtKind::Switch { value, cases: switch.cases, default: switch.default, body: body? };
            push_after(before, Stmt { kind, span }, out);
            Ok(())
        })
    }

    fn new_label(&mut self) -> LabelId {
        let Some(function) = &mut self.function else { return LabelId(0) };
        function.labels += 1;
        LabelId(function.labels - 1)
    }

    fn case(&mut self, first: &Expr, last: Option<&Expr>, span: Span, out: &mut Vec<Stmt>) -> Res<()> {
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

    fn default_label(&mut self, span: Span, out: &mut Vec<Stmt>) -> Res<()> {
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

    fn label(&mut self, name: Symbol, span: Span, defines: bool) -> Res<LabelId> {
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

    /// Declarations in a function.
    fn local_declaration(&mut self, decl: &Decl, out: &mut Vec<Stmt>) -> Res<()> {
        match &decl.kind {
            DeclKind::Simple(specifiers, list) => {
                let base = self.specifiers(specifiers)?;
                let mut failed = false;
                for one in list {
                    failed |= self.local_variable(specifiers, base, one, out).is_err();
                }
                if failed { Err(super::Failed) } else { Ok(()) }
            }
            DeclKind::StaticAssert(condition, text) => self.static_assertion(condition, text),
            DeclKind::Alias(name, target, template) => self.collect_alias(*name, target, template.as_ref()),
            DeclKind::Using(name) => {
                let (entity, _) = self.find_qualified(name)?;
                let scope = self.scope;
                self.scopes.get_mut(scope).names.insert(name.last().name.symbol, entity);
                Ok(())
            }
            DeclKind::UsingNamespace(name) => {
                if let (Entity::Namespace(other), _) = self.find_qualified(name)? {
                    let scope = self.scope;
                    self.scopes.get_mut(scope).also.push(other);
                }
                Ok(())
            }
            DeclKind::Empty => Ok(()),
            DeclKind::Function(_) => self.unsupported(decl.span, "a function in a function"),
            _ => self.unsupported(decl.span, "this declaration in a function"),
        }
    }

    fn local_variable(
        &mut self,
        specifiers: &Specifiers,
        base: Qual,
        one: &InitDeclarator,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let span = one.declarator.span;
        let DeclaratorName::Plain(name) = one.declarator.name else {
            return self.error("syntax", span, "expected a variable");
        };
        let result = self.local_variable_named(specifiers, base, one, name.symbol, out);
        if result.is_err() {
            // Later uses of the name give no further errors.
            let scope = self.scope;
            self.scopes.get_mut(scope).names.entry(name.symbol).or_insert(Entity::Error);
        }
        result
    }

    fn local_variable_named(
        &mut self,
        specifiers: &Specifiers,
        base: Qual,
        one: &InitDeclarator,
        name: Symbol,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let span = one.declarator.span;
        let ty = self.declarator(base, &one.declarator.chunks, span)?;
        let scope = self.scope;
        if specifiers.flags.is_typedef {
            self.scopes.get_mut(scope).names.insert(name, Entity::Type(ty));
            return Ok(());
        }
        let ty = self.complete_array(ty, one.init.as_ref());
        let flags = specifiers.flags;
        if flags.shared
            || flags.is_static
            || flags.constant
            || flags.device
            || flags.managed
            || flags.is_extern
        {
            return self.static_local(specifiers, one, ty, name);
        }
        if ty.ty == super::types::CTypes::VOID {
            return self.error("wrong-type", span, "a variable cannot have type `void`");
        }
        if self.types.kind(ty.ty) == &Kind::Auto || self.contains_auto(ty) {
            let (Some(Initializer::Value(expr) | Initializer::List(expr)), false) = (&one.init, false) else {
                if let Some(Initializer::Arguments(list, _)) = &one.init
                    && let [only] = list.as_slice()
                {
                    let value = self.expression(only)?;
                    return self.auto_variable(name, ty, value, span, out);
                }
                return self.error("wrong-type", span, "`auto` needs an initializer");
            };
            let value = self.expression(expr)?;
            return self.auto_variable(name, ty, value, span, out);
        }
        if self.types.referent(ty.ty).is_some() {
            let value = match &one.init {
                Some(Initializer::Value(expr) | Initializer::List(expr)) => self.expression(expr)?,
                Some(Initializer::Arguments(list, _)) if list.len() == 1 => self.expression(&list[0])?,
                _ => {
                    let text = self.text(name).to_owned();
                    return self.error(
                        "wrong-type",
                        span,
                        format!("reference `{text}` needs an initializer"),
                    );
                }
            };
            return self.reference_variable(name, ty, value, span, out);
        }
        self.require_complete(ty.ty, span)?;
        if let Some((_, None)) = self.types.array(ty.ty) {
            return self.error("array-length", span, "the array needs a length");
        }
        self.check_destructor(ty, span)?;
        let text = self.text(name).to_owned();
        let local = self.new_local(text, ty, LocalKind::Variable, span)?;
        self.raise_alignment(specifiers, local)?;
        // A declaration is visible in its own initializer.
        let declared = self.declare_local(name, local, ty, span);
        let place = self.read_local(local, ty, span);
        let mut parts = Vec::new();
        match &one.init {
            Some(init) => self.initialize(&place, init, &mut parts)?,
            None => self.construct_default(&place, &mut parts)?,
        }
        let init = Self::single_store(&mut parts, local);
        let constant = init.as_ref().and_then(|init| match init.kind {
            hir::ExprKind::Int(int) => Some(Constant::Int(int)),
            hir::ExprKind::Float(float) => Some(Constant::Float(float)),
            _ => None,
        });
        if (ty.quals.is_const || flags.is_constexpr)
            && let Some(Entity::Local(info)) = self.scopes.get_mut(scope).names.get_mut(&name)
        {
            info.known = constant.filter(|_| !ty.quals.is_volatile);
        }
        out.push(Stmt { kind: StmtKind::Declare { local, init }, span });
        out.extend(parts.into_iter().map(|part| Stmt { span: part.span, kind: StmtKind::Expr(part) }));
        declared
    }
}

/// Adds statements that a condition needs and the statement itself, in one block if necessary.
fn push_after(mut before: Vec<Stmt>, statement: Stmt, out: &mut Vec<Stmt>) {
    if before.is_empty() {
        out.push(statement);
        return;
    }
    let span = statement.span;
    before.push(statement);
    out.push(Stmt { kind: StmtKind::Block(before), span });
}
