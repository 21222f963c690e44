//! Runs of matrix products, shared by several experiments.

use crate::measure::programs::matmul::{FILE, Variant, rate};
use crate::{Runner, Size};
use kernels::RunError;
use kernels::matmul::Tiled;
use sim_core::config::Chip;
use sim_core::stats::Report;

/// Widths of square matrices, reduced and at full size.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    /// Width for runs that take minutes together.
    pub reduced: u32,
    /// Width in the claim.
    pub full: u32,
}

impl Widths {
    /// Widths for claims that name none.
    pub const UNNAMED: Self = Self { reduced: 256, full: 512 };
}

/// Waves of blocks to run of a full-size product that is not sampled.
const WAVES: u32 = 2;

/// Returns the width of the product, and the number of waves of resident blocks to run; `None`
/// means all.
fn scale(runner: &Runner, widths: Widths) -> (u32, Option<u32>) {
    match (runner.size, runner.sampling) {
        (Size::Reduced, _) => (widths.reduced, Some(1)),
        (Size::Full, None) => (widths.full, Some(WAVES)),
        (Size::Full, Some(_)) => (widths.full, None),
    }
}

/// Text of the same.
pub fn in_words(runner: &Runner, widths: Widths) -> String {
    let (width, waves) = scale(runner, widths);
    match waves {
        None => format!("the product of two {width} x {width} matrices"),
        Some(1) => format!("one wave of resident blocks of a {width} x {width} product"),
        Some(waves) => format!("{waves} waves of resident blocks of a {width} x {width} product"),
    }
}

/// Returns the GFLOP/s and the report of a product, or of the first waves of its blocks.
///
/// # Errors
/// The chip refuses the launch, or it does not finish.
pub fn product(
    runner: &Runner,
    chip: &Chip,
    variant: Variant,
    widths: Widths,
) -> Result<(f64, Report), RunError> {
    let (width, waves) = scale(runner, widths);
    let lab = runner.lab(chip.clone(), FILE, &variant.text(chip))?;
    rate(lab, variant, width, waves, runner.options())
}

/// A tiled product with the published number of registers per thread, or with as many as the code
/// needs.
pub fn by_tiles(tiled: Tiled) -> Variant {
    Variant { tiled: Some(tiled), registers: tiled.published_registers() }
}
