//! Chains of dependent instructions, to measure latency (one warp) and throughput in results per
//! clock and SM (many warps). A longer and a shorter chain run; the difference of their times
//! belongs to the extra links alone, without the overhead of the launch.

use super::tools::timing;
use isa::Options;
use kernels::RunError;
use kernels::lab::Lab;
use sim_core::config::Chip;
use sim_core::host::{Arg, Launch};
use sim_core::stats::Report;

const CHAINS: &str = include_str!("../../../kernels/ptx/book/chains.template");

/// Number of links of the shorter chain.
const SHORT: usize = 4;

/// A chain of instructions on a chip.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Chip that runs the chain.
    pub chip: Chip,
    /// Number of warps in the only block.
    pub warps: u32,
    /// Distance of the shared-memory words of two neighboring lanes, in words.
    pub stride: u32,
}

impl Chain {
    /// Returns a chain of one warp on `chip`.
    pub fn on(chip: Chip) -> Self {
        Self { chip, warps: 1, stride: 1 }
    }

    /// Returns the same chain with `warps` warps.
    #[must_use]
    pub fn warps(&self, warps: u32) -> Self {
        Self { warps, ..self.clone() }
    }

    /// Runs `length` copies of `body`, lines of PTX over the registers of the template. Returns the
    /// report, whose issue slot and warp state breakdowns balance, and the words that the threads
    /// stored.
    pub fn run(&self, body: &str, length: usize) -> Result<(Report, Vec<u32>), RunError> {
        let (target, double) = match (self.chip.capability.major, self.chip.capability.minor) {
            (1, ..3) => ("sm_10", "//"),
            (1, _) => ("sm_13", ""),
            _ => ("sm_20", ""),
        };
        let version = if target == "sm_20" { ".version 2.0" } else { ".version 1.4" };
        let text =
            CHAINS.replace(".version 1.4", version).replace("TARGET", target).replace("DOUBLE", double);
        let text = text.replace("// CHAIN", &format!("{body}\n\t").repeat(length));
        let mut lab = Lab::new(self.chip.clone(), "chains.template", &text, Options::PLAIN)?;
        let threads = self.warps * 32;
        let out = lab.allocate(threads.into())?;
        let args = [Arg::Ptr(out), Arg::U32(self.stride)];
        let report = lab.balanced(&Launch::new(lab.module, "chain", 1, threads).args(args))?;
        Ok((report, lab.download(out, threads as usize)?))
    }

    /// Shader cycles of one `body`, measured with a chain of `more` additional links, and the
    /// report of that chain.
    pub fn measured(&self, body: &str, more: usize) -> Result<(f64, Report), RunError> {
        let (short, long) = (self.run(body, SHORT)?.0, self.run(body, SHORT + more)?.0);
        let cycles = timing(&long).cycles - timing(&short).cycles;
        Ok((cycles as f64 / more as f64, long))
    }

    /// Shader cycles of one `body`.
    ///
    /// # Errors
    /// Those of [`Self::measured`].
    pub fn cycles(&self, body: &str, more: usize) -> Result<f64, RunError> {
        Ok(self.measured(body, more)?.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_takes_its_latency_and_changes_its_result() {
        let chain = Chain::on(Chip::builtin("g80").expect("built in"));
        let body = "add.f32 %v, %v, 0f3f800000;";
        let cycles = chain.cycles(body, 50).unwrap();
        assert!((cycles - 24.0).abs() < 1e-9, "{cycles}");
        let (short, long) = (chain.run(body, 10).unwrap().1, chain.run(body, 15).unwrap().1);
        assert!(short.iter().zip(&long).all(|(short, long)| short + 5 == *long));
    }
}
