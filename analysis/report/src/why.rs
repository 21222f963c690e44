//! The results of `--why`, the experiments that test a limit: the gain of each faster resource.

use crate::outcome::RunResult;
use serde::Serialize;
use sim_core::host::timeline::Timeline;
use sim_core::stats::Report;
use sim_core::stats::limits::{LimitReport, Limiter};
use sim_core::stats::report::TimingReport;

/// The results of all experiments.
#[derive(Debug, Serialize)]
pub struct Why {
    /// The limit that the report states.
    pub limited_by: Limiter,
    /// Name of the execution unit, if the limit is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Whether the stated limit gains enough when it is twice as fast ([`confirms`]).
    pub confirmed: bool,
    /// The largest gain of another resource, an entry as in `gains`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_other: Option<Gain>,
    /// Microseconds of all kernels on the unchanged chip. Unit: us.
    pub microseconds: f64,
    /// Microseconds with copies over PCI Express and launch calls. Unit: us.
    pub with_copies: f64,
    /// The resources, the largest gain of twice the speed first. The last one is PCI Express, whose
    /// gain counts the whole program; all others count the kernels.
    pub gains: Vec<Gain>,
    /// For each override its `text` and the `gain` over a run without it.
    pub overrides: Vec<OverrideGain>,
}

impl Why {
    /// Returns the gain of the stated limit.
    pub fn own(&self) -> Option<&Gain> {
        self.gains.iter().find(|gain| gain.resource == self.limited_by && gain.unit == self.unit)
    }

    /// Returns the largest gain of another resource. Copies do not compete: their gain is that of
    /// the whole program. The issue rate contains the execution units.
    pub fn find_best_other(&self) -> Option<&Gain> {
        let competes = |gain: &&Gain| match gain.resource {
            Limiter::Pcie => false,
            Limiter::IssueRate => !matches!(self.limited_by, Limiter::ExecutionUnit | Limiter::IssueRate),
            Limiter::ExecutionUnit => self.limited_by != Limiter::IssueRate && gain.unit != self.unit,
            other => other != self.limited_by,
        };
        self.gains.iter().find(competes)
    }
}

/// Gain of a faster resource: time before divided by time after.
#[derive(Clone, Debug, Serialize)]
pub struct Gain {
    /// Resource that was changed.
    pub resource: Limiter,
    /// Name of the execution unit, if the resource is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Gain at twice the speed; `None` if the run did not finish.
    pub twice: Option<f64>,
    /// Gain of the idealized resource; `None` if the run did not finish.
    pub ideal: Option<f64>,
}

impl Gain {
    /// Whether the time changes by 1 % or more, or is unknown.
    pub fn changes(&self) -> bool {
        [self.twice, self.ideal].iter().any(|gain| gain.is_none_or(|gain| (gain - 1.0).abs() >= ALIKE))
    }
}

/// The effect of an override.
#[derive(Clone, Debug, Serialize)]
pub struct OverrideGain {
    /// Path and value.
    pub text: String,
    /// Time without it divided by time with it; `None` if the run without it did not finish.
    pub gain: Option<f64>,
}

/// Difference below which two gains count as equal.
pub const ALIKE: f64 = 0.01;

/// Gain from which a limit is confirmed even if another resource gains more.
const ENOUGH: f64 = 1.10;

/// Whether the gain `own` of a stated limit confirms it: it is large, or at least half of the
/// largest gain `best` of another resource.
pub fn confirms(own: f64, best: Option<f64>) -> bool {
    own >= ENOUGH || best.is_none_or(|best| own - 1.0 + ALIKE / 2.0 >= (best - 1.0) / 2.0)
}

/// Returns the microseconds of the kernels of `outcome`, if all of them finished.
pub fn kernel_time(outcome: &RunResult) -> Option<f64> {
    let time = |report: &Report| report.verdict.is_finished().then_some(report.timing.as_ref()?.microseconds);
    outcome.reports.iter().map(time).sum()
}

/// Returns the limit of the kernels of a run: that of the launch that took longest.
pub fn limit_of(outcome: &RunResult) -> Option<&LimitReport> {
    let timings = outcome.reports.iter().filter_map(|report| report.timing.as_ref());
    let longest = timings.fold(None, |longest: Option<&TimingReport>, timing| {
        longest.filter(|longest| longest.cycles >= timing.cycles).or(Some(timing))
    })?;
    Some(&longest.limits)
}

/// Returns the microseconds of the whole program and of its kernels, if copies over PCI Express and
/// launch calls take more than half of the time: then they limit the program.
pub fn limited_by_copies(outcome: &RunResult, timeline: &Timeline) -> Option<(f64, f64)> {
    let (kernels, all) = (kernel_time(outcome)?, timeline.now_ns() as f64 / 1e3);
    (kernels * 2.0 < all).then_some((all, kernels))
}
