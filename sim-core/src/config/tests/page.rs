//! The generated parts of `docs/CONFIG.md`: the fields, a complaint, and the codes. `BLESS=1`
//! writes them.

use super::*;
use crate::config::schema::{self, Effect, Field, Presence, Table, Value};
use std::fmt::Write;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/CONFIG.md");
const END: &str = "<!-- end of the generated part -->";

/// Largest number of columns of a line of prose.
const COLUMNS: usize = 100;

/// The parts by the word of their marker, each with its text.
fn parts() -> [(&'static str, String); 3] {
    let mut codes = "| code | meaning |\n|---|---|\n".to_owned();
    for (code, meaning) in codes::ALL {
        let _ = writeln!(codes, "| `{code}` | {meaning} |");
    }
    let complaint = complaints::drawn(&[("partition.dram.timing.rc", "40")]);
    let complaint = format!("```text\n{complaint}\n```\n");
    [("complaint", complaint), ("fields", Page::default().text()), ("codes", codes)]
}

/// The page with its generated parts as they must be.
fn renewed(page: &str) -> String {
    let mut page = page.to_owned();
    for (name, text) in parts() {
        let begin = format!(
            "<!-- generated: {name}; to renew it: BLESS=1 cargo test -p sim-core config::tests::page -->\n"
        );
        let start =
            page.find(&begin).unwrap_or_else(|| panic!("docs/CONFIG.md has no line {begin}")) + begin.len();
        let end = start + page[start..].find(END).expect("a generated part has an end");
        page.replace_range(start..end, &format!("\n{text}\n"));
    }
    page
}

#[test]
fn the_page_of_chip_files_has_the_fields_and_codes_of_the_tables() {
    let page = std::fs::read_to_string(PATH).expect("the page can be read").replace("\r\n", "\n");
    let now = renewed(&page);
    if now == page {
        return;
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(PATH, now).expect("the page can be written");
        return;
    }
    let differs = page.lines().zip(now.lines()).find(|(old, new)| old != new);
    panic!("docs/CONFIG.md is old; run the test with BLESS=1. First difference: {differs:#?}");
}

/// The section of the fields.
#[derive(Default)]
struct Page {
    out: String,
    /// Names of the records that have a section.
    records: Vec<&'static str>,
    /// First words of the lists that are explained.
    words: Vec<&'static str>,
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
        let _ = write!(self.out, "\n{heading}\n\n{}\n", wrapped(table.about, ""));
        if table.fields.iter().all(|field| matches!(field.value, Value::Record(_))) {
            self.out += "| field | explanation |\n|---|---|\n";
            for field in &table.fields {
                let _ = writeln!(self.out, "| `{}` | {} |", field.name, field.about);
            }
            return;
        }
        self.out += "| field | unit | values | kind | explanation |\n|---|---|---|---|---|\n";
        for field in &table.fields {
            let kind = match field.effect {
                Some(Effect::Meaning) => "**meaning**",
                Some(Effect::Timing) => "timing",
                None => "",
            };
            let Field { name, unit, about, .. } = field;
            let _ = writeln!(self.out, "| `{name}` | {unit} | {} | {kind} | {about} |", values(field));
        }
        for field in &table.fields {
            let listed = match &field.value {
                Value::Words(words, arguments) => Some((*words, arguments.as_slice())),
                Value::WordList(words) => Some((*words, [].as_slice())),
                _ => None,
            };
            if let Some((words, arguments)) = listed {
                if self.words.contains(&words[0].word) {
                    continue;
                }
                self.words.push(words[0].word);
                let _ = write!(self.out, "\nThe words of `{}`:\n\n", field.name);
                for word in words {
                    let argument = arguments.iter().find(|a| word.argument.is_some_and(|w| w.name == a.name));
                    let argument = argument.map_or_else(String::new, |a| {
                        format!(" Argument `{}`, {}: {}", a.name, a.value, a.about)
                    });
                    let item = format!("- `{}`: {}{argument}", spelling(word), word.meaning);
                    self.out += &wrapped(&item, "  ");
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

/// The values that a field accepts, for a cell of a table.
fn values(field: &Field) -> String {
    let values = match &field.value {
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
        | Value::Extents(_)
        | Value::Record(_)
        | Value::Map(..)) => other.to_string(),
    };
    match &field.presence {
        Presence::Required => values,
        Presence::Optional => format!("{values}; optional"),
        Presence::Default(default) => format!("{values}; optional, `{default}` by default"),
    }
}

fn spelling(word: &Word) -> String {
    match word.argument {
        Some(argument) => format!("{}({}: n)", word.word, argument.name),
        None => word.word.to_owned(),
    }
}

/// A paragraph in lines of at most [`COLUMNS`] columns, all but the first one indented.
fn wrapped(text: &str, indent: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > COLUMNS {
            out.push('\n');
            out += indent;
            column = indent.len();
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += width;
    }
    out + "\n"
}
