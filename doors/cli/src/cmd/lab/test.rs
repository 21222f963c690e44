//! `warpsim lab test`: tries exercises as their teacher does.

use super::folders::exercise;
use crate::args::LabTestArgs;
use crate::exit::{Code, Failure};
use crate::output::{print, shown};
use exercises::{Exercise, export, trial};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Folder of wrong programs below the folder of an exercise.
const WRONG: &str = "wrong";

/// Tries the exercises.
pub fn run(args: &LabTestArgs) -> Result<Code, Failure> {
    let mut is_good = true;
    for name in &args.exercises {
        let exercise = exercise(name)?;
        let trials = trial(&exercise, &wrong(Path::new(name))?);
        let trials = trials.map_err(|why| Failure::input(format!("error: {}: {why}", exercise.name)))?;
        let mut text = title(&exercise);
        for trial in trials {
            let (points, of) = (trial.grade.points, trial.grade.of);
            let word = if trial.unexpected.is_some() { "unexpected" } else { "expected  " };
            let _ = write!(text, "  {word}  {points:3} of {of:3}  {}", trial.name);
            if let Some(why) = &trial.unexpected {
                let _ = write!(text, ": {why}");
                is_good = false;
            }
            text.push('\n');
            if args.verbose {
                for line in export::text(&trial.grade).lines() {
                    let _ = writeln!(text, "      {line}");
                }
            }
        }
        print(&text)?;
    }
    Ok(if is_good { Code::Fine } else { Code::WrongResult })
}

fn title(exercise: &Exercise) -> String {
    format!("{}: {}\n", exercise.name, exercise.rubric.title)
}

/// The wrong programs of an exercise in a folder; an exercise of the course is built in without
/// them.
fn wrong(folder: &Path) -> Result<Vec<(String, String)>, Failure> {
    let Ok(entries) = fs::read_dir(folder.join(WRONG)) else { return Ok(Vec::new()) };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "cu" || end == "cl" || end == "patch"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = fs::read_to_string(path)
            .map_err(|why| Failure::input(format!("error: cannot read {}: {why}", shown(path))))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok((format!("{WRONG}/{name}"), text))
    };
    paths.iter().map(read).collect()
}
