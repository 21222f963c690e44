//! The sources of the numbers of a chip: the comments in its file.

use isa::span::Span;
use sim_core::config::set;
use sim_core::config::tree::{Node, NodeKind};

/// A comment and the path of its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path of the field, or of the part of the chip that contains it.
    pub path: String,
    /// The comment, on one line.
    pub words: String,
}

/// Returns the comments of the field at `path` and of the parts that contain it, innermost first.
pub fn sources(text: &str, root: &Node, path: &str) -> Vec<Source> {
    let mut found = Vec::new();
    let mut at = Some(path);
    while let Some(path) = at {
        if let Some(words) = comment(text, root, path) {
            found.push(Source { path: path.to_owned(), words });
        }
        at = path.rsplit_once('.').map(|(parent, _)| parent);
    }
    found
}

/// The comment of one field: the comment lines above it, and the comment behind its value or behind
/// its opening bracket.
fn comment(text: &str, root: &Node, path: &str) -> Option<String> {
    let value = set::find(root, path)?;
    let start = name_place(root, path).unwrap_or(value.span.start as usize);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let mut words: Vec<&str> = Vec::new();
    // Comment lines above belong to the first field of a line only.
    if text[line_start..start].trim().is_empty() {
        let above = text[..line_start].lines().rev().map(str::trim);
        words.extend(above.map_while(|line| line.strip_prefix("//")).map(str::trim));
        words.reverse();
    }
    let opening = value.span.start as usize + 1;
    let multiline = text[value.span.range()].contains('\n');
    let behind = if multiline { rest(text, opening) } else { rest(text, value.span.end as usize) };
    words.extend(behind);
    (!words.is_empty()).then(|| words.join(" "))
}

/// The comment in the rest of a line, if only a comma is before it. A comment behind a closing
/// bracket belongs to the part that the bracket closes.
fn rest(text: &str, from: usize) -> Option<&str> {
    let line = text[from..].lines().next()?;
    let (before, comment) = line.split_once("//")?;
    before.chars().all(|c| c.is_whitespace() || c == ',').then(|| comment.trim())
}

/// Start of the name of the field at `path`.
fn name_place(root: &Node, path: &str) -> Option<usize> {
    let (parent, name) = match path.rsplit_once('.') {
        Some((parent, name)) => (set::find(root, parent)?, name),
        None => (root, path),
    };
    let place = |span: Span| span.start as usize;
    match &parent.kind {
        NodeKind::Struct(fields) => fields.iter().find(|f| f.name == name).map(|f| place(f.name_span)),
        NodeKind::Map(entries) => {
            let is_key = |key: &Node| matches!(&key.kind, NodeKind::Str(text) if text == name);
            entries.iter().find(|(key, _)| is_key(key)).map(|(key, _)| place(key.span))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::config::builtin::{builtin_names, builtin_text};
    use sim_core::config::tree;

    const TEXT: &str = "// Head of the file.\n(\n    a: 1, // one, sure\n    // above b\n    // in two lines\n    b: 2,\n\n    \
                        // of s\n s: ( // opened\n c: 3, // three\n d: (x: 1, y: 2), // of d\n \
                        e: 5,\n        u: {\"k\": (n: 1)}, // a unit\n    ), // closed\n    f: \"// no\", g: 7, // seven\n)";

    fn found(path: &str) -> Vec<String> {
        let root = tree::parse(TEXT, 0).unwrap();
        sources(TEXT, &root, path).into_iter().map(|s| format!("{}: {}", s.path, s.words)).collect()
    }

    #[test]
    fn a_number_has_the_comments_behind_and_above_it() {
        assert_eq!(found("a"), ["a: one, sure"]);
        assert_eq!(found("b"), ["b: above b in two lines"]);
        assert_eq!(found("g"), ["g: seven"]);
        assert!(found("f").is_empty());
        assert!(found("none").is_empty());
    }

    #[test]
    fn the_comments_of_the_parts_around_a_number_are_found_too() {
        assert_eq!(found("s"), ["s: of s opened"]);
        assert_eq!(found("s.c"), ["s.c: three", "s: of s opened"]);
        assert_eq!(found("s.e"), ["s: of s opened"]);
        assert_eq!(found("s.d.x"), ["s.d: of d", "s: of s opened"]);
        assert_eq!(found("s.d.y"), ["s.d: of d", "s: of s opened"]);
        assert_eq!(found("s.u.k.n"), ["s.u: a unit", "s: of s opened"]);
    }

    /// Whether a comment is above the field at `path` in the part that contains it, which is then
    /// the comment of a group of fields.
    fn has_comment_of_group(text: &str, root: &Node, path: &str) -> bool {
        let end = set::find(root, path).map_or(0, |node| node.span.start as usize);
        let mut parts = path.match_indices('.').filter_map(|(at, _)| set::find(root, &path[..at]));
        let inner = parts.rfind(|part| text[part.span.range()].contains('\n'));
        inner.is_some_and(|part| text[part.span.start as usize..end].contains("// "))
    }

    #[test]
    fn every_number_of_every_built_in_chip_has_a_source() {
        for name in builtin_names() {
            let text = builtin_text(name).unwrap();
            let root = tree::parse(text, 0).unwrap();
            let is_complete = set::find(&root, "base").is_none();
            for path in set::paths(&root) {
                let node = set::find(&root, &path).unwrap();
                if !matches!(node.kind, NodeKind::Int(_) | NodeKind::Float(_)) {
                    continue;
                }
                let of_group = !is_complete && has_comment_of_group(text, &root, &path);
                assert!(of_group || !sources(text, &root, &path).is_empty(), "{name}: {path} has no source");
            }
        }
    }
}
