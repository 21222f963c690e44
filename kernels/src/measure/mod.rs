//! Programs that measure a chip as programs on silicon do: by clock registers, results and times.
//!
//! Each [`Experiment`] gives the value of one or some rows of the table of published measurements.

pub mod lab;
pub mod programs;

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
