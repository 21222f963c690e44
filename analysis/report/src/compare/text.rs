//! The comparison as text with at most 80 characters per line, and as Markdown.

use super::difference::Comparison;
use super::page::{Section, Table, sections};
use crate::render::table::{Column, Columns, NARROW, filled, heading_within, line};

/// Returns the comparison as text.
pub fn text(comparison: &Comparison) -> String {
    let mut out = String::new();
    line(&mut out, filled(&comparison.answer().join(" "), "", NARROW.into()));
    for Section { title, note, table } in sections(comparison) {
        out += &if title.is_empty() { "\n".to_owned() } else { heading_within(title, NARROW) };
        if !note.is_empty() {
            line(&mut out, filled(&note, "  ", NARROW.into()));
        }
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
