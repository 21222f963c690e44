//! Estimated launches: those of a program that repeats its launches, of which only some are timed.

use super::Program;
use crate::number::{count, fixed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Unit of the limit for the work of timed launches.
pub const MILLION: u64 = 1_000_000;

/// Most kernels with a line at the end of a program.
const MOST_KERNELS: usize = 10;

/// A series of launches of one kernel with equal grid, block and dynamic shared memory, some of
/// which are estimated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// Name of the kernel.
    pub kernel: String,
    /// Extents of the grid in blocks.
    pub grid: [u32; 3],
    /// Extents of a block in threads.
    pub block: [u32; 3],
    /// Number of launches.
    pub launches: u64,
    /// Number of timed launches.
    pub timed: u64,
    /// Simulated nanoseconds of the estimated launches.
    pub estimated_ns: u64,
    /// Relative error of an estimate: measured on the timed launches, each of which was also
    /// estimated from the timed launches before it. It is the root of the sum of the squared errors
    /// over the sum of the squared cycles.
    pub error: f64,
}

impl Series {
    /// Nanoseconds by which the estimated time is wrong if each estimate has the measured error in
    /// the same direction.
    fn band_ns(&self) -> f64 {
        self.estimated_ns as f64 * self.error
    }

    /// Number of estimated launches.
    pub fn estimated(&self) -> u64 {
        self.launches - self.timed
    }
}

impl Program {
    /// Returns the number of launches in words, and how many of them are timed if not all are.
    pub fn counted(&self) -> String {
        let all = launches(self.launches.len() as u64);
        let number = |of: fn(&super::Launched) -> bool| self.launches.iter().filter(|one| of(one)).count();
        let timed = number(|launch| launch.timed && !launch.estimated);
        let estimated = number(|launch| launch.estimated);
        let untimed = self.launches.len() - timed - estimated;
        let kinds = [(timed, "timed"), (estimated, "estimated"), (untimed, "not timed")];
        let words = |(number, what): &(usize, &str)| format!("{} {what}", count(*number as u64));
        match (timed, estimated, untimed) {
            // A functional run says so itself.
            (0, 0, _) | (_, 0, 0) => all,
            _ => {
                let kinds = kinds.iter().filter(|(number, what)| *number > 0 || *what == "timed");
                format!("{all} ({})", kinds.map(words).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Says why launches are not timed, if the work of timed launches has reached its limit.
    pub fn work_limit(&self) -> Option<String> {
        let (limit, unit) = match self.timed_work? {
            whole if whole % MILLION == 0 => (whole / MILLION, " million"),
            other => (other, ""),
        };
        let first = self.launches.iter().position(|launch| !launch.timed)? + 1;
        Some(format!(
            "not timed from launch {first} on: the work of timed launches is limited to {}{unit} (--timed-work N, or all)",
            count(limit)
        ))
    }

    /// Returns the error of the simulated time in words, such as ` ± 1.2 % (estimated)`; nothing if
    /// no launch is estimated.
    pub fn error(&self) -> String {
        if self.series.is_empty() {
            return String::new();
        }
        let band: f64 = self.series.iter().map(Series::band_ns).sum();
        format!(" ± {} % (estimated)", share(band, self.simulated_ns as f64))
    }

    /// Returns a line for each kernel with estimated launches.
    pub fn estimates(&self) -> Vec<String> {
        let mut kernels: BTreeMap<&str, (u64, u64, f64, f64)> = BTreeMap::new();
        for series in &self.series {
            let (launches, timed, ns, band) = kernels.entry(&series.kernel).or_default();
            *launches += series.launches;
            *timed += series.timed;
            *ns += series.estimated_ns as f64;
            *band += series.band_ns();
        }
        let mut kernels: Vec<_> = kernels.into_iter().collect();
        kernels.sort_by(|(_, (.., a, _)), (_, (.., b, _))| b.total_cmp(a));
        let line = |(kernel, (number, timed, ns, band)): (&str, (u64, u64, f64, f64))| {
            format!(
                "{kernel}: {}, {} timed; the others took {} µs ± {} % (estimated)",
                self::launches(number),
                count(timed),
                fixed(ns / 1e3, 2),
                share(band, ns)
            )
        };
        kernels.into_iter().take(MOST_KERNELS).map(line).collect()
    }
}

/// Returns a number of launches in words.
fn launches(number: u64) -> String {
    if number == 1 { "1 launch".to_owned() } else { format!("{} launches", count(number)) }
}

/// Returns a share in percent, with two digits: errors of a hundredth are not zero.
fn share(part: f64, whole: f64) -> String {
    fixed(if whole > 0.0 { 100.0 * part / whole } else { 0.0 }, 2)
}
