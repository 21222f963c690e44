//! Latency by footprint and stride, and the published positions of its steps.

use super::chase::{Chase, Space};
use crate::measure::table;
use figures::latency::{PublishedStep, StepPosition};
use kernels::RunError;
use sim_core::config::Chip;

/// Footprints of one stride in one space: from, to, in bytes.
struct Sweep {
    space: Space,
    stride: u64,
    from: u64,
    to: u64,
}

const KB: u64 = 1 << 10;
const MB: u64 = 1 << 20;

/// Sweeps on every chip. Strides: within a line, one line, more than any line; and half a megabyte,
/// which shows only address translation.
const SWEEPS: [Sweep; 9] = [
    Sweep { space: Space::Global, stride: 32, from: KB, to: MB },
    Sweep { space: Space::Global, stride: 128, from: KB, to: 2 * MB },
    Sweep { space: Space::Global, stride: 4 * KB, from: 8 * KB, to: 2 * MB },
    Sweep { space: Space::Global, stride: 512 * KB, from: MB, to: 64 * MB },
    Sweep { space: Space::Constant, stride: 64, from: 512, to: 64 * KB },
    Sweep { space: Space::Constant, stride: 256, from: 512, to: 64 * KB },
    Sweep { space: Space::Shared, stride: 4, from: 64, to: 8 * KB },
    Sweep { space: Space::Texture, stride: 32, from: KB, to: MB },
    Sweep { space: Space::Texture, stride: 256, from: KB, to: 2 * MB },
];

/// Latencies by footprint.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Memory space of the pointers.
    pub space: Space,
    /// Bytes from one pointer to the next.
    pub stride: u64,
    /// Footprint in bytes, shader cycles of a load.
    pub points: Vec<(u64, f64)>,
}

/// Measures all curves of a chip.
pub fn curves(chip: &Chip) -> Result<Vec<Curve>, RunError> {
    SWEEPS.iter().map(|sweep| curve(chip, sweep)).collect()
}

fn curve(chip: &Chip, sweep: &Sweep) -> Result<Curve, RunError> {
    let mut chase = Chase::new(chip, sweep.space, sweep.to)?;
    let points = footprints(sweep.from, sweep.to)
        .into_iter()
        .map(|footprint| Ok((footprint, chase.cycles(footprint, sweep.stride)?)))
        .collect::<Result<_, RunError>>()?;
    Ok(Curve { space: sweep.space, stride: sweep.stride, points })
}

/// Powers of two, and the middles between them.
fn footprints(from: u64, to: u64) -> Vec<u64> {
    let mut all = vec![from];
    let mut at = from;
    while at < to {
        all.extend([at + at / 2, 2 * at]);
        at *= 2;
    }
    all
}

/// Rows of the table with latencies of memories, and their labels.
const LEVELS: [(&str, &str); 11] = [
    ("V317", "global"),
    ("V344", "shared"),
    ("V345", "global"),
    ("V346", "constant L1, + an addition"),
    ("V347", "constant L2, + an addition"),
    ("V348", "constant L3, + an addition"),
    ("V349", "constant DRAM, + an addition"),
    ("V350", "texture L1"),
    ("V351", "texture L2"),
    ("V352", "texture DRAM"),
    ("V354", "shared"),
];

/// Published latency of an addition on GT200, which is not included in the latencies of its
/// constant caches (see `memory`).
const ADDITION: f64 = 24.0;

/// The GTX 280, and the C1060 with the same chip.
const GT200: &[&str] = &["gt200", "c1060"];
/// The 8800 GTX, and the Quadro FX 5600 with the same chip.
const G80: &[&str] = &["g80", "fx5600"];
/// Boards with a complete GF100 or GF110 memory system.
const GF100: &[&str] = &["fermi", "c2050", "m2090"];
/// All boards of compute capability 2.
const FERMI: &[&str] = &["fermi", "c2050", "m2090", "gtx460", "gtx560ti"];

/// Published sizes: chips, level, bytes, source.
const SIZES: [(&[&str], &str, u64, &str); 13] = [
    (GT200, "constant L1 2 KB", 2 * KB, "Wong"),
    (GT200, "constant L2 8 KB", 8 * KB, "Wong"),
    (GT200, "constant L3 32 KB", 32 * KB, "Wong"),
    (GT200, "texture L1 5 KB", 5 * KB, "Wong"),
    (GT200, "texture L2 256 KB", 256 * KB, "Wong"),
    (G80, "texture L1 5 KB", 5 * KB, "Volkov"),
    (G80, "texture L2 192 KB", 192 * KB, "Volkov"),
    (GT200, "TLB L1 8 MB", 8 * MB, "Wong"),
    (GT200, "TLB L2 32 MB", 32 * MB, "Wong"),
    (FERMI, "L1 16 KB", 16 * KB, "guide"),
    (FERMI, "L1 48 KB", 48 * KB, "guide"),
    (FERMI, "texture L1 12 KB", 12 * KB, "Mei"),
    (GF100, "L2 768 KB", 768 * KB, "guide"),
];

/// Returns the published steps of a chip.
pub fn steps(chip: &str) -> Vec<PublishedStep> {
    let level = |(id, name): &(&str, &str)| {
        let row = table::published().iter().find(|row| row.id == *id && row.chip == chip)?;
        let constant = name.starts_with("constant");
        let cycles = row.value + if constant { ADDITION } else { 0.0 };
        Some(PublishedStep { label: format!("{name} ({id})"), place: StepPosition::Cycles(cycles) })
    };
    let size = |(_, name, bytes, source): &(&[&str], &str, u64, &str)| PublishedStep {
        label: format!("{name} ({source})"),
        place: StepPosition::Bytes(*bytes),
    };
    let sizes = SIZES.iter().filter(|(of, ..)| of.contains(&chip)).map(size);
    LEVELS.iter().filter_map(level).chain(sizes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footprints_are_multiples_of_the_stride() {
        for sweep in SWEEPS {
            let all = footprints(sweep.from, sweep.to);
            assert_eq!((all.first(), all.last()), (Some(&sweep.from), Some(&sweep.to)));
            assert!(all.iter().all(|footprint| footprint.is_multiple_of(sweep.stride)), "{all:?}");
        }
    }

    #[test]
    fn steps_match_the_table() {
        let steps = steps("gt200");
        let place = |label: &str| steps.iter().find(|step| step.label == label).map(|step| step.place);
        assert_eq!(place("global (V345)"), Some(StepPosition::Cycles(440.0)));
        assert_eq!(place("constant L2, + an addition (V347)"), Some(StepPosition::Cycles(105.0)));
        assert_eq!(place("constant L2 8 KB (Wong)"), Some(StepPosition::Bytes(8192)));
        assert_eq!(super::steps("g80").len(), 3);
    }
}
