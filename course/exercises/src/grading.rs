//! Grades a submission: compiles it, runs its tests, and makes the rows.

use crate::answers::Answers;
use crate::attempt::{Ran, run_test};
use crate::exercise::Exercise;
use crate::grade::Grade;
use crate::program::{self, Program};
use crate::rows::rows;
use crate::submission::Submission;
use std::collections::BTreeMap;

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
        source: None,
        problem: None,
        notes: Vec::new(),
        rows: Vec::new(),
    };
    let tests = exercise.rubric.tests.iter().enumerate();
    let tests: Vec<usize> =
        tests.filter(|(_, test)| test.entry.open || !open_only).map(|(number, _)| number).collect();
    let mut ran = Vec::new();
    made.source = submission.source(exercise);
    match ready(exercise, submission, &tests, &mut made.notes) {
        Err(problem) => made.problem = Some(problem),
        Ok((file, programs)) => {
            for &test in &tests {
                for (chip, (name, _)) in exercise.rubric.tests[test].chips.iter().enumerate() {
                    let answer = answers.get(exercise, test, chip, submission.seed)?;
                    let program = &programs[name.as_str()];
                    // Each test of an endless program would use up its budget.
                    ran.push(if ran.iter().any(Ran::is_over_budget) {
                        Ran::none(test, name, answer, None)
                    } else {
                        run_test(exercise, (file, program), (test, chip), submission.seed, answer)
                    });
                }
            }
        }
    }
    made.notes.extend(notes(exercise, &ran));
    made.rows = rows(exercise, submission, &tests, &ran, made.problem.is_some(), open_only);
    made.points = made.rows.iter().map(|row| row.points).sum();
    made.of = made.rows.iter().map(|row| row.of).sum();
    Ok(made)
}

/// Remarks about what the runs could not show, and about extra lines.
fn notes(exercise: &Exercise, ran: &[Ran<'_>]) -> Vec<String> {
    let place = |one: &Ran<'_>| format!("test `{}` on {}", exercise.rubric.tests[one.test].name, one.chip);
    let undecided = ran.iter().find(|one| one.is_undecided).map(|one| {
        format!(
            "{}: the copies or launches depend on the input, so results that the host computes are not found",
            place(one)
        )
    });
    let mut extra = ran.iter().filter(|one| one.why.is_none() && one.extra.is_some()).map(|one| one.test);
    let first = extra.next().filter(|first| extra.any(|other| other != *first));
    let extra = first.map(|first| {
        let name = &exercise.rubric.tests[first].name;
        format!("the output of several tests has other lines beside the result: only `{name}` fails for them")
    });
    undecided.into_iter().chain(extra).collect()
}

/// Finds the program and compiles it for the chips of the tests.
fn ready<'t>(
    exercise: &'t Exercise,
    submission: &'t Submission,
    tests: &[usize],
    notes: &mut Vec<String>,
) -> Result<(&'t str, BTreeMap<&'t str, Program>), String> {
    let (name, note) = submission.program(exercise)?;
    notes.extend(note);
    let (text, beside) = (&submission.files[name], &submission.files);
    let source = program::Source { name, text, beside, rubric: &exercise.rubric };
    let mut programs = BTreeMap::new();
    for (chip, of) in tests.iter().flat_map(|test| &exercise.rubric.tests[*test].chips) {
        if !programs.contains_key(chip.as_str()) {
            let why = |messages: String| format!("the program does not compile\n{}", messages.trim_end());
            programs.insert(chip.as_str(), source.compile(of).map_err(why)?);
        }
    }
    Ok((name, programs))
}
