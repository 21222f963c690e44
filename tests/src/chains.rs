//! Chains of instructions for times, as tests write them: on a chip by its name, and with a panic
//! where something fails.

use crate::device::chip_with;
use kernels::book::chain;

/// A chain on a chip.
#[derive(Clone, Copy)]
pub struct Chain<'a> {
    /// Built-in chip.
    pub chip: &'a str,
    /// What is different there.
    pub sets: &'a [(&'a str, &'a str)],
    /// Warps of its only block.
    pub warps: u32,
    /// Words between the shared-memory words of two lanes.
    pub stride: u32,
}

impl<'a> Chain<'a> {
    /// One warp on a built-in chip.
    pub fn on(chip: &'a str) -> Self {
        Self { chip, sets: &[], warps: 1, stride: 1 }
    }

    /// On that chip, changed.
    #[must_use]
    pub fn with(self, sets: &'a [(&'a str, &'a str)]) -> Self {
        Self { sets, ..self }
    }

    /// So many warps.
    #[must_use]
    pub fn warps(self, warps: u32) -> Self {
        Self { warps, ..self }
    }

    /// Hot cycles that `body` takes in a chain of this many more.
    pub fn cycles(self, body: &str, more: usize) -> f64 {
        let Self { chip, sets, warps, stride } = self;
        let chain = chain::Chain { chip: chip_with(chip, sets), warps, stride };
        chain.cycles(body, more).unwrap_or_else(|e| panic!("{chip}: {e}"))
    }

    /// Results per clock of one of `body`'s instructions.
    pub fn rate(self, body: &str, more: usize) -> f64 {
        f64::from(self.warps * 32) / self.cycles(body, more)
    }
}
