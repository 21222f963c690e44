//! The main loop: components run alone for a window, then messages are delivered, and so on.
//!
//! Several threads share the components for a number of windows, a **batch**. Then `share` chooses
//! again how many threads there are and which thread runs which component. Most batches of launches
//! with little work have one thread, which runs all components and waits for no other thread. One
//! thread, the **lead**, takes part in every batch and wakes the others.
//!
//! A message sent at cycle t arrives at t + W or later, where W is the latency of the crossbar. All
//! components can therefore run from any cycle s to s + W without messages from each other, on any
//! number of host threads. The result does not depend on the length of the windows while none
//! exceeds W: every link is a FIFO, and each receiver arbitrates between its links by fixed rules.
//! When no event is due, the next window begins at the earliest wake-up time.
//!
//! Stops are messages: if the kernel ends or a warp traps at cycle t, every component stops exactly
//! at t + W. A machine of concurrent kernels also pauses at t + W when one of them ends at t, if
//! `Dispatcher::pauses` is set.
//!
//! Invariant `the-host-changes-nothing`: The number of host threads, the length of windows and the
//! skipping of idle cycles change neither the report nor memory.
//!
//! Invariant `early-ticks`: A tick before the wake-up time changes nothing.
//!
//! Invariant `no-allocation-per-cycle`: After warm-up nothing allocates memory per cycle: queues
//! keep their capacity, and pages of device and local memory are allocated once.

use super::component::Seat;
use super::machine::Machine;
use super::share::Sharing;
use super::team::Calls;
use super::worker::{Components, Post};
use crate::events::Sink;
use crate::sm::Sm;
use crate::time::NEVER;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// How to run the main loop. The plan does not affect the results.
#[derive(Clone, Copy, Debug)]
pub struct RunPlan {
    /// Most host threads.
    pub threads: usize,
    /// Seed of random batches, for tests; `None` chooses batches by the work.
    pub shuffle: Option<u64>,
    /// Length of a window in shader cycles.
    pub window: u64,
    /// Whether to skip cycles without events.
    pub skip_idle: bool,
    /// Shader cycle at which to stop.
    pub max_cycles: u64,
    /// Shader cycle at which to begin: 0, or the cycle at which the machine paused.
    pub start: u64,
    /// Shader cycle at which to pause, for inspection of the machine.
    pub pause: u64,
}

/// Reason why the main loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The kernel ended at this shader cycle.
    Finished(u64),
    /// A warp trapped, or a user's scheduling policy made an illegal choice; all components stopped
    /// at this shader cycle.
    Trapped(u64),
    /// No event will occur any more.
    Hung,
    /// The cycle limit was reached at this shader cycle.
    Limit(u64),
    /// The machine paused at this shader cycle.
    Paused(u64),
}

/// Statistics of the host's work; never part of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostStats {
    /// Most threads that ran components in the same window.
    pub threads: usize,
    /// Number of windows.
    pub windows: u64,
    /// Number of windows whose components ran on several threads.
    pub shared_windows: u64,
    /// Shader cycles skipped between windows.
    pub skipped_cycles: u64,
    /// Number of component ticks.
    pub ticks: u64,
    /// Ticks on the longest path of the windows that ran on one thread, if [`Self::THREADS`] shared
    /// their components evenly and without overhead.
    pub longest: [u64; 4],
    /// Number of component ticks of the windows that ran on one thread.
    pub single_ticks: u64,
}

impl HostStats {
    /// Numbers of threads of [`Self::longest`].
    pub const THREADS: [u64; 4] = [2, 4, 8, 16];

    /// Adds a window on one thread of `ticks` ticks, of which one component has `most`.
    fn add_window(&mut self, ticks: u64, most: u64) {
        self.single_ticks += ticks;
        for (longest, threads) in self.longest.iter_mut().zip(Self::THREADS) {
            *longest += most.max(ticks.div_ceil(threads));
        }
    }

    /// Adds the statistics of the run after a pause.
    pub fn add(&mut self, later: &Self) {
        self.threads = self.threads.max(later.threads);
        self.windows += later.windows;
        self.shared_windows += later.shared_windows;
        self.skipped_cycles += later.skipped_cycles;
        self.ticks += later.ticks;
        self.longest.iter_mut().zip(later.longest).for_each(|(longest, more)| *longest += more);
        self.single_ticks += later.single_ticks;
    }
}

/// The observer's event sink, which one thread calls.
pub(crate) type Watcher<'a, 's> = Option<&'a mut Sink<'s>>;

/// Start of a batch; equal for all its threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begin {
    /// Number of windows before it.
    windows: u64,
    start: u64,
    /// Cycle at which the machine stops, from the stops known so far.
    stop: u64,
    /// Cycle at which it pauses, likewise.
    pause: u64,
}

/// State of the lead thread.
struct Lead<'a, 's> {
    observer: Watcher<'a, 's>,
    sharing: &'a mut Sharing,
    stats: HostStats,
}

/// State that the threads share.
struct Team<'m> {
    plan: RunPlan,
    latency: u64,
    components: Components<'m>,
    post: Post,
    calls: Calls<Begin>,
}

impl Team<'_> {
    /// Returns the cycle at which the machine stops, from the stops known so far.
    fn stop(&self) -> u64 {
        let trapped = self.post.trapped.load(Ordering::Acquire);
        let finished = self.post.finished.load(Ordering::Acquire);
        let first = trapped.min(finished).saturating_add(self.latency);
        self.plan.max_cycles.min(first).min(self.post.abandoned.load(Ordering::Acquire))
    }

    /// Returns the cycle at which the machine pauses: that of the plan, or W after the end of a
    /// kernel.
    fn pause(&self) -> u64 {
        self.plan.pause.min(self.post.ended.load(Ordering::Acquire).saturating_add(self.latency))
    }

    /// Runs one thread's windows of a batch. All threads make the same decisions from the same
    /// shared values. Returns the start of the next batch, or the reason for the stop.
    fn work(
        &self,
        thread: usize,
        owners: &[usize],
        mut begin: Begin,
        mut lead: Option<&mut Lead<'_, '_>>,
    ) -> Result<Begin, Stop> {
        let Self { plan, post, .. } = self;
        let mut worker = self.components.of(thread, owners);
        let alone = lead.as_ref().is_some_and(|lead| lead.sharing.threads() == 1);
        loop {
            let Begin { windows, start, stop, pause } = begin;
            let end = start.saturating_add(plan.window).min(stop).min(pause);
            let (ticks, most) = worker.run(start, end, plan.skip_idle);
            let delivered = if alone { Some(worker.exchange(post, end)) } else { None };
            if !alone {
                worker.post(post, end);
            }
            post.ticks.fetch_add(ticks, Ordering::AcqRel);
            post.barrier.wait();
            if let Some(observer) = lead.as_mut().and_then(|lead| lead.observer.as_mut()) {
                post.observe(&mut **observer, end);
            }
            let wake = delivered.unwrap_or_else(|| worker.collect(post, end));
            let turn = (windows % 2) as usize;
            post.wake[turn].fetch_min(wake, Ordering::AcqRel);
            if let Some(lead) = &mut lead {
                // All threads have read the minimum of the last window; the next window reuses its
                // variable.
                post.wake[1 - turn].store(NEVER, Ordering::Release);
                let ticks = post.ticks.load(Ordering::Acquire);
                let another = lead.sharing.another(ticks - lead.stats.ticks, post.barrier.waste());
                if alone {
                    lead.stats.add_window(ticks - lead.stats.ticks, most);
                }
                lead.stats.ticks = ticks;
                lead.stats.windows += 1;
                lead.stats.shared_windows += u64::from(lead.sharing.threads() > 1);
                post.another.store(another, Ordering::Release);
            }
            post.barrier.wait();
            let wake = post.wake[turn].load(Ordering::Acquire);
            let trapped = post.trapped.load(Ordering::Acquire);
            let finished = post.finished.load(Ordering::Acquire);
            let (stop, pause) = (self.stop(), self.pause());
            if end >= stop || wake == NEVER && finished == NEVER && trapped == NEVER {
                return Err(match (finished, trapped) {
                    (NEVER, NEVER) if wake == NEVER => Stop::Hung,
                    (NEVER, NEVER) => Stop::Limit(stop),
                    (finished, NEVER) => Stop::Finished(finished),
                    _ => Stop::Trapped(stop),
                });
            }
            if end >= pause {
                return Err(Stop::Paused(end));
            }
            let next = if plan.skip_idle { wake.clamp(end, stop.min(pause)) } else { end };
            if let Some(lead) = &mut lead {
                lead.stats.skipped_cycles += next - end;
            }
            begin = Begin { windows: windows + 1, start: next, stop, pause };
            if !post.another.load(Ordering::Acquire) {
                return Ok(begin);
            }
        }
    }

    /// Runs batch after batch on the lead thread. `start` starts a thread and returns whether it
    /// succeeded.
    fn lead(&self, lead: &mut Lead<'_, '_>, start: impl Fn(usize) -> bool) -> Stop {
        let _guard = self.post.barrier.guard();
        let _end = self.calls.end_on_drop();
        let mut begin = Begin { windows: 0, start: self.plan.start, stop: self.stop(), pause: self.pause() };
        let mut started = 1;
        loop {
            while started < lead.sharing.threads() {
                if start(started) {
                    started += 1;
                } else {
                    lead.sharing.alone();
                }
            }
            let (threads, owners) = (lead.sharing.threads(), lead.sharing.owners().to_vec());
            // Random batches may have more threads than the host has processors.
            self.post.barrier.set_threads(threads, self.plan.shuffle.is_none());
            self.calls.call(threads, &owners, begin);
            let next = self.work(0, &owners, begin, Some(lead));
            lead.stats.threads = lead.stats.threads.max(threads);
            lead.sharing.divide(self.components.take_ticks());
            match next {
                Ok(next) => begin = next,
                Err(stop) => return stop,
            }
        }
    }

    /// Runs the batches to which the lead calls this thread.
    fn follow(&self, thread: usize) {
        let _guard = self.post.barrier.guard();
        let mut calls = 0;
        while let Some((owners, begin)) = self.calls.next(thread, &mut calls) {
            _ = self.work(thread, &owners, begin, None);
        }
    }
}

/// Runs `machine` to its end, or to a pause from which another call continues. Reports the events
/// of observed SMs to `observer`.
pub fn run(machine: &mut Machine, plan: &RunPlan, observer: Watcher<'_, '_>) -> (Stop, HostStats) {
    let (launches, sms) = (machine.launches(), machine.sms());
    let Machine { clusters, partitions, dispatcher, latency, sharing, .. } = machine;
    for cluster in clusters.iter_mut() {
        cluster.eager = !plan.skip_idle;
    }
    sharing.begin(plan.threads, clusters.len(), partitions.len(), plan.shuffle);
    let trapped = clusters.iter().flat_map(|c| &c.sms).map(Sm::must_stop).min().unwrap_or(NEVER);
    let finished = dispatcher.finished.unwrap_or(NEVER);
    let mut post = Post::new(clusters.len(), partitions.len(), launches, sms, trapped, finished);
    post.ended = AtomicU64::new(dispatcher.ended.unwrap_or(NEVER));
    let components = Components {
        clusters: (0..).zip(clusters).map(|(i, component)| Mutex::new(Seat::new(i, component))).collect(),
        partitions: (0..).zip(partitions).map(|(i, component)| Mutex::new(Seat::new(i, component))).collect(),
        dispatcher: Mutex::new(Seat::new(0, dispatcher)),
    };
    let plan = RunPlan { window: plan.window.clamp(1, *latency), ..*plan };
    let team = Team { plan, latency: *latency, components, post, calls: Calls::new() };
    let team = &team;
    let mut lead = Lead { observer, sharing, stats: HostStats::default() };
    let stop = std::thread::scope(|scope| {
        team.lead(&mut lead, |thread| {
            std::thread::Builder::new().spawn_scoped(scope, move || team.follow(thread)).is_ok()
        })
    });
    (stop, lead.stats)
}
