//! The comparison as sections of notes and tables, for text and Markdown.

use super::answer::cut;
use super::difference::{Comparison, LineRow, Of, Side};
use super::moved;
use super::outcome::{Parts, SlotOutcome, Times};
use crate::render::number::{count, fixed, percent, plural, rate, signed};
use crate::render::table::Column;

/// Maximum number of rows of a table.
const MOST_LINES: usize = 10;
/// Maximum number of metrics.
const MOST_METRICS: usize = 10;
/// Maximum number of characters of a source line in a table.
const SOURCE: usize = 60;

/// A part of the page.
pub struct Section {
    /// Title; empty for the first section.
    pub title: &'static str,
    /// Sentence above the table; may be empty.
    pub note: String,
    /// Table; empty if there is nothing to list.
    pub table: Table,
}

/// A table: columns with their titles, and rows.
#[derive(Default)]
pub struct Table {
    /// Columns and their titles.
    pub columns: Vec<(Column, &'static str)>,
    /// Cells of each row.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    fn new(columns: &[(Column, &'static str)]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    fn row<const N: usize>(&mut self, cells: [&str; N]) {
        self.rows.push(cells.map(str::to_owned).to_vec());
    }
}

/// Returns all sections after the answer.
pub fn sections(comparison: &Comparison) -> Vec<Section> {
    let mut sections = vec![times(comparison), input(comparison), outcomes(comparison)];
    sections.extend(lines(comparison));
    sections.extend(launches(comparison));
    sections.push(metrics(comparison));
    sections
}

/// Format of microseconds in the tables; the number of decimals.
struct Us(usize);

impl Us {
    fn plain(&self, us: f64) -> String {
        fixed(us, self.0)
    }

    fn signed(&self, us: f64) -> String {
        signed(us, self.0)
    }

    /// Whether a time is visible, so not printed as 0.
    fn is_visible(&self, us: f64) -> bool {
        self.plain(us).contains(|c| ('1'..='9').contains(&c))
    }
}

/// Returns a source line in backticks, shortened if it is long.
fn code(source: &str) -> String {
    format!("`{}`", cut(source, SOURCE).replace('`', "'"))
}

fn share(part: f64, whole: f64) -> String {
    if whole == 0.0 { "-".to_owned() } else { percent(part / whole) }
}

fn times(comparison: &Comparison) -> Section {
    let columns = [
        (Column::Words(1), ""),
        (Column::Numbers(10), "us"),
        (Column::Numbers(10), "cycles"),
        (Column::Numbers(10), "warp instr."),
        (Column::Rest, "run"),
    ];
    let us = Us(comparison.decimals());
    let mut table = Table::new(&columns);
    for (letter, side) in [("A", &comparison.a), ("B", &comparison.b)] {
        let report = &side.report;
        let (time, cycles) = (us.plain(report.microseconds()), count(report.cycles()));
        table.row([letter, &time, &cycles, &count(report.instructions()), &name(side)]);
    }
    let wrong: Vec<&str> = [("A", &comparison.a), ("B", &comparison.b)]
        .into_iter()
        .filter(|(_, side)| side.report.passed == Some(false))
        .map(|(letter, _)| letter)
        .collect();
    let mut notes = Vec::new();
    if !wrong.is_empty() {
        notes.push(format!(
            "Warning: the result of {} is wrong, so its time may mean nothing.",
            wrong.join(" and ")
        ));
    }
    if comparison.a.report.estimated() || comparison.b.report.estimated() {
        notes.push("Times of a sampled launch (--sample) are estimates.".to_owned());
    }
    Section { title: "", note: notes.join(" "), table }
}

/// Returns a run's name with its kernel and chip, if the name does not contain them.
fn name(side: &Side) -> String {
    let provenance = &side.report.provenance;
    let size = provenance.size.map_or_else(String::new, |size| format!(" --size {size}"));
    let estimate = if side.report.estimated() { ", estimated" } else { "" };
    if side.name.starts_with("run ") {
        return format!("{}{estimate}", side.name);
    }
    format!("{}: {}{size} on {}{estimate}", side.name, provenance.kernel, provenance.chip)
}

fn input(comparison: &Comparison) -> Section {
    let mut table =
        Table::new(&[(Column::Words(24), "input"), (Column::Words(20), "A"), (Column::Words(20), "B")]);
    for input in &comparison.input {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        table.row([&input.field, &value(&input.a), &value(&input.b)]);
    }
    let (a, b) = (&comparison.a.report.provenance.chip, &comparison.b.report.provenance.chip);
    let note = if comparison.input.is_empty() {
        "Nothing: both runs have the same input.".to_owned()
    } else if a == b {
        String::new()
    } else {
        format!("`warpsim config diff {a} {b}` lists every difference of the chips.")
    };
    Section { title: "What differs in the input", note, table }
}

fn outcomes(comparison: &Comparison) -> Section {
    let us = Us(comparison.decimals());
    let whole = comparison.times.difference();
    let mut table = Table::new(&[
        (Column::Words(32), "issue slots"),
        (Column::Numbers(8), "A us"),
        (Column::Numbers(8), "B us"),
        (Column::Numbers(8), "B - A us"),
        (Column::Numbers(8), "cycles"),
        (Column::Numbers(6), "%"),
    ]);
    let mut row = |name: &str, times: Times| {
        let difference = times.difference();
        let cycles = comparison.cycles(difference).map_or_else(|| "-".to_owned(), |cycles| signed(cycles, 0));
        let cells =
            [us.plain(times.a), us.plain(times.b), us.signed(difference), cycles, share(difference, whole)];
        let [a, b, by, cycles, share] = &cells;
        table.row([name, a, b, by, cycles, share]);
    };
    for (outcome, times) in comparison.outcomes.iter().filter(|(_, times)| times.a != 0.0 || times.b != 0.0) {
        row(&outcome.label(), *times);
    }
    row("sum", comparison.times);
    let note = "The time of a run divided by what became of its issue slots, and the difference between the runs. \
                An empty slot is charged to the state of the warp closest to issuing. \
                % is the share of the difference.";
    Section { title: "Difference by issue slot outcome", note: note.to_owned(), table }
}

/// Returns the line tables: one if both runs have the same program, otherwise one for each run.
fn lines(comparison: &Comparison) -> Vec<Section> {
    let rows = |of: Of| comparison.lines.iter().filter(|row| row.of == of).collect::<Vec<_>>();
    if comparison.same_program {
        return vec![paired(comparison, &rows(Of::Both))];
    }
    let a = alone(
        comparison,
        "Lines of A",
        "The programs differ, so each has its own table; the difference of the two sums is the whole difference.",
        |t| t.a,
        &rows(Of::A),
    );
    let b = alone(comparison, "Lines of B", "", |times| times.b, &rows(Of::B));
    vec![a, b]
}

/// Returns the name of the outcome with most of a line's time or difference.
fn mostly(parts: &Parts, value: impl Fn(Times) -> f64) -> String {
    let largest = parts.iter().max_by(|(_, x), (_, y)| value(*x).abs().total_cmp(&value(*y).abs()));
    largest.map_or_else(String::new, |(outcome, _)| in_short(*outcome))
}

/// Returns the label of an outcome without the word for an empty slot, which most outcomes have.
fn in_short(outcome: SlotOutcome) -> String {
    outcome.label().trim_start_matches("empty: ").to_owned()
}

fn paired(comparison: &Comparison, rows: &[&LineRow]) -> Section {
    let us = Us(comparison.decimals());
    let mut table = Table::new(&[
        (Column::Numbers(4), "line"),
        (Column::Numbers(7), "A us"),
        (Column::Numbers(7), "B us"),
        (Column::Numbers(8), "B - A us"),
        (Column::Words(19), "mostly"),
        (Column::Rest, "source"),
    ]);
    let mut row = |line: &str, times: Times, mostly: &str, source: &str| {
        let cells = [us.plain(times.a), us.plain(times.b), us.signed(times.difference())];
        table.row([line, &cells[0], &cells[1], &cells[2], mostly, source]);
    };
    // The rows are sorted by their differences.
    let visible = rows.iter().take_while(|row| us.is_visible(row.times.difference())).count();
    let (first, rest) = rows.split_at(visible.min(MOST_LINES));
    for line in first {
        let mostly = mostly(&line.parts, Times::difference);
        row(&line.line.to_string(), line.times, &mostly, &code(&line.source));
    }
    if !rest.is_empty() {
        row("", total(rest.iter().map(|line| line.times)), "", &plural(rest.len() as u64, "other line"));
    }
    for (outcome, times) in &comparison.no_line {
        row("", *times, &in_short(*outcome), "(no line)");
    }
    row("", comparison.times, "", "sum");
    let note =
        "Both runs have the same PTX text; \"mostly\" is the issue slot outcome with most of the difference.";
    Section { title: "Difference by source line", note: note.to_owned(), table }
}

fn alone(
    comparison: &Comparison,
    title: &'static str,
    note: &str,
    time: impl Fn(Times) -> f64,
    rows: &[&LineRow],
) -> Section {
    let us = Us(comparison.decimals());
    let whole = time(comparison.times);
    let mut table = Table::new(&[
        (Column::Numbers(4), "line"),
        (Column::Numbers(8), "us"),
        (Column::Numbers(6), "%"),
        (Column::Words(19), "mostly"),
        (Column::Rest, "source"),
    ]);
    let mut row = |line: &str, us_of: f64, mostly: &str, source: &str| {
        table.row([line, &us.plain(us_of), &share(us_of, whole), mostly, source]);
    };
    let (first, rest) = rows.split_at(rows.len().min(MOST_LINES));
    for line in first {
        row(&line.line.to_string(), time(line.times), &mostly(&line.parts, &time), &code(&line.source));
    }
    if !rest.is_empty() {
        row(
            "",
            time(total(rest.iter().map(|line| line.times))),
            "",
            &plural(rest.len() as u64, "other line"),
        );
    }
    for (outcome, times) in comparison.no_line.iter().filter(|(_, times)| time(*times) != 0.0) {
        row("", time(*times), &in_short(*outcome), "(no line)");
    }
    row("", whole, "", "sum");
    Section { title, note: note.to_owned(), table }
}

fn total(all: impl Iterator<Item = Times>) -> Times {
    all.fold(Times::default(), |sum, times| Times { a: sum.a + times.a, b: sum.b + times.b })
}

/// Returns the table of launches, if there are several.
fn launches(comparison: &Comparison) -> Option<Section> {
    const TITLE: &str = "Launches";
    let (a, b) = (&comparison.a.report.launches, &comparison.b.report.launches);
    if a.len() <= 1 && b.len() <= 1 {
        return None;
    }
    let Some(pairs) = &comparison.launches else {
        let note = format!(
            "A launches {} kernels and B {}, not the same ones in the same order: their sums are compared.",
            a.len(),
            b.len()
        );
        return Some(Section { title: TITLE, note, table: Table::default() });
    };
    let us = Us(comparison.decimals());
    let mut table = Table::new(&[
        (Column::Numbers(4), "launch"),
        (Column::Numbers(8), "A us"),
        (Column::Numbers(8), "B us"),
        (Column::Numbers(8), "B - A us"),
        (Column::Rest, "kernel"),
    ]);
    for (number, (kernel, times)) in (1..).zip(pairs.iter().take(MOST_LINES)) {
        let cells = [us.plain(times.a), us.plain(times.b), us.signed(times.difference())];
        table.row([&format!("{number}"), &cells[0], &cells[1], &cells[2], kernel]);
    }
    if pairs.len() > MOST_LINES {
        let rest = total(pairs[MOST_LINES..].iter().map(|(_, times)| *times));
        let cells = [us.plain(rest.a), us.plain(rest.b), us.signed(rest.difference())];
        let name = format!("the other {}", pairs.len() - MOST_LINES);
        table.row(["", &cells[0], &cells[1], &cells[2], &name]);
    }
    let note = "Everything above is the sum over the launches.".to_owned();
    Some(Section { title: TITLE, note, table })
}

fn metrics(comparison: &Comparison) -> Section {
    let cause = comparison.cause.map(|cause| cause.moved);
    let shown = moved::shown(&comparison.metrics, cause, MOST_METRICS);
    let mut table = Table::new(&[
        (Column::Words(30), "metric"),
        (Column::Numbers(12), "A"),
        (Column::Numbers(12), "B"),
        (Column::Words(12), "unit"),
        (Column::Rest, "change"),
    ]);
    let number = |value: f64| if value.fract() == 0.0 { fixed(value, 0) } else { rate(value) };
    for moved in &shown {
        let cells = [number(moved.a), number(moved.b), moved.change_text()];
        table.row([moved.metric.name, &cells[0], &cells[1], moved.metric.unit, &cells[2]]);
    }
    let note = if shown.is_empty() {
        "No metric moved by more than 10 %, apart from those that follow from the time."
    } else {
        "Metrics that moved by more than 10 %: the cause, then the largest factors, then those from or to 0; \
         at most two of each group of counters."
    };
    Section { title: "Metrics that moved", note: note.to_owned(), table }
}
