//! F^H d and Q of the book's MRI reconstruction as they were measured: three of the kernels of
//! `crate::mri`.
//!
//! **Counting operations.** The publication gives minutes and GFLOP/s. 128^3 voxels times 284,592
//! samples in 41.0, 9.8 and 1.5 minutes at 5.4, 22.8 and 144.5 GFLOP/s give 22.3 to 22.5 operations
//! per voxel and sample of F^H d; Q, which has 256^3 points, has 16.7 to 16.9 by its 260.2, 72.0
//! and 7.5 minutes. That is 1.4 times the 16 and 12 operations of the formulas (14 and 10, and two
//! trigonometric functions). We count 22.4 and 16.8, so that our GFLOP/s are comparable with the
//! published ones.

use super::unknown;
use crate::RunError;
use crate::measure::{Experiment, Measured, Scale};
use crate::mri::kernel::{DataPlacement, Kernel, Sum, Trig, Values};
use crate::mri::scan::{SAMPLES, Scan};
use sim_core::config::Chip;
use sim_core::host::Gpu;

/// The experiments.
pub static EXPERIMENTS: &[Experiment] =
    &[Experiment { rows: &["V194", "V195", "V196", "V197", "V198", "V199"], run }];

/// Returns the kernel of a row: all data in global memory with sine and cosine in software; samples
/// in constant memory with one array per word; tuned.
pub(crate) fn of(row: &str) -> Option<Kernel> {
    let global = Kernel::fhd(DataPlacement::Memory);
    let constant =
        Kernel { values: Values::Constant, trig: Trig::Software, ..Kernel::fhd(DataPlacement::Arrays) };
    Some(match row {
        "V194" => global,
        "V195" => constant,
        "V196" => Kernel::tuned(Sum::Fhd),
        "V197" => Kernel { sum: Sum::Q, ..global },
        "V198" => Kernel { sum: Sum::Q, ..constant },
        "V199" => Kernel::tuned(Sum::Q),
        _ => return None,
    })
}

fn run(chip: &Chip, row: &str, scale: Scale) -> Result<Measured, RunError> {
    let kernel = of(row).ok_or_else(|| unknown(row))?;
    let mut lab = kernel.laboratory(Gpu::new(chip.clone()))?;
    let side = kernel.side();
    let short = (kernel.voxels_at_once(&lab), kernel.few_samples());
    let (voxels, samples) = super::by_scale(scale, short, (side.pow(3), SAMPLES));
    let (ran, _) = kernel.whole(&mut lab, &Scan::made(voxels, samples))?;
    let measured = Measured::emergent(
        kernel.flops() * f64::from(voxels) * f64::from(samples) / ran.microseconds() / 1000.0,
    );
    Ok(match scale {
        Scale::Short => measured
            .instead(format!("{voxels} voxels and {samples} samples instead of {side}^3 and {SAMPLES}")),
        Scale::Full => measured,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `operations-as-published`.
    #[test]
    fn operations_are_counted_so_that_minutes_and_rates_agree() {
        let evaluations = |side: u32| f64::from(side.pow(3)) * f64::from(SAMPLES);
        let published = [
            ("V194", 128, 41.0, 5.4),
            ("V195", 128, 9.8, 22.8),
            ("V196", 128, 1.5, 144.5),
            ("V197", 256, 260.2, 5.1),
            ("V198", 256, 72.0, 18.6),
            ("V199", 256, 7.5, 178.9),
        ];
        for (row, side, minutes, rate) in published {
            let flops = of(row).unwrap().flops();
            // Both numbers are rounded to a tenth.
            let at = |minutes: f64| flops * evaluations(side) / minutes / 60.0 / 1e9;
            let (low, high) = (at(minutes + 0.05) - 0.05, at(minutes - 0.05) + 0.05);
            assert!((low..high).contains(&rate), "{row}: {low} to {high}");
        }
    }
}
