//! An exercise: a folder with a rubric, a statement, a starting program and a solution.

use crate::rubric::{NdRange, Rubric, Test, Texts};
use isa::diag;
use isa::types::Dim3;
use std::fmt::Write as _;
use std::path::Path;

/// The rubric.
pub const RUBRIC: &str = "exercise.ron";
/// The statement.
pub const STATEMENT: &str = "README.md";

/// An exercise with its files.
#[derive(Debug)]
pub struct Exercise {
    /// Its name: the file of a student is called `NAME.cu` or `NAME.cl`.
    pub name: String,
    /// The statement, in Markdown.
    pub statement: String,
    /// The program that a student gets. A hand-out has none.
    pub start: Option<String>,
    /// The solution. A hand-out has none.
    pub solution: Option<String>,
    /// Rubric from `exercise.ron`.
    pub rubric: Rubric,
    /// Files of chips.
    pub chips: Texts,
}

impl Exercise {
    /// Reads the files of an exercise or a hand-out.
    ///
    /// # Errors
    ///
    /// A file is missing, or the rubric has mistakes: the text of all messages.
    pub fn new(name: &str, mut texts: Texts) -> Result<Self, String> {
        let Some(rubric_text) = texts.remove(RUBRIC) else {
            return Err(format!("error: the exercise `{name}` has no file {RUBRIC}"));
        };
        let rubric = Rubric::read(&rubric_text, &texts);
        let rubric = rubric.map_err(|diagnostics| diag::render_all(&diagnostics, RUBRIC, &rubric_text))?;
        let language = rubric.language();
        let (start, solution) = (texts.remove(language.start()), texts.remove(language.solution()));
        let has_answers = |test: &crate::Test| {
            let answers = &test.entry.answers;
            test.chips.iter().all(|(chip, _)| answers.iter().any(|answer| answer.chip == *chip))
        };
        if solution.is_none() && !rubric.tests.iter().all(has_answers) {
            let help = "help: `warpsim lab new` makes a hand-out, whose tests have `answers` instead";
            return Err(format!("error: the exercise `{name}` has no file {}\n{help}", language.solution()));
        }
        if solution.is_some() && start.is_none() {
            return Err(format!("error: the exercise `{name}` has no file {}", language.start()));
        }
        let statement = texts.remove(STATEMENT).unwrap_or_default();
        let name = rubric.name.clone().unwrap_or_else(|| name.to_owned());
        texts.retain(|name, _| Path::new(name).extension().is_some_and(|end| end == "ron"));
        Ok(Self { name, statement, start, solution, rubric, chips: texts })
    }

    /// The command line of a test for a student with this number, for messages.
    pub fn command(&self, test: &Test, seed: u32) -> String {
        let Some(NdRange { global, local }) = test.range else {
            let words = std::iter::once(self.name.clone()).chain(test.arguments(seed));
            return words.collect::<Vec<_>>().join(" ");
        };
        let mut words = format!("warpsim run {} --global {}", self.file(), extents(global));
        if let Some(local) = local {
            let _ = write!(words, " --local {}", extents(local));
        }
        for argument in test.arguments(seed) {
            let _ = write!(words, " --arg '{argument}'");
        }
        words
    }

    /// Name of a student's file.
    pub fn file(&self) -> String {
        format!("{}.{}", self.name, self.rubric.language().ending())
    }
}

/// Extents as the command line has them.
fn extents(of: Dim3) -> String {
    format!("{}x{}x{}", of.x, of.y, of.z)
}
