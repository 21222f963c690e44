//! `config explain`: the meaning of a field, its unit and range, whether it is a meaning or a
//! timing field, its value, and the source of its number. All but value and source come from the
//! table of fields, by which chip files are read. The source is the comment of the number in the
//! chip file.

mod file;

use super::source::sources;
use super::{Loaded, table_of};
use crate::args::config::FileKind;
use crate::chip;
use crate::exit::{Code, Failure};
use crate::output::print;
use crate::render::table::{Column, Columns, heading};
use clap::ValueEnum;
use isa::span::LineIndex;
use report::ron_text::ron;
use sim_core::config::schema::{self, Effect, Field, Presence, Value};
use sim_core::config::set::{self, Unknown};
use sim_core::config::tree::{Node, NodeKind};
use std::collections::BTreeSet;

const MEANING: &str = "meaning: it can change what a kernel computes or whether it may run";
const TIMING: &str = "timing: for an ordered launch it changes cycles and nothing else";

/// Explains a field or a part of a chip, or of a kind of files whose name begins the path; without
/// a path, lists all fields of the chip.
pub fn run(path: Option<&str>, chip: &str) -> Result<Code, Failure> {
    let (kind, below) = path.map_or(("", ""), |path| path.split_once('.').unwrap_or((path, "")));
    // The fields of chips are explained with the values of one.
    if let Ok(of @ (FileKind::Launch | FileKind::Experiment | FileKind::Exercise)) =
        FileKind::from_str(kind, false)
    {
        print(&file::explain(kind, &table_of(of), below)?)?;
        return Ok(Code::Fine);
    }
    // In `explain gt200` the name is a chip.
    let (path, chip) = match path {
        Some(name) if chip::is_named(name) => (None, name),
        _ => (path, chip),
    };
    let loaded = Loaded::plain(chip)?;
    let Some(path) = path else {
        print(&list(&loaded))?;
        return Ok(Code::Fine);
    };
    let paths = match set::resolve(&loaded.layers.root, path) {
        Ok(path) => vec![path],
        // All fields that the path can mean.
        Err(Unknown::Several(paths)) => paths,
        Err(Unknown::Nothing(near)) => {
            let near = near.map_or_else(String::new, |near| format!("\nhelp: did you mean `{near}`?"));
            return Err(Failure::input(format!(
                "error: unknown path `{path}`{near}\nhelp: `warpsim config show` lists all paths"
            )));
        }
    };
    let blocks: Vec<String> = paths.iter().map(|path| explain(&loaded, path)).collect();
    print(&blocks.join("\n"))?;
    Ok(Code::Fine)
}

/// The entries of a path and of all fields below it.
fn explain(loaded: &Loaded, path: &str) -> String {
    let Some(node) = set::find(&loaded.layers.root, path) else { return absent(path) };
    let mut shown = vec![path.to_owned()];
    walk(node, path, &mut |path, node| {
        if set::children(node).is_empty() || is_tuple(node) {
            shown.push(path.to_owned());
        }
    });
    shown.dedup();
    // The comment of a part is shown with the first of its fields.
    let mut shown_sources = BTreeSet::new();
    let blocks: Vec<String> = shown.iter().map(|path| block(loaded, path, &mut shown_sources)).collect();
    blocks.join("\n")
}

/// The entry of an optional field that the chip does not give.
fn absent(path: &str) -> String {
    let mut table = Columns::new(&[Column::Words(8), Column::Rest]);
    if let Some(field) = schema::find(path) {
        describe(field, &mut table);
        if let Presence::Default(value) = &field.presence {
            table.row(&["default", value]);
        }
    }
    format!("{path} is not given\n{}", table.draw())
}

/// The rows of a field that come from the table of fields.
fn describe(field: &Field, table: &mut Columns) {
    table.row(&["what", &file::plain(field.about)]);
    if !field.unit.is_empty() {
        table.row(&["unit", field.unit]);
    }
    match &field.value {
        Value::Record(_) | Value::Map(..) => {}
        value @ (Value::Words(words, _) | Value::WordList(words)) => {
            table.row(&["range", &value.to_string()]);
            for word in *words {
                table.row(&["", &format!("{}: {}", word.word, word.meaning)]);
            }
        }
        value @ (Value::Int(_)
        | Value::Number(_)
        | Value::Text
        | Value::Capability
        | Value::UnitName
        | Value::Flag
        | Value::Extents(..)
        | Value::Formula
        | Value::OneOf(_)
        | Value::List(_)
        | Value::OneOrList(_)
        | Value::Named(_)
        | Value::Other(_)
        | Value::RecordOrNone(_)) => table.row(&["range", &value.to_string()]),
    }
    match field.effect {
        Some(Effect::Meaning) => table.row(&["kind", MEANING]),
        Some(Effect::Timing) => table.row(&["kind", TIMING]),
        None => {}
    }
}

fn is_tuple(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Tuple(_) | NodeKind::List(_))
}

/// The entry of one field.
fn block(loaded: &Loaded, path: &str, shown_sources: &mut BTreeSet<(usize, String)>) -> String {
    let Some(node) = set::find(&loaded.layers.root, path) else { return String::new() };
    let own_line = one_line(loaded, node);
    let mut out = if own_line { format!("{path} = {}\n", ron(node)) } else { format!("{path}\n") };
    let mut table = Columns::new(&[Column::Words(8), Column::Rest]);
    if let Some(field) = schema::find(path) {
        describe(field, &mut table);
    }
    for layer in layers_with(loaded, path) {
        let text = &loaded.texts.all()[layer];
        if let Some(node) = set::find(&loaded.files[layer], path).filter(|_| loaded.files.len() > 1) {
            let line = LineIndex::new(&text.text).line(node.span.start);
            table.row(&["from", &format!("{}, line {line}", text.name)]);
        }
        for source in sources(&text.text, &loaded.files[layer], path) {
            if !shown_sources.insert((layer, source.path.clone())) {
                continue;
            }
            if source.path == path {
                table.row(&["source", &source.words]);
            } else {
                table.row(&["", &format!("(`{}`: {})", source.path, source.words)]);
            }
        }
    }
    out += &table.draw();
    out
}

/// The files that have a node at `path`, the chip's own first. For a value only the file whose
/// value counts; for a part of the chip all files.
fn layers_with(loaded: &Loaded, path: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for (layer, tree) in loaded.files.iter().enumerate() {
        let Some(node) = set::find(tree, path) else { continue };
        found.push(layer);
        if !matches!(node.kind, NodeKind::Struct(_) | NodeKind::Map(_)) {
            break;
        }
    }
    found
}

/// All fields of the chip, part by part.
fn list(loaded: &Loaded) -> String {
    let mut out = format!(
        "{} ({})\nM: meaning, can change what a kernel computes or whether it may run; all others are timing.\n\
         `warpsim config explain PATH` explains a field in full, with its range and the source of its number.\n",
        loaded.chip.name, loaded.chip.board
    );
    let mut part = String::new();
    let columns = [Column::Words(24), Column::Words(10), Column::Words(1), Column::Rest];
    let mut table = Columns::new(&columns);
    let mut rows = 0;
    walk(&loaded.layers.root, "", &mut |path, node| {
        let parent_on_one_line = path
            .rsplit_once('.')
            .and_then(|(parent, _)| set::find(&loaded.layers.root, parent))
            .is_some_and(|n| one_line(loaded, n));
        if !one_line(loaded, node) || parent_on_one_line {
            return;
        }
        let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
        if rows == 0 || parent != part {
            if rows > 0 {
                out.push_str(&table.draw());
            }
            table = Columns::new(&columns);
            parent.clone_into(&mut part);
            out.push_str(&heading(if parent.is_empty() { "The chip" } else { parent }));
        }
        rows += 1;
        let field = schema::find(path);
        let about = field.map_or_else(String::new, |field| {
            let unit = if field.unit.is_empty() { String::new() } else { format!("[{}] ", field.unit) };
            unit + field.summary()
        });
        let meaning = field.is_some_and(|field| field.effect == Some(Effect::Meaning));
        table.row(&[name, &ron(node), if meaning { "M" } else { "" }, &about]);
    });
    out + &table.draw()
}

/// Whether a value is on one line of its file.
fn one_line(loaded: &Loaded, node: &Node) -> bool {
    !loaded.words_of(node).contains('\n')
}

/// Visits everything below a node, in the order of the file.
fn walk(node: &Node, path: &str, visit: &mut impl FnMut(&str, &Node)) {
    for (step, child) in set::children(node) {
        let path = if path.is_empty() { step } else { format!("{path}.{step}") };
        visit(&path, child);
        walk(child, &path, visit);
    }
}
