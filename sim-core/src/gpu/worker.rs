//! The islands that one host thread runs in a batch of windows, and the mail that all exchange at a
//! window's end.

use super::bag::Bag;
use super::dispatcher::Dispatcher;
use super::island::Seat;
use super::sync::SpinBarrier;
use crate::cluster::Cluster;
use crate::events::{Sink, Undelivered, deliver};
use crate::mem::partition::Partition;
use crate::time::NEVER;
use crate::time::message::{FromCluster, FromPartition, PartitionOutbox, ToCluster, ToPartition};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

/// All islands. A thread locks those that it runs, for a batch.
pub(super) struct Islands<'m> {
    pub clusters: Vec<Mutex<Seat<'m, Cluster>>>,
    pub partitions: Vec<Mutex<Seat<'m, (Partition, PartitionOutbox)>>>,
    pub dispatcher: Mutex<Seat<'m, Dispatcher>>,
}

impl<'m> Islands<'m> {
    /// The islands of one thread, of a batch with these owners.
    pub(super) fn of(&self, thread: usize, owners: &[usize]) -> Worker<'_, 'm> {
        let (clusters, partitions) = owners.split_at(self.clusters.len());
        let of_thread = |owner: &usize| *owner == thread;
        Worker {
            clusters: locked(&self.clusters, clusters.iter().map(of_thread)),
            partitions: locked(&self.partitions, partitions.iter().map(of_thread)),
            dispatcher: (thread == 0).then(|| lock(&self.dispatcher)),
        }
    }

    /// Waits until no thread has islands any more, and takes out the numbers of their ticks, the
    /// dispatcher's last.
    pub(super) fn take_ticks(&self) -> impl Iterator<Item = u64> {
        let clusters = self.clusters.iter().map(|seat| std::mem::take(&mut lock(seat).ticks));
        let partitions = self.partitions.iter().map(|seat| std::mem::take(&mut lock(seat).ticks));
        let dispatcher = std::iter::once_with(|| std::mem::take(&mut lock(&self.dispatcher).ticks));
        clusters.chain(partitions).chain(dispatcher)
    }
}

/// Locks those of `all` that are chosen.
fn locked<T>(all: &[Mutex<T>], chosen: impl Iterator<Item = bool>) -> Vec<MutexGuard<'_, T>> {
    all.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(one, _)| lock(one)).collect()
}

/// The islands that one host thread runs in a batch.
pub(super) struct Worker<'a, 'm> {
    clusters: Vec<MutexGuard<'a, Seat<'m, Cluster>>>,
    partitions: Vec<MutexGuard<'a, Seat<'m, (Partition, PartitionOutbox)>>>,
    dispatcher: Option<MutexGuard<'a, Seat<'m, Dispatcher>>>,
}

/// Mail for a cluster, with arrivals; of partitions with their numbers.
#[derive(Default)]
struct ClusterMail {
    orders: Vec<(u64, ToCluster)>,
    from_partitions: Bag<FromPartition>,
}

/// What the threads share. Mail of one sender to one receiver stays in order; senders may
/// interleave.
pub(super) struct Post {
    to_clusters: Vec<Mutex<ClusterMail>>,
    to_partitions: Vec<Mutex<Bag<ToPartition>>>,
    to_dispatcher: Mutex<Vec<(usize, u64, FromCluster)>>,
    /// Earliest wake of all islands, for even and odd windows.
    pub wake: [AtomicU64; 2],
    /// Ticks of all islands.
    pub ticks: AtomicU64,
    /// Whether another window of the batch follows.
    pub another: AtomicBool,
    /// What watched SMs have told in this window.
    events: Mutex<Undelivered>,
    /// Clusters of each launch.
    each: usize,
    /// Cycle at which the observer has lost interest.
    pub abandoned: AtomicU64,
    /// Cycle of the first trap.
    pub trapped: AtomicU64,
    /// Cycle at which the kernel had ended.
    pub finished: AtomicU64,
    pub barrier: SpinBarrier,
}

impl Post {
    /// Empty mailboxes of so many islands and launches. `trapped` and `finished` are what happened
    /// before a pause.
    pub(super) fn new(
        clusters: usize,
        partitions: usize,
        launches: &[u32],
        trapped: u64,
        finished: u64,
    ) -> Self {
        let never = || AtomicU64::new(NEVER);
        Self {
            to_clusters: (0..clusters).map(|_| Mutex::default()).collect(),
            to_partitions: (0..partitions).map(|_| Mutex::default()).collect(),
            to_dispatcher: Mutex::default(),
            wake: [never(), never()],
            ticks: AtomicU64::new(0),
            another: AtomicBool::new(true),
            events: Mutex::new(launches.iter().map(|launch| (*launch, Vec::new())).collect()),
            each: clusters / launches.len(),
            abandoned: never(),
            trapped: AtomicU64::new(trapped),
            finished: AtomicU64::new(finished),
            barrier: SpinBarrier::new(1),
        }
    }

    /// Tells the observer what all SMs saw in the window that ends at `end`.
    pub(super) fn observe(&self, sink: &mut Sink<'_>, end: u64) {
        if deliver(&mut lock(&self.events), sink).is_break() {
            self.abandoned.store(end, Ordering::Release);
        }
    }
}

/// Empties a mailbox. A poisoned lock means that another thread has panicked and the barrier tells
/// so.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Worker<'_, '_> {
    /// Runs the islands through `start..end`. Returns the number of ticks.
    pub(super) fn run(&mut self, start: u64, end: u64, skip_idle: bool) -> u64 {
        let mut ticks = 0;
        for seat in &mut self.clusters {
            ticks += seat.run(start, end, skip_idle);
        }
        for seat in &mut self.partitions {
            ticks += seat.run(start, end, skip_idle);
        }
        if let Some(seat) = &mut self.dispatcher {
            ticks += seat.run(start, end, skip_idle);
        }
        ticks
    }

    /// Posts all mail and tells of traps, of the kernel's end, and what watched SMs saw before
    /// `end`.
    pub(super) fn post(&mut self, post: &Post, end: u64) {
        for seat in &mut self.clusters {
            let seat = &mut **seat;
            for sm in seat.island.sms.iter_mut().filter(|sm| sm.is_watched()) {
                sm.hand_on(end, &mut lock(&post.events)[seat.number / post.each].1);
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
            let seat = &mut **seat;
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
    pub(super) fn collect(&mut self, post: &Post, end: u64) -> u64 {
        let mut wake = NEVER;
        for seat in &mut self.clusters {
            let mut mail = lock(&post.to_clusters[seat.number]);
            mail.orders.drain(..).for_each(|(arrival, order)| seat.island.order(arrival, order));
            mail.from_partitions.empty(|link, mail| {
                seat.island.accept(link, mail);
                mail.clear();
            });
            wake = wake.min(seat.plan(end));
        }
        for seat in &mut self.partitions {
            lock(&post.to_partitions[seat.number]).empty(|link, mail| {
                seat.island.0.accept(link, mail);
                mail.clear();
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
}
