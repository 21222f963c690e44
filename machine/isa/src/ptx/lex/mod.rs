//! The lexer: converts PTX text to tokens with spans. Invalid text is reported and becomes
//! [`TokenKind::Error`].

use crate::diag::{Diagnostic, MAX_ERRORS};
use crate::span::Span;

/// Kind of a token. The span gives access to its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `add`, `%r1`, `$L__BB0_2`, `_ZZ3dotE1c`.
    Ident,
    /// A word with its leading dot: `.entry`, `.s32`, `.2d`, `.L1::evict_last`.
    Dot,
    /// An integer: decimal, `0x`, `0b` or octal, with or without `U`.
    Int,
    /// `0fXXXXXXXX`
    F32,
    /// `0dXXXXXXXXXXXXXXXX`
    F64,
    /// `1.5`, `2e-3`; also the number of `.version`.
    Decimal,
    /// `"…"`
    Str,
    /// `@`
    At,
    /// `!`
    Bang,
    /// `|`
    Pipe,
    /// `&`
    And,
    /// `^`
    Caret,
    /// `~`
    Tilde,
    /// `{`
    LBrace,
    /// `}`
    RBrace,
    /// `(`
    LParen,
    /// `)`
    RParen,
    /// `[`
    LBracket,
    /// `]`
    RBracket,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `%` alone
    Percent,
    /// `=`
    Equals,
    /// `==`
    EqualTo,
    /// `!=`
    Unequal,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `&&`
    AndAnd,
    /// `||`
    OrOr,
    /// `?`
    Question,
    /// `_` alone: a discarded destination.
    Underscore,
    /// Invalid text, which has already been reported.
    Error,
    /// The end of the text.
    End,
}

/// Reason why some text is not a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// A character that PTX does not use.
    Character,
    /// Text that begins with a digit but is not a number.
    Number,
    /// An unterminated comment.
    Comment,
    /// A string that is not closed on its line.
    Str,
}

/// Token or character at the beginning of a text.
enum Found {
    Token(TokenKind),
    /// White space, a comment, or a line without executable code.
    Blank,
    /// Text that is not a token.
    Fault(Fault),
}

/// Returns what `text` begins with, and its length in bytes. The text is not empty.
fn first(text: &str) -> (Found, usize) {
    use TokenKind::{
        And, AndAnd, At, Bang, Caret, Colon, Comma, Dot, EqualTo, Equals, Greater, GreaterEqual, Ident,
        LBrace, LBracket, LParen, Less, LessEqual, Minus, OrOr, Percent, Pipe, Plus, Question, RBrace,
        RBracket, RParen, Semicolon, ShiftLeft, ShiftRight, Slash, Star, Str, Tilde, Underscore, Unequal,
    };
    let bytes = text.as_bytes();
    let second = bytes.get(1).copied();
    let token = |kind, length| (Found::Token(kind), length);
    let character = || (Found::Fault(Fault::Character), text.chars().next().map_or(0, char::len_utf8));
    match bytes[0] {
        b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => (Found::Blank, 1),
        // Line comments, preprocessor lines and nvcc's embedded debug data.
        b'#' => (Found::Blank, line(text)),
        b'/' if second == Some(b'/') => (Found::Blank, line(text)),
        b'@' if text.starts_with("@@DWARF") => (Found::Blank, line(text)),
        b'/' if second == Some(b'*') => match text[2..].find("*/") {
            Some(length) => (Found::Blank, length + 4),
            None => (Found::Fault(Fault::Comment), text.len()),
        },
        b'A'..=b'Z' | b'a'..=b'z' => token(Ident, word(bytes)),
        b'0'..=b'9' => number(bytes),
        lead @ (b'.' | b'_' | b'%' | b'$') => match (lead, 1 + word(&bytes[1..])) {
            (b'_', 1) => token(Underscore, 1),
            (b'%', 1) => token(Percent, 1),
            (_, 1) => character(),
            (b'.', length) => token(Dot, length + subwords(&bytes[length..])),
            (_, length) => token(Ident, length),
        },
        b'"' => match text[1..].find(['"', '\n']) {
            Some(length) if bytes[1 + length] == b'"' => token(Str, length + 2),
            _ => (Found::Fault(Fault::Str), 1),
        },
        b'<' if second == Some(b'<') => token(ShiftLeft, 2),
        b'>' if second == Some(b'>') => token(ShiftRight, 2),
        b'<' if second == Some(b'=') => token(LessEqual, 2),
        b'>' if second == Some(b'=') => token(GreaterEqual, 2),
        b'=' if second == Some(b'=') => token(EqualTo, 2),
        b'!' if second == Some(b'=') => token(Unequal, 2),
        b'&' if second == Some(b'&') => token(AndAnd, 2),
        b'|' if second == Some(b'|') => token(OrOr, 2),
        b'?' => token(Question, 1),
        b'@' => token(At, 1),
        b'!' => token(Bang, 1),
        b'|' => token(Pipe, 1),
        b'&' => token(And, 1),
        b'^' => token(Caret, 1),
        b'~' => token(Tilde, 1),
        b'{' => token(LBrace, 1),
        b'}' => token(RBrace, 1),
        b'(' => token(LParen, 1),
        b')' => token(RParen, 1),
        b'[' => token(LBracket, 1),
        b']' => token(RBracket, 1),
        b'<' => token(Less, 1),
        b'>' => token(Greater, 1),
        b';' => token(Semicolon, 1),
        b':' => token(Colon, 1),
        b',' => token(Comma, 1),
        b'+' => token(Plus, 1),
        b'-' => token(Minus, 1),
        b'*' => token(Star, 1),
        b'/' => token(Slash, 1),
        b'=' => token(Equals, 1),
        // Libraries return the text of a module with the NUL that ends it.
        0 if bytes.len() == 1 => (Found::Blank, 1),
        // The byte order mark, which some editors write at the start of a file.
        _ if text.starts_with('\u{FEFF}') => (Found::Blank, '\u{FEFF}'.len_utf8()),
        _ => character(),
    }
}

/// Number of bytes before the end of the line.
fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// Number of bytes at the start for which `is` is true.
fn run(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !is(*byte)).unwrap_or(bytes.len())
}

/// Number of bytes at the start that can be part of a name.
fn word(bytes: &[u8]) -> usize {
    run(bytes, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
}

/// Number of bytes at the start that continue a word with a dot: `::evict_last` of
/// `.L1::evict_last`.
fn subwords(bytes: &[u8]) -> usize {
    let mut length = 0;
    while let [b':', b':', rest @ ..] = &bytes[length..]
        && word(rest) > 0
    {
        length += 2 + word(rest);
    }
    length
}

/// Number of decimal digits at the start.
fn digits(bytes: &[u8]) -> usize {
    run(bytes, |byte| byte.is_ascii_digit())
}

/// Length of an exponent such as `e-3` at the start; 0 if there is none.
fn exponent(bytes: &[u8]) -> usize {
    let [b'e' | b'E', rest @ ..] = bytes else { return 0 };
    let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
    match digits(&rest[sign..]) {
        0 => 0,
        digits => 1 + sign + digits,
    }
}

/// The number at the start of a text that begins with a digit. The longest number is taken; digits
/// that continue as a name are a fault.
fn number(bytes: &[u8]) -> (Found, usize) {
    let (word, whole) = (word(bytes), digits(bytes));
    let fraction = if bytes.get(whole) == Some(&b'.') { 1 + digits(&bytes[whole + 1..]) } else { 0 };
    let power = exponent(&bytes[whole + fraction..]);
    let decimal = whole + fraction + power;
    if fraction + power > 0 && decimal >= word {
        return (Found::Token(TokenKind::Decimal), decimal);
    }
    let bytes = &bytes[..word];
    let unsigned = bytes.strip_suffix(b"U").unwrap_or(bytes);
    let all = |bytes: &[u8], is: fn(&u8) -> bool| !bytes.is_empty() && bytes.iter().all(is);
    let found = match (bytes, unsigned) {
        ([b'0', b'f' | b'F', bits @ ..], _) if bits.len() == 8 && all(bits, u8::is_ascii_hexdigit) => {
            Found::Token(TokenKind::F32)
        }
        ([b'0', b'd' | b'D', bits @ ..], _) if bits.len() == 16 && all(bits, u8::is_ascii_hexdigit) => {
            Found::Token(TokenKind::F64)
        }
        (_, [b'0', b'x' | b'X', digits @ ..]) if all(digits, u8::is_ascii_hexdigit) => {
            Found::Token(TokenKind::Int)
        }
        (_, [b'0', b'b' | b'B', digits @ ..]) if all(digits, |digit| matches!(digit, b'0' | b'1')) => {
            Found::Token(TokenKind::Int)
        }
        (_, digits) if all(digits, u8::is_ascii_digit) => Found::Token(TokenKind::Int),
        _ => Found::Fault(Fault::Number),
    };
    (found, word)
}

/// A token with its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Kind of the token, without its text.
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
    let mut at = start;
    while at < text.len() {
        let (found, length) = first(&text[at..]);
        let range = at..at + length;
        at = range.end;
        let span = Span::new(range.start, range.end);
        let kind = match found {
            Found::Token(kind) => kind,
            Found::Blank => continue,
            Found::Fault(fault) => {
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
            }
        };
        let first_on_line = end == start || text[end..range.start].contains('\n');
        end = range.end;
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
            let error =
                Diagnostic::error("E0101", span, message).label("PTX does not use this outside comments");
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
            Diagnostic::error("E0102", span, format!("invalid number `{found}`")).label(label).help(help)
        }
        Fault::Comment => {
            let opening = Span { end: span.start + 2, ..span };
            Diagnostic::error("E0103", opening, "unterminated comment")
                .label("the comment begins here")
                .help("close the comment with `*/`; all text after `/*` is read as the comment")
        }
        Fault::Str => Diagnostic::error("E0103", span, "unterminated string")
            .label("the string begins here")
            .help("close the string with `\"` on the line where it begins"),
    }
}

#[cfg(test)]
mod tests;
