//! `throw`, and `try` with its handlers.

use super::ast::{DeclaratorName, Expr, ExprKind, Handler, StmtKind};
use super::declarator::Mode;
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use super::scope::NameKind;
use crate::lex::{Punct, TokenKind};

impl Parser<'_> {
    /// `throw e`. Device code parses it without compiling.
    pub(super) fn throw(&mut self) -> Step<Expr> {
        if self.side.is_device() {
            return self.unsupported_operand("`throw`");
        }
        let start = self.span();
        self.bump();
        let ends = matches!(
            self.kind(),
            TokenKind::Punct(Punct::Semicolon | Punct::RightParen | Punct::Comma | Punct::Colon)
        );
        let value = if ends { None } else { Some(Box::new(self.nested(Self::assignment)?)) };
        let depth = value.as_ref().map_or(0, |value| value.depth);
        let span = self.since(start);
        self.make(ExprKind::Throw(value), span, &[depth])
    }

    /// `try { ... } catch (T x) { ... }`.
    pub(super) fn try_statement(&mut self) -> Step<StmtKind> {
        self.bump();
        self.try_block()
    }

    /// The block of `try` with its handlers.
    pub(super) fn try_block(&mut self) -> Step<StmtKind> {
        if !self.is(Punct::LeftBrace) {
            return self.unexpected("expected `{` after `try`");
        }
        let (body, _) = self.block()?;
        let mut handlers = Vec::new();
        while self.keyword() == Some(Keyword::Catch) {
            handlers.push(self.scoped(Self::handler)?);
        }
        if handlers.is_empty() {
            return self.unexpected("expected `catch` after the block of `try`");
        }
        Ok(StmtKind::Try(body, handlers))
    }

    fn handler(&mut self) -> Step<Handler> {
        let start = self.span();
        self.bump();
        let open = self.span();
        self.expect(Punct::LeftParen, "after `catch`")?;
        let variable = if self.accept(Punct::Ellipsis) {
            None
        } else {
            let specifiers = self.specifiers(None)?;
            if let (super::ast::BaseType::None, Some(name)) = (&specifiers.base, self.name()) {
                return self.unknown_type(name.symbol, name.span);
            }
            let declarator = self.declarator(Mode::Parameter)?;
            if let DeclaratorName::Plain(name) = &declarator.name {
                self.scopes.declare(name.symbol, NameKind::Value);
            }
            Some((specifiers, declarator))
        };
        self.expect_close(Punct::RightParen, open)?;
        let span = self.since(start);
        if !self.is(Punct::LeftBrace) {
            return self.unexpected("expected `{` after `catch`");
        }
        let (body, _) = self.block()?;
        Ok(Handler { variable, body, span })
    }
}
