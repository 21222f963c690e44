//! Chains of instructions for times: how long one of them takes alone, and how many results a clock and SM come out when
//! many warps have one each. Programs as on silicon: what the longer of two chains takes beyond the shorter one.

use crate::device::{Device, chip_with, pointers, timing};
use isa::Options;
use sim_core::host::Arg;
use sim_core::stats::Report;

const CHAINS: &str = include_str!("../ptx/chains.ptx");

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

    /// Runs `length` times `body`, lines of PTX over the registers of the program.
    pub fn run(self, body: &str, length: usize) -> Report {
        let chip = chip_with(self.chip, self.sets);
        let (target, double) = match self.chip {
            "g80" => ("sm_10", "//"),
            "gt200" => ("sm_13", ""),
            _ => ("sm_20", ""),
        };
        let version = if target == "sm_20" { ".version 2.0" } else { ".version 1.4" };
        let text =
            CHAINS.replace(".version 1.4", version).replace("TARGET", target).replace("DOUBLE", double);
        let text = text.replace("// CHAIN", &format!("{body}\n\t").repeat(length));
        let mut device = Device::compiled(chip, "chains.ptx", &text, Options::PLAIN)
            .unwrap_or_else(|e| panic!("{}: {e}", self.chip));
        let threads = self.warps * 32;
        let out = device.upload(&vec![0; threads as usize]);
        let mut args = pointers(&[out]);
        args.push(Arg::U32(self.stride));
        device.run(&device.launch("chain", (1, 1), (threads, 1, 1)).args(args))
    }

    /// Hot cycles that `body` takes in a chain of this many more.
    pub fn cycles(self, body: &str, more: usize) -> f64 {
        let [short, long] = [4, 4 + more].map(|length| timing(&self.run(body, length)).cycles);
        (long - short) as f64 / more as f64
    }

    /// Results per clock of one of `body`'s instructions.
    pub fn rate(self, body: &str, more: usize) -> f64 {
        f64::from(self.warps * 32) / self.cycles(body, more)
    }
}
