//! Grades a submission: runs its tests, and gives points for each row of the rubric.

use crate::answers::{Answer, Answers};
use crate::compare::difference;
use crate::exercise::Exercise;
use crate::program::{Observed, Source, run};
use crate::rubric::{Limit, PROGRAM_NS, REFERENCE, REFERENCE_NS, Test};
use crate::source::Tokens;
use crate::submission::Submission;
use embedded::Compiled;
use figures::{embedded as svg, race, stalls};
use report::condition::Quantity;
use serde::Serialize;
use sim_core::check::{Check, Finding};
use sim_core::config::Chip;
use sim_core::stats::Report;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// The grade of a submission.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Grade {
    /// Name of the exercise.
    pub exercise: String,
    /// Title of the exercise.
    pub title: String,
    /// Name of the student.
    pub student: String,
    /// Points.
    pub points: u32,
    /// Most points.
    pub of: u32,
    /// Points of the rows that the student does not have.
    pub closed: u32,
    /// Why nothing ran: a missing file, or the messages of the compiler.
    pub problem: Option<String>,
    /// Remarks, such as a wrong name of the file.
    pub notes: Vec<String>,
    /// Rows of the rubric.
    pub rows: Vec<Row>,
}

/// A row of the rubric for a submission.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "GradeRow"))]
pub struct Row {
    /// Kind.
    pub kind: RowKind,
    /// Name.
    pub name: String,
    /// Whether students see it before they hand in.
    pub is_open: bool,
    /// Points.
    pub points: u32,
    /// Most points.
    pub of: u32,
    /// Why it failed, in one line; absent if it passed.
    pub why: Option<String>,
    /// What is known about the failure.
    pub parts: Vec<Part>,
    /// What to look at, if it failed and the rubric says it.
    pub hint: Option<String>,
}

impl Row {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.why.is_none()
    }
}

/// Kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RowKind {
    /// A test: the output of the program.
    Test,
    /// A checker.
    Check,
    /// A limit of metrics.
    Limit,
    /// A rule about the source.
    Source,
}

/// What is known about a failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "GradePart"))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Part {
    /// A text with its lines.
    Text {
        /// What it is.
        title: String,
        /// The lines.
        text: String,
    },
    /// A picture.
    Picture {
        /// What it shows.
        title: String,
        /// The picture.
        svg: String,
    },
}

impl Part {
    fn text(title: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text { title: title.into(), text: text.into() }
    }
}

/// Most lines of the output of a program in a grade.
const MOST_LINES: usize = 30;
/// Most findings of a checker in a grade.
const MOST_FINDINGS: usize = 5;
/// Lines of the picture of a slow launch.
const PICTURE_LINES: usize = 12;

/// A test that ran on one chip.
struct Ran<'t> {
    test: usize,
    chip: &'t str,
    answer: Arc<Answer>,
    /// The timed run, which gives the result.
    timed: Option<Observed>,
    /// The run with checkers; none without checkers.
    checked: Option<Observed>,
    /// Why the result is wrong.
    why: Option<(String, Vec<Part>)>,
}

/// Grades a submission. With `open_only`, only the open tests run.
///
/// # Errors
///
/// A mistake of the exercise: its solution does not compile or fails.
pub fn grade(
    exercise: &Exercise,
    answers: &Answers,
    submission: &Submission,
    open_only: bool,
) -> Result<Grade, String> {
    let mut made = Grade {
        exercise: exercise.name.clone(),
        title: exercise.rubric.title.clone(),
        student: submission.student.clone(),
        points: 0,
        of: 0,
        closed: exercise.rubric.closed,
        problem: None,
        notes: Vec::new(),
        rows: Vec::new(),
    };
    let tests = exercise.rubric.tests.iter().enumerate();
    let tests: Vec<usize> =
        tests.filter(|(_, test)| test.entry.open || !open_only).map(|(number, _)| number).collect();
    let mut ran = Vec::new();
    match ready(exercise, submission, &tests, &mut made.notes) {
        Err(problem) => made.problem = Some(problem),
        Ok((file, programs)) => {
            for &test in &tests {
                for (chip, (name, _)) in exercise.rubric.tests[test].chips.iter().enumerate() {
                    let answer = answers.get(exercise, test, chip, submission.seed)?;
                    let program = &programs[name.as_str()];
                    ran.push(run_test(exercise, (file, program), (test, chip), submission.seed, answer));
                }
            }
        }
    }
    made.rows = rows(exercise, submission, &tests, &ran, made.problem.is_some(), open_only);
    made.points = made.rows.iter().map(|row| row.points).sum();
    made.of = made.rows.iter().map(|row| row.of).sum();
    Ok(made)
}

/// Finds the program and compiles it for the chips of the tests.
fn ready<'t>(
    exercise: &'t Exercise,
    submission: &'t Submission,
    tests: &[usize],
    notes: &mut Vec<String>,
) -> Result<(&'t str, BTreeMap<&'t str, Compiled>), String> {
    let (name, note) = submission.program(exercise)?;
    notes.extend(note);
    let source = Source { name, text: &submission.files[name], beside: &submission.files };
    let mut programs = BTreeMap::new();
    for (chip, of) in tests.iter().flat_map(|test| &exercise.rubric.tests[*test].chips) {
        if !programs.contains_key(chip.as_str()) {
            let why = |messages: String| format!("the program does not compile\n{}", messages.trim_end());
            programs.insert(chip.as_str(), source.compile(of).map_err(why)?);
        }
    }
    Ok((name, programs))
}

fn run_test<'t>(
    exercise: &'t Exercise,
    (file, program): (&str, &Compiled),
    (number, chip): (usize, usize),
    seed: u32,
    answer: Arc<Answer>,
) -> Ran<'t> {
    let test = &exercise.rubric.tests[number];
    let (name, chip): &(String, Chip) = &test.chips[chip];
    let checks = exercise.rubric.checkers();
    let arguments = test.arguments(seed);
    let run = |checks| run(program, file, (test, &arguments), (chip, checks), answer.budget());
    let (timed, why) = match run(None) {
        Ok(observed) => {
            let why = wrong(exercise, test, &answer, &observed);
            (Some(observed), why)
        }
        Err(why) => (None, Some((why, Vec::new()))),
    };
    // Checkers need the functional machine.
    let checked = if checks.is_empty() { None } else { run(Some(checks)).ok() };
    Ran { test: number, chip: name, answer, timed, checked, why }
}

/// Why the result of a run is wrong.
fn wrong(
    exercise: &Exercise,
    test: &Test,
    answer: &Answer,
    observed: &Observed,
) -> Option<(String, Vec<Part>)> {
    let terminal = || vec![Part::text("The end of its output", tail(&observed.terminal))];
    if let Some(why) = &observed.failure {
        return Some((why.clone(), terminal()));
    }
    if observed.code != 0 {
        let last = observed.terminal.lines().find(|line| line.starts_with("error: "));
        let why = last.map_or_else(
            || format!("the program ends with exit code {}", observed.code),
            |line| line.trim_start_matches("error: ").to_owned(),
        );
        return Some((why, terminal()));
    }
    let launches = |kernel: &&String| observed.kernels.iter().any(|launched| launched == *kernel);
    if let Some(kernel) = exercise.rubric.kernels.iter().find(|kernel| !launches(kernel)) {
        return Some((format!("the program does not launch the kernel `{kernel}`"), terminal()));
    }
    let difference = difference(&answer.output, &observed.out, test.entry.abs, test.entry.rel)?;
    let parts = vec![
        Part::text("Expected output", around(&answer.output, difference.line)),
        Part::text("Output of the program", around(&observed.out, difference.line)),
    ];
    Some((difference.to_string(), parts))
}

/// The last lines of a text.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(MOST_LINES)..].join("\n")
}

/// The lines around a line, with their numbers.
fn around(text: &str, line: usize) -> String {
    let first = line.saturating_sub(MOST_LINES / 2);
    let lines = text.lines().enumerate().skip(first).take(MOST_LINES);
    let numbered = lines.map(|(number, text)| {
        let mark = if number + 1 == line { '>' } else { ' ' };
        format!("{mark}{:4}  {text}", number + 1)
    });
    numbered.collect::<Vec<_>>().join("\n")
}

/// Makes the rows. Without a right result there are no points.
fn rows(
    exercise: &Exercise,
    submission: &Submission,
    tests: &[usize],
    ran: &[Ran<'_>],
    is_broken: bool,
    open_only: bool,
) -> Vec<Row> {
    let rubric = &exercise.rubric;
    let is_right =
        |test: usize| !is_broken && ran.iter().filter(|one| one.test == test).all(|one| one.why.is_none());
    let none_right = !tests.iter().any(|test| is_right(*test));
    let row = |kind,
               name: String,
               is_open: bool,
               of: u32,
               hint: &Option<String>,
               failed: Option<(String, Vec<Part>)>| {
        let hint = hint.clone().filter(|_| failed.is_some() && !is_broken);
        let failed = match (is_broken, failed) {
            (true, _) => Some(("the program did not run".to_owned(), Vec::new())),
            (false, None) if none_right && kind != RowKind::Test => {
                Some(("no points without a right result".to_owned(), Vec::new()))
            }
            (false, failed) => failed,
        };
        let points = if failed.is_some() { 0 } else { of };
        let (why, parts) = failed.map_or((None, Vec::new()), |(why, parts)| (Some(why), parts));
        Row { kind, name, is_open, points, of, why, parts, hint }
    };
    let mut all = Vec::new();
    for &number in tests {
        let test = &rubric.tests[number];
        let failed = ran.iter().filter(|one| one.test == number).find_map(|one| {
            let (why, parts) = one.why.clone()?;
            Some((format!("on {}: {why}", one.chip), parts))
        });
        let mut made = row(
            RowKind::Test,
            test.name.clone(),
            test.entry.open,
            test.entry.points,
            &test.entry.hint,
            failed,
        );
        if !made.passed() {
            let words = std::iter::once(exercise.name.clone()).chain(test.arguments(submission.seed));
            made.parts.insert(0, Part::text("Command line", words.collect::<Vec<_>>().join(" ")));
        }
        all.push(made);
    }
    for check in &rubric.checks {
        let failed = findings(ran, check.check);
        all.push(row(RowKind::Check, check.check.name().to_owned(), true, check.points, &check.hint, failed));
    }
    for limit in &rubric.limits {
        let of = |one: &&Ran<'_>| limit.test.is_none_or(|only| only == one.test);
        let is_open = limit.test.is_none_or(|only| rubric.tests[only].entry.open);
        if open_only && !is_open {
            continue;
        }
        let failed = ran.iter().filter(of).find_map(|one| broken_limit(exercise, limit, one));
        all.push(row(
            RowKind::Limit,
            limit.condition.text.clone(),
            is_open,
            limit.points,
            &limit.hint,
            failed,
        ));
    }
    let text = submission.program(exercise).ok().map_or("", |(name, _)| &submission.files[name]);
    let tokens = Tokens::new(text);
    for rule in &rubric.source {
        let failed = (tokens.has(&rule.words) != rule.is_required).then(|| {
            let why = if rule.is_required { "is not in the source" } else { "is in the source" };
            (format!("`{}` {why}", rule.words), Vec::new())
        });
        all.push(row(RowKind::Source, rule.name(), true, rule.points, &rule.hint, failed));
    }
    all
}

/// The errors that a checker has found in the tests.
fn findings(ran: &[Ran<'_>], check: Check) -> Option<(String, Vec<Part>)> {
    let mut known: Vec<(&Finding, String)> = Vec::new();
    for one in ran {
        for (finding, place) in one.checked.iter().flat_map(Observed::errors) {
            let is_new = !known.iter().any(|(other, at)| (other.kind, at) == (finding.kind, &place));
            if finding.check == check && is_new {
                known.push((finding, place));
            }
        }
    }
    let Some((first, place)) = known.first() else {
        // An access or a barrier that ends a launch is a finding of its checker.
        let failed = ran.iter().find_map(|one| {
            let why = one.checked.as_ref()?.failure.as_ref()?;
            let is_timed = one.timed.as_ref().is_some_and(|timed| timed.failure.is_some());
            (!is_timed).then(|| format!("a launch with checkers did not finish: {why}"))
        });
        return failed.map(|why| (why, Vec::new()));
    };
    let why = format!("{place}: {}", first.message);
    let mut parts = Vec::new();
    for (finding, place) in known.iter().take(MOST_FINDINGS) {
        let mut text = format!("{place}: {}\n{}", finding.source.trim(), finding.message);
        let more = finding.notes.iter().map(|note| ("note", note));
        for (word, line) in more.chain(finding.help.iter().map(|help| ("help", help))) {
            let _ = write!(text, "\n{word}: {line}");
        }
        parts.push(Part::text(format!("{} at {place}", finding.kind.name()), text));
    }
    let scene = race::scene(first);
    parts.extend(scene.map(|scene| Part::Picture { title: "The two accesses".to_owned(), svg: svg(&scene) }));
    Some((why, parts))
}

/// Why a limit is not held in a test.
fn broken_limit(exercise: &Exercise, limit: &Limit, ran: &Ran<'_>) -> Option<(String, Vec<Part>)> {
    let test = &exercise.rubric.tests[ran.test];
    let place = format!("test `{}` on {}", test.name, ran.chip);
    let Some(observed) = ran.timed.as_ref().filter(|_| ran.why.is_none()) else {
        return Some((format!("{place} has no right result"), Vec::new()));
    };
    let metrics = observed.metrics();
    let (cycles, ns) = ran.answer.reference.unwrap_or((f64::NAN, f64::NAN));
    let tested = limit.condition.test(&|quantity: Quantity| match quantity.name() {
        PROGRAM_NS => observed.program_ns as f64,
        REFERENCE => cycles,
        REFERENCE_NS => ns,
        _ => quantity.of(&metrics),
    });
    if tested.holds == Some(true) {
        return None;
    }
    let longest =
        observed.reports.iter().max_by_key(|report| report.timing.as_ref().map(|timing| timing.cycles));
    Some((format!("{place}: {}", tested.values()), longest.and_then(slow).into_iter().collect()))
}

/// The picture of the time of a launch by source line.
fn slow(report: &Report) -> Option<Part> {
    let timing = report.timing.as_ref()?;
    let lines: Vec<stalls::Line> = timing.lines.iter().map(stalls::Line::from).collect();
    let title = format!("{}: time of warps by source line", report.launch.kernel);
    let scene = stalls::scene(&title, &[], &lines, PICTURE_LINES, stalls::Order::Time);
    Some(Part::Picture { title, svg: svg(&scene) })
}
