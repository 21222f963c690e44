//! The main loop: islands run alone for a window, then mail is delivered, and so on to the end.
//!
//! What is sent at cycle t arrives at t + W or later, W being the crossbar's latency. So all islands can run from
//! any cycle s to s + W without hearing of each other, on any number of host threads, and nothing depends on how
//! long the windows are, as long as none exceeds W: every link is first in, first out, and receivers choose between
//! links by rules of their own. When nothing is due anywhere the next window begins at the earliest wake.
//!
//! Stops are messages: the kernel's end and a trap at cycle t stop every island at t + W, exactly.

use super::bag::Bag;
use super::dispatcher::Dispatcher;
use super::island::Seat;
use super::machine::Machine;
use super::sync::SpinBarrier;
use crate::cluster::Cluster;
use crate::mem::partition::Partition;
use crate::observe::{Event, Observer};
use crate::sm::Sm;
use crate::time::NEVER;
use crate::time::message::{FromCluster, FromPartition, PartitionOutbox, ToCluster, ToPartition};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// How to run; nothing of it shows in the results.
#[derive(Clone, Copy, Debug)]
pub struct RunPlan {
    /// Host threads.
    pub threads: usize,
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
    /// A warp trapped, or a user's scheduling policy did what it must not; all islands stopped at this hot cycle.
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
    /// Threads that ran at least one island.
    pub threads: usize,
    /// Windows.
    pub windows: u64,
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
        self.skipped_cycles += later.skipped_cycles;
        self.ticks += later.ticks;
    }
}

/// The islands that one host thread runs.
struct Worker {
    clusters: Vec<Seat<Cluster>>,
    partitions: Vec<Seat<(Partition, PartitionOutbox)>>,
    dispatcher: Option<Seat<Dispatcher>>,
    ticks: u64,
}

/// Mail for a cluster, with arrivals; of partitions with their numbers.
#[derive(Default)]
struct ClusterMail {
    orders: Vec<(u64, ToCluster)>,
    from_partitions: Bag<FromPartition>,
}

/// What the threads share. Mail of one sender to one receiver stays in order; senders may interleave.
struct Post {
    to_clusters: Vec<Mutex<ClusterMail>>,
    to_partitions: Vec<Mutex<Bag<ToPartition>>>,
    to_dispatcher: Mutex<Vec<(usize, u64, FromCluster)>>,
    /// Earliest wake of all islands, for even and odd windows.
    wake: [AtomicU64; 2],
    /// What watched SMs have told in this window.
    events: Mutex<Vec<Event>>,
    /// Cycle at which the observer has lost interest.
    abandoned: AtomicU64,
    /// Cycle of the first trap.
    trapped: AtomicU64,
    /// Cycle at which the kernel had ended.
    finished: AtomicU64,
    barrier: SpinBarrier,
}

/// Who watches: told by one thread.
pub type Watcher<'a> = Option<&'a mut (dyn Observer + 'static)>;

impl Post {
    /// Tells the observer what all SMs saw in the window that ends at `end`.
    fn observe(&self, observer: &mut dyn Observer, end: u64) {
        let mut events = lock(&self.events);
        // Each SM's are in order already, and stay so.
        events.sort_by_key(|event| (event.cycle, event.sm));
        if !events.is_empty() && observer.events(&events).is_break() {
            self.abandoned.store(end, Ordering::Release);
        }
        events.clear();
    }
}

/// Empties a mailbox. A poisoned lock means that another thread has panicked and the barrier tells so.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Worker {
    fn run(&mut self, start: u64, end: u64, skip_idle: bool) {
        for seat in &mut self.clusters {
            self.ticks += seat.run(start, end, skip_idle);
        }
        for seat in &mut self.partitions {
            self.ticks += seat.run(start, end, skip_idle);
        }
        if let Some(seat) = &mut self.dispatcher {
            self.ticks += seat.run(start, end, skip_idle);
        }
    }

    /// Posts all mail and tells of traps, of the kernel's end, and what watched SMs saw before `end`.
    fn post(&mut self, post: &Post, end: u64) {
        for seat in &mut self.clusters {
            for sm in seat.island.sms.iter_mut().filter(|sm| sm.is_watched()) {
                sm.hand_on(end, &mut lock(&post.events));
            }
            let outbox = &mut seat.island.outbox;
            for (partition, mail) in outbox.to_partition.iter_mut().enumerate().filter(|(_, m)| !m.is_empty())
            {
                lock(&post.to_partitions[partition]).put(seat.number, mail);
            }
            if !outbox.to_dispatcher.is_empty() {
                let mail = outbox.to_dispatcher.drain(..);
                lock(&post.to_dispatcher)
                    .extend(mail.map(|(arrival, message)| (seat.number, arrival, message)));
            }
            for sm in &seat.island.sms {
                post.trapped.fetch_min(sm.must_stop(), Ordering::AcqRel);
            }
        }
        for seat in &mut self.partitions {
            for (cluster, mail) in
                seat.island.1.to_cluster.iter_mut().enumerate().filter(|(_, m)| !m.is_empty())
            {
                lock(&post.to_clusters[cluster]).from_partitions.put(seat.number, mail);
            }
        }
        if let Some(seat) = &mut self.dispatcher {
            for (cluster, mail) in seat.island.outbox.iter_mut().enumerate().filter(|(_, m)| !m.is_empty()) {
                lock(&post.to_clusters[cluster]).orders.append(mail);
            }
            if let Some(cycle) = seat.island.finished {
                post.finished.store(cycle, Ordering::Release);
            }
        }
    }

    /// Takes in all mail; islands go on at `end`. Returns the earliest wake.
    fn collect(&mut self, post: &Post, end: u64) -> u64 {
        let mut wake = NEVER;
        for seat in &mut self.clusters {
            let mut mail = lock(&post.to_clusters[seat.number]);
            mail.orders.drain(..).for_each(|(arrival, order)| seat.island.order(arrival, order));
            mail.from_partitions.empty(|link, mail| {
                mail.replies.drain(..).for_each(|(arrival, reply)| seat.island.accept(link, arrival, reply));
                seat.island.credit(link, mail.credits.drain(..));
            });
            wake = wake.min(seat.plan(end));
        }
        for seat in &mut self.partitions {
            lock(&post.to_partitions[seat.number]).empty(|link, mail| {
                mail.drain(..).for_each(|(arrival, request)| seat.island.0.accept(link, arrival, request));
            });
            wake = wake.min(seat.plan(end));
        }
        if let Some(seat) = &mut self.dispatcher {
            for (cluster, arrival, message) in lock(&post.to_dispatcher).drain(..) {
                seat.island.accept(cluster, arrival, message);
            }
            wake = wake.min(seat.plan(end));
        }
        wake
    }

    /// One thread's loop. All threads take the same decisions from the same shared values.
    fn work(
        &mut self,
        plan: &RunPlan,
        latency: u64,
        post: &Post,
        mut observer: Watcher<'_>,
    ) -> (Stop, HostStats) {
        let mut stats = HostStats::default();
        let mut start = plan.start;
        let stop_at = |trapped: u64, finished: u64| {
            plan.max_cycles.min(trapped.saturating_add(latency)).min(finished.saturating_add(latency))
        };
        // What had come to an end before a pause.
        let mut stop = stop_at(post.trapped.load(Ordering::Acquire), post.finished.load(Ordering::Acquire));
        loop {
            let end = start.saturating_add(plan.window).min(stop).min(plan.pause);
            self.run(start, end, plan.skip_idle);
            self.post(post, end);
            post.barrier.wait();
            if let Some(observer) = &mut observer {
                post.observe(&mut **observer, end);
            }
            let wake = self.collect(post, end);
            let turn = (stats.windows % 2) as usize;
            post.wake[turn].fetch_min(wake, Ordering::AcqRel);
            // The last window's minimum has been read by all; the next window needs its place.
            if self.dispatcher.is_some() {
                post.wake[1 - turn].store(NEVER, Ordering::Release);
            }
            post.barrier.wait();
            let wake = post.wake[turn].load(Ordering::Acquire);
            stats.windows += 1;
            let trapped = post.trapped.load(Ordering::Acquire);
            let finished = post.finished.load(Ordering::Acquire);
            stop = stop_at(trapped, finished).min(post.abandoned.load(Ordering::Acquire));
            if end >= stop || wake == NEVER && finished == NEVER && trapped == NEVER {
                let end = match (finished, trapped) {
                    (NEVER, NEVER) if wake == NEVER => Stop::Hung,
                    (NEVER, NEVER) => Stop::Limit(stop),
                    (finished, NEVER) => Stop::Finished(finished),
                    _ => Stop::Trapped(stop),
                };
                stats.ticks = self.ticks;
                return (end, stats);
            }
            if end >= plan.pause {
                stats.ticks = self.ticks;
                return (Stop::Paused(end), stats);
            }
            let next = if plan.skip_idle { wake.clamp(end, stop.min(plan.pause)) } else { end };
            stats.skipped_cycles += next - end;
            start = next;
        }
    }
}

/// Runs `machine` to its end or to a pause, from which another call goes on; tells `observer` what watched SMs see. The
/// islands come back in their places.
pub fn run(machine: &mut Machine, plan: &RunPlan, observer: Watcher<'_>) -> (Stop, HostStats) {
    let mut clusters = std::mem::take(&mut machine.clusters);
    for cluster in &mut clusters {
        cluster.eager = !plan.skip_idle;
    }
    let partitions = std::mem::take(&mut machine.partitions);
    let threads = plan.threads.clamp(1, clusters.len().max(partitions.len()));
    let never = || AtomicU64::new(NEVER);
    let trapped = clusters.iter().flat_map(|c| &c.sms).map(Sm::must_stop).min().unwrap_or(NEVER);
    let post = Post {
        to_clusters: clusters.iter().map(|_| Mutex::default()).collect(),
        to_partitions: partitions.iter().map(|_| Mutex::default()).collect(),
        to_dispatcher: Mutex::default(),
        wake: [never(), never()],
        events: Mutex::default(),
        abandoned: never(),
        trapped: AtomicU64::new(trapped),
        finished: AtomicU64::new(machine.dispatcher.finished.unwrap_or(NEVER)),
        barrier: SpinBarrier::new(threads),
    };
    let mut workers: Vec<Worker> = (0..threads)
        .map(|_| Worker { clusters: Vec::new(), partitions: Vec::new(), dispatcher: None, ticks: 0 })
        .collect();
    for (i, island) in clusters.into_iter().enumerate() {
        workers[i % threads].clusters.push(Seat::new(i, island));
    }
    // From the other end, so that the threads with fewer clusters have more partitions.
    for (i, island) in partitions.into_iter().enumerate() {
        workers[threads - 1 - i % threads].partitions.push(Seat::new(i, island));
    }
    workers[0].dispatcher = Some(Seat::new(0, machine.dispatcher.clone()));

    let plan = RunPlan { window: plan.window.clamp(1, machine.latency), ..*plan };
    let latency = machine.latency;
    let work = |worker: &mut Worker, observer: Watcher<'_>| {
        let _guard = post.barrier.guard();
        worker.work(&plan, latency, &post, observer)
    };
    let results: Vec<(Stop, HostStats)> = std::thread::scope(|scope| {
        let (first, rest) = workers.split_first_mut().expect("there is at least one thread");
        let handles: Vec<_> = rest.iter_mut().map(|worker| scope.spawn(|| work(worker, None))).collect();
        let mut results = vec![work(first, observer)];
        results
            .extend(handles.into_iter().map(|h| h.join().unwrap_or_else(|e| std::panic::resume_unwind(e))));
        results
    });

    let mut clusters = Vec::new();
    let mut partitions = Vec::new();
    for worker in workers {
        clusters.extend(worker.clusters);
        partitions.extend(worker.partitions);
        if let Some(seat) = worker.dispatcher {
            machine.dispatcher = seat.island;
        }
    }
    clusters.sort_by_key(|seat| seat.number);
    partitions.sort_by_key(|seat| seat.number);
    machine.clusters = clusters.into_iter().map(|seat| seat.island).collect();
    machine.partitions = partitions.into_iter().map(|seat| seat.island).collect();
    let (stop, stats) = results[0];
    debug_assert!(results.iter().all(|(s, _)| *s == stop), "all threads decide alike");
    let threads = results.iter().filter(|(_, s)| s.ticks > 0).count();
    (stop, HostStats { threads, ticks: results.iter().map(|(_, s)| s.ticks).sum(), ..stats })
}
