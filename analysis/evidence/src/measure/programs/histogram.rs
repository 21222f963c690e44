//! Histogram of bytes with atomics in shared memory (`kernels::histogram`), with an increasing
//! number of words per thread and a decreasing number of blocks.

use crate::measure::{Measured, Scale};
use kernels::RunError;
use kernels::histogram::run::{Size, THREADS, laboratory, measure};
use kernels::histogram::text::Kind;
use kernels::lab::wave;
use sim_core::config::Chip;
use sim_core::host::{Gpu, Launch};

/// Blocks times words per thread, as published.
pub const WORDS: u32 = 524_288;
/// Fraction of the input that the short run counts.
const SHORT: u32 = 64;
/// Above this many words per thread, the published rate depends only on the number of blocks.
const ENOUGH: u32 = 32;

/// Measures millions of bytes of input per second.
pub fn run(chip: &Chip, words: u32, scale: Scale) -> Result<Measured, RunError> {
    let published = Size { blocks: WORDS / words, words };
    let size = match scale {
        Scale::Short => short(published, SHORT, at_once(chip)?),
        Scale::Full => published,
    };
    let (rate, _) =
        measure(&mut laboratory(Gpu::new(chip.clone()), Kind::SharedFermi)?, Kind::SharedFermi, size)?;
    let measured = Measured::new(rate);
    Ok(match scale {
        Scale::Short => measured.instead(format!(
            "{} blocks and {} words per thread instead of {} and {}",
            size.blocks, size.words, published.blocks, published.words
        )),
        Scale::Full => measured,
    })
}

/// Number of blocks that the chip holds at a time.
pub fn at_once(chip: &Chip) -> Result<u32, RunError> {
    let lab = laboratory(Gpu::new(chip.clone()), Kind::SharedFermi)?;
    Ok(wave(&lab, &Launch::new(lab.module, "histogram", 1, THREADS)))
}

/// Returns the size of 1/`part` of a published input. If there are many more blocks than the chip
/// holds, their number is reduced to whole waves of `resident` blocks; a small number of blocks is
/// kept, because its cost shows only with all of them.
pub fn short(published: Size, part: u32, resident: u32) -> Size {
    let all = WORDS / part;
    if published.blocks <= 1024 {
        return Size { words: (all / published.blocks).max(1), ..published };
    }
    let words = published.words.min(ENOUGH);
    let waves = (all / words / resident.max(1)).max(1);
    Size { blocks: waves * resident, words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_run_has_whole_waves_or_the_published_blocks() {
        let short = |step: u32| short(Size { blocks: WORDS >> step, words: 1 << step }, SHORT, 42);
        assert_eq!(short(0), Size { blocks: 195 * 42, words: 1 });
        assert_eq!(short(4), Size { blocks: 12 * 42, words: 16 });
        assert_eq!(short(8), Size { blocks: 6 * 42, words: 32 });
        assert_eq!(short(9), Size { blocks: 1024, words: 8 });
        assert_eq!(short(16), Size { blocks: 8, words: 1024 });
    }
}
