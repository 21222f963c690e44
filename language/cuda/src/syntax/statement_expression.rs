//! `({ statements })` of GNU C: a lambda expression that is called at once.

use std::rc::Rc;

use super::ast::{Expr, ExprKind, Lambda, StmtKind};
use super::keyword::Keyword;
use super::lambda::no_parameters;
use super::parser::{Parser, Step};
use crate::lex::{Punct, TokenKind};
use crate::source::Span;

/// Keywords that mean another function, or another object, in a lambda expression.
const OF_FUNCTION: [(Keyword, &str); 3] =
    [(Keyword::Return, "return"), (Keyword::Goto, "goto"), (Keyword::Static, "static")];

impl Parser<'_> {
    /// Parses from the `{` behind the `(` at `start`. The value is that of the last statement.
    pub(super) fn statement_expression(&mut self, start: Span) -> Step<Expr> {
        let function = no_parameters(self.span());
        let first = self.at;
        let body = self.nested(|parser| parser.function_body(None, None))?;
        for at in first..self.at {
            let TokenKind::Name(symbol) = self.kind_of(at) else { continue };
            let found = OF_FUNCTION.iter().find(|(keyword, _)| Keyword::of(symbol) == Some(*keyword));
            if let Some((_, text)) = found {
                let what = format!("`{text}` in a statement that is an expression");
                return self.unsupported(self.span_of(at), &what);
            }
        }
        let names = self.names_from(first);
        self.expect_close(Punct::RightParen, start)?;
        let span = self.since(start);
        let mut body = Rc::unwrap_or_clone(body);
        if let Some(last) = body.statements.last_mut()
            && let StmtKind::Expr(value) = &last.kind
        {
            last.kind = StmtKind::Return(Some(value.clone()));
        }
        let captures = Vec::new();
        let body = Rc::new(body);
        let lambda =
            Lambda { default: Some(true), captures, names, marks: None, template: None, function, body };
        let callee = self.make(ExprKind::Lambda(Rc::new(lambda)), span, &[])?;
        let depth = callee.depth;
        self.make(ExprKind::Call(Box::new(callee), Vec::new()), span, &[depth])
    }
}
