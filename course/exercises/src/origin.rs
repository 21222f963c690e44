//! The origin of an output: the kernels of a program, or its host code.
//!
//! Two runs in which no launch runs find results of the host. In the first, launches write nothing:
//! an output that is right all the same is not computed by kernels. In the second, the arguments
//! give other numbers to the host, and each launch writes the bytes that it has written for the
//! arguments of the test: a number of the output that changes all the same is computed by the host.
//! A line that changes in the output of the solution, too, counts in neither.

use crate::compare::{Compared, cut, difference, is_same_line};
use crate::observed::{Mode, Observed};
use crate::rubric::Test;
use crate::schema::AnswerEntry;
use sim_core::check::Checks;
use sim_core::host::{Effects, Recorded};

/// Origin of the right output of a test: host or kernels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Whether the output is right without the launches.
    pub host_only: bool,
    /// A run in which the host has other numbers.
    pub other: Option<Other>,
}

/// A run in which the host has other numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// Arguments with which the host has other numbers.
    pub arguments: Vec<String>,
    /// Lines of the output, from 1, that follow the numbers of the host.
    pub host_lines: Vec<u32>,
}

/// Result of the runs of a submission.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// No result of the host.
    Nothing,
    /// The host computes results, in one sentence.
    Host(String),
    /// The launches depend on the numbers of the host: the second run shows nothing.
    Undecided,
}

/// Runs a program with arguments; `None` if a file of the test is refused.
pub type Run<'r> = dyn Fn(&[String], Mode) -> Option<Observed> + 'r;

impl Origin {
    /// The origin of the output of a solution, whose right output is `output`.
    pub fn of_solution(test: &Test, seed: u32, output: &str, run: &Run<'_>) -> Self {
        let own = test.arguments(seed);
        let host_only = is_right_without_launches(test, output, &own, run);
        let other = recorded(&own, run).filter(|(first, _)| is_right(test, output, first));
        let other = other.and_then(|(first, record)| {
            let mut all = candidates(test, seed).into_iter();
            all.find_map(|arguments| other_run(test, (&first, &record), arguments, run))
        });
        Self { host_only, other }
    }

    /// The origin that a hand-out has.
    pub fn given(entry: &AnswerEntry) -> Self {
        let AnswerEntry { host_only, other, host_lines, .. } = entry;
        let other =
            (!other.is_empty()).then(|| Other { arguments: other.clone(), host_lines: host_lines.clone() });
        Self { host_only: *host_only, other }
    }

    /// Searches a submission, whose output is right, for results of the host.
    pub fn search(&self, test: &Test, output: &str, arguments: &[String], run: &Run<'_>) -> Found {
        if !self.host_only && is_right_without_launches(test, output, arguments, run) {
            return Found::Host(
                "the host computes the results: the output is the same without the launches".to_owned(),
            );
        }
        let Some(other) = &self.other else { return Found::Nothing };
        let Some((first, record)) = recorded(arguments, run) else { return Found::Undecided };
        // A program whose output depends on the machine is wrong for other reasons.
        if !is_right(test, output, &first) {
            return Found::Nothing;
        }
        let Some(second) = run(&other.arguments, replaced(record)) else { return Found::Undecided };
        if !is_replaced(&second) || second.shape != first.shape {
            return Found::Undecided;
        }
        let lines = |observed: &Observed| {
            let compared = Compared::new(output, &observed.out);
            compared.lines.into_iter().map(|(_, line)| line.to_owned()).collect::<Vec<_>>()
        };
        let pairs = (1..).zip(lines(&first).into_iter().zip(lines(&second)));
        let mut pairs = pairs.filter(|(number, _)| !other.host_lines.contains(number));
        let (abs, rel) = (test.entry.abs, test.entry.rel);
        // A line of other words may be the message of a program that checks its results.
        let changed = pairs.find(|(_, (first, second))| {
            is_same_line(first, second, f64::INFINITY, 0.0) && !is_same_line(first, second, abs, rel)
        });
        changed.map_or(Found::Nothing, |(_, (first, second))| {
            Found::Host(format!(
                "the host computes a part of the results: with other input on the host, but the same results \
                 of the kernels, `{}` becomes `{}`",
                cut(&first),
                cut(&second)
            ))
        })
    }
}

fn is_right(test: &Test, output: &str, observed: &Observed) -> bool {
    let compared = Compared::new(output, &observed.out);
    let found = compared.text();
    observed.code == 0 && difference(output, &found, test.entry.abs, test.entry.rel).is_none()
}

fn is_right_without_launches(test: &Test, output: &str, arguments: &[String], run: &Run<'_>) -> bool {
    let observed = run(arguments, replaced(Recorded::default()));
    observed.is_some_and(|observed| is_right(test, output, &observed))
}

/// Launches do not run; each writes what its recorded launch has written.
fn replaced(record: Recorded) -> Mode {
    Mode::Functional(Checks::NONE, record.replace())
}

/// Whether each launch was the recorded one.
fn is_replaced(observed: &Observed) -> bool {
    matches!(&observed.effects, Effects::Replace(replaced) if replaced.is_same())
}

/// Runs a program and records its launches; `None` if a launch could not be recorded.
fn recorded(arguments: &[String], run: &Run<'_>) -> Option<(Observed, Recorded)> {
    let mode = Mode::Functional(Checks::NONE, Effects::Record(Recorded::default()));
    let mut observed = run(arguments, mode)?;
    match std::mem::take(&mut observed.effects) {
        Effects::Record(record) if record.is_whole() => Some((observed, record)),
        _ => None,
    }
}

/// Arguments that may give other numbers to the host: the number of another student, or another
/// number in one place, the last place first.
fn candidates(test: &Test, seed: u32) -> Vec<Vec<String>> {
    let own = test.arguments(seed);
    let student = test.is_seeded().then(|| test.arguments(seed % 9999 + 1));
    let places = (0..own.len()).rev().filter_map(|place| {
        let other = own[place].parse::<i64>().ok()?.checked_add(1)?;
        let mut arguments = own.clone();
        arguments[place] = other.to_string();
        Some(arguments)
    });
    student.into_iter().chain(places).collect()
}

/// Whether arguments give other numbers to the host of the solution, with the same copies and
/// launches: returns the lines of its output that follow the host.
fn other_run(
    test: &Test,
    (first, record): (&Observed, &Recorded),
    arguments: Vec<String>,
    run: &Run<'_>,
) -> Option<Other> {
    let (abs, rel) = (test.entry.abs, test.entry.rel);
    let changed = |observed: &Observed| -> Option<Vec<u32>> {
        let (before, after): (Vec<&str>, Vec<&str>) =
            (first.out.lines().collect(), observed.out.lines().collect());
        let pairs = (1..).zip(before.iter().zip(&after));
        let changed = pairs.filter(|(_, (before, after))| !is_same_line(before, after, abs, rel));
        (observed.code == 0 && observed.shape == first.shape && before.len() == after.len())
            .then(|| changed.map(|(number, _)| number).collect())
    };
    let all = changed(&run(&arguments, Mode::Functional(Checks::NONE, Effects::Off))?)?;
    let second = run(&arguments, replaced(record.clone()))?;
    let host_lines = changed(&second).filter(|_| is_replaced(&second))?;
    let follows_kernels = all.iter().any(|line| !host_lines.contains(line));
    follows_kernels.then_some(Other { arguments, host_lines })
}
