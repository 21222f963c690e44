//! Grades as text.

use crate::grade::{Grade, Part, Row};
use std::fmt::Write as _;

/// Returns a grade as text: a line for each row, and what is known about each failure.
pub fn text(grade: &Grade) -> String {
    let mut out = format!("{}: {} of {} points\n", grade.title, grade.points, grade.of);
    if grade.closed > 0 {
        let _ = writeln!(out, "note: {} more points are for tests that only the teacher has", grade.closed);
    }
    for note in &grade.notes {
        let _ = writeln!(out, "note: {note}");
    }
    if let Some(problem) = &grade.problem {
        let _ = writeln!(out, "\n{problem}");
        return out;
    }
    let widest = grade.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    out.push('\n');
    for row in &grade.rows {
        let mark = if row.passed() { "passed" } else { "failed" };
        let (name, points, of) = (&row.name, row.points, row.of);
        let _ = writeln!(out, "{mark}  {name:widest$}  {points} of {of}");
    }
    for row in grade.rows.iter().filter(|row| !row.passed()) {
        failure(&mut out, row);
    }
    out
}

fn failure(out: &mut String, row: &Row) {
    let why = row.why.as_deref().unwrap_or_default();
    let _ = writeln!(out, "\n{}: {why}", row.name);
    for part in &row.parts {
        if let Part::Text { title, text } = part {
            let _ = writeln!(out, "  {title}:");
            for line in text.lines() {
                let _ = writeln!(out, "    {line}");
            }
        }
    }
    if let Some(hint) = &row.hint {
        let _ = writeln!(out, "  hint: {hint}");
    }
}
