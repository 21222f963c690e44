//! How much of what a row launched was simulated.

use sim_core::stats::Report;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Adds up launches while a row runs.
#[derive(Debug, Default)]
pub struct Tally(Mutex<Sampled>);

impl Tally {
    /// Another launch has ended.
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

    /// What there is so far, if any launch was estimated.
    pub fn sampled(&self) -> Option<Sampled> {
        let all = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (all.estimated > 0).then_some(all)
    }
}

/// What numbers of a row were estimated from. Shown in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampled {
    /// Timed launches.
    pub launches: u64,
    /// Those of which only the first blocks were simulated.
    pub estimated: u64,
    /// The blocks of their grids.
    pub blocks: u64,
    /// Their first blocks that were simulated.
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
    use crate::book::{Runner, experiment};
    use sim_core::host::Sampling;

    #[test]
    fn what_is_estimated_is_added_up_and_each_row_has_its_own() {
        let exact = experiment("OCC-12").expect("in the claims table");
        let sampling = Some(Sampling { unit_cycles: 1, tolerance: 1.0, ..Sampling::default() });
        let runner = Runner { sampling, ..Runner::default() };
        for runs in 1..=2 {
            let chip = runner.chip("g80", &[("clusters", "1")]).unwrap();
            let report = runner.workload(chip, "vecadd", 100_000).unwrap().reports.remove(0);
            let one = report.sampled.expect("a launch of many waves");
            assert!(exact.run(&runner).unwrap().sampled.is_none(), "nothing of it can be sampled");
            let all = runner.tally.sampled().expect("launches were sampled");
            assert_eq!((all.estimated, all.launches), (runs, runs));
            assert_eq!((all.blocks, all.simulated), (runs * one.blocks, runs * one.simulated));
        }
        let words = runner.tally.sampled().unwrap().to_string();
        assert!(words.starts_with("2 of 2 timed launches estimated from the first "), "{words}");
    }
}
