//! The state of the parser and its basic steps.

use super::ast::{Decl, Lambda, Name, QualifiedName, TypeName};
use super::keyword::Keyword;
use super::scope::Scopes;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::lex::{Interner, Punct, Symbol, Token, TokenKind};
use crate::source::{Place, Sources, Span};
use crate::target::Side;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Nesting of statements, expressions, types and declarations.
pub(super) const MAX_DEPTH: u16 = 200;

/// Operators of a chain such as `a + b - c`, and branches of a chain of `else if`, that are nested
/// in each other in the typed program. A longer chain is a sequence of such parts.
pub const PART_OF_CHAIN: usize = 100;

/// Most operators of a chain, and most branches.
pub(super) const LONGEST_CHAIN: usize = 20_000;

/// A parsing error whose message is already recorded.
#[derive(Debug)]
pub struct Failed;

/// Result of a parsing step.
pub type Step<T> = Result<T, Failed>;

/// A declaration that was skipped.
#[derive(Clone, Debug)]
pub struct Skipped {
    /// First and last token.
    pub span: Span,
    /// The names in it.
    pub names: Vec<Symbol>,
    /// Why it was skipped.
    pub reason: String,
}

/// A launch of a template in host code: `f<int><<<1, 2>>>(x)`.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel, with explicit template arguments.
    pub name: QualifiedName,
    /// The declared type of each argument, as far as the declaration is in the same function.
    pub arguments: Vec<Option<TypeName>>,
}

/// A lambda expression of host code that the device half needs.
#[derive(Clone, Debug)]
pub struct WantedLambda {
    /// The `{` of its body.
    pub place: Place,
    /// Names that the host function around it declares.
    pub names: Vec<(String, WantedName)>,
}

/// What a name around a lambda expression is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum WantedName {
    /// A type.
    Type,
    /// A class template.
    Template,
    /// A pack of types.
    Types,
    /// A pack of values.
    Values,
}

/// The tree of a program.
#[derive(Debug)]
pub struct Parsed {
    /// The declarations.
    pub declarations: Vec<Decl>,
    /// Declarations of host code that the parser does not understand.
    pub skipped: Vec<Skipped>,
    /// Templates of kernels that host code launches.
    pub launches: Vec<Launch>,
    /// The lambda expressions of host code that were wanted.
    pub lambdas: FxHashMap<Place, Rc<Lambda>>,
    /// Whether the program enables `double` (OpenCL C).
    pub doubles: bool,
    /// Whether numbers without suffix are `float` all the same.
    pub single_literals: bool,
}

/// The parser.
#[expect(clippy::struct_excessive_bools, reason = "independent states of the parser")]
pub(super) struct Parser<'a> {
    tokens: &'a [Token],
    pub(super) at: usize,
    /// Whether the first `>` of the current `>>` was taken.
    pub(super) half: bool,
    pub(super) names: &'a Interner,
    pub(super) sources: &'a Sources,
    pub(super) out: &'a mut Diagnostics,
    pub(super) scopes: Scopes,
    pub(super) depth: u16,
    /// Whether `>` ends a template argument list here.
    pub(super) in_angles: bool,
    pub(super) extern_c: bool,
    pub(super) skipped: Vec<Skipped>,
    /// Methods of the current class whose bodies come later.
    pub(super) deferred: Vec<super::record::Deferred>,
    /// Index of the member of the current class that is being parsed.
    pub(super) member_index: usize,
    /// `#pragma pack`: the largest alignment of members, or 0.
    pub(super) pack: u32,
    /// Whether the first `:` of `::` in inline PTX was taken.
    pub(super) half_colon: bool,
    pub(super) launches: Vec<Launch>,
    /// The half of the program whose function bodies are parsed.
    pub(super) side: Side,
    /// First and last token of the expansions of packs so far.
    pub(super) expanded: Vec<(usize, usize)>,
    /// Whether the last declarator of a parameter had `...` in front of its name.
    pub(super) has_dots: bool,
    /// The parameters in front of the `template` that follows.
    pub(super) around_template: Option<Rc<super::ast::TemplateParameters>>,
    /// Lambda expressions of host code to parse, and those that were found.
    pub(super) wanted: &'a [WantedLambda],
    pub(super) lambdas: FxHashMap<Place, Rc<Lambda>>,
    /// The first token of their bodies, and the number of tokens.
    pub(super) lambda_tokens: FxHashMap<Place, (usize, usize)>,
}

/// Parses the tokens of a program.
pub fn parse(
    tokens: &[Token],
    names: &Interner,
    sources: &Sources,
    out: &mut Diagnostics,
    side: Side,
    wanted: &[WantedLambda],
) -> Parsed {
    let mut parser = Parser {
        tokens,
        at: 0,
        half: false,
        names,
        sources,
        out,
        scopes: Scopes::default(),
        depth: 0,
        in_angles: false,
        extern_c: false,
        skipped: Vec::new(),
        deferred: Vec::new(),
        pack: 0,
        member_index: 0,
        half_colon: false,
        launches: Vec::new(),
        side,
        expanded: Vec::new(),
        has_dots: false,
        around_template: None,
        wanted,
        lambdas: FxHashMap::default(),
        lambda_tokens: FxHashMap::default(),
    };
    let mut declarations = Vec::new();
    let mut in_program = side != Side::OpenCl;
    while !parser.ended() && !parser.out.is_full() {
        if !in_program && !parser.is_builtin(parser.at) {
            in_program = true;
            parser.enter_open_cl();
        }
        parser.file_declaration(&mut declarations);
        if parser.is(Punct::RightBrace) {
            let span = parser.span();
            parser.error("syntax", span, "`}` without `{`", "");
            parser.bump();
        }
    }
    Parsed {
        declarations,
        skipped: parser.skipped,
        launches: parser.launches,
        lambdas: parser.lambdas,
        doubles: false,
        single_literals: false,
    }
}

impl Parser<'_> {
    /// Kind of the current token.
    pub(super) fn kind(&self) -> TokenKind {
        self.kind_at(0)
    }

    /// Kind of a later token.
    pub(super) fn kind_at(&self, ahead: usize) -> TokenKind {
        match self.tokens.get(self.at + ahead) {
            Some(_) if self.half && ahead == 0 => TokenKind::Punct(Punct::Greater),
            Some(token) => token.kind,
            None => TokenKind::End,
        }
    }

    /// Kind of the token at an index.
    pub(super) fn kind_of(&self, at: usize) -> TokenKind {
        self.tokens.get(at).map_or(TokenKind::End, |token| token.kind)
    }

    pub(super) fn ended(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Place of the current token; at the end of the file, of the last one.
    pub(super) fn span(&self) -> Span {
        match self.tokens.get(self.at).or(self.tokens.last()) {
            Some(token) if self.half => Span { start: token.span.start + 1, ..token.span },
            Some(token) => token.span,
            None => Span::NONE,
        }
    }

    /// Place of the token before the current one.
    pub(super) fn previous(&self) -> Span {
        self.at.checked_sub(1).map_or(Span::NONE, |at| self.tokens[at].span)
    }

    /// Place of the token at an index.
    pub(super) fn span_of(&self, at: usize) -> Span {
        self.tokens.get(at).map_or(Span::NONE, |token| token.span)
    }

    /// Whether the current token is the first on its line.
    pub(super) fn on_new_line(&self) -> bool {
        self.tokens.get(self.at).is_none_or(|token| token.line_start)
    }

    /// From a place to the previous token.
    pub(super) fn since(&self, start: Span) -> Span {
        self.sources.join(start, self.previous())
    }

    pub(super) fn bump(&mut self) {
        if !self.ended() {
            self.at += 1;
            self.half = false;
        }
    }

    pub(super) fn is(&self, punct: Punct) -> bool {
        self.kind() == TokenKind::Punct(punct)
    }

    pub(super) fn is_at(&self, ahead: usize, punct: Punct) -> bool {
        self.kind_at(ahead) == TokenKind::Punct(punct)
    }

    pub(super) fn accept(&mut self, punct: Punct) -> bool {
        let found = self.is(punct);
        if found {
            self.bump();
        }
        found
    }

    /// Takes `>`, also as the first half of `>>`.
    pub(super) fn accept_greater(&mut self) -> bool {
        if self.accept(Punct::Greater) {
            return true;
        }
        let half = self.is(Punct::Shr);
        self.half |= half;
        half
    }

    /// The keyword at the current token.
    pub(super) fn keyword(&self) -> Option<Keyword> {
        self.keyword_at(0)
    }

    pub(super) fn keyword_at(&self, ahead: usize) -> Option<Keyword> {
        if let TokenKind::Name(symbol) = self.kind_at(ahead) { Keyword::of(symbol) } else { None }
    }

    pub(super) fn accept_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.keyword() == Some(keyword);
        if found {
            self.bump();
        }
        found
    }

    /// The name at the current token, which is no keyword.
    pub(super) fn name(&self) -> Option<Name> {
        self.name_at(0)
    }

    pub(super) fn name_at(&self, ahead: usize) -> Option<Name> {
        match self.kind_at(ahead) {
            TokenKind::Name(symbol) if Keyword::of(symbol).is_none() => {
                Some(Name { symbol, span: self.span_of(self.at + ahead) })
            }
            _ => None,
        }
    }

    pub(super) fn expect_name(&mut self, what: &str) -> Step<Name> {
        let Some(name) = self.name() else { return self.unexpected(&format!("expected {what}")) };
        self.bump();
        Ok(name)
    }

    pub(super) fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }

    /// The current token as messages call it.
    pub(super) fn found(&self) -> String {
        match self.kind() {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Name(symbol) if Keyword::of(symbol).is_some() => {
                format!("keyword `{}`", self.text(symbol))
            }
            TokenKind::Name(symbol) | TokenKind::Number(symbol) | TokenKind::Char(symbol) => {
                format!("`{}`", self.text(symbol))
            }
            TokenKind::Text(_) => "a string".to_owned(),
            TokenKind::Punct(punct) => format!("`{}`", punct.text()),
            TokenKind::Unknown(char) => format!("character `{char}`"),
            TokenKind::Unroll(_) => "`#pragma unroll`".to_owned(),
            TokenKind::Pack(_) => "`#pragma pack`".to_owned(),
            TokenKind::Placemarker => "nothing".to_owned(),
        }
    }

    pub(super) fn error(&mut self, code: &'static str, span: Span, message: &str, label: &str) {
        self.out.push(Diagnostic::error(code, span, message).label(label));
    }

    /// Records that a construct is not supported.
    pub(super) fn unsupported<T>(&mut self, span: Span, construct: &str) -> Step<T> {
        self.out.push(match self.side {
            Side::Host | Side::C => crate::diagnostics::unsupported_in_host(span, construct),
            Side::Device => crate::diagnostics::unsupported(span, construct),
            Side::OpenCl => crate::diagnostics::not_open_cl(span, construct),
        });
        Err(Failed)
    }

    /// Records "expected X, found Y" at the current token.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Step<T> {
        let message = format!("{expected}, found {}", self.found());
        let span = self.span();
        self.error("syntax", span, &message, "");
        Err(Failed)
    }

    pub(super) fn expect(&mut self, punct: Punct, place: &str) -> Step<()> {
        if self.accept(punct) {
            return Ok(());
        }
        self.unexpected(&format!("expected `{}` {place}", punct.text()))
    }

    /// Takes a closing bracket, and names the opening one if it is missing.
    pub(super) fn expect_close(&mut self, punct: Punct, open: Span) -> Step<()> {
        if self.accept(punct) {
            return Ok(());
        }
        let message = format!("expected `{}`, found {}", punct.text(), self.found());
        let span = self.span();
        self.out.push(Diagnostic::error("syntax", span, message).at(open, "opened here"));
        Err(Failed)
    }

    /// Takes `;`. If it is missing at the end of a line, parsing goes on as if it were there.
    pub(super) fn expect_semicolon(&mut self, place: &str) -> Step<()> {
        if self.accept(Punct::Semicolon) {
            return Ok(());
        }
        let goes_on = self.on_new_line() || self.is(Punct::RightBrace) || self.ended();
        if !goes_on {
            return self.unexpected(&format!("expected `;` {place}"));
        }
        let last = self.previous();
        let after = Span { start: last.end, end: last.end + 1, ..last };
        self.out.push(
            Diagnostic::error("missing-semicolon", after, format!("expected `;` {place}"))
                .label("write `;` here"),
        );
        Ok(())
    }

    /// Enters a level of nesting.
    pub(super) fn nest(&mut self) -> Step<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.depth -= 1;
            return self.too_deep();
        }
        Ok(())
    }

    pub(super) fn too_deep<T>(&mut self) -> Step<T> {
        let span = self.span();
        self.error("limit", span, "the program is nested too deeply", "simplify this");
        Err(Failed)
    }

    /// Runs a step one level deeper.
    pub(super) fn nested<T>(&mut self, step: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        self.nest()?;
        let result = step(self);
        self.depth -= 1;
        result
    }

    /// Runs a step where `>` is an operator (`angles` false) or ends a list (true).
    pub(super) fn with_angles<T>(
        &mut self,
        angles: bool,
        step: impl FnOnce(&mut Self) -> Step<T>,
    ) -> Step<T> {
        let before = std::mem::replace(&mut self.in_angles, angles);
        let result = step(self);
        self.in_angles = before;
        result
    }

    /// Runs a step in a new scope.
    pub(super) fn scoped<T>(&mut self, step: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        let outer = self.scopes.current();
        self.scopes.push();
        let result = step(self);
        self.scopes.enter(outer);
        result
    }
}
