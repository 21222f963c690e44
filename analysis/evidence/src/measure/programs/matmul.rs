//! Matrix products as published: one thread per element, and with tiles in the variants of
//! [`Tiled`].

use crate::measure::{Measured, Scale};
use isa::Options;
use isa::types::Dim3;
use kernels::RunError;
use kernels::lab::Lab;
use kernels::lab::{compiled_for, wave};
use kernels::matmul::Tiled;
use serde::Deserialize;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Launch, RunOptions};
use sim_core::stats::Report;

const NAIVE: &str = include_str!("../../../../../kernels/ptx/matmul_naive.ptx");
/// File name of all texts in error messages.
pub const FILE: &str = "matmul.ptx";
/// Rows and columns of the short run. Rows of 4 KB are distributed over the partitions of G80 like
/// the 16 KB rows of 4096 columns: both are 1,024 bytes above a multiple of 1,536.
const SHORT: u32 = 1024;
/// Waves of resident blocks in the short run, and for the slow products with one element per
/// thread.
const WAVES: u32 = 2;
const ELEMENTWISE_WAVES: u32 = 1;

/// A kernel of the product, and its registers per thread if published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The tiles; `None`: one thread per element, all operands from global memory.
    pub tiled: Option<Tiled>,
    /// Registers per thread.
    pub registers: Option<u32>,
}

/// One thread per element.
pub const ELEMENTWISE: Variant = Variant { tiled: None, registers: None };

/// A variant of the product in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tiles {
    /// Side of the tiles; without it, one thread per element.
    #[serde(default)]
    tile: Option<u32>,
    #[serde(default)]
    merged: Option<u32>,
    #[serde(default)]
    unrolled: bool,
    #[serde(default)]
    prefetching: bool,
    /// Registers per thread, if published or known by their effect.
    #[serde(default)]
    registers: Option<u32>,
}

impl Tiles {
    /// Returns the kernel.
    pub fn variant(self) -> Variant {
        let Self { tile, merged, unrolled, prefetching, registers } = self;
        let tiled = tile.map(|tile| {
            let tiled = Tiled::new(tile).merged(merged.unwrap_or(1));
            Tiled { unrolled, prefetching, ..tiled }
        });
        Variant { tiled, registers }
    }
}

/// Measures the GFLOP/s of the best of these variants; the published matrices have `published` rows
/// and columns.
pub fn run(chip: &Chip, variants: &[Tiles], published: u32, scale: Scale) -> Result<Measured, RunError> {
    let variants: Vec<Variant> = variants.iter().map(|tiles| tiles.variant()).collect();
    let mut best = 0.0f64;
    for &variant in &variants {
        let (width, waves) = super::by_scale(scale, (SHORT, Some(variant.waves())), (published, None));
        let lab = laboratory(chip, variant)?;
        best = best.max(rate(lab, variant, width, waves, RunOptions::default())?.0);
    }
    let measured = Measured::new(best);
    Ok(match scale {
        Scale::Short => {
            let waves = variants.iter().map(|variant| variant.waves()).max().unwrap_or(0);
            let s = if waves == 1 { "" } else { "s" };
            measured.instead(format!(
                "{waves} wave{s} of blocks of a {SHORT} x {SHORT} product instead of {published} x {published}"
            ))
        }
        Scale::Full => measured,
    })
}

/// Returns the GFLOP/s of the product of two matrices with `width` rows and columns, or of `waves`
/// waves of its blocks, as events around the launch would measure it; and the launch's report.
/// `lab` has loaded [`Variant::text`].
///
/// # Errors
/// The chip refuses the launch, or it does not finish.
pub fn rate(
    mut lab: Lab,
    variant: Variant,
    width: u32,
    waves: Option<u32>,
    options: RunOptions,
) -> Result<(f64, Report), RunError> {
    let words = u64::from(width) * u64::from(width);
    let factors = [lab.allocate(words)?, lab.allocate(words)?];
    let product = lab.allocate(words)?;
    let mut launch = variant.launch(&lab, factors, product, width).options(options);
    if let Some(waves) = waves {
        launch.grid = some_blocks(waves * wave(&lab, &launch), launch.grid);
    }
    let report = lab.run(&launch)?;
    let threads = launch.grid.count() * launch.block.count();
    let words = threads * u64::from(variant.tiled.map_or(1, |tiled| tiled.merged));
    Ok((2.0 * words as f64 * f64::from(width) / Lab::kernel_ns(&report), report))
}

/// Returns a grid of `blocks` blocks, as wide as possible within `whole`; `whole` if it has no more
/// blocks.
fn some_blocks(blocks: u32, whole: Dim3) -> Dim3 {
    if u64::from(blocks) >= whole.count() || blocks == 0 {
        return whole;
    }
    let wide = (1..=whole.x.min(blocks)).rev().find(|&wide| blocks.is_multiple_of(wide)).unwrap_or(1);
    Dim3::new(wide, blocks / wide, 1)
}

fn laboratory(chip: &Chip, variant: Variant) -> Result<Lab, RunError> {
    Lab::new(chip.clone(), FILE, &variant.text(chip), Options::default())
}

impl Variant {
    /// Returns the text, compiled for the chip.
    pub fn text(self, chip: &Chip) -> String {
        compiled_for(chip, &self.tiled.map_or_else(|| NAIVE.to_owned(), Tiled::text))
    }

    /// Waves of blocks in the short run.
    fn waves(self) -> u32 {
        if self.tiled.is_some() { WAVES } else { ELEMENTWISE_WAVES }
    }

    /// Describes the launch of the whole product of two matrices with `width` rows and columns.
    fn launch(self, lab: &Lab, [m, n]: [DevicePtr; 2], p: DevicePtr, width: u32) -> Launch {
        let args = [Arg::Ptr(m), Arg::Ptr(n), Arg::Ptr(p), Arg::S32(width as i32)];
        let launch = match self.tiled {
            None => Launch::new(lab.module, "matmul_naive", (width / 16, width / 16), (16, 16)),
            Some(tiled) => Launch::new(lab.module, &tiled.entry(), tiled.grid(width), tiled.block()),
        };
        Launch { registers: self.registers, ..launch.args(args) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::table::{self, Program};
    use kernels::numbers::{floats, wholes};

    /// Returns the kernels of a row.
    fn variants(row: &str) -> Vec<Variant> {
        let Program::Product { variants, .. } = &table::row(row).unwrap().program else { panic!("{row}") };
        variants.iter().map(|tiles| tiles.variant()).collect()
    }

    /// Tests: `measured-kernels-are-right`.
    #[test]
    fn every_variant_multiplies() {
        let width = 64u32;
        let (left, right) = (wholes(1, 4096, -8, 8), wholes(2, 4096, -8, 8));
        let at = |i: usize| {
            let (row, column) = (i / 64, i % 64);
            (0..64).map(|k| left[64 * row + k] * right[64 * k + column]).sum::<i32>()
        };
        let expected: Vec<u32> = (0..4096).map(|i| (at(i) as f32).to_bits()).collect();
        let bits = |values: &[i32]| floats(values).iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        for chip in ["g80", "fermi"] {
            for row in ["V187", "V188", "V306", "V307", "V308", "V309"] {
                for variant in variants(row) {
                    let mut lab = laboratory(&Chip::builtin(chip).unwrap(), variant).unwrap();
                    let factors = [lab.upload(&bits(&left)).unwrap(), lab.upload(&bits(&right)).unwrap()];
                    let product = lab.allocate(4096).unwrap();
                    let launch = variant.launch(&lab, factors, product, width);
                    lab.run(&launch).unwrap();
                    assert_eq!(lab.download(product, 4096).unwrap(), expected, "{variant:?} on {chip}");
                }
            }
        }
    }

    #[test]
    fn prefetching_loses_one_of_three_blocks_on_g80() {
        let blocks = |row: &str| {
            let variant = variants(row)[0];
            let mut lab = laboratory(&Chip::builtin("g80").unwrap(), variant).unwrap();
            let matrix = lab.allocate(256).unwrap();
            let launch = variant.launch(&lab, [matrix, matrix], matrix, 16);
            wave(&lab, &launch) / 16
        };
        assert_eq!([blocks("V307"), blocks("V308"), blocks("V309")], [3, 3, 2]);
    }

    #[test]
    fn grids_of_whole_waves_are_as_wide_as_possible() {
        let grid = |blocks, wide| some_blocks(blocks, Dim3::new(wide, wide, 1));
        assert_eq!(grid(96, 64), Dim3::new(48, 2, 1));
        assert_eq!(grid(180, 64), Dim3::new(60, 3, 1));
        assert_eq!(grid(7, 4), Dim3::new(1, 7, 1));
        assert_eq!(grid(96, 8), Dim3::new(8, 8, 1), "at most the whole grid");
    }
}
