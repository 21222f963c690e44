//! The preprocessor: includes, conditionals and macros. Its result is one list of tokens.

mod condition;
mod directive;
mod expand;
mod include;
mod macros;
mod missing;

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::budget::Resource;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::lex::{Interner, Lexer, Punct, Symbol, Token, TokenKind};
use crate::source::{FileId, Location, Sources, Span};
use crate::target::Side;

pub use include::{Included, Loader};
use macros::Macro;
pub(crate) use missing::MissingHeader;

/// The name of the text with the macros of the command line.
pub(crate) const OPTIONS: &str = "<options>";

/// Names that the preprocessor gives a meaning.
struct Words {
    defined: Symbol,
    has_include: Symbol,
    va_args: Symbol,
    line: Symbol,
    file: Symbol,
    counter: Symbol,
    pragma: Symbol,
}

/// An open conditional.
struct Conditional {
    span: Span,
    /// Whether a group was already taken, so that later ones are skipped.
    taken: bool,
    /// Whether `#else` was seen.
    otherwise: bool,
}

/// A file that is being read.
struct Open {
    file: FileId,
    text: Arc<str>,
    lexer: Lexer,
    conditionals: Vec<Conditional>,
}

/// What `#line` says about the lines of a file.
struct Presumed {
    file: FileId,
    /// The first line in the text.
    from: u32,
    /// Its number.
    line: u32,
    name: Option<Arc<str>>,
}

impl Presumed {
    fn is_before(&self, at: Location) -> bool {
        self.file == at.file && self.from <= at.line
    }
}

/// Tokens of a macro expansion or an argument that wait to be read.
struct Context {
    tokens: Rc<[Token]>,
    at: usize,
    /// The macro that is not expanded inside its own expansion.
    of: Option<Symbol>,
}

/// State of the preprocessor.
pub struct Preprocessor<'a> {
    sources: &'a mut Sources,
    names: &'a mut Interner,
    out: &'a mut Diagnostics,
    loader: &'a dyn Loader,
    words: Words,
    macros: FxHashMap<Symbol, Rc<Macro>>,
    files: Vec<Open>,
    /// The half of the program, which decides which headers exist.
    pub side: Side,
    /// The alignments that `#pragma pack(push)` keeps, and the current one last; 0 is the natural
    /// one.
    packs: Vec<u32>,
    /// The pragmas of OpenCL C: their words and places.
    pub pragmas: Vec<(Vec<String>, Span)>,
    once: FxHashSet<String>,
    loaded: FxHashMap<String, FileId>,
    contexts: Vec<Context>,
    /// Contexts below this index belong to an outer expansion.
    floor: usize,
    /// Whether tokens come from contexts only, not from the file.
    listing: bool,
    /// Whether the tokens are in a directive.
    in_directive: bool,
    /// A token that was read too early.
    pushed: Option<Token>,
    depth: usize,
    counter: u32,
    /// The directives `#line` so far.
    presumed: Vec<Presumed>,
}

impl<'a> Preprocessor<'a> {
    /// The names of the macros, and whether they have parameters.
    pub fn macros(&self) -> Vec<(String, bool)> {
        // No order of a hash map reaches a result.
        let all = self.macros.values().map(|one| (one.name.to_string(), one.parameters.is_some()));
        let mut all: Vec<(String, bool)> = all.collect();
        all.sort_unstable();
        all
    }

    /// A preprocessor without macros.
    pub fn new(
        sources: &'a mut Sources,
        names: &'a mut Interner,
        out: &'a mut Diagnostics,
        loader: &'a dyn Loader,
    ) -> Self {
        let words = Words {
            defined: names.intern("defined"),
            has_include: names.intern("__has_include"),
            va_args: names.intern("__VA_ARGS__"),
            line: names.intern("__LINE__"),
            file: names.intern("__FILE__"),
            counter: names.intern("__COUNTER__"),
            pragma: names.intern("_Pragma"),
        };
        Self {
            sources,
            names,
            out,
            loader,
            words,
            macros: FxHashMap::default(),
            files: Vec::new(),
            side: Side::Device,
            packs: vec![0],
            pragmas: Vec::new(),
            once: FxHashSet::default(),
            loaded: FxHashMap::default(),
            contexts: Vec::new(),
            floor: 0,
            listing: false,
            in_directive: false,
            pushed: None,
            depth: 0,
            counter: 0,
            presumed: Vec::new(),
        }
    }

    /// Reads a file to its end and appends its tokens, without an end token.
    pub fn run(&mut self, file: FileId, tokens: &mut Vec<Token>) {
        self.open(file);
        loop {
            let token = self.next();
            match token.kind {
                TokenKind::End => return,
                _ if !self.out.spend(Resource::Tokens, 1, token.span) => return,
                _ => tokens.push(token),
            }
        }
    }

    /// Whether a limit stopped the preprocessor.
    pub fn is_stopped(&self) -> bool {
        self.out.is_stopped()
    }

    fn open(&mut self, file: FileId) {
        let text = self.sources.file(file).text.clone();
        let mut lexer = Lexer::new(self.sources, file);
        lexer.separators = self.side.is_cpp();
        let start = self.sources.start(file);
        let start = Span::new(start, start);
        if !self.out.spend(Resource::Files, 1, start) || !self.out.spend(Resource::Bytes, text.len(), start) {
            return;
        }
        self.files.push(Open { file, text, lexer, conditionals: Vec::new() });
    }

    /// Reads a token of the current file as it is written.
    fn lex(&mut self) -> Token {
        let Some(open) = self.files.last_mut() else { return Self::end() };
        open.lexer.next(&open.text, self.names, self.out)
    }

    fn end() -> Token {
        Token { kind: TokenKind::End, span: Span::NONE, line_start: true, space: false, painted: false }
    }

    /// Reads the next token of the current line, or `None` at its end.
    fn lex_in_line(&mut self) -> Option<Token> {
        let open = self.files.last_mut()?;
        let before = open.lexer.clone();
        let token = open.lexer.next(&open.text, self.names, self.out);
        if token.line_start || token.kind == TokenKind::End {
            open.lexer = before;
            return None;
        }
        Some(token)
    }

    /// Reads the next token of the files, after directives were obeyed.
    fn raw(&mut self) -> Token {
        if let Some(token) = self.pushed.take() {
            return token;
        }
        loop {
            if self.out.is_full() {
                self.files.clear();
                return Self::end();
            }
            let token = self.lex();
            if token.kind == TokenKind::End {
                let Some(open) = self.files.pop() else { return Self::end() };
                for open in open.conditionals {
                    let error =
                        Diagnostic::error("unterminated-if", open.span, "conditional has no `#endif`")
                            .label("starts here");
                    self.out.push(error);
                }
                if self.files.is_empty() {
                    return Self::end();
                }
                continue;
            }
            if token.line_start && token.is(Punct::Hash) {
                if let Some(token) = self.directive(token.span) {
                    return token;
                }
                continue;
            }
            return token;
        }
    }
}

#[cfg(test)]
mod tests;
