//! Time of a barrier, by the number of warps of the block.

use super::Stamping;
use kernels::RunError;
use sim_core::config::Chip;

/// Shader cycles from one barrier to the next in a block of `threads` threads that does nothing
/// else.
pub fn cycles(chip: &Chip, threads: u32) -> Result<f64, RunError> {
    let barriers = 32;
    let part = "bar.sync 0;\n".repeat(barriers);
    let stamping = Stamping { name: "barrier", ty: "u32", declare: "", before: "", part: &part, after: "" };
    Ok(stamping.run(chip, threads, [0.0; 3])?.second_part() / barriers as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_warps_take_longer() {
        let chip = Chip::builtin("gt200").expect("built in");
        let steps = [32, 64, 256, 512].map(|threads| cycles(&chip, threads).unwrap());
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
    }
}
