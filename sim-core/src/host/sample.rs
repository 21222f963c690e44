//! Sampling: of a long launch the first blocks are simulated, as many as are needed to see that all
//! goes on like this.
//!
//! A *wave* is as many blocks as all SMs hold at once, a *unit* some whole waves. The launch is run
//! with its first *a*, *b* and *c* blocks, which are a unit apart and reach the last block in whole
//! units, so that whatever the last, partial wave costs is in each of them. Each run starts from
//! the memory that the launch finds, and is a launch of so many blocks, drained to its end; the
//! grid that the kernel sees is the whole one. If what *a* and *b* predict of *c* comes true, and
//! units of half as many blocks have shown the same pace, the counters are continued to the last
//! block; otherwise units of twice as many blocks are tried. Blocks that begin together go in step
//! at first, and wait for each other's units and banks more or less than later; that is why one
//! size of unit is not believed. Where that would be more than half the work of the launch itself,
//! the launch is run in full.
//!
//! Invariant `sampled-launches`: An estimate is near the full run, its breakdowns are exact, and it
//! is never reported as a result. A launch that ends badly, or waits for later blocks, gives no
//! estimate.

use super::gpu::Gpu;
use super::monitor::Pass;
use super::start::Ready;
use super::timed::Ran;
use crate::gpu::run::HostStats;
use crate::mem::image::Memory;
use crate::mem::sectors::SECTOR_BYTES;
use crate::stats::Totals;
use crate::stats::extrapolate::{Counted, Shape, on_the_line};
use crate::stats::report::{Report, Verdict};
use crate::stats::sampled::SampledReport;
use std::collections::BTreeMap;

/// Error of estimates against full runs: built-in kernels of several sizes on G80, GT200 and Fermi,
/// each simulated with [`Sampling::default`] and in full. `docs/MODEL.md` has the table; the test
/// `the_error_of_estimates_is_as_measured` measures it again.
pub const MEASURED: MeasuredError = MeasuredError { launches: 78, largest: 0.062, median: 0.002 };

/// Relative error in cycles, over launches that were estimated and simulated in full.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredError {
    /// Number of launches.
    pub launches: u32,
    /// The largest error, rounded up to a tenth of a percent.
    pub largest: f64,
    /// The median error, rounded up to a tenth of a percent.
    pub median: f64,
}

/// How launches are sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Waves of the first unit that is tried; at least 1.
    pub waves: u32,
    /// Hot cycles that a unit takes at least. What blocks share (the DRAM's refresh, and in which
    /// order the SMs have come to ask) changes over thousands of cycles, so units that are shorter
    /// may agree by chance.
    pub unit_cycles: u64,
    /// How far the last unit may be from the one before in cycles and warp instructions, as a part
    /// of itself; and how far the cycles of a block in two units may be from those in two shorter
    /// ones. Above 0; with more than some hundredths an estimate says little.
    pub tolerance: f64,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { waves: 1, unit_cycles: 50_000, tolerance: 0.02 }
    }
}

impl Gpu {
    /// From now on timed launches of many blocks are sampled: their reports are estimates, which
    /// say so ([`Verdict::Estimated`](crate::stats::report::Verdict), [`SampledReport`]), and
    /// memory has the results of the first blocks only. Launches of few blocks, launches of a GPU
    /// with an observer, concurrent kernels, and launches whose first blocks wait for later ones or
    /// reach the limit are run in full; one that traps among the first blocks, or is interrupted
    /// there, is reported as that. The limit holds for what is simulated: an estimate may lie
    /// beyond it. `None`: every launch is run in full again.
    pub fn sample(&mut self, sampling: Option<Sampling>) {
        self.sampling = sampling;
    }

    /// How launches are sampled, if they are.
    pub fn sampling(&self) -> Option<Sampling> {
        self.sampling
    }

    /// Runs a launch as [`Gpu::sample`] says. `launch` is one.
    pub(super) fn run_sampled(&mut self, launch: &[Ready<'_>], sampling: Sampling) -> Vec<Report> {
        let ready = &launch[0];
        let sms = u64::from(ready.chip.clusters * ready.chip.cluster.sms);
        let blocks = ready.kernel.grid.count();
        let wave = sms * u64::from(ready.launched.occupancy.blocks);
        let mut unit = wave.saturating_mul(sampling.waves.max(1).into());
        let before = self.memory.clone();
        let mut runs = Runs::default();
        self.host_stats = HostStats::default();
        while let Some(plan) = Plan::of(blocks, unit).filter(|plan| runs.with(plan) <= blocks / 2) {
            let mut times = 2;
            for count in plan.counts {
                if runs.of.contains_key(&count) {
                    continue;
                }
                // Before the longest run: is it worth it?
                if let Some(cycles) = runs.unit_cycles(&plan).filter(|cycles| *cycles < sampling.unit_cycles)
                {
                    times = sampling.unit_cycles.div_ceil(cycles.max(1)).max(2);
                    break;
                }
                self.memory = before.clone();
                let ran = self.simulate(launch, Some((runs.begin(count, blocks), count))).remove(0);
                match ran.verdict {
                    Verdict::Finished => {
                        runs.of.insert(count, Counted { cycles: ran.cycles, totals: ran.totals });
                    }
                    // Blocks to come could be what they wait for, or poll in vain.
                    Verdict::Hung { .. } | Verdict::Limit { .. } => {
                        return self.in_full(launch, before);
                    }
                    _ => return self.reports(launch, &[ran]),
                }
            }
            if let Some((counted, sampled)) = runs.estimate(&plan, wave, ready, sampling.tolerance) {
                let ran = Ran::estimated(counted);
                let mut reports = self.reports(launch, &[ran]);
                reports[0].sampled = Some(sampled);
                return reports;
            }
            unit = unit.saturating_mul(times);
        }
        self.in_full(launch, before)
    }

    /// After all, from the memory that the launch has found.
    fn in_full(&mut self, launch: &[Ready<'_>], before: Memory) -> Vec<Report> {
        self.memory = before;
        let ran = self.simulate(launch, None);
        self.reports(launch, &ran)
    }
}

/// Three runs a unit apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    blocks: u64,
    unit: u64,
    /// Blocks of the runs, fewest first.
    counts: [u64; 3],
}

impl Plan {
    /// Of a launch of `blocks` blocks; `None` where three such runs reach its end.
    fn of(blocks: u64, unit: u64) -> Option<Self> {
        let first = (blocks % unit).checked_add(unit)?;
        let counts = [first, first.checked_add(unit)?, first.checked_add(unit)?.checked_add(unit)?];
        (counts[2] < blocks).then_some(Self { blocks, unit, counts })
    }

    /// The run from which two units at a time lead to the last block, and how many times two.
    fn way(&self) -> (u64, u64) {
        let [_, b, c] = self.counts;
        let units = (self.blocks - c) / self.unit;
        if units.is_multiple_of(2) { (c, units / 2) } else { (b, units.div_ceil(2)) }
    }
}

/// The runs that were made.
#[derive(Default)]
struct Runs {
    /// By their blocks.
    of: BTreeMap<u64, Counted>,
    /// What the plan before has shown.
    pace: Option<f64>,
    passes: u32,
    work: u64,
}

impl Runs {
    /// Blocks that will have been simulated with the runs of `plan`.
    fn with(&self, plan: &Plan) -> u64 {
        let missing: u64 = plan.counts.iter().filter(|count| !self.of.contains_key(count)).sum();
        self.work + missing
    }

    /// Hot cycles that the first unit of `plan` has taken, once that is known.
    fn unit_cycles(&self, plan: &Plan) -> Option<u64> {
        let [a, b, _] = plan.counts.map(|count| self.of.get(&count));
        Some(b?.cycles.saturating_sub(a?.cycles))
    }

    /// Another one begins.
    fn begin(&mut self, count: u64, of_blocks: u64) -> Pass {
        self.passes += 1;
        self.work += count;
        Pass { number: self.passes, of_blocks }
    }

    /// The counters of the whole launch, if the runs of `plan` show that all goes on alike.
    fn estimate(
        &mut self,
        plan: &Plan,
        wave: u64,
        ready: &Ready<'_>,
        tolerance: f64,
    ) -> Option<(Counted, SampledReport)> {
        let [a, b, c] = plan.counts.map(|count| self.of.get(&count));
        let (a, b, c) = (a?, b?, c?);
        if !(a.cycles < b.cycles && b.cycles < c.cycles) {
            return None;
        }
        let alike = |of: fn(&Counted) -> u64| {
            let [a, b, c] = [a, b, c].map(|run| of(run) as f64);
            ((b - a) - (c - b)).abs() <= tolerance * (c - b)
        };
        // Cycles of a block, as two units have it.
        let pace = (c.cycles as f64 - a.cycles as f64) / (plan.counts[2] - plan.counts[0]) as f64;
        let same_pace = |before: f64| (pace / before - 1.0).abs() <= tolerance;
        let steady = self.pace.replace(pace).is_some_and(same_pace);
        if !steady || !alike(|run| run.cycles) || !alike(|run| run.totals.inst.warp) {
            return None;
        }
        let (base, times) = plan.way();
        let sm = &ready.chip.sm;
        let shape = Shape { issue_period: sm.issue_period.into(), schedulers: sm.schedulers };
        let counted = on_the_line(a, c, self.of.get(&base)?, times, shape)?;
        if let Some(l2) = ready.chip.partition.l2 {
            // As long as it fills it gives back less than it takes.
            let bytes = u64::from(ready.chip.partitions) * u64::from(l2.bytes);
            if brought(&a.totals) < bytes && brought(&counted.totals) > bytes {
                return None;
            }
        }
        let predicted = 2 * b.cycles - a.cycles;
        let sampled = SampledReport {
            blocks: plan.blocks,
            simulated: plan.counts[2],
            unit: plan.unit,
            wave,
            passes: self.passes,
            work: self.work,
            predicted_cycles: predicted,
            checked_cycles: c.cycles,
            error: predicted as f64 / c.cycles as f64 - 1.0,
            measured_launches: MEASURED.launches,
            measured_error: MEASURED.largest,
            measured_median: MEASURED.median,
        };
        Some((counted, sampled))
    }
}

/// Bytes that were brought into the L2.
fn brought(totals: &Totals) -> u64 {
    let l2s = totals.partitions.iter().map(|partition| partition.l2);
    let sectors = l2s.map(|l2| l2.read_sector_misses + l2.write_sector_queries + l2.atomic_sector_misses);
    sectors.sum::<u64>() * u64::from(SECTOR_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_units_at_a_time_lead_to_the_last_block() {
        for (blocks, unit) in [(1000, 48), (1000, 96), (1000, 100), (301, 100), (401, 100), (16_384, 48)] {
            let Some(plan) = Plan::of(blocks, unit) else {
                assert!(blocks / unit < 4, "{blocks} blocks in units of {unit}");
                continue;
            };
            let [a, b, c] = plan.counts;
            assert!(unit <= a && a < 2 * unit && b - a == unit && c - b == unit && c < blocks);
            let (base, times) = plan.way();
            assert_eq!(base + times * (c - a), blocks);
        }
    }

    #[test]
    fn a_unit_of_twice_as_many_blocks_finds_a_run_made() {
        for blocks in 1000..1200 {
            let (Some(plan), Some(twice)) = (Plan::of(blocks, 48), Plan::of(blocks, 96)) else { continue };
            assert!(plan.counts.contains(&twice.counts[0]), "{blocks}: {plan:?} {twice:?}");
        }
    }
}
