//! Folders of exercises and submissions.

use crate::exit::Failure;
use crate::output::shown;
use exercises::{Exercise, Submission, Texts, builtin, names};
use std::fs;
use std::path::{Path, PathBuf};

/// Most bytes of a file.
const LARGEST: u64 = 1 << 20;
/// Most files of a folder.
const MOST_FILES: usize = 256;
/// Ends of the names of files that count.
const KNOWN: [&str; 8] = ["cu", "cl", "cuh", "h", "hpp", "inl", "ron", "md"];

/// Finds an exercise: a name, or a folder.
pub fn exercise(name: &str) -> Result<Exercise, Failure> {
    if let Some(exercise) = builtin(name) {
        return Ok(exercise);
    }
    let folder = Path::new(name);
    if folder.is_dir() {
        return Exercise::new(&name_of(folder), files(folder)?).map_err(Failure::input);
    }
    let near = isa::diag::nearest(name, names());
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Err(Failure::input(format!(
        "error: there is no exercise and no folder `{}`{near}\nhelp: `warpsim lab list` lists the exercises",
        shown(folder)
    )))
}

/// The last part of a path; `.` is the current folder.
pub fn name_of(path: &Path) -> String {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    full.file_stem().map_or_else(|| "submission".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn unreadable(path: &Path, why: &dyn std::fmt::Display) -> Failure {
    Failure::input(format!("error: cannot read {}: {why}", shown(path)))
}

/// Reads the text files of a folder. Links are not followed, so that a submission has only its own
/// files.
pub fn files(folder: &Path) -> Result<Texts, Failure> {
    files_within(folder).map(|(texts, _)| texts)
}

/// As [`files`]; the names of the files that are too large, too.
fn files_within(folder: &Path) -> Result<(Texts, Vec<String>), Failure> {
    let entries = fs::read_dir(folder).map_err(|why| unreadable(folder, &why))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let is_known = |path: &PathBuf| {
        let end = path.extension().and_then(|end| end.to_str());
        let is_file = fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
        end.is_some_and(|end| KNOWN.contains(&end)) && is_file
    };
    paths.retain(is_known);
    paths.truncate(MOST_FILES);
    let (mut texts, mut too_large) = (Texts::new(), Vec::new());
    for path in paths {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if size(&path) > LARGEST {
            too_large.push(name);
            continue;
        }
        let bytes = fs::read(&path).map_err(|why| unreadable(&path, &why))?;
        texts.insert(name, String::from_utf8_lossy(&bytes).into_owned());
    }
    Ok((texts, too_large))
}

fn size(path: &Path) -> u64 {
    fs::symlink_metadata(path).map_or(0, |data| data.len())
}

/// Reads a submission: a folder, or a file. A submission that cannot be read has no files, and gets
/// a grade with this reason.
pub fn submission(path: &Path) -> Submission {
    let student = name_of(path);
    let (files, too_large) = if path.is_dir() {
        files_within(path).unwrap_or_default()
    } else {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if size(path) > LARGEST {
            (Texts::new(), vec![name])
        } else {
            let bytes = fs::read(path).unwrap_or_default();
            ([(name, String::from_utf8_lossy(&bytes).into_owned())].into(), Vec::new())
        }
    };
    let seed = handout_of(&files).and_then(|handout| handout.rubric.seed);
    let seed = seed.unwrap_or_else(|| Submission::seed_of(&student));
    Submission { student, seed, files, too_large }
}

/// The hand-out of a submission, if it has one that can be read.
pub fn handout_of(files: &Texts) -> Option<Exercise> {
    Exercise::new("", files.clone()).ok()
}

/// The submissions that the user names. A folder without files of CUDA C or OpenCL C that has
/// folders is a folder of submissions.
pub fn submissions(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut all = Vec::new();
    for path in named {
        if !path.exists() {
            return Err(Failure::input(format!("error: there is no submission {}", shown(path))));
        }
        let inner = if path.is_dir() && !has_program(path) { folders_in(path)? } else { Vec::new() };
        if inner.is_empty() {
            all.push(path.clone());
        } else {
            all.extend(inner);
        }
    }
    Ok(all)
}

fn has_program(folder: &Path) -> bool {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    names
        .into_iter()
        .any(|entry| entry.path().extension().is_some_and(|end| end == "cu" || end == "cl" || end == "ron"))
}

fn folders_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|why| unreadable(folder, &why))?;
    let mut folders: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    Ok(folders)
}
