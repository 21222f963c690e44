//! Parses a RON text that the `ron` crate has found valid, in one pass.

use super::super::codes;
use super::{Field, Node, NodeKind};
use isa::diag::Diagnostic;
use isa::span::Span;

/// A valid text; the bytes before `at` have been read. The `ron` crate limits the depth of nesting.
pub(super) struct Scan<'t> {
    text: &'t str,
    base: usize,
    at: usize,
}

impl<'t> Scan<'t> {
    /// The valid `text` from byte `at` on; spans count from `base`.
    pub(super) fn new(text: &'t str, base: usize, at: usize) -> Self {
        Self { text, base, at }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Place of the text from `start` to the current position.
    fn since(&self, start: usize) -> Span {
        Span::new(self.base + start, self.base + self.at)
    }

    /// Skips white space and comments.
    fn space(&mut self) {
        loop {
            self.at = self.text.len() - self.rest().trim_start_matches(is_space).len();
            if self.rest().starts_with("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                self.at += block_comment(self.rest());
            } else {
                return;
            }
        }
    }

    /// Skips white space, comments and `mark`, if `mark` follows; otherwise skips nothing. Returns
    /// whether it follows.
    fn take(&mut self, mark: char) -> bool {
        let before = self.at;
        self.space();
        let found = self.rest().starts_with(mark);
        self.at = if found { self.at + mark.len_utf8() } else { before };
        found
    }

    /// A word or number: one character, and all characters up to the next separator.
    fn token(&mut self) -> &'t str {
        let rest = self.rest();
        let ends = |c: char| ",:()[]{}/".contains(c) || is_space(c);
        let end = rest.char_indices().skip(1).find(|(_, c)| ends(*c));
        let token = &rest[..end.map_or(rest.len(), |(end, _)| end)];
        self.at += token.len();
        token
    }

    /// The next value.
    pub(super) fn node(&mut self) -> Result<Node, Diagnostic> {
        self.space();
        let start = self.at;
        let kind = if let Some(length) = quoted(self.rest()) {
            let literal = &self.rest()[..length];
            self.at += length;
            if literal.starts_with(['"', 'r']) {
                NodeKind::Str(ron::from_str(literal).map_err(|error| self.invalid(start, &error))?)
            } else {
                NodeKind::Other
            }
        } else {
            match self.rest().chars().next() {
                Some('[') => NodeKind::List(self.items('[', ']')?),
                Some('{') => NodeKind::Map(self.entries()?),
                Some('(') => self.parenthesis()?,
                Some(c) if begins_number(c) => self.number()?,
                _ => self.word()?,
            }
        };
        Ok(Node { span: self.since(start), kind })
    }

    fn invalid(&self, start: usize, error: &ron::error::SpannedError) -> Diagnostic {
        let message = format!("invalid RON: {}", error.code);
        Diagnostic::error(codes::SYNTAX, self.since(start), message).label("the error is here or just before")
    }

    /// `[1, 2]`, `(1, 2)`.
    fn items(&mut self, open: char, close: char) -> Result<Vec<Node>, Diagnostic> {
        self.parts(open, close, Self::node)
    }

    /// `{"a": 1, "b": 2}`.
    fn entries(&mut self) -> Result<Vec<(Node, Node)>, Diagnostic> {
        self.parts('{', '}', |scan| {
            let key = scan.node()?;
            scan.take(':');
            Ok((key, scan.node()?))
        })
    }

    /// `(a: 1, b: 2)` or `(1, 2)`.
    fn parenthesis(&mut self) -> Result<NodeKind, Diagnostic> {
        let start = self.at;
        self.take('(');
        let named = self.name().is_some() && self.take(':');
        self.at = start;
        if !named {
            return Ok(NodeKind::Tuple(self.items('(', ')')?));
        }
        let field = |scan: &mut Self| {
            let (name, name_span) = scan.name().unwrap_or_default();
            scan.take(':');
            Ok(Field { name: name.to_owned(), name_span, value: scan.node()? })
        };
        Ok(NodeKind::Struct(self.parts('(', ')', field)?))
    }

    /// The parts between two brackets, with commas between them and perhaps after the last one.
    fn parts<T>(
        &mut self,
        open: char,
        close: char,
        mut part: impl FnMut(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<Vec<T>, Diagnostic> {
        self.take(open);
        let mut parts = Vec::new();
        while !self.take(close) && !self.rest().is_empty() {
            parts.push(part(self)?);
            self.take(',');
        }
        Ok(parts)
    }

    /// A name and its place, without the `r#` of a raw name; `None` if no name follows.
    fn name(&mut self) -> Option<(&'t str, Span)> {
        self.space();
        if self.rest().starts_with(begins_number) || quoted(self.rest()).is_some() {
            return None;
        }
        let start = self.at + if self.rest().starts_with("r#") { 2 } else { 0 };
        self.token();
        self.text.get(start..self.at).filter(|name| !name.is_empty()).map(|name| (name, self.since(start)))
    }

    fn number(&mut self) -> Result<NodeKind, Diagnostic> {
        let start = self.at;
        let token = self.token();
        match number(token) {
            NodeKind::Float(value) if value.is_infinite() && !token.contains("inf") => {
                let message = format!("`{token}` is out of range: numbers go to {:e}", f64::MAX);
                let span = self.since(start);
                Err(Diagnostic::error(codes::OUT_OF_RANGE, span, message).label("write `inf` for infinity"))
            }
            kind => Ok(kind),
        }
    }

    /// `true`, `name`, `name(…)`.
    fn word(&mut self) -> Result<NodeKind, Diagnostic> {
        let raw = self.rest().starts_with("r#");
        let (name, name_span) = self.name().unwrap_or_default();
        let end = self.at;
        self.space();
        let args = if self.rest().starts_with('(') {
            Some(Box::new(self.node()?))
        } else {
            self.at = end;
            None
        };
        Ok(match (name, args) {
            // A raw identifier is a name, never a word of RON, and no field has such a name.
            ("true" | "false" | "inf" | "NaN", _) if raw => NodeKind::Other,
            ("true", None) => NodeKind::Bool(true),
            ("false", None) => NodeKind::Bool(false),
            ("inf", None) => NodeKind::Float(f64::INFINITY),
            ("NaN", None) => NodeKind::Float(f64::NAN),
            // A range that begins with a word.
            (name, None) if !raw && name.contains("..") => NodeKind::Other,
            (name, args) => NodeKind::Variant { name: name.to_owned(), name_span, args },
        })
    }
}

fn begins_number(c: char) -> bool {
    c.is_ascii_digit() || "+-.".contains(c)
}

/// White space of RON.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200e}' | '\u{200f}')
}

/// Length of the comment at the start of a text; comments can be nested.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (1, 2);
    while let Some(mark) = text.as_bytes().get(at..at + 2).filter(|_| depth > 0) {
        match mark {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => at -= 1,
        }
        at += 2;
    }
    at
}

/// Length of the string, character or byte string at the start of a text, if there is one.
fn quoted(text: &str) -> Option<usize> {
    let literal = text.strip_prefix('b').unwrap_or(text);
    let raw = literal.strip_prefix('r').unwrap_or(literal);
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    let (is_raw, content) = (raw.len() < literal.len(), &raw[hashes..]);
    let before = text.len() - content.len() + 1;
    let quote = content.chars().next().filter(|quote| *quote == '"' || *quote == '\'' && !is_raw)?;
    if is_raw {
        let close = format!("\"{}", "#".repeat(hashes));
        return content[1..].find(&close).map(|length| before + length + close.len());
    }
    // In `'''` the quoted character is a quote.
    let mut at = if content.starts_with("'''") { before + 1 } else { before };
    loop {
        at += text[at..].find([quote, '\\'])? + 1;
        if text[..at].ends_with(quote) {
            return Some(at);
        }
        at += text[at..].chars().next()?.len_utf8();
    }
}

fn number(slice: &str) -> NodeKind {
    // Most numbers are decimal digits; the general parser takes far longer.
    if slice.len() < 19 && slice.bytes().all(|byte| byte.is_ascii_digit()) {
        return slice.parse().map_or(NodeKind::Other, NodeKind::Int);
    }
    if let Ok(value) = ron::from_str::<i64>(slice) {
        NodeKind::Int(value as i128)
    } else if let Ok(value) = ron::from_str::<u64>(slice) {
        NodeKind::Int(value as i128)
    } else if let Ok(value) = ron::from_str::<f64>(slice) {
        NodeKind::Float(value)
    } else {
        NodeKind::Other
    }
}
