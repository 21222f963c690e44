//! Evidence for the simulator: claims of the course texts and published measurements as rows of
//! data, with the programs that test and measure them.
//!
//! `claims` has the rows of `analysis/evidence/data/claims.ron`. The experiments are data of the
//! rows (`plan`), except for the program of one claim, `cutoff`. An experiment gets its [`Claim`],
//! which holds the expected numbers by name, and a [`Runner`], which sets the problem size. It
//! returns findings, each of which can fail, and explanations with numbers from the reports.
//! `measure` has the published measurements and their programs, `view` writes results as text,
//! JSON and pages. It must not know the command line.
//!
//! Invariant `course-texts`: The machine behaves as the course texts say: every claim has a
//! program, and the claims also hold on machines that no claim names.

pub mod chain;
pub mod claims;
mod cutoff;
pub mod divergent_warps;
pub mod finding;
pub mod machines;
pub mod measure;
pub mod outcome;
pub mod pending_loads;
pub mod plan;
pub mod probe;
pub mod racecheck;
pub mod residents;
pub mod runner;
pub mod tally;
pub mod text;
pub mod tools;
pub mod view;
pub mod why;

pub use claims::Claim;
pub use finding::{Finding, Shown, Verdict};
pub use outcome::State;
pub use runner::{Runner, Size};
pub use tally::Sampled;

use kernels::RunError;
use std::sync::Arc;

/// The program of a claim.
type Experiment = fn(&Runner, &Claim) -> Result<Shown, RunError>;

/// The claims whose experiments are no data, and their programs.
const PROGRAMS: [(&str, Experiment); 1] = [("PERF-15", cutoff::over_the_volume)];

/// Runs the experiment of a claim.
///
/// # Errors
/// A required launch failed.
pub fn show(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let runner = Runner { tally: Arc::default(), ..runner.clone() };
    let shown = if let Some(plan) = &claim.experiment {
        plan.run(&runner, claim)?
    } else {
        let program = PROGRAMS.iter().find(|(id, _)| *id == claim.id);
        let (_, program) = program.ok_or_else(|| RunError::Unknown(claim.id.clone()))?;
        program(&runner, claim)?
    };
    Ok(Shown { sampled: runner.tally.sampled(), ..shown })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `every-claim-has-a-program`.
    #[test]
    fn every_claim_has_an_experiment_as_data_or_one_program() {
        for claim in claims::claims() {
            let own = PROGRAMS.iter().filter(|(id, _)| *id == claim.id).count();
            assert_eq!(own + usize::from(claim.experiment.is_some()), 1, "{}", claim.id);
        }
        for (id, _) in PROGRAMS {
            assert!(claims::claim(id).is_some(), "{id} is not a claim");
        }
    }
}
