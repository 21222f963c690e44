//! `--set PATH=VALUE`: lays a value over a node of the tree, with the argument as its place.

use super::codes;
use super::source::Sources;
use super::tree::{self, Kind, Node};
use isa::diag::Diagnostic;
use isa::span::Span;

/// Short names of often used paths.
pub const ALIASES: [(&str, &str); 1] = [("scheduler", "sm.scheduler")];

/// Lays each (path, value) over `root`, later ones over earlier ones. The arguments become texts of `sources`.
pub fn apply(root: &mut Node, sets: &[(String, String)], sources: &mut Sources) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (path, value) in sets {
        let base = sources.add("--set", format!("{path}={value}"));
        let value_base = base + path.len() + 1;
        let full = ALIASES.iter().find(|(short, _)| short == path).map_or(path.as_str(), |(_, full)| full);
        let Some(target) = find(root, full) else {
            let paths = paths(root);
            let known: Vec<&str> =
                paths.iter().map(String::as_str).chain(ALIASES.iter().map(|(a, _)| *a)).collect();
            let label = nearest_path(path, &known)
                .map_or_else(|| "unknown path".to_owned(), |n| format!("did you mean `{n}`?"));
            let message = format!("the chip has no `{path}`");
            let span = Span::new(base, base + path.len());
            diagnostics.push(Diagnostic::error(codes::UNKNOWN_PATH, message, span, label));
            continue;
        };
        let quoted = value.trim_start().starts_with('"');
        if matches!(target.kind, Kind::Str(_)) && !quoted {
            let span = Span::new(value_base, value_base + value.len());
            *target = Node { span, kind: Kind::Str(value.trim().to_owned()) };
            continue;
        }
        match tree::parse(value, value_base) {
            Ok(node) => *target = node,
            Err(errors) => diagnostics.extend(errors),
        }
    }
    diagnostics
}

/// The node at a dotted path: field names, map keys, positions in lists and tuples.
fn find<'n>(node: &'n mut Node, path: &str) -> Option<&'n mut Node> {
    let mut at = node;
    for step in path.split('.') {
        at = match &mut at.kind {
            Kind::Struct(fields) => &mut fields.iter_mut().find(|f| f.name == step)?.value,
            Kind::Map(entries) => &mut entries.iter_mut().find(|(k, _)| key(k) == Some(step))?.1,
            Kind::List(items) | Kind::Tuple(items) => items.get_mut(step.parse::<usize>().ok()?)?,
            Kind::Variant { args: Some(args), .. } => match &mut args.kind {
                Kind::Struct(fields) => &mut fields.iter_mut().find(|f| f.name == step)?.value,
                _ => return None,
            },
            _ => return None,
        };
    }
    Some(at)
}

fn key(node: &Node) -> Option<&str> {
    match &node.kind {
        Kind::Str(text) | Kind::Variant { name: text, args: None, .. } => Some(text),
        _ => None,
    }
}

/// Every path of a tree, in the order of the text.
pub fn paths(root: &Node) -> Vec<String> {
    fn walk(node: &Node, path: &str, out: &mut Vec<String>) {
        let mut visit = |step: &str, child: &Node| {
            let full = if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
            out.push(full.clone());
            walk(child, &full, out);
        };
        match &node.kind {
            Kind::Struct(fields) => fields.iter().for_each(|f| visit(&f.name, &f.value)),
            Kind::Map(entries) => {
                entries.iter().filter_map(|(k, v)| Some((key(k)?, v))).for_each(|(k, v)| visit(k, v));
            }
            Kind::List(items) | Kind::Tuple(items) => {
                items.iter().enumerate().for_each(|(i, v)| visit(&i.to_string(), v));
            }
            Kind::Variant { args: Some(args), .. } => walk(args, path, out),
            _ => {}
        }
    }
    let mut out = Vec::new();
    walk(root, "", &mut out);
    out
}

/// The known path nearest to `path`: one that ends in the same words if there is one (`max_warps` is meant to be
/// `sm.max_warps`), else the one with the most similar letters.
fn nearest_path<'c>(path: &str, known: &[&'c str]) -> Option<&'c str> {
    let ends_so = |k: &&&str| k.strip_suffix(path).is_some_and(|head| head.ends_with('.'));
    if let Some(same_end) = known.iter().find(ends_so) {
        return Some(same_end);
    }
    let last_step = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let last = last_step(path);
    let distance = |k: &str| {
        let whole = strsim::damerau_levenshtein(path, k);
        let end = strsim::damerau_levenshtein(&last, &last_step(k));
        (whole.min(end + 1), whole)
    };
    let best = known.iter().min_by_key(|k| distance(k))?;
    (distance(best).0 <= 1 + last.len() / 2).then_some(*best)
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
            ("a.bee", "7", Kind::Int(7)),
            ("a.cee.1", "9", Kind::Int(9)),
            ("name", "g 80", Kind::Str("g 80".into())),
            ("name", "\"q\"", Kind::Str("q".into())),
            ("units.sp.lanes", "16", Kind::Int(16)),
            ("p.active", "2", Kind::Int(2)),
        ] {
            let (mut root, diagnostics, sources) = set(path, value);
            assert!(diagnostics.is_empty(), "{path}");
            let node = find(&mut root, path).unwrap();
            assert_eq!(node.kind, kind, "{path}");
            let shown = Diagnostic::error("E0510", "m", node.span, "l");
            assert!(sources.render(&shown).contains(&format!("{path}={value}")), "{path}");
        }
    }

    #[test]
    fn an_unknown_path_suggests_the_nearest() {
        for (path, meant) in
            [("a.be", "a.bee"), ("lanes", "units.sp.lanes"), ("units.ps.lanes", "units.sp.lanes")]
        {
            let (_, diagnostics, sources) = set(path, "1");
            let drawn = sources.render(&diagnostics[0]);
            assert!(
                drawn.contains("error[E0508]") && drawn.contains(&format!("did you mean `{meant}`?")),
                "{drawn}"
            );
        }
    }

    #[test]
    fn a_value_that_is_not_ron_is_shown_in_the_argument() {
        let (_, diagnostics, sources) = set("a.bee", "(1");
        let drawn = sources.render(&diagnostics[0]);
        assert!(drawn.contains("error[E0501]") && drawn.contains("--set:1:"), "{drawn}");
    }
}
