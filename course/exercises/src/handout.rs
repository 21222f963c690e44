//! Hand-outs: what a student gets. The rubric of a hand-out has the open tests with their answers
//! instead of a solution.

use crate::answers::{Answer, Answers};
use crate::exercise::{Exercise, RUBRIC, STATEMENT};
use crate::origin::Other;
use crate::rubric::{Limit, NdRange, Rubric, Test, Texts};
use isa::types::Dim3;
use std::fmt::Write as _;

/// Makes the files of a hand-out for a student with a number.
///
/// # Errors
///
/// The solution of the exercise does not compile or fails, or the exercise is itself a hand-out.
pub fn handout(exercise: &Exercise, seed: u32) -> Result<Texts, String> {
    let Some(start) = &exercise.start else {
        return Err(format!("`{}` is a hand-out: it has no starting program", exercise.name));
    };
    let answers = Answers::new(exercise);
    let mut text = head(exercise, seed);
    let _ = writeln!(text, "    closed: {},", exercise.rubric.closed_points());
    text += "    tests: [\n";
    for (number, test) in exercise.rubric.tests.iter().enumerate().filter(|(_, test)| test.entry.open) {
        test_entry(&mut text, test);
        for (chip, (name, _)) in test.chips.iter().enumerate() {
            let answer = answers.get(exercise, number, chip, seed)?;
            answer_entry(&mut text, name, &answer);
        }
        text += "        ]),\n";
    }
    text += "    ],\n";
    others(&mut text, &exercise.rubric);
    text += ")\n";
    let mut files = exercise.chips.clone();
    files.insert(RUBRIC.to_owned(), text);
    files.insert(STATEMENT.to_owned(), exercise.statement.clone());
    files.insert(exercise.file(), start.clone());
    Ok(files)
}

fn head(exercise: &Exercise, seed: u32) -> String {
    let Rubric { title, lesson, level, kind, kernels, on_device, .. } = &exercise.rubric;
    let mut text = String::from("// The open tests of the exercise: `warpsim lab check .` runs them.\n(\n");
    let _ = writeln!(text, "    title: {title:?},\n    name: {:?},", exercise.name);
    if let Some(lesson) = lesson {
        let _ = writeln!(text, "    lesson: {lesson},");
    }
    let _ = writeln!(
        text,
        "    level: {level},\n    kind: {kind},\n    kernels: {kernels:?},\n    seed: {seed},"
    );
    if !on_device {
        text.push_str("    on_device: false,\n");
    }
    text
}

fn test_entry(text: &mut String, test: &Test) {
    let entry = &test.entry;
    let chips: Vec<&String> = test.chips.iter().map(|(name, _)| name).collect();
    let _ = writeln!(text, "        (name: {:?}, args: {:?}, open: true,", test.name, entry.args);
    if let Some(NdRange { global, local }) = test.range {
        let extents = |of: Dim3| format!("({}, {}, {})", of.x, of.y, of.z);
        let local = local.map_or_else(String::new, |local| format!(" local: {},", extents(local)));
        let _ = writeln!(text, "        global: {},{local} output: {:?},", extents(global), entry.output);
    }
    let _ = writeln!(text, "        chips: {chips:?}, abs: {:?}, rel: {:?},", entry.abs, entry.rel);
    let _ = writeln!(text, "        points: {}, input: {:?},", entry.points, entry.input);
    let files: Vec<String> =
        entry.files.iter().map(|(name, text)| format!("{:?}: {text:?}", name.value)).collect();
    let _ = writeln!(text, "        files: {{{}}},", files.join(", "));
    hint(text, entry.hint.as_ref());
    text.push_str("        answers: [\n");
}

fn answer_entry(text: &mut String, chip: &str, answer: &Answer) {
    let Answer { output, cycles, steps, program_ns, reference, origin } = answer;
    let _ = write!(
        text,
        "            (chip: {chip:?}, cycles: {cycles}, steps: {steps}, program_ns: {program_ns}"
    );
    if let Some((cycles, ns)) = reference {
        let _ = write!(text, ", reference: {cycles:?}, reference_program_ns: {ns:?}");
    }
    if origin.host_only {
        text.push_str(", host_only: true");
    }
    if let Some(Other { arguments, host_lines }) = &origin.other {
        let _ = write!(text, ",\n            other: {arguments:?}, host_lines: {host_lines:?}");
    }
    let _ = writeln!(text, ",\n            output: {output:?}),");
}

/// The rows that a student sees beside the tests.
fn others(text: &mut String, rubric: &Rubric) {
    text.push_str("    checks: [\n");
    for row in &rubric.checks {
        let _ = writeln!(text, "        (check: {}, points: {},", row.check, row.points);
        hint(text, row.hint.as_ref());
        text.push_str("        ),\n");
    }
    text.push_str("    ],\n    limits: [\n");
    let is_open = |limit: &&Limit| limit.test.is_none_or(|test| rubric.tests[test].entry.open);
    for row in rubric.limits.iter().filter(is_open) {
        let _ = writeln!(text, "        (metric: {:?}, points: {},", row.condition.text, row.points);
        if let Some(test) = row.test {
            let _ = writeln!(text, "        test: {:?},", rubric.tests[test].name);
        }
        hint(text, row.hint.as_ref());
        text.push_str("        ),\n");
    }
    text.push_str("    ],\n    source: [\n");
    for row in &rubric.source {
        let word = if row.is_required { "require" } else { "forbid" };
        let _ = writeln!(text, "        ({word}: {:?}, points: {},", row.words, row.points);
        hint(text, row.hint.as_ref());
        text.push_str("        ),\n");
    }
    text.push_str("    ],\n");
}

fn hint(text: &mut String, hint: Option<&String>) {
    if let Some(hint) = hint {
        let _ = writeln!(text, "        hint: {hint:?},");
    }
}
