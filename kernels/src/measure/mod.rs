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
    /// A value that several numbers of the chip file, or the behavior of units, make together, at
    /// the published size.
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

/// Rows that numbers of the chip files were chosen to reproduce, each the first and the last of a
/// range of the table. docs/MODEL.md names the numbers; a test compares it with this list.
static CALIBRATED: [(&str, &str); 14] = [
    ("V008", "V008"),
    ("V051", "V051"),
    ("V054", "V056"),
    ("V058", "V058"),
    ("V142", "V142"),
    ("V144", "V145"),
    ("V194", "V194"),
    ("V197", "V197"),
    ("V201", "V217"),
    ("V306", "V306"),
    ("V313", "V313"),
    ("V315", "V315"),
    ("V317", "V343"),
    ("V345", "V355"),
];

/// Whether numbers of the chip files were chosen to reproduce row `id`, or the latency that belongs
/// to its throughput.
pub fn is_calibrated(id: &str) -> bool {
    let row = id.trim_end_matches('t');
    CALIBRATED.iter().any(|(first, last)| (*first..=*last).contains(&row))
}

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

    /// Tests: `published-measurements`.
    #[test]
    fn the_model_page_names_the_rows_that_were_calibrated_against() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/MODEL.md");
        let page = std::fs::read_to_string(path).expect("the page is there");
        let (_, section) = page.split_once("\n## What was calibrated\n").expect("the section");
        let (section, _) = section.split_once("\n## ").expect("a section after it");
        let used =
            |line: &str| line.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default().to_owned();
        let mut named = Vec::new();
        for cell in section.lines().filter(|line| line.starts_with('|')).map(used) {
            for part in cell.split(", ") {
                let (first, last) = part.split_once(" to ").unwrap_or((part, part));
                named.extend(table::published().iter().map(|row| &*row.id).filter(|id| {
                    let row = id.trim_end_matches('t');
                    row.starts_with('V') && (first..=last).contains(&row)
                }));
            }
        }
        named.sort_unstable();
        named.dedup();
        let mut listed: Vec<&str> =
            table::published().iter().map(|row| &*row.id).filter(|id| is_calibrated(id)).collect();
        listed.sort_unstable();
        assert_eq!(named, listed);
    }
}
