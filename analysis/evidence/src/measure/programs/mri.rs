//! F^H d and Q of the book's MRI reconstruction as they were measured: three of the kernels of
//! `kernels::mri`.
//!
//! **Counting operations.** The publication gives minutes and GFLOP/s. 128^3 voxels times 284,592
//! samples in 41.0, 9.8 and 1.5 minutes at 5.4, 22.8 and 144.5 GFLOP/s give 22.3 to 22.5 operations
//! per voxel and sample of F^H d; Q, which has 256^3 points, has 16.7 to 16.9 by its 260.2, 72.0
//! and 7.5 minutes. That is 1.4 times the 16 and 12 operations of the formulas (14 and 10, and two
//! trigonometric functions). We count 22.4 and 16.8, so that our GFLOP/s are comparable with the
//! published ones.

use crate::measure::{Measured, Scale};
use kernels::RunError;
use kernels::mri::kernel::Kernel;
use kernels::mri::scan::{SAMPLES, Scan};
use sim_core::config::Chip;
use sim_core::host::Gpu;

/// Measures GFLOP/s by this count.
pub fn run(chip: &Chip, kernel: Kernel, scale: Scale) -> Result<Measured, RunError> {
    let mut lab = kernel.laboratory(Gpu::new(chip.clone()))?;
    let side = kernel.side();
    let short = (kernel.voxels_at_once(&lab), kernel.few_samples());
    let (voxels, samples) = super::by_scale(scale, short, (side.pow(3), SAMPLES));
    let (ran, _) = kernel.whole(&mut lab, &Scan::made(voxels, samples))?;
    let measured =
        Measured::new(kernel.flops() * f64::from(voxels) * f64::from(samples) / ran.microseconds() / 1000.0);
    Ok(match scale {
        Scale::Short => measured
            .instead(format!("{voxels} voxels and {samples} samples instead of {side}^3 and {SAMPLES}")),
        Scale::Full => measured,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::table;
    use kernels::mri::kernel::{Sum, Version};

    /// Tests: `operations-as-published`.
    #[test]
    fn operations_are_counted_so_that_minutes_and_rates_agree() {
        let evaluations = |side: u32| f64::from(side.pow(3)) * f64::from(SAMPLES);
        // Minutes by the publication; its rates are in the rows.
        let published = [
            ("V194", Kernel::measured(Sum::Fhd, Version::Global), 128, 41.0),
            ("V195", Kernel::measured(Sum::Fhd, Version::Constant), 128, 9.8),
            ("V196", Kernel::measured(Sum::Fhd, Version::Tuned), 128, 1.5),
            ("V197", Kernel::measured(Sum::Q, Version::Global), 256, 260.2),
            ("V198", Kernel::measured(Sum::Q, Version::Constant), 256, 72.0),
            ("V199", Kernel::measured(Sum::Q, Version::Tuned), 256, 7.5),
        ];
        for (row, kernel, side, minutes) in published {
            let (flops, rate) = (kernel.flops(), table::row(row).unwrap().value);
            // Both numbers are rounded to a tenth.
            let at = |minutes: f64| flops * evaluations(side) / minutes / 60.0 / 1e9;
            let (low, high) = (at(minutes + 0.05) - 0.05, at(minutes - 0.05) + 0.05);
            assert!((low..high).contains(&rate), "{row}: {low} to {high}");
        }
    }
}
