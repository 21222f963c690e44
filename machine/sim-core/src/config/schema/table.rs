//! The table of a whole chip file, searched by path.
//!
//! A path has names of fields, of units and of word arguments, and positions of extents, with dots
//! between them: `sm.units.sp.lanes`, `sm.scheduler.active`, `limits.grid.2`.

use super::{Field, Presence, Record, Table, Value};
use crate::config::tree::{Node, NodeKind};
use crate::config::{Chip, set};
use std::sync::LazyLock;

static CHIP: LazyLock<Table> = LazyLock::new(Chip::table);

/// The table of a chip file, without the field [`base`].
pub fn chip() -> &'static Table {
    &CHIP
}

/// The field that names the base of a chip. It is read before all others, and no chip has it.
pub fn base() -> Field {
    Field {
        name: "base",
        about: "Chip whose values count for all fields that the file does not give: the name of a built-in \
                chip, or the path of a chip file relative to this file.",
        unit: "",
        effect: None,
        presence: Presence::Optional,
        value: Value::Text,
    }
}

/// Returns the field at `path`. A path that ends in the name of a unit or in the position of an
/// extent has the field that contains it.
pub fn find(path: &str) -> Option<&'static Field> {
    let (first, rest) = split(path);
    let field = CHIP.fields.iter().find(|field| field.name == first)?;
    below(field, rest)
}

/// Returns the field at `path`, which begins below `field`.
fn below(field: &'static Field, path: Option<&str>) -> Option<&'static Field> {
    let Some(path) = path else { return Some(field) };
    let (first, rest) = split(path);
    let fields = match &field.value {
        Value::Record(table) | Value::RecordOrNone(table) => &table.fields,
        Value::Words(_, arguments) => arguments,
        Value::Map(table, _) => {
            let Some(rest) = rest else { return Some(field) };
            let (name, rest) = split(rest);
            return below(table.fields.iter().find(|field| field.name == name)?, rest);
        }
        Value::Extents(..) => {
            return (rest.is_none() && first.parse::<usize>().is_ok()).then_some(field);
        }
        Value::WordList(_) => return rest.is_none().then_some(field),
        Value::Int(_)
        | Value::Number(_)
        | Value::Text
        | Value::Formula
        | Value::Capability
        | Value::UnitName
        | Value::Flag
        | Value::OneOf(_)
        | Value::List(_)
        | Value::OneOrList(_)
        | Value::Named(_)
        | Value::Other(_) => return None,
    };
    below(fields.iter().find(|field| field.name == first)?, rest)
}

fn split(path: &str) -> (&str, Option<&str>) {
    path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)))
}

/// Returns the unit of the field at `path`, or of the only field whose path ends in `path`. `None`
/// for a field without a unit.
pub fn unit_of(path: &str) -> Option<&'static str> {
    let field = find(path).or_else(|| {
        let mut ends = Vec::new();
        each(&CHIP, "", &mut |full, field| {
            if full.strip_suffix(path).is_some_and(|head| head.ends_with('.')) {
                ends.push(field);
            }
        });
        if let [only] = ends[..] { Some(only) } else { None }
    })?;
    (!field.unit.is_empty()).then_some(field.unit)
}

/// Whether `path` is the path of a field, or its end.
pub fn has(path: &str) -> bool {
    find(path).is_some()
        || paths().any(|full| full.strip_suffix(path).is_some_and(|head| head.ends_with('.')))
}

/// Returns the paths of all fields; `*` stands for the name of a unit.
pub fn paths() -> impl Iterator<Item = String> {
    let mut all = Vec::new();
    each(&CHIP, "", &mut |full, _| all.push(full.to_owned()));
    all.into_iter()
}

/// Visits every field below a table with its path; `*` stands for the name of a unit.
fn each(table: &'static Table, path: &str, visit: &mut impl FnMut(&str, &'static Field)) {
    for field in &table.fields {
        let full = if path.is_empty() { field.name.to_owned() } else { format!("{path}.{}", field.name) };
        visit(&full, field);
        let inner = if matches!(field.value, Value::Map(..)) { format!("{full}.*") } else { full };
        if let Some(table) = field.value.table() {
            each(table, &inner, visit);
        }
    }
}

/// Returns the paths of the optional fields that the tree of a chip does not give, in the parts
/// that it has.
pub fn absent(root: &Node) -> Vec<String> {
    let mut paths = Vec::new();
    add_absent(&CHIP, root, "", &mut paths);
    paths
}

fn add_absent(table: &Table, node: &Node, path: &str, paths: &mut Vec<String>) {
    let is_record = match &node.kind {
        NodeKind::Struct(_) => true,
        NodeKind::Tuple(items) => items.is_empty(),
        NodeKind::Bool(_)
        | NodeKind::Int(_)
        | NodeKind::Float(_)
        | NodeKind::Str(_)
        | NodeKind::Variant { .. }
        | NodeKind::Map(_)
        | NodeKind::List(_)
        | NodeKind::Other => false,
    };
    if !is_record {
        return;
    }
    let children = set::children(node);
    for field in &table.fields {
        let full = if path.is_empty() { field.name.to_owned() } else { format!("{path}.{}", field.name) };
        match (children.iter().find(|(name, _)| name == field.name), &field.presence) {
            (None, Presence::Required) => {}
            (None, Presence::Optional | Presence::Default(_)) => paths.push(full),
            (Some((_, child)), _) => match &field.value {
                Value::Map(table, _) => {
                    for (name, unit) in set::children(child) {
                        add_absent(table, unit, &format!("{full}.{name}"), paths);
                    }
                }
                value => {
                    if let Some(table) = value.table() {
                        add_absent(table, child, &full, paths);
                    }
                }
            },
        }
    }
}
