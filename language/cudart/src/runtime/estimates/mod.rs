//! Which launches are timed, if not all are, and the estimated times of the others.
//!
//! With `WARPSIM_SAMPLE_LAUNCHES`, of launches that repeat some are timed:
//!
//! - A **series** has the launches of one kernel with equal grid, block, dynamic shared memory and
//!   division of the L1.
//! - The first N launches of a series are timed. Later the next timed launch is a distance of i/N
//!   away, where i is the number of launches so far. The distance is odd, so that programs which
//!   alternate between two kinds of launches have both kinds timed.
//!
//! With `WARPSIM_TIMED_WORK`, launches are timed until their work is done, in the order of the
//! program. The launch that exceeds it begins again without timing.
//!
//! - All other launches run on the functional machine, which counts their warp instructions. The
//!   cycles are those of the timed launches with as many warp instructions, or are interpolated
//!   between the timed launches with the next lower and the next higher number.
//! - Only earlier launches are used, so that an event has its final time when the program asks for
//!   it.
//! - Each timed launch is estimated too, before it is added. The differences are the measured
//!   error.
//!
//! Invariant `estimated-launches`: With sampled launches a program without a race leaves the memory
//! of a run in which all launches are timed. Estimates of equal launches are exact.

use isa::types::Dim3;
use isa::uop::Program;
use report::mangled::plain;
use report::program::Series;
use sim_core::stats::Report;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the launches of a series have in common: number of the kernel, grid, block, dynamic shared
/// memory, and preferred cache.
pub type Shape = (usize, Dim3, Dim3, u32, i32);

/// Which launches are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Of each series at first so many launches, N, then some.
    First(u64),
    /// All launches, until so much work ([`Report::work`]) is done.
    Work(u64),
}

/// All series of a program.
#[derive(Debug)]
pub struct Estimates {
    /// Which launches are timed, from now on.
    rule: Rule,
    /// The kernels, in the order of their first launches.
    kernels: Vec<Arc<Program>>,
    series: BTreeMap<Shape, Launches>,
}

/// The launches of a series so far.
#[derive(Debug, Default)]
struct Launches {
    all: u64,
    timed: u64,
    /// Number of the next launch that is timed, from 0.
    next: u64,
    /// Number and cycles of the timed launches by their warp instructions.
    cycles: BTreeMap<u64, (u64, u64)>,
    estimated_ns: u64,
    /// Sums of the squared errors and of the squared cycles of timed launches that were estimated.
    squares: (f64, f64),
}

impl Estimates {
    /// Without launches.
    pub fn new(rule: Rule) -> Self {
        Self { rule, kernels: Vec::new(), series: BTreeMap::new() }
    }

    /// Returns the work that timed launches may still do, if it has a limit.
    pub fn left(&self) -> Option<u64> {
        if let Rule::Work(left) = self.rule { Some(left) } else { None }
    }

    /// Counts the work of a timed launch; `None`: it was too much.
    pub fn worked(&mut self, report: Option<&Report>) {
        if let Rule::Work(left) = &mut self.rule {
            *left = report.map_or(0, |report| left.saturating_sub(report.work()));
        }
    }

    /// Returns the shape of a launch.
    pub fn shape(&mut self, kernel: &Arc<Program>, (grid, block): (Dim3, Dim3), rest: (u32, i32)) -> Shape {
        let known = self.kernels.iter().position(|known| Arc::ptr_eq(known, kernel));
        let number = known.unwrap_or_else(|| {
            self.kernels.push(Arc::clone(kernel));
            self.kernels.len() - 1
        });
        (number, grid, block, rest.0, rest.1)
    }

    /// Whether the next launch of a shape is timed.
    pub fn is_timed(&self, shape: Shape) -> bool {
        match self.rule {
            Rule::First(_) => self.series.get(&shape).is_none_or(|launches| launches.all == launches.next),
            Rule::Work(left) => left > 0,
        }
    }

    /// Adds a timed launch that has finished.
    pub fn add(&mut self, shape: Shape, warp_instructions: u64, cycles: u64) {
        let launches = self.series.entry(shape).or_default();
        if let Rule::First(first) = self.rule {
            let is_early = launches.all + 1 < first;
            launches.next += if is_early { 1 } else { (launches.all / first) | 1 };
        }
        launches.all += 1;
        launches.timed += 1;
        if let Some(estimate) = launches.estimate(warp_instructions) {
            let (errors, all) = &mut launches.squares;
            *errors += (estimate - cycles as f64).powi(2);
            *all += (cycles as f64).powi(2);
        }
        let (number, sum) = launches.cycles.entry(warp_instructions).or_default();
        *number += 1;
        *sum += cycles;
    }

    /// Adds a launch of the functional machine, and returns its estimated cycles. Without a timed
    /// launch there is no estimate.
    pub fn estimate(&mut self, shape: Shape, warp_instructions: u64) -> Option<u64> {
        let launches = self.series.entry(shape).or_default();
        launches.all += 1;
        Some(launches.estimate(warp_instructions)?.round() as u64)
    }

    /// Adds the nanoseconds of an estimated launch.
    pub fn took(&mut self, shape: Shape, ns: u64) {
        self.series.entry(shape).or_default().estimated_ns += ns;
    }

    /// Returns the series with estimated launches, by kernel.
    pub fn series(&self) -> impl Iterator<Item = Series> {
        let extents = |of: Dim3| [of.x, of.y, of.z];
        let estimated =
            self.series.iter().filter(|(_, launches)| 0 < launches.timed && launches.timed < launches.all);
        estimated.map(move |((kernel, grid, block, ..), launches)| Series {
            kernel: plain(&self.kernels[*kernel].name).to_owned(),
            grid: extents(*grid),
            block: extents(*block),
            launches: launches.all,
            timed: launches.timed,
            estimated_ns: launches.estimated_ns,
            error: launches.error(),
        })
    }
}

impl Launches {
    /// Returns the estimated cycles of a launch.
    fn estimate(&self, warp_instructions: u64) -> Option<f64> {
        let mean = |(number, sum): &(u64, u64)| *sum as f64 / *number as f64;
        if let Some(same) = self.cycles.get(&warp_instructions) {
            return Some(mean(same));
        }
        let point = |(x, timed): (&u64, &(u64, u64))| (*x as f64, mean(timed));
        let x = warp_instructions as f64;
        let mut up = self.cycles.range(warp_instructions..).map(point);
        let mut down = self.cycles.range(..warp_instructions).rev().map(point);
        let (above, below) = (up.next(), down.next());
        let line = |(x1, y1): (f64, f64), (x2, y2): (f64, f64)| y1 + (y2 - y1) / (x2 - x1) * (x - x1);
        // Outside of the measured range the line of the two outermost launches is continued. It
        // neither falls with more work, nor rises faster than in proportion.
        let beyond = |(x1, y1): (f64, f64), next: Option<(f64, f64)>| {
            let slope = next.map_or(y1 / x1, |(x2, y2)| ((y2 - y1) / (x2 - x1)).clamp(0.0, y1 / x1));
            y1 + slope * (x - x1)
        };
        match (below, above) {
            (Some(below), Some(above)) => Some(line(below, above)),
            (Some(last), None) => Some(beyond(last, down.next())),
            (None, Some(first)) => Some(beyond(first, up.next())),
            (None, None) => None,
        }
    }

    /// Returns the measured relative error.
    fn error(&self) -> f64 {
        let (errors, all) = self.squares;
        if all > 0.0 { (errors / all).sqrt() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests;
