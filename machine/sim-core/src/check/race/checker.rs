//! The checker of races: screens a launch, and records the accesses of its repetition.

use super::{Detector, Follower, findings};
use crate::check::checker::{Checker, Met};
use crate::check::finding::Finding;
use crate::exec::Kernel;
use crate::gpu::functional::{Ending, Executed};
use serde::Serialize;

/// Accesses and pairs that the race checker did not report or not consider in a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Number of pairs of source lines that locks, flags or counters with fences order, in the
    /// order of this run (docs/MEMORY-MODEL.md). They are no findings.
    pub synchronized: u64,
    /// Conflicting pairs of accesses beyond the maximum of 1,000 pairs of lines.
    pub more: u64,
    /// Words of accesses (an access of 16 bytes has 4) that the limit of stored accesses excluded
    /// from later checks. If it is not 0, there may be races that are not reported.
    pub not_kept: u64,
}

/// Checks the order of the accesses of one launch.
#[derive(Debug, Default)]
pub struct Racecheck {
    unordered: bool,
    /// Accesses of the repetition.
    recorded: Option<(Follower, Detector)>,
    coverage: Coverage,
}

impl Racecheck {
    /// Returns the accesses that were not considered; complete after [`Checker::findings`].
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }
}

impl Checker for Racecheck {
    fn executed(&mut self, _: &Executed, met: Option<Met>) {
        self.unordered |= met.is_some_and(|met| met.unordered);
    }

    fn needs_repetition(&self) -> bool {
        self.unordered
    }

    fn repeated(&mut self, executed: &Executed) {
        let (follower, detector) = self.recorded.get_or_insert_with(|| {
            let mut detector = Detector::new();
            detector.follow(&executed.kernel.program);
            (Follower::default(), detector)
        });
        follower.follow(executed, |access, order| detector.ordered_access(access, order));
    }

    fn findings(&mut self, kernel: &Kernel, _: &Ending) -> Vec<Finding> {
        let Some((_, detector)) = &self.recorded else { return Vec::new() };
        let found = detector.found();
        let (synchronized, more, not_kept) = (found.synchronized, found.more, found.not_kept);
        self.coverage = Coverage { synchronized, more, not_kept };
        findings::findings(&found, kernel)
    }
}
