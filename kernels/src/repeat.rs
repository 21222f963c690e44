//! Launches that do the same again and again, of which sampling simulates a few.

use sim_core::stats::Report;

/// How close two launches that follow each other must be in cycles.
const TOLERANCE: f64 = 0.005;

/// What came of launches that do the same.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// A report of each launch that was simulated, in order. Those after them are taken to be as
    /// the last.
    pub reports: Vec<Report>,
    /// The launches in all.
    pub of: u32,
}

impl Repeated {
    /// Launches that were simulated.
    pub fn simulated(&self) -> u32 {
        self.reports.len() as u32
    }

    /// Whether some were not, for they would have been as those before; results of theirs are not
    /// there.
    pub fn is_sampled(&self) -> bool {
        self.simulated() < self.of && self.is_whole()
    }

    /// Whether all that were simulated ran to their end: otherwise the last did not, and there was
    /// none after it.
    pub fn is_whole(&self) -> bool {
        self.reports.iter().all(|report| report.verdict.is_whole())
    }

    /// A number of a report, summed over all launches.
    pub fn sum(&self, number: impl Fn(&Report) -> f64) -> f64 {
        let simulated: f64 = self.reports.iter().map(&number).sum();
        let rest = self.reports.last().filter(|_| self.is_whole()).map_or(0.0, number);
        simulated + f64::from(self.of - self.simulated()) * rest
    }

    /// Hot cycles of all launches.
    pub fn cycles(&self) -> f64 {
        self.sum(|report| report.timing.as_ref().map_or(0.0, |timing| timing.cycles as f64))
    }

    /// Microseconds of all launches at the shader clock, without the host's share.
    pub fn microseconds(&self) -> f64 {
        self.sum(|report| report.timing.as_ref().map_or(0.0, |timing| timing.microseconds))
    }

    /// How many launches were simulated, in words.
    pub fn summary(&self) -> String {
        if self.is_sampled() {
            format!("estimated from {} of {} launches that do the same", self.simulated(), self.of)
        } else {
            format!("{} of {} launches simulated", self.simulated(), self.of)
        }
    }
}

/// Launches `of` times what does the same each time; `launch` gets the number of the launch, from
/// 0. Where launches are `sampled`, it ends when two that follow each other, the first aside, are
/// equally long within half a per cent. A launch that does not run to its end is the last in any
/// case.
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

/// Whether two launches are equally long. Without time none are known to be.
fn alike(one: &Report, other: &Report) -> bool {
    let cycles = |report: &Report| report.timing.as_ref().map(|timing| timing.cycles as f64);
    let (Some(one), Some(other)) = (cycles(one), cycles(other)) else { return false };
    (one - other).abs() <= TOLERANCE * one.max(other)
}
