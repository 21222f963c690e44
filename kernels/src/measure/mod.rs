//! Programs that measure a chip as programs on silicon do: with clock registers, results and times.
//!
//! Each [`Experiment`] gives the value of one or several rows of the table of published
//! measurements.
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

/// Size of a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Large enough for a steady state, in seconds.
    #[default]
    Short,
    /// The published size, if a day is enough for it.
    Full,
}

/// Result of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Value in the unit of the row.
    pub value: f64,
    /// Difference from the published experiment, if any: `1024 x 1024 instead of 4096 x 4096`.
    pub instead: Option<String>,
    /// Whether the value is a parameter of the chip file that is only read back.
    pub set: bool,
}

impl Measured {
    /// A value that emerges from the model, at the published size.
    pub fn emergent(value: f64) -> Self {
        Self { value, instead: None, set: false }
    }

    /// A parameter of the chip file that is read back.
    pub fn set(value: f64) -> Self {
        Self { set: true, ..Self::emergent(value) }
    }

    /// Adds the difference from the published size.
    #[must_use]
    pub fn instead(mut self, of: impl Into<String>) -> Self {
        self.instead = Some(of.into());
        self
    }
}

/// A program that measures rows of the table.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// Identifiers of its rows in the table.
    pub rows: &'static [&'static str],
    /// Measures the value of a row on a chip.
    pub run: fn(&Chip, row: &str, Scale) -> Result<Measured, RunError>,
}

/// The microbenchmarks, family by family; [`programs::FAMILIES`] has the kernels.
static MICROBENCHMARKS: [&[Experiment]; 7] = [
    micro::chains::EXPERIMENTS,
    micro::mad::EXPERIMENTS,
    micro::memory::EXPERIMENTS,
    micro::texture::EXPERIMENTS,
    micro::banks::EXPERIMENTS,
    micro::barrier::EXPERIMENTS,
    micro::host::EXPERIMENTS,
];

/// Rows that no experiment can measure, with the reason.
pub static NOT_MODELED: [(&str, &str); 1] = [("V193", "the start of a CUDA context is the driver's work")];

/// Returns all experiments.
pub fn experiments() -> impl Iterator<Item = &'static Experiment> {
    MICROBENCHMARKS.iter().chain(programs::FAMILIES).flat_map(|family| family.iter())
}

/// Returns the experiment that measures the row `id`.
pub fn experiment(id: &str) -> Option<&'static Experiment> {
    experiments().find(|experiment| experiment.rows.contains(&id))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `published-measurements`.
    #[test]
    fn every_row_of_an_experiment_is_in_the_table_and_measured_once() {
        let mut seen: Vec<&str> = NOT_MODELED.iter().map(|(id, _)| *id).collect();
        for id in experiments().flat_map(|experiment| experiment.rows) {
            assert!(table::published().iter().any(|row| row.id == *id), "{id} is not in the table");
            assert!(!seen.contains(id), "{id} is measured twice, or listed as not modeled");
            seen.push(id);
        }
    }
}
