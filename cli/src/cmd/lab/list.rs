//! `warpsim lab list`.

use crate::args::Format;
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::print;
use exercises::{builtin, names};
use serde::Serialize;
use std::fmt::Write as _;

/// Version of the JSON document.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document {
    schema: u32,
    exercises: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    title: String,
    lesson: Option<u32>,
    level: &'static str,
    kind: &'static str,
    points: u32,
    tests: usize,
    chips: Vec<String>,
}

/// Lists the exercises of the course.
pub fn run(format: Format) -> Result<Code, Failure> {
    let entries = names().filter_map(|name| builtin(name).map(|exercise| (name, exercise.rubric)));
    let entries = entries.map(|(name, rubric)| {
        let mut chips: Vec<String> =
            rubric.tests.iter().flat_map(|test| &test.chips).map(|(chip, _)| chip.clone()).collect();
        chips.sort();
        chips.dedup();
        let (level, kind, points, tests) =
            (rubric.level.name(), rubric.kind.name(), rubric.points(), rubric.tests.len());
        Entry { name, title: rubric.title, lesson: rubric.lesson, level, kind, points, tests, chips }
    });
    let exercises: Vec<Entry> = entries.collect();
    print(&match format {
        Format::Text => text(&exercises),
        Format::Json => json::pretty(&Document { schema: SCHEMA, exercises }),
    })?;
    Ok(Code::Fine)
}

fn text(exercises: &[Entry]) -> String {
    let widest = |of: fn(&Entry) -> &str| exercises.iter().map(|entry| of(entry).len()).max().unwrap_or(0);
    let (names, titles) = (widest(|entry| entry.name), widest(|entry| &entry.title));
    let mut out = format!("lesson  {:names$}  {:titles$}  level   kind   chips\n", "name", "title");
    for Entry { name, title, lesson, level, kind, chips, .. } in exercises {
        let lesson = lesson.map_or_else(String::new, |lesson| lesson.to_string());
        let chips = chips.join(" ");
        let _ = writeln!(out, "{lesson:>6}  {name:names$}  {title:titles$}  {level:6}  {kind:5}  {chips}");
    }
    out
}
