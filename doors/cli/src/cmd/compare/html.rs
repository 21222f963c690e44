//! `compare --html`: the comparison with its pictures as one page.

use crate::provenance::PROGRAM;
use crate::render::table::Column;
use figures::scene::Scene;
use figures::{compare, embedded};
use report::compare::answer::cut;
use report::compare::difference::{Comparison, Side};
use report::compare::page::{Table, sections};
use report::page::Page;
use serde_json::Value;
use sim_core::stats::limits::Limiter;

/// Largest number of characters of a run's name in the title.
const NAME: usize = 60;

/// Returns the page.
pub fn page(comparison: &Comparison) -> String {
    let (a, b) = (&comparison.a, &comparison.b);
    let mut page = Page::new(&format!("A: {}; B: {}", cut(&a.name, NAME), cut(&b.name, NAME)));
    let [verdict, reason] = comparison.answer();
    page.answer([a, b].iter().all(|side| side.report.passed != Some(false)), &verdict);
    page.section("answer", "Answer");
    page.paragraph(&reason);
    sides(&mut page, [("A", a), ("B", b)]);
    page.section("slots", "Where the difference is: issue slots");
    page.note(
        "The time of a run is divided by what became of its issue slots; an empty slot is charged to \
         the state of the warp closest to issuing.",
    );
    picture(&mut page, &compare::outcomes(comparison));
    page.section("lines", "Where the difference is: source lines");
    if !comparison.same_program {
        page.note("The programs differ, so each has its own lines.");
    }
    picture(&mut page, &compare::lines(comparison));
    page.section("runs", "Both runs");
    page.note("The launch of each run that takes longest.");
    for (letter, side) in [("A", a), ("B", b)] {
        page.heading(&format!("{letter}: {}", side.name));
        for scene in compare::of_run(side) {
            picture(&mut page, &scene);
        }
    }
    for (number, section) in sections(comparison).iter().enumerate().skip(1) {
        page.section(&format!("part-{number}"), section.title);
        if !section.note.is_empty() {
            page.paragraph(&section.note);
        }
        table(&mut page, section.title, &section.table);
    }
    page.finish(PROGRAM)
}

/// Adds a picture.
fn picture(page: &mut Page, scene: &Scene) {
    page.picture(&scene.title, &embedded(scene));
}

/// Adds the verdicts of both runs.
fn sides(page: &mut Page, sides: [(&str, &Side); 2]) {
    let row = |(letter, side): (&str, &Side)| {
        let report = &side.report;
        let launch = report.runs.get(compare::longest(side));
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
