//! `config explain launch.PATH` and `config explain experiment.PATH`: fields of the files that the
//! user writes, from the records by which they are read.

use super::describe;
use crate::exit::Failure;
use crate::render::table::{Column, Columns};
use isa::diag::nearest;
use sim_core::config::schema::{Arguments, Case, Field, Presence, Table, Value};

/// Record or value that a step of a path names.
#[derive(Clone, Copy)]
enum At<'t> {
    Record(&'t Table),
    Field(&'t Field),
    Word(&'t Case),
}

/// Explains the field, record or word at a path of a kind of files. An empty path is the file.
pub fn explain(kind: &str, root: &Table, path: &str) -> Result<String, Failure> {
    let mut at = At::Record(root);
    let mut known = kind.to_owned();
    for step in path.split('.').filter(|step| !step.is_empty()) {
        let below = below(at);
        at = *below.iter().find(|below| name(**below) == step).ok_or_else(|| {
            let near = nearest(step, below.iter().map(|below| name(*below)));
            let near = near.map_or_else(String::new, |near| format!("\nhelp: did you mean `{known}.{near}`?"));
            Failure::input(format!(
                "error: `{known}` has no field `{step}`{near}\nhelp: `warpsim config explain {known}` lists its fields"
            ))
        })?;
        known = format!("{known}.{step}");
    }
    Ok(entry(&known, at))
}

fn name(at: At<'_>) -> &str {
    match at {
        At::Record(table) => table.name,
        At::Field(field) => field.name,
        At::Word(case) => case.word,
    }
}

/// The fields and words that a path can continue with, each name once.
fn below(at: At) -> Vec<At> {
    match at {
        At::Record(table) => table.fields.iter().map(At::Field).collect(),
        At::Field(field) => of_value(&field.value),
        At::Word(case) => match &case.arguments {
            Arguments::Record(table) => table.fields.iter().map(At::Field).collect(),
            Arguments::None | Arguments::Positions(_) => Vec::new(),
        },
    }
}

fn of_value(value: &Value) -> Vec<At<'_>> {
    match value {
        Value::List(value) | Value::OneOrList(value) | Value::Named(value) => of_value(value),
        Value::OneOf(cases) => cases.iter().map(At::Word).collect(),
        Value::Words(_, arguments) => arguments.iter().map(At::Field).collect(),
        value => value.table().into_iter().flat_map(|table| &table.fields).map(At::Field).collect(),
    }
}

/// The text of a place, with a line for each field or word below it.
fn entry(path: &str, at: At) -> String {
    let mut table = Columns::new(&[Column::Words(8), Column::Rest]);
    match at {
        At::Record(record) => table.row(&["what", &plain(record.about)]),
        At::Field(field) => {
            describe(field, &mut table);
            match &field.presence {
                Presence::Required => table.row(&["needed", "in every file"]),
                Presence::Optional => {}
                Presence::Default(value) => table.row(&["default", value]),
            }
        }
        At::Word(case) => {
            table.row(&["what", &plain(case.about)]);
            table.row(&["written", &case.to_string()]);
            if let Arguments::Positions(values) = &case.arguments {
                for (name, value) in values {
                    table.row(&["", &format!("{name}: {value}")]);
                }
            }
        }
    }
    let mut out = format!("{path}\n{}", table.draw());
    let below = below(at);
    if !below.is_empty() {
        let mut table = Columns::new(&[Column::Words(24), Column::Rest]);
        for at in below {
            let about = match at {
                At::Record(record) => record.about,
                At::Field(field) => field.summary(),
                At::Word(case) => case.about,
            };
            table.row(&[name(at), &plain(about)]);
        }
        out.push('\n');
        out += &table.draw();
    }
    out
}

/// A text of a page without its links: those in parentheses only name other sections.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once(']').and_then(|(word, after)| {
            let (_, after) = after.strip_prefix('(')?.split_once(')')?;
            Some((word, after))
        });
        match link {
            None => {
                out += before;
                out.push('[');
                rest = after;
            }
            Some((word, after)) => {
                let alone = before.strip_suffix(" (").zip(after.strip_prefix(')'));
                let (before, word, after) =
                    alone.map_or((before, word, after), |(before, after)| (before, "", after));
                out += before;
                out += word;
                rest = after;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn links_become_words_or_nothing() {
        assert_eq!(
            plain("Values, such as `[lrr, x(1)]` ([below](#a)). See [A](b.md)."),
            "Values, such as `[lrr, x(1)]`. See A."
        );
        assert_eq!(plain("an [open"), "an [open");
    }
}
