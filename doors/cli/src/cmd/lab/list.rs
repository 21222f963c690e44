//! `warpsim lab list`.

use crate::args::Format;
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::print;
use exercises::{Listed, builtin, names};
use serde::Serialize;
use std::fmt::Write as _;

/// Version of the JSON document.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document {
    schema: u32,
    exercises: Vec<Listed>,
}

/// Lists the exercises of the course.
pub fn run(format: Format) -> Result<Code, Failure> {
    let exercises: Vec<Listed> = names().filter_map(builtin).map(|one| Listed::of(&one)).collect();
    print(&match format {
        Format::Text => text(&exercises),
        Format::Json => json::pretty(&Document { schema: SCHEMA, exercises }),
    })?;
    Ok(Code::Fine)
}

fn text(exercises: &[Listed]) -> String {
    let widest = |of: fn(&Listed) -> &str| exercises.iter().map(|entry| of(entry).len()).max().unwrap_or(0);
    let (names, titles) = (widest(|entry| &entry.name), widest(|entry| &entry.title));
    let mut out = format!("lesson  {:names$}  {:titles$}  level   kind   chips\n", "name", "title");
    for Listed { name, title, lesson, level, kind, chips, .. } in exercises {
        let lesson = lesson.map_or_else(String::new, |lesson| lesson.to_string());
        let chips = chips.join(" ");
        let _ = writeln!(out, "{lesson:>6}  {name:names$}  {title:titles$}  {level:6}  {kind:5}  {chips}");
    }
    out
}
