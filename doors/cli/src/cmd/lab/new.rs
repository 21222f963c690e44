//! `warpsim lab new`: the hand-out of an exercise.

use super::folders::{exercise, name_of};
use crate::args::LabNewArgs;
use crate::exit::{Code, Failure};
use crate::output::{Files, print, shown};
use exercises::{Submission, handout};
use std::fmt::Write as _;
use std::fs;

/// Writes a hand-out.
pub fn run(args: &LabNewArgs) -> Result<Code, Failure> {
    let exercise = exercise(&args.exercise)?;
    let folder = &args.folder;
    let seed = Submission::seed_of(&args.seed.clone().unwrap_or_else(|| name_of(folder)));
    let files = handout(&exercise, seed).map_err(|why| Failure::input(format!("error: {why}")))?;
    if let Some(name) = files.keys().find(|name| folder.join(name).exists()) {
        let path = shown(&folder.join(name));
        let help = "help: name a new folder; a hand-out does not replace files";
        return Err(Failure::input(format!("error: {path} exists\n{help}")));
    }
    fs::create_dir_all(folder)
        .map_err(|why| Failure::input(format!("error: cannot make the folder {}: {why}", shown(folder))))?;
    let mut registry = Files::new();
    for (name, text) in &files {
        registry.open(&folder.join(name))?.write(text.as_bytes())?;
    }
    let mut text = format!("{}: {}\n", exercise.name, exercise.rubric.title);
    let (file, folder) = (shown(&folder.join(exercise.file())), shown(folder));
    let _ = writeln!(text, "Read {folder}/README.md, edit {file}, then run: warpsim lab check {folder}");
    print(&text)?;
    Ok(Code::Fine)
}
