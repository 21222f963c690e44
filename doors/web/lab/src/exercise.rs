//! Exercises: the statement, the program that a student gets, and the grade of the open tests.

use crate::named::NamedBytes;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use exercises::{Answers, Exercise, Grade, Listed, Submission, Texts, builtin, grade, handout};
use isa::diag::nearest;
use report::exit::Failure;
use serde::{Deserialize, Serialize};
use sim_core::config::Chip;
use std::collections::BTreeMap;

/// An exercise as the page gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Name of a built-in exercise, or the usual name of the files.
    pub name: String,
    /// Texts of a hand-out by their file names; empty for a built-in exercise.
    pub files: BTreeMap<String, String>,
}

/// An exercise that is open.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opened {
    /// Its row in the list.
    pub listed: Listed,
    /// The statement, in Markdown.
    pub statement: String,
    /// File name of a submission.
    pub file: String,
    /// The program that a student gets.
    pub start: String,
    /// Arguments of the first open test, as a shell has them.
    pub arguments: String,
    /// Standard input of this test.
    pub input: String,
    /// Files of this test.
    pub files: Vec<NamedBytes>,
    /// Built-in chip of this test; absent if its chip is a file of the exercise.
    pub chip: Option<String>,
}

impl Given {
    /// Parses the JSON of the page.
    ///
    /// # Errors
    ///
    /// If the text is not an exercise: the page and the module are of different versions.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        serde_json::from_str(text).map_err(|why| Failure::input(format!("error: invalid exercise: {why}")))
    }

    fn exercise(&self) -> Result<Exercise, Failure> {
        if !self.files.is_empty() {
            return Exercise::new(&self.name, self.files.clone()).map_err(Failure::input);
        }
        builtin(&self.name).ok_or_else(|| {
            let near = nearest(&self.name, exercises::names());
            let near = near.map_or_else(String::new, |near| format!("\nhelp: did you mean `{near}`?"));
            Failure::input(format!("error: there is no exercise `{}`{near}", self.name))
        })
    }

    /// Opens the exercise, without a run.
    ///
    /// # Errors
    ///
    /// There is no such exercise, or its rubric has errors.
    pub fn open(&self) -> Result<Opened, Failure> {
        let exercise = self.exercise()?;
        let seed = seed(&exercise);
        let first = exercise.rubric.tests.iter().find(|test| test.entry.open);
        // The arguments of a kernel are no arguments of a program.
        let arguments =
            first.filter(|test| test.range.is_none()).map(|test| test.arguments(seed)).unwrap_or_default();
        // A word with a zero byte cannot be quoted; no argument has one.
        let words = arguments.iter().filter_map(|word| shlex::try_quote(word).ok());
        let files = first.map(|test| &test.entry.files[..]).unwrap_or_default().iter();
        let file = exercise.file();
        let handed = self.files.get(&file).or_else(|| self.files.get(exercise.rubric.language().start()));
        let chip = first.and_then(|test| test.chips.first()).map(|(name, _)| name.clone());
        Ok(Opened {
            listed: Listed::of(&exercise),
            arguments: words.collect::<Vec<_>>().join(" "),
            input: first.map(|test| test.entry.input.clone()).unwrap_or_default(),
            files: files
                .map(|(name, text)| NamedBytes { name: name.value.clone(), base64: STANDARD.encode(text) })
                .collect(),
            chip: chip.filter(|name| Chip::builtin(name).is_some()),
            start: exercise.start.clone().or_else(|| handed.cloned()).unwrap_or_default(),
            statement: exercise.statement,
            file,
        })
    }
}

/// The number in the place of `{seed}`: `warpsim lab grade` uses the same number for a single file
/// with the name of the exercise.
fn seed(exercise: &Exercise) -> u32 {
    exercise.rubric.seed.unwrap_or_else(|| Submission::seed_of(&exercise.name))
}

/// An exercise with the answers of its open tests.
#[derive(Debug)]
pub struct Task {
    given: Given,
    handout: Exercise,
    answers: Answers,
}

impl Task {
    /// Prepares an exercise. An exercise with a solution becomes a hand-out: its solution runs
    /// once.
    ///
    /// # Errors
    ///
    /// There is no such exercise, or it has errors.
    pub fn new(given: &Given) -> Result<Self, Failure> {
        let mistake = |why: String| Failure::input(format!("error: the exercise cannot be graded: {why}"));
        let mut exercise = given.exercise()?;
        if exercise.solution.is_some() {
            let files: Texts = handout(&exercise, seed(&exercise)).map_err(mistake)?;
            exercise = Exercise::new(&exercise.name, files).map_err(mistake)?;
        }
        let answers = Answers::new(&exercise);
        Ok(Self { given: given.clone(), handout: exercise, answers })
    }

    /// Whether it is this exercise.
    pub fn is(&self, given: &Given) -> bool {
        self.given == *given
    }

    /// Runs the open tests of a program.
    ///
    /// # Errors
    ///
    /// The exercise has errors. A wrong program has a grade.
    pub fn grade(&self, text: &str) -> Result<Grade, Failure> {
        let files = [(self.handout.file(), text.to_owned())].into();
        let name = self.handout.name.clone();
        let submission =
            Submission { student: name, seed: seed(&self.handout), files, ..Submission::default() };
        grade(&self.handout, &self.answers, &submission, true)
            .map_err(|why| Failure::input(format!("error: {why}")))
    }
}
