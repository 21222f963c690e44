//! RON text as a tree of nodes, each with its place: what chip files and launch files are read from.
//!
//! The grammar is the `ron` crate's own: it hands out each field's value as a slice of the text, and a slice's
//! position in the text is its place. Nothing is typed here; [`super::read`] asks the tree for typed values.

use super::codes;
use isa::diag::Diagnostic;
use isa::span::Span;
use ron::value::RawValue;
use serde::de::Deserializer;

mod parts;

use parts::{Parts, PartsVisitor};

/// Texts longer than this are refused: a description of a chip or a launch is not that long.
pub const MAX_BYTES: usize = 16 << 20;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value's text.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A number with a fraction or an exponent, `inf` or `NaN`.
    Float(f64),
    /// A string.
    Str(String),
    /// `name` or `name(…)`; the argument is a [`Kind::Struct`] or [`Kind::Tuple`]. `Some(x)` and `None` too.
    Variant {
        /// The name.
        name: String,
        /// Where the name stands.
        name_span: Span,
        /// The parenthesis behind it.
        args: Option<Box<Node>>,
    },
    /// `(a: 1, b: 2)`.
    Struct(Vec<Field>),
    /// `{"a": 1, "b": 2}`.
    Map(Vec<(Node, Node)>),
    /// `[1, 2]`.
    List(Vec<Node>),
    /// `(1, 2)`, and `()`.
    Tuple(Vec<Node>),
    /// Valid RON for which no file of ours has a use: characters, byte strings, ranges.
    Other,
}

/// One field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// Its value.
    pub value: Node,
}

impl Node {
    /// What it is, for a message: `an integer`, `a list`.
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            Kind::Bool(_) => "true or false",
            Kind::Int(_) => "an integer",
            Kind::Float(_) => "a number with a fraction",
            Kind::Str(_) => "a string",
            Kind::Variant { args: None, .. } => "a word",
            Kind::Variant { .. } => "a word with arguments",
            Kind::Struct(_) => "a struct `(field: …)`",
            Kind::Map(_) => "a map `{…}`",
            Kind::List(_) => "a list `[…]`",
            Kind::Tuple(_) => "a tuple `(…)`",
            Kind::Other => "something no field can hold",
        }
    }
}

/// Reads a text. A syntax error, or a number that no type holds, is the only complaint there can be; spans count from `base`, which is 0 for a
/// file of its own (see [`super::source::Sources`] for several texts side by side).
pub fn parse(text: &str, base: usize) -> Result<Node, Vec<Diagnostic>> {
    let whole = Span::new(base, base);
    if text.len() > MAX_BYTES {
        let message = format!("the text has {} bytes; at most {MAX_BYTES} are read", text.len());
        return Err(vec![Diagnostic::error(codes::SYNTAX, message, whole, "too long")]);
    }
    // Some editors begin a text with a byte order mark.
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let body_base = base + text.len() - body.len();
    let raw = RawValue::from_ron(body).map_err(|e| vec![syntax_error(body, body_base, &e)])?;
    Tree { text, base }.node(raw).map_err(|d| vec![d])
}

fn syntax_error(text: &str, base: usize, error: &ron::error::SpannedError) -> Diagnostic {
    let start = offset(text, error.span.start.line, error.span.start.col);
    let end = offset(text, error.span.end.line, error.span.end.col).max(start);
    let message = format!("this is not valid RON: {}", error.code);
    Diagnostic::error(codes::SYNTAX, message, Span::new(base + start, base + end), "here, or just before")
}

/// The byte offset of a one-based line and column (in characters).
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &text[start..];
    start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(i, _)| i)
}

/// The text being read.
#[derive(Clone, Copy)]
struct Tree<'t> {
    text: &'t str,
    base: usize,
}

impl<'t> Tree<'t> {
    /// Where a slice of the text stands in it.
    fn span(self, slice: &str) -> Span {
        let start = self.base + (slice.as_ptr().addr() - self.text.as_ptr().addr());
        Span::new(start, start + slice.len())
    }

    fn node(self, raw: &'t RawValue) -> Result<Node, Diagnostic> {
        let slice = raw.trim().get_ron();
        let span = self.span(slice);
        let wrong = |e: ron::error::SpannedError| {
            Diagnostic::error(
                codes::SYNTAX,
                format!("this is not valid RON: {}", e.code),
                span,
                "here, or just before",
            )
        };
        let raw_string = slice.strip_prefix('r').is_some_and(|s| s.trim_start_matches('#').starts_with('"'));
        let kind = match slice.bytes().next().unwrap_or(b' ') {
            b'(' | b'[' | b'{' => self.compound(slice).map_err(wrong)??,
            b'"' => Kind::Str(ron::from_str(slice).map_err(wrong)?),
            b'r' if raw_string => Kind::Str(ron::from_str(slice).map_err(wrong)?),
            b'b' if slice[1..].starts_with(['"', '\'', 'r']) && slice.ends_with(['"', '\'', '#']) => {
                Kind::Other
            }
            b'0'..=b'9' | b'+' | b'-' | b'.' => match number(slice) {
                Kind::Float(value) if value.is_infinite() && !slice.contains("inf") => {
                    let message = format!("`{slice}` is out of range: numbers go to {:e}", f64::MAX);
                    return Err(Diagnostic::error(
                        codes::OUT_OF_RANGE,
                        message,
                        span,
                        "write `inf` for infinity",
                    ));
                }
                kind => kind,
            },
            b'\'' => Kind::Other,
            _ => self.word(slice).map_err(wrong)??,
        };
        Ok(Node { span, kind })
    }

    /// `true`, `name`, `name(…)`.
    fn word(self, slice: &'t str) -> Result<Result<Kind, Diagnostic>, ron::error::SpannedError> {
        let length = slice.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(slice.len());
        let (name, rest) = slice.split_at(length);
        if rest.is_empty() {
            match name {
                "true" => return Ok(Ok(Kind::Bool(true))),
                "false" => return Ok(Ok(Kind::Bool(false))),
                "inf" => return Ok(Ok(Kind::Float(f64::INFINITY))),
                "NaN" => return Ok(Ok(Kind::Float(f64::NAN))),
                _ => {}
            }
        }
        let args = if rest.is_empty() {
            None
        } else {
            match self.node(RawValue::from_ron(rest)?) {
                Ok(node) => Some(Box::new(node)),
                Err(diagnostic) => return Ok(Err(diagnostic)),
            }
        };
        Ok(Ok(Kind::Variant { name: name.to_owned(), name_span: self.span(name), args }))
    }

    /// What stands in parentheses, brackets or braces.
    fn compound(self, slice: &'t str) -> Result<Result<Kind, Diagnostic>, ron::error::SpannedError> {
        let mut deserializer = ron::Deserializer::from_str(slice)?;
        let parts = PartsVisitor { braces: slice.starts_with('{') };
        let parts = deserializer.deserialize_any(parts).map_err(|e| deserializer.span_error(e))?;
        Ok(self.parts(parts, slice.starts_with('[')))
    }

    fn parts(self, parts: Parts<'t>, brackets: bool) -> Result<Kind, Diagnostic> {
        Ok(match parts {
            Parts::Fields(fields) => {
                let mut out = Vec::with_capacity(fields.len());
                for (name, value) in fields {
                    let name_span = self.span(name);
                    out.push(Field { name: name.to_owned(), name_span, value: self.node(value)? });
                }
                Kind::Struct(out)
            }
            Parts::Entries(entries) => {
                let mut out = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    out.push((self.node(key)?, self.node(value)?));
                }
                Kind::Map(out)
            }
            Parts::Items(items) => {
                let items = items.into_iter().map(|i| self.node(i)).collect::<Result<_, _>>()?;
                if brackets { Kind::List(items) } else { Kind::Tuple(items) }
            }
        })
    }
}

fn number(slice: &str) -> Kind {
    // Most numbers are plain; the general way takes far longer.
    if slice.len() < 19 && slice.bytes().all(|byte| byte.is_ascii_digit()) {
        return slice.parse().map_or(Kind::Other, Kind::Int);
    }
    if let Ok(value) = ron::from_str::<i64>(slice) {
        Kind::Int(value as i128)
    } else if let Ok(value) = ron::from_str::<u64>(slice) {
        Kind::Int(value as i128)
    } else if let Ok(value) = ron::from_str::<f64>(slice) {
        Kind::Float(value)
    } else {
        Kind::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(text: &str, span: Span) -> &str {
        &text[span.range()]
    }

    #[test]
    fn every_node_knows_its_place() {
        let text = "/* head */ (\n  a: 1_000, // note\n  bee: [0x10, -2.5e1, \"s, )\"],\n  c: two /* x */ (n: 8),\n  \
                    d: {\"k\": true, 7: ()},\n  e: (1, r#\"raw\"#), f: Some(3), g: lone,\n)\n";
        let root = parse(text, 0).unwrap();
        let Kind::Struct(fields) = &root.kind else { panic!("{root:?}") };
        let names: Vec<&str> = fields.iter().map(|f| text_of(text, f.name_span)).collect();
        assert_eq!(names, ["a", "bee", "c", "d", "e", "f", "g"]);
        assert_eq!(fields[0].value.kind, Kind::Int(1000));
        assert_eq!(text_of(text, fields[0].value.span), "1_000");
        let Kind::List(items) = &fields[1].value.kind else { panic!() };
        assert_eq!(items[0].kind, Kind::Int(16));
        assert_eq!(items[1].kind, Kind::Float(-25.0));
        assert_eq!(text_of(text, items[2].span), "\"s, )\"");
        let Kind::Variant { name, name_span, args: Some(args) } = &fields[2].value.kind else { panic!() };
        assert_eq!((name.as_str(), text_of(text, *name_span)), ("two", "two"));
        assert_eq!(text_of(text, args.span), "(n: 8)");
        let Kind::Map(entries) = &fields[3].value.kind else { panic!() };
        assert_eq!(entries[0].0.kind, Kind::Str("k".into()));
        assert_eq!(entries[1].1.kind, Kind::Tuple(vec![]));
        let Kind::Tuple(items) = &fields[4].value.kind else { panic!() };
        assert_eq!(items[1].kind, Kind::Str("raw".into()));
        let Kind::Variant { name, args: Some(args), .. } = &fields[5].value.kind else { panic!() };
        assert_eq!(name, "Some");
        assert!(matches!(&args.kind, Kind::Tuple(t) if t.len() == 1));
        assert!(matches!(&fields[6].value.kind, Kind::Variant { name, args: None, .. } if name == "lone"));
    }

    #[test]
    fn odd_values_and_deep_nesting_are_no_panic() {
        for text in [
            "",
            "(",
            "'x'",
            "b\"bytes\"",
            "1..2",
            "((((",
            "{1: 2",
            "é",
            "\"é\" x",
            "#![enable(implicit_some)] 1",
        ] {
            let _ = parse(text, 0);
        }
        for open in ["(", "[", "Some("] {
            assert!(parse(&open.repeat(5000), 0).is_err());
        }
        assert_eq!(parse("'x'", 0).unwrap().kind, Kind::Other);
        assert_eq!(parse("b\"x\"", 0).unwrap().kind, Kind::Other);
        assert_eq!(parse("bar", 0).unwrap().describe(), "a word");
    }

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        assert_eq!(parse("\u{feff}42", 0).unwrap().span, Span::new(3, 5));
        let complaint = &parse("\u{feff}(a 1)", 0).unwrap_err()[0];
        assert!(complaint.labels[0].0.start >= 4, "{complaint:?}");
    }

    #[test]
    fn a_base_shifts_all_spans() {
        let node = parse(" 42 ", 100).unwrap();
        assert_eq!(node.span, Span::new(101, 103));
    }
}
