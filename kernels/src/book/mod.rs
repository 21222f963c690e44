//! The claims table as programs: each claim of `kernels/data/book-claims.md` has an experiment that
//! runs the kernels of the claim and compares the results with the claim.
//!
//! An experiment gets its [`Claim`], whose text holds the expected numbers ([`Claim::read`]), and a
//! [`Runner`], which sets the problem size. It returns findings, each of which can fail, and
//! explanations with numbers from the reports. The programs are in `experiments`: one file per
//! topic, in directories named after the sections of the table.
//!
//! Invariant `course-texts`: The machine behaves as the course texts say: every claim has a
//! program, and the claims also hold on machines that no claim names.

pub mod chain;
pub mod claims_table;
pub mod divergent_warps;
mod experiments;
pub mod finding;
pub mod machines;
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

/// A claim's identifier with the program that tests the claim.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Identifier of the claim.
    pub id: &'static str,
    /// Runs the kernels and returns the findings.
    pub show: fn(&Runner, &Claim) -> Result<Shown, RunError>,
}

impl Experiment {
    /// Returns the claim.
    pub fn claim(&self) -> &'static Claim {
        claims_table::claim(self.id).expect("a test checks that every experiment has a claim")
    }

    /// Runs the program.
    ///
    /// # Errors
    /// A required launch failed, or the text of the claim no longer matches a pattern that the
    /// program reads.
    pub fn run(&self, runner: &Runner) -> Result<Shown, RunError> {
        let runner = Runner { tally: Arc::default(), ..runner.clone() };
        let shown = (self.show)(&runner, self.claim())?;
        Ok(Shown { sampled: runner.tally.sampled(), ..shown })
    }
}

/// Returns all experiments in the order of the claims table.
pub fn experiments() -> Vec<Experiment> {
    let mut all: Vec<Experiment> =
        experiments::FAMILIES.iter().flat_map(|family| family.iter().copied()).collect();
    all.sort_by_key(|one| claims_table::claims().iter().position(|claim| claim.id == one.id));
    all
}

/// Returns the experiment of a claim.
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
