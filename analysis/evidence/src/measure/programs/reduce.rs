//! Sum reductions of the SDK (`ptx/measure/reduce.ptx`): one launch per level, until one number is
//! left.

use crate::measure::{Measured, Scale};
use isa::Options;
use kernels::RunError;
use kernels::lab::Lab;
use kernels::lab::compiled_for;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr};

const PTX: &str = include_str!("../../../../../kernels/ptx/measure/reduce.ptx");
const THREADS: u32 = 128;
/// Largest number of elements that a block reads at a time; the input of a launch is padded with
/// zeros to a multiple of it.
const FILL: u32 = 256;
/// Elements of the published table.
const ELEMENTS: u32 = 1 << 22;
/// Elements of the row with many elements per thread.
const MANY: u32 = 1 << 25;

/// One of the kernels.
#[derive(Clone, Copy, Debug)]
struct Version {
    entry: &'static str,
    /// Elements per block; `None` if a block accepts any number.
    per_block: Option<u32>,
    /// Maximum number of blocks of the first launch, if a block accepts any number of elements.
    most_blocks: u32,
}

impl Version {
    /// Versions 1, 3, 5 and 7 of the SDK.
    fn of(version: u32) -> Option<Self> {
        let (entry, per_block) = match version {
            1 => ("reduce_v1", Some(128)),
            3 => ("reduce_v3", Some(128)),
            5 => ("reduce_v5", Some(256)),
            7 => ("reduce_v7", None),
            _ => return None,
        };
        Some(Self { entry, per_block, most_blocks: 64 })
    }

    /// Blocks of a launch that sums `elements`.
    fn blocks(self, elements: u32) -> u32 {
        self.per_block.map_or_else(
            || elements.div_ceil(FILL).min(self.most_blocks),
            |per_block| elements.div_ceil(per_block),
        )
    }
}

/// Measures milliseconds of the whole reduction on the GPU, without the host's share of its
/// launches.
pub fn time(chip: &Chip, version: u32) -> Result<f64, RunError> {
    let version = Version::of(version).ok_or_else(|| unknown(version))?;
    let mut lab = laboratory(chip)?;
    let input = lab.allocate(ELEMENTS.into())?;
    let (ns, _) = whole(&mut lab, version, input, ELEMENTS)?;
    Ok(ns / 1e6)
}

/// Measures GB/s of the elements, with the best of the published numbers of blocks.
pub fn best_bandwidth(chip: &Chip, scale: Scale) -> Result<Measured, RunError> {
    let version = Version::of(7).ok_or_else(|| unknown(7))?;
    let elements = super::by_scale(scale, MANY / 8, MANY);
    let mut lab = laboratory(chip)?;
    let input = lab.allocate(elements.into())?;
    let mut best = 0.0f64;
    for most_blocks in [64, 128, 256] {
        let (ns, _) = whole(&mut lab, Version { most_blocks, ..version }, input, elements)?;
        best = best.max(4.0 * f64::from(elements) / ns);
    }
    let measured = Measured::new(best);
    Ok(match scale {
        Scale::Short => measured.instead("4 M elements instead of 32 M"),
        Scale::Full => measured,
    })
}

/// Error for a version without a kernel.
fn unknown(version: u32) -> RunError {
    RunError::Unknown(format!("version {version} of the reduction"))
}

fn laboratory(chip: &Chip) -> Result<Lab, RunError> {
    Lab::new(chip.clone(), "reduce.ptx", &compiled_for(chip, PTX), Options::default())
}

/// Returns the nanoseconds of all launches, and the sum. `elements` is a multiple of [`FILL`].
fn whole(lab: &mut Lab, version: Version, input: DevicePtr, elements: u32) -> Result<(f64, u32), RunError> {
    let (mut from, mut left, mut ns) = (input, elements, 0.0);
    loop {
        let blocks = version.blocks(left);
        // Words without a sum stay zero.
        let to = lab.allocate(blocks.next_multiple_of(FILL).into())?;
        let mut args = vec![Arg::Ptr(from), Arg::Ptr(to)];
        if version.per_block.is_none() {
            args.push(Arg::U32(left.next_multiple_of(FILL)));
        }
        ns += Lab::kernel_ns(&lab.launch(version.entry, blocks, THREADS, args)?);
        if from != input {
            lab.gpu.free(from)?;
        }
        (from, left) = (to, blocks);
        if left == 1 {
            let sum = lab.download(from, 1)?;
            lab.gpu.free(from)?;
            return Ok((ns, sum[0]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernels::numbers::wholes;

    /// Tests: `measured-kernels-are-right`.
    #[test]
    fn every_version_adds_up() {
        for chip in ["g80", "fermi"] {
            for elements in [256, 1 << 15, (1 << 15) + 256 * 3] {
                let values: Vec<u32> =
                    wholes(7, u64::from(elements), 0, 1000).iter().map(|&v| v as u32).collect();
                let mut lab = laboratory(&Chip::builtin(chip).unwrap()).unwrap();
                let input = lab.upload(&values).unwrap();
                for version in [1, 3, 5, 7] {
                    let (ns, sum) = whole(&mut lab, Version::of(version).unwrap(), input, elements).unwrap();
                    assert_eq!(
                        sum,
                        values.iter().sum::<u32>(),
                        "version {version} on {chip}, {elements} elements"
                    );
                    assert!(ns > 0.0);
                }
            }
        }
    }
}
