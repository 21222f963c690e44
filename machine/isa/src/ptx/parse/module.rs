//! The module: header directives, variables, functions.

use super::super::ast::{Ast, Function, Ident, Linkage};
use super::super::lex::TokenKind;
use super::cursor::{Parsed, Parser};
use super::declaration::begins_declaration;
use crate::diag::Diagnostic;
use crate::span::Span;

/// Directives at module scope, for suggestions.
const DIRECTIVES: [&str; 13] = [
    "version",
    "target",
    "address_size",
    "entry",
    "func",
    "global",
    "const",
    "shared",
    "visible",
    "extern",
    "file",
    "section",
    "pragma",
];

impl<'a> Parser<'a> {
    /// Parses a module, whose text begins at byte `start`.
    pub fn module(&mut self, start: usize) -> Ast<'a> {
        let ast = self.items();
        self.check_header(&ast, start);
        ast
    }

    /// Parses all items.
    pub fn items(&mut self) -> Ast<'a> {
        let mut ast = Ast::default();
        while !self.is(TokenKind::End) {
            let mark = self.mark();
            if self.item(&mut ast).is_err() {
                self.resume_item(mark);
            }
            debug_assert!(self.mark() > mark, "every iteration takes a token");
        }
        ast.versioned = std::mem::take(&mut self.versioned);
        ast
    }

    fn item(&mut self, ast: &mut Ast<'a>) -> Parsed<()> {
        let token = self.peek();
        let Some(word) = self.dot() else {
            return match token.kind {
                TokenKind::Semicolon => {
                    self.take();
                    Ok(())
                }
                TokenKind::RBrace => {
                    self.take();
                    self.error("E0112", "unmatched `}`", token.span, "no open block here")
                }
                _ => Err(self.unexpected("a directive such as .entry, .global or .version")),
            };
        };
        match word {
            "version" => self.version(ast),
            "target" => self.target(ast),
            "address_size" => self.address_size(ast),
            "entry" | "func" => {
                let function = self.function()?;
                ast.functions.push(function);
                Ok(())
            }
            "visible" | "extern" | "weak"
                if matches!(self.slice(self.peek_at(1).span), ".entry" | ".func") =>
            {
                self.take();
                self.record_versioned(word);
                let function = self.function()?;
                ast.functions.push(Function { linkage: Linkage::of(word).unwrap_or_default(), ..function });
                Ok(())
            }
            "loc" => {
                self.take();
                self.skip_line();
                Ok(())
            }
            "file" | "section" | "pragma" => self.skip_directive(),
            _ if begins_declaration(word) => {
                let variables = self.variables()?;
                ast.variables.extend(variables);
                Ok(())
            }
            _ => {
                let near = Self::nearest(word, DIRECTIVES);
                let message = format!("unknown directive `.{word}`");
                let label = "expected .entry, .func, .global, .const or another module directive";
                self.report(Diagnostic::error("E0114", token.span, message).label(label).meant(near))
            }
        }
    }

    /// Parses `.version major.minor`.
    fn version(&mut self, ast: &mut Ast<'a>) -> Parsed<()> {
        let start = self.take().span;
        let number = self.expect(TokenKind::Decimal, "a version such as 1.4")?;
        let parts = self.slice(number.span).split_once('.');
        let Some((Ok(major), Ok(minor))) = parts.map(|(a, b)| (a.parse::<u32>(), b.parse::<u32>())) else {
            let message = format!("invalid PTX version `{}`", self.slice(number.span));
            return self.error("E0115", message, number.span, "expected major.minor, such as 1.4");
        };
        let span = start.to(number.span);
        if let Some((_, _, first)) = ast.version {
            let again = Diagnostic::error("E0115", span, "duplicate `.version`")
                .label("a module has one `.version`")
                .at(first, "first `.version`");
            return self.report(again);
        }
        ast.version = Some((major, minor, span));
        self.version = Some((major, minor));
        Ok(())
    }

    /// Parses `.target sm_10, map_f64_to_f32`.
    fn target(&mut self, ast: &mut Ast<'a>) -> Parsed<()> {
        let start = self.take().span;
        let mut words: Vec<Ident> = vec![self.name("an architecture such as sm_10")?];
        while self.take_if(TokenKind::Comma).is_some() {
            words.push(self.name("an option such as map_f64_to_f32")?);
        }
        if let Some(first) = ast.target.first() {
            let again = Diagnostic::error("E0115", start.to(self.last_span()), "duplicate `.target`")
                .label("a module has one `.target`")
                .at(first.span, "first `.target`");
            return self.report(again);
        }
        ast.target = words;
        Ok(())
    }

    /// Parses `.address_size 32`.
    fn address_size(&mut self, ast: &mut Ast<'a>) -> Parsed<()> {
        let start = self.take().span;
        self.record_versioned("address_size");
        let (bits, place) = self.count()?;
        if bits != 32 && bits != 64 {
            return self.error(
                "E0115",
                format!("invalid address size of {bits} bits"),
                place,
                "expected 32 or 64",
            );
        }
        if let Some((_, first)) = ast.address_size {
            let again = Diagnostic::error("E0115", start.to(place), "duplicate `.address_size`")
                .label("a module has one `.address_size`")
                .at(first, "first `.address_size`");
            return self.report(again);
        }
        ast.address_size = Some((bits, start.to(place)));
        Ok(())
    }

    /// Whether the next token begins an item at module scope.
    pub fn begins_item(&self) -> bool {
        self.peek().first_on_line && self.dot().is_some_and(|word| DIRECTIVES.contains(&word))
    }

    /// Skips to the end of an invalid item: through its `;`, after its block, or up to a line that
    /// begins another item.
    fn resume_item(&mut self, started: usize) {
        let mut depth = self.open_braces(started);
        let mut closed = depth == 0 && self.mark() > started && self.slice(self.last_span()) == "}";
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::End => return,
                _ if self.mark() > started && self.begins_item() => return,
                TokenKind::Semicolon if depth == 0 => {
                    self.take();
                    return;
                }
                // After the block of a function the item is complete; after an initializer its
                // semicolon follows.
                _ if closed => return,
                TokenKind::RBrace if depth == 0 => return,
                TokenKind::RBrace => {
                    depth -= 1;
                    closed = depth == 0;
                }
                TokenKind::LBrace => depth += 1,
                _ => {}
            }
            self.take();
        }
    }

    /// Reports a missing `.version` or `.target`, which every module must have.
    fn check_header(&mut self, ast: &Ast, start: usize) {
        // An invalid header has already been reported.
        let absent = |word: &str| !self.text[start..].contains(word);
        let missing =
            match (ast.version.is_none() && absent(".version"), ast.target.is_empty() && absent(".target")) {
                (false, false) => return,
                (true, false) => "`.version`",
                (false, true) => "`.target`",
                (true, true) => "`.version` and `.target`",
            };
        let message = format!("the module has no {missing}");
        let error = Diagnostic::error("E0115", Span::new(start, start), message).label("expected here").help(
            "begin the module with, for example, `.version 1.4` and `.target sm_10`, each on its own line",
        );
        self.add_diagnostic(error);
    }
}
