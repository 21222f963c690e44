//! `warpsim lab grade`: grades of submissions.

use super::folders::{exercise, handout_of, submission, submissions};
use super::worker;
use crate::args::LabGradeArgs;
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::{Files, complain, print, shown};
use crate::provenance::PROGRAM;
use crate::render::number::plural;
use exercises::{Exercise, Grade, Row, Submission, export};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Version of the JSON document.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'g> {
    schema: u32,
    grades: &'g [Grade],
}

/// Grades the submissions.
pub fn run(args: &LabGradeArgs) -> Result<Code, Failure> {
    let paths = submissions(&args.submissions)?;
    let all: Vec<Submission> = paths.iter().map(|path| submission(path)).collect();
    let exercise = match &args.rubric {
        Some(name) => exercise(name)?,
        None => exercise_of(&all)?,
    };
    if args.worker {
        return worker::serve(&exercise, &all);
    }
    let grades = worker::grades(args, &exercise, &all)?;
    let lost = grades.iter().filter(|grade| grade.problem.as_deref() == Some(worker::LOST)).count();
    if lost > 0 {
        let submissions = plural(lost as u64, "submission");
        complain(&format!("warning: {submissions} ended the process that graded, and got 0 points"));
    }
    let mut files = Files::new();
    let mut write = |path: &Path, text: &str| files.open(path)?.write(text.as_bytes());
    if let Some(path) = &args.csv {
        write(path, &export::csv(&grades))?;
    }
    if let Some(path) = &args.junit {
        write(path, &export::junit(&grades))?;
    }
    let names = file_names(&grades);
    if let Some(folder) = &args.html {
        make(folder)?;
        let pages: Vec<String> = names.iter().map(|name| format!("{name}.html")).collect();
        for (grade, page) in grades.iter().zip(&pages) {
            write(&folder.join(page), &export::student(grade, PROGRAM))?;
        }
        let class = export::class(&exercise.rubric.title, &grades, &pages, PROGRAM);
        write(&folder.join("index.html"), &class)?;
    }
    if let Some(folder) = &args.gradescope {
        make(folder)?;
        for (grade, name) in grades.iter().zip(&names) {
            let name = if grades.len() == 1 { "results.json".to_owned() } else { format!("{name}.json") };
            write(&folder.join(name), &export::gradescope(grade))?;
        }
    }
    print(&if args.is_json() {
        json::pretty(&Document { schema: SCHEMA, grades: &grades })
    } else {
        text(&exercise, &grades)
    })?;
    Ok(Code::Fine)
}

/// The exercise of the first hand-out.
fn exercise_of(all: &[Submission]) -> Result<Exercise, Failure> {
    let handout = all.iter().find_map(|submission| handout_of(&submission.files));
    let Some(handout) = handout else {
        let help = "help: name it: `--rubric NAME`; `warpsim lab list` lists the exercises";
        return Err(Failure::input(format!("error: no submission names its exercise\n{help}")));
    };
    exercise(&handout.name)
}

fn make(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|why| Failure::input(format!("error: cannot make the folder {}: {why}", shown(folder))))
}

/// Names of files for the students: each once, without characters that file systems refuse.
fn file_names(grades: &[Grade]) -> Vec<String> {
    let mut known = BTreeSet::from(["index".to_owned(), "results".to_owned()]);
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name = |grade: &Grade| {
        let base: String = grade.student.chars().map(plain).collect();
        let base = base.trim_start_matches('.').to_owned();
        let mut name = base.clone();
        let mut number = 2;
        while name.is_empty() || !known.insert(name.to_lowercase()) {
            name = format!("{base}-{number}");
            number += 1;
        }
        name
    };
    grades.iter().map(name).collect()
}

fn text(exercise: &Exercise, grades: &[Grade]) -> String {
    let mut out = format!("{}: {}\n", exercise.name, exercise.rubric.title);
    let widest = grades.iter().map(|grade| grade.student.chars().count()).max().unwrap_or(0);
    for grade in grades {
        let failed: Vec<&str> =
            grade.rows.iter().filter(|row| !Row::passed(row)).map(|row| row.name.as_str()).collect();
        let why = match &grade.problem {
            Some(problem) => problem.lines().take(2).collect::<Vec<_>>().join(": "),
            None if failed.is_empty() => String::new(),
            None => format!("failed: {}", failed.join(", ")),
        };
        let line = format!("{:widest$}  {:3} of {:3}  {why}", grade.student, grade.points, grade.of);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}
