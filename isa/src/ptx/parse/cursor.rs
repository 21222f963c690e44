//! The parser's hand on the tokens: look, take, expect, complain, resume.

use super::super::ast::Ident;
use super::super::lex::{Token, TokenKind};
use crate::diag::{Diagnostic, is_flood};
use crate::ptx::header::DIRECTIVES;
use crate::span::Span;

/// The error of a rule that has already reported what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reported;

/// What a rule made of the tokens.
pub(super) type Parsed<T> = Result<T, Reported>;

/// The state of a parse.
pub(super) struct Parser<'a> {
    /// The whole text.
    pub text: &'a str,
    /// All tokens, the last one being the end.
    tokens: Vec<Token>,
    /// Index of the next token; stays at the end once it is reached.
    at: usize,
    /// All complaints so far.
    pub diagnostics: Vec<Diagnostic>,
    /// The module's `.version`, once it is read.
    pub version: Option<(u32, u32)>,
    /// Directives that not every version has.
    pub dated: Vec<Ident<'a>>,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, tokens: Vec<Token>, diagnostics: Vec<Diagnostic>) -> Self {
        Self { text, tokens, at: 0, diagnostics, version: None, dated: Vec::new() }
    }

    /// The next token.
    pub fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    /// The token `ahead` places behind the next one, at most the end.
    pub fn peek_at(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    /// Whether the next token is of this kind.
    pub fn is(&self, kind: TokenKind) -> bool {
        self.peek().kind == kind
    }

    /// The next token is a word with a dot: the word.
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

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &'a str {
        &self.text[span.range()]
    }

    /// Place of the last token taken.
    pub fn last_span(&self) -> Span {
        self.at.checked_sub(1).map_or(Span::default(), |i| self.tokens[i].span)
    }

    /// The last token taken is one that the lexer reported.
    pub fn last_is_error(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|i| self.tokens[i].kind == TokenKind::Error)
    }

    /// A token as a named thing.
    pub fn ident_of(&self, token: Token) -> Ident<'a> {
        Ident { name: self.slice(token.span), span: token.span }
    }

    /// Takes a token of this kind, or complains that `what` was expected.
    pub fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<Token> {
        match self.take_if(kind) {
            Some(token) => Ok(token),
            None => Err(self.unexpected(what)),
        }
    }

    /// Takes a name, or complains that `what` was expected.
    pub fn name(&mut self, what: &str) -> Parsed<Ident<'a>> {
        self.expect(TokenKind::Ident, what).map(|token| self.ident_of(token))
    }

    /// Takes the semicolon behind a statement, or complains at the place where it is missing.
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

    /// Notes the directive or word of a declaration that has just been taken, if not every version
    /// has it.
    pub fn date(&mut self, word: &'a str) {
        if DIRECTIVES.iter().any(|(name, _)| *name == word) {
            self.dated.push(Ident { name: word, span: self.last_span() });
        }
    }

    /// The words for a token in a message.
    pub fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.slice(token.span)),
        }
    }

    /// Complains about the next token: `what` was expected instead.
    pub fn unexpected(&mut self, what: &str) -> Reported {
        let token = self.peek();
        // The lexer has told about an error token.
        if token.kind != TokenKind::Error {
            let message = format!("expected {what}, found {}", self.describe(token));
            self.complain(Diagnostic::error("E0110", message, token.span, format!("expected {what}")));
        }
        Reported
    }

    /// Complains.
    pub fn error<T>(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Parsed<T> {
        self.report(Diagnostic::error(code, message, span, label))
    }

    /// Complains with a diagnostic made elsewhere.
    pub fn report<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.complain(diagnostic);
        Err(Reported)
    }

    /// Notes a complaint. After too many the rest of the text is not read.
    pub fn complain(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
        if is_flood(&self.diagnostics) {
            self.at = self.tokens.len() - 1;
        }
    }

    /// Skips what is left of a broken statement that began at `started`: through its `;`, or up to
    /// a brace that is not its own or a line that begins another.
    pub fn resume(&mut self, started: usize) {
        // Braces of a vector that the error left open.
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

    /// Braces opened since the token `started` and not closed.
    pub fn open_braces(&self, started: usize) -> usize {
        self.tokens[started..self.at].iter().fold(0_usize, |depth, token| match token.kind {
            TokenKind::LBrace => depth + 1,
            TokenKind::RBrace => depth.saturating_sub(1),
            _ => depth,
        })
    }

    /// Index of the next token: a mark for [`Self::resume`] and for loops that must get on.
    pub fn mark(&self) -> usize {
        self.at
    }

    /// The next token is first on its line and looks like a guard, a directive, a label or an
    /// opcode.
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

    /// Skips the rest of the line on which the last token stands.
    pub fn skip_line(&mut self) {
        while !self.peek().first_on_line && !self.is(TokenKind::End) {
            self.take();
        }
    }

    /// Skips a block in braces with all blocks inside; the opening brace is next. Stops at the end
    /// of the text.
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

    /// The candidate nearest to `word`, with its dot, if one is near.
    pub fn nearest<'b>(word: &str, candidates: impl IntoIterator<Item = &'b str>) -> Option<String> {
        crate::diag::nearest(word, candidates).map(|near| format!(".{near}"))
    }
}
