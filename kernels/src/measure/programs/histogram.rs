//! Histogram of bytes by atomics in shared memory (`ptx/measure/histogram.ptx`), with more and more words per thread
//! and fewer and fewer blocks.

use super::{unknown, wave};
use crate::RunError;
use crate::measure::lab::Lab;
use crate::measure::{Experiment, Measured, Scale};
use crate::numbers::whole;
use isa::Options;
use isa::types::Dim3;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Launch};

const PTX: &str = include_str!("../../../ptx/measure/histogram.ptx");
/// Threads of a block, and bins.
const THREADS: u32 = 256;
/// Words of all threads of a block with one number, times blocks: published, and in the short run.
const WORDS: u32 = 524_288;
const SHORT_WORDS: u32 = WORDS / 64;
/// Above this many words per thread the published rate does not depend on them any more, only on the blocks.
const ENOUGH: u32 = 32;

/// The rows: from 1 to 65,536 words per thread.
pub static EXPERIMENTS: &[Experiment] = &[Experiment {
    rows: &[
        "V201", "V202", "V203", "V204", "V205", "V206", "V207", "V208", "V209", "V210", "V211", "V212",
        "V213", "V214", "V215", "V216", "V217",
    ],
    run,
}];

/// Millions of bytes of input in a second.
fn run(chip: &Chip, row: &str, scale: Scale) -> Result<Measured, RunError> {
    let step = EXPERIMENTS[0].rows.iter().position(|known| *known == row).ok_or_else(|| unknown(row))?;
    let published = Size { blocks: WORDS >> step, words: 1 << step };
    let mut lab = laboratory(chip)?;
    let size = match scale {
        Scale::Short => published.short(wave(&lab, &Launch::new(lab.module, "histogram", 1, THREADS))),
        Scale::Full => published,
    };
    let bytes = 4.0 * size.all() as f64;
    // The published input is not told; random bytes meet in bins and banks as often as chance has it.
    let input = lab.upload(&(0..size.all()).map(random).collect::<Vec<u32>>())?;
    let bins = lab.allocate(THREADS.into())?;
    let report = lab.run(&size.launch(&lab, input, bins))?;
    let measured = Measured::emergent(bytes * 1000.0 / Lab::kernel_ns(&report));
    Ok(match scale {
        Scale::Short => measured.instead(format!(
            "{} blocks and {} words per thread instead of {} and {}",
            size.blocks, size.words, published.blocks, published.words
        )),
        Scale::Full => measured,
    })
}

/// Random bits.
fn random(index: u64) -> u32 {
    let half = |stream| whole(stream, index, 0, 0xffff) as u32;
    half(1) << 16 | half(2)
}

fn laboratory(chip: &Chip) -> Result<Lab, RunError> {
    Lab::new(chip.clone(), "histogram.ptx", PTX, Options::default())
}

/// A run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    blocks: u32,
    /// Words of a thread.
    words: u32,
}

impl Size {
    /// A 64th of the input. While there are more blocks than the chip holds many times over, their number goes down,
    /// to whole waves of them, `resident` each; what few blocks cost shows only if all of them are there.
    fn short(self, resident: u32) -> Self {
        if self.blocks <= 1024 {
            return Self { words: SHORT_WORDS / self.blocks, ..self };
        }
        let words = self.words.min(ENOUGH);
        let waves = (SHORT_WORDS / words / resident.max(1)).max(1);
        Self { blocks: waves * resident, words }
    }

    /// Words of all threads.
    fn all(self) -> u64 {
        u64::from(self.blocks) * u64::from(self.words) * u64::from(THREADS)
    }

    /// The grid has as many rows as it needs to have at most 65,535 columns.
    fn launch(self, lab: &Lab, input: DevicePtr, bins: DevicePtr) -> Launch {
        let rows = (1..=self.blocks)
            .find(|rows| self.blocks.is_multiple_of(*rows) && self.blocks / rows <= 65_535)
            .unwrap_or(1);
        let args = [Arg::Ptr(input), Arg::Ptr(bins), Arg::U32(self.words)];
        Launch::new(lab.module, "histogram", Dim3::new(self.blocks / rows, rows, 1), THREADS).args(args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted() {
        let mut lab = laboratory(&Chip::builtin("fermi").unwrap()).unwrap();
        let size = Size { blocks: 6, words: 5 };
        let words: Vec<u32> = (0..size.all()).map(random).collect();
        let mut expected = vec![0u32; 256];
        for byte in words.iter().flat_map(|word| word.to_le_bytes()) {
            expected[usize::from(byte)] += 1;
        }
        let input = lab.upload(&words).unwrap();
        let bins = lab.allocate(256).unwrap();
        let mut launch = size.launch(&lab, input, bins);
        // Two rows, as a large grid has.
        launch.grid = Dim3::new(3, 2, 1);
        lab.run(&launch).unwrap();
        assert_eq!(lab.download(bins, 256).unwrap(), expected);
    }

    #[test]
    fn a_short_run_has_whole_waves_or_the_published_blocks() {
        let short = |step: u32| Size { blocks: WORDS >> step, words: 1 << step }.short(42);
        assert_eq!(short(0), Size { blocks: 195 * 42, words: 1 });
        assert_eq!(short(4), Size { blocks: 12 * 42, words: 16 });
        assert_eq!(short(8), Size { blocks: 6 * 42, words: 32 });
        assert_eq!(short(9), Size { blocks: 1024, words: 8 });
        assert_eq!(short(16), Size { blocks: 8, words: 1024 });
    }

    #[test]
    fn the_largest_grid_is_folded() {
        let lab = laboratory(&Chip::builtin("fermi").unwrap()).unwrap();
        let nowhere = DevicePtr::new(0);
        let launch = Size { blocks: WORDS, words: 1 }.launch(&lab, nowhere, nowhere);
        assert_eq!(launch.grid, Dim3::new(WORDS / 16, 16, 1));
    }
}
