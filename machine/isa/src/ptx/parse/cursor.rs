//! The parser's access to the tokens: peek, take, expect, report errors, resume.

use super::super::ast::Ident;
use super::super::lex::{Token, TokenKind};
use crate::diag::{Diagnostic, is_flood};
use crate::ptx::header::DIRECTIVES;
use crate::span::Span;

/// The error of a rule that has already reported its diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reported;

/// Result of a grammar rule.
pub(super) type Parsed<T> = Result<T, Reported>;

/// The state of a parse.
pub(super) struct Parser<'a> {
    /// Source text.
    pub text: &'a str,
    /// All tokens; the last one is the end.
    tokens: Vec<Token>,
    /// Index of the next token; it never moves past the end token.
    at: usize,
    /// All diagnostics so far.
    pub diagnostics: Vec<Diagnostic>,
    /// `.version` of the module, once it is parsed.
    pub version: Option<(u32, u32)>,
    /// Directives that do not exist in every PTX version.
    pub versioned: Vec<Ident<'a>>,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, tokens: Vec<Token>, diagnostics: Vec<Diagnostic>) -> Self {
        Self { text, tokens, at: 0, diagnostics, version: None, versioned: Vec::new() }
    }

    /// Returns the next token.
    pub fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    /// Returns the token `ahead` positions after the next one, at most the end token.
    pub fn peek_at(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    /// Whether the next token is of this kind.
    pub fn is(&self, kind: TokenKind) -> bool {
        self.peek().kind == kind
    }

    /// Returns the word of the next token without its dot, if the token is a word with a dot.
    pub fn dot(&self) -> Option<&'a str> {
        let token = self.peek();
        (token.kind == TokenKind::Dot).then(|| &self.slice(token.span)[1..])
    }

    /// Takes the next token.
    pub fn take(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    /// Takes the next token if it is of this kind.
    pub fn take_if(&mut self, kind: TokenKind) -> Option<Token> {
        self.is(kind).then(|| self.take())
    }

    /// Returns the text of a span.
    pub fn slice(&self, span: Span) -> &'a str {
        &self.text[span.range()]
    }

    /// Returns the span of the last taken token.
    pub fn last_span(&self) -> Span {
        self.at.checked_sub(1).map_or(Span::default(), |i| self.tokens[i].span)
    }

    /// Whether the last taken token is invalid; the lexer has reported it.
    pub fn last_is_error(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|i| self.tokens[i].kind == TokenKind::Error)
    }

    /// Returns a token as an identifier.
    pub fn ident_of(&self, token: Token) -> Ident<'a> {
        Ident { name: self.slice(token.span), span: token.span }
    }

    /// Takes a token of this kind, or reports that `what` was expected.
    pub fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<Token> {
        match self.take_if(kind) {
            Some(token) => Ok(token),
            None => Err(self.unexpected(what)),
        }
    }

    /// Takes a name, or reports that `what` was expected.
    pub fn name(&mut self, what: &str) -> Parsed<Ident<'a>> {
        self.expect(TokenKind::Ident, what).map(|token| self.ident_of(token))
    }

    /// Takes the semicolon after a statement, or reports the position where it is missing.
    pub fn semicolon(&mut self, after: &str) -> Parsed<()> {
        if self.take_if(TokenKind::Semicolon).is_some() {
            return Ok(());
        }
        let next = self.peek();
        if next.first_on_line || matches!(next.kind, TokenKind::RBrace | TokenKind::End) {
            let end = self.last_span().end as usize;
            let message = format!("missing `;` after {after}");
            return self.error("E0111", message, Span::new(end, end), "add `;` here");
        }
        Err(self.unexpected(&format!("`,` or `;` after {after}")))
    }

    /// Records the last taken directive or word of a declaration if it does not exist in every PTX
    /// version.
    pub fn record_versioned(&mut self, word: &'a str) {
        if DIRECTIVES.iter().any(|(name, _)| *name == word) {
            self.versioned.push(Ident { name: word, span: self.last_span() });
        }
    }

    /// Returns a description of a token for messages.
    pub fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.slice(token.span)),
        }
    }

    /// Reports that `what` was expected instead of the next token.
    pub fn unexpected(&mut self, what: &str) -> Reported {
        let token = self.peek();
        // The lexer has already reported an error token.
        if token.kind != TokenKind::Error {
            let message = format!("expected {what}, found {}", self.describe(token));
            self.add_diagnostic(
                Diagnostic::error("E0110", token.span, message).label(format!("expected {what}")),
            );
        }
        Reported
    }

    /// Reports an error.
    pub fn error<T>(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Parsed<T> {
        self.report(Diagnostic::error(code, span, message).label(label))
    }

    /// Reports a given diagnostic and fails.
    pub fn report<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.add_diagnostic(diagnostic);
        Err(Reported)
    }

    /// Records a diagnostic. After too many of them the rest of the text is skipped.
    pub fn add_diagnostic(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
        if is_flood(&self.diagnostics) {
            self.at = self.tokens.len() - 1;
        }
    }

    /// Skips the rest of an invalid statement that began at token `started`: through its `;`, or up
    /// to a brace of an outer block or a line that begins another statement.
    pub fn resume(&mut self, started: usize) {
        // Number of braces of a vector that the error left open.
        let mut depth = self.open_braces(started);
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::End => return,
                TokenKind::Semicolon => {
                    self.take();
                    return;
                }
                TokenKind::RBrace if depth == 0 || token.first_on_line => return,
                TokenKind::RBrace => depth -= 1,
                TokenKind::LBrace if token.first_on_line => return,
                TokenKind::LBrace => depth += 1,
                _ if self.at > started && self.begins_statement() => return,
                _ => {}
            }
            self.take();
        }
    }

    /// Returns the number of braces that were opened since the token `started` and are not closed.
    pub fn open_braces(&self, started: usize) -> usize {
        self.tokens[started..self.at].iter().fold(0_usize, |depth, token| match token.kind {
            TokenKind::LBrace => depth + 1,
            TokenKind::RBrace => depth.saturating_sub(1),
            _ => depth,
        })
    }

    /// Returns the index of the next token: a mark for [`Self::resume`], and for loops that must
    /// make progress.
    pub fn mark(&self) -> usize {
        self.at
    }

    /// Whether the next token is first on its line and looks like a guard, a directive, a label or
    /// an opcode.
    fn begins_statement(&self) -> bool {
        let (token, next) = (self.peek(), self.peek_at(1));
        if !token.first_on_line {
            return false;
        }
        match token.kind {
            TokenKind::At | TokenKind::Dot => true,
            TokenKind::Ident if next.kind == TokenKind::Colon => true,
            TokenKind::Ident if self.slice(token.span).starts_with('%') => false,
            TokenKind::Ident => {
                next.kind == TokenKind::Dot || crate::ptx::forms::is_opcode(self.slice(token.span))
            }
            _ => false,
        }
    }

    /// Skips the rest of the line of the last taken token.
    pub fn skip_line(&mut self) {
        while !self.peek().first_on_line && !self.is(TokenKind::End) {
            self.take();
        }
    }

    /// Skips a block in braces with all inner blocks; the opening brace is the next token. Stops at
    /// the end of the text.
    pub fn skip_block(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.take().kind {
                TokenKind::LBrace => depth += 1,
                TokenKind::RBrace => depth = depth.saturating_sub(1),
                TokenKind::End => return,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Returns the candidate most similar to `word`, with its dot, if one is similar enough.
    pub fn nearest<'b>(word: &str, candidates: impl IntoIterator<Item = &'b str>) -> Option<String> {
        crate::diag::nearest(word, candidates).map(|near| format!(".{near}"))
    }
}
