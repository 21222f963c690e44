//! Macro expansion.

use std::rc::Rc;

use super::macros::{Macro, Piece};
use super::{Context, OPTIONS, Preprocessor, Presumed};
use crate::budget::Resource;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::lex::{Lexer, Punct, Symbol, Token, TokenKind, unescape};
use crate::source::{Expansion, ExpansionId, Location, SourceFile, Sources, Span};
use crate::target::Side;

/// Expansions whose tokens may be open at one time.
const MAX_CONTEXTS: usize = 1000;

/// Nesting of macros in the arguments of macros.
const MAX_DEPTH: usize = 64;

/// An argument of a macro.
struct Argument {
    tokens: Vec<Token>,
    expanded: Option<Vec<Token>>,
}

impl Preprocessor<'_> {
    /// Takes the next token without expanding it.
    fn take(&mut self) -> Token {
        while self.contexts.len() > self.floor {
            let context = self.contexts.last_mut().expect("longer than the floor");
            if let Some(&token) = context.tokens.get(context.at) {
                context.at += 1;
                return token;
            }
            self.contexts.pop();
        }
        if self.listing { Self::end() } else { self.raw() }
    }

    /// Whether the next token is `(`.
    fn parenthesis_follows(&mut self) -> bool {
        for context in self.contexts[self.floor..].iter().rev() {
            if let Some(token) = context.tokens.get(context.at) {
                return token.is(Punct::LeftParen);
            }
        }
        if self.listing {
            return false;
        }
        let token = self.raw();
        self.pushed = Some(token);
        token.is(Punct::LeftParen)
    }

    /// Takes the next token with macros expanded.
    pub(super) fn next(&mut self) -> Token {
        loop {
            if self.out.is_stopped() {
                return Self::end();
            }
            let mut token = self.take();
            let TokenKind::Name(symbol) = token.kind else { return token };
            if token.painted {
                return token;
            }
            let Some(found) = self.macros.get(&symbol).cloned() else {
                match self.special(symbol, token) {
                    Some(Some(special)) => return special,
                    Some(None) => continue,
                    None => return token,
                }
            };
            if self.contexts.iter().any(|context| context.of == Some(symbol))
                || self.is_foreign(&found, token)
            {
                token.painted = true;
                return token;
            }
            if found.parameters.is_some() && !self.parenthesis_follows() {
                return token;
            }
            self.expand_macro(&found, symbol, token);
        }
    }

    /// The last `#line` in front of a place.
    fn presumed(&self, at: Location) -> Option<&Presumed> {
        self.presumed.iter().rev().find(|one| one.is_before(at))
    }

    /// Expands `__LINE__` and its like; `Some(None)` when the token disappears.
    #[expect(clippy::option_option, reason = "not special, and special without a token, differ")]
    fn special(&mut self, symbol: Symbol, token: Token) -> Option<Option<Token>> {
        let words = &self.words;
        let kind = if symbol == words.line {
            let line = self.sources.location(token.span).map_or(0, |at| match self.presumed(at) {
                Some(presumed) => presumed.line.saturating_add(at.line - presumed.from),
                None => at.line,
            });
            TokenKind::Number(self.names.intern(&line.to_string()))
        } else if symbol == words.file {
            let place = self.sources.location(token.span);
            let named = place
                .into_iter()
                .flat_map(|at| self.presumed.iter().rev().filter(move |one| one.is_before(at)));
            let name = named.flat_map(|one| &one.name).next().map(|name| &**name);
            let own = place.map_or("", |at| self.sources.file(at.file).name.as_str());
            let name = name.unwrap_or(own);
            TokenKind::Text(
                self.names.intern(&format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))),
            )
        } else if symbol == words.counter {
            self.counter += 1;
            TokenKind::Number(self.names.intern(&(self.counter - 1).to_string()))
        } else if symbol == words.pragma && self.parenthesis_follows() {
            self.take();
            let text = self.take();
            self.take();
            return Some(self.pragma_operator(text));
        } else {
            return None;
        };
        Some(Some(Token { kind, ..token }))
    }

    /// `_Pragma("unroll 4")`.
    fn pragma_operator(&mut self, text: Token) -> Option<Token> {
        let TokenKind::Text(symbol) = text.kind else { return None };
        let bytes = unescape(self.names.text(symbol)).unwrap_or_default();
        let text_of = String::from_utf8_lossy(&bytes).into_owned();
        let mut words = text_of.split(|char: char| char.is_whitespace() || matches!(char, '(' | ')' | ':'));
        let factor = match words.next() {
            Some("unroll") => {
                words.find(|word| !word.is_empty()).and_then(|word| word.parse().ok()).unwrap_or(0)
            }
            Some("nounroll") => 1,
            Some("pack") => {
                let message = "`_Pragma(\"pack(...)\")` is not supported";
                let error = Diagnostic::error("unsupported", text.span, message);
                self.out.push(error.help("write `#pragma pack(...)`"));
                return None;
            }
            Some("OPENCL") if self.side == Side::OpenCl => {
                let words = words.filter(|word| !word.is_empty()).map(str::to_owned);
                self.pragmas.push((words.collect(), text.span));
                return None;
            }
            _ => return None,
        };
        Some(Token { kind: TokenKind::Unroll(factor), ..text })
    }

    /// Whether the macro is of the program, and the name is in the text of a header of the compiler
    /// that does not mean it. Headers of other compilers have reserved names only. Directives, and
    /// macros that the program uses, see all macros.
    fn is_foreign(&self, found: &Macro, token: Token) -> bool {
        let of_program = |file: &SourceFile| !file.builtin || file.name == OPTIONS;
        !self.in_directive
            && !found.name.starts_with('_')
            && self.sources.is_builtin(token.span)
            && self.sources.is_builtin(self.sources.outermost(token.span))
            && self.sources.file_of(found.definition).is_some_and(|file| of_program(self.sources.file(file)))
    }

    /// Expands all macros in the tokens of a directive.
    pub(super) fn expand_directive(&mut self, tokens: &[Token]) -> Vec<Token> {
        self.in_directive = true;
        let list = self.expand_list(tokens);
        self.in_directive = false;
        list
    }

    /// Expands all macros in a list of tokens.
    fn expand_list(&mut self, tokens: &[Token]) -> Vec<Token> {
        if self.depth >= MAX_DEPTH {
            let span = tokens.first().map_or(Span::NONE, |token| token.span);
            self.out.stop(span, format!("macro arguments are nested more than {MAX_DEPTH} deep"));
            return Vec::new();
        }
        self.depth += 1;
        let floor = std::mem::replace(&mut self.floor, self.contexts.len());
        let listing = std::mem::replace(&mut self.listing, true);
        self.contexts.push(Context { tokens: tokens.into(), at: 0, of: None });
        let mut list = Vec::new();
        loop {
            let token = self.next();
            if token.kind == TokenKind::End {
                break;
            }
            list.push(token);
        }
        self.contexts.truncate(self.floor);
        (self.floor, self.listing) = (floor, listing);
        self.depth -= 1;
        list
    }

    fn expand_macro(&mut self, found: &Rc<Macro>, symbol: Symbol, name: Token) {
        let mut call = name.span;
        let mut arguments = Vec::new();
        if let Some(count) = found.parameters {
            let Some((list, close)) = self.arguments(found, name) else { return };
            call = self.sources.join(call, close);
            arguments = list;
            if !self.check_count(found, count, &mut arguments, call) {
                return;
            }
        }
        let expansion =
            self.sources.expand(Expansion { name: found.name.clone(), call, definition: found.definition });
        let Some(mut tokens) = self.substitute(found, &mut arguments, expansion, call) else { return };
        if self.contexts.len() >= MAX_CONTEXTS {
            self.out.stop(call, format!("macros are nested more than {MAX_CONTEXTS} deep"));
            return;
        }
        if let Some(first) = tokens.first_mut() {
            first.space = name.space;
            first.line_start = false;
        }
        self.contexts.push(Context { tokens: tokens.into(), at: 0, of: Some(symbol) });
    }

    /// Reads the arguments from `(` to `)`.
    fn arguments(&mut self, found: &Macro, name: Token) -> Option<(Vec<Argument>, Span)> {
        self.take();
        let parameters = found.parameters.unwrap_or(0);
        let mut list = vec![Vec::new()];
        let mut nesting = 0;
        let close = loop {
            let token = self.take();
            match token.kind {
                TokenKind::End => {
                    let message = format!("the use of macro `{}` has no `)`", found.name);
                    self.out.push(Diagnostic::error("bad-macro-use", name.span, message));
                    return None;
                }
                TokenKind::Punct(Punct::LeftParen) => nesting += 1,
                TokenKind::Punct(Punct::RightParen) if nesting == 0 => break token.span,
                TokenKind::Punct(Punct::RightParen) => nesting -= 1,
                TokenKind::Punct(Punct::Comma)
                    if nesting == 0 && !(found.variadic && list.len() >= parameters) =>
                {
                    list.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if let Some(last) = list.last_mut() {
                last.push(Token { line_start: false, space: token.space || token.line_start, ..token });
            }
        };
        let list = list.into_iter().map(|tokens| Argument { tokens, expanded: None }).collect();
        Some((list, close))
    }

    fn check_count(&mut self, found: &Macro, count: usize, list: &mut Vec<Argument>, call: Span) -> bool {
        if count == 0 && list.len() == 1 && list[0].tokens.is_empty() {
            list.clear();
        }
        if found.variadic && list.len() + 1 == count {
            list.push(Argument { tokens: Vec::new(), expanded: None });
        }
        if list.len() == count {
            return true;
        }
        let given = list.len();
        let plural = if count == 1 { "" } else { "s" };
        let message = format!("macro `{}` takes {count} argument{plural}, but {given} are given", found.name);
        let error = Diagnostic::error("bad-macro-use", call, message).at(found.definition, "defined here");
        self.out.push(error);
        false
    }

    fn substitute(
        &mut self,
        found: &Macro,
        arguments: &mut [Argument],
        expansion: ExpansionId,
        call: Span,
    ) -> Option<Vec<Token>> {
        let mut out: Vec<Token> = Vec::with_capacity(found.body.len());
        let marked =
            |token: Token| Token { span: Span { expansion, ..token.span }, line_start: false, ..token };
        let mut paste = false;
        for (at, piece) in found.body.iter().enumerate() {
            let pasted_next = found.body.get(at + 1) == Some(&Piece::Paste);
            let mut list = match *piece {
                Piece::Paste => {
                    paste = true;
                    continue;
                }
                Piece::Token(token) => vec![marked(token)],
                Piece::Text(parameter, token) => {
                    vec![marked(self.text_of(&arguments[parameter].tokens, token))]
                }
                Piece::Parameter(parameter, token) => {
                    let argument = &mut arguments[parameter];
                    let last = found.variadic && Some(parameter + 1) == found.parameters;
                    if paste || pasted_next {
                        // GNU C: `, ## __VA_ARGS__` removes the comma before no arguments.
                        if paste && last && out.last().is_some_and(|token| token.is(Punct::Comma)) {
                            paste = false;
                            if argument.tokens.is_empty() {
                                out.pop();
                                continue;
                            }
                        }
                        let mut list = argument.tokens.clone();
                        if list.is_empty() {
                            list.push(Token { kind: TokenKind::Placemarker, ..marked(token) });
                        }
                        list
                    } else {
                        if argument.expanded.is_none() {
                            let tokens = std::mem::take(&mut argument.tokens);
                            argument.expanded = Some(self.expand_list(&tokens));
                            argument.tokens = tokens;
                        }
                        let mut list = argument.expanded.clone().unwrap_or_default();
                        if let Some(first) = list.first_mut() {
                            first.space = token.space;
                        }
                        list
                    }
                }
            };
            if std::mem::take(&mut paste) && !list.is_empty() {
                let left = out.pop();
                let right = list[0];
                list[0] = left.map_or(right, |left| self.paste(left, right));
            }
            // A part of the tokens would be another program.
            let bytes = list.first().map_or(0, |token| self.length(*token));
            if !self.out.spend(Resource::Tokens, list.len(), call)
                || !self.out.spend(Resource::Bytes, bytes, call)
            {
                return None;
            }
            out.extend(list);
        }
        out.retain(|token| token.kind != TokenKind::Placemarker);
        // An expansion without tokens takes time, too.
        self.out.spend(Resource::Tokens, 1, call).then_some(out)
    }

    /// `#parameter`.
    fn text_of(&mut self, tokens: &[Token], hash: Token) -> Token {
        let mut text = String::from("\"");
        for (at, token) in tokens.iter().enumerate() {
            if at > 0 && token.space {
                text.push(' ');
            }
            let spelled = self.spelled(*token);
            if matches!(token.kind, TokenKind::Text(_) | TokenKind::Char(_)) {
                text.push_str(&spelled.replace('\\', "\\\\").replace('"', "\\\""));
            } else {
                text.push_str(&spelled);
            }
        }
        text.push('"');
        Token { kind: TokenKind::Text(self.names.intern(&text)), ..hash }
    }

    /// Bytes of a token that `#` or `##` may have made.
    fn length(&self, token: Token) -> usize {
        match token.kind {
            TokenKind::Name(symbol) | TokenKind::Number(symbol) | TokenKind::Text(symbol) => {
                self.names.text(symbol).len()
            }
            _ => 0,
        }
    }

    /// The text of a token.
    pub(super) fn spelled(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Name(symbol)
            | TokenKind::Number(symbol)
            | TokenKind::Text(symbol)
            | TokenKind::Char(symbol) => self.names.text(symbol).to_owned(),
            TokenKind::Punct(punct) => punct.text().to_owned(),
            TokenKind::Unknown(char) => char.to_string(),
            TokenKind::Unroll(_) | TokenKind::Pack(_) | TokenKind::Placemarker | TokenKind::End => {
                String::new()
            }
        }
    }

    /// `left ## right`.
    fn paste(&mut self, left: Token, right: Token) -> Token {
        if left.kind == TokenKind::Placemarker {
            return Token { space: left.space, ..right };
        }
        if right.kind == TokenKind::Placemarker {
            return left;
        }
        let text = self.spelled(left) + &self.spelled(right);
        let mut sources = Sources::default();
        let Some(file) = sources.add("", text.as_str(), true) else { return left };
        let mut lexer = Lexer::new(&sources, file);
        lexer.separators = self.side.is_cpp();
        let mut unused = Diagnostics::default();
        let made = lexer.next(&text, self.names, &mut unused);
        if lexer.offset() != text.len() || unused.has_errors() {
            let message =
                format!("`##` joins `{}` and `{}` into no token", self.spelled(left), self.spelled(right));
            self.out.push(Diagnostic::error("bad-macro-use", left.span, message));
            return left;
        }
        Token { kind: made.kind, ..left }
    }
}
