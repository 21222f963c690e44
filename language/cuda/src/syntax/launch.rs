//! Launches of templates in host code, which is skipped otherwise.

use super::ast::{Declarator, DeclaratorName, TypeName};
use super::declarator::Mode;
use super::parser::{Failed, Launch, Parser, Step};
use super::scope::NameKind;
use crate::lex::{Punct, Symbol, TokenKind};

/// Launches that are recorded; more are ignored.
const MAX_LAUNCHES: usize = 10_000;

/// Tokens that are searched for the declaration of an argument, and those of them before the body:
/// parameters.
const MAX_DISTANCE: usize = 20_000;
const MAX_HEAD: usize = 400;

impl Parser<'_> {
    /// Records a launch such as `f<int><<<1, 2>>>(x)` at the current token, and takes nothing.
    /// `first` is the start of the function body.
    pub(super) fn launch(&mut self, symbol: Symbol, first: usize) {
        let start = self.start_of_qualified();
        let may_be_template = start < self.at || self.scopes.find(symbol) == Some(NameKind::FunctionTemplate);
        if !may_be_template || self.launches.len() > MAX_LAUNCHES {
            return;
        }
        let launch = self.attempt(|parser| {
            parser.at = start;
            let (name, kind) = parser.qualified_name()?;
            let is_template = kind == Some(NameKind::FunctionTemplate);
            if !is_template || !parser.is(Punct::Shl) || !parser.is_at(1, Punct::Less) {
                return Err(Failed);
            }
            let arguments = parser.launch_arguments(first);
            Ok(Launch { name, arguments })
        });
        self.launches.extend(launch);
    }

    /// The first token of the qualified name whose last name is the current token.
    fn start_of_qualified(&self) -> usize {
        let is_colons = |at: usize| self.kind_of(at) == TokenKind::Punct(Punct::ColonColon);
        let mut start = self.at;
        while start > 0 && is_colons(start - 1) {
            start -= 1;
            if start == 0 || !matches!(self.kind_of(start - 1), TokenKind::Name(_)) {
                break;
            }
            start -= 1;
        }
        start
    }

    /// Runs a step that takes no tokens and reports nothing.
    fn attempt<T>(&mut self, step: impl FnOnce(&mut Self) -> Step<T>) -> Option<T> {
        let (at, mark, depth) = (self.at, self.out.mark(), self.depth);
        let (half, angles) = (self.half, self.in_angles);
        let result = step(self);
        self.out.truncate(mark);
        (self.at, self.depth, self.half, self.in_angles) = (at, depth, half, angles);
        result.ok()
    }

    /// The types of the arguments behind the `<<<` at the current token.
    fn launch_arguments(&mut self, first: usize) -> Vec<Option<TypeName>> {
        // The launch configuration ends with `>>` and `>`.
        while !(self.is(Punct::Shr) && self.is_at(1, Punct::Greater) && self.is_at(2, Punct::LeftParen)) {
            if self.ended() || matches!(self.kind(), TokenKind::Punct(Punct::Semicolon | Punct::RightBrace)) {
                return Vec::new();
            }
            self.bump();
        }
        self.at += 3;
        let mut types = Vec::new();
        let mut start = self.at;
        let mut nesting = 0usize;
        while !self.ended() {
            match self.kind() {
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket | Punct::LeftBrace) => nesting += 1,
                TokenKind::Punct(end @ (Punct::Comma | Punct::RightParen)) if nesting == 0 => {
                    if self.at > start {
                        types.push(self.argument_type(start, self.at, first));
                    }
                    if end == Punct::RightParen {
                        break;
                    }
                    start = self.at + 1;
                }
                TokenKind::Punct(Punct::RightParen | Punct::RightBracket | Punct::RightBrace) => {
                    nesting = nesting.saturating_sub(1);
                }
                _ => {}
            }
            self.bump();
        }
        types
    }

    /// The type of the argument between two tokens: of a cast, or the declared type of a name, also
    /// of a name with an offset behind it.
    fn argument_type(&mut self, start: usize, end: usize, first: usize) -> Option<TypeName> {
        if self.kind_of(start) == TokenKind::Punct(Punct::LeftParen) {
            return self.attempt(|parser| {
                parser.at = start + 1;
                let ty = parser.type_name()?;
                if parser.is(Punct::RightParen) && parser.at + 1 < end { Ok(ty) } else { Err(Failed) }
            });
        }
        let TokenKind::Name(symbol) = self.kind_of(start) else { return None };
        let plain = end == start + 1
            || matches!(self.kind_of(start + 1), TokenKind::Punct(Punct::Plus | Punct::Minus));
        if !plain {
            return None;
        }
        // The nearest declaration before the launch counts.
        let from = first.saturating_sub(MAX_HEAD).max(start.saturating_sub(MAX_DISTANCE));
        (from..start).rev().find_map(|at| self.declared_type(at, symbol))
    }

    /// The type that a declaration gives `symbol` at a token; `None` if there is no declaration.
    fn declared_type(&mut self, at: usize, symbol: Symbol) -> Option<TypeName> {
        if self.kind_of(at) != TokenKind::Name(symbol) {
            return None;
        }
        let is_border = |kind: TokenKind| {
            matches!(
                kind,
                TokenKind::Punct(Punct::Semicolon | Punct::LeftBrace | Punct::RightBrace | Punct::LeftParen)
            )
        };
        let statement = (0..at).rev().take(200).find(|at| is_border(self.kind_of(*at)))?;
        // A parameter starts behind a comma.
        let comma = (statement..at).rev().find(|at| self.kind_of(*at) == TokenKind::Punct(Punct::Comma));
        [Some(statement), comma].into_iter().flatten().find_map(|before| {
            self.attempt(|parser| {
                parser.at = before + 1;
                if !parser.starts_type() {
                    return Err(Failed);
                }
                let start = parser.span();
                let specifiers = parser.specifiers(None)?;
                loop {
                    let declarator = parser.declarator(Mode::Outer)?;
                    if let DeclaratorName::Plain(name) = &declarator.name
                        && name.symbol == symbol
                    {
                        let span = parser.since(start);
                        let declarator = Declarator { name: DeclaratorName::None, ..declarator };
                        return Ok(TypeName { specifiers, declarator, span });
                    }
                    if parser.accept(Punct::Assign) {
                        parser.assignment()?;
                    }
                    if !parser.accept(Punct::Comma) || parser.at > at {
                        return Err(Failed);
                    }
                }
            })
        })
    }
}
