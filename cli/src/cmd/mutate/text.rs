//! The grade as text: a summary, a table of all mutants that ran, and the survivors on their source
//! lines.

use super::document::{Document, Row};
use super::places::Places;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use report::render::number::plural;
use report::render::table::{Column, Columns, filled, line, wrapped};
use warpsim_check::mutate::Kind;

/// Width of the text of a note, which is indented.
const NOTE_WIDTH: usize = 84;
/// Width of a line of the summary.
const WIDTH: usize = 100;
/// Largest number of characters of a source line or of a change in the table.
const CELL: usize = 44;

/// Returns the whole text.
pub fn render(document: &Document, places: &Places) -> String {
    let mut out = summary(document);
    out += &table(document);
    let survivors: Vec<&Row> = document.mutants.iter().filter(|row| row.fate == "survived").collect();
    for row in &survivors {
        out.extend(["\n", &drawn(row, places), "\n"]);
    }
    let mut missing: Vec<Kind> = survivors.iter().map(|row| row.kind).collect();
    missing.dedup();
    if !missing.is_empty() {
        out += "\nTo notice the survivors:\n";
    }
    for kind in missing {
        let lines = wrapped(&format!("  {kind:<10}  "), kind.missing_check(), 14, WIDTH);
        lines.into_iter().for_each(|text| line(&mut out, text));
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
    wrapped("", &text, 2, WIDTH).into_iter().for_each(|text| line(&mut out, text));
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

/// Returns a text of at most [`CELL`] characters.
fn short(text: &str) -> String {
    if text.chars().count() <= CELL {
        return text.to_owned();
    }
    text.chars().take(CELL - 1).chain(['…']).collect()
}

/// Returns the table of the mutants that ran, by kind.
fn table(document: &Document) -> String {
    let several = document.mutants.iter().any(|row| row.file != document.mutants[0].file);
    let columns =
        [Column::Words(10), Column::Numbers(4), Column::Words(20), Column::Words(16), Column::Words(8)];
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
        table.row(&[title, &place, &short(&row.source), &short(&row.change), by]);
    }
    if table.is_empty() { String::new() } else { format!("\n{}\n", table.draw().trim_end()) }
}

/// Returns a survivor on its source line.
fn drawn(row: &Row, places: &Places) -> String {
    let place = &row.place;
    let title = format!("line {}: no check notices the change {}", row.line, row.change);
    let title = filled(&title, "", WIDTH - "warning[arithmetic]: ".len());
    let mark = AnnotationKind::Primary.span(place.marked.clone()).label(row.change.as_str());
    let snippet =
        Snippet::source(place.text.as_str()).path(place.file.as_str()).line_start(place.line as usize);
    let mut group =
        Level::WARNING.primary_title(title.as_str()).id(row.kind.name()).element(snippet.annotation(mark));
    let mut notes = Vec::new();
    if places.is_cuda() {
        let new = row.mutant.as_ref().map_or_else(|| "removed".to_owned(), |text| format!("now `{text}`"));
        notes.push(filled(
            &format!("PTX line {}: `{}`, {new}", row.ptx_line, row.instruction),
            "",
            NOTE_WIDTH,
        ));
    }
    for note in &notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    Renderer::plain().render(&[group])
}
