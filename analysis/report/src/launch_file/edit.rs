//! Changed values of a launch file, as a new text: experiments vary the launch.

use isa::span::Span;
use sim_core::config::set::{find, paths};
use sim_core::config::tree::{Node, NodeKind, parse};

/// Fields that a launch file need not have and that an experiment may set.
const ABSENT: [&str; 6] = ["dynamic_shared", "environment", "registers", "cache", "memory", "barriers"];

/// Whether a launch file has a value at `path`, such as `block`, `params.2.0` or `buffers.x.len`,
/// or may get one. The error has the nearest path. A text that is not valid RON has every path: its
/// errors are reported with the launch.
pub fn has_path(text: &str, path: &str) -> Result<(), String> {
    let Ok(root) = parse(text, 0) else { return Ok(()) };
    if find(&root, path).is_some() || ABSENT.contains(&path) {
        return Ok(());
    }
    let known = paths(&root);
    let near = isa::diag::nearest(path, known.iter().map(String::as_str).chain(ABSENT));
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Err(format!("the launch file has no value at `{path}`{near}"))
}

/// Returns the text with the values at some paths replaced; of several values for one path, the
/// last. The text outside the values stays as it is.
pub fn edit(text: &str, edits: &[(String, String)]) -> Result<String, String> {
    // An invalid text is reported with the launch.
    let Ok(root) = parse(text, 0) else { return Ok(text.to_owned()) };
    let mut places: Vec<(Span, String, &str)> = Vec::new();
    for (path, value) in edits {
        has_path(text, path)?;
        let (span, value) = match find(&root, path) {
            Some(node) => (node.span, value.clone()),
            None => (after_head(&root), format!("{path}: {value}, ")),
        };
        places.retain(|(_, _, other)| other != path);
        places.push((span, value, path));
    }
    places.sort_by_key(|(span, ..)| (span.start, span.end));
    let mut out = String::new();
    let mut done = 0;
    for (i, (span, value, path)) in places.iter().enumerate() {
        if i > 0 && (span.start as usize) < done {
            let other = places[i - 1].2;
            return Err(format!("`{path}` is a part of `{other}`: both cannot be set"));
        }
        out.push_str(&text[done..span.start as usize]);
        out.push_str(value);
        done = span.end as usize;
    }
    out.push_str(&text[done..]);
    Ok(out)
}

/// Returns the position after the opening parenthesis of the file.
fn after_head(root: &Node) -> Span {
    let at = root.span.start as usize + 1;
    Span::new(at, at)
}

/// Returns the paths of the seeds of all buffers and symbols with random contents.
pub fn random_seeds(text: &str) -> Vec<String> {
    let Ok(root) = parse(text, 0) else { return Vec::new() };
    let is_random = |path: &&String| {
        let Some(array) = path.strip_suffix(".init") else { return false };
        let top = array.starts_with("buffers.") || array.starts_with("symbols.");
        let node = find(&root, path).map(|node| &node.kind);
        top && matches!(node, Some(NodeKind::Variant { name, args: Some(_), .. }) if name == "random")
    };
    paths(&root).iter().filter(is_random).map(|path| format!("{path}.0")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "( // a launch\n  grid: 4, block: (16, 16),\n  params: [buf(\"x\"), s32(1000)],\n  \
                        buffers: { \"x\": (type: f32, len: 1000, init: random(42, -1.0, 1.0)) },\n)";

    fn edited(edits: &[(&str, &str)]) -> Result<String, String> {
        let edits: Vec<(String, String)> =
            edits.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
        edit(TEXT, &edits)
    }

    #[test]
    fn values_are_replaced_at_their_places() {
        let text = edited(&[
            ("buffers.x.len", "2000"),
            ("params.1.0", "2000"),
            ("grid", "9"),
            ("registers", "20"),
            ("grid", "8"),
        ]);
        let expected =
            TEXT.replacen('(', "(registers: 20, ", 1).replace("1000", "2000").replace("grid: 4", "grid: 8");
        assert_eq!(text, Ok(expected));
        assert_eq!(edited(&[]), Ok(TEXT.to_owned()));
    }

    #[test]
    fn unknown_paths_and_parts_of_other_values_are_errors() {
        let error = edited(&[("buffers.x.lenn", "1")]).unwrap_err();
        assert!(error.contains("did you mean `buffers.x.len`?"), "{error}");
        let error = edited(&[("params.1", "s32(7)"), ("params.1.0", "7")]).unwrap_err();
        assert_eq!(error, "`params.1.0` is a part of `params.1`: both cannot be set");
    }

    #[test]
    fn random_contents_have_a_seed() {
        assert_eq!(random_seeds(TEXT), ["buffers.x.init.0"]);
        assert!(edited(&[("buffers.x.init.0", "7")]).unwrap().contains("random(7, -1.0, 1.0)"));
    }
}
