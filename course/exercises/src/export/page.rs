//! Grades as pages: one for each student, and one for the class.

use crate::grade::{Grade, Part, Row, Source};
use figures::bars::{Bar, Bars, COLUMN};
use figures::embedded as svg;
use report::page::Page;
use report::render::number::{fixed, percent, plural};
use std::collections::BTreeMap;

/// Most mistakes in the page of a class.
const MOST_MISTAKES: usize = 12;
/// Name of the mistake of programs that do not compile.
const NOT_RUN: &str = "the program did not run";
/// Parts of the distribution of a class.
const PARTS: u32 = 10;

/// Returns the page of a student; `program` wrote it.
pub fn student(grade: &Grade, program: &str) -> String {
    let mut page = Page::new(&format!("{}: {}", grade.title, grade.student));
    let is_good = grade.points == grade.of;
    page.answer(is_good, &format!("{} of {} points", grade.points, grade.of));
    for note in &grade.notes {
        page.note(note);
    }
    if let Some(problem) = &grade.problem {
        page.section("problem", "The program did not run");
        page.text("Message", problem);
        listing(&mut page, grade);
        return page.finish(program);
    }
    page.section("rows", "Points");
    let row = |row: &Row| {
        let result = if row.passed() { "passed" } else { "failed" };
        let why = row.why.clone().unwrap_or_default();
        vec![format!("`{}`", row.name), result.to_owned(), format!("{} of {}", row.points, row.of), why]
    };
    let rows: Vec<_> = grade.rows.iter().map(row).collect();
    page.table("Points", &["row", "result", "points", "reason"], &[false, false, true, false], &rows);
    let failed = grade.rows.iter().enumerate().filter(|(_, row)| !row.passed());
    for (number, row) in failed.filter(|(_, row)| !row.parts.is_empty() || row.hint.is_some()) {
        page.section(&format!("row-{number}"), &row.name);
        page.paragraph(row.why.as_deref().unwrap_or_default());
        if let Some(hint) = &row.hint {
            page.note(&format!("Hint: {hint}"));
        }
        for part in &row.parts {
            match part {
                Part::Text { title, text } => {
                    page.heading(title);
                    page.text(title, text);
                }
                Part::Picture { title, svg } => page.picture(title, svg),
            }
        }
    }
    listing(&mut page, grade);
    page.finish(program)
}

/// The program of the student, with the numbers of its lines.
fn listing(page: &mut Page, grade: &Grade) {
    let Some(Source { name, text }) = &grade.source else { return };
    page.section("program", "Program");
    let width = text.lines().count().to_string().len();
    let lines = (1..).zip(text.lines()).map(|(number, line)| format!("{number:width$}  {line}\n"));
    page.heading(name);
    page.text(name, &lines.collect::<String>());
}

/// Returns the page of a class: the distribution of the points, the commonest mistakes, and a row
/// for each student. `files` are the names of the students' pages.
pub fn class(title: &str, grades: &[Grade], files: &[String], program: &str) -> String {
    let mut page = Page::new(title);
    let of = grades.iter().map(|grade| grade.of).max().unwrap_or(0);
    let mut points: Vec<u32> = grades.iter().map(|grade| grade.points).collect();
    points.sort_unstable();
    let mean = points.iter().sum::<u32>() as f64 / points.len().max(1) as f64;
    let median = points.get(points.len() / 2).copied().unwrap_or(0);
    let students = plural(grades.len() as u64, "submission");
    page.answer(true, &format!("{students}: mean {} and median {median} of {of} points", fixed(mean, 1)));
    page.section("distribution", "Distribution of the points");
    page.picture("Distribution of the points", &svg(&distribution(&points, of).scene()));
    page.section("mistakes", "Commonest mistakes");
    let rows = mistakes(grades);
    if rows.is_empty() {
        page.paragraph("No submission has a mistake.");
    } else {
        page.table(
            "Commonest mistakes",
            &["row", "students", "share in %", "commonest reason"],
            &[false, true, true, false],
            &rows,
        );
    }
    page.section("students", "Submissions");
    let row = |grade: &Grade| {
        let failed = grade.rows.iter().filter(|row| !row.passed() && !row.is_consequence);
        let failed: Vec<String> = failed.map(|row| format!("`{}`", row.name)).collect();
        let points = format!("{} of {}", grade.points, grade.of);
        vec![grade.student.clone(), points, grade.cause().unwrap_or_default(), failed.join(", ")]
    };
    let rows: Vec<_> = grades.iter().map(row).collect();
    let titles = ["student", "points", "first cause", "failed"];
    page.linked_table("Submissions", &titles, &[false, true, false, false], &rows, files);
    page.finish(program)
}

fn distribution(points: &[u32], of: u32) -> Bars {
    let parts = PARTS.min(of.max(1));
    let mut bars = Vec::new();
    for part in 0..=parts {
        let (from, to) = (part * of / parts, (part + 1) * of / parts);
        let count = points.iter().filter(|points| (from..to.max(from + 1)).contains(*points)).count();
        let name = if to <= from + 1 { format!("{from}") } else { format!("{from} to {}", to - 1) };
        if part < parts || to > from {
            bars.push(Bar::new(
                if part == parts { format!("{of}") } else { name },
                count as f64,
                count.to_string(),
            ));
        }
    }
    Bars { width: COLUMN, ..Bars::new("Submissions by points", bars) }
}

/// The rows that most students fail, and not only because they fail another one, each with its
/// commonest reason.
fn mistakes(grades: &[Grade]) -> Vec<Vec<String>> {
    let mut failed: BTreeMap<&str, (usize, BTreeMap<&str, usize>)> = BTreeMap::new();
    for grade in grades {
        let whys = if let Some(problem) = &grade.problem {
            vec![(NOT_RUN, problem.lines().take(2).last().unwrap_or_default())]
        } else {
            let rows = grade.rows.iter().filter(|row| !row.is_consequence);
            rows.filter_map(|row| Some((row.name.as_str(), row.why.as_deref()?))).collect()
        };
        for (name, why) in whys {
            let (count, reasons) = failed.entry(name).or_default();
            *count += 1;
            *reasons.entry(why).or_default() += 1;
        }
    }
    let mut rows: Vec<(String, usize, String)> = Vec::new();
    for (name, (count, reasons)) in failed {
        let reason = reasons.iter().max_by_key(|(_, count)| **count).map_or("", |(why, _)| *why);
        let name = if name == NOT_RUN { name.to_owned() } else { format!("`{name}`") };
        rows.push((name, count, reason.to_owned()));
    }
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let share = |count: usize| percent(count as f64 / grades.len().max(1) as f64);
    let shown = rows.into_iter().take(MOST_MISTAKES);
    shown.map(|(name, count, why)| vec![name, count.to_string(), share(count), why]).collect()
}
