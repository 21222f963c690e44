//! Latencies of memories, by chases whose footprint fits into one level and not into the previous
//! one.

use super::chains;
use super::chase::{Space, latency};
use kernels::RunError;
use sim_core::config::Chip;

/// Shader cycles of a load.
///
/// The published numbers of constant memory are the latency that a constant operand adds to an
/// instruction: 8 for a hit in a pipeline with a latency of 24. Therefore the latency of an
/// addition, measured separately, is subtracted.
pub fn load(chip: &Chip, space: Space, footprint: u64, stride: u64) -> Result<f64, RunError> {
    let load = latency(chip, space, footprint, stride)?;
    match space {
        Space::Constant => Ok(load - chains::latency(chip, "u32", "add.u32 %x, %x, %a;")?),
        Space::Global | Space::Shared | Space::Texture => Ok(load),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Scale, measure, table};

    /// The latency rises at the published sizes of the caches, and nowhere else.
    ///
    /// Tests: `texture-cache-times`.
    #[test]
    fn the_steps_are_at_the_sizes_of_the_caches() {
        for (chip, level, size) in [("g80", 5 << 10, 192 << 10), ("gt200", 5 << 10, 256 << 10)] {
            let chip = Chip::builtin(chip).expect("built in");
            let at = |footprint, stride| latency(&chip, Space::Texture, footprint, stride).expect("it runs");
            let (hit, full) = (at(1 << 10, 32), at(level, 32));
            assert!((full - hit).abs() < 2.0, "{hit} and {full}: the whole cache hits");
            let second = at(2 * level, 256);
            let whole = at(size, 256);
            assert!(second > hit + 60.0, "{second} after {hit}");
            assert!((whole - second).abs() < 12.0, "{whole} and {second}: the whole cache hits");
            let dram = at(2 * size, 256);
            assert!(dram > whole + 60.0, "{dram} after {whole}");
        }
    }

    /// The published latencies on GT200, within 5 %.
    #[test]
    fn the_levels_have_the_published_latencies() {
        let chip = Chip::builtin("gt200").expect("built in");
        for id in ["V350", "V351", "V352"] {
            let row = table::row(id).expect("in the table");
            let value = measure(row, &chip, Scale::Short).expect("it runs").value;
            assert!((value / row.value - 1.0).abs() <= 0.05, "{id}: {value}, published {}", row.value);
        }
    }

    #[test]
    fn the_chase_returns_to_its_start() {
        let chip = Chip::builtin("fermi").expect("built in");
        let hit = latency(&chip, Space::Texture, 8 << 10, 32).expect("it runs");
        assert!(latency(&chip, Space::Texture, 64 << 10, 128).expect("it runs") > hit + 60.0, "{hit}");
    }
}
