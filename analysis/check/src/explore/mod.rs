//! Exploration of schedules: runs a small launch under many interleavings of its warps and of its
//! requests, and collects the different outcomes and the data races.
//!
//! `exhaustive` runs one schedule of each class of equivalent schedules, by dynamic partial-order
//! reduction with source sets and sleep sets (Flanagan and Godefroid, POPL 2005; Abdulla et al.,
//! POPL 2014). `sampled` draws schedules at random: each action uniformly, or by random priorities
//! with change points (PCT: Burckhardt et al., ASPLOS 2010). `trace` has the order of the actions
//! of a schedule that decides values, `schedule` the text of a schedule, `found` what is collected.

mod bits;
mod exhaustive;
mod found;
mod sampled;
mod schedule;
mod trace;

pub use found::{Exploration, Outcome, OutcomeKind, Race, Side};
pub use schedule::{BadSchedule, Schedule, Shown};

use found::Found;
use sim_core::host::Interleaved;

/// How schedules are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// One schedule of each class of equivalent schedules.
    Exhaustive,
    /// Each action is drawn uniformly from the possible ones.
    Random {
        /// Seed of the random numbers.
        seed: u64,
    },
    /// The action of the highest random priority; at `depth` - 1 random places the acting warp gets
    /// the lowest priority.
    Pct {
        /// Seed of the random numbers.
        seed: u64,
        /// Number of ordering constraints of the bugs that are found with a guaranteed
        /// probability.
        depth: u32,
    },
}

/// Limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most schedules that are run.
    pub schedules: u64,
    /// Most preemptions of a schedule: changes to another warp while the warp before could go on.
    /// Only for [`Search::Exhaustive`].
    pub preemptions: Option<u32>,
    /// Most actions of a schedule.
    pub actions: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { schedules: 20_000, preemptions: None, actions: 4_000 }
    }
}

/// Functions of the caller that a search uses.
pub struct Asks<'a> {
    /// Returns the bytes of a finished launch that are its result.
    pub result: &'a dyn Fn(&Interleaved) -> Vec<u8>,
    /// Called after each schedule with their number; returns whether the search goes on.
    pub goes_on: &'a mut dyn FnMut(u64) -> bool,
}

/// Runs schedules of a launch that has not begun.
pub fn explore(start: &Interleaved, search: Search, limits: Limits, asks: Asks<'_>) -> Exploration {
    let mut found = Found::new(start, limits, asks);
    match search {
        Search::Exhaustive => exhaustive::run(start, &mut found),
        Search::Random { seed } => sampled::uniform(start, seed, &mut found),
        Search::Pct { seed, depth } => sampled::pct(start, seed, depth, &mut found),
    }
    found.finish()
}
