//! Launches on the timed machine, one or several concurrent ones: builds the machine, runs it,
//! checks between the windows whether it can end and whether it should continue, and collects its
//! counters.
//!
//! Invariant `concurrent-endings`: Concurrent kernels hang, are proved to hang, stop, are observed
//! and are followed as a kernel that runs alone.

use super::gpu::{Gpu, HostError};
use super::group::Group;
use super::identity::StateIdentity;
use super::monitor::{Pace, of_machine};
use super::sample::Trunk;
use super::start::Ready;
use super::timeline::Stream;
use crate::counters::AccessCounters;
use crate::debug::Session;
use crate::events::{Event, Sink, Told};
use crate::exec::{Kernel, Mode};
use crate::gpu::machine::{Machine, Part};
use crate::gpu::run::{HostStats, RunPlan, Stop};
use crate::gpu::running::{Ended, Running};
use crate::gpu::stop::StopReason;
use crate::gpu::stuck;
use crate::observe::{Launched, Observer, Watch};
use crate::sm::Sm;
use crate::stats::ending::{trapped_kernel, verdicts};
use crate::stats::extrapolate::Counted;
use crate::stats::report::{Report, Verdict, work_of};
use crate::stats::sampled::WarmupReport;
use crate::stats::{Totals, build};
use crate::time::NEVER;
use std::ops::ControlFlow;

/// Result of one kernel of a run.
pub(super) struct RunResult {
    /// How the kernel ended.
    pub verdict: Verdict,
    /// Shader cycles of the kernel.
    pub cycles: u64,
    /// All counters.
    pub totals: Totals,
    /// Shader cycle at which the machine stopped: the end of the last of the concurrent kernels.
    stopped: u64,
    /// Whether the observer observed the launch and waits for its report.
    observed: bool,
    /// Whether the machine stopped at a trap of this kernel.
    pub has_trapped: bool,
}

impl RunResult {
    /// The result of a launch whose counters were estimated.
    pub fn estimated(counted: Counted) -> Self {
        let Counted { cycles, totals } = counted;
        Self {
            verdict: Verdict::Estimated,
            cycles,
            totals,
            stopped: cycles,
            observed: false,
            has_trapped: false,
        }
    }
}

/// Shader cycles between two looks at the work of a launch that has a limit.
const LOOK: u64 = 1 << 12;

impl Gpu {
    /// Runs launches in full and returns their reports. With an `identity`, their state is saved or
    /// loaded. The blocks of a warm-up have been run.
    pub(super) fn run_timed(
        &mut self,
        launches: &[Ready<'_>],
        identity: Option<StateIdentity>,
        warmed: Option<WarmupReport>,
    ) -> Result<Vec<Report>, HostError> {
        self.host_stats = HostStats::default();
        let (mut running, watches) = self.begin(launches);
        if let Some(warmed) = &warmed {
            running.machine.dispatcher.skip_first(warmed.blocks);
        }
        let running = self.restored(running, launches, identity)?;
        let ran = self.complete(launches, (running, watches), None, None);
        let mut reports = self.reports(launches, &ran);
        reports[0].warmup = warmed;
        Ok(reports)
    }

    /// Returns the reports of a run, and adds the run to the timeline.
    pub(super) fn reports(&mut self, launches: &[Ready<'_>], ran: &[RunResult]) -> Vec<Report> {
        self.add_to_timeline(launches, ran);
        self.reports_of(launches, ran)
    }

    /// Returns the reports of a run.
    pub(super) fn reports_of(&mut self, launches: &[Ready<'_>], ran: &[RunResult]) -> Vec<Report> {
        let mut reports = Vec::with_capacity(ran.len());
        for (ready, ran) in launches.iter().zip(ran) {
            let Ready { chip, kernel, launched, .. } = ready;
            let RunResult { verdict, cycles, totals, stopped, observed, has_trapped: _ } = ran;
            let timing_until = |end| build::timing_report(chip, launched, &kernel.program, totals, end);
            let mut timing = timing_until(*cycles);
            if stopped != cycles {
                // The DRAM counters are those of all kernels.
                timing.dram = timing_until(*stopped).dram;
            }
            let counted = (&totals.inst, &totals.pcs[..]);
            let report =
                self.report(Mode::Timed, kernel, launched.clone(), verdict.clone(), counted, Some(timing));
            if let Some(observer) = self.observer.as_mut().filter(|_| *observed) {
                observer.end(&report);
            }
            reports.push(report);
        }
        reports
    }

    /// Builds the machine of concurrent launches, before their first cycle. Returns the observed
    /// part of each launch.
    pub(super) fn begin(&mut self, launches: &[Ready<'_>]) -> (Running, Vec<Option<Watch>>) {
        let first = &launches[0];
        let options = &first.launch.options;
        let parts: Vec<Part> = launches.iter().map(Ready::part).collect();
        let own = self.scheduler.as_ref();
        let mut machine = self.kept.machine(&first.chip, &parts, &mut self.memory, own, options.hooks);
        machine.copy_beside(&self.beside);
        let window = if options.window == 0 { self.chip.crossbar.latency } else { options.window };
        let mut observer = self.observer.take();
        let mut begin = |ready: &Ready<'_>| observer.as_mut()?.begin(&self.launched(&ready.kernel));
        let watches: Vec<Option<Watch>> = launches.iter().map(&mut begin).collect();
        for (k, watch) in watches.iter().enumerate().filter_map(|(k, watch)| Some((k, watch.as_ref()?))) {
            machine.watch(k, watch);
        }
        let plan = RunPlan {
            threads: options.threads,
            shuffle: options.shuffle,
            window: window.into(),
            skip_idle: options.skip_idle,
            max_cycles: limit(launches, &watches),
            start: 0,
            pause: NEVER,
        };
        self.observer = observer;
        (Running::new(machine, plan), watches)
    }

    /// Runs launches that have begun to their end. Kernels of `group` may join them. A pass of a
    /// sampled launch keeps in `trunk` from where the next pass continues.
    pub(super) fn complete(
        &mut self,
        launches: &[Ready<'_>],
        begun: (Running, Vec<Option<Watch>>),
        trunk: Option<&mut Trunk>,
        group: Option<&mut Group<'_>>,
    ) -> Vec<RunResult> {
        self.complete_within(u64::MAX, launches, begun, trunk, group).expect("there is no limit")
    }

    /// Same as [`Self::complete`]. Returns `None`, with the memory as it is then, as soon as the
    /// work is found to be more than `most_work`.
    pub(super) fn complete_within(
        &mut self,
        most_work: u64,
        launches: &[Ready<'_>],
        (mut running, mut watches): (Running, Vec<Option<Watch>>),
        mut trunk: Option<&mut Trunk>,
        mut group: Option<&mut Group<'_>>,
    ) -> Option<Vec<RunResult>> {
        let mut observer = self.observer.take();
        let (mut stopped_by, mut debugged) = (None, None);
        let pass = trunk.as_ref().map(|trunk| trunk.pass);
        if let (None, [one], Some(debugger)) = (pass, launches, &mut self.debugger) {
            let mut session = Session::timed(running, &one.chip);
            debugger.debug(&mut session);
            let killed;
            (running, debugged, killed) = session.into_timed();
            stopped_by = killed.then_some(StopReason::Interrupted);
        }
        let mut pace = self.monitor.as_ref().map(|_| Pace::new(running.cycle()));
        let ended = loop {
            if stopped_by.is_some() {
                break Ended { stop: Stop::Paused(running.cycle()), endless: None };
            }
            if let Some(ended) = debugged.take() {
                break ended;
            }
            let mut arrival = NEVER;
            if let Some(group) = &mut group {
                arrival = self.turn(group, &mut running, &mut watches, &mut observer);
            }
            let save = self.states.save(&running);
            let arrivals = arrivals(&running.machine);
            let mut sink = observer.as_mut().map(|o| |new: Told<'_>| told(&mut *o, &arrivals, &new));
            let fork = trunk.as_mut().map_or(NEVER, |trunk| trunk.keep(&running));
            let look = if most_work == u64::MAX { NEVER } else { (running.cycle() / LOOK + 1) * LOOK };
            let until = pace.map_or(NEVER, |pace| pace.next).min(save).min(arrival).min(fork).min(look);
            let (ended, stats) = running.advance(until, sink.as_mut().map(|sink| sink as &mut Sink<'_>));
            self.host_stats.add(&stats);
            if let Some(ended) = ended {
                if group.as_mut().is_some_and(|group| self.continues(group, &mut running, &ended)) {
                    continue;
                }
                break ended;
            }
            let at = running.cycle();
            // Only in cycles that do not depend on the monitor.
            if at == look && work(&running.machine) > most_work {
                self.kept.give_back(running.machine, &mut self.memory);
                self.observer = observer;
                return None;
            }
            if let (Some(monitor), Some(pace)) = (&mut self.monitor, &mut pace)
                && pace.advance(at, stats.ticks)
            {
                let machine = &running.machine;
                let progress = |k| of_machine(machine, k, at, pass);
                stopped_by = machine.running().find_map(|k| monitor(&progress(k)).break_value());
            }
        };
        let limit = running.limit();
        let (Ended { stop, endless }, mut machine) = (ended, running.machine);
        let (stop, stopped) = match stop {
            Stop::Finished(at) | Stop::Trapped(at) | Stop::Limit(at) | Stop::Paused(at) => (stop, at),
            // An SM may process the cycle behind the limit, and find that nothing follows.
            Stop::Hung => match stuck::last_change(&machine) {
                at if at >= limit => (Stop::Limit(limit), limit),
                at => (stop, at),
            },
        };
        let trapped = if matches!(stop, Stop::Trapped(_)) { trapped_kernel(&machine) } else { None };
        let verdicts = verdicts(&machine, (stop, stopped), stopped_by, endless);
        let ends: Vec<u64> =
            (0..watches.len()).map(|k| machine.dispatcher.finished_of(k).unwrap_or(stopped)).collect();
        for (k, end) in ends.iter().enumerate() {
            machine.clusters_of_mut(k).iter_mut().for_each(|cluster| cluster.close(*end));
        }
        if let Some(observer) = &mut observer {
            let arrivals = arrivals(&machine);
            machine.deliver_rest(stopped, &mut |new| told(observer, &arrivals, &new));
        }
        let finished = matches!(stop, Stop::Finished(_));
        let dram_end = if finished { finish_writes(&mut machine, stopped) } else { stopped };
        if let Some(observer) = &mut observer {
            // The dirty sectors of the L2.
            machine.deliver_memory(&mut |new| told(observer, &[], &new));
        }
        let of_one = |(k, ((verdict, end), watch)): (usize, ((Verdict, u64), Option<Watch>))| {
            let cycles = end - machine.dispatcher.arrival_of(k);
            let totals = Totals::of(&mut machine, k, stopped..dram_end);
            let has_trapped = trapped == Some(k);
            RunResult { verdict, cycles, totals, stopped, observed: watch.is_some(), has_trapped }
        };
        let ran = verdicts.into_iter().zip(ends).zip(watches).enumerate().map(of_one).collect();
        self.kept.give_back(machine, &mut self.memory);
        self.observer = observer;
        Some(ran)
    }

    /// Adds a kernel to the timeline that has run on the functional machine, as if it had been
    /// timed with `cycles` shader cycles. Returns its nanoseconds.
    pub fn add_kernel(&mut self, stream: Option<Stream>, name: &str, cycles: u64) -> u64 {
        let (launch_ns, ns) = (self.chip.pcie.launch_ns, self.nanoseconds(cycles));
        match stream {
            Some(stream) => self.timeline.kernel(stream, name, launch_ns, ns),
            None => self.timeline.push_kernel(name, launch_ns, ns),
        }
        ns
    }

    /// Adds kernels to the timeline.
    fn add_to_timeline<'r>(&mut self, launches: &'r [Ready<'_>], ran: &[RunResult]) {
        if let [Ready { stream, kernel, .. }] = launches {
            self.add_kernel(*stream, &kernel.program.name, ran[0].cycles);
            return;
        }
        let in_stream = |(ready, ran): (&'r Ready<'_>, &RunResult)| {
            Some((ready.stream?, &*ready.kernel.program.name, self.nanoseconds(ran.cycles)))
        };
        let took: Vec<(Stream, &str, u64)> = launches.iter().zip(ran).filter_map(in_stream).collect();
        self.timeline.kernels(&took, self.chip.pcie.launch_ns);
    }

    /// Converts shader cycles to nanoseconds.
    pub(super) fn nanoseconds(&self, cycles: u64) -> u64 {
        (u128::from(cycles) * 1_000_000 / u128::from(self.chip.clocks.shader_khz)) as u64
    }

    pub(super) fn launched<'a>(&'a self, kernel: &'a Kernel) -> Launched<'a> {
        let Kernel { program, grid, block, .. } = kernel;
        Launched { number: kernel.number(), program, grid: *grid, block: *block, chip: &self.chip }
    }
}

/// Returns the work of a machine so far.
fn work(machine: &Machine) -> u64 {
    let of_sm = |sm: &Sm| {
        let AccessCounters { load, store, atomic, local_load, local_store, .. } = &sm.memory().counters;
        work_of(sm.account.instructions(), [load, store, atomic, local_load, local_store])
    };
    machine.clusters.iter().flat_map(|cluster| &cluster.sms).map(of_sm).sum()
}

/// Returns number and arrival of the kernels that have joined `machine`.
fn arrivals(machine: &Machine) -> Vec<(u32, u64)> {
    let all = (0..machine.dispatcher.kernels())
        .map(|k| (machine.kernel(k).number(), machine.dispatcher.arrival_of(k)));
    all.filter(|(_, at)| *at > 0).collect()
}

/// Passes events of a launch to the observer, with cycles from the arrival of its kernel on.
fn told(observer: &mut Box<dyn Observer>, arrivals: &[(u32, u64)], told: &Told<'_>) -> ControlFlow<()> {
    let (launch, events) = match *told {
        Told::Memory(events) => return observer.memory(events),
        Told::Warps(launch, events) => (launch, events),
    };
    match arrivals.iter().find(|(number, _)| *number == launch) {
        None => observer.events(launch, events),
        Some((_, at)) => {
            let own: Vec<Event> = events.iter().map(|event| event.clone().since(*at)).collect();
            observer.events(launch, &own)
        }
    }
}

/// Finishes the pending writes of the partitions after the kernel has ended, so that all bytes on
/// the DRAM bus are counted. Returns the shader cycle of the last write.
fn finish_writes(machine: &mut Machine, end: u64) -> u64 {
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

/// Shader cycle at which the machine stops: the lowest limit, or the end of the observed cycles if
/// all launches stop there.
fn limit(launches: &[Ready<'_>], watches: &[Option<Watch>]) -> u64 {
    let limit = launches.iter().map(|ready| ready.launch.options.max_cycles).min().unwrap_or(NEVER);
    observed_until(watches).map_or(limit, |end| limit.min(end))
}

/// Returns the end of the observed cycles, if all launches stop there.
pub(super) fn observed_until(watches: &[Option<Watch>]) -> Option<u64> {
    let stop = |watch: &Option<Watch>| watch.as_ref().filter(|w| w.then_stop).map(|w| w.cycles.end);
    watches.iter().try_fold(0, |last: u64, watch| Some(last.max(stop(watch)?)))
}
