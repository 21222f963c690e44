//! The kernels of published measurements, one family per file, with host programs that measure them
//! as published.
//!
//! Their PTX has the instruction mix that a compiler of the time generated from the published
//! source.

pub mod copy;
pub mod coulomb;
pub mod histogram;
pub mod matmul;
pub mod mixbench;
pub mod mri;
pub mod reduce;
pub mod transpose;

use super::{Experiment, Scale};
use crate::RunError;
use isa::types::Capability;
use sim_core::config::Chip;
use sim_core::host::Launch;
use sim_core::host::fit::Request;
use sim_core::occupancy::Rules;
use sim_core::stats::Report;

/// All experiments with kernels.
pub static FAMILIES: &[&[Experiment]] = &[
    copy::EXPERIMENTS,
    coulomb::EXPERIMENTS,
    histogram::EXPERIMENTS,
    matmul::EXPERIMENTS,
    mixbench::EXPERIMENTS,
    mri::EXPERIMENTS,
    reduce::EXPERIMENTS,
    transpose::EXPERIMENTS,
];

/// Replaces each `@name@` in `template` by its value, in which names are replaced likewise. Other
/// text between two `@` stays.
pub(crate) fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut text = String::with_capacity(2 * template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('@') {
        text += before;
        let value = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
        let named = after.split_once('@').and_then(|(name, after)| Some((value(name)?, after)));
        rest = if let Some((value, after)) = named {
            text += &fill(value, values);
            after
        } else {
            text.push('@');
            after
        };
    }
    text + rest
}

/// Compiles a text for `sm_10` for the chip: from compute capability 2.0 on for `sm_20`, so that
/// the rules of `ptxas` for Fermi apply.
pub(crate) fn compiled_for(chip: &Chip, text: &str) -> String {
    if chip.capability < Capability::new(2, 0) {
        return text.to_owned();
    }
    text.replace(".version 1.4", ".version 2.1").replace(".target sm_10", ".target sm_20")
}

/// Number of blocks of a launch that the chip holds at a time, on all its SMs together.
pub(crate) fn wave(lab: &super::lab::Lab, launch: &Launch) -> u32 {
    let (chip, module) = (lab.gpu.chip(), lab.gpu.module(launch.module));
    let Some(program) = module.entries.iter().find(|program| program.name == launch.entry) else {
        return 0;
    };
    let registers = launch.registers.unwrap_or(program.registers);
    let request = Request::of(program, launch.grid, launch.block, launch.dynamic_shared, registers);
    chip.clusters * chip.cluster.sms * request.occupancy(&Rules::of(chip)).blocks
}

/// GB/s of `bytes` in the time of a launch, without the host's share.
fn gigabytes_per_second(bytes: f64, report: &Report) -> f64 {
    bytes / super::lab::Lab::kernel_ns(report)
}

/// Error for a row that a family does not contain.
fn unknown(row: &str) -> RunError {
    RunError::Unknown(row.to_owned())
}

/// Returns `short` or `full`.
fn by_scale<T>(scale: Scale, short: T, full: T) -> T {
    match scale {
        Scale::Short => short,
        Scale::Full => full,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_has_two_experiments() {
        let mut rows: Vec<&str> =
            FAMILIES.iter().flat_map(|f| f.iter()).flat_map(|e| e.rows).copied().collect();
        let count = rows.len();
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows.len(), count);
    }
}
