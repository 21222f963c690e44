//! What all engines share: the work that they report, and the rules that end it early.

use experiment::file::Stop;
use std::time::Instant;

/// Reason why an engine stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Early {
    /// A signal.
    Signal,
    /// A rule of the experiment file.
    Rule(&'static str),
    /// The engine failed; it has printed the reason.
    Engine,
}

/// Work of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Number of simulated points.
    pub simulated: u64,
    /// Number of simulated points that failed.
    pub failed: u64,
    /// Reason of an early end.
    pub early: Option<Early>,
}

impl Done {
    /// Returns the rule by which no further point may start, for an engine that began at `start`.
    pub fn rule(&self, stop: &Stop, start: Instant) -> Option<Early> {
        let reached = |limit: Option<u64>, count: u64| limit.is_some_and(|limit| count >= limit);
        let minutes = start.elapsed().as_secs_f64() / 60.0;
        let name = if reached(stop.failed, self.failed) {
            "failed"
        } else if reached(stop.points, self.simulated) {
            "points"
        } else if stop.minutes.is_some_and(|limit| minutes >= limit) {
            "minutes"
        } else {
            return None;
        };
        Some(Early::Rule(name))
    }
}
