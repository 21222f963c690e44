//! `new` and `delete`.

use super::ast::{Chunk, Declarator, DeclaratorName, Delete, Expr, ExprKind, New, Qualifiers, TypeName};
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use crate::lex::Punct;
use crate::source::Span;
use crate::target::Side;

impl Parser<'_> {
    /// `new T`, `new T(a)`, `new T[n]` and `new (p) T(a)`. Device code parses it without compiling.
    pub(super) fn new_expression(&mut self, start: Span, is_global: bool) -> Step<Expr> {
        if self.side == Side::OpenCl {
            return self.unsupported_operand("`new`");
        }
        self.bump();
        let in_parentheses = self.is(Punct::LeftParen);
        let placement =
            if in_parentheses && !self.starts_type_at(1) { self.arguments()? } else { Vec::new() };
        let (ty, count) = if self.is(Punct::LeftParen) {
            let open = self.span();
            self.bump();
            let ty = self.with_angles(false, Self::type_name)?;
            self.expect_close(Punct::RightParen, open)?;
            (ty, None)
        } else {
            self.new_type()?
        };
        let init = if self.is(Punct::LeftParen) || self.is(Punct::LeftBrace) {
            self.with_angles(false, Self::initializer)?
        } else {
            None
        };
        let depth = count.as_ref().map_or(0, |count: &Expr| count.depth);
        let span = self.since(start);
        self.make(ExprKind::New(Box::new(New { is_global, placement, ty, count, init })), span, &[depth])
    }

    /// The type behind `new`, and the number of elements.
    fn new_type(&mut self) -> Step<(TypeName, Option<Expr>)> {
        let start = self.span();
        let specifiers = self.specifiers(None)?;
        if matches!(specifiers.base, super::ast::BaseType::None) {
            return self.unexpected("expected a type");
        }
        let mut pointers = Vec::new();
        while self.accept(Punct::Star) {
            let is_const = self.accept_keyword(Keyword::Const);
            pointers.insert(0, Chunk::Pointer(Qualifiers { is_const, ..Qualifiers::default() }));
        }
        let mut lengths = Vec::new();
        while self.is(Punct::LeftBracket) {
            let open = self.span();
            self.bump();
            lengths.push(self.with_angles(false, Self::expression)?);
            self.expect_close(Punct::RightBracket, open)?;
        }
        let span = self.since(start);
        let mut lengths = lengths.into_iter();
        let count = lengths.next();
        let mut chunks: Vec<Chunk> = lengths.map(|length| Chunk::Array(Some(Box::new(length)))).collect();
        chunks.append(&mut pointers);
        let declarator = Declarator { name: DeclaratorName::None, chunks, span };
        Ok((TypeName { specifiers, declarator, span }, count))
    }

    /// `delete p` and `delete[] p`.
    pub(super) fn delete_expression(&mut self, start: Span, is_global: bool) -> Step<Expr> {
        if self.side == Side::OpenCl {
            return self.unsupported_operand("`delete`");
        }
        self.bump();
        let array = self.is(Punct::LeftBracket) && self.is_at(1, Punct::RightBracket);
        if array {
            self.bump();
            self.bump();
        }
        let operand = self.nested(Self::unary)?;
        let depth = operand.depth;
        let span = self.since(start);
        self.make(ExprKind::Delete(Box::new(Delete { is_global, array, operand })), span, &[depth])
    }
}
