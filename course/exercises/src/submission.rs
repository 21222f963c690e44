//! Programs that students have handed in.

use crate::exercise::Exercise;
use crate::grade::Source;
use crate::rubric::Texts;
use std::path::Path;

/// Program of one student.
#[derive(Clone, Debug, Default)]
pub struct Submission {
    /// Name of the student.
    pub student: String,
    /// Number in the place of `{seed}`.
    pub seed: u32,
    /// Its text files.
    pub files: Texts,
    /// Names of files that are too large to be read.
    pub too_large: Vec<String>,
}

impl Submission {
    /// The number of a student: 1 to 9999, the same in every run.
    pub fn seed_of(student: &str) -> u32 {
        // FNV-1a.
        let hash = student
            .bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        hash % 9999 + 1
    }

    /// The program with its name, for pages; `None` without one.
    pub fn source(&self, exercise: &Exercise) -> Option<Source> {
        let (name, _) = self.program(exercise).ok()?;
        Some(Source { name: name.to_owned(), text: self.files[name].clone() })
    }

    /// The program: the file of the exercise's name. If it is missing, the only file of its
    /// language is taken instead, with a note.
    ///
    /// # Errors
    ///
    /// There is no such file.
    pub fn program(&self, exercise: &Exercise) -> Result<(&str, Option<String>), String> {
        let wanted = exercise.file();
        if let Some((name, _)) = self.files.get_key_value(&wanted) {
            return Ok((name, None));
        }
        let ending = exercise.rubric.language().ending();
        let is_program =
            |name: &&String| Path::new(name.as_str()).extension().is_some_and(|end| end == ending);
        let programs: Vec<&String> = self.files.keys().filter(is_program).collect();
        match programs.as_slice() {
            [only] => Ok((only, Some(format!("the file is called `{only}`; expected `{wanted}`")))),
            [] => Err(match self.too_large.first() {
                Some(name) => format!("the file `{name}` is too large"),
                None => format!("there is no file `{wanted}`"),
            }),
            several => {
                let names: Vec<String> = several.iter().map(|name| format!("`{name}`")).collect();
                Err(format!("there is no file `{wanted}`, but several others: {}", names.join(", ")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_have_numbers_of_their_own() {
        assert_eq!(Submission::seed_of("ada"), Submission::seed_of("ada"));
        assert_ne!(Submission::seed_of("ada"), Submission::seed_of("alan"));
        assert!((1..=9999).contains(&Submission::seed_of("")));
    }
}
