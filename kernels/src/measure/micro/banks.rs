//! Ladders of bank conflicts: one warp loads from shared memory in a chain, n lanes from each bank
//! that is used.

use super::{Stamping, Stamps};
use crate::RunError;
use crate::measure::{Experiment, Measured, Scale};
use sim_core::config::Chip;

/// The experiments.
pub static EXPERIMENTS: &[Experiment] = &[
    // Without conflicts the latency of the class is read back; each way more is the banks' doing.
    Experiment { rows: &["V354", "V355", "V356", "V357", "V358", "V359"], run: row },
];

fn row(chip: &Chip, row: &str, _: Scale) -> Result<Measured, RunError> {
    let ways = match row {
        "V354" => return ladder(chip, 1).map(Measured::set),
        "V355" => 2,
        "V356" => 4,
        "V357" => 8,
        "V358" => 16,
        _ => 32,
    };
    ladder(chip, ways).map(Measured::emergent)
}

/// Hot cycles of a load of which `ways` lanes meet in each bank that is used: lane `i` reads word
/// `i * ways`, which holds its own address.
pub fn ladder(chip: &Chip, ways: u32) -> Result<f64, RunError> {
    Ok(run(chip, ways, 32)?.second_part() / LOADS as f64)
}

/// Loads of a thread per hot cycle of an SM that holds a block as large as can be, of each warp of
/// which `ways` lanes meet.
pub fn throughput(chip: &Chip, ways: u32) -> Result<f64, RunError> {
    let threads = chip.limits.threads_per_block.min(1024);
    Ok(2.0 * LOADS as f64 * f64::from(threads) / run(chip, ways, threads)?.whole())
}

/// Loads between two stamps.
const LOADS: usize = 32;

fn run(chip: &Chip, ways: u32, threads: u32) -> Result<Stamps, RunError> {
    let part = "ld.shared.u32 %x, [%x];\n".repeat(LOADS);
    // All warps read the same words.
    let before = format!(
        "and.b32 %x, %t, 31;
        mul24.lo.u32 %x, %x, {};
        mov.u32 %s, tile;
        add.u32 %x, %x, %s;
        st.shared.u32 [%x], %x;",
        ways * 4
    );
    let stamping =
        Stamping { name: "banks", ty: "u32", declare: "", before: &before, part: &part, after: "" };
    stamping.run(chip, threads, [0.0; 3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ladder_rises_with_the_ways() {
        let chip = Chip::builtin("fermi").expect("built in");
        let steps: Vec<f64> = [1, 2, 4, 8, 16, 32].map(|ways| ladder(&chip, ways).unwrap()).to_vec();
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
        assert!((steps[0] - 50.0).abs() < 1e-9, "{steps:?}");
    }
}
