//! The lexer: converts PTX text to tokens with spans. Invalid text is reported and becomes
//! [`TokenKind::Error`].

use crate::diag::{Diagnostic, MAX_ERRORS};
use crate::span::Span;
use logos::Logos;

/// Kind of a token. The span gives access to its text.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
// White space, and the byte order mark that some editors write at the start of a file.
#[logos(skip r"[\u{FEFF} \t\r\n\f\v]+")]
// Line comments, preprocessor lines and nvcc's embedded debug data contain no executable code.
#[logos(skip(r"(//|#|@@DWARF)[^\n]*", allow_greedy = true))]
#[logos(error = Fault)]
pub enum TokenKind {
    /// `add`, `%r1`, `$L__BB0_2`, `_ZZ3dotE1c`.
    #[regex(r"[A-Za-z][A-Za-z0-9_$]*")]
    #[regex(r"[_$%][A-Za-z0-9_$]+")]
    Ident,
    /// A word with its leading dot: `.entry`, `.s32`, `.2d`.
    #[regex(r"\.[A-Za-z0-9_$]+")]
    Dot,
    /// An integer: decimal, `0x`, `0b` or octal, with or without `U`.
    #[regex(r"[0-9]+U?", priority = 6)]
    #[regex(r"0[xX][0-9a-fA-F]+U?", priority = 6)]
    #[regex(r"0[bB][01]+U?", priority = 6)]
    Int,
    /// `0fXXXXXXXX`
    #[regex(r"0[fF][0-9a-fA-F]{8}", priority = 7)]
    F32,
    /// `0dXXXXXXXXXXXXXXXX`
    #[regex(r"0[dD][0-9a-fA-F]{16}", priority = 7)]
    F64,
    /// `1.5`, `2e-3`; also the number of `.version`.
    #[regex(r"[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?", priority = 6)]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+", priority = 7)]
    Decimal,
    /// `"…"`
    #[regex(r#""[^"\n]*""#)]
    Str,
    /// `@`
    #[token("@")]
    At,
    /// `!`
    #[token("!")]
    Bang,
    /// `|`
    #[token("|")]
    Pipe,
    /// `&`
    #[token("&")]
    And,
    /// `^`
    #[token("^")]
    Caret,
    /// `~`
    #[token("~")]
    Tilde,
    /// `{`
    #[token("{")]
    LBrace,
    /// `}`
    #[token("}")]
    RBrace,
    /// `(`
    #[token("(")]
    LParen,
    /// `)`
    #[token(")")]
    RParen,
    /// `[`
    #[token("[")]
    LBracket,
    /// `]`
    #[token("]")]
    RBracket,
    /// `<`
    #[token("<")]
    Less,
    /// `>`
    #[token(">")]
    Greater,
    /// `<<`
    #[token("<<")]
    ShiftLeft,
    /// `>>`
    #[token(">>")]
    ShiftRight,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `:`
    #[token(":")]
    Colon,
    /// `,`
    #[token(",")]
    Comma,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `/`
    #[token("/")]
    Slash,
    /// `%` alone
    #[token("%")]
    Percent,
    /// `=`
    #[token("=")]
    Equals,
    /// `_` alone: a discarded destination.
    #[token("_")]
    Underscore,
    /// Invalid text, which has already been reported.
    #[regex(r"[0-9][A-Za-z0-9_$]*", bad_number, priority = 1)]
    #[token("/*", block_comment)]
    #[token("\"", open_string, priority = 1)]
    Error,
    /// The end of the text.
    End,
}

/// Reason why some text is not a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    /// A character that PTX does not use.
    #[default]
    Character,
    /// Text that begins with a digit but is not a number.
    Number,
    /// An unterminated comment.
    Comment,
    /// A string that is not closed on its line.
    Str,
}

fn bad_number(_: &mut logos::Lexer<'_, TokenKind>) -> Result<(), Fault> {
    Err(Fault::Number)
}

fn open_string(_: &mut logos::Lexer<'_, TokenKind>) -> Result<(), Fault> {
    Err(Fault::Str)
}

/// Skips `/* … */`; an unterminated comment extends to the end of the text.
fn block_comment(lexer: &mut logos::Lexer<'_, TokenKind>) -> logos::FilterResult<(), Fault> {
    if let Some(length) = lexer.remainder().find("*/") {
        lexer.bump(length + 2);
        logos::FilterResult::Skip
    } else {
        lexer.bump(lexer.remainder().len());
        logos::FilterResult::Error(Fault::Comment)
    }
}

/// A token with its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Kind.
    pub kind: TokenKind,
    /// Source range.
    pub span: Span,
    /// Whether it is the first token on its line, at which the parser may resume after an error.
    pub first_on_line: bool,
}

/// Returns all tokens of `text` from byte `start` on, followed by [`TokenKind::End`], and
/// diagnostics for invalid text. The spans are those in the whole text.
///
/// The text must be shorter than 4 GiB, so that a [`Span`] can represent every byte; `parse` checks
/// this.
pub fn lex_from(text: &str, start: usize) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut tokens: Vec<Token> = Vec::with_capacity((text.len() - start) / 4 + 1);
    let mut faults: Vec<(Fault, Span)> = Vec::new();
    let mut end = start;
    for (result, range) in TokenKind::lexer(&text[start..]).spanned() {
        let range = start + range.start..start + range.end;
        let first_on_line = end == start || text[end..range.start].contains('\n');
        end = range.end;
        let span = Span::new(range.start, range.end);
        let kind = result.unwrap_or_else(|fault| {
            let flood = faults.len() > MAX_ERRORS;
            match faults.last_mut() {
                // A sequence of invalid characters is one error.
                Some((Fault::Character, last)) if fault == Fault::Character && last.end == span.start => {
                    last.end = span.end;
                }
                _ if flood => {}
                _ => faults.push((fault, span)),
            }
            TokenKind::Error
        });
        tokens.push(Token { kind, span, first_on_line });
    }
    tokens.push(Token { kind: TokenKind::End, span: Span::new(text.len(), text.len()), first_on_line: true });
    let diagnostics = faults.into_iter().map(|(fault, span)| describe(fault, span, text)).collect();
    (tokens, diagnostics)
}

fn describe(fault: Fault, span: Span, text: &str) -> Diagnostic {
    let found = &text[span.range()];
    match fault {
        Fault::Character => {
            let shown = found.escape_debug();
            let plural = if found.chars().nth(1).is_some() { "s" } else { "" };
            let message = format!("invalid character{plural} `{shown}`");
            let error = Diagnostic::error("E0101", message, span, "PTX does not use this outside comments");
            // Characters that word processors and PDF files substitute for plain ones.
            let plain = match found.chars().next() {
                Some('\u{2010}'..='\u{2015}' | '\u{2212}') => "-",
                Some('\u{201c}'..='\u{201e}' | '\u{ab}' | '\u{bb}') => "\"",
                Some('\u{a0}' | '\u{2002}'..='\u{200b}') => " ",
                _ => return error,
            };
            error.help(format!("replace it with `{plain}`, which looks similar"))
        }
        Fault::Number => {
            let (label, help) = match found.get(..2) {
                Some("0f" | "0F") => (
                    "not a hexadecimal .f32 number",
                    "write exactly 8 hexadecimal digits after `0f`: `0f3F800000` is 1.0",
                ),
                Some("0d" | "0D") => (
                    "not a hexadecimal .f64 number",
                    "write exactly 16 hexadecimal digits after `0d`: `0d3FF0000000000000` is 1.0",
                ),
                _ => (
                    "not a number",
                    "write an integer in decimal, `0x…` (hexadecimal), `0b…` (binary) or `0…` (octal); \
                     a name cannot begin with a digit",
                ),
            };
            Diagnostic::error("E0102", format!("invalid number `{found}`"), span, label).help(help)
        }
        Fault::Comment => {
            let opening = Span { end: span.start + 2, ..span };
            Diagnostic::error("E0103", "unterminated comment", opening, "the comment begins here")
                .help("close the comment with `*/`; all text after `/*` is read as the comment")
        }
        Fault::Str => Diagnostic::error("E0103", "unterminated string", span, "the string begins here")
            .help("close the string with `\"` on the line where it begins"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        let (tokens, diagnostics) = lex_from(text, 0);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        tokens.iter().map(|t| (t.kind, &text[t.span.range()])).collect()
    }

    #[test]
    fn words_and_dots() {
        use TokenKind::{
            At, Bang, Comma, Dot, End, Ident, LBracket, Minus, Plus, RBracket, Semicolon, Underscore,
        };
        let expected = vec![
            (At, "@"),
            (Bang, "!"),
            (Ident, "%p1"),
            (Ident, "ld"),
            (Dot, ".global"),
            (Dot, ".v4"),
            (Ident, "_ZZ3dotE1c"),
            (Comma, ","),
            (LBracket, "["),
            (Ident, "%r1"),
            (Plus, "+"),
            (Minus, "-"),
            (TokenKind::Int, "4"),
            (RBracket, "]"),
            (Comma, ","),
            (Ident, "%tid"),
            (Dot, ".x"),
            (Comma, ","),
            (Underscore, "_"),
            (Semicolon, ";"),
            (Ident, "$L__BB0_2"),
            (End, ""),
        ];
        let text = "@!%p1 ld.global.v4 _ZZ3dotE1c,[%r1+-4], %tid.x, _; // x\n/* ** y */ $L__BB0_2";
        assert_eq!(kinds(text), expected);
    }

    #[test]
    fn numbers() {
        use TokenKind::{Decimal, End, F32, F64, Int};
        let text = "0 017 42U 0xFfU 0b101 0f3F800000 0D3FF0000000000000 1.5 2.3e-4 1e5 2.";
        let found: Vec<TokenKind> = kinds(text).iter().map(|(k, _)| *k).collect();
        assert_eq!(found, [Int, Int, Int, Int, Int, F32, F64, Decimal, Decimal, Decimal, Decimal, End]);
    }

    #[test]
    fn the_first_token_of_each_line_is_marked() {
        let (tokens, _) = lex_from("a b\n  c // d\n/* e */ f g", 0);
        let first: Vec<bool> = tokens.iter().map(|t| t.first_on_line).collect();
        assert_eq!(first, [true, false, true, true, false, true]);
    }

    #[test]
    fn very_many_comments_do_not_overflow_the_stack() {
        for comment in ["/**/", "//\n", "#\n ", " /* */ // \n"] {
            let (tokens, faults) = lex_from(&comment.repeat(1_000_000), 0);
            assert_eq!((tokens.len(), faults.len()), (1, 0), "{comment}");
        }
    }

    #[test]
    fn a_sequence_of_invalid_characters_is_one_error() {
        let (tokens, diagnostics) = lex_from("add ??ü? b", 0);
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(diagnostics[0].labels[0].0, Span::new(4, 9));
        assert_eq!(tokens.iter().filter(|t| t.kind == TokenKind::Error).count(), 4);
        assert_eq!(tokens[tokens.len() - 2].kind, TokenKind::Ident);
    }
}
