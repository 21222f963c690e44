//! Kernels of a list of calls that run at the same time, on chips with concurrent kernels.
//!
//! The machine of the first kernel runs to the start of the next launch that waits for no running
//! kernel. If a kernel still runs then, the new one joins the machine. When a kernel ends, its time
//! is known, so that the copies and the launches that waited for it have a start, too: the timeline
//! of the host program and the machine advance together. The group ends when all its kernels have
//! ended. A launch that begins later runs alone, or begins another group.
//!
//! Only launches join that follow each other in the list: kernels begin in the order of their
//! calls. Before a kernel joins, the bytes of the copies that were called before it are copied,
//! except of those that wait for a running kernel. All other calls are made at their turn, after
//! the group: nothing that the group has read or written depends on them, if the program orders
//! accesses to the same bytes.
//!
//! Invariant `kernels-beside-kernels`: Kernels that overlap in the timeline of a list have been
//! simulated together, each from the shader cycle on in which the timeline shows its start.

use super::ahead::{Ahead, FOREVER, Kernels, Later};
use super::gpu::{Gpu, HostError};
use super::launch::Launch;
use super::schedule::StreamCall;
use super::start::Ready;
use super::timed::observed_until;
use super::timeline::Stream;
use crate::exec::Mode;
use crate::gpu::run::{HostStats, Stop};
use crate::gpu::running::{Ended, Running};
use crate::mem::partition::CopyTraffic;
use crate::observe::{Observer, Watch};
use crate::stats::report::Report;
use crate::time::NEVER;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Most kernels of a group. The machine keeps the SMs of each until the group ends.
const MOST_JOINED: usize = 64;

/// Results of a group before its calls have their turn. Calls have their numbers in the list.
#[derive(Debug, Default)]
pub(super) struct Together {
    /// The kernels that have run: shader cycles and report.
    pub kernels: VecDeque<(u64, Report)>,
    /// The copies that have been made, with the bytes of those to the host.
    pub made: BTreeMap<usize, Vec<u8>>,
    /// Number of the kernel whose trap has stopped the group.
    pub trapped: Option<usize>,
    /// Whether the next kernel is not the first.
    begun: bool,
}

/// The kernels that run together, and the calls after the first of them.
pub(super) struct Group<'a> {
    stream: Stream,
    later: &'a Later<'a>,
    /// The kernels of the machine.
    launches: Vec<Ready<'a>>,
    /// Nanoseconds of each: [`FOREVER`] while it runs.
    took: Vec<u64>,
    /// Shader cycle at which the machine stops because the observer needs no more.
    observed: u64,
    /// Whether further launches may join.
    open: bool,
    /// Times of the later calls, as far as they are known.
    ahead: Ahead,
    /// Copies whose traffic the partitions know.
    given: BTreeSet<usize>,
    /// Copies that have been made, with the bytes of those to the host.
    made: BTreeMap<usize, Vec<u8>>,
}

impl Gpu {
    /// Whether kernels of other streams may begin beside a launch in a stream. A launch whose
    /// simulation is divided or stopped runs alone: sampled, with warm-up, debugged, with a state.
    pub(super) fn runs_beside(&self, launch: &Launch) -> bool {
        self.chip.dispatch.concurrent_kernels > 1
            && self.chip.pcie.copy_engines > 0
            && launch.mode == Mode::Timed
            && self.sampling.is_none()
            && self.warmup.is_none()
            && self.debugger.is_none()
            && self.states.idle()
    }

    /// Runs a launch, and the later launches that begin while kernels run. The later calls have
    /// numbers from `number` on.
    pub(super) fn run_group(
        &mut self,
        stream: Stream,
        launch: &Launch,
        later: &Later<'_>,
        number: usize,
    ) -> Result<Together, HostError> {
        let ready = self.checked(launch, Some(stream), self.launches)?;
        let mut group = Group {
            stream,
            later,
            launches: vec![ready],
            took: vec![FOREVER],
            observed: NEVER,
            open: true,
            ahead: Ahead::default(),
            given: BTreeSet::new(),
            made: BTreeMap::new(),
        };
        self.look_ahead(&mut group);
        self.beside = self.traffic_ahead(&group.ahead);
        group.given = group.ahead.copies().map(|(call, _)| call).collect();
        self.host_stats = HostStats::default();
        let (mut running, watches) = self.begin(&group.launches);
        running.machine.dispatcher.pauses = true;
        let ran = self.complete(&[], (running, watches), None, Some(&mut group));
        let Group { launches, made, .. } = group;
        self.launches += launches.len() as u32;
        let mut reports = self.reports_of(&launches, &ran);
        self.all_written();
        self.effects.lose();
        self.printed(launches.iter().map(|ready| ready.launch.module), &mut reports);
        let trapped = ran.iter().position(|ran| ran.has_trapped);
        let kernels = ran.iter().map(|ran| ran.cycles).zip(self.told(reports)).collect();
        let made = made.into_iter().map(|(call, bytes)| (number + call, bytes)).collect();
        Ok(Together { kernels, made, trapped, begun: false })
    }

    /// Adds the next kernel of a group to the timeline; returns its report.
    pub(super) fn add_next(&mut self, stream: Stream, together: &mut Together) -> Report {
        let (cycles, report) = together.kernels.pop_front().expect("a group has kernels");
        let (name, ns) = (&report.launch.kernel, self.nanoseconds(cycles));
        let (launch_ns, most) = (self.chip.pcie.launch_ns, self.most_kernels());
        if std::mem::replace(&mut together.begun, true) {
            self.timeline.kernel_beside(stream, name, launch_ns, ns, most);
        } else {
            self.timeline.kernel(stream, name, launch_ns, ns);
        }
        report
    }

    fn look_ahead(&self, group: &mut Group<'_>) {
        let Group { stream, later, took, open, .. } = group;
        let first = [(*stream, took[0])];
        group.ahead = self.ahead(Kernels { first: &first, beside: &took[1..], open: *open }, later);
    }

    /// Returns number and shader cycle of the next launch that joins; the cycle is the start of an
    /// issue cycle.
    fn next(&self, group: &Group<'_>) -> Option<(usize, u64)> {
        let (call, start_ns) = group.ahead.next?;
        let period = u64::from(self.chip.sm.issue_period);
        let cycle = self.cycles(start_ns - group.ahead.start_ns).checked_next_multiple_of(period)?;
        Some((call, cycle))
    }

    /// Notes which kernels have ended, and lets launches join, while the machine pauses. Returns
    /// the shader cycle of the next launch that joins.
    pub(super) fn turn(
        &mut self,
        group: &mut Group<'_>,
        running: &mut Running,
        watches: &mut Vec<Option<Watch>>,
        observer: &mut Option<Box<dyn Observer>>,
    ) -> u64 {
        let (now, latency) = (running.cycle(), running.machine.latency);
        group.observed = observed_until(watches).unwrap_or(NEVER);
        // The machine pauses there for this purpose; other pauses change nothing.
        if running.machine.dispatcher.ended.is_some_and(|at| now >= at + latency) {
            self.note_ends(group, running, now);
        }
        while running.machine.dispatcher.finished.is_none()
            && let Some((call, at)) = self.next(group)
        {
            if at > now {
                running.expect(at);
                return at;
            }
            group.open &= self.join(group, running, (watches, observer), (call, at)).is_some();
            self.look_ahead(group);
            group.observed = observed_until(watches).unwrap_or(NEVER);
            running.set_limit(limit(group, running));
        }
        NEVER
    }

    /// Notes which kernels have ended. At shader cycle `now` more copies may be known.
    fn note_ends(&mut self, group: &mut Group<'_>, running: &mut Running, now: u64) {
        let dispatcher = &mut running.machine.dispatcher;
        dispatcher.ended = None;
        for (k, took) in group.took.iter_mut().enumerate() {
            if let Some(end) = dispatcher.finished_of(k) {
                *took = self.nanoseconds(end - dispatcher.arrival_of(k));
            }
        }
        self.look_ahead(group);
        let mut new: Vec<CopyTraffic> = Vec::new();
        for (call, event) in group.ahead.copies() {
            if group.given.insert(call)
                && let Some(copy) = self.traffic_of(event, group.ahead.start_ns)
            {
                new.push(CopyTraffic { from: copy.from.max(now), ..copy });
            }
        }
        new.sort_by_key(|copy| copy.from);
        running.machine.copy_beside(&new);
        running.set_limit(limit(group, running));
    }

    /// Lets a launch join that begins at shader cycle `at`, after the copies that were called
    /// before it. `None`: a call is wrong, or the group is full; then none joins.
    fn join(
        &mut self,
        group: &mut Group<'_>,
        running: &mut Running,
        (watches, observer): (&mut Vec<Option<Watch>>, &mut Option<Box<dyn Observer>>),
        (call, at): (usize, u64),
    ) -> Option<()> {
        let StreamCall::Launch { stream: Some(stream), launch } = group.later.calls[call] else {
            return None;
        };
        if group.launches.len() == MOST_JOINED || !self.runs_beside(launch) {
            return None;
        }
        let now = running.cycle();
        running.machine.lend(&mut self.memory, now);
        let number = self.launches + group.launches.len() as u32;
        // A texture has the texels that its memory has now.
        let ready = self.copy_before(group, call).and_then(|()| self.checked(launch, Some(stream), number));
        running.machine.take_back(&mut self.memory, now);
        let ready = ready.ok()?;
        let mut watch = observer.as_mut().and_then(|o| o.begin(&self.launched(&ready.kernel)));
        if let Some(watch) = &mut watch {
            let cycles = &watch.cycles;
            watch.cycles = cycles.start.saturating_add(at)..cycles.end.saturating_add(at);
        }
        let hooks = group.launches[0].launch.options.hooks;
        running.machine.join(&ready.chip, &ready.part(), self.scheduler.as_ref(), hooks, (at, now));
        if let Some(watch) = &watch {
            running.machine.watch(group.launches.len(), watch);
        }
        watches.push(watch);
        group.launches.push(ready);
        group.took.push(FOREVER);
        Some(())
    }

    /// Makes the copies that were called before number `call` and wait for no running kernel.
    fn copy_before(&mut self, group: &mut Group<'_>, call: usize) -> Result<(), HostError> {
        for (number, _) in group.ahead.copies().take_while(|(number, _)| *number < call) {
            if group.made.contains_key(&number) {
                continue;
            }
            let mut out = Vec::new();
            match group.later.calls[number] {
                StreamCall::CopyIn { to, bytes, .. } => {
                    self.allocator.check_device(to, bytes.len() as u64)?;
                    self.write(to.address(), bytes);
                }
                StreamCall::CopyOut { from, bytes, .. } => {
                    self.allocator.check_device(from, bytes as u64)?;
                    out.resize(bytes, 0);
                    self.memory.read(from.address(), &mut out);
                }
                StreamCall::Launch { .. }
                | StreamCall::Record { .. }
                | StreamCall::Wait { .. }
                | StreamCall::Synchronize(_)
                | StreamCall::HostWorks(_) => {}
            }
            group.made.insert(number, out);
        }
        Ok(())
    }

    /// Returns whether a machine that has stopped continues: at the limit of a kernel that has
    /// ended, or because a kernel arrives that may end the wait of the others.
    pub(super) fn continues(&mut self, group: &mut Group<'_>, running: &mut Running, ended: &Ended) -> bool {
        match ended.stop {
            Stop::Limit(at) if at == running.limit() => {
                self.note_ends(group, running, at);
                let more = running.limit() > at;
                if more {
                    running.resume(at);
                }
                more
            }
            Stop::Hung => {
                // The machine would have paused here.
                let noted = running.machine.dispatcher.ended.map_or(0, |at| at + running.machine.latency);
                self.note_ends(group, running, noted);
                let next = self.next(group).filter(|_| running.machine.dispatcher.finished.is_none());
                if let Some((_, at)) = next {
                    running.resume(at.max(noted).max(running.cycle()));
                }
                next.is_some()
            }
            Stop::Finished(_) | Stop::Trapped(_) | Stop::Limit(_) | Stop::Paused(_) => false,
        }
    }
}

/// Shader cycle at which the machine stops: the lowest limit of the running kernels, each from its
/// arrival on, or the end of the observed cycles if all launches stop there.
fn limit(group: &Group<'_>, running: &Running) -> u64 {
    let dispatcher = &running.machine.dispatcher;
    let of_one =
        |k: usize| dispatcher.arrival_of(k).saturating_add(group.launches[k].launch.options.max_cycles);
    running.machine.running().map(of_one).min().unwrap_or(NEVER).min(group.observed)
}
