//! Grades as files for other programs: CSV, XML for tools that show test results, and the JSON
//! that Gradescope reads.

use crate::grade::{Grade, Part, Row};
use report::text::{entities, visible};
use serde::Serialize;
use std::fmt::Write as _;

/// A cell of a table. Spreadsheets execute a cell that begins with one of these characters, so an
/// apostrophe is put before it.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

/// Returns a table with a row for each student and a column for each row of the rubric.
pub fn csv(grades: &[Grade]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names =
        grades.first().map_or_else(Vec::new, |grade| grade.rows.iter().map(|row| row.name.clone()).collect());
    let fixed = ["student", "points", "of"].map(str::to_owned);
    let head = fixed.iter().chain(&names).cloned().chain(["cause".to_owned()]);
    // Writing into memory does not fail.
    let _ = writer.write_record(head.map(|name| cell(&name)));
    for grade in grades {
        let start = [grade.student.clone(), grade.points.to_string(), grade.of.to_string()];
        let rows = grade.rows.iter().map(|row| row.points.to_string());
        let cause = grade.cause().unwrap_or_default();
        let _ = writer.write_record(start.into_iter().chain(rows).chain([cause]).map(|text| cell(&text)));
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Returns the details of a failed row as text.
fn details(row: &Row) -> String {
    let mut out = row.why.clone().unwrap_or_default();
    for part in &row.parts {
        if let Part::Text { title, text } = part {
            let _ = write!(out, "\n{title}:\n{text}");
        }
    }
    if let Some(hint) = &row.hint {
        let _ = write!(out, "\nhint: {hint}");
    }
    out
}

/// Returns XML for tools that show test results: a suite for each student, a case for each row of
/// the rubric.
pub fn junit(grades: &[Grade]) -> String {
    let text = |text: &str| entities(&visible(text));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for grade in grades {
        let failed = grade.rows.iter().filter(|row| !row.passed()).count();
        let (student, tests) = (text(&grade.student), grade.rows.len());
        let _ = writeln!(out, "  <testsuite name=\"{student}\" tests=\"{tests}\" failures=\"{failed}\">");
        for row in &grade.rows {
            let (class, name) = (text(&grade.exercise), text(&row.name));
            let _ = write!(out, "    <testcase classname=\"{class}\" name=\"{name}\"");
            if row.passed() {
                out += "/>\n";
                continue;
            }
            let why = grade.problem.as_deref().or(row.why.as_deref()).unwrap_or_default();
            let first = text(why.lines().next().unwrap_or_default());
            let all = text(&grade.problem.clone().unwrap_or_else(|| details(row)));
            let _ = writeln!(out, ">\n      <failure message=\"{first}\">{all}</failure>\n    </testcase>");
        }
        out += "  </testsuite>\n";
    }
    out + "</testsuites>\n"
}

/// The results of a submission as Gradescope reads them.
#[derive(Serialize)]
struct Results<'g> {
    score: u32,
    output: String,
    tests: Vec<Test<'g>>,
}

#[derive(Serialize)]
struct Test<'g> {
    name: &'g str,
    score: u32,
    max_score: u32,
    status: &'static str,
    output: String,
    visibility: &'static str,
}

impl<'g> Test<'g> {
    fn of(row: &'g Row) -> Self {
        Self {
            name: &row.name,
            score: row.points,
            max_score: row.of,
            status: if row.passed() { "passed" } else { "failed" },
            output: if row.passed() { String::new() } else { details(row) },
            visibility: if row.is_open { "visible" } else { "after_published" },
        }
    }
}

/// Returns `results.json` of Gradescope. Rows that students do not have are visible after the
/// grades are published.
pub fn gradescope(grade: &Grade) -> String {
    let notes = grade.notes.iter().cloned().chain(grade.problem.clone());
    let output = notes.collect::<Vec<_>>().join("\n");
    report::json::pretty(&Results {
        score: grade.points,
        output,
        tests: grade.rows.iter().map(Test::of).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::{Grade, RowKind};

    /// A spreadsheet executes no name of a student, no name of a row and no reason.
    #[test]
    fn cells_that_could_be_formulas_are_text() {
        let row = |name: &str, why: Option<&str>| Row {
            kind: RowKind::Test,
            name: name.to_owned(),
            is_open: true,
            points: u32::from(why.is_none()),
            of: 1,
            why: why.map(str::to_owned),
            is_consequence: false,
            parts: Vec::new(),
            hint: None,
        };
        let grade = |student: &str, problem: Option<&str>| Grade {
            exercise: "e".to_owned(),
            title: "E".to_owned(),
            student: student.to_owned(),
            points: 1,
            of: 2,
            closed: 0,
            source: None,
            problem: problem.map(str::to_owned),
            notes: Vec::new(),
            rows: vec![row("-1 7", None), row("b", Some("line 1"))],
        };
        let all = [
            grade("=HYPERLINK(\"http://x\",\"y\")", None),
            grade("+a", Some("@SUM(1)\nmore")),
            grade("a=b", None),
            grade("\t=1", None),
        ];
        assert_eq!(
            csv(&all),
            "student,points,of,'-1 7,b,cause\n\
             \"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\",1,2,1,0,test `b`: line 1\n\
             '+a,1,2,1,0,'@SUM(1): more\n\
             a=b,1,2,1,0,test `b`: line 1\n\
             '\t=1,1,2,1,0,test `b`: line 1\n"
        );
    }
}
