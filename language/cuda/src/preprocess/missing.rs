//! Headers of the C++ library that a program needs and does not include. Which headers include them
//! indirectly depends on the library: programs rely on that of their compiler.

use super::Preprocessor;
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, Symbol, Token, TokenKind};
use crate::source::Span;
use crate::syntax::standard::{header_of, is_class_template};
use crate::target::Side;
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

/// Functions that programs in C call without their headers, as C89 allows, by headers.
const OF_C: [(&str, &str); 6] = [
    ("fcntl.h", "open creat"),
    (
        "unistd.h",
        "read write close lseek access usleep sleep getpid unlink rmdir isatty sysconf getcwd getopt",
    ),
    ("sys/time.h", "gettimeofday"),
    ("sys/stat.h", "stat fstat mkdir"),
    ("time.h", "time clock clock_gettime"),
    ("signal.h", "signal raise"),
];

/// Words that may be in front of a name that they do not declare.
const BEFORE_NAMES: [&str; 8] = ["return", "else", "do", "case", "sizeof", "static", "const", "extern"];

/// Words that may stand in front of the name in a call.
const BEFORE_CALLS: [&str; 5] = ["return", "else", "do", "case", "sizeof"];

/// The header of a name of C that the usual headers of the C++ library include indirectly.
fn included_by_cpp(name: &str) -> Option<&'static str> {
    match name {
        "errno" => Some("errno.h"),
        _ if name.starts_with("pthread_") || name.starts_with("PTHREAD_") => Some("pthread.h"),
        _ => None,
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
        // A header declares a name of `std` in its namespace. In a class it is another name, such
        // as the member `tie` of streams. Between parentheses it is the name of a parameter.
        let (mut braces, mut parens) = (0usize, 0usize);
        for token in tokens {
            match token.kind {
                TokenKind::Punct(Punct::LeftBrace) => braces += 1,
                TokenKind::Punct(Punct::RightBrace) => braces = braces.saturating_sub(1),
                TokenKind::Punct(Punct::LeftParen) => parens += 1,
                TokenKind::Punct(Punct::RightParen) => parens = parens.saturating_sub(1),
                TokenKind::Name(symbol)
                    if braces <= 1
                        && parens == 0
                        && used.contains_key(&symbol)
                        && self.sources.is_builtin(token.span) =>
                {
                    used.remove(&symbol);
                }
                _ => {}
            }
        }
        let mut used: Vec<_> = used.into_iter().collect();
        used.sort_by_key(|(_, (_, span))| span.start);
        let mut found: Vec<MissingHeader> = Vec::new();
        for (symbol, (header, span)) in used {
            if !found.iter().any(|one| one.header == header) {
                let name = self.names.text(symbol);
                let space = if included_by_cpp(name).is_some() { "" } else { "std::" };
                found.push(MissingHeader { header, name: format!("{space}{name}"), span });
            }
        }
        found
    }

    /// The headers of functions that a program in C calls, where nothing that was read declares
    /// them.
    pub(crate) fn missing_headers_of_c(&self, tokens: &[Token]) -> Vec<MissingHeader> {
        let is =
            |at: usize, kind: Punct| tokens.get(at).is_some_and(|one| one.kind == TokenKind::Punct(kind));
        let mut called: Vec<(Symbol, &'static str, Span)> = Vec::new();
        let mut declared = FxHashSet::default();
        let mut depth = 0usize;
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Punct(Punct::LeftBrace) => depth += 1,
                TokenKind::Punct(Punct::RightBrace) => depth = depth.saturating_sub(1),
                _ => {}
            }
            let Some(symbol) = token.name().filter(|_| is(at + 1, Punct::LeftParen)) else { continue };
            let text = self.names.text(symbol);
            let known = OF_C.iter().find(|(_, names)| names.split_whitespace().any(|name| name == text));
            let runtime = text.strip_prefix("cuda").is_some_and(|rest| rest.starts_with(char::is_uppercase));
            let header = known.map(|(header, _)| *header).or(runtime.then_some("cuda_runtime_api.h"));
            let Some(header) = header else { continue };
            // A name outside of functions, or behind the name of a type, is a declaration.
            let before = at.checked_sub(1).and_then(|at| tokens[at].name()).map(|name| self.names.text(name));
            let is_member = at > 0 && ACCESS.iter().any(|punct| is(at - 1, *punct));
            let is_own = !self.sources.is_builtin(token.span);
            if !is_own || depth == 0 || before.is_some_and(|word| !BEFORE_CALLS.contains(&word)) {
                declared.insert(symbol);
            } else if !is_member && !called.iter().any(|(known, ..)| *known == symbol) {
                called.push((symbol, header, token.span));
            }
        }
        let mut found: Vec<MissingHeader> = Vec::new();
        for (symbol, header, span) in called {
            if !declared.contains(&symbol) && !found.iter().any(|one| one.header == header) {
                found.push(MissingHeader { header, name: self.names.text(symbol).to_owned(), span });
            }
        }
        found
    }

    /// The names of the library in the text of the program: headers, and first places.
    fn used_names(&self, tokens: &[Token]) -> FxHashMap<Symbol, (&'static str, Span)> {
        let mut used = FxHashMap::default();
        // Without a name of `std`, no header of the C++ library was read.
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
        let mut note = |symbol: Symbol, header: Option<&'static str>, span: Span| {
            if !used.contains_key(&symbol)
                && let Some(header) = header
                && !self.sources.is_builtin(span)
            {
                used.insert(symbol, (header, span));
            }
        };
        for (at, token) in tokens.iter().enumerate() {
            let Some(symbol) = token.name() else { continue };
            if symbol == std && is(at + 1, Punct::ColonColon) {
                if let Some(symbol) = name(at + 2) {
                    note(symbol, header_of(self.names.text(symbol)), tokens[at + 2].span);
                }
            } else if let Some(header) = included_by_cpp(self.names.text(symbol)) {
                // Behind the name of a type, it is a declaration.
                let is_used = at.checked_sub(1).is_none_or(|before| {
                    name(before).is_none_or(|word| BEFORE_NAMES.contains(&self.names.text(word)))
                        && !ACCESS.iter().any(|punct| is(before, *punct))
                });
                if self.side == Side::Host && is_used {
                    note(symbol, Some(header), token.span);
                }
            } else if behind_keyword(at) {
                own.insert(symbol);
            } else if has_directive
                && is(at + 1, Punct::Less)
                && !own.contains(&symbol)
                && !at.checked_sub(1).is_some_and(|at| ACCESS.iter().any(|punct| is(at, *punct)))
                && is_class_template(self.names.text(symbol))
            {
                note(symbol, header_of(self.names.text(symbol)), token.span);
            }
        }
        used
    }
}
