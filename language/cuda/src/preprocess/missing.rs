//! Headers of the C++ library that a program needs and does not include. Which headers include them
//! indirectly depends on the library: programs rely on that of their compiler.

use super::Preprocessor;
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, Symbol, Token, TokenKind};
use crate::source::Span;
use crate::syntax::standard::{header_of, is_class_template};
use rustc_hash::{FxHashMap, FxHashSet};

/// A header, and the name that needs it.
#[derive(Debug)]
pub(crate) struct MissingHeader {
    header: &'static str,
    name: String,
    span: Span,
}

impl MissingHeader {
    /// The name of the header.
    pub fn header(&self) -> &'static str {
        self.header
    }

    /// The missing line.
    pub fn line(&self) -> String {
        format!("#include <{}>\n", self.header)
    }

    /// The warning about it.
    pub fn warning(&self) -> Diagnostic {
        let Self { header, name, span } = self;
        Diagnostic::warning(
            "missing-include",
            *span,
            format!("`{name}` is used without `#include <{header}>`"),
        )
        .note("some compilers include it with other headers, others report an error here")
        .help(format!("write `#include <{header}>`"))
    }
}

/// What makes the name behind it a member.
const ACCESS: [Punct; 3] = [Punct::ColonColon, Punct::Dot, Punct::Arrow];

impl Preprocessor<'_> {
    /// The headers that declare the names of `std` in the program, where no header that was read
    /// has the name.
    pub(crate) fn missing_headers(&self, tokens: &[Token]) -> Vec<MissingHeader> {
        let mut used = self.used_names(tokens);
        if used.is_empty() {
            return Vec::new();
        }
        for token in tokens {
            if let Some(symbol) = token.name()
                && used.contains_key(&symbol)
                && self.sources.is_builtin(token.span)
            {
                used.remove(&symbol);
            }
        }
        let mut used: Vec<_> = used.into_iter().collect();
        used.sort_by_key(|(_, (_, span))| span.start);
        let mut found: Vec<MissingHeader> = Vec::new();
        for (symbol, (header, span)) in used {
            if !found.iter().any(|one| one.header == header) {
                found.push(MissingHeader { header, name: format!("std::{}", self.names.text(symbol)), span });
            }
        }
        found
    }

    /// The names of the library in the text of the program: headers, and first places.
    fn used_names(&self, tokens: &[Token]) -> FxHashMap<Symbol, (&'static str, Span)> {
        let mut used = FxHashMap::default();
        let Some(std) = self.names.find("std") else { return used };
        let is =
            |at: usize, punct: Punct| tokens.get(at).is_some_and(|one| one.kind == TokenKind::Punct(punct));
        let name = |at: usize| tokens.get(at).and_then(Token::name);
        let keywords = ["class", "struct", "union", "enum", "using"].map(|text| self.names.find(text));
        let behind_keyword = |at: usize| {
            at.checked_sub(1).and_then(name).is_some_and(|symbol| keywords.contains(&Some(symbol)))
        };
        let namespace = self.names.find("namespace");
        let has_directive = (2..tokens.len())
            .any(|at| name(at) == Some(std) && name(at - 1) == namespace && behind_keyword(at - 1));
        let mut own: FxHashSet<Symbol> = FxHashSet::default();
        let mut note = |symbol: Symbol, span: Span| {
            if !used.contains_key(&symbol)
                && let Some(header) = header_of(self.names.text(symbol))
                && !self.sources.is_builtin(span)
            {
                used.insert(symbol, (header, span));
            }
        };
        for (at, token) in tokens.iter().enumerate() {
            let Some(symbol) = token.name() else { continue };
            if symbol == std && is(at + 1, Punct::ColonColon) {
                if let Some(symbol) = name(at + 2) {
                    note(symbol, tokens[at + 2].span);
                }
            } else if behind_keyword(at) {
                own.insert(symbol);
            } else if has_directive
                && is(at + 1, Punct::Less)
                && !own.contains(&symbol)
                && !at.checked_sub(1).is_some_and(|at| ACCESS.iter().any(|punct| is(at, *punct)))
                && is_class_template(self.names.text(symbol))
            {
                note(symbol, token.span);
            }
        }
        used
    }
}
