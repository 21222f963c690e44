//! Skipping tokens: bodies of host functions, and declarations that are not understood.

use super::ast::Decl;
use super::keyword::Keyword;
use super::parser::{Parser, Skipped};
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, Symbol, TokenKind};
use crate::source::Span;
use crate::target::Side;

/// Keywords that mark device code.
const DEVICE_CODE: [Keyword; 4] = [Keyword::Global, Keyword::Device, Keyword::Constant, Keyword::Shared];

impl Parser<'_> {
    /// Parses one declaration at file scope, or skips it.
    pub(super) fn file_declaration(&mut self, declarations: &mut Vec<Decl>) {
        let start = self.at;
        let mark = self.out.mark();
        let scope = self.scopes.current();
        let result = self.declaration(super::declaration::DeclaredIn::File);
        if let Ok(decl) = result {
            declarations.push(decl);
            return;
        }
        self.scopes.enter(scope);
        self.depth = 0;
        self.half = false;
        self.in_angles = false;
        let failed_at = self.at;
        self.at = start;
        self.skip_declaration();
        if self.at <= failed_at && self.at == start {
            self.bump();
        }
        let messages = self.out.truncate(mark);
        let has_device_code = self.has_device_code(start);
        let reason = messages.first().map_or(String::new(), |first| first.message.clone());
        // A limit stops the compiler also in host code.
        let keep = self.side != Side::Device
            || has_device_code
            || self.is_builtin(start)
            || messages.iter().any(|one| one.code == "limit");
        if keep {
            for message in messages {
                self.out.push(message);
            }
        }
        let mut names: Vec<Symbol> = Vec::new();
        for at in start..self.at.min(start + 2000) {
            if let TokenKind::Name(symbol) = self.kind_of(at) {
                names.push(symbol);
            }
        }
        let span = self.sources.join(self.span_of(start), self.previous());
        if !keep {
            self.skipped.push(Skipped { span, names, reason });
        }
    }

    /// Whether the tokens from `start` to the current one mark device code.
    fn has_device_code(&self, start: usize) -> bool {
        (start..self.at).any(|at| match self.kind_of(at) {
            TokenKind::Name(symbol) => Keyword::of(symbol).is_some_and(|k| DEVICE_CODE.contains(&k)),
            _ => false,
        })
    }

    /// Skips a member function or a friend of the host. Returns false, and may stop anywhere, at
    /// members that are part of each object, or that device code can call.
    pub(super) fn skip_host_method(&mut self) -> bool {
        let start = self.at;
        let (mut angles, mut is_friend, mut is_function) = (0usize, false, false);
        loop {
            match self.kind() {
                TokenKind::Punct(Punct::Less) => angles += 1,
                TokenKind::Punct(Punct::Greater) => angles = angles.saturating_sub(1),
                TokenKind::Punct(Punct::Shr) => angles = angles.saturating_sub(2),
                TokenKind::Punct(Punct::LeftParen) if angles == 0 => {
                    // `T (*name)(...)` is an object.
                    is_function = !self.is_at(1, Punct::Star);
                    break;
                }
                TokenKind::Punct(Punct::Semicolon | Punct::LeftBrace | Punct::RightBrace | Punct::Assign) => {
                    break;
                }
                TokenKind::Name(_) => match self.keyword() {
                    Some(Keyword::Virtual) => return false,
                    Some(Keyword::Friend) => is_friend = true,
                    Some(Keyword::Operator) => {
                        is_function = true;
                        break;
                    }
                    _ => {}
                },
                _ => {}
            }
            if self.ended() {
                return false;
            }
            self.bump();
        }
        self.at = start;
        self.skip_declaration();
        (is_friend || is_function) && !self.has_device_code(start)
    }

    pub(super) fn is_builtin(&self, at: usize) -> bool {
        self.sources.is_builtin(self.span_of(at))
    }

    /// Skips to the end of a declaration: its `;`, or the `}` of a body.
    fn skip_declaration(&mut self) {
        let is_type = (0..8).map_while(|ahead| self.keyword_at(ahead)).any(|keyword| {
            matches!(keyword, Keyword::Struct | Keyword::Class | Keyword::Union | Keyword::Enum)
        });
        let (mut round, mut after_assign) = (0usize, false);
        while !self.ended() {
            match self.kind() {
                TokenKind::Punct(Punct::Semicolon) if round == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket) => round += 1,
                TokenKind::Punct(Punct::RightParen | Punct::RightBracket) => round = round.saturating_sub(1),
                TokenKind::Punct(Punct::Assign) => after_assign = true,
                TokenKind::Punct(Punct::RightBrace) => return,
                TokenKind::Punct(Punct::LeftBrace) => {
                    let in_parentheses = round > 0;
                    self.skip_braces();
                    let goes_on = is_type
                        || after_assign
                        || in_parentheses
                        || matches!(self.kind(), TokenKind::Punct(Punct::Comma | Punct::LeftBrace))
                        || self.keyword() == Some(Keyword::Catch);
                    if !goes_on || (is_type && self.starts_after_type()) {
                        self.accept(Punct::Semicolon);
                        return;
                    }
                    continue;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether a declaration starts here although the `;` behind a class is missing.
    fn starts_after_type(&self) -> bool {
        matches!(
            self.keyword(),
            Some(Keyword::Global | Keyword::Template | Keyword::Struct | Keyword::Class | Keyword::Void)
        )
    }

    /// Skips from `{` to its `}`. Returns the place of the last token.
    pub(super) fn skip_braces(&mut self) -> Span {
        let mut nesting = 0usize;
        let first = self.at;
        while !self.ended() {
            match self.kind() {
                TokenKind::Punct(Punct::LeftBrace) => nesting += 1,
                TokenKind::Punct(Punct::RightBrace) => nesting = nesting.saturating_sub(1),
                TokenKind::Name(symbol)
                    if !self.wanted.is_empty()
                        && matches!(Keyword::of(symbol), Some(Keyword::Device | Keyword::Host)) =>
                {
                    self.wanted_lambda();
                }
                TokenKind::Name(symbol) if self.is_at(1, Punct::Less) || self.is_at(1, Punct::Shl) => {
                    self.launch(symbol, first);
                }
                _ => {}
            }
            self.bump();
            if nesting == 0 {
                break;
            }
        }
        self.previous()
    }

    /// Skips the body of a host function; reports a missing brace.
    pub(super) fn skip_body(&mut self) {
        let open = self.span();
        let start = self.at;
        self.skip_braces();
        let closed = self.previous_is(Punct::RightBrace) && self.at > start + 1;
        if !closed {
            self.out.push(Diagnostic::error("syntax", open, "`{` has no `}`").label("opened here"));
        }
    }

    fn previous_is(&self, punct: Punct) -> bool {
        self.at > 0 && self.kind_of(self.at - 1) == TokenKind::Punct(punct)
    }

    /// Skips to behind the `;` of a statement, or to a `}`.
    pub(super) fn skip_statement(&mut self) {
        self.half = false;
        let mut round = 0usize;
        while !self.ended() {
            match self.kind() {
                TokenKind::Punct(Punct::Semicolon) => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::RightBrace) => return,
                TokenKind::Punct(Punct::LeftBrace) => {
                    self.skip_braces();
                    if round == 0 {
                        self.accept(Punct::Semicolon);
                        return;
                    }
                    continue;
                }
                TokenKind::Punct(Punct::LeftParen) => round += 1,
                TokenKind::Punct(Punct::RightParen) => round = round.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips balanced parentheses at the current token.
    pub(super) fn skip_parentheses(&mut self) {
        let mut nesting = 0usize;
        while !self.ended() {
            match self.kind() {
                TokenKind::Punct(Punct::LeftParen) => nesting += 1,
                TokenKind::Punct(Punct::RightParen) => nesting = nesting.saturating_sub(1),
                _ => {}
            }
            self.bump();
            if nesting == 0 {
                return;
            }
        }
    }
}
