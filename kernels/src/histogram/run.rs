//! A run of a histogram in numbers: blocks and words per thread, its launch, and its input.

use super::text::Kind;
use crate::RunError;
use crate::lab::Lab;
use crate::numbers::whole;
use isa::Options;
use isa::types::Dim3;
use sim_core::host::{Arg, DevicePtr, Gpu, Launch};
use sim_core::stats::Report;

/// Threads per block, and number of bins.
pub const THREADS: u32 = 256;

/// Amount of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Number of blocks.
    pub blocks: u32,
    /// Words per thread: 1, except for the histogram in shared memory.
    pub words: u32,
}

impl Size {
    /// Words of all threads, if each has whole words.
    pub fn all(self) -> u64 {
        u64::from(self.blocks) * u64::from(self.words) * u64::from(THREADS)
    }

    /// Grid with as few rows as possible with at most 65,535 columns.
    pub fn grid(self) -> Dim3 {
        let rows = (1..=self.blocks)
            .find(|rows| self.blocks.is_multiple_of(*rows) && self.blocks / rows <= 65_535)
            .unwrap_or(1);
        Dim3::new(self.blocks / rows, rows, 1)
    }

    /// Arguments of a kernel.
    pub fn args(self, kind: Kind, input: DevicePtr, bins: DevicePtr) -> Vec<Arg> {
        let words = kind.is_shared().then_some(Arg::U32(self.words));
        [Arg::Ptr(input), Arg::Ptr(bins)].into_iter().chain(words).collect()
    }
}

/// Loads the kernel on `gpu`.
pub fn laboratory(gpu: Gpu, kind: Kind) -> Result<Lab, RunError> {
    let text = kind.text("A histogram of bytes, as it is measured.", &[]);
    Lab::on(gpu, "histogram.ptx", &text, Options::default())
}

/// Counts random bytes. Returns the rate in millions of bytes per second, and the report. The
/// counts must be correct, unless the GPU samples.
///
/// # Errors
/// The counts are wrong, or the kernel does not finish.
pub fn measure(lab: &mut Lab, kind: Kind, size: Size) -> Result<(f64, Report), RunError> {
    let words = if kind == Kind::Bytes { size.all() / 4 } else { size.all() };
    // The published input is unknown; random bytes have the number of equal bins and banks that
    // chance gives.
    let input: Vec<u32> = (0..words).map(random).collect();
    let (from, bins) = (lab.upload(&input)?, lab.allocate(THREADS.into())?);
    let launch = Launch::new(lab.module, "histogram", size.grid(), THREADS).args(size.args(kind, from, bins));
    let report = lab.run(&launch)?;
    if report.verdict.is_finished() && lab.download(bins, THREADS as usize)? != counts(&input) {
        return Err(RunError::Wrong("the counts of a histogram are wrong".to_owned()));
    }
    for pointer in [from, bins] {
        lab.gpu.free(pointer)?;
    }
    Ok((4000.0 * words as f64 / Lab::kernel_ns(&report), report))
}

/// Returns the number of occurrences of each byte.
pub fn counts(words: &[u32]) -> Vec<u32> {
    let mut counts = vec![0; THREADS as usize];
    for byte in words.iter().flat_map(|word| word.to_le_bytes()) {
        counts[usize::from(byte)] += 1;
    }
    counts
}

/// Random bits.
pub fn random(index: u64) -> u32 {
    let half = |stream| whole(stream, index, 0, 0xffff) as u32;
    half(1) << 16 | half(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::config::Chip;

    fn on(chip: &str, kind: Kind) -> Lab {
        laboratory(Gpu::new(Chip::builtin(chip).unwrap()), kind).unwrap()
    }

    /// Tests: `measured-kernels-are-right`.
    #[test]
    fn bytes_are_counted_by_every_kernel() {
        // Two rows, as a large grid has.
        let sizes = |kind: Kind| Size { blocks: 8, words: if kind.is_shared() { 5 } else { 1 } };
        let kinds = [
            ("8800gt", Kind::Bytes),
            ("8800gt", Kind::Words),
            ("gt200", Kind::Shared),
            ("fermi", Kind::Bytes),
            ("fermi", Kind::SharedFermi),
        ];
        for (chip, kind) in kinds {
            let mut lab = on(chip, kind);
            let (rate, _) = measure(&mut lab, kind, sizes(kind)).unwrap();
            assert!(rate > 0.0, "{chip} {kind:?}");
        }
    }

    #[test]
    fn a_grid_of_several_rows_counts_like_one_row() {
        let mut lab = on("fermi", Kind::SharedFermi);
        let size = Size { blocks: 6, words: 5 };
        let input: Vec<u32> = (0..size.all()).map(random).collect();
        let (from, bins) = (lab.upload(&input).unwrap(), lab.allocate(256).unwrap());
        let args = size.args(Kind::SharedFermi, from, bins);
        lab.launch("histogram", Dim3::new(3, 2, 1), THREADS, args).unwrap();
        assert_eq!(lab.download(bins, 256).unwrap(), counts(&input));
    }

    #[test]
    fn the_largest_grid_has_several_rows() {
        let grid = Size { blocks: 524_288, words: 1 }.grid();
        assert_eq!(grid, Dim3::new(524_288 / 16, 16, 1));
    }
}
