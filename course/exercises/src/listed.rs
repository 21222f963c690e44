//! Exercises as lists have them.

use crate::exercise::Exercise;
use serde::Serialize;

/// An exercise in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Listed {
    /// Name.
    pub name: String,
    /// Title of the exercise.
    pub title: String,
    /// Number of its lesson; absent in an exercise without a lesson.
    pub lesson: Option<u32>,
    /// Difficulty: `easy`, `medium` or `hard`.
    pub level: &'static str,
    /// Task of the student: `write`, `debug` or `fast`.
    pub kind: &'static str,
    /// Points of the rows that students can check.
    pub points: u32,
    /// Points of the other rows.
    pub closed: u32,
    /// Chips on which its tests run, each once.
    pub chips: Vec<String>,
}

impl Listed {
    /// The row of an exercise.
    pub fn of(exercise: &Exercise) -> Self {
        let rubric = &exercise.rubric;
        let mut chips: Vec<String> = Vec::new();
        for (chip, _) in rubric.tests.iter().flat_map(|test| &test.chips) {
            if !chips.contains(chip) {
                chips.push(chip.clone());
            }
        }
        Self {
            name: exercise.name.clone(),
            title: rubric.title.clone(),
            lesson: rubric.lesson,
            level: rubric.level.name(),
            kind: rubric.kind.name(),
            points: rubric.points() + rubric.closed - rubric.closed_points(),
            closed: rubric.closed_points(),
            chips,
        }
    }
}
