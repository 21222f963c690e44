//! Chains of dependent instructions for tests: the chip is given by its name, and errors panic.

use crate::device::chip_with;
use evidence::chain;

/// A chain on a chip.
#[derive(Clone, Copy)]
pub struct Chain<'a> {
    /// Built-in chip.
    pub chip: &'a str,
    /// Overrides of the chip.
    pub sets: &'a [(&'a str, &'a str)],
    /// Number of warps in the only block.
    pub warps: u32,
    /// Distance of the shared-memory words of two neighboring lanes, in words.
    pub stride: u32,
}

impl<'a> Chain<'a> {
    /// Returns a chain of one warp on a built-in chip.
    pub fn on(chip: &'a str) -> Self {
        Self { chip, sets: &[], warps: 1, stride: 1 }
    }

    /// Adds overrides of the chip.
    #[must_use]
    pub fn with(self, sets: &'a [(&'a str, &'a str)]) -> Self {
        Self { sets, ..self }
    }

    /// Sets the number of warps.
    #[must_use]
    pub fn warps(self, warps: u32) -> Self {
        Self { warps, ..self }
    }

    /// Shader cycles of one `body`, measured with a chain of `more` additional links.
    pub fn cycles(self, body: &str, more: usize) -> f64 {
        let Self { chip, sets, warps, stride } = self;
        let chain = chain::Chain { chip: chip_with(chip, sets), warps, stride };
        chain.cycles(body, more).unwrap_or_else(|e| panic!("{chip}: {e}"))
    }

    /// Results per clock of one instruction in `body`.
    pub fn rate(self, body: &str, more: usize) -> f64 {
        f64::from(self.warps * 32) / self.cycles(body, more)
    }
}
