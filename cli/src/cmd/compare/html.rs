//! `compare --html`: the comparison with its pictures as one page.

use crate::provenance::PROGRAM;
use crate::render::table::Column;
use report::compare::answer::cut;
use report::compare::difference::{Comparison, Of, Side, Times};
use report::compare::page::{Table, sections};
use report::page::{Drawing, Page};
use serde::Serialize;
use serde_json::Value;
use sim_core::stats::limits::Limiter;

/// Largest number of source lines in the pictures.
const MOST_LINES: usize = 24;
/// Largest number of characters of a run's name in the title.
const NAME: usize = 60;

/// What the drawings show.
#[derive(Serialize)]
struct Data {
    outcomes: Vec<Outcome>,
    lines: Vec<Line>,
    a: Option<Value>,
    b: Option<Value>,
}

#[derive(Serialize)]
struct Outcome {
    label: String,
    #[serde(flatten)]
    times: Both,
}

#[derive(Serialize)]
struct Line {
    of: &'static str,
    line: u32,
    source: String,
    #[serde(flatten)]
    times: Both,
}

#[derive(Serialize)]
struct Both {
    a_us: f64,
    b_us: f64,
    difference_us: f64,
}

impl From<Times> for Both {
    fn from(times: Times) -> Self {
        Self { a_us: times.a, b_us: times.b, difference_us: times.difference() }
    }
}

/// Returns the page.
pub fn page(comparison: &Comparison) -> String {
    let (a, b) = (&comparison.a, &comparison.b);
    let mut page = Page::new(&format!("A: {}; B: {}", cut(&a.name, NAME), cut(&b.name, NAME)));
    let [verdict, reason] = comparison.answer();
    page.answer([a, b].iter().all(|side| side.report.passed != Some(false)), &verdict);
    page.section("answer", "Answer");
    page.paragraph(&reason);
    let (launch_a, launch_b) = (longest(a), longest(b));
    sides(&mut page, [("A", a, launch_a.as_ref()), ("B", b, launch_b.as_ref())]);
    page.section("slots", "Where the difference is: issue slots");
    page.note(
        "The time of a run is divided by what became of its issue slots; an empty slot is charged to \
         the state of the warp closest to issuing.",
    );
    page.drawing(Drawing::Outcomes, "outcomes");
    page.section("lines", "Where the difference is: source lines");
    if !comparison.same_program {
        page.note("The programs differ, so each has its own lines.");
    }
    let lines = lines(comparison);
    if comparison.lines.len() > lines.len() {
        page.note(&format!("The {} lines with the largest differences.", lines.len()));
    }
    page.drawing(Drawing::Lines, "lines");
    page.section("runs", "Both runs");
    page.note("The launch of each run that takes longest.");
    for (letter, side, launch) in [("A", a, &launch_a), ("B", b, &launch_b)] {
        page.heading(&format!("{letter}: {}", side.name));
        if launch.is_some() {
            let of = letter.to_lowercase();
            page.drawing(Drawing::States, &of);
            page.drawing(Drawing::Stalls, &of);
            page.drawing(Drawing::Roofline, &of);
        }
    }
    for (number, section) in sections(comparison).iter().enumerate().skip(1) {
        page.section(&format!("part-{number}"), section.title);
        if !section.note.is_empty() {
            page.paragraph(&section.note);
        }
        table(&mut page, section.title, &section.table);
    }
    let outcome = |(outcome, times): &(report::compare::account::SlotOutcome, Times)| Outcome {
        label: outcome.label(),
        times: (*times).into(),
    };
    let outcomes = comparison.outcomes.iter().map(outcome).collect();
    page.finish(PROGRAM, &Data { outcomes, lines, a: launch_a, b: launch_b })
}

/// Adds the verdicts of both runs.
fn sides(page: &mut Page, sides: [(&str, &Side, Option<&Value>); 2]) {
    let row = |(letter, side, launch): (&str, &Side, Option<&Value>)| {
        let report = &side.report;
        let text = |path: &str| {
            let found = launch.and_then(|launch| launch.pointer(path)).and_then(Value::as_str);
            found.unwrap_or_default()
        };
        let result = match report.passed {
            Some(true) => "PASSED",
            Some(false) => "FAILED",
            None => "not checked",
        };
        vec![
            letter.to_owned(),
            side.name.clone(),
            result.to_owned(),
            format!("{:.2}", report.microseconds()),
            crate::render::number::count(report.cycles()),
            crate::render::number::count(report.instructions()),
            format!("{}: {}", limit(text("/timing/limits/limited_by")), text("/timing/limits/evidence")),
        ]
    };
    let titles = ["", "run", "result", "us", "cycles", "warp instructions", "limited by"];
    let numbers = [false, false, false, true, true, true, false];
    page.table("Both runs", &titles, &numbers, &sides.map(row));
}

/// Returns the words for a limit of a report.
fn limit(key: &str) -> &str {
    Limiter::NAMES.iter().find(|(name, _)| *name == key).map_or(key, |(_, limiter)| limiter.label())
}

/// Returns the launch of a run that takes longest, with the lines that the pictures show.
fn longest(side: &Side) -> Option<Value> {
    let cycles = |run: &&Value| run.pointer("/timing/cycles").and_then(Value::as_u64);
    // Of equal launches the first one.
    let mut launch = side.report.runs.iter().rev().max_by_key(cycles)?.clone();
    if let Some(Value::Array(lines)) = launch.pointer_mut("/timing/lines") {
        lines.truncate(MOST_LINES);
    }
    Some(launch)
}

fn lines(comparison: &Comparison) -> Vec<Line> {
    let changed = comparison.lines.iter().filter(|row| row.times.difference() != 0.0);
    let line = |row: &report::compare::difference::LineRow| Line {
        of: match row.of {
            Of::Both => "both",
            Of::A => "a",
            Of::B => "b",
        },
        line: row.line,
        source: row.source.clone(),
        times: row.times.into(),
    };
    changed.take(MOST_LINES).map(line).collect()
}

/// Adds a table of the text.
fn table(page: &mut Page, name: &str, table: &Table) {
    if table.rows.is_empty() {
        return;
    }
    let titles: Vec<&str> = table.columns.iter().map(|(_, title)| *title).collect();
    let number = |(column, _): &(Column, &str)| match column {
        Column::Numbers(_) => true,
        Column::Words(_) | Column::Rest => false,
    };
    let numbers: Vec<bool> = table.columns.iter().map(number).collect();
    page.table(name, &titles, &numbers, &table.rows);
}
