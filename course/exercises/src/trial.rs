//! Tries an exercise as its teacher does: the solution gets all points, the starting program does
//! not, and wrong programs get the points that they name.

use crate::answers::Answers;
use crate::exercise::Exercise;
use crate::grade::Grade;
use crate::grading::grade;
use crate::submission::Submission;
use crate::wrong;
use isa::diag::nearest;

/// A program that was graded, and what is wrong with its grade.
#[derive(Debug)]
pub struct Trial {
    /// Name of the file.
    pub name: String,
    /// Grade of the program.
    pub grade: Grade,
    /// Difference from the expected grade, if there is one.
    pub unexpected: Option<String>,
    /// Points that the comments of a wrong program name.
    pub expected: Option<u32>,
}

/// Grade that a wrong program states in its first comments: `// points: 4` and
/// `// fails: large, race`.
struct Expected<'t> {
    points: Option<u32>,
    fails: Option<Vec<&'t str>>,
}

impl<'t> Expected<'t> {
    fn read(text: &'t str) -> Self {
        let comments = text.lines().map_while(|line| line.strip_prefix("//"));
        let mut expected = Self { points: None, fails: None };
        for comment in comments {
            if let Some(points) = comment.trim().strip_prefix("points:") {
                expected.points = points.trim().parse().ok();
            } else if let Some(names) = comment.trim().strip_prefix("fails:") {
                let names = names.split(", ").map(str::trim).filter(|name| !name.is_empty());
                expected.fails.get_or_insert_default().extend(names);
            }
        }
        expected
    }

    /// Returns the difference of a grade from the expected one.
    fn unexpected(&self, grade: &Grade) -> Option<String> {
        let failed = || grade.rows.iter().filter(|row| !row.passed()).map(|row| row.name.as_str());
        if let Some(fails) = &self.fails {
            let mut wrong: Vec<String> = Vec::new();
            wrong.extend(failed().filter(|name| !fails.contains(name)).map(|name| format!("fails `{name}`")));
            let is_row = |name: &str| grade.rows.iter().any(|row| row.name == name);
            let passes = fails.iter().filter(|name| !failed().any(|failed| failed == **name));
            wrong.extend(passes.map(|name| {
                if is_row(name) {
                    return format!("does not fail `{name}`");
                }
                let near = nearest(name, grade.rows.iter().map(|row| row.name.as_str()));
                let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                format!("names `{name}`, which is no row{near}")
            }));
            if !wrong.is_empty() {
                return Some(wrong.join(", "));
            }
        }
        let wanted = self.points?;
        (wanted != grade.points).then(|| format!("gets {} points; expected {wanted}", grade.points))
    }
}

/// Grades the solution, the starting program, and wrong programs: the names and texts of their
/// files, programs or unified diffs (`.patch`).
///
/// # Errors
///
/// The solution does not compile or fails, or a diff does not fit.
pub fn trial(exercise: &Exercise, files: &[(String, String)]) -> Result<Vec<Trial>, String> {
    let answers = Answers::new(exercise);
    let graded = |name: &str, text: &str| {
        let files = [(exercise.file(), text.to_owned())].into();
        let submission = Submission { student: name.to_owned(), seed: 1, files, ..Submission::default() };
        grade(exercise, &answers, &submission, false)
    };
    let language = exercise.rubric.language();
    let mut trials = Vec::new();
    if let Some(text) = &exercise.solution {
        let grade = graded(language.solution(), text)?;
        let unexpected = (grade.points < grade.of || grade.rows.iter().any(|row| !row.passed()))
            .then(|| "the solution does not get all points".to_owned());
        trials.push(Trial { name: language.solution().to_owned(), grade, unexpected, expected: None });
    }
    if let Some(text) = &exercise.start {
        let grade = graded(language.start(), text)?;
        let problem = grade.problem.is_some().then(|| "it does not compile".to_owned());
        let full = (grade.points == grade.of).then(|| "the starting program gets all points".to_owned());
        trials.push(Trial {
            name: language.start().to_owned(),
            grade,
            unexpected: problem.or(full),
            expected: None,
        });
    }
    for (name, text) in files {
        let text = wrong::program(exercise, name, text)?;
        let grade = graded(name, &text)?;
        let expected = Expected::read(&text);
        let unexpected = expected.unexpected(&grade);
        trials.push(Trial { name: name.clone(), grade, unexpected, expected: expected.points });
    }
    Ok(trials)
}
