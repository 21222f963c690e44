//! What the rows of matrix products share: running some of a product.

use crate::RunError;
use crate::book::{Runner, Size};
use crate::matmul::Tiled;
use crate::measure::programs::matmul::{FILE, Variant, rate};
use sim_core::config::Chip;
use sim_core::stats::Report;

/// Rows and columns of matrices, as the ledger has them and reduced.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    /// Where all rows together are to take minutes.
    pub reduced: u32,
    /// What the ledger names.
    pub full: u32,
}

impl Widths {
    /// Of rows that name none.
    pub const UNNAMED: Self = Self { reduced: 256, full: 512 };
}

/// Waves of blocks that are run of a product of the ledger's size, where it is not sampled.
const WAVES: u32 = 2;

/// How much of a product is run: its width, and how many waves of resident blocks, if not all.
fn scale(runner: &Runner, widths: Widths) -> (u32, Option<u32>) {
    match (runner.size, runner.sampling) {
        (Size::Reduced, _) => (widths.reduced, Some(1)),
        (Size::Full, None) => (widths.full, Some(WAVES)),
        (Size::Full, Some(_)) => (widths.full, None),
    }
}

/// The same in words.
pub fn in_words(runner: &Runner, widths: Widths) -> String {
    let (width, waves) = scale(runner, widths);
    match waves {
        None => format!("the product of two {width} x {width} matrices"),
        Some(1) => format!("one wave of resident blocks of a {width} x {width} product"),
        Some(waves) => format!("{waves} waves of resident blocks of a {width} x {width} product"),
    }
}

/// GFLOP/s and report of a product, or of the first waves of its blocks.
///
/// # Errors
/// If the chip refuses the launch, or it does not finish.
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

/// By tiles, with as many registers of a thread as are published, or as the code needs.
pub fn by_tiles(tiled: Tiled) -> Variant {
    Variant { tiled: Some(tiled), registers: tiled.published_registers() }
}
