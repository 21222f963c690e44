//! Macro definitions.

use std::rc::Rc;
use std::sync::Arc;

use super::Preprocessor;
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, Symbol, Token, TokenKind};
use crate::source::Span;

/// A piece of the body of a macro.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Piece {
    /// A token.
    Token(Token),
    /// A parameter.
    Parameter(usize, Token),
    /// `#parameter`.
    Text(usize, Token),
    /// `##` between the neighbors.
    Paste,
}

/// A macro.
#[derive(Clone, Debug)]
pub struct Macro {
    /// Its name.
    pub name: Arc<str>,
    /// The name in its definition.
    pub definition: Span,
    /// Number of parameters; `None` for an object-like macro.
    pub parameters: Option<usize>,
    /// Whether the last parameter takes the rest of the arguments.
    pub variadic: bool,
    /// The body.
    pub body: Vec<Piece>,
}

impl Macro {
    /// Whether both definitions have the same tokens.
    fn same_as(&self, other: &Self) -> bool {
        let key = |piece: &Piece| match piece {
            Piece::Token(token) => (0, usize::MAX, Some(token.kind)),
            Piece::Parameter(at, _) => (1, *at, None),
            Piece::Text(at, _) => (2, *at, None),
            Piece::Paste => (3, 0, None),
        };
        self.parameters == other.parameters
            && self.variadic == other.variadic
            && self.body.len() == other.body.len()
            && self.body.iter().map(key).eq(other.body.iter().map(key))
    }
}

impl Preprocessor<'_> {
    /// `#define`, after the directive's name.
    pub(super) fn define(&mut self, directive: Span) {
        let Some(name) = self.lex_in_line() else {
            self.out.push(Diagnostic::error("bad-directive", directive, "`#define` needs a name"));
            return;
        };
        let TokenKind::Name(symbol) = name.kind else {
            self.out.push(Diagnostic::error(
                "bad-directive",
                name.span,
                "the name of a macro must be a name",
            ));
            self.skip_line();
            return;
        };
        let mut parameters: Option<Vec<Symbol>> = None;
        let mut variadic = false;
        let mut body = Vec::new();
        let mut first = self.lex_in_line();
        if let Some(token) = first.filter(|token| token.is(Punct::LeftParen) && !token.space) {
            let Some((list, rest)) = self.macro_parameters(token.span) else {
                self.skip_line();
                return;
            };
            parameters = Some(list);
            variadic = rest;
            first = self.lex_in_line();
        }
        while let Some(token) = first {
            body.push(token);
            first = self.lex_in_line();
        }
        let Some(body) = self.macro_body(&body, parameters.as_deref()) else { return };
        let made = Macro {
            name: self.names.text(symbol).into(),
            definition: name.span,
            parameters: parameters.map(|list| list.len()),
            variadic,
            body,
        };
        if let Some(old) = self.macros.get(&symbol).filter(|old| !old.same_as(&made)) {
            let builtin =
                self.sources.file_of(old.definition).is_some_and(|file| self.sources.file(file).builtin);
            if !builtin {
                let text = format!("macro `{}` is defined again with another body", made.name);
                let warning = Diagnostic::warning("macro-redefined", name.span, text)
                    .at(old.definition, "first definition")
                    .help("write `#undef` before it");
                self.out.push(warning);
            }
        }
        self.macros.insert(symbol, Rc::new(made));
    }

    fn macro_parameters(&mut self, open: Span) -> Option<(Vec<Symbol>, bool)> {
        let mut list = Vec::new();
        let mut variadic = false;
        loop {
            let token = self.lex_in_line();
            match token.map(|token| token.kind) {
                Some(TokenKind::Punct(Punct::RightParen)) if list.is_empty() || variadic => {
                    return Some((list, variadic));
                }
                Some(TokenKind::Punct(Punct::Ellipsis)) if !variadic => {
                    variadic = true;
                    list.push(self.words.va_args);
                }
                Some(TokenKind::Name(symbol)) if !variadic => {
                    list.push(symbol);
                    // GNU C: `args...` names the rest.
                    let before = self.files.last().map(|open| open.lexer.clone());
                    match self.lex_in_line() {
                        Some(token) if token.is(Punct::Ellipsis) => variadic = true,
                        _ => {
                            if let (Some(open), Some(before)) = (self.files.last_mut(), before) {
                                open.lexer = before;
                            }
                        }
                    }
                }
                _ => return self.bad_parameters(token.map_or(open, |token| token.span)),
            }
            let next = self.lex_in_line();
            match next.map(|token| token.kind) {
                Some(TokenKind::Punct(Punct::Comma)) if !variadic => {}
                Some(TokenKind::Punct(Punct::RightParen)) => return Some((list, variadic)),
                _ => return self.bad_parameters(next.map_or(open, |token| token.span)),
            }
        }
    }

    fn bad_parameters(&mut self, span: Span) -> Option<(Vec<Symbol>, bool)> {
        self.out.push(
            Diagnostic::error("bad-directive", span, "malformed parameter list of a macro")
                .label("expected names separated by commas, then `)`"),
        );
        None
    }

    fn macro_body(&mut self, tokens: &[Token], parameters: Option<&[Symbol]>) -> Option<Vec<Piece>> {
        let index = |token: &Token| {
            let symbol = token.name()?;
            parameters?.iter().position(|parameter| *parameter == symbol)
        };
        let mut body = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at];
            if token.is(Punct::HashHash) {
                if at == 0 || at + 1 == tokens.len() {
                    self.out.push(Diagnostic::error(
                        "bad-directive",
                        token.span,
                        "`##` cannot be at the start or end of a macro",
                    ));
                    return None;
                }
                body.push(Piece::Paste);
            } else if token.is(Punct::Hash) && parameters.is_some() {
                let Some(parameter) = tokens.get(at + 1).and_then(index) else {
                    self.out.push(Diagnostic::error(
                        "bad-directive",
                        token.span,
                        "`#` must be followed by a parameter of the macro",
                    ));
                    return None;
                };
                body.push(Piece::Text(parameter, token));
                at += 1;
            } else if let Some(parameter) = index(&token) {
                body.push(Piece::Parameter(parameter, token));
            } else {
                body.push(Piece::Token(token));
            }
            at += 1;
        }
        Some(body)
    }
}
