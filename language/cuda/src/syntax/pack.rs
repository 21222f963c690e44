//! Packs: `...` behind a pattern, fold expressions and `sizeof...` ([temp.variadic]).

use std::rc::Rc;

use super::ast::{Expr, ExprKind, Fold, Name, Packs};
use super::expression::assignment_operator;
use super::parser::{Failed, Parser, Step};
use super::scope::NameKind;
use crate::lex::{Punct, Symbol, TokenKind};
use crate::source::Span;

impl Parser<'_> {
    /// Declares a parameter of a template or function.
    pub(super) fn declare_parameter(&mut self, name: Name, kind: NameKind, is_pack: bool) {
        if is_pack {
            self.scopes.declare_pack(name.symbol, kind);
        } else {
            self.scopes.declare(name.symbol, kind);
        }
    }

    /// The packs that tokens name outside of the expansions among them.
    pub(super) fn packs_between(&self, first: usize, end: usize) -> Vec<Symbol> {
        let mut found = Vec::new();
        for at in first..end {
            let TokenKind::Name(symbol) = self.kind_of(at) else { continue };
            let is_member = at > first
                && matches!(
                    self.kind_of(at - 1),
                    TokenKind::Punct(Punct::Dot | Punct::Arrow | Punct::ColonColon)
                );
            if is_member || found.contains(&symbol) || !self.scopes.is_pack(symbol) {
                continue;
            }
            // Tokens may have been read before: the expansion that ends here is not inside.
            let inside =
                |(from, to): &(usize, usize)| *from >= first && *to <= end && (*from..*to).contains(&at);
            if !self.expanded.iter().rev().any(inside) {
                found.push(symbol);
            }
        }
        found
    }

    /// Takes the `...` behind a pattern that starts at a token.
    pub(super) fn expansion(&mut self, first: usize) -> Step<Option<Packs>> {
        if !self.is(Punct::Ellipsis) {
            return Ok(None);
        }
        let packs = self.packs_of_pattern(first, self.at)?;
        self.bump();
        self.expanded.push((first, self.at));
        Ok(Some(packs))
    }

    pub(super) fn packs_of_pattern(&mut self, first: usize, end: usize) -> Step<Packs> {
        let packs = self.packs_between(first, end);
        if packs.is_empty() {
            let span = self.span();
            self.error("syntax", span, "`...` expands a pack, but there is none in front of it", "");
            return Err(Failed);
        }
        Ok(packs.into())
    }

    /// Parses an expression or `{...}`, and the `...` behind it.
    pub(super) fn clause_or_expansion(&mut self) -> Step<Expr> {
        let (first, start) = (self.at, self.span());
        let value = self.initializer_clause()?;
        let Some(packs) = self.expansion(first)? else { return Ok(value) };
        let (depth, span) = (value.depth, self.since(start));
        self.make(ExprKind::Expand(Rc::new(value), packs), span, &[depth])
    }

    /// `sizeof...(pack)` from the `...`.
    pub(super) fn size_of_pack(&mut self, start: Span) -> Step<Expr> {
        let first = self.at;
        self.bump();
        let open = self.span();
        self.expect(Punct::LeftParen, "after `sizeof...`")?;
        let name = self.expect_name("the name of a pack")?;
        self.expect_close(Punct::RightParen, open)?;
        self.expanded.push((first, self.at));
        let span = self.since(start);
        self.make(ExprKind::SizeofPack(name), span, &[])
    }

    /// The operator at the current token, if a fold expression can have it.
    pub(super) fn fold_operator(&self) -> Option<Punct> {
        let TokenKind::Punct(punct) = self.kind() else { return None };
        let is_operator =
            punct == Punct::Comma || punct.precedence().is_some() || assignment_operator(punct).is_some();
        is_operator.then_some(punct)
    }

    /// `(... + e)` from the `...`.
    pub(super) fn fold_from_left(&mut self, start: Span) -> Step<Expr> {
        self.bump();
        let Some(operator) = self.fold_operator() else {
            return self.unexpected("expected an operator behind `...`");
        };
        self.bump();
        let first = self.at;
        let pattern = self.with_angles(false, |parser| parser.nested(Self::unary))?;
        let packs = self.packs_of_pattern(first, self.at)?;
        let fold = Fold { pattern: Rc::new(pattern), packs, operator, init: None, from_left: true };
        self.made_fold(fold, first, start)
    }

    /// `(e + ...)`, `(e + ... + init)` and `(init + ... + e)` from the operator behind the first
    /// operand, which starts at token `first`.
    pub(super) fn fold(&mut self, operand: Expr, first: usize, start: Span) -> Step<Expr> {
        let end = self.at;
        let Some(operator) = self.fold_operator() else { return self.unexpected("expected an operator") };
        self.bump();
        self.bump();
        if self.is(Punct::RightParen) {
            let packs = self.packs_of_pattern(first, end)?;
            let fold = Fold { pattern: Rc::new(operand), packs, operator, init: None, from_left: false };
            return self.made_fold(fold, first, start);
        }
        if self.fold_operator() != Some(operator) {
            return self.unexpected(&format!("expected `{}` behind `...`", operator.text()));
        }
        self.bump();
        let second = self.at;
        let other = self.with_angles(false, |parser| parser.nested(Self::unary))?;
        let packs = self.packs_between(first, end);
        let fold = if packs.is_empty() {
            let packs = self.packs_of_pattern(second, self.at)?;
            Fold { pattern: Rc::new(other), packs, operator, init: Some(operand), from_left: true }
        } else {
            let (pattern, packs) = (Rc::new(operand), packs.into());
            Fold { pattern, packs, operator, init: Some(other), from_left: false }
        };
        self.made_fold(fold, first, start)
    }

    fn made_fold(&mut self, fold: Fold, first: usize, start: Span) -> Step<Expr> {
        self.expect_close(Punct::RightParen, start)?;
        self.expanded.push((first, self.at));
        let depths = [fold.pattern.depth, fold.init.as_ref().map_or(0, |init| init.depth)];
        let span = self.since(start);
        self.make(ExprKind::Fold(Box::new(fold)), span, &depths)
    }
}
