//! Transposes of the SDK's paper (`ptx/measure/transpose.template`): bandwidth, read and written.

use super::gigabytes_per_second;
use isa::Options;
use kernels::RunError;
use kernels::lab::Lab;
use kernels::lab::compiled_for;
use kernels::template::fill;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr};

const PTX: &str = include_str!("../../../../../kernels/ptx/measure/transpose.template");
/// Rows and columns of a tile.
const TILE: u32 = 32;
/// Rows of a block's threads.
const BLOCK_ROWS: u32 = 8;
/// Rows and columns of the published matrix.
const SIDE: u32 = 2048;

/// Measures GB/s of a transpose whose tiles have padded rows, or not.
pub fn run(chip: &Chip, entry: &str, padded: bool) -> Result<f64, RunError> {
    let mut lab = laboratory(chip, pitch(padded))?;
    let words = u64::from(SIDE) * u64::from(SIDE);
    let (out, input) = (lab.allocate(words)?, lab.allocate(words)?);
    bandwidth(&mut lab, entry, [out, input], [SIDE, SIDE])
}

/// Distance between the rows of a tile, in words.
fn pitch(padded: bool) -> u32 {
    TILE + u32::from(padded)
}

/// Loads the module with rows of the tile `pitch` words apart.
fn laboratory(chip: &Chip, pitch: u32) -> Result<Lab, RunError> {
    let rows = |rows: u32| (4 * rows * pitch).to_string();
    let values = [
        ("WORDS", (TILE * pitch).to_string()),
        ("PITCH", pitch.to_string()),
        ("ROWS8", rows(8)),
        ("ROWS16", rows(16)),
        ("ROWS24", rows(24)),
    ];
    let text = compiled_for(chip, &fill(PTX, &values));
    Lab::new(chip.clone(), "transpose.ptx", &text, Options::default())
}

/// GB/s of a matrix of `[width, height]`, multiples of [`TILE`].
fn bandwidth(
    lab: &mut Lab,
    entry: &str,
    [out, input]: [DevicePtr; 2],
    [width, height]: [u32; 2],
) -> Result<f64, RunError> {
    let args = [Arg::Ptr(out), Arg::Ptr(input), Arg::S32(width as i32), Arg::S32(height as i32)];
    let report = lab.launch(entry, (width / TILE, height / TILE), (TILE, BLOCK_ROWS), args)?;
    Ok(gigabytes_per_second(8.0 * f64::from(width) * f64::from(height), &report))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `measured-kernels-are-right`.
    #[test]
    fn rows_become_columns() {
        let (width, height) = (96, 64);
        let matrix: Vec<u32> = (1..=width * height).collect();
        let turned: Vec<u32> = (0..width).flat_map(|x| (0..height).map(move |y| 1 + y * width + x)).collect();
        for chip in ["gt200", "fermi"] {
            for (entry, padded) in [("copy", false), ("naive", false), ("tiled", false), ("tiled", true)] {
                let mut lab = laboratory(&Chip::builtin(chip).unwrap(), pitch(padded)).unwrap();
                let input = lab.upload(&matrix).unwrap();
                let out = lab.allocate(matrix.len() as u64).unwrap();
                bandwidth(&mut lab, entry, [out, input], [width, height]).unwrap();
                let expected = if entry == "copy" { &matrix } else { &turned };
                assert_eq!(&lab.download(out, matrix.len()).unwrap(), expected, "{entry} on {chip}");
            }
        }
    }
}
