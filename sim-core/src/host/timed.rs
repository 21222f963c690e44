//! A launch on the timed machine: builds it, lets it run, asks in between whether it can end and whether it is to go on,
//! and takes what it has counted.

use super::gpu::Gpu;
use super::launch::Launch;
use super::monitor::{Pace, Pass, number, of_machine};
use super::timeline::{Call, Stream};
use crate::config::Chip;
use crate::exec::trap::{FaultKind, Trap};
use crate::exec::{Kernel, Mode};
use crate::gpu::machine::Machine;
use crate::gpu::run::{HostStats, RunPlan, Stop, run};
use crate::gpu::stuck;
use crate::observe::Launched;
use crate::stats::extrapolate::Counted;
use crate::stats::report::{LaunchReport, Report, SchedulerReport, TrapReport, Verdict};
use crate::stats::{Totals, build};
use crate::time::NEVER;
use isa::uop::Program;
use std::sync::Arc;

/// The hot cycle at which a launch is looked at for the first time, to see whether it can end at all; then at double
/// the cycle, and so on. A fixed number: reports do not depend on the host.
pub const FIRST_LOOK: u64 = 1 << 20;

/// A launch that the chip can take.
#[derive(Clone, Copy)]
pub(super) struct Ready<'a> {
    /// What the host program said.
    pub launch: &'a Launch,
    /// The chip as the launch finds it.
    pub chip: &'a Chip,
    /// The kernel.
    pub kernel: &'a Arc<Kernel>,
    /// Blocks that an SM holds.
    pub per_sm: u32,
}

/// What a run gave.
pub(super) struct Ran {
    /// How it ended.
    pub verdict: Verdict,
    /// Hot cycles.
    pub cycles: u64,
    /// All that was counted.
    pub totals: Totals,
    /// The observer was told of it and waits for the report.
    watched: bool,
}

impl Ran {
    /// A launch whose counters were estimated.
    pub fn estimated(counted: Counted) -> Self {
        let Counted { cycles, totals } = counted;
        Self { verdict: Verdict::Estimated, cycles, totals, watched: false }
    }
}

impl Gpu {
    /// Runs a launch in full and reports.
    pub(super) fn run_timed(
        &mut self,
        ready: Ready<'_>,
        launched: LaunchReport,
        stream: Option<Stream>,
    ) -> Report {
        self.host_stats = HostStats::default();
        let ran = self.simulate(ready, None);
        self.told(ready, launched, stream, &ran)
    }

    /// The report of a run, and its place in the timeline.
    pub(super) fn told(
        &mut self,
        ready: Ready<'_>,
        launched: LaunchReport,
        stream: Option<Stream>,
        ran: &Ran,
    ) -> Report {
        let Ready { chip, kernel, .. } = ready;
        let Ran { verdict, cycles, totals, watched } = ran;
        self.took(&kernel.program.name, *cycles, stream);
        let timing = build::timing_report(chip, &kernel.program, totals, *cycles);
        let counted = (&totals.inst, &totals.pcs[..]);
        let report = self.report(Mode::Timed, kernel, launched, verdict.clone(), counted, Some(timing));
        if let Some(observer) = self.observer.as_mut().filter(|_| *watched) {
            observer.end(&report);
        }
        report
    }

    /// Runs a launch, or with `pass` only its first blocks, so many.
    pub(super) fn simulate(&mut self, ready: Ready<'_>, pass: Option<(Pass, u64)>) -> Ran {
        let Ready { launch, chip, kernel, per_sm } = ready;
        let options = &launch.options;
        let mut machine =
            Machine::new(chip, kernel, per_sm, &mut self.memory, self.scheduler.as_ref(), options.hooks);
        if let Some((_, blocks)) = pass {
            machine.dispatcher.only_first(blocks);
        }
        let window = if options.window == 0 { self.chip.crossbar.latency } else { options.window };
        let mut observer = self.observer.take();
        let watch = observer.as_mut().and_then(|observer| observer.begin(&self.launched(kernel)));
        let mut max_cycles = options.max_cycles;
        if let Some(watch) = &watch {
            machine.clusters.iter_mut().for_each(|cluster| cluster.watch(watch));
            max_cycles = if watch.then_stop { max_cycles.min(watch.cycles.end) } else { max_cycles };
        }
        let mut look = FIRST_LOOK;
        let mut pace = self.monitor.as_ref().map(|_| Pace::new());
        let pause = |look: u64, pace: &Option<Pace>| pace.map_or(look, |pace| look.min(pace.next));
        let mut plan = RunPlan {
            threads: options.threads,
            shuffle: options.shuffle,
            window: window.into(),
            skip_idle: options.skip_idle,
            max_cycles,
            start: 0,
            pause: pause(look, &pace),
        };
        let mut interrupted = false;
        let (stop, endless) = loop {
            let (stop, stats) = run(&mut machine, &plan, observer.as_deref_mut());
            self.host_stats.add(&stats);
            let Stop::Paused(at) = stop else { break (stop, None) };
            if let (Some(monitor), Some(pace)) = (&mut self.monitor, &mut pace)
                && pace.came(at, stats.ticks)
            {
                let progress = of_machine(&machine, kernel, at, pass.map(|(pass, _)| pass));
                interrupted = monitor(&progress).is_break();
            }
            if interrupted {
                break (stop, None);
            }
            if at >= look {
                if let Some(stuck) = stuck::proved(&machine, kernel) {
                    break (stop, Some(stuck));
                }
                look = stuck::next_look(kernel, at);
            }
            (plan.start, plan.pause) = (at, pause(look, &pace));
        };
        let cycles = match stop {
            Stop::Finished(at) | Stop::Trapped(at) | Stop::Limit(at) | Stop::Paused(at) => at,
            Stop::Hung => stuck::last_change(&machine),
        };
        let explain = |idle| stuck::explain(&machine, kernel, idle);
        let verdict = match stop {
            Stop::Finished(_) => Verdict::Finished,
            Stop::Trapped(_) => first_trap(&machine, &kernel.program),
            Stop::Hung => Verdict::Hung { cycle: cycles, stuck: explain(true) },
            Stop::Paused(_) if interrupted => {
                Verdict::Interrupted { cycle: cycles, stuck: explain(false).interrupted() }
            }
            Stop::Paused(_) => {
                Verdict::Hung { cycle: cycles, stuck: endless.unwrap_or_else(|| explain(false)) }
            }
            Stop::Limit(limit) => Verdict::Limit { limit, stuck: explain(false) },
        };
        for sm in machine.clusters.iter_mut().flat_map(|c| &mut c.sms) {
            sm.close(cycles);
        }
        if let Some(observer) = &mut observer {
            machine.hand_on_rest(cycles, &mut **observer);
        }
        let dram_end = if verdict.is_finished() { finish_writes(&mut machine, cycles) } else { cycles };
        let totals = Totals::of(&mut machine, kernel.program.code.len(), dram_end);
        machine.give_back(&mut self.memory);
        self.observer = observer;
        Ran { verdict, cycles, totals, watched: watch.is_some() }
    }

    /// Writes a kernel of so many hot cycles into the timeline: a plain launch together with its call.
    fn took(&mut self, name: &str, cycles: u64, stream: Option<Stream>) {
        let (ns, launch_ns) = (self.nanoseconds(cycles), self.chip.pcie.launch_ns);
        match stream {
            Some(stream) => self.timeline.kernel(stream, name, launch_ns, ns),
            None => self.timeline.push(Call::kernel(name), 0, launch_ns + ns),
        }
    }

    /// Hot cycles as nanoseconds.
    pub(super) fn nanoseconds(&self, cycles: u64) -> u64 {
        (u128::from(cycles) * 1_000_000 / u128::from(self.chip.clocks.hot_khz)) as u64
    }

    fn launched<'a>(&'a self, kernel: &'a Kernel) -> Launched<'a> {
        let Kernel { program, grid, block, .. } = kernel;
        Launched { number: number(kernel), program, grid: *grid, block: *block, chip: &self.chip }
    }
}

/// The kernel has ended, but its last stores are still on their way from the point of order to the DRAM: lets each
/// partition work them off, so that the bytes on the bus are all counted. Returns the hot cycle of the last of it.
pub(super) fn finish_writes(machine: &mut Machine, end: u64) -> u64 {
    let mut last = end;
    for (partition, outbox) in &mut machine.partitions {
        partition.flush();
        let mut now = partition.next_wake(end);
        while now != NEVER {
            partition.tick(now, outbox);
            last = last.max(now);
            now = partition.next_wake(now + 1);
        }
    }
    last
}

/// The first trap by cycle, then SM, then block, then warp; or what a user's scheduling policy did wrong, if that was
/// in an earlier cycle.
pub(super) fn first_trap(machine: &Machine, program: &Program) -> Verdict {
    let sms = || machine.clusters.iter().flat_map(|c| &c.sms);
    // Schedulers of one SM issue in the same cycle, in an order that changes from cycle to cycle.
    let place = |t: &&Trap| (t.cycle, t.sm, t.block.z, t.block.y, t.block.x, t.warp);
    let trap = sms().flat_map(|sm| &sm.traps).min_by_key(place);
    let fault = sms().filter_map(|sm| sm.scheduler_fault.as_ref()).min_by_key(|f| (f.cycle, f.sm));
    let trap = match (trap, fault) {
        (Some(trap), fault) if fault.is_none_or(|fault| trap.cycle <= fault.cycle) => trap,
        (_, fault) => {
            let fault = fault.expect("the machine stopped because of a trap or a scheduler's fault");
            return Verdict::Scheduler { fault: SchedulerReport::new(fault) };
        }
    };
    let same =
        |t: &&Trap| t.block == trap.block && matches!(t.fault.kind, FaultKind::DivergentBarrier { .. });
    let mut warps: Vec<u32> = sms().flat_map(|sm| &sm.traps).filter(same).map(|t| t.warp).collect();
    warps.sort_unstable();
    Verdict::Trapped { trap: TrapReport::new(trap, program, warps) }
}
