//! One test of a submission on one chip: its runs, and whether the result is right.

use crate::answers::Answer;
use crate::compare::{Compared, Difference, difference};
use crate::exercise::Exercise;
use crate::grade::Part;
use crate::observed::{Mode, Observed};
use crate::origin::Found;
use crate::program::{Program, run};
use crate::rubric::Test;
use sim_core::config::Chip;
use sim_core::host::Effects;
use std::sync::Arc;

/// Most lines of the output of a program in a grade.
const MOST_LINES: usize = 30;

/// A test that ran on one chip.
pub struct Ran<'t> {
    /// Number of the test.
    pub test: usize,
    /// Name of the chip.
    pub chip: &'t str,
    /// The right answer.
    pub answer: Arc<Answer>,
    /// The timed run, which gives the result.
    pub timed: Option<Observed>,
    /// The run with checkers; none without checkers, and after a run that used up its budget.
    pub checked: Option<Observed>,
    /// Why the result is wrong.
    pub why: Option<(String, Vec<Part>)>,
    /// Whether it is wrong only because of another test.
    pub is_consequence: bool,
    /// Whether it is wrong because the host computes the result.
    pub is_of_host: bool,
    /// Lines of its output beside a right result.
    pub extra: Option<(String, Vec<Part>)>,
    /// Whether it is unknown which results the host computes.
    pub is_undecided: bool,
}

impl Ran<'_> {
    /// A test that does not run, because of the `cause`; without one, because a test before it has
    /// used up its budget.
    pub fn none(test: usize, chip: &str, answer: Arc<Answer>, cause: Option<String>) -> Ran<'_> {
        let is_consequence = cause.is_none();
        let why = cause.unwrap_or_else(|| "not run: a test before it used up its budget".to_owned());
        Ran { why: Some((why, Vec::new())), is_consequence, ..Ran::new(test, chip, answer) }
    }

    fn new(test: usize, chip: &str, answer: Arc<Answer>) -> Ran<'_> {
        Ran {
            test,
            chip,
            answer,
            timed: None,
            checked: None,
            why: None,
            is_consequence: false,
            is_of_host: false,
            extra: None,
            is_undecided: false,
        }
    }

    /// Whether a run has used up its budget, as an endless program does.
    pub fn is_over_budget(&self) -> bool {
        self.timed.iter().chain(&self.checked).any(|observed| observed.is_over_budget)
    }
}

/// Runs a test on one of its chips.
pub fn run_test<'t>(
    exercise: &'t Exercise,
    (file, program): (&str, &Program),
    (number, chip): (usize, usize),
    seed: u32,
    answer: Arc<Answer>,
) -> Ran<'t> {
    let test = &exercise.rubric.tests[number];
    let (name, chip): &(String, Chip) = &test.chips[chip];
    let checks = exercise.rubric.checkers();
    let arguments = test.arguments(seed);
    let with =
        |arguments: &[String], mode| run(program, file, (test, arguments), (chip, mode), answer.budget());
    let timed = match with(&arguments, Mode::Timed) {
        Ok(observed) => observed,
        Err(why) => return Ran::none(number, name, answer, Some(why)),
    };
    let mut ran = Ran::new(number, name, Arc::clone(&answer));
    match result(exercise, test, &answer, &timed) {
        Outcome::Right => {}
        Outcome::Extra(text, parts) => ran.extra = Some((text, parts)),
        Outcome::Wrong(text, parts) => ran.why = Some((text, parts)),
    }
    // Checkers need the functional machine.
    if !checks.is_empty() && !timed.is_over_budget {
        ran.checked = with(&arguments, Mode::Functional(checks, Effects::Off)).ok();
    }
    if ran.why.is_none() && exercise.rubric.has_origins() {
        let again = |arguments: &[String], mode| with(arguments, mode).ok();
        match answer.origin.search(test, &answer.output, &arguments, &again) {
            Found::Nothing => {}
            Found::Host(text) => {
                ran.why = Some((text, Vec::new()));
                ran.is_of_host = true;
            }
            Found::Undecided => ran.is_undecided = true,
        }
    }
    Ran { timed: Some(timed), ..ran }
}

/// The result of a run.
enum Outcome {
    Right,
    /// A right result, and other lines.
    Extra(String, Vec<Part>),
    Wrong(String, Vec<Part>),
}

/// Compares the result of a run with the answer.
fn result(exercise: &Exercise, test: &Test, answer: &Answer, observed: &Observed) -> Outcome {
    let wrong = |why: String| {
        Outcome::Wrong(why, vec![Part::text("The end of its output", tail(&observed.terminal))])
    };
    if observed.is_over_budget {
        let more = observed.failure.clone().or_else(|| observed.error().map(str::to_owned));
        let more = more.map_or_else(String::new, |more| format!(": {more}"));
        return wrong(format!("the program has used up its budget{more}"));
    }
    if let Some(why) = &observed.failure {
        return wrong(format!("the program stops: {why}"));
    }
    if observed.code != 0 {
        let ends = || format!("the program ends with exit code {}", observed.code);
        return wrong(observed.error().map_or_else(ends, |why| format!("the program stops: {why}")));
    }
    let launches = |kernel: &&String| observed.kernels.iter().any(|launched| launched == *kernel);
    if let Some(kernel) = exercise.rubric.kernels.iter().find(|kernel| !launches(kernel)) {
        return wrong(format!("the program does not launch the kernel `{kernel}`"));
    }
    let (abs, rel) = (test.entry.abs, test.entry.rel);
    let Some(strict) = difference(&answer.output, &observed.out, abs, rel) else { return Outcome::Right };
    let compared = Compared::new(&answer.output, &observed.out);
    let without_extra = difference(&answer.output, &compared.text(), abs, rel);
    if let (Some((number, line)), None) = (compared.extra.first(), &without_extra) {
        let first = Difference { line: *number, expected: None, found: Some((*line).to_owned()) };
        let why = format!("the result is right, but the output has other lines, too: {}", first.found());
        let parts = vec![Part::text("Output of the program", around(&observed.out, *number))];
        return Outcome::Extra(why, parts);
    }
    // The line of a wrong value, and not an extra line before it.
    let wrong_value = without_extra.filter(|other| other.expected.is_some() && other.found.is_some());
    let (first, found) = match wrong_value {
        Some(other) => {
            let number = compared.lines.get(other.line - 1).map_or(other.line, |(number, _)| *number);
            (other, number)
        }
        None => (strict.clone(), strict.line),
    };
    let parts = vec![
        Part::text("Expected output", around(&answer.output, first.line)),
        Part::text("Output of the program", around(&observed.out, found)),
    ];
    Outcome::Wrong(Difference { line: found, ..first }.to_string(), parts)
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
