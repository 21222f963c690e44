//! Qualified names, and whether one starts a type.

use super::ast::{QualifiedName, Segment};
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use super::scope::{NameKind, ScopeId, Scopes};
use crate::lex::{Punct, TokenKind};
use crate::target::Side;

/// Tokens that a template argument list may have where only its end is needed.
const MAX_SCAN: usize = 10_000;

impl Parser<'_> {
    /// Parses a qualified name that may have template arguments. Returns what it is, if known.
    pub(super) fn qualified_name(&mut self) -> Step<(QualifiedName, Option<NameKind>)> {
        let start = self.span();
        let global = self.accept(Punct::ColonColon);
        let mut segments = Vec::new();
        let mut scope = global.then_some(Scopes::FILE);
        loop {
            let written = self.accept_keyword(Keyword::Template);
            let name = self.expect_name("a name")?;
            let kind = self.kind_of_name(name.symbol, scope, segments.is_empty());
            let is_template = written || kind.is_some_and(NameKind::is_template);
            let arguments =
                if self.is(Punct::Less) && is_template { Some(self.template_arguments()?) } else { None };
            let of_std = segments.last().is_some_and(|last: &Segment| self.text(last.name.symbol) == "std");
            if kind.is_none() && of_std && self.is(Punct::Less) {
                let text = self.text(name.symbol);
                let error = match self.side {
                    Side::Host => Some(super::standard::missing(text, name.span)),
                    _ => super::standard::missing_in_device(text, name.span),
                };
                if let Some(error) = error {
                    self.out.push(error);
                    return Err(super::parser::Failed);
                }
            }
            segments.push(Segment { name, arguments });
            if self.is(Punct::ColonColon)
                && (self.name_at(1).is_some() || self.keyword_at(1) == Some(Keyword::Template))
            {
                self.bump();
                scope = scope_of(kind);
                continue;
            }
            let span = self.since(start);
            return Ok((QualifiedName { global, segments, span }, kind));
        }
    }

    fn kind_of_name(
        &self,
        name: crate::lex::Symbol,
        scope: Option<ScopeId>,
        first: bool,
    ) -> Option<NameKind> {
        match scope {
            Some(scope) => self.scopes.member(scope, name),
            None if first => self.scopes.find(name),
            None => None,
        }
    }

    /// What the qualified name at a later token is, and the number of its tokens. Nothing is taken.
    pub(super) fn peek_qualified(&self, ahead: usize) -> (Option<NameKind>, usize) {
        let mut at = ahead;
        let global = self.is_at(at, Punct::ColonColon);
        at += usize::from(global);
        let mut scope = global.then_some(Scopes::FILE);
        let mut first = true;
        loop {
            let written = self.keyword_at(at) == Some(Keyword::Template);
            at += usize::from(written);
            let Some(name) = self.name_at(at) else { return (None, at - ahead) };
            let kind = self.kind_of_name(name.symbol, scope, first);
            first = false;
            at += 1;
            let is_template = written || kind.is_some_and(NameKind::is_template);
            if is_template && self.is_at(at, Punct::Less) {
                at = self.end_of_angles(at);
            }
            if self.is_at(at, Punct::ColonColon)
                && (self.name_at(at + 1).is_some() || self.keyword_at(at + 1) == Some(Keyword::Template))
            {
                at += 1;
                scope = scope_of(kind);
                continue;
            }
            return (kind, at - ahead);
        }
    }

    /// The token behind the `>` that closes the `<` at a token.
    pub(super) fn end_of_angles(&self, open: usize) -> usize {
        let (mut angles, mut round) = (0i32, 0i32);
        for at in open..open + MAX_SCAN {
            match self.kind_at(at) {
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket) => round += 1,
                TokenKind::Punct(Punct::RightParen | Punct::RightBracket | Punct::RightBrace) => round -= 1,
                // `T{}` is a value.
                TokenKind::Punct(Punct::LeftBrace)
                    if self.name_at(at - 1).is_some() || self.is_at(at - 1, Punct::Greater) =>
                {
                    round += 1;
                }
                TokenKind::Punct(Punct::Less) if round == 0 => angles += 1,
                TokenKind::Punct(Punct::Greater) if round == 0 => angles -= 1,
                TokenKind::Punct(Punct::Shr) if round == 0 => angles -= 2,
                TokenKind::Punct(Punct::Semicolon | Punct::LeftBrace) | TokenKind::End => return at,
                _ => {}
            }
            if angles <= 0 {
                // The second half of a `>>` closes a list outside.
                return at + usize::from(angles == 0);
            }
        }
        open
    }

    /// Whether a type starts at the current token.
    pub(super) fn starts_type(&self) -> bool {
        self.starts_type_at(0)
    }

    /// Whether a type starts at a later token.
    pub(super) fn starts_type_at(&self, ahead: usize) -> bool {
        use Keyword as K;
        match self.keyword_at(ahead) {
            Some(
                K::Void
                | K::Bool
                | K::Char
                | K::Short
                | K::Int
                | K::Long
                | K::Float
                | K::Double
                | K::Signed
                | K::Unsigned
                | K::Auto
                | K::Const
                | K::Volatile
                | K::Struct
                | K::Union
                | K::Class
                | K::Enum
                | K::Typename
                | K::Decltype
                | K::Restrict
                | K::ClGlobal
                | K::ClLocal
                | K::ClConstant
                | K::ClPrivate
                | K::ClReadOnly
                | K::ClWriteOnly,
            ) => true,
            Some(_) => false,
            None => {
                let starts = self.name_at(ahead).is_some() || self.is_at(ahead, Punct::ColonColon);
                starts
                    && (matches!(
                        self.peek_qualified(ahead).0,
                        Some(NameKind::Type(_) | NameKind::TypeTemplate(_))
                    ) || self.concept_follows_at(ahead, true))
            }
        }
    }
}

/// The scope of the members of a type or namespace.
fn scope_of(kind: Option<NameKind>) -> Option<ScopeId> {
    match kind {
        Some(NameKind::Type(scope) | NameKind::TypeTemplate(scope)) => scope,
        Some(NameKind::Namespace(scope)) => Some(scope),
        _ => None,
    }
}
