//! The parser: converts tokens to a syntax tree by recursive descent.
//!
//! It returns a tree and all errors. After an error it resumes at the end of the statement, or at
//! the next line that begins one. The recursion depth is bounded, and every loop consumes a token.
//!
//! Invariant `no-input-panics`: No text makes the PTX parser, the lowering or a reader of RON
//! panic. Longer versions of the tests, which are run by hand, try a hundred thousand texts each.

mod attributes;
#[cfg(test)]
mod complaints;
mod constant;
mod cursor;
mod declaration;
mod function;
mod module;
mod operand;
mod statement;
#[cfg(test)]
mod tests;

use super::ast::Ast;
use super::lex::lex_from;
use crate::diag::{Diagnostic, cut_flood};
use crate::span::Span;
use cursor::Parser;

/// Codes of the lexer's and the parser's diagnostics, with their meanings.
pub const CODES: &[(&str, &str)] = &[
    ("E0101", "a character that PTX does not use"),
    ("E0102", "an invalid number, or a number that does not fit in 64 bits"),
    ("E0103", "an unterminated comment or string"),
    ("E0104", "a file that is too large or has too many errors"),
    ("E0110", "an unexpected token"),
    ("E0111", "a missing semicolon"),
    ("E0112", "braces that do not match"),
    ("E0113", "blocks or expressions nested too deeply"),
    ("E0114", "an unknown directive, or a directive that is not allowed at this place"),
    ("E0115", "a missing or wrong module header: `.version`, `.target`, `.address_size`"),
    ("E0116", "a declaration with a missing or wrong state space or type"),
    ("E0117", "a constant expression without a value"),
    ("E0118", "an initializer that does not fit its variable"),
    ("E0119", "PTX syntax that this simulator does not support"),
];

/// Maximum length of a text in bytes: far above any compiler's output, and far below the limit of a
/// span.
pub const MAX_TEXT: usize = 1 << 25;

/// Parses a module. The tree contains all valid parts, even if there are errors.
pub fn parse(text: &str) -> (Ast<'_>, Vec<Diagnostic>) {
    parse_part(text, 0)
}

/// Parses the module that begins at byte `start` of a text; the spans are those in the whole text.
pub fn parse_part(text: &str, start: usize) -> (Ast<'_>, Vec<Diagnostic>) {
    parse_with_limit(text, start, MAX_TEXT)
}

/// Parses the items of a text from byte `start` on, without a header; the spans are those in the
/// whole text.
pub fn parse_rest(text: &str, start: usize) -> (Ast<'_>, Vec<Diagnostic>) {
    let (tokens, diagnostics) = lex_from(text, start);
    let mut parser = Parser::new(text, tokens, diagnostics);
    let ast = parser.items();
    (ast, finish(parser.diagnostics))
}

fn parse_with_limit(text: &str, start: usize, limit: usize) -> (Ast<'_>, Vec<Diagnostic>) {
    if text.len() > limit {
        let message = match start {
            0 => format!("the file has {} bytes; this simulator accepts at most {limit}", text.len()),
            _ => format!("the files have {} bytes; this simulator accepts at most {limit}", text.len()),
        };
        let label = if start == 0 { "the file is too large" } else { "the files are too large up to here" };
        return (
            Ast::default(),
            vec![Diagnostic::error("E0104", Span::new(start, start), message).label(label)],
        );
    }
    let (tokens, diagnostics) = lex_from(text, start);
    let mut parser = Parser::new(text, tokens, diagnostics);
    let ast = parser.module(start);
    (ast, finish(parser.diagnostics))
}

/// Sorts the diagnostics in source order and truncates a flood.
fn finish(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(Diagnostic::start);
    cut_flood(&mut diagnostics);
    diagnostics
}
