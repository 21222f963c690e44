//! RON text as a tree of nodes, each with its place. Chip files and launch files are read from such
//! trees.
//!
//! The `ron` crate checks the text first. A valid text is then parsed in one pass, for any depth of
//! nesting. The tree has no types; [`super::read`] returns typed values.

use super::codes;
use isa::diag::Diagnostic;
use isa::span::Span;
use ron::value::RawValue;

mod scan;

use scan::Scan;

/// Longest text in bytes: no description of a chip or a launch is longer.
pub const MAX_BYTES: usize = 16 << 20;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Place of the value.
    pub span: Span,
    /// The value.
    pub kind: NodeKind,
}

/// A value of RON.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A number with a fraction or an exponent, `inf` or `NaN`.
    Float(f64),
    /// A string.
    Str(String),
    /// `name` or `name(…)`, also `Some(x)` and `None`. The argument is a [`NodeKind::Struct`] or a
    /// [`NodeKind::Tuple`].
    Variant {
        /// The name.
        name: String,
        /// Place of the name.
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
    /// Valid RON that no field of warpsim's files accepts: characters, byte strings, ranges.
    Other,
}

/// One field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Place of the name.
    pub name_span: Span,
    /// Its value.
    pub value: Node,
}

impl Node {
    /// The type of the value, for a message: `an integer`, `a list`.
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            NodeKind::Bool(_) => "true or false",
            NodeKind::Int(_) => "an integer",
            NodeKind::Float(_) => "a number with a fraction",
            NodeKind::Str(_) => "a string",
            NodeKind::Variant { args: None, .. } => "a word",
            NodeKind::Variant { .. } => "a word with arguments",
            NodeKind::Struct(_) => "a struct `(field: …)`",
            NodeKind::Map(_) => "a map `{…}`",
            NodeKind::List(_) => "a list `[…]`",
            NodeKind::Tuple(_) => "a tuple `(…)`",
            NodeKind::Other => "something no field can hold",
        }
    }
}

/// Parses a text. The only complaint is a syntax error or a number that no type can hold. Spans
/// count from `base`, which is 0 for a single file (see [`super::source::Sources`] for several
/// texts).
pub fn parse(text: &str, base: usize) -> Result<Node, Vec<Diagnostic>> {
    let whole = Span::new(base, base);
    if text.len() > MAX_BYTES {
        let message = format!("the file has {} bytes; the limit is {MAX_BYTES}", text.len());
        return Err(vec![Diagnostic::error(codes::SYNTAX, whole, message).label("the file is too large")]);
    }
    // Some editors begin a text with a byte order mark.
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let body_base = base + text.len() - body.len();
    RawValue::from_ron(body).map_err(|e| vec![syntax_error(body, body_base, &e)])?;
    Scan::new(text, base, text.len() - body.len()).node().map_err(|d| vec![d])
}

/// Same as [`parse`], for a text that is known to be valid: its check takes twice as long as its
/// tree.
pub(super) fn parse_valid(text: &str, base: usize) -> Result<Node, Vec<Diagnostic>> {
    Scan::new(text, base, 0).node().map_err(|d| vec![d])
}

fn syntax_error(text: &str, base: usize, error: &ron::error::SpannedError) -> Diagnostic {
    let start = offset(text, error.span.start.line, error.span.start.col);
    let end = offset(text, error.span.end.line, error.span.end.col).max(start);
    let message = format!("invalid RON: {}", error.code);
    Diagnostic::error(codes::SYNTAX, Span::new(base + start, base + end), message)
        .label("the error is here or just before")
}

/// Byte offset of a one-based line and column (in characters).
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &text[start..];
    start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(i, _)| i)
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
        let NodeKind::Struct(fields) = &root.kind else { panic!("{root:?}") };
        let names: Vec<&str> = fields.iter().map(|f| text_of(text, f.name_span)).collect();
        assert_eq!(names, ["a", "bee", "c", "d", "e", "f", "g"]);
        assert_eq!(fields[0].value.kind, NodeKind::Int(1000));
        assert_eq!(text_of(text, fields[0].value.span), "1_000");
        let NodeKind::List(items) = &fields[1].value.kind else { panic!() };
        assert_eq!(items[0].kind, NodeKind::Int(16));
        assert_eq!(items[1].kind, NodeKind::Float(-25.0));
        assert_eq!(text_of(text, items[2].span), "\"s, )\"");
        let NodeKind::Variant { name, name_span, args: Some(args) } = &fields[2].value.kind else { panic!() };
        assert_eq!((name.as_str(), text_of(text, *name_span)), ("two", "two"));
        assert_eq!(text_of(text, args.span), "(n: 8)");
        let NodeKind::Map(entries) = &fields[3].value.kind else { panic!() };
        assert_eq!(entries[0].0.kind, NodeKind::Str("k".into()));
        assert_eq!(entries[1].1.kind, NodeKind::Tuple(vec![]));
        let NodeKind::Tuple(items) = &fields[4].value.kind else { panic!() };
        assert_eq!(items[1].kind, NodeKind::Str("raw".into()));
        let NodeKind::Variant { name, args: Some(args), .. } = &fields[5].value.kind else { panic!() };
        assert_eq!(name, "Some");
        assert!(matches!(&args.kind, NodeKind::Tuple(t) if t.len() == 1));
        assert!(
            matches!(&fields[6].value.kind, NodeKind::Variant { name, args: None, .. } if name == "lone")
        );
    }

    #[test]
    fn unusual_values_and_deep_nesting_cause_no_panic() {
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
        assert_eq!(parse("'x'", 0).unwrap().kind, NodeKind::Other);
        assert_eq!(parse("b\"x\"", 0).unwrap().kind, NodeKind::Other);
        assert_eq!(parse("bar", 0).unwrap().describe(), "a word");
    }

    #[test]
    fn literals_and_comments_hide_brackets_and_commas() {
        let text = r##"(a: ["),", '(', ''', '\'', r#"a: "]"#, b"[", br"(", x /* ] /* } */ */, // )
            r#raw, -.5, inf..2], b: (r"c: d"), c: {})"##;
        let NodeKind::Struct(fields) = parse(text, 0).unwrap().kind else { panic!() };
        let NodeKind::List(items) = &fields[0].value.kind else { panic!("{fields:?}") };
        let found: Vec<&str> = items.iter().map(|item| text_of(text, item.span)).collect();
        let expected = [
            "\"),\"",
            "'('",
            "'''",
            "'\\''",
            "r#\"a: \"]\"#",
            "b\"[\"",
            "br\"(\"",
            "x",
            "r#raw",
            "-.5",
            "inf..2",
        ];
        assert_eq!(found, expected);
        assert_eq!((&items[4].kind, &items[10].kind), (&NodeKind::Str("a: \"]".into()), &NodeKind::Other));
        assert!(matches!(&items[8].kind, NodeKind::Variant { name, args: None, .. } if name == "raw"));
        assert!(matches!(&fields[1].value.kind, NodeKind::Tuple(items) if items.len() == 1));
        assert_eq!(fields[2].value.kind, NodeKind::Map(vec![]));
    }

    /// RON's own rule: `r#name` is `name`, and `r#true` is a name too.
    #[test]
    fn a_raw_identifier_is_the_plain_name() {
        let text = "(r#a: r#lru, b: r#two_level(r#size: 3), r#c.d-e: r#f..g)";
        let NodeKind::Struct(fields) = parse(text, 0).unwrap().kind else { panic!() };
        let names: Vec<&str> = fields.iter().map(|f| text_of(text, f.name_span)).collect();
        assert_eq!(names, ["a", "b", "c.d-e"]);
        assert!(fields.iter().zip(names).all(|(field, name)| field.name == name));
        let variant = |at: usize| match &fields[at].value.kind {
            NodeKind::Variant { name, args, .. } => (name.as_str(), args.is_some()),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            [variant(0), variant(1), variant(2)],
            [("lru", false), ("two_level", true), ("f..g", false)]
        );
        for word in ["true", "false", "inf", "NaN"] {
            let (raw, plain) = (parse(&format!("r#{word}"), 0).unwrap(), parse(word, 0).unwrap());
            assert_eq!(raw.kind, NodeKind::Other, "{word}");
            assert!(matches!(plain.kind, NodeKind::Bool(_) | NodeKind::Float(_)), "{word}");
            assert!(!matches!(
                ron::from_str::<ron::Value>(&format!("r#{word}")),
                Ok(ron::Value::Bool(_) | ron::Value::Number(_))
            ));
        }
    }

    #[test]
    fn deep_nesting_around_much_text_takes_no_more_passes() {
        let (open, close) = ("[".repeat(50), "]".repeat(50));
        let start = std::time::Instant::now();
        assert!(parse(&format!("{open}{}{close}", "1,".repeat(500_000)), 0).is_ok());
        // A pass for each level would take longer.
        assert!(start.elapsed() < std::time::Duration::from_secs(10));
    }

    #[test]
    fn a_byte_order_mark_is_ignored() {
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
