//! The claims ledger as programs: each row of `kernels/data/book-claims.md` has one that runs what
//! the row speaks of and compares what comes out with what the row says.
//!
//! A row program gets its row, from whose text it reads what is expected ([`Row::read`]), and a
//! [`Bench`], which says how large to run; it returns findings, each of which can fail, and reasons
//! drawn from the reports. The programs stand in `rows`, a file for each thing that is claimed, in
//! folders named as the rows are.
//!
//! Invariant `course-texts`: The machine behaves as the course texts say: every claim has a
//! program, and the claims also hold on machines that no claim names.

pub mod bench;
pub mod chain;
pub mod finding;
pub mod ledger;
pub mod machines;
pub mod parted;
pub mod probe;
pub mod racecheck;
pub mod residents;
mod rows;
pub mod tally;
pub mod tools;
pub mod why;

pub use bench::{Bench, Size};
pub use finding::{Finding, Shown, Verdict};
pub use ledger::Row;
pub use tally::Sampled;

use crate::RunError;
use std::sync::Arc;

/// A row with its program.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The row.
    pub id: &'static str,
    /// Runs what it speaks of.
    pub show: fn(&Bench, &Row) -> Result<Shown, RunError>,
}

impl Claim {
    /// The row.
    pub fn row(&self) -> &'static Row {
        ledger::row(self.id).expect("a test holds that every program has its row")
    }

    /// Runs the program.
    ///
    /// # Errors
    /// If something that must run did not, or if the row's text no longer says what the program
    /// reads from it.
    pub fn run(&self, bench: &Bench) -> Result<Shown, RunError> {
        let bench = Bench { tally: Arc::default(), ..bench.clone() };
        let shown = (self.show)(&bench, self.row())?;
        Ok(Shown { sampled: bench.tally.sampled(), ..shown })
    }
}

/// All programs, in the order of the ledger.
pub fn claims() -> Vec<Claim> {
    let mut claims: Vec<Claim> = rows::FAMILIES.iter().flat_map(|family| family.iter().copied()).collect();
    claims.sort_by_key(|claim| ledger::rows().iter().position(|row| row.id == claim.id));
    claims
}

/// The program of a row.
pub fn claim(id: &str) -> Option<Claim> {
    rows::FAMILIES.iter().flat_map(|family| family.iter().copied()).find(|claim| claim.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `every-claim-has-a-program`.
    #[test]
    fn every_program_has_its_row_and_no_row_two() {
        let claims = claims();
        for (i, claim) in claims.iter().enumerate() {
            assert!(ledger::row(claim.id).is_some(), "{} is not in the ledger", claim.id);
            assert!(claims[..i].iter().all(|other| other.id != claim.id), "{} has two programs", claim.id);
        }
    }
}
