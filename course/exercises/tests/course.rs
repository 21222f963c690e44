//! The exercises of the course are right: the solution of each gets all points on all chips, the
//! starting program does not, and at least five typical wrong programs get the points and fail the
//! rows that their first comments name.

use exercises::{Exercise, Kind, builtin, names, trial};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn programs(name: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder(name).join("wrong")).expect("an exercise has wrong programs");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("a text"))
    };
    paths.iter().map(read).collect()
}

fn check(exercise: &Exercise) -> Vec<String> {
    let wrong = programs(&exercise.name);
    let trials = trial(exercise, &wrong).unwrap_or_else(|why| panic!("{}: {why}", exercise.name));
    let unexpected = trials.iter().filter_map(|trial| {
        let why = trial.unexpected.as_ref()?;
        Some(format!("{}/{}: {why}", exercise.name, trial.name))
    });
    let unmarked = trials.iter().filter(|trial| wrong.iter().any(|(name, _)| *name == trial.name));
    let unmarked = unmarked.filter(|trial| trial.expected.is_none());
    let unmarked = unmarked.map(|trial| format!("{}/{}: names no points", exercise.name, trial.name));
    let mut all: Vec<String> = unexpected.chain(unmarked).collect();
    if wrong.len() < 5 {
        all.push(format!("{}: {} wrong programs; expected 5", exercise.name, wrong.len()));
    }
    if exercise.rubric.points() != 10 {
        all.push(format!("{}: {} points; expected 10", exercise.name, exercise.rubric.points()));
    }
    all
}

/// The exercises of one part of the course: tests of the parts run side by side.
fn part(number: usize) {
    let part = names().skip(number).step_by(4);
    let wrong: Vec<String> = part.filter_map(builtin).flat_map(|exercise| check(&exercise)).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn exercises_of_the_first_part_are_right() {
    part(0);
}

#[test]
fn exercises_of_the_second_part_are_right() {
    part(1);
}

#[test]
fn exercises_of_the_third_part_are_right() {
    part(2);
}

#[test]
fn exercises_of_the_fourth_part_are_right() {
    part(3);
}

#[test]
fn every_folder_of_an_exercise_is_built_in() {
    let entries = fs::read_dir(folder("")).expect("the folder of the exercises");
    let folders = entries.map(|entry| entry.expect("an entry").path());
    let folders = folders.filter(|path| path.join("exercise.ron").is_file());
    let on_disk: BTreeSet<String> =
        folders.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect();
    assert_eq!(on_disk, names().map(str::to_owned).collect());
}

#[test]
fn lessons_have_their_exercises_in_order() {
    let all: Vec<Exercise> = names().filter_map(builtin).collect();
    let lessons: Vec<Option<u32>> = all.iter().map(|exercise| exercise.rubric.lesson).collect();
    assert!(lessons.is_sorted() && lessons.iter().all(Option::is_some), "{lessons:?}");
    let of = |kind| all.iter().filter(|exercise| exercise.rubric.kind == kind).count();
    assert!(all.len() >= 24 && of(Kind::Debug) >= 10 && of(Kind::Fast) >= 4);
}
