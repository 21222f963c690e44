//! The grade as text: a summary, a table of all mutants that ran, and the survivors on their source
//! lines.

use super::document::{Document, MutantRow};
use super::places::Places;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use report::render::number::plural;
use report::render::table::{Column, Columns, filled, line, wrapped};
use std::ops::Range;
use warpsim_check::mutate::ChangeKind;

/// Width of the text of a note, which is indented.
const NOTE_WIDTH: usize = 84;
/// Width of a line of the summary.
const WIDTH: usize = 100;
/// Widths of the columns for source lines and changes.
const CELLS: [u16; 2] = [34, 32];

/// Returns the whole text.
pub fn render(document: &Document, places: &Places) -> String {
    let mut out = summary(document);
    out += &table(document);
    let survivors: Vec<&MutantRow> = document.mutants.iter().filter(|row| row.fate == "survived").collect();
    for of_line in survivors.chunk_by(|a, b| place(a) == place(b)) {
        out.extend(["\n", &drawn(of_line, places), "\n"]);
    }
    let mut missing: Vec<ChangeKind> = survivors.iter().map(|row| row.kind).collect();
    missing.dedup();
    if !missing.is_empty() {
        out += "\nTo notice the survivors:\n";
    }
    for kind in missing {
        let lines = wrapped(&format!("  {kind:<10}  "), kind.missing_check(), 14, WIDTH);
        for text in lines {
            line(&mut out, text);
        }
    }
    out
}

/// Returns the number of mutants, and the score.
fn summary(document: &Document) -> String {
    let Document { kernel, made, equivalent, invalid, run, noticed, .. } = document;
    let mut out = String::new();
    let mut facts = vec![plural(*made as u64, "mutant")];
    let tried = run + equivalent + invalid;
    facts.extend((tried < *made).then(|| format!("{tried} tried")));
    facts.extend((*equivalent > 0).then(|| format!("{equivalent} equivalent, not run")));
    facts.extend((*invalid > 0).then(|| format!("{invalid} refused by the compiler")));
    line(&mut out, format!("{kernel}: {}", facts.join("; ")));
    let by: Vec<String> =
        document.noticed_by.iter().map(|by| format!("{} by {}", by.mutants, by.by)).collect();
    let score = document.score.map_or_else(|| "–".to_owned(), |score| format!("{score:.1} %"));
    let list = if by.is_empty() { String::new() } else { format!(": {}", by.join(", ")) };
    let text = format!("score {score}: {noticed} of {run} noticed{list}");
    for text in wrapped("", &text, 2, WIDTH) {
        line(&mut out, text);
    }
    if *run > 0 {
        let percent = |score: Option<f64>| score.map_or_else(String::new, |score| format!(" {score:.1} %"));
        let kinds: Vec<String> =
            document.scores.iter().map(|one| format!("{}{}", one.by, percent(one.score))).collect();
        for text in wrapped("", &format!("score of each kind of checks: {}", kinds.join(", ")), 2, WIDTH) {
            line(&mut out, text);
        }
    }
    if !document.has_expectations {
        line(&mut out, "warning: no result is compared: the launch file has no `expect` about data");
    }
    for check in &document.unused_checkers {
        let text =
            format!("warning: the checker `{check}` was not used: it finds errors in the program itself");
        line(&mut out, text);
    }
    out
}

/// The kind and the line of a mutant.
fn place(row: &MutantRow) -> (ChangeKind, &str, u32) {
    (row.kind, &row.file, row.line)
}

/// Returns a text with single blanks for a column of `width` characters.
fn short(text: &str, width: u16) -> String {
    // A column begins with a blank.
    let width = usize::from(width) - 2;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= width {
        return text;
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

/// Returns the table of the mutants that ran, by kind.
fn table(document: &Document) -> String {
    let several = document.mutants.iter().any(|row| row.file != document.mutants[0].file);
    let [source, change] = CELLS;
    let columns = [
        Column::Words(10),
        Column::Numbers(4),
        Column::Words(source),
        Column::Words(change),
        Column::Words(10),
    ];
    let mut table = Columns::new(&columns).titles(&["kind", "line", "source", "change", "noticed by"]);
    let mut kind = None;
    for row in document.mutants.iter().filter(|row| ["noticed", "survived"].contains(&row.fate)) {
        if kind.is_some_and(|kind| kind != row.kind) {
            table.gap();
        }
        let title = if kind == Some(row.kind) { "" } else { row.kind.name() };
        kind = Some(row.kind);
        let place = if several { format!("{}:{}", row.file, row.line) } else { row.line.to_string() };
        let by = row.by.unwrap_or("– survives");
        table.row(&[title, &place, &short(&row.source, source), &short(&row.change, change), by]);
    }
    if table.is_empty() { String::new() } else { format!("\n{}\n", table.draw().trim_end()) }
}

/// Returns the survivors of one kind and line on their source line.
fn drawn(rows: &[&MutantRow], places: &Places) -> String {
    let first = rows[0];
    let what = match rows {
        [_] => "this change".to_owned(),
        several => format!("these {} changes", several.len()),
    };
    let title = format!("line {}: no check notices {what}", first.line);
    let title = filled(&title, "", WIDTH - "warning[arithmetic]: ".len());
    // Changes of the same part have one label.
    let mut marks: Vec<(&Range<usize>, String)> = Vec::new();
    for row in rows {
        match marks.iter_mut().find(|(mark, _)| **mark == row.place.marked) {
            Some((_, label)) if !places.is_cuda() => label.extend(["; ", &row.change]),
            Some(_) => {}
            // A line of CUDA C has changes of several instructions, which the notes show.
            None if places.is_cuda() => marks.push((&row.place.marked, String::new())),
            None => marks.push((&row.place.marked, row.change.clone())),
        }
    }
    let snippet = Snippet::source(first.source.as_str()).path(first.file.as_str());
    let annotations = marks.iter().map(|(mark, label)| {
        let annotation = AnnotationKind::Primary.span((*mark).clone());
        if label.is_empty() { annotation } else { annotation.label(label.as_str()) }
    });
    let snippet = snippet.line_start(first.line as usize).annotations(annotations);
    let note = |row: &&MutantRow| {
        let new = row.mutant.as_ref().map_or_else(|| "removed".to_owned(), |text| format!("now `{text}`"));
        filled(&format!("PTX line {}: `{}`, {new}", row.ptx_line, row.instruction), "", NOTE_WIDTH)
    };
    let notes: Vec<String> = if places.is_cuda() { rows.iter().map(note).collect() } else { Vec::new() };
    let mut group = Level::WARNING.primary_title(title.as_str()).id(first.kind.name()).element(snippet);
    for note in &notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    Renderer::plain().render(&[group])
}
