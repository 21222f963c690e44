//! `#include`.

use super::Preprocessor;
use crate::budget::Resource;
use crate::diagnostics::Diagnostic;
use crate::headers::{self, Header};
use crate::lex::TokenKind;
use crate::source::Span;
use crate::target::Side;

/// Nesting of included files.
const MAX_INCLUDES: usize = 64;

/// A file that was found.
#[derive(Clone, Debug)]
pub struct Included {
    /// Name that identifies the file in messages and for `#pragma once`.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Whether messages name its lines without their text.
    pub hidden: bool,
}

/// Finds the user's files.
pub trait Loader {
    /// Returns the file that `path` names in an include of the file `from`, in quotes or (`angled`)
    /// in angle brackets.
    fn load(&self, path: &str, from: &str, angled: bool) -> Option<Included>;
}

impl<F: Fn(&str, &str, bool) -> Option<Included>> Loader for F {
    fn load(&self, path: &str, from: &str, angled: bool) -> Option<Included> {
        self(path, from, angled)
    }
}

impl Preprocessor<'_> {
    /// Obeys `#include`.
    pub(super) fn include(&mut self, span: Span) {
        let Some((path, angled, place)) = self.include_path(span) else {
            let error = Diagnostic::error("bad-directive", span, "`#include` needs a file name")
                .help("write `#include \"file.h\"` or `#include <file.h>`");
            self.out.push(error);
            return;
        };
        if self.files.len() >= MAX_INCLUDES {
            self.out.stop(span, "files include each other without end");
            return;
        }
        let from = self.files.last().map_or(String::new(), |open| self.sources.file(open.file).name.clone());
        // Files of the user come first.
        if let Some(found) = self.loader.load(&path, &from, angled) {
            if self.once.contains(&found.name) {
                return;
            }
            let id = if let Some(&id) = self.loaded.get(&found.name) {
                id
            } else {
                let Some(id) = self.sources.add(&found.name, found.text, false) else {
                    self.out.stop(span, "the included files are too large");
                    return;
                };
                if found.hidden {
                    self.sources.hide(id);
                }
                self.loaded.insert(found.name, id);
                id
            };
            self.open(id);
            return;
        }
        match headers::find(&path, self.side) {
            Some(Header::Text(name, text)) => {
                // Headers of the compiler are read once.
                if (self.once.insert(name.to_owned()) || headers::is_repeated(name))
                    && let Some(id) = self.sources.add(name, text, true)
                {
                    self.open(id);
                }
            }
            Some(Header::HostOnly) => {}
            Some(Header::Refused(instead)) => {
                let message = format!("header <{path}> is not supported");
                let error =
                    Diagnostic::error("missing-file", place, message).label("included here").help(instead);
                self.out.push(error);
            }
            Some(Header::Absent) => self.skip_header(&path, place),
            None if angled && self.side != Side::C => self.skip_header(&path, place),
            None => {
                let error = Diagnostic::error("missing-file", place, format!("file \"{path}\" is not found"))
                    .label("included here");
                self.out.push(error);
            }
        }
    }

    /// Warns of a header without which the program may compile.
    fn skip_header(&mut self, path: &str, place: Span) {
        let note = if headers::is_of_cuda_library(path) {
            "Thrust, CUB, cuBLAS, cuFFT, cuRAND and other libraries of CUDA are not supported"
        } else if self.side.is_device() {
            "device code cannot use what it declares"
        } else {
            "the program cannot use what it declares"
        };
        let message = format!("header <{path}> is not known; it is skipped");
        self.out.push(Diagnostic::warning("missing-header", place, message).note(note));
    }

    /// Whether `__has_include` finds a file.
    pub(super) fn can_include(&mut self, path: &str, angled: bool) -> bool {
        let start = self.files.last().map_or(0, |open| self.sources.start(open.file));
        if !self.out.spend(Resource::Files, 1, Span::new(start, start)) {
            return false;
        }
        let from = self.files.last().map_or("", |open| self.sources.file(open.file).name.as_str());
        // Both halves of a program see the headers that host code has.
        let side = if self.side == Side::Device { Side::Host } else { self.side };
        let known = matches!(headers::find(path, side), Some(Header::Text(..) | Header::HostOnly));
        known || self.loader.load(path, from, angled).is_some()
    }

    fn include_path(&mut self, span: Span) -> Option<(String, bool, Span)> {
        let open = self.files.last_mut()?;
        let (text, start) = (open.text.clone(), open.lexer.offset());
        let rest = open.lexer.rest_of_line(&text);
        let place = |length: usize| {
            let skipped = text[start..].len() - text[start..].trim_start().len();
            let from = self.sources.start(open.file) + (start + skipped) as u32;
            Span::new(from, from + length as u32)
        };
        for (first, last) in [('<', '>'), ('"', '"')] {
            if let Some(inner) = rest.strip_prefix(first) {
                let path = &inner[..inner.find(last)?];
                return Some((path.to_owned(), first == '<', place(path.len() + 2)));
            }
        }
        // The name comes from a macro.
        open.lexer.seek(start);
        let mut tokens = Vec::new();
        while let Some(token) = self.lex_in_line() {
            tokens.push(token);
        }
        let tokens = self.expand_directive(&tokens);
        let path: String = tokens.iter().map(|token| self.spelled(*token)).collect();
        let angled = path.starts_with('<');
        let quoted = matches!(tokens.first()?.kind, TokenKind::Text(_));
        (angled || quoted).then(|| (path.trim_matches(['<', '>', '"']).to_owned(), angled, span))
    }
}
