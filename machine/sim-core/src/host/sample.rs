//! Sampling: simulates the first blocks of a long launch, until their counters predict the rest of
//! the launch.
//!
//! - A *wave* is the number of blocks that all SMs hold together. A *unit* is a whole number of
//!   waves.
//! - The launch runs with its first *a*, *b* and *c* blocks. The three counts are one unit apart,
//!   and whole units lead from each of them to the last block. So each run contains the cost of the
//!   last, partial wave.
//! - Each run starts from the memory contents before the launch, has only these blocks, and is
//!   drained to its end. The kernel sees the whole grid.
//! - Until a run has sent its last block it does what the whole launch does. So a run continues a
//!   copy of the run before it, made shortly before that point.
//! - If *a* and *b* predict the counters of *c*, and units of half as many blocks had the same
//!   cycles per block, the counters are extrapolated to the last block. Otherwise units of twice as
//!   many blocks are tried.
//! - One unit size is not enough evidence: blocks that begin together run in step at first, and
//!   their contention for units and banks changes later.
//! - If a run would need more than half of the blocks, the launch runs in full: it continues such a
//!   copy, too.
//!
//! Invariant `sampled-launches`: An estimate is near the full run, its breakdowns are exact, and it
//! is never reported as a result. A launch that ends badly, or waits for later blocks, gives no
//! estimate.

use super::gpu::Gpu;
use super::monitor::Pass;
use super::start::Ready;
use super::timed::RunResult;
use crate::gpu::run::HostStats;
use crate::gpu::running::Running;
use crate::mem::sectors::SECTOR_BYTES;
use crate::stats::Totals;
use crate::stats::extrapolate::{Counted, Shape, extrapolate};
use crate::stats::report::{Report, Verdict};
use crate::stats::sampled::SampledReport;
use crate::time::NEVER;
use std::collections::BTreeMap;

/// Error of estimates against full runs: built-in kernels of several sizes on G80, GT200 and Fermi,
/// each simulated with [`Sampling::default`] and in full. `docs/MODEL.md` has the table; the test
/// `the_error_of_estimates_is_the_measured_one` repeats the measurement.
pub const MEASURED: MeasuredError = MeasuredError { launches: 110, largest: 0.062, median: 0.002 };

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
    /// Number of waves of the first unit that is tried; at least 1.
    pub waves: u32,
    /// Minimum number of shader cycles of a unit. Shared state (the DRAM's refresh, and the order
    /// in which the SMs send requests) changes over thousands of cycles, so shorter units may agree
    /// by chance.
    pub unit_cycles: u64,
    /// Largest relative difference between the last two units in cycles and warp instructions, and
    /// between the cycles per block of two units and of two shorter units. Must be above 0. A
    /// tolerance of more than some hundredths makes the estimate unreliable.
    pub tolerance: f64,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { waves: 1, unit_cycles: 50_000, tolerance: 0.02 }
    }
}

impl Gpu {
    /// Turns sampling of later timed launches of many blocks on. Their reports are estimates
    /// ([`Verdict::Estimated`](crate::stats::report::Verdict), [`SampledReport`]), and memory has
    /// only the results of the first blocks.
    ///
    /// These launches run in full: launches of few blocks, launches of a GPU with an observer,
    /// concurrent kernels, and launches whose first blocks wait for later blocks or reach the
    /// limit. A launch that traps or is interrupted among the first blocks has the report of that
    /// run. The limit applies to the simulated cycles; an estimate may exceed it. `None` turns
    /// sampling off.
    pub fn sample(&mut self, sampling: Option<Sampling>) {
        self.sampling = sampling;
    }

    /// Returns the current sampling.
    pub fn sampling(&self) -> Option<Sampling> {
        self.sampling
    }

    /// Runs one launch with sampling; `launch` has one element.
    pub(super) fn run_sampled(&mut self, launch: &[Ready<'_>], sampling: Sampling) -> Vec<Report> {
        let ready = &launch[0];
        let sms = u64::from(ready.chip.clusters * ready.chip.cluster.sms);
        let blocks = ready.kernel.grid.count();
        let wave = sms * u64::from(ready.launched.occupancy.blocks);
        let mut unit = wave.saturating_mul(sampling.waves.max(1).into());
        let mut runs = Runs::default();
        self.host_stats = HostStats::default();
        let (paused, _) = self.begin(launch);
        let pass = Pass { number: 0, of_blocks: blocks };
        let mut trunk = Trunk { pass, blocks, paused, next: 0 };
        while let Some(plan) = Plan::of(blocks, unit).filter(|plan| plan.counts[2] <= blocks / 2) {
            let mut times = 2;
            for count in plan.counts {
                if runs.of.contains_key(&count) {
                    continue;
                }
                // Checks before the longest run whether a unit is long enough.
                if let Some(cycles) = runs.unit_cycles(&plan).filter(|cycles| *cycles < sampling.unit_cycles)
                {
                    times = sampling.unit_cycles.div_ceil(cycles.max(1)).max(2);
                    break;
                }
                let running = trunk.first(count);
                runs.work += count - running.machine.dispatcher.progress(0).0;
                let ran = self.complete(launch, (running, vec![None]), Some(&mut trunk), None).remove(0);
                match ran.verdict {
                    Verdict::Finished => {
                        runs.of.insert(count, Counted { cycles: ran.cycles, totals: ran.totals });
                    }
                    // The simulated blocks may wait for later blocks, or poll for them.
                    Verdict::Hung { .. } | Verdict::Limit { .. } => {
                        return self.in_full(launch, trunk);
                    }
                    _ => return self.reports(launch, &[ran]),
                }
            }
            let passes = trunk.pass.number;
            if let Some((counted, sampled)) = runs.estimate(&plan, wave, passes, ready, sampling.tolerance) {
                let ran = RunResult::estimated(counted);
                let mut reports = self.reports(launch, &[ran]);
                reports[0].sampled = Some(sampled);
                return reports;
            }
            unit = unit.saturating_mul(times);
        }
        self.in_full(launch, trunk)
    }

    /// Runs the rest of the launch.
    fn in_full(&mut self, launch: &[Ready<'_>], trunk: Trunk) -> Vec<Report> {
        let ran = self.complete(launch, (trunk.paused, vec![None]), None, None);
        self.reports(launch, &ran)
    }
}

/// Shader cycles between two copies of a run. A copy costs about as much as some hundred cycles.
const KEEP_EVERY: u64 = 1 << 14;

/// The whole launch, at a cycle at which it has sent fewer blocks than the current run has.
pub(super) struct Trunk {
    /// The current run.
    pub pass: Pass,
    /// Blocks of the current run.
    blocks: u64,
    /// The launch with all of its blocks.
    paused: Running,
    /// Shader cycle of the next copy.
    next: u64,
}

impl Trunk {
    /// Begins a run of the first `blocks` blocks, of which not all have been sent.
    fn first(&mut self, blocks: u64) -> Running {
        self.pass.number += 1;
        self.blocks = blocks;
        let mut running = self.paused.clone();
        assert!(running.machine.dispatcher.sent() < blocks, "runs have more and more blocks");
        running.machine.dispatcher.only_first(blocks);
        running
    }

    /// Copies the current run, if the next copy is due and the last block has not been sent.
    /// Returns the shader cycle of the next copy.
    pub fn keep(&mut self, running: &Running) -> u64 {
        if running.machine.dispatcher.sent() >= self.blocks {
            return NEVER;
        }
        if running.cycle() >= self.next {
            self.paused = running.clone();
            self.paused.machine.dispatcher.only_first(self.pass.of_blocks);
            self.next = running.cycle() + KEEP_EVERY;
        }
        self.next
    }
}

/// Three runs whose block counts are one unit apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    blocks: u64,
    unit: u64,
    /// Number of blocks of each run, ascending.
    counts: [u64; 3],
}

impl Plan {
    /// The plan for a launch of `blocks` blocks; `None` if three such runs reach its end.
    fn of(blocks: u64, unit: u64) -> Option<Self> {
        let first = (blocks % unit).checked_add(unit)?;
        let counts = [first, first.checked_add(unit)?, first.checked_add(unit)?.checked_add(unit)?];
        (counts[2] < blocks).then_some(Self { blocks, unit, counts })
    }

    /// Returns the run from which steps of two units lead to the last block, and the number of
    /// steps.
    fn steps(&self) -> (u64, u64) {
        let [_, b, c] = self.counts;
        let units = (self.blocks - c) / self.unit;
        if units.is_multiple_of(2) { (c, units / 2) } else { (b, units.div_ceil(2)) }
    }
}

/// The finished runs.
#[derive(Default)]
struct Runs {
    /// Counters by number of blocks.
    of: BTreeMap<u64, Counted>,
    /// Cycles per block of the previous plan.
    pace: Option<f64>,
    /// Number of simulated blocks.
    work: u64,
}

impl Runs {
    /// Returns the shader cycles of the first unit of `plan`, if its two runs are finished.
    fn unit_cycles(&self, plan: &Plan) -> Option<u64> {
        let [a, b, _] = plan.counts.map(|count| self.of.get(&count));
        Some(b?.cycles.saturating_sub(a?.cycles))
    }

    /// Returns the estimated counters of the whole launch, if the runs of `plan` agree.
    fn estimate(
        &mut self,
        plan: &Plan,
        wave: u64,
        passes: u32,
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
        // Cycles per block over two units.
        let pace = (c.cycles as f64 - a.cycles as f64) / (plan.counts[2] - plan.counts[0]) as f64;
        let same_pace = |before: f64| (pace / before - 1.0).abs() <= tolerance;
        let steady = self.pace.replace(pace).is_some_and(same_pace);
        if !steady || !alike(|run| run.cycles) || !alike(|run| run.totals.inst.warp) {
            return None;
        }
        let (base, times) = plan.steps();
        let sm = &ready.chip.sm;
        let shape = Shape { issue_period: sm.issue_period.into(), schedulers: sm.schedulers };
        let counted = extrapolate(a, c, self.of.get(&base)?, times, shape)?;
        if let Some(l2) = ready.chip.partition.l2 {
            // While an L2 fills, it writes back less than it reads.
            let bytes = u64::from(ready.chip.partitions) * u64::from(l2.bytes);
            if filled_bytes(&a.totals) < bytes && filled_bytes(&counted.totals) > bytes {
                return None;
            }
        }
        let predicted = 2 * b.cycles - a.cycles;
        let sampled = SampledReport {
            blocks: plan.blocks,
            simulated: plan.counts[2],
            unit: plan.unit,
            wave,
            passes,
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

/// Bytes that were read into the L2.
fn filled_bytes(totals: &Totals) -> u64 {
    let l2s = totals.partitions.iter().map(|partition| partition.l2);
    let sectors = l2s.map(|l2| l2.read_sector_misses + l2.write_sector_queries + l2.atomic_sector_misses);
    sectors.sum::<u64>() * u64::from(SECTOR_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_two_units_lead_to_the_last_block() {
        for (blocks, unit) in [(1000, 48), (1000, 96), (1000, 100), (301, 100), (401, 100), (16_384, 48)] {
            let Some(plan) = Plan::of(blocks, unit) else {
                assert!(blocks / unit < 4, "{blocks} blocks in units of {unit}");
                continue;
            };
            let [a, b, c] = plan.counts;
            assert!(unit <= a && a < 2 * unit && b - a == unit && c - b == unit && c < blocks);
            let (base, times) = plan.steps();
            assert_eq!(base + times * (c - a), blocks);
        }
    }

    #[test]
    fn a_doubled_unit_reuses_a_finished_run() {
        for blocks in 1000..1200 {
            let (Some(plan), Some(twice)) = (Plan::of(blocks, 48), Plan::of(blocks, 96)) else { continue };
            assert!(plan.counts.contains(&twice.counts[0]), "{blocks}: {plan:?} {twice:?}");
        }
    }
}
