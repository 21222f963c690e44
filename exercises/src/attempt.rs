//! One test of a submission on one chip: its runs, and whether the result is right.

use crate::answers::Answer;
use crate::compare::difference;
use crate::exercise::Exercise;
use crate::grade::Part;
use crate::program::{Observed, run};
use crate::rubric::Test;
use embedded::Compiled;
use sim_core::config::Chip;
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
}

impl Ran<'_> {
    /// Whether a run has used up its budget, as an endless program does.
    pub fn is_over_budget(&self) -> bool {
        self.timed.iter().chain(&self.checked).any(|observed| observed.is_over_budget)
    }
}

/// Runs a test on one of its chips.
pub fn run_test<'t>(
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
    let is_over = timed.as_ref().is_none_or(|observed| observed.is_over_budget);
    // Checkers need the functional machine.
    let checked = if checks.is_empty() || is_over { None } else { run(Some(checks)).ok() };
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
