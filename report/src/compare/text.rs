//! The comparison as text with at most 80 characters per line, and as Markdown.

use super::difference::Comparison;
use super::page::{Section, Table, sections};
use crate::render::table::{Column, Columns, NARROW, heading_within, line};

/// Returns the comparison as text.
pub fn text(comparison: &Comparison) -> String {
    let mut out = String::new();
    line(&mut out, wrapped(&comparison.answer().join(" "), "").trim_end());
    for Section { title, note, table } in sections(comparison) {
        out += &if title.is_empty() { "\n".to_owned() } else { heading_within(title, NARROW) };
        out += &wrapped(&note, "  ");
        if !table.rows.is_empty() {
            out += &drawn(&table);
        }
    }
    out
}

fn drawn(table: &Table) -> String {
    let columns: Vec<Column> = table.columns.iter().map(|(column, _)| *column).collect();
    let titles: Vec<&str> = table.columns.iter().map(|(_, title)| *title).collect();
    let mut drawn = Columns::new(&columns).narrow().titles(&titles);
    for row in &table.rows {
        drawn.row(&row.iter().map(String::as_str).collect::<Vec<_>>());
    }
    drawn.draw()
}

/// Wraps a text to lines of at most [`NARROW`] characters that begin with `indent`; an empty text
/// gives no lines.
fn wrapped(text: &str, indent: &str) -> String {
    let (mut out, mut width) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length <= usize::from(NARROW) {
            out.push(' ');
            width += 1 + length;
        } else {
            if width > 0 {
                out.push('\n');
            }
            out += indent;
            width = indent.len() + length;
        }
        out += word;
    }
    if width > 0 {
        out.push('\n');
    }
    out
}

/// Returns the comparison as Markdown.
pub fn markdown(comparison: &Comparison) -> String {
    let [verdict, reason] = comparison.answer();
    let mut out = format!("# Comparison of two runs\n\n**{verdict}** {reason}\n");
    for Section { title, note, table } in sections(comparison) {
        if !title.is_empty() {
            out.extend(["\n## ", title, "\n"]);
        }
        if !note.is_empty() {
            out.extend(["\n", &note, "\n"]);
        }
        if table.rows.is_empty() {
            continue;
        }
        let cells = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        out.push('\n');
        out += &cells(table.columns.iter().map(|(_, title)| (*title).to_owned()).collect());
        let rule = |column: &Column| match column {
            Column::Numbers(_) => "---:".to_owned(),
            Column::Words(_) | Column::Rest => "---".to_owned(),
        };
        let rules: Vec<String> = table.columns.iter().map(|(column, _)| rule(column)).collect();
        out.extend(["|", &rules.join("|"), "|\n"]);
        for row in table.rows {
            out += &cells(row.iter().map(|cell| cell.replace('|', "\\|")).collect());
        }
    }
    out
}
