//! Repeated launches of the same work, of which sampling simulates only some.

use sim_core::stats::Report;

/// Largest relative difference in cycles of two consecutive launches that count as equal.
const TOLERANCE: f64 = 0.005;

/// Results of repeated launches.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// Reports of the simulated launches, in order. Later launches are assumed to equal the last
    /// one.
    pub reports: Vec<Report>,
    /// Total number of launches.
    pub of: u32,
}

impl Repeated {
    /// Number of simulated launches.
    pub fn simulated(&self) -> u32 {
        self.reports.len() as u32
    }

    /// Whether some launches were not simulated because they would equal the previous ones; their
    /// results do not exist.
    pub fn is_sampled(&self) -> bool {
        self.simulated() < self.of && self.is_whole()
    }

    /// Whether all simulated launches ran to their end. If not, the last one did not, and no launch
    /// followed it.
    pub fn is_whole(&self) -> bool {
        self.reports.iter().all(|report| report.verdict.is_whole())
    }

    /// Sum of a number of the report over all launches.
    pub fn sum(&self, number: impl Fn(&Report) -> f64) -> f64 {
        let simulated: f64 = self.reports.iter().map(&number).sum();
        let rest = self.reports.last().filter(|_| self.is_whole()).map_or(0.0, number);
        simulated + f64::from(self.of - self.simulated()) * rest
    }

    /// Shader cycles of all launches.
    pub fn cycles(&self) -> f64 {
        self.sum(|report| report.timing.as_ref().map_or(0.0, |timing| timing.cycles as f64))
    }

    /// Microseconds of all launches at the shader clock, without the host's share.
    pub fn microseconds(&self) -> f64 {
        self.sum(|report| report.timing.as_ref().map_or(0.0, |timing| timing.microseconds))
    }

    /// Sentence on the number of simulated launches.
    pub fn summary(&self) -> String {
        if self.is_sampled() {
            format!("estimated from {} of {} equal launches", self.simulated(), self.of)
        } else {
            format!("{} of {} launches simulated", self.simulated(), self.of)
        }
    }
}

/// Makes `of` launches of the same work; `launch` gets the index of the launch, from 0. If launches
/// are `sampled`, it stops after two consecutive launches, except the first, with the same duration
/// within half a percent. It always stops after a launch that does not run to its end.
pub fn repeat<E>(
    sampled: bool,
    of: u32,
    mut launch: impl FnMut(u32) -> Result<Report, E>,
) -> Result<Repeated, E> {
    let mut reports: Vec<Report> = Vec::new();
    for i in 0..of {
        let report = launch(i)?;
        let whole = report.verdict.is_whole();
        let alike = reports.get(1..).and_then(<[Report]>::last).is_some_and(|last| alike(last, &report));
        reports.push(report);
        if !whole || sampled && alike {
            break;
        }
    }
    Ok(Repeated { reports, of })
}

/// Whether two launches have the same duration; `false` without timing.
fn alike(one: &Report, other: &Report) -> bool {
    let cycles = |report: &Report| report.timing.as_ref().map(|timing| timing.cycles as f64);
    let (Some(one), Some(other)) = (cycles(one), cycles(other)) else { return false };
    (one - other).abs() <= TOLERANCE * one.max(other)
}
