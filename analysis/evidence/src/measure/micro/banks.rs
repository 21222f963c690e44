//! Bank conflicts of increasing degree: one warp loads from shared memory in a chain, with n lanes
//! in each used bank.

use super::{Stamping, Stamps};
use kernels::RunError;
use sim_core::config::Chip;

/// Shader cycles of a load with `ways` lanes in each used bank: lane `i` reads word `i * ways`,
/// which contains its own address.
pub fn conflict_latency(chip: &Chip, ways: u32) -> Result<f64, RunError> {
    Ok(run(chip, ways, 32)?.second_part() / LOADS as f64)
}

/// Loads of threads per shader cycle on an SM with the largest possible block, with `ways` lanes of
/// each warp in one bank.
pub fn throughput(chip: &Chip, ways: u32) -> Result<f64, RunError> {
    let threads = chip.limits.threads_per_block.min(1024);
    Ok(2.0 * LOADS as f64 * f64::from(threads) / run(chip, ways, threads)?.whole())
}

/// Loads between two time stamps.
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
    fn latency_rises_with_the_degree_of_the_conflict() {
        let chip = Chip::builtin("fermi").expect("built in");
        let steps: Vec<f64> =
            [1, 2, 4, 8, 16, 32].map(|ways| conflict_latency(&chip, ways).unwrap()).to_vec();
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
        assert!((steps[0] - 50.0).abs() < 1e-9, "{steps:?}");
    }
}
