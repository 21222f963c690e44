//! Skipping tokens: bodies of host functions, and declarations that are not understood.

use std::rc::Rc;

use super::ast::{BaseType, Decl, DeclKind, Name, QualifiedName, Segment, Specifiers};
use super::keyword::Keyword;
use super::parser::{Parser, Skipped};
use super::scope::NameKind;
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
            declarations.extend(self.skipped_class(start));
        }
    }

    /// A declaration of the class whose definition was skipped: device code may point to it.
    fn skipped_class(&mut self, start: usize) -> Option<Decl> {
        let TokenKind::Name(keyword) = self.kind_of(start) else { return None };
        if !matches!(Keyword::of(keyword), Some(Keyword::Struct | Keyword::Class)) {
            return None;
        }
        let TokenKind::Name(symbol) = self.kind_of(start + 1) else { return None };
        let behind = match self.kind_of(start + 2) {
            TokenKind::Name(last) if self.text(last) == "final" => self.kind_of(start + 3),
            kind => kind,
        };
        let opens = matches!(behind, TokenKind::Punct(Punct::LeftBrace | Punct::Colon));
        if !opens || Keyword::of(symbol).is_some() {
            return None;
        }
        let span = self.span_of(start + 1);
        self.scopes.declare(symbol, NameKind::Type(None));
        let segments = vec![Segment { name: Name { symbol, span }, arguments: None }];
        let name = QualifiedName { global: false, segments, span };
        let specifiers = Specifiers::of_both_halves(BaseType::Elaborated(name), span);
        Some(Decl { kind: DeclKind::Simple(Rc::new(specifiers), Vec::new()), span })
    }

    /// Whether the tokens from `start` to the current one mark device code.
    fn has_device_code(&self, start: usize) -> bool {
        (start..self.at).any(|at| match self.kind_of(at) {
            TokenKind::Name(symbol) => Keyword::of(symbol).is_some_and(|k| DEVICE_CODE.contains(&k)),
            _ => false,
        })
    }

    /// Skips a member function or a friend of the host, or a name of a type of the library. Returns
    /// false, and may stop anywhere, at members that are part of each object, or that device code
    /// can call.
    pub(super) fn skip_host_member(&mut self) -> bool {
        let start = self.at;
        if matches!(self.keyword(), Some(Keyword::Using | Keyword::Typedef)) {
            self.skip_declaration();
            return (start..self.at)
                .any(|at| matches!(self.kind_of(at), TokenKind::Name(name) if self.text(name) == "std"));
        }
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
        while self.keyword() == Some(Keyword::Template) && self.is_at(1, Punct::Less) {
            self.bump();
            self.skip_angles();
        }
        let names_type = (0..8).map_while(|ahead| self.keyword_at(ahead)).any(|keyword| {
            matches!(keyword, Keyword::Struct | Keyword::Class | Keyword::Union | Keyword::Enum)
        });
        let (mut round, mut after_assign, mut has_parameters) = (0usize, false, false);
        let mut is_operator = false;
        while !self.ended() {
            let follows_operator = std::mem::replace(&mut is_operator, false);
            match self.kind() {
                TokenKind::Punct(Punct::Semicolon) if round == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket) => round += 1,
                TokenKind::Punct(end @ (Punct::RightParen | Punct::RightBracket)) => {
                    round = round.saturating_sub(1);
                    has_parameters |= round == 0 && end == Punct::RightParen;
                }
                // Not that of a default argument, and not the name of an operator.
                TokenKind::Punct(Punct::Assign) if round == 0 && !follows_operator => after_assign = true,
                TokenKind::Name(_) => is_operator = self.keyword() == Some(Keyword::Operator),
                TokenKind::Punct(Punct::RightBrace) => return,
                TokenKind::Punct(Punct::LeftBrace) => {
                    let in_parentheses = round > 0;
                    let is_type = names_type && !has_parameters;
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

    /// Skips from `<` to its `>`.
    fn skip_angles(&mut self) {
        let (mut angles, mut round) = (0usize, 0usize);
        while !self.ended() {
            match self.kind() {
                TokenKind::Punct(Punct::Less) if round == 0 => angles += 1,
                TokenKind::Punct(Punct::Greater) if round == 0 => angles = angles.saturating_sub(1),
                TokenKind::Punct(Punct::Shr) if round == 0 => angles = angles.saturating_sub(2),
                TokenKind::Punct(Punct::LeftParen) => round += 1,
                TokenKind::Punct(Punct::RightParen) => round = round.saturating_sub(1),
                TokenKind::Punct(Punct::Semicolon | Punct::LeftBrace | Punct::RightBrace) => return,
                _ => {}
            }
            self.bump();
            if angles == 0 {
                return;
            }
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
