//! The scanner. Line splices (a backslash before a line break) are removed anywhere.

use super::token::{Interner, Punct, Token, TokenKind};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{FileId, Sources, Span};

/// Reads the tokens of one text.
#[derive(Clone, Debug)]
pub struct Lexer {
    at: usize,
    base: u32,
    line_start: bool,
    /// Whether `'` may separate the digits of a number (C++).
    pub separators: bool,
}

impl Lexer {
    /// A scanner at the start of a file.
    pub fn new(sources: &Sources, file: FileId) -> Self {
        Self { at: 0, base: sources.start(file), line_start: true, separators: false }
    }

    /// Reads the next token. At the end of the text every call returns [`TokenKind::End`].
    pub fn next(&mut self, text: &str, names: &mut Interner, out: &mut Diagnostics) -> Token {
        let bytes = text.as_bytes();
        let space = self.skip_space(bytes, out);
        let line_start = std::mem::take(&mut self.line_start);
        let start = self.at;
        let kind = self.scan(text, names, out);
        if kind == TokenKind::End {
            // The next token, if the caller continues, is again the end.
            self.line_start = true;
        }
        Token { kind, span: self.span(start), line_start, space, painted: false }
    }

    /// Skips the rest of the line after `#include`, or of a skipped line, with the comments that
    /// begin in it. Returns the trimmed text.
    pub fn rest_of_line<'t>(&mut self, text: &'t str) -> &'t str {
        let start = self.at;
        let bytes = text.as_bytes();
        // The quote that ends a text, which does not go on in the next line.
        let (mut quote, mut in_line_comment) = (None, false);
        while self.at < bytes.len() && bytes[self.at] != b'\n' {
            let rest = &bytes[self.at..];
            if rest.starts_with(b"//") && quote.is_none() {
                in_line_comment = true;
            }
            if rest.starts_with(b"/*") && quote.is_none() && !in_line_comment {
                // A comment without an end is an error of the next token.
                let Some(length) = rest[2..].windows(2).position(|pair| pair == b"*/") else { break };
                self.at += 2 + length + 2;
                continue;
            }
            match quote {
                None if rest[0] == b'\'' && self.separates(bytes, start) => {}
                None if matches!(rest[0], b'"' | b'\'') => quote = Some(rest[0]),
                Some(open) if rest[0] == open => quote = None,
                _ => {}
            }
            let is_escape =
                quote.is_some() && rest[0] == b'\\' && rest.get(1).is_some_and(|next| *next != b'\n');
            self.at += splice(bytes, self.at).max(if is_escape { 2 } else { 1 });
        }
        self.at = self.at.min(bytes.len());
        text.get(start..self.at).unwrap_or("").trim()
    }

    /// Whether the `'` here separates the digits of a number that begins behind `start`.
    fn separates(&self, bytes: &[u8], start: usize) -> bool {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'\'');
        let length = bytes[start..self.at].iter().rev().take_while(|byte| is_part(byte)).count();
        self.separators
            && bytes[self.at - length..self.at].first().is_some_and(u8::is_ascii_digit)
            && bytes.get(self.at + 1).is_some_and(u8::is_ascii_alphanumeric)
    }

    /// Byte offset in the text.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Goes to a byte offset.
    pub fn seek(&mut self, at: usize) {
        self.at = at;
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.base + start as u32, self.base + self.at as u32)
    }

    fn skip_space(&mut self, bytes: &[u8], out: &mut Diagnostics) -> bool {
        let before = self.at;
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\n' => {
                    self.line_start = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if splice(bytes, self.at) > 0 => self.at += splice(bytes, self.at),
                b'/' if bytes.get(self.at + 1) == Some(&b'/') => {
                    while self.at < bytes.len() && bytes[self.at] != b'\n' {
                        self.at += splice(bytes, self.at).max(1);
                    }
                }
                b'/' if bytes.get(self.at + 1) == Some(&b'*') => {
                    let start = self.at;
                    let end = bytes[start + 2..].windows(2).position(|pair| pair == b"*/");
                    self.at = end.map_or(bytes.len(), |length| start + 2 + length + 2);
                    if end.is_none() {
                        let span = Span::new(self.base + start as u32, self.base + start as u32 + 2);
                        out.push(
                            Diagnostic::error("unterminated-comment", span, "comment has no end")
                                .label("starts here")
                                .help("write `*/` where the comment ends"),
                        );
                    }
                }
                0xef if bytes[self.at..].starts_with(b"\xef\xbb\xbf") => self.at += 3,
                _ => break,
            }
        }
        self.at > before
    }

    fn scan(&mut self, text: &str, names: &mut Interner, out: &mut Diagnostics) -> TokenKind {
        let bytes = text.as_bytes();
        let start = self.at;
        let Some(&byte) = bytes.get(start) else { return TokenKind::End };
        match byte {
            b'"' | b'\'' => return self.quoted("", text, names, out),
            b'0'..=b'9' => return self.number(text, names),
            b'.' if bytes.get(start + 1).is_some_and(u8::is_ascii_digit) => return self.number(text, names),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => {
                let name = self
                    .run(text, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..));
                if matches!(bytes.get(self.at), Some(b'"' | b'\''))
                    && matches!(&*name, "L" | "u" | "U" | "u8")
                {
                    let prefix = if name == "u8" { "" } else { &*name };
                    return self.quoted(prefix, text, names, out);
                }
                if name.ends_with('R')
                    && bytes.get(self.at) == Some(&b'"')
                    && matches!(&*name, "R" | "u8R" | "LR")
                {
                    let prefix = if name == "LR" { "L" } else { "" };
                    return self.raw_string(prefix, text, names, out);
                }
                return TokenKind::Name(names.intern(&name));
            }
            _ => {}
        }
        if let Some((text, punct)) = digraph(&bytes[start..]) {
            self.at += text.len();
            return TokenKind::Punct(punct);
        }
        if let Some(punct) = Punct::at_start(&bytes[start..]) {
            self.at += punct.text().len();
            return TokenKind::Punct(punct);
        }
        let char = text[start..].chars().next().unwrap_or(' ');
        self.at += char.len_utf8();
        TokenKind::Unknown(char)
    }

    /// Reads bytes that satisfy `accept`, and removes splices between them.
    fn run<'t>(&mut self, text: &'t str, accept: impl Fn(u8) -> bool) -> std::borrow::Cow<'t, str> {
        let bytes = text.as_bytes();
        let start = self.at;
        let mut parts: Option<String> = None;
        let mut from = start;
        loop {
            while bytes.get(self.at).is_some_and(|byte| accept(*byte)) {
                self.at += 1;
            }
            let skip = splice(bytes, self.at);
            if skip == 0 || !bytes.get(self.at + skip).is_some_and(|byte| accept(*byte)) {
                break;
            }
            parts.get_or_insert_default().push_str(&text[from..self.at]);
            self.at += skip;
            from = self.at;
        }
        match parts {
            Some(mut parts) => {
                parts.push_str(&text[from..self.at]);
                parts.into()
            }
            None => text[start..self.at].into(),
        }
    }

    /// A preprocessing number: digits, letters, `.`, and signs after an exponent.
    fn number(&mut self, text: &str, names: &mut Interner) -> TokenKind {
        let mut number = String::new();
        loop {
            let part = self.run(text, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
            number.push_str(&part);
            let exponent =
                if number.starts_with("0x") || number.starts_with("0X") { ['p', 'P'] } else { ['e', 'E'] };
            match text.as_bytes().get(self.at) {
                Some(b'\'')
                    if self.separators
                        && text
                            .as_bytes()
                            .get(self.at + 1)
                            .is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'_') =>
                {
                    number.push('\'');
                    self.at += 1;
                }
                Some(b'+' | b'-') if number.ends_with(exponent) => {
                    number.push(text.as_bytes()[self.at] as char);
                    self.at += 1;
                }
                _ => return TokenKind::Number(names.intern(&number)),
            }
        }
    }

    /// A string or character constant. The prefix of wide characters stays.
    fn quoted(&mut self, prefix: &str, text: &str, names: &mut Interner, out: &mut Diagnostics) -> TokenKind {
        let bytes = text.as_bytes();
        let start = self.at;
        let quote = bytes[start];
        let mut content = format!("{prefix}{}", quote as char);
        self.at += 1;
        let mut from = self.at;
        loop {
            match bytes.get(self.at) {
                None | Some(b'\n') => {
                    content.push_str(text[from..self.at].trim_end_matches('\r'));
                    content.push(quote as char);
                    let what = if quote == b'"' { "string" } else { "character constant" };
                    out.push(
                        Diagnostic::error(
                            "unterminated-literal",
                            self.span(start),
                            format!("{what} has no end"),
                        )
                        .label(format!("expected `{}` on this line", quote as char)),
                    );
                    break;
                }
                Some(b'\\') if splice(bytes, self.at) > 0 => {
                    content.push_str(&text[from..self.at]);
                    self.at += splice(bytes, self.at);
                    from = self.at;
                }
                Some(b'\\') => {
                    let next = text[self.at + 1..].chars().next().filter(|next| *next != '\n');
                    self.at += 1 + next.map_or(0, char::len_utf8);
                }
                Some(&byte) if byte == quote => {
                    self.at += 1;
                    content.push_str(&text[from..self.at]);
                    break;
                }
                Some(_) => self.at += 1,
            }
        }
        let symbol = names.intern(&content);
        if quote == b'"' { TokenKind::Text(symbol) } else { TokenKind::Char(symbol) }
    }

    /// `R"delimiter(...)delimiter"`; the token is an ordinary string with escapes.
    fn raw_string(
        &mut self,
        prefix: &str,
        text: &str,
        names: &mut Interner,
        out: &mut Diagnostics,
    ) -> TokenKind {
        let start = self.at;
        let rest = &text[start + 1..];
        let found = rest.find('(').filter(|at| *at <= 16).and_then(|open| {
            let end = format!("){}\"", &rest[..open]);
            let length = rest[open + 1..].find(&end)?;
            Some((&rest[open + 1..open + 1 + length], open + 1 + length + end.len()))
        });
        let Some((content, length)) = found else {
            self.at = text.len();
            let span = Span::new(self.base + start as u32, self.base + start as u32 + 1);
            out.push(Diagnostic::error("unterminated-literal", span, "raw string has no end"));
            return TokenKind::Text(names.intern("\"\""));
        };
        self.at = start + 1 + length;
        let mut escaped = format!("{prefix}\"");
        for char in content.chars() {
            match char {
                '"' | '\\' => escaped.extend(['\\', char]),
                '\n' => escaped.push_str("\\n"),
                _ => escaped.push(char),
            }
        }
        escaped.push('"');
        TokenKind::Text(names.intern(&escaped))
    }
}

/// Length of the line splice at `at`, or 0.
fn splice(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at) != Some(&b'\\') {
        return 0;
    }
    let blanks = bytes[at + 1..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    if bytes.get(at + 1 + blanks) == Some(&b'\n') { blanks + 2 } else { 0 }
}

/// Other spellings of punctuation ([lex.digraph]).
const DIGRAPHS: [(&str, Punct); 6] = [
    ("%:%:", Punct::HashHash),
    ("%:", Punct::Hash),
    ("<%", Punct::LeftBrace),
    ("%>", Punct::RightBrace),
    ("<:", Punct::LeftBracket),
    (":>", Punct::RightBracket),
];

/// The digraph at the start of a text. `<::` is `<` and `::` in front of a name ([lex.pptoken]).
fn digraph(text: &[u8]) -> Option<(&'static str, Punct)> {
    if !matches!(text.first(), Some(b'%' | b'<' | b':')) {
        return None;
    }
    let is_qualified = text.starts_with(b"<::") && !matches!(text.get(3), Some(b':' | b'>'));
    let mut fitting = DIGRAPHS.iter().filter(|(one, _)| text.starts_with(one.as_bytes()));
    fitting.find(|(_, punct)| !(is_qualified && *punct == Punct::LeftBracket)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> (Vec<String>, usize) {
        let mut sources = Sources::default();
        let file = sources.add("t.cu", text.to_owned(), false).unwrap();
        let (mut names, mut out) = (Interner::default(), Diagnostics::default());
        let mut lexer = Lexer::new(&sources, file);
        lexer.separators = true;
        let mut found = Vec::new();
        loop {
            let token = lexer.next(text, &mut names, &mut out);
            found.push(match token.kind {
                TokenKind::End => return (found, out.list().len()),
                TokenKind::Name(s) | TokenKind::Number(s) | TokenKind::Text(s) | TokenKind::Char(s) => {
                    names.text(s).to_owned()
                }
                TokenKind::Punct(punct) => punct.text().to_owned(),
                other => format!("{other:?}"),
            });
        }
    }

    #[test]
    fn tokens_of_texts() {
        let cases: [(&str, &[&str], usize); 15] = [
            ("a+++b", &["a", "++", "+", "b"], 0),
            ("1.5e-3f+0x1p-2", &["1.5e-3f", "+", "0x1p-2"], 0),
            ("1'000'000u 0x1'f", &["1'000'000u", "0x1'f"], 0),
            ("1 'a' x'b'", &["1", "'a'", "x", "'b'"], 0),
            ("a//b\nc/*d*/e", &["a", "c", "e"], 0),
            ("ab\\\ncd 1\\\n2", &["abcd", "12"], 0),
            ("// a \\\n b\nc", &["c"], 0),
            ("\"a\\\"b\" 'c' '\\''", &["\"a\\\"b\"", "'c'", "'\\''"], 0),
            ("\"a", &["\"a\""], 1),
            ("/* a", &[], 1),
            ("k<<<g,b>>>(x)", &["k", "<<", "<", "g", ",", "b", ">>", ">", "(", "x", ")"], 0),
            (".5f ... x.y a->b", &[".5f", "...", "x", ".", "y", "a", "->", "b"], 0),
            ("R\"x(a\"\n)x\"", &["\"a\\\"\\n\""], 0),
            ("L\"w\" u8\"x\" U'y'", &["L\"w\"", "\"x\"", "U'y'"], 0),
            ("\u{e9}t\u{e9} @ `", &["\u{e9}t\u{e9}", "Unknown('@')", "Unknown('`')"], 0),
        ];
        for (text, expected, errors) in cases {
            let (found, count) = tokens(text);
            assert_eq!(found, expected, "{text}");
            assert_eq!(count, errors, "{text}");
        }
    }
}
