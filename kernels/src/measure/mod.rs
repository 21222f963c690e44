//! Programs that measure a chip as programs on silicon do: by clock registers, results and times.
//!
//! Each [`Experiment`] gives the value of one or some rows of the table of published measurements.
//!
//! Invariant `measured-kernels-are-right`: The kernels of published measurements compute what their
//! sources say, on a chip of each generation for which they are compiled: exactly for whole
//! numbers, otherwise within a bound.
//!
//! Invariant `operations-as-published`: Operations are counted as the publications counted them.

pub mod lab;
pub mod micro;
pub mod programs;
pub mod table;
pub mod unit;

use crate::RunError;
use sim_core::config::Chip;

/// How large a measurement is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// As large as is needed for a steady state, in seconds.
    #[default]
    Short,
    /// The published size, wherever a day is enough for it.
    Full,
}

/// What an experiment found.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// In the unit of the row.
    pub value: f64,
    /// What was run, where it is not what was published: `1024 x 1024 instead of 4096 x 4096`.
    pub instead: Option<String>,
    /// It is a number of the chip file that is read back, and shows nothing.
    pub set: bool,
}

impl Measured {
    /// A value that comes out of the machine, at the published size.
    pub fn emergent(value: f64) -> Self {
        Self { value, instead: None, set: false }
    }

    /// A number of the chip file that is read back.
    pub fn set(value: f64) -> Self {
        Self { set: true, ..Self::emergent(value) }
    }

    /// At another size than the published one.
    #[must_use]
    pub fn instead(mut self, of: impl Into<String>) -> Self {
        self.instead = Some(of.into());
        self
    }
}

/// A program that gives the value of rows of the table.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// The rows, by their ids in the table.
    pub rows: &'static [&'static str],
    /// Measures the value of a row on a chip.
    pub run: fn(&Chip, row: &str, Scale) -> Result<Measured, RunError>,
}

/// The microbenchmarks, family by family; [`programs::FAMILIES`] are the kernels.
static MICROBENCHMARKS: [&[Experiment]; 6] = [
    micro::chains::EXPERIMENTS,
    micro::mad::EXPERIMENTS,
    micro::memory::EXPERIMENTS,
    micro::banks::EXPERIMENTS,
    micro::barrier::EXPERIMENTS,
    micro::host::EXPERIMENTS,
];

/// Rows that no experiment can measure, each with the reason.
pub static NOT_MODELLED: [(&str, &str); 4] = [
    ("V193", "the start of a CUDA context is the driver's work"),
    ("V350", "there is no texture memory"),
    ("V351", "there is no texture memory"),
    ("V352", "there is no texture memory"),
];

/// All experiments.
pub fn experiments() -> impl Iterator<Item = &'static Experiment> {
    MICROBENCHMARKS.iter().chain(programs::FAMILIES).flat_map(|family| family.iter())
}

/// The experiment that measures the row `id`.
pub fn experiment(id: &str) -> Option<&'static Experiment> {
    experiments().find(|experiment| experiment.rows.contains(&id))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `published-measurements`.
    #[test]
    fn every_experiment_measures_rows_of_the_table_that_nobody_else_measures() {
        let mut seen: Vec<&str> = NOT_MODELLED.iter().map(|(id, _)| *id).collect();
        for id in experiments().flat_map(|experiment| experiment.rows) {
            assert!(table::published().iter().any(|row| row.id == *id), "{id} is not in the table");
            assert!(!seen.contains(id), "{id} is measured twice, or listed as not modelled");
            seen.push(id);
        }
    }
}
