//! Programs that measure a chip as programs on silicon do: with clock registers, results and times.
//!
//! Each row of `table`, the published measurements, names its program and the program's parameters.
//! Measured values are small programs of `micro` or whole kernels of `programs`.
//!
//! Invariant `measured-kernels-are-right`: The kernels of published measurements compute what their
//! sources say, on a chip of each generation for which they are compiled: exactly for whole
//! numbers, otherwise within a bound.
//!
//! Invariant `operations-as-published`: Operations are counted as the publications counted them.

pub mod micro;
pub mod programs;
pub mod table;
pub mod unit;

use crate::{Finding, Shown};
use kernels::RunError;
use kernels::mri::kernel::{Kernel, Sum};
use programs::mixbench::Mix;
use sim_core::config::Chip;
use table::{Measurement, Program};
use unit::Unit;

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
}

impl Measured {
    /// A value at the published size.
    pub fn new(value: f64) -> Self {
        Self { value, instead: None }
    }

    /// Adds the difference from the published size.
    #[must_use]
    pub fn instead(mut self, of: impl Into<String>) -> Self {
        self.instead = Some(of.into());
        self
    }
}

/// Measures a row on a chip, and compares the value with the published one.
///
/// # Errors
/// A launch failed, the value is not finite, or the simulator does not model what the row measures.
pub fn show(row: &Measurement, chip: &Chip, scale: Scale) -> Result<Shown, RunError> {
    let Measured { value, instead } = measure(row, chip, scale)?;
    if !value.is_finite() {
        return Err(RunError::Wrong(format!("the value is {value}")));
    }
    let mut shown = Shown::new(instead.unwrap_or_default());
    shown.find(Finding::measured(&row.kernel, row.value, row.family.target(), value));
    Ok(shown)
}

/// Measures the value of a row on a chip.
///
/// # Errors
/// A launch failed, or the simulator does not model what the row measures.
pub fn measure(row: &Measurement, chip: &Chip, scale: Scale) -> Result<Measured, RunError> {
    value(&row.program, row.unit, row.boards, chip, scale)
}

/// Measures the value of a program in a unit, on some boards.
///
/// # Errors
/// A launch failed, or the simulator does not model what the program measures.
pub fn value(
    program: &Program,
    unit: Unit,
    boards: u32,
    chip: &Chip,
    scale: Scale,
) -> Result<Measured, RunError> {
    let value = match program {
        Program::NotModeled(reason) => return Err(RunError::Unfinished(reason.clone())),
        Program::Instruction { ty, link } if unit == Unit::OpsPerClock => {
            micro::chains::throughput(chip, ty, link)
        }
        Program::Instruction { ty, link } => micro::chains::latency(chip, ty, link),
        Program::Stream { shared } => micro::mad::stream(chip, *shared),
        Program::ThreadsNeeded { chains } => micro::mad::needed(chip, *chains),
        Program::Chase { space, footprint, stride } => micro::memory::load(chip, *space, *footprint, *stride),
        Program::Conflicts { ways } if unit == Unit::OpsPerClock => micro::banks::throughput(chip, *ways),
        Program::Conflicts { ways } => micro::banks::conflict_latency(chip, *ways),
        Program::Barrier { threads } => micro::barrier::cycles(chip, *threads),
        Program::EmptyLaunches => micro::host::launch(chip),
        Program::VectorCopy => micro::host::copy(chip, scale),
        Program::Transpose { entry, padded } => programs::transpose::run(chip, entry, *padded),
        Program::Reduction { version } => programs::reduce::time(chip, *version),
        Program::ReductionBandwidth => return programs::reduce::best_bandwidth(chip, scale),
        Program::OffsetCopy { offsets, short } => return programs::copy::run(chip, offsets, short, scale),
        Program::Product { width, variants } => return programs::matmul::run(chip, variants, *width, scale),
        Program::Mix { arithmetic, double } => {
            let mix = Mix { arithmetic: *arithmetic, double: *double };
            return programs::mixbench::run(chip, mix, unit, scale);
        }
        Program::Mri { q, version } => {
            let kernel = Kernel::measured(if *q { Sum::Q } else { Sum::Fhd }, *version);
            return programs::mri::run(chip, kernel, scale);
        }
        Program::Coulomb { version } => {
            let version = programs::coulomb::VERSIONS.get(version.wrapping_sub(1));
            let version = version.ok_or_else(|| RunError::Unknown("coulomb".to_owned()))?;
            return programs::coulomb::run(chip, *version, boards, scale);
        }
        Program::Histogram { words } => return programs::histogram::run(chip, *words, scale),
    };
    value.map(Measured::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `published-measurements`.
    #[test]
    fn the_model_page_names_the_rows_that_were_calibrated_against() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/MODEL.md");
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
        let calibrated = table::published().iter().filter(|row| row.calibrated);
        let mut listed: Vec<&str> = calibrated.map(|row| &*row.id).collect();
        listed.sort_unstable();
        assert_eq!(named, listed);
    }
}
