//! Counts the simulated share of the launches of an experiment.

use sim_core::stats::Report;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Counters over all launches of an experiment.
#[derive(Debug, Default)]
pub struct Tally(Mutex<Sampled>);

impl Tally {
    /// Adds the report of a finished launch.
    pub fn add(&self, report: &Report) {
        if report.timing.is_none() {
            return;
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.launches += 1;
        if let Some(sampled) = &report.sampled {
            all.estimated += 1;
            all.blocks += sampled.blocks;
            all.simulated += sampled.simulated;
        }
    }

    /// Returns the counters, if any launch was sampled.
    pub fn sampled(&self) -> Option<Sampled> {
        let all = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (all.estimated > 0).then_some(all)
    }
}

/// Basis of estimated numbers: how much of the launches was simulated. `Display` gives a sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampled {
    /// Number of timed launches.
    pub launches: u64,
    /// Number of launches of which only the first blocks were simulated.
    pub estimated: u64,
    /// Blocks in the grids of those launches.
    pub blocks: u64,
    /// Blocks of those grids that were simulated.
    pub simulated: u64,
}

impl fmt::Display for Sampled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { launches, estimated, blocks, simulated } = self;
        let percent = 100.0 * *simulated as f64 / *blocks as f64;
        write!(
            f,
            "{estimated} of {launches} timed launches estimated from the first {simulated} of their {blocks} blocks \
             ({percent:.1} %)"
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::{Runner, claims, show};
    use sim_core::host::Sampling;

    #[test]
    fn sampled_launches_are_summed_and_each_experiment_has_its_own_sum() {
        let exact = claims::claim("OCC-12").expect("a claim");
        let sampling = Some(Sampling { unit_cycles: 1, tolerance: 1.0, ..Sampling::default() });
        let runner = Runner { sampling, ..Runner::default() };
        for runs in 1..=2 {
            let chip = runner.chip("g80", &[("clusters", "1")]).unwrap();
            let report = runner.workload(chip, "vecadd", 100_000).unwrap().reports.remove(0);
            let one = report.sampled.expect("a launch of many waves");
            assert!(show(&runner, exact).unwrap().sampled.is_none(), "its launches cannot be sampled");
            let all = runner.tally.sampled().expect("launches were sampled");
            assert_eq!((all.estimated, all.launches), (runs, runs));
            assert_eq!((all.blocks, all.simulated), (runs * one.blocks, runs * one.simulated));
        }
        let words = runner.tally.sampled().unwrap().to_string();
        assert!(words.starts_with("2 of 2 timed launches estimated from the first "), "{words}");
    }
}
