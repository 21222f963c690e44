//! The fields in the pages of chip, launch and experiment files, generated from their tables.
//! `BLESS=1` writes them.

use super::renew;
use exercises::RubricFile;
use report::launch_file::LaunchFile;
use report::render::table::wrapped;
use sim_core::config::schema::{self, Effect, Field, Presence, Record, Table, Value};
use sim_core::config::{Chip, Word};
use std::fmt::Write;
use std::ops::RangeInclusive;
use studies::file::ExperimentFile;

/// Largest number of columns of a line of prose.
const COLUMNS: usize = 100;

/// A paragraph, all lines but the first one indented.
fn paragraph(text: &str, indent: usize) -> String {
    wrapped("", text, indent, COLUMNS).join("\n") + "\n"
}

/// The page of chip files with its generated parts as they must be.
fn chip_page(page: &str) -> String {
    const END: &str = "<!-- end of the generated part -->";
    let texts = crate::chip::texts("g80").expect("a built-in chip");
    let sets = [("partition.dram.timing.rc".to_owned(), "40".to_owned())];
    let complaint = Chip::from_texts(&texts, &sets).expect_err("rc is less than ras and rp").to_string();
    let parts = [("complaint", format!("```text\n{complaint}\n```\n")), ("fields", Page::default().text())];
    let mut page = page.to_owned();
    for (name, text) in parts {
        let begin =
            format!("<!-- generated: {name}; to renew it: BLESS=1 cargo test -p warpsim --lib docs -->\n");
        let start =
            page.find(&begin).unwrap_or_else(|| panic!("docs/CONFIG.md has no line {begin}")) + begin.len();
        let end = start + page[start..].find(END).expect("a generated part has an end");
        page.replace_range(start..end, &format!("\n{text}\n"));
    }
    page
}

#[test]
fn the_page_of_chip_files_has_the_fields_of_the_tables() {
    renew("CONFIG.md", chip_page);
}

#[test]
fn the_page_of_launch_files_has_the_fields_of_the_records() {
    renew("LAUNCH.md", |page| renewed(page, &LaunchFile::table()));
}

#[test]
fn the_page_of_experiment_files_has_the_fields_of_the_records() {
    renew("EXPERIMENTS.md", |page| renewed(page, &ExperimentFile::table()));
}

#[test]
fn the_page_of_exercises_has_the_fields_of_the_records() {
    renew("EXERCISES.md", |page| renewed(page, &RubricFile::table()));
}

/// Returns a page of launch or experiment files with its generated parts as they must be. A part is
/// between the lines `<!--fields:PATH-->` and `<!--end-->`. It has the fields of the record at
/// the path, which is empty for the whole file, or the words of a field.
fn renewed(page: &str, root: &Table) -> String {
    const BEGIN: &str = "<!--fields:";
    const END: &str = "<!--end-->";
    let mut parts = page.split(BEGIN);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let ends = part.split_once("-->\n").and_then(|(path, rest)| Some((path, rest.split_once(END)?)));
        let (path, (_, rest)) = ends.unwrap_or_else(|| panic!("a part has no end: {part}"));
        let text = text_at(root, path).unwrap_or_else(|| panic!("`{path}` has no fields and no words"));
        out += &[BEGIN, path, "-->\n\n", &text, "\n", END, rest].concat();
    }
    out
}

/// The fields or the words at a path below a record.
fn text_at(table: &Table, path: &str) -> Option<String> {
    if path.is_empty() {
        return Some(fields(table));
    }
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    let value = &table.fields.iter().find(|field| field.name == name)?.value;
    match value.table() {
        Some(inner) => text_at(inner, rest),
        None => words(value),
    }
}

/// The list of a record's fields.
fn fields(table: &Table) -> String {
    table.fields.iter().map(item).collect()
}

/// The item of a field in a list. Most fields of these files are optional.
fn item(field: &Field) -> String {
    let value = match &field.value {
        Value::Flag if field.presence != Presence::Required => String::new(),
        Value::Int(range) if *range.start() == 0 && is_open(range) => String::new(),
        value => short(value),
    };
    let value = format!("{value} {}", field.unit);
    let presence = match &field.presence {
        Presence::Required => "required".to_owned(),
        Presence::Optional => String::new(),
        Presence::Default(default) => format!("default `{default}`"),
    };
    let parts: Vec<&str> = [value.trim(), &presence].into_iter().filter(|part| !part.is_empty()).collect();
    let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    paragraph(&format!("- `{}`{parts}: {}", field.name, field.about), 2)
}

/// The values of a field in a list.
fn short(value: &Value) -> String {
    match value {
        Value::Text => "string".to_owned(),
        Value::Formula => "formula".to_owned(),
        Value::Record(_) => "record".to_owned(),
        Value::OneOf(_) => "word".to_owned(),
        Value::Extents(..) => "extents".to_owned(),
        Value::Words(words, _) if words.iter().all(|word| word.meaning.is_empty()) => "type".to_owned(),
        Value::Int(range) if is_open(range) => format!("from {}", range.start()),
        Value::List(value) => format!("list: {}", short(value)),
        Value::OneOrList(value) => format!("{}, or list", short(value)),
        Value::Named(value) => format!("map: {}", short(value)),
        other => values_of(other),
    }
}

/// The list of the words of a value, and the list of their fields.
fn words(value: &Value) -> Option<String> {
    let cases = match value {
        Value::List(value) | Value::OneOrList(value) => return words(value),
        Value::OneOf(cases) => cases,
        Value::Words(all, _) => {
            let word = |word: &Word| paragraph(&format!("- `{}`: {}", spelling(word), word.meaning), 2);
            return Some(all.iter().map(word).collect());
        }
        _ => return None,
    };
    let mut out = String::new();
    let mut all: Vec<&Field> = Vec::new();
    for case in cases {
        out += &paragraph(&format!("- `{case}`: {}", case.about), 2);
        for field in case.table().into_iter().flat_map(|table| &table.fields) {
            if all.iter().all(|known| (known.name, known.about) != (field.name, field.about)) {
                all.push(field);
            }
        }
    }
    if !all.is_empty() {
        out += "\nFields:\n\n";
    }
    out.extend(all.into_iter().map(item));
    Some(out)
}

/// Whether the end of a range is the largest number of a type, and no limit.
fn is_open(range: &RangeInclusive<i128>) -> bool {
    *range.end() == i128::from(u32::MAX) || *range.end() == i128::from(u64::MAX)
}

/// The values that a field accepts and their unit, for a cell of a table.
fn values(field: &Field) -> String {
    let values = format!("{} {}", values_of(&field.value), field.unit);
    let values = values.trim_end();
    match &field.presence {
        Presence::Required => values.to_owned(),
        Presence::Optional => format!("{values}; optional"),
        Presence::Default(default) => format!("{values}; optional, `{default}` by default"),
    }
}

fn values_of(value: &Value) -> String {
    match value {
        Value::Words(words, _) => {
            words.iter().map(|word| format!("`{}`", spelling(word))).collect::<Vec<_>>().join(", ")
        }
        Value::WordList(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`{}`", spelling(word))).collect();
            format!("a list of {}", words.join(", "))
        }
        Value::Flag => "`true`, `false`".to_owned(),
        Value::RecordOrNone(_) => "a record or `none`".to_owned(),
        Value::Capability => "`\"major.minor\"`".to_owned(),
        Value::UnitName => "a name of `sm.units`".to_owned(),
        other @ (Value::Int(_)
        | Value::Number(_)
        | Value::Text
        | Value::Formula
        | Value::Extents(..)
        | Value::Record(_)
        | Value::Map(..)
        | Value::OneOf(_)
        | Value::List(_)
        | Value::OneOrList(_)
        | Value::Named(_)
        | Value::Other(_)) => other.to_string(),
    }
}

/// A word with its arguments, as a file has it.
fn spelling(word: &Word) -> String {
    let names: Vec<String> = word.arguments.iter().map(|one| format!("{}: n", one.name)).collect();
    if names.is_empty() { word.word.to_owned() } else { format!("{}({})", word.word, names.join(", ")) }
}

/// The section of the fields.
#[derive(Default)]
struct Page {
    out: String,
    /// Names of the records that have a section.
    records: Vec<&'static str>,
    /// Meanings of the words of each list that is explained.
    words: Vec<Vec<&'static str>>,
    /// Rows of the tables, each with the path of its record.
    rows: Vec<(String, String)>,
}

impl Page {
    fn text(mut self) -> String {
        let chip = schema::chip();
        let mut whole = chip.clone();
        whole.fields.insert(0, schema::base());
        self.section("### The chip", &whole);
        self.below(chip, "", 0);
        self.out.trim_start().to_owned()
    }

    /// The sections of the records below a record.
    fn below(&mut self, table: &Table, path: &str, depth: usize) {
        for field in &table.fields {
            let Some(inner) = field.value.table().filter(|t| !self.records.contains(&t.name)) else {
                continue;
            };
            let paths = places(inner.name);
            self.records.push(inner.name);
            let marks = if depth == 0 { "###" } else { "####" };
            let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
            self.section(&format!("{marks} {}", paths.join(", ")), inner);
            self.below(inner, &join(path, field.name), depth + 1);
        }
    }

    fn section(&mut self, heading: &str, table: &Table) {
        let _ = write!(self.out, "\n{heading}\n\n{}\n", paragraph(table.about, 0));
        if table.fields.iter().all(|field| matches!(field.value, Value::Record(_))) {
            self.out += "| field | explanation |\n|---|---|\n";
            for field in &table.fields {
                let _ = writeln!(self.out, "| `{}` | {} |", field.name, field.about);
            }
            return;
        }
        self.out += "| field | values | explanation |\n|---|---|---|\n";
        let is_part =
            |field: &&Field| matches!(field.value, Value::Record(_)) && field.presence == Presence::Required;
        for field in table.fields.iter().filter(|field| !is_part(field)) {
            let kind = if field.effect == Some(Effect::Meaning) { "**meaning**: " } else { "" };
            let Field { name, about, .. } = field;
            let row = format!("| `{name}` | {} | {kind}{about} |\n", values(field));
            // Caches have many fields in common.
            if let Some((place, _)) = self.rows.iter().find(|(_, known)| *known == row) {
                let _ = writeln!(self.out, "| `{name}` | {} | As in `{place}`. |", values(field));
            } else {
                let place = places(table.name).first().map_or_else(|| "the chip".to_owned(), Clone::clone);
                self.out += &row;
                self.rows.push((place, row));
            }
        }
        let parts: Vec<String> =
            table.fields.iter().filter(is_part).map(|field| format!("`{}`", field.name)).collect();
        if !parts.is_empty() {
            self.out += "\n";
            self.out += &paragraph(&format!("Records with a section below: {}.", parts.join(", ")), 0);
        }
        for field in &table.fields {
            let listed = match &field.value {
                Value::Words(words, arguments) => Some((*words, arguments.as_slice())),
                Value::WordList(words) => Some((*words, [].as_slice())),
                _ => None,
            };
            if let Some((words, arguments)) = listed {
                // Fields whose words have the same meanings share the list.
                let meanings: Vec<&'static str> = words.iter().map(|word| word.meaning).collect();
                if self.words.contains(&meanings) {
                    continue;
                }
                self.words.push(meanings);
                let _ = write!(self.out, "\nThe words of `{}`:\n\n", field.name);
                for word in words {
                    let argument = arguments.iter().find(|a| word.arguments.iter().any(|w| w.name == a.name));
                    let argument = argument.map_or_else(String::new, |a| {
                        format!(" Argument `{}`, {}: {}", a.name, a.value, a.about)
                    });
                    let item = format!("- `{}`: {}{argument}", spelling(word), word.meaning);
                    self.out += &paragraph(&item, 2);
                }
            }
        }
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// All paths of a record. `*` stands for any name.
fn places(record: &str) -> Vec<String> {
    fn walk(table: &Table, path: &str, record: &str, out: &mut Vec<String>) {
        let kinds: Vec<Option<&str>> = table.fields.iter().map(|f| f.value.table().map(|t| t.name)).collect();
        // Records of the same kind side by side have one path.
        let same = kinds.len() > 1 && kinds.iter().all(|kind| kind.is_some() && *kind == kinds[0]);
        for field in table.fields.iter().take(if same { 1 } else { usize::MAX }) {
            let Some(inner) = field.value.table() else { continue };
            let mut full = join(path, if same { "*" } else { field.name });
            if matches!(field.value, Value::Map(..)) {
                full += ".*";
            }
            if inner.name == record {
                out.push(full.clone());
            }
            walk(inner, &full, record, out);
        }
    }
    let mut out = Vec::new();
    walk(schema::chip(), "", record, &mut out);
    out
}
