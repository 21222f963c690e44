//! Chip files: a text for a new chip that is based on a built-in chip, and the diagnostics of a
//! chip file while it is typed.

use crate::check::Marked;
use crate::request::{NamedText, Request};
use report::exit::Failure;
use report::ron_text::ron;
use report::text::visible;
use serde::Serialize;
use sim_core::config::Chip;
use sim_core::config::base::{Text, Texts};
use sim_core::config::schema::{Table, Value, chip as chip_table};
use sim_core::config::source::Complaints;
use sim_core::config::tree::{Node, NodeKind};

/// Values that most chips of one's own change; a new file begins with them.
const FIRST: [&str; 12] = [
    "clocks.shader_mhz",
    "clocks.core_mhz",
    "clocks.memory_mhz",
    "clusters",
    "cluster.sms",
    "sm.max_warps",
    "sm.max_threads",
    "sm.max_blocks",
    "sm.registers",
    "sm.schedulers",
    "sm.scheduler",
    "partitions",
];

/// Result of a check of a chip file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CheckedChip {
    /// Errors and warnings at places of the file, in the order of the text.
    pub diagnostics: Vec<Marked>,
    /// All errors and warnings, also those of other texts, drawn as `warpsim config check` draws
    /// them.
    pub drawn: String,
    /// Name and board of the chip, if it is valid.
    pub name: String,
}

/// Checks the chip file of a request, with the overrides of the request.
///
/// # Errors
///
/// If the request has no chip file.
pub fn check(request: &Request) -> Result<CheckedChip, Failure> {
    let Some(file) = &request.chip_file else {
        return Err(Failure::input("error: the request has no chip file"));
    };
    let texts = request.chip_texts()?;
    let (name, complaints) = match Chip::from_texts(&texts, &request.sets) {
        Ok((chip, warnings)) => (format!("{}: {}", chip.name, chip.board), warnings),
        Err(complaints) => (String::new(), complaints),
    };
    let drawn = visible(&complaints.to_string()).into_owned();
    Ok(CheckedChip { diagnostics: marks(&complaints, &file.text), drawn, name })
}

/// The complaints whose primary label is in the file, which is the first text.
fn marks(complaints: &Complaints, text: &str) -> Vec<Marked> {
    let own = complaints.diagnostics.iter().filter(|diagnostic| {
        diagnostic.place().and_then(|span| complaints.sources.place_of(span)) == Some(0)
    });
    let mut own: Vec<_> = own.collect();
    own.sort_by_key(|diagnostic| diagnostic.start());
    own.into_iter().map(|diagnostic| Marked::of(diagnostic, &complaints.sources, text)).collect()
}

/// A value of a new chip file, at its place.
enum Item {
    /// A record with its fields.
    Record(Vec<(String, Item)>),
    /// A map with its entries.
    Map(Vec<(String, Item)>),
    /// RON text and the comment after it.
    Value(String, String),
}

/// Returns the text of a chip file that is based on the built-in chip `base`: the values that most
/// chips change, and the overrides `sets`. Every value is that of the base, or of its override.
///
/// # Errors
///
/// If the chip is unknown, the base does not accept an override, or an override is a part of
/// another one.
pub fn new_chip(base: &str, sets: &[(String, String)]) -> Result<String, Failure> {
    let unknown = || Failure::input(format!("error: unknown chip `{base}`"));
    let texts = Texts::new(Text::builtin(base).ok_or_else(unknown)?);
    let (changed, _) = Chip::from_texts(&texts, sets).map_err(|why| Failure::input(why.to_string()))?;
    let root = texts.read().map_err(|why| Failure::input(why.to_string()))?.root;
    let mut fields = Vec::new();
    for path in FIRST {
        if sets.iter().any(|(set, _)| set == path) {
            continue;
        }
        let Some(node) = path.split('.').try_fold(&root, |node, name| member(node, name)) else { continue };
        add(&mut fields, chip_table(), path, &ron(node));
    }
    for (path, value) in sets {
        add(&mut fields, chip_table(), path, value);
    }
    let mut text = format!(
        "// A chip of your own. Every value that is not here is that of `{base}`.\n(\n    name: \"mine\",\n    \
         base: \"{base}\",\n    board: \"a chip of my own\",\n"
    );
    write_items(&mut text, &fields, 1, false);
    text += ")\n";
    let file = NamedText { name: "mine.ron".to_owned(), text: text.clone() };
    let own = Request { chip_file: Some(file), ..Request::default() }.chip()?;
    if own != (Chip { name: own.name.clone(), board: own.board.clone(), ..changed }) {
        let message = "error: one setting is a part of another one, so a chip file cannot have both\nhelp: keep one of them";
        return Err(Failure::input(message));
    }
    Ok(text)
}

fn member<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    let NodeKind::Struct(fields) = &node.kind else { return None };
    fields.iter().find(|field| field.name == name).map(|field| &field.value)
}

/// Adds a value at `path`, in the records and maps that `table` describes.
fn add(items: &mut Vec<(String, Item)>, table: &Table, path: &str, value: &str) {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let field = table.fields.iter().find(|field| field.name == name);
    let Some((rest, field)) = rest.zip(field) else {
        let about = field.map_or_else(String::new, |field| field.summary().to_owned());
        let text = field.is_some_and(|field| matches!(field.value, Value::Text | Value::UnitName));
        let value = if text && !value.trim_start().starts_with('"') {
            format!("{value:?}")
        } else {
            value.to_owned()
        };
        items.retain(|(known, _)| known != name);
        items.push((name.to_owned(), Item::Value(value, about)));
        return;
    };
    let Some(inner) = field.value.table() else { return };
    let is_map = matches!(field.value, Value::Map(..));
    if !items.iter().any(|(known, _)| known == name) {
        let empty = if is_map { Item::Map(Vec::new()) } else { Item::Record(Vec::new()) };
        items.push((name.to_owned(), empty));
    }
    let Some((_, Item::Record(within) | Item::Map(within))) =
        items.iter_mut().find(|(known, _)| known == name)
    else {
        return;
    };
    let Some((key, rest)) = rest.split_once('.').filter(|_| is_map) else {
        return add(within, inner, rest, value);
    };
    if !within.iter().any(|(known, _)| known == key) {
        within.push((key.to_owned(), Item::Record(Vec::new())));
    }
    if let Some((_, Item::Record(entry))) = within.iter_mut().find(|(known, _)| known == key) {
        add(entry, inner, rest, value);
    }
}

fn write_items(text: &mut String, items: &[(String, Item)], depth: usize, quoted: bool) {
    let blanks = "    ".repeat(depth);
    for (name, item) in items {
        let name = if quoted { format!("{name:?}") } else { name.clone() };
        let (open, close, inner) = match item {
            Item::Value(value, about) => {
                let comment = if about.is_empty() { String::new() } else { format!(" // {about}") };
                *text += &[&blanks, &name, ": ", value, ",", &comment, "\n"].concat();
                continue;
            }
            Item::Record(fields) => ("(", ")", fields),
            Item::Map(entries) => ("{", "}", entries),
        };
        *text += &[&blanks, &name, ": ", open, "\n"].concat();
        write_items(text, inner, depth + 1, open == "{");
        *text += &[&blanks, close, ",\n"].concat();
    }
}
