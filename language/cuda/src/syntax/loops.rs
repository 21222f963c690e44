//! Loops and `#pragma unroll`.

use super::ast::{For, RangeFor, Stmt, StmtKind};
use super::declaration::DeclaredIn;
use super::declarator::Mode;
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, TokenKind};
use crate::source::Span;

impl Parser<'_> {
    pub(super) fn unrolled(&mut self, start: Span, factor: u32) -> Step<StmtKind> {
        if let Some(keyword @ (Keyword::For | Keyword::While | Keyword::Do)) = self.keyword() {
            self.loop_statement(keyword, Some(factor))
        } else {
            let warning = Diagnostic::warning("unroll", start, "`#pragma unroll` is not in front of a loop")
                .label("it has no effect");
            self.out.push(warning);
            self.statement().map(|statement| statement.kind)
        }
    }

    pub(super) fn loop_statement(&mut self, keyword: Keyword, unroll: Option<u32>) -> Step<StmtKind> {
        self.bump();
        self.scoped(|parser| match keyword {
            Keyword::While => {
                let condition = parser.condition("`while`")?;
                Ok(StmtKind::While(condition, Box::new(parser.statement()?), unroll))
            }
            Keyword::Do => {
                let body = Box::new(parser.statement()?);
                if !parser.accept_keyword(Keyword::While) {
                    return parser.unexpected("expected `while` after the body of `do`");
                }
                let open = parser.span();
                parser.expect(Punct::LeftParen, "after `while`")?;
                let condition = parser.with_angles(false, Self::expression)?;
                parser.expect_close(Punct::RightParen, open)?;
                parser.expect_semicolon("after `do ... while`")?;
                Ok(StmtKind::DoWhile(body, condition, unroll))
            }
            _ => parser.for_statement(unroll),
        })
    }

    fn for_statement(&mut self, unroll: Option<u32>) -> Step<StmtKind> {
        let open = self.span();
        self.expect(Punct::LeftParen, "after `for`")?;
        let start = self.span();
        let mut init = None;
        if self.starts_declaration() {
            let before = self.at;
            if self.range_follows() {
                return self.range_for(open, unroll);
            }
            self.at = before;
            let decl = self.declaration(DeclaredIn::Block)?;
            init = Some(Stmt { span: decl.span, kind: StmtKind::Decl(decl) });
        } else if !self.accept(Punct::Semicolon) {
            let value = self.with_angles(false, Self::expression)?;
            self.expect(Punct::Semicolon, "after the first part of `for`")?;
            init = Some(Stmt { kind: StmtKind::Expr(value), span: self.since(start) });
        }
        if init.is_some() && self.starts_declaration() && self.range_follows() {
            // The first part is a statement in front of the loop.
            let first = init.into_iter();
            let range = self.range_for(open, unroll)?;
            let span = self.since(open);
            return Ok(StmtKind::Block(first.chain([Stmt { kind: range, span }]).collect()));
        }
        let condition = if self.is(Punct::Semicolon) { None } else { Some(self.condition_inner()?) };
        self.expect(Punct::Semicolon, "after the condition of `for`")?;
        let step =
            if self.is(Punct::RightParen) { None } else { Some(self.with_angles(false, Self::expression)?) };
        self.expect_close(Punct::RightParen, open)?;
        let body = self.statement()?;
        Ok(StmtKind::For(Box::new(For { init, condition, step, body, unroll })))
    }

    /// Whether the declaration in `for (` ends with `:`.
    fn range_follows(&self) -> bool {
        let mut question = false;
        for ahead in 0..40 {
            match self.kind_at(ahead) {
                TokenKind::Punct(Punct::Colon) => return !question,
                TokenKind::Punct(Punct::Question) => question = true,
                TokenKind::Punct(Punct::Semicolon | Punct::Assign | Punct::LeftParen) | TokenKind::End => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }

    fn range_for(&mut self, open: Span, unroll: Option<u32>) -> Step<StmtKind> {
        let specifiers = self.specifiers(None)?;
        let declarator = self.declarator(Mode::Inner)?;
        self.declare_values(&declarator);
        self.expect(Punct::Colon, "after the variable")?;
        let range = self.with_angles(false, Self::initializer_clause)?;
        self.expect_close(Punct::RightParen, open)?;
        let body = self.statement()?;
        Ok(StmtKind::RangeFor(Box::new(RangeFor { specifiers, declarator, range, body, unroll })))
    }
}
