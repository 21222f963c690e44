//! The claims ledger as programs: each row of `kernels/data/book-claims.md` has one that runs what
//! the row speaks of and compares what comes out with what the row says.
//!
//! A row program gets its row, from whose text it reads what is expected ([`Claim::read`]), and a
//! [`Runner`], which says how large to run; it returns findings, each of which can fail, and reasons
//! drawn from the reports. The programs stand in `rows`, a file for each thing that is claimed, in
//! folders named as the rows are.
//!
//! Invariant `course-texts`: The machine behaves as the course texts say: every claim has a
//! program, and the claims also hold on machines that no claim names.

pub mod chain;
pub mod claims_table;
mod experiments;
pub mod finding;
pub mod machines;
pub mod parted;
pub mod probe;
pub mod racecheck;
pub mod residents;
pub mod runner;
pub mod tally;
pub mod tools;
pub mod why;

pub use claims_table::Claim;
pub use finding::{Finding, Shown, Verdict};
pub use runner::{Runner, Size};
pub use tally::Sampled;

use crate::RunError;
use std::sync::Arc;

/// A row with its program.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The row.
    pub id: &'static str,
    /// Runs what it speaks of.
    pub show: fn(&Runner, &Claim) -> Result<Shown, RunError>,
}

impl Experiment {
    /// The row.
    pub fn claim(&self) -> &'static Claim {
        claims_table::claim(self.id).expect("a test holds that every program has its row")
    }

    /// Runs the program.
    ///
    /// # Errors
    /// If something that must run did not, or if the row's text no longer says what the program
    /// reads from it.
    pub fn run(&self, runner: &Runner) -> Result<Shown, RunError> {
        let runner = Runner { tally: Arc::default(), ..runner.clone() };
        let shown = (self.show)(&runner, self.claim())?;
        Ok(Shown { sampled: runner.tally.sampled(), ..shown })
    }
}

/// All programs, in the order of the ledger.
pub fn experiments() -> Vec<Experiment> {
    let mut all: Vec<Experiment> =
        experiments::FAMILIES.iter().flat_map(|family| family.iter().copied()).collect();
    all.sort_by_key(|one| claims_table::claims().iter().position(|claim| claim.id == one.id));
    all
}

/// The program of a row.
pub fn experiment(id: &str) -> Option<Experiment> {
    experiments::FAMILIES.iter().flat_map(|family| family.iter().copied()).find(|one| one.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `every-claim-has-a-program`.
    #[test]
    fn every_experiment_has_a_claim_and_no_claim_has_two() {
        let all = experiments();
        for (i, one) in all.iter().enumerate() {
            assert!(claims_table::claim(one.id).is_some(), "{} is not in the claims table", one.id);
            assert!(all[..i].iter().all(|other| other.id != one.id), "{} has two experiments", one.id);
        }
    }
}
