//! Kernels of different streams that are under way together, on chips that can (`dispatch.concurrent_kernels`).

use super::gpu::{Gpu, HostError};
use super::launch::Launch;
use super::monitor::{Pace, of_machine};
use super::timed::{finish_writes, first_trap};
use super::timeline::Stream;
use crate::cluster::Cluster;
use crate::exec::{Kernel, Mode};
use crate::gpu::machine::{Machine, Part};
use crate::gpu::run::{HostStats, RunPlan, Stop, run};
use crate::gpu::stuck;
use crate::stats::report::{LaunchReport, Report, TimingReport, Verdict};
use crate::stats::{Totals, build};
use crate::time::NEVER;
use std::sync::Arc;

/// A launch that the chip can take.
type Checked = (Arc<Kernel>, LaunchReport);

impl Gpu {
    /// Launches kernels that have been queued in their streams and are set free at the same time. Returns a report of each.
    ///
    /// As many as the chip runs at once (`dispatch.concurrent_kernels`) are under way together, those of one stream one
    /// after the other. They arrive at the chip in the same cycle; a cluster of SMs holds blocks of one kernel at a time,
    /// and blocks of a kernel leave when all blocks of the kernels before it have left. They share the crossbar, the
    /// partitions and the DRAM, and see each other's memory accesses as they come: kernels that touch common bytes race.
    /// The functional machine, and a chip that runs one kernel at a time, take them in the order given.
    ///
    /// The reports' counters are each kernel's own, but for those of the partitions and the DRAM, which are of all that
    /// were under way together, until the last one's end. If one traps, all that have not ended have that verdict, for it
    /// ends them. Observers are not told of kernels under way together, and of a kernel that never ends it is said when
    /// the limit is reached. They are never sampled.
    ///
    /// # Errors
    /// Nothing is launched if any of the launches is refused.
    pub fn launch_together(&mut self, launches: &[(Stream, &Launch)]) -> Result<Vec<Report>, HostError> {
        let mut checked = Vec::with_capacity(launches.len());
        for (number, (_, launch)) in (self.launches..).zip(launches) {
            checked.push(self.checked_kernel(launch, number)?);
        }
        self.launches += launches.len() as u32;
        let most = self.chip.dispatch.concurrent_kernels as usize;
        let mut reports = Vec::with_capacity(launches.len());
        let mut checked = checked.into_iter();
        let mut rest = launches;
        while !rest.is_empty() {
            let batch = &rest[..batch(rest, most)];
            rest = &rest[batch.len()..];
            let kernels: Vec<Checked> = checked.by_ref().take(batch.len()).collect();
            match (batch, kernels.as_slice()) {
                ([(stream, launch)], [(kernel, launched)]) => {
                    reports.push(self.run_checked(launch, kernel, launched.clone(), Some(*stream)));
                }
                _ => reports.extend(self.run_together(batch, kernels)),
            }
        }
        Ok(reports)
    }

    fn run_together(&mut self, launches: &[(Stream, &Launch)], kernels: Vec<Checked>) -> Vec<Report> {
        let options = &launches[0].1.options;
        let part = |((_, launch), (kernel, launched)): (&(Stream, &Launch), &Checked)| {
            let shared = launched.occupancy.needs.shared_bytes.into();
            let sm = self.chip.divided(launch.cache, shared).sm.clone();
            Part { kernel: Arc::clone(kernel), per_sm: launched.occupancy.blocks, sm }
        };
        let parts: Vec<Part> = launches.iter().zip(&kernels).map(part).collect();
        let (memory, own) = (&mut self.memory, self.scheduler.as_ref());
        let mut machine = Machine::together(&self.chip, &parts, memory, own, options.hooks);
        let window = if options.window == 0 { self.chip.crossbar.latency } else { options.window };
        let mut pace = self.monitor.as_ref().map(|_| Pace::new());
        let mut plan = RunPlan {
            threads: options.threads,
            shuffle: options.shuffle,
            window: window.into(),
            skip_idle: options.skip_idle,
            max_cycles: options.max_cycles,
            start: 0,
            pause: pace.map_or(NEVER, |pace| pace.next),
        };
        self.host_stats = HostStats::default();
        let stop = loop {
            let (stop, stats) = run(&mut machine, &plan, None);
            self.host_stats.add(&stats);
            let (Stop::Paused(at), Some(monitor), Some(pace)) = (stop, &mut self.monitor, &mut pace) else {
                break stop;
            };
            let progress = of_machine(&machine, &parts[0].kernel, at, None);
            if pace.came(at, stats.ticks) && monitor(&progress).is_break() {
                break stop;
            }
            (plan.start, plan.pause) = (at, pace.next);
        };
        let end = match stop {
            Stop::Finished(at) | Stop::Trapped(at) | Stop::Limit(at) | Stop::Paused(at) => at,
            Stop::Hung => stuck::last_change(&machine),
        };
        let dram_end = if matches!(stop, Stop::Finished(_)) { finish_writes(&mut machine, end) } else { end };
        let mut clusters = machine.take_clusters(kernels.len());
        let trap = first_trap_of_all(&mut machine, &mut clusters, &kernels);
        let ends: Vec<u64> =
            (0..kernels.len()).map(|k| machine.dispatcher.finished_of(k).unwrap_or(end)).collect();
        let mut reports = Vec::with_capacity(kernels.len());
        for (k, (kernel, launched)) in kernels.into_iter().enumerate() {
            std::mem::swap(&mut machine.clusters, &mut clusters[k]);
            let cycles = ends[k];
            let verdict = match (machine.dispatcher.finished_of(k), stop) {
                (Some(_), _) | (None, Stop::Finished(_)) => Verdict::Finished,
                (None, Stop::Trapped(_)) => trap.clone().expect("something has trapped"),
                (None, Stop::Hung) => {
                    Verdict::Hung { cycle: cycles, stuck: stuck::explain(&machine, &kernel, true) }
                }
                (None, Stop::Limit(at)) => {
                    Verdict::Limit { limit: at, stuck: stuck::explain(&machine, &kernel, false) }
                }
                (None, Stop::Paused(at)) => {
                    let stuck = stuck::explain(&machine, &kernel, false).interrupted();
                    Verdict::Interrupted { cycle: at, stuck }
                }
            };
            for sm in machine.clusters.iter_mut().flat_map(|c| &mut c.sms) {
                sm.close(cycles);
            }
            let totals = Totals::of(&mut machine, kernel.program.code.len(), dram_end);
            let timing = self.timing_of_one(&kernel, &totals, cycles, end);
            let counted = (&totals.inst, &totals.pcs[..]);
            reports.push(self.report(Mode::Timed, &kernel, launched, verdict, counted, Some(timing)));
            std::mem::swap(&mut machine.clusters, &mut clusters[k]);
        }
        machine.give_back(&mut self.memory);
        let took: Vec<(Stream, &str, u64)> = launches
            .iter()
            .zip(&parts)
            .zip(&ends)
            .map(|(((stream, _), Part { kernel, .. }), cycles)| {
                (*stream, &*kernel.program.name, self.nanoseconds(*cycles))
            })
            .collect();
        self.timeline.kernels(&took, self.chip.pcie.launch_ns);
        reports
    }

    /// The timing report of a kernel of `cycles` hot cycles, with what the DRAM did for all kernels until `end`.
    fn timing_of_one(&self, kernel: &Kernel, totals: &Totals, cycles: u64, end: u64) -> TimingReport {
        let all = build::timing_report(&self.chip, &kernel.program, totals, end);
        TimingReport { dram: all.dram, ..build::timing_report(&self.chip, &kernel.program, totals, cycles) }
    }
}

/// How many of the first launches are under way together: timed ones, each of another stream, `most` at most.
fn batch(launches: &[(Stream, &Launch)], most: usize) -> usize {
    let fits = |n: usize| {
        let (stream, launch) = &launches[n];
        launch.mode == Mode::Timed && launches[..n].iter().all(|(s, l)| s != stream && l.mode == Mode::Timed)
    };
    1 + (1..launches.len().min(most)).take_while(|n| fits(*n)).count()
}

/// The verdict of the kernel that trapped first, if one has.
fn first_trap_of_all(
    machine: &mut Machine,
    clusters: &mut [Vec<Cluster>],
    kernels: &[Checked],
) -> Option<Verdict> {
    let first = |clusters: &[Cluster]| {
        clusters.iter().flat_map(|c| &c.sms).map(|sm| (sm.must_stop(), sm.id())).min().unwrap_or((NEVER, 0))
    };
    let k = (0..kernels.len()).min_by_key(|k| first(&clusters[*k]))?;
    if first(&clusters[k]).0 == NEVER {
        return None;
    }
    std::mem::swap(&mut machine.clusters, &mut clusters[k]);
    let verdict = first_trap(machine, &kernels[k].0.program);
    std::mem::swap(&mut machine.clusters, &mut clusters[k]);
    Some(verdict)
}
