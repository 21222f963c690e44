//! Latencies of texture fetches, by pointer chases through a texture in linear memory.

use super::chase::{Space, latency};
use crate::RunError;
use crate::measure::{Experiment, Measured, Scale};
use sim_core::config::Chip;

/// The experiments. The chip file sets the latency of the first level. Beyond it crossbar,
/// partition and DRAM add up.
pub static EXPERIMENTS: &[Experiment] = &[Experiment { rows: &["V350", "V351", "V352"], run: levels }];

/// Each footprint exceeds the level above and fits into its own level.
fn levels(chip: &Chip, row: &str, _: Scale) -> Result<Measured, RunError> {
    let (footprint, stride) = match row {
        "V350" => (4 << 10, 32),
        "V351" => (128 << 10, 256),
        _ => (2 << 20, 256),
    };
    let fetch = latency(chip, Space::Texture, footprint, stride)?;
    Ok(if row == "V350" { Measured::set(fetch) } else { Measured::emergent(fetch) })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for (row, published) in [("V350", 261.0), ("V351", 371.0), ("V352", 499.0)] {
            let value = levels(&chip, row, Scale::Short).expect("it runs").value;
            assert!((value / published - 1.0).abs() <= 0.05, "{row}: {value}, published {published}");
        }
    }

    #[test]
    fn the_chase_returns_to_its_start() {
        let chip = Chip::builtin("fermi").expect("built in");
        let hit = latency(&chip, Space::Texture, 8 << 10, 32).expect("it runs");
        assert!(latency(&chip, Space::Texture, 64 << 10, 128).expect("it runs") > hit + 60.0, "{hit}");
    }
}
