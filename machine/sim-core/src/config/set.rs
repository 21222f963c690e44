//! `--set PATH=VALUE`: replaces a node of the tree by a value whose place is in the argument.
//!
//! An optional field that the chip does not give is added. The end of a path is enough if only one
//! path of the chip has that end: `scheduler` is `sm.scheduler`.

use super::source::Sources;
use super::tree::{self, Field, Node, NodeKind};
use super::{codes, schema};
use isa::diag::Diagnostic;
use isa::span::Span;

/// Applies each (path, value) to `root`, in order. The arguments become texts of `sources`.
pub fn apply(root: &mut Node, sets: &[(String, String)], sources: &mut Sources) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (path, value) in sets {
        let base = sources.add_over("--set", format!("{path}={value}"));
        let value_base = base + path.len() + 1;
        let span = Span::new(base, base + path.len());
        let full = match resolve(root, path) {
            Ok(full) => full,
            Err(unknown) => {
                diagnostics.push(unknown.diagnostic(path, span));
                continue;
            }
        };
        let quoted = value.trim_start().starts_with('"');
        if find(root, &full).is_some_and(|target| matches!(target.kind, NodeKind::Str(_))) && !quoted {
            let node_span = Span::new(value_base, value_base + value.len());
            let kind = NodeKind::Str(value.trim().to_owned());
            put(root, &full, span, Node { span: node_span, kind });
            continue;
        }
        match tree::parse(value, value_base) {
            Ok(node) => put(root, &full, span, node),
            Err(errors) => diagnostics.extend(errors),
        }
    }
    diagnostics
}

/// A path that is not the path of one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The chip has no such path; a similar path, if there is one.
    Nothing(Option<String>),
    /// Several paths have this end.
    Several(Vec<String>),
}

impl Unknown {
    /// The complaint about `path`, which is at `span`.
    pub fn diagnostic(&self, path: &str, span: Span) -> Diagnostic {
        let (message, label) = match self {
            Self::Nothing(near) => {
                let message = format!("unknown path `{path}`");
                return Diagnostic::error(codes::UNKNOWN_PATH, span, message)
                    .label("not a path of the chip")
                    .meant(near.as_ref())
                    .help("`warpsim config show` lists all paths");
            }
            Self::Several(paths) => {
                let message =
                    format!("ambiguous path `{path}`: {} paths of the chip end with it", paths.len());
                (message, format!("expected one of: {}", paths.join(", ")))
            }
        };
        Diagnostic::error(codes::UNKNOWN_PATH, span, message).label(label)
    }
}

/// Returns the full path of `path`: `path` itself, or the only path of the tree with this end, or
/// the only path of an optional field with this end that the chip does not give.
pub fn resolve(root: &Node, path: &str) -> Result<String, Unknown> {
    if find(root, path).is_some() {
        return Ok(path.to_owned());
    }
    let mut known = paths(root);
    let ends_so =
        |k: &&String| k.strip_suffix(path).is_some_and(|head| head.is_empty() || head.ends_with('.'));
    let mut same_end: Vec<String> = known.iter().filter(ends_so).cloned().collect();
    if same_end.is_empty() {
        let absent = schema::absent(root);
        same_end = absent.iter().filter(ends_so).cloned().collect();
        known.extend(absent);
    }
    match same_end.len() {
        0 => Err(Unknown::Nothing(nearest_path(path, &known).map(str::to_owned))),
        1 => Ok(same_end.remove(0)),
        _ => Err(Unknown::Several(same_end)),
    }
}

/// Returns the node at a path of field names, map keys, and positions in lists and tuples, with
/// dots.
pub fn find<'n>(node: &'n Node, path: &str) -> Option<&'n Node> {
    path.split('.').try_fold(node, |at, step| children(at).into_iter().find(|(s, _)| s == step).map(|c| c.1))
}

/// Replaces the node at a path that [`resolve`] returned; `name_span` is the place of the path.
fn put(root: &mut Node, path: &str, name_span: Span, value: Node) {
    let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
    let mut at = root;
    for step in parent.split_terminator('.') {
        at = child_mut(at, step).expect("`resolve` returns paths of parts that the chip has");
    }
    if let Some(child) = child_mut(at, name) {
        *child = value;
        return;
    }
    let field = Field { name: name.to_owned(), name_span, value };
    match &mut at.kind {
        NodeKind::Struct(fields) => fields.push(field),
        // A record without fields: `()`.
        other => *other = NodeKind::Struct(vec![field]),
    }
}

fn child_mut<'n>(node: &'n mut Node, step: &str) -> Option<&'n mut Node> {
    match &mut node.kind {
        NodeKind::Struct(fields) => fields.iter_mut().find(|f| f.name == step).map(|f| &mut f.value),
        NodeKind::Map(entries) => entries.iter_mut().find(|(k, _)| key(k) == Some(step)).map(|(_, v)| v),
        NodeKind::List(items) | NodeKind::Tuple(items) => items.get_mut(step.parse::<usize>().ok()?),
        NodeKind::Variant { args: Some(args), .. } => child_mut(args, step),
        _ => None,
    }
}

/// Returns the children of a node, each with its step of the path, in the order of the text.
pub fn children(node: &Node) -> Vec<(String, &Node)> {
    match &node.kind {
        NodeKind::Struct(fields) => fields.iter().map(|f| (f.name.clone(), &f.value)).collect(),
        NodeKind::Map(entries) => entries.iter().filter_map(|(k, v)| Some((key(k)?.to_owned(), v))).collect(),
        NodeKind::List(items) | NodeKind::Tuple(items) => {
            items.iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect()
        }
        NodeKind::Variant { args: Some(args), .. } => children(args),
        _ => Vec::new(),
    }
}

fn key(node: &Node) -> Option<&str> {
    match &node.kind {
        NodeKind::Str(text) | NodeKind::Variant { name: text, args: None, .. } => Some(text),
        _ => None,
    }
}

/// Returns every path of a tree, in the order of the text.
pub fn paths(root: &Node) -> Vec<String> {
    fn walk(node: &Node, path: &str, out: &mut Vec<String>) {
        for (step, child) in children(node) {
            let full = if path.is_empty() { step } else { format!("{path}.{step}") };
            out.push(full.clone());
            walk(child, &full, out);
        }
    }
    let mut out = Vec::new();
    walk(root, "", &mut out);
    out
}

/// Returns the known path with the most similar letters.
fn nearest_path<'c>(path: &str, known: &'c [String]) -> Option<&'c str> {
    let last_step = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let last = last_step(path);
    let distance = |k: &str| {
        let whole = strsim::damerau_levenshtein(path, k);
        let end = strsim::damerau_levenshtein(&last, &last_step(k));
        (whole.min(end + 1), whole)
    };
    let best = known.iter().min_by_key(|k| distance(k))?;
    (distance(best).0 <= 1 + last.len() / 2).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "(a: (bee: 1, cee: [2, 3]), name: \"x\", units: {\"sp\": (lanes: 8)}, p: two(active: 4))";

    fn set(path: &str, value: &str) -> (Node, Vec<Diagnostic>, Sources) {
        let mut sources = Sources::default();
        sources.add("t.ron", TEXT);
        let mut root = tree::parse(TEXT, 0).unwrap();
        let diagnostics = apply(&mut root, &[(path.into(), value.into())], &mut sources);
        (root, diagnostics, sources)
    }

    #[test]
    fn any_node_can_be_replaced() {
        for (path, value, kind) in [
            ("a.bee", "7", NodeKind::Int(7)),
            ("a.cee.1", "9", NodeKind::Int(9)),
            ("name", "g 80", NodeKind::Str("g 80".into())),
            ("name", "\"q\"", NodeKind::Str("q".into())),
            ("units.sp.lanes", "16", NodeKind::Int(16)),
            ("p.active", "2", NodeKind::Int(2)),
        ] {
            let (root, diagnostics, sources) = set(path, value);
            assert!(diagnostics.is_empty(), "{path}");
            let node = find(&root, path).unwrap();
            assert_eq!(node.kind, kind, "{path}");
            let shown = Diagnostic::error("E0510", node.span, "m").label("l");
            assert!(shown.render(&sources).contains(&format!("{path}={value}")), "{path}");
        }
    }

    #[test]
    fn an_unknown_path_suggests_a_similar_one() {
        for (path, meant) in
            [("a.be", "a.bee"), ("lans", "units.sp.lanes"), ("units.ps.lanes", "units.sp.lanes")]
        {
            let (_, diagnostics, sources) = set(path, "1");
            let drawn = diagnostics[0].render(&sources);
            assert!(
                drawn.contains("error[E0508]") && drawn.contains(&format!("did you mean `{meant}`?")),
                "{drawn}"
            );
        }
    }

    #[test]
    fn the_end_of_a_path_is_enough_if_only_one_path_has_it() {
        for (short, full) in [("lanes", "units.sp.lanes"), ("sp.lanes", "units.sp.lanes"), ("a", "a")] {
            assert_eq!(resolve(&tree::parse(TEXT, 0).unwrap(), short), Ok(full.to_owned()));
        }
        let two = tree::parse("(a: (lat: 1), b: (lat: 2))", 0).unwrap();
        let several = resolve(&two, "lat").unwrap_err();
        assert_eq!(several, Unknown::Several(vec!["a.lat".into(), "b.lat".into()]));
        let complaint = several.diagnostic("lat", Span::new(0, 3));
        assert!(complaint.labels[0].1.contains("one of: a.lat, b.lat"), "{complaint:?}");
    }

    #[test]
    fn a_value_that_is_not_ron_is_shown_in_the_argument() {
        let (_, diagnostics, sources) = set("a.bee", "(1");
        let drawn = diagnostics[0].render(&sources);
        assert!(drawn.contains("error[E0501]") && drawn.contains("--set:1:"), "{drawn}");
    }
}
