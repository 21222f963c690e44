//! The main loop: islands run alone for a window, then mail is delivered, and so on to the end.
//!
//! Several threads share the islands for some windows, a **batch**; then `share` chooses anew how
//! many there are and which has which. Most batches of launches with little work have one thread,
//! which runs all islands and waits for none. One thread, the **lead**, takes part in every batch
//! and calls the others.
//!
//! What is sent at cycle t arrives at t + W or later, W being the crossbar's latency. So all
//! islands can run from any cycle s to s + W without hearing of each other, on any number of host
//! threads, and nothing depends on how long the windows are, as long as none exceeds W: every link
//! is first in, first out, and receivers choose between links by rules of their own. When nothing
//! is due anywhere the next window begins at the earliest wake.
//!
//! Stops are messages: the kernel's end and a trap at cycle t stop every island at t + W, exactly.
//!
//! Invariant `the-host-changes-nothing`: The number of host threads, the length of windows and the
//! skipping of idle cycles change neither the report nor memory.
//!
//! Invariant `early-ticks`: A tick before the wake-up time changes nothing.
//!
//! Invariant `no-allocation-per-cycle`: After warm-up nothing allocates memory per cycle: queues
//! keep their capacity, and pages of device and local memory are allocated once.

use super::island::Seat;
use super::machine::Machine;
use super::share::Sharing;
use super::team::Calls;
use super::worker::{Islands, Post};
use crate::events::Sink;
use crate::sm::Sm;
use crate::time::NEVER;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// How to run; nothing of it shows in the results.
#[derive(Clone, Copy, Debug)]
pub struct RunPlan {
    /// Most host threads.
    pub threads: usize,
    /// Seed of random batches, for tests; else they are chosen by the work.
    pub shuffle: Option<u64>,
    /// Hot cycles of a window.
    pub window: u64,
    /// Jump over cycles in which nothing is due.
    pub skip_idle: bool,
    /// Stop at this hot cycle.
    pub max_cycles: u64,
    /// Begin at this hot cycle: 0, or where the machine has paused.
    pub start: u64,
    /// Pause at this hot cycle, so that the machine can be looked at.
    pub pause: u64,
}

/// Why the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The kernel had ended at this hot cycle.
    Finished(u64),
    /// A warp trapped, or a user's scheduling policy did what it must not; all islands stopped at
    /// this hot cycle.
    Trapped(u64),
    /// Nothing can move any more.
    Hung,
    /// The limit was reached at this hot cycle.
    Limit(u64),
    /// The machine has paused at this hot cycle.
    Paused(u64),
}

/// What the host did: never part of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostStats {
    /// Most threads that ran islands in the same window.
    pub threads: usize,
    /// Windows.
    pub windows: u64,
    /// Windows whose islands several threads ran.
    pub shared_windows: u64,
    /// Hot cycles that were jumped over between windows.
    pub skipped_cycles: u64,
    /// Times that an island was ticked.
    pub ticks: u64,
}

impl HostStats {
    /// Adds what was done after a pause.
    pub fn add(&mut self, later: &Self) {
        self.threads = self.threads.max(later.threads);
        self.windows += later.windows;
        self.shared_windows += later.shared_windows;
        self.skipped_cycles += later.skipped_cycles;
        self.ticks += later.ticks;
    }
}

/// Who watches: told by one thread.
pub(crate) type Watcher<'a, 's> = Option<&'a mut Sink<'s>>;

/// Where a batch begins. All threads of it are told the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begin {
    /// Windows before it.
    windows: u64,
    start: u64,
    /// The cycle at which the machine stops, as far as is known.
    stop: u64,
}

/// What the lead does for all.
struct Lead<'a, 's> {
    observer: Watcher<'a, 's>,
    sharing: &'a mut Sharing,
    stats: HostStats,
}

/// What the threads share.
struct Team<'m> {
    plan: RunPlan,
    latency: u64,
    islands: Islands<'m>,
    post: Post,
    calls: Calls<Begin>,
}

impl Team<'_> {
    /// The cycle at which the machine stops, as far as is known.
    fn stop(&self) -> u64 {
        let trapped = self.post.trapped.load(Ordering::Acquire);
        let finished = self.post.finished.load(Ordering::Acquire);
        let first = trapped.min(finished).saturating_add(self.latency);
        self.plan.max_cycles.min(first).min(self.post.abandoned.load(Ordering::Acquire))
    }

    /// One thread's windows of a batch. All threads take the same decisions from the same shared
    /// values. Returns where the next batch begins, or why there is none.
    fn work(
        &self,
        thread: usize,
        owners: &[usize],
        mut begin: Begin,
        mut lead: Option<&mut Lead<'_, '_>>,
    ) -> Result<Begin, Stop> {
        let Self { plan, post, .. } = self;
        let mut worker = self.islands.of(thread, owners);
        loop {
            let Begin { windows, start, stop } = begin;
            let end = start.saturating_add(plan.window).min(stop).min(plan.pause);
            let ticks = worker.run(start, end, plan.skip_idle);
            worker.post(post, end);
            post.ticks.fetch_add(ticks, Ordering::AcqRel);
            post.barrier.wait();
            if let Some(observer) = lead.as_mut().and_then(|lead| lead.observer.as_mut()) {
                post.observe(&mut **observer, end);
            }
            let wake = worker.collect(post, end);
            let turn = (windows % 2) as usize;
            post.wake[turn].fetch_min(wake, Ordering::AcqRel);
            if let Some(lead) = &mut lead {
                // The last window's minimum has been read by all; the next window needs its place.
                post.wake[1 - turn].store(NEVER, Ordering::Release);
                let ticks = post.ticks.load(Ordering::Acquire);
                let another = lead.sharing.another(ticks - lead.stats.ticks, post.barrier.waste());
                lead.stats.ticks = ticks;
                lead.stats.windows += 1;
                lead.stats.shared_windows += u64::from(lead.sharing.threads() > 1);
                post.another.store(another, Ordering::Release);
            }
            post.barrier.wait();
            let wake = post.wake[turn].load(Ordering::Acquire);
            let trapped = post.trapped.load(Ordering::Acquire);
            let finished = post.finished.load(Ordering::Acquire);
            let stop = self.stop();
            if end >= stop || wake == NEVER && finished == NEVER && trapped == NEVER {
                return Err(match (finished, trapped) {
                    (NEVER, NEVER) if wake == NEVER => Stop::Hung,
                    (NEVER, NEVER) => Stop::Limit(stop),
                    (finished, NEVER) => Stop::Finished(finished),
                    _ => Stop::Trapped(stop),
                });
            }
            if end >= plan.pause {
                return Err(Stop::Paused(end));
            }
            let next = if plan.skip_idle { wake.clamp(end, stop.min(plan.pause)) } else { end };
            if let Some(lead) = &mut lead {
                lead.stats.skipped_cycles += next - end;
            }
            begin = Begin { windows: windows + 1, start: next, stop };
            if !post.another.load(Ordering::Acquire) {
                return Ok(begin);
            }
        }
    }

    /// The lead's work: batch after batch. `start` starts a thread, and returns whether it could.
    fn lead(&self, lead: &mut Lead<'_, '_>, start: impl Fn(usize) -> bool) -> Stop {
        let _guard = self.post.barrier.guard();
        let _end = self.calls.end_on_drop();
        let mut begin = Begin { windows: 0, start: self.plan.start, stop: self.stop() };
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
            self.post.barrier.set_threads(threads);
            self.calls.call(threads, &owners, begin);
            let next = self.work(0, &owners, begin, Some(lead));
            lead.stats.threads = lead.stats.threads.max(threads);
            lead.sharing.divide(self.islands.take_ticks());
            match next {
                Ok(next) => begin = next,
                Err(stop) => return stop,
            }
        }
    }

    /// The work of another thread: the batches that it is called to.
    fn follow(&self, thread: usize) {
        let _guard = self.post.barrier.guard();
        let mut calls = 0;
        while let Some((owners, begin)) = self.calls.next(thread, &mut calls) {
            _ = self.work(thread, &owners, begin, None);
        }
    }
}

/// Runs `machine` to its end or to a pause, from which another call goes on; tells `observer` what
/// watched SMs see.
pub fn run(machine: &mut Machine, plan: &RunPlan, observer: Watcher<'_, '_>) -> (Stop, HostStats) {
    let launches = machine.launches();
    let Machine { clusters, partitions, dispatcher, latency, sharing, .. } = machine;
    for cluster in clusters.iter_mut() {
        cluster.eager = !plan.skip_idle;
    }
    sharing.begin(plan.threads, clusters.len(), partitions.len(), plan.shuffle);
    let trapped = clusters.iter().flat_map(|c| &c.sms).map(Sm::must_stop).min().unwrap_or(NEVER);
    let finished = dispatcher.finished.unwrap_or(NEVER);
    let post = Post::new(clusters.len(), partitions.len(), &launches, trapped, finished);
    let islands = Islands {
        clusters: (0..).zip(clusters).map(|(i, island)| Mutex::new(Seat::new(i, island))).collect(),
        partitions: (0..).zip(partitions).map(|(i, island)| Mutex::new(Seat::new(i, island))).collect(),
        dispatcher: Mutex::new(Seat::new(0, dispatcher)),
    };
    let plan = RunPlan { window: plan.window.clamp(1, *latency), ..*plan };
    let team = Team { plan, latency: *latency, islands, post, calls: Calls::new() };
    let team = &team;
    let mut lead = Lead { observer, sharing, stats: HostStats::default() };
    let stop = std::thread::scope(|scope| {
        team.lead(&mut lead, |thread| {
            std::thread::Builder::new().spawn_scoped(scope, move || team.follow(thread)).is_ok()
        })
    });
    (stop, lead.stats)
}
