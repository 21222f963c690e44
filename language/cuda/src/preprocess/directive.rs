//! Directives.

use super::{Conditional, Preprocessor, Presumed};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::lex::{Punct, Token, TokenKind};
use crate::source::Span;
use crate::target::Side;

/// The directives, for "did you mean".
const DIRECTIVES: [&str; 13] = [
    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "error", "warning",
    "pragma", "line",
];

impl Preprocessor<'_> {
    /// Obeys the directive after `#`. Returns a token that it leaves in the program.
    pub(super) fn directive(&mut self, hash: Span) -> Option<Token> {
        let token = self.lex_in_line()?;
        let span = self.sources.join(hash, token.span);
        let name = match token.kind {
            TokenKind::Name(symbol) => self.names.text(symbol).to_owned(),
            // `# 12 "file"` marks a line in preprocessed text.
            TokenKind::Number(_) => {
                self.skip_line();
                return None;
            }
            _ => String::new(),
        };
        match name.as_str() {
            "define" => self.define(span),
            "undef" => {
                if let Some(symbol) = self.lex_in_line().and_then(|token| token.name()) {
                    self.macros.remove(&symbol);
                }
                self.skip_line();
            }
            "include" | "include_next" => self.include(span),
            "if" => {
                let value = self.condition(span);
                self.start_conditional(span, value);
            }
            "ifdef" | "ifndef" => {
                let Some(symbol) = self.lex_in_line().and_then(|token| token.name()) else {
                    let error = Diagnostic::error("bad-directive", span, format!("`#{name}` needs a name"));
                    self.out.push(error);
                    self.start_conditional(span, false);
                    return None;
                };
                self.skip_line();
                let defined = self.is_defined(symbol);
                self.start_conditional(span, defined == (name == "ifdef"));
            }
            "elif" | "else" => self.next_group(span, &name),
            "endif" => {
                self.skip_line();
                if self.files.last_mut().and_then(|open| open.conditionals.pop()).is_none() {
                    self.out.push(Diagnostic::error("bad-directive", span, "`#endif` without `#if`"));
                }
            }
            "error" | "warning" => {
                let text = self.line_text();
                let message = format!("#{name} {text}");
                self.out.push(match name.as_str() {
                    "error" => Diagnostic::error("user-error", span, message),
                    _ => Diagnostic::warning("user-warning", span, message),
                });
            }
            "pragma" => return self.pragma(span),
            "line" => self.line_directive(span),
            "ident" => self.skip_line(),
            _ => {
                let near = crate::diagnostics::did_you_mean(&name, DIRECTIVES);
                let error = Diagnostic::error("bad-directive", span, format!("`#{name}` is no directive"));
                self.out.push(error.meant(near.map(|near| format!("#{near}"))));
                self.skip_line();
            }
        }
        None
    }

    /// `#line NUMBER "NAME"`: what `__LINE__` and `__FILE__` are from the next line on. Messages
    /// name the lines of the text.
    fn line_directive(&mut self, span: Span) {
        let mut tokens = Vec::new();
        while let Some(token) = self.lex_in_line() {
            tokens.push(token);
        }
        let words: Vec<String> =
            self.expand_directive(&tokens).iter().map(|token| self.spelled(*token)).collect();
        let number = words.first().and_then(|word| word.parse::<u32>().ok());
        let name = words.get(1).map(|word| word.strip_prefix('"').and_then(|word| word.strip_suffix('"')));
        match (number, name) {
            (Some(line), None | Some(Some(_))) if words.len() <= 2 => {
                let Some(at) = self.sources.location(span) else { return };
                let name = name.flatten().map(Into::into);
                self.presumed.push(Presumed { file: at.file, from: at.line + 1, line, name });
            }
            _ => {
                let error = Diagnostic::error("bad-directive", span, "`#line` needs a number")
                    .help("write `#line 10` or `#line 10 \"file.cu\"`");
                self.out.push(error);
            }
        }
    }

    pub(super) fn skip_line(&mut self) {
        if let Some(open) = self.files.last_mut() {
            let text = open.text.clone();
            open.lexer.rest_of_line(&text);
        }
    }

    fn line_text(&mut self) -> String {
        let Some(open) = self.files.last_mut() else { return String::new() };
        let text = open.text.clone();
        open.lexer.rest_of_line(&text).lines().next().unwrap_or("").trim_end().to_owned()
    }

    fn start_conditional(&mut self, span: Span, taken: bool) {
        if let Some(open) = self.files.last_mut() {
            open.conditionals.push(Conditional { span, taken, otherwise: false });
        }
        if !taken {
            self.skip_groups();
        }
    }

    /// `#elif` or `#else` after a group that was taken.
    fn next_group(&mut self, span: Span, name: &str) {
        self.skip_line();
        match self.files.last_mut().and_then(|open| open.conditionals.last_mut()) {
            None => {
                self.out.push(Diagnostic::error("bad-directive", span, format!("`#{name}` without `#if`")));
            }
            Some(conditional) if conditional.otherwise => {
                let error = Diagnostic::error("bad-directive", span, format!("`#{name}` after `#else`"))
                    .at(conditional.span, "the conditional starts here");
                self.out.push(error);
                self.skip_groups();
            }
            Some(conditional) => {
                conditional.otherwise = name == "else";
                self.skip_groups();
            }
        }
    }

    /// Skips text up to the group of the innermost conditional that is taken, or its `#endif`.
    fn skip_groups(&mut self) {
        let mut nesting = 0;
        // Text that is skipped need not consist of valid tokens.
        let mut unused = Diagnostics::default();
        loop {
            let Some(open) = self.files.last_mut() else { return };
            let before = open.lexer.clone();
            let token = open.lexer.next(&open.text, self.names, &mut unused);
            if token.kind == TokenKind::End {
                open.lexer = before;
                return;
            }
            if !token.line_start || !token.is(Punct::Hash) {
                open.lexer.rest_of_line(&open.text);
                continue;
            }
            let Some(name) = self.lex_in_line() else { continue };
            let TokenKind::Name(symbol) = name.kind else { continue };
            match self.names.text(symbol) {
                "if" | "ifdef" | "ifndef" => nesting += 1,
                "endif" if nesting > 0 => nesting -= 1,
                "endif" => {
                    self.skip_line();
                    if let Some(open) = self.files.last_mut() {
                        open.conditionals.pop();
                    }
                    return;
                }
                "else" if nesting == 0 => {
                    self.skip_line();
                    if self.enter_group(token.span, true, true) {
                        return;
                    }
                }
                "elif" if nesting == 0 => {
                    let taken =
                        self.files.last().and_then(|open| open.conditionals.last()).is_some_and(|c| c.taken);
                    let value = !taken && self.condition(name.span);
                    self.skip_line();
                    if self.enter_group(token.span, value, false) {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    fn enter_group(&mut self, span: Span, value: bool, otherwise: bool) -> bool {
        let Some(conditional) = self.files.last_mut().and_then(|open| open.conditionals.last_mut()) else {
            return true;
        };
        if conditional.otherwise {
            let error = Diagnostic::error("bad-directive", span, "group after `#else`")
                .at(conditional.span, "the conditional starts here");
            self.out.push(error);
        }
        conditional.otherwise |= otherwise;
        let enter = value && !conditional.taken;
        conditional.taken |= value;
        enter
    }

    fn pragma(&mut self, span: Span) -> Option<Token> {
        let name = self.lex_in_line()?;
        let TokenKind::Name(symbol) = name.kind else {
            self.skip_line();
            return None;
        };
        let kind = match self.names.text(symbol) {
            "once" => {
                if let Some(open) = self.files.last() {
                    let name = self.sources.file(open.file).name.clone();
                    self.once.insert(name);
                }
                None
            }
            "unroll" => {
                let mut tokens = Vec::new();
                while let Some(token) = self.lex_in_line() {
                    tokens.push(token);
                }
                let tokens = self.expand_directive(&tokens);
                let value = if tokens.is_empty() { Some(0) } else { self.evaluate_quietly(&tokens) };
                // A constant of the language, not of the preprocessor, asks for full unrolling.
                let factor = value.and_then(|value| u32::try_from(value).ok()).unwrap_or(0);
                Some(TokenKind::Unroll(factor))
            }
            "nounroll" => Some(TokenKind::Unroll(1)),
            "pack" => Some(self.pack()),
            "OPENCL" if self.side == Side::OpenCl => {
                let mut words = Vec::new();
                while let Some(token) = self.lex_in_line() {
                    if let TokenKind::Name(symbol) = token.kind {
                        words.push(self.names.text(symbol).to_owned());
                    }
                }
                self.pragmas.push((words, name.span));
                None
            }
            _ => None,
        };
        self.skip_line();
        kind.map(|kind| Token { kind, span, line_start: true, space: true, painted: false })
    }

    /// The rest of `#pragma pack(push, 1)`: the alignment from here on.
    fn pack(&mut self) -> TokenKind {
        let mut bytes = Some(0);
        while let Some(token) = self.lex_in_line() {
            match token.kind {
                TokenKind::Number(symbol) => bytes = self.names.text(symbol).parse().ok(),
                TokenKind::Name(symbol) => match self.names.text(symbol) {
                    "push" => {
                        self.packs.extend_from_within(self.packs.len() - 1..);
                        bytes = None;
                    }
                    "pop" => {
                        if self.packs.len() > 1 {
                            self.packs.pop();
                        }
                        bytes = None;
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        let last = self.packs.len() - 1;
        self.packs[last] = bytes.unwrap_or(self.packs[last]);
        TokenKind::Pack(self.packs[last])
    }
}
