//! Smaller and larger values of the timing fields of a chip.

use super::FieldChange;
use sim_core::config::schema::{self, Effect, Value};
use sim_core::config::set::{children, find};
use sim_core::config::tree::{Node, NodeKind};

/// Returns the changes of every timing field of the chip by `percent`: a smaller value and a larger
/// one, where the range of the field permits. `root` is the tree of the chip. If `beginnings` is
/// not empty, only fields whose paths begin with one of them are changed.
pub fn changes(root: &Node, percent: f64, beginnings: &[&str]) -> Vec<FieldChange> {
    let mut found = Vec::new();
    walk(root, "", &mut |path, node| {
        let below = |begin: &&str| {
            path.strip_prefix(begin)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || begin.ends_with('.'))
        };
        if beginnings.is_empty() || beginnings.iter().any(below) {
            found.extend(changes_of(path, node, percent));
        }
    });
    found
}

/// Calls `visit` for each number of a chip with its path.
fn walk(node: &Node, path: &str, visit: &mut impl FnMut(&str, &Node)) {
    if number(node).is_some() {
        return visit(path, node);
    }
    for (step, child) in children(node) {
        let full = if path.is_empty() { step } else { format!("{path}.{step}") };
        walk(child, &full, visit);
    }
}

fn changes_of(path: &str, node: &Node, percent: f64) -> Vec<FieldChange> {
    let Some(field) = schema::find(path).filter(|field| field.effect == Some(Effect::Timing)) else {
        return Vec::new();
    };
    let share = percent / 100.0;
    let texts: [Option<String>; 2] = match (&node.kind, &field.value) {
        (NodeKind::Int(value), Value::Int(range)) => {
            let step = ((*value as f64 * share).round() as i128).max(1);
            [value - step, value + step].map(|new| range.contains(&new).then(|| new.to_string()))
        }
        (_, Value::Number(range)) => {
            let Some(value) = number(node) else { return Vec::new() };
            [value * (1.0 - share), value * (1.0 + share)]
                .map(|new| range.contains(&new).then(|| format!("{new:?}")))
        }
        _ => return Vec::new(),
    };
    let change = |(value, larger): (Option<String>, bool)| {
        Some(FieldChange { path: path.to_owned(), value: value?, larger })
    };
    texts.into_iter().zip([false, true]).filter_map(change).collect()
}

/// Returns the number at a path of a chip.
pub fn number_at(root: &Node, path: &str) -> Option<f64> {
    number(find(root, path)?)
}

fn number(node: &Node) -> Option<f64> {
    match node.kind {
        NodeKind::Int(value) => Some(value as f64),
        NodeKind::Float(value) => Some(value),
        NodeKind::Bool(_)
        | NodeKind::Str(_)
        | NodeKind::Variant { .. }
        | NodeKind::Struct(_)
        | NodeKind::Map(_)
        | NodeKind::List(_)
        | NodeKind::Tuple(_)
        | NodeKind::Other => None,
    }
}
