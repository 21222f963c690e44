//! The components that one host thread runs in a batch of windows, and the message exchange of all
//! components at the end of a window.

use super::bag::Bag;
use super::component::Seat;
use super::dispatcher::Dispatcher;
use super::sync::SpinBarrier;
use crate::cluster::Cluster;
use crate::events::{Sink, Undelivered};
use crate::mem::partition::Partition;
use crate::sm::Sm;
use crate::time::NEVER;
use crate::time::message::{FromCluster, FromPartition, PartitionOutbox, ToCluster, ToPartition};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

/// All components. A thread locks the components that it runs, for the length of a batch.
pub(super) struct Components<'m> {
    pub clusters: Vec<Mutex<Seat<'m, Cluster>>>,
    pub partitions: Vec<Mutex<Seat<'m, (Partition, PartitionOutbox)>>>,
    pub dispatcher: Mutex<Seat<'m, Dispatcher>>,
}

impl<'m> Components<'m> {
    /// Locks the components of thread `thread`, in a batch with these owners.
    pub(super) fn of(&self, thread: usize, owners: &[usize]) -> Worker<'_, 'm> {
        let (clusters, partitions) = owners.split_at(self.clusters.len());
        let of_thread = |owner: &usize| *owner == thread;
        let clusters = locked(&self.clusters, clusters.iter().map(of_thread));
        Worker {
            observed: clusters.iter().flat_map(|seat| &seat.component.sms).any(Sm::is_observed),
            clusters,
            partitions: locked(&self.partitions, partitions.iter().map(of_thread)),
            dispatcher: (thread == 0).then(|| lock(&self.dispatcher)),
        }
    }

    /// Waits until no thread holds components, and takes the tick counts of all components, the
    /// dispatcher's last.
    pub(super) fn take_ticks(&self) -> impl Iterator<Item = u64> {
        let clusters = self.clusters.iter().map(|seat| std::mem::take(&mut lock(seat).ticks));
        let partitions = self.partitions.iter().map(|seat| std::mem::take(&mut lock(seat).ticks));
        let dispatcher = std::iter::once_with(|| std::mem::take(&mut lock(&self.dispatcher).ticks));
        clusters.chain(partitions).chain(dispatcher)
    }
}

/// Locks the chosen elements of `all`.
fn locked<T>(all: &[Mutex<T>], chosen: impl Iterator<Item = bool>) -> Vec<MutexGuard<'_, T>> {
    all.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(one, _)| lock(one)).collect()
}

/// The components that one host thread runs in a batch.
pub(super) struct Worker<'a, 'm> {
    clusters: Vec<MutexGuard<'a, Seat<'m, Cluster>>>,
    partitions: Vec<MutexGuard<'a, Seat<'m, (Partition, PartitionOutbox)>>>,
    dispatcher: Option<MutexGuard<'a, Seat<'m, Dispatcher>>>,
    /// Whether one of its SMs has a recorder.
    observed: bool,
}

/// Messages to a cluster, with arrivals; those from partitions with the partition's index.
#[derive(Default)]
struct ClusterMessages {
    orders: Vec<(u64, ToCluster)>,
    from_partitions: Bag<FromPartition>,
}

/// State that the threads share. Messages from one sender to one receiver stay in order; messages
/// of different senders may interleave.
pub(super) struct Post {
    to_clusters: Vec<Mutex<ClusterMessages>>,
    to_partitions: Vec<Mutex<Bag<ToPartition>>>,
    to_dispatcher: Mutex<Vec<(usize, u64, FromCluster)>>,
    /// Earliest wake-up time of all components, for even and odd windows.
    pub wake: [AtomicU64; 2],
    /// Ticks of all components.
    pub ticks: AtomicU64,
    /// Whether another window of the batch follows.
    pub another: AtomicBool,
    /// Events of observed SMs in this window.
    events: Mutex<Undelivered>,
    /// Clusters of each launch.
    each: usize,
    /// Cycle at which the observer asked to stop.
    pub abandoned: AtomicU64,
    /// Cycle of the first trap.
    pub trapped: AtomicU64,
    /// Cycle at which the kernel ended.
    pub finished: AtomicU64,
    /// Cycle at which one of several kernels ended, for which the machine pauses.
    pub ended: AtomicU64,
    pub barrier: SpinBarrier,
}

impl Post {
    /// Creates empty message queues for these components and launches; each launch has `sms` SMs.
    /// `trapped` and `finished` are the cycles of such events before a pause.
    pub(super) fn new(
        clusters: usize,
        partitions: usize,
        launches: Vec<u32>,
        sms: usize,
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
            each: clusters / launches.len(),
            events: Mutex::new(Undelivered::new(launches, sms)),
            abandoned: never(),
            trapped: AtomicU64::new(trapped),
            finished: AtomicU64::new(finished),
            ended: never(),
            barrier: SpinBarrier::new(1),
        }
    }

    /// Reports the events of all observed SMs in the window that ends at `end` to the observer.
    pub(super) fn observe(&self, sink: &mut Sink<'_>, end: u64) {
        if lock(&self.events).deliver(sink).is_break() {
            self.abandoned.store(end, Ordering::Release);
        }
    }
}

/// Locks a mutex. A poisoned lock means that another thread has panicked, which the barrier
/// reports.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Worker<'_, '_> {
    /// Runs the components through `start..end`. Returns the number of ticks, and the most ticks of
    /// one component.
    pub(super) fn run(&mut self, start: u64, end: u64, skip_idle: bool) -> (u64, u64) {
        let (mut sum, mut most) = (0, 0);
        let mut add = |ticks: u64| (sum, most) = (sum + ticks, most.max(ticks));
        self.clusters.iter_mut().for_each(|seat| add(seat.run(start, end, skip_idle)));
        self.partitions.iter_mut().for_each(|seat| add(seat.run(start, end, skip_idle)));
        self.dispatcher.iter_mut().for_each(|seat| add(seat.run(start, end, skip_idle)));
        (sum, most)
    }

    /// Reports the traps, the kernel's end, and the events of observed SMs before `end`.
    fn report(&mut self, post: &Post, end: u64) {
        if self.observed {
            for seat in &mut self.clusters {
                let seat = &mut **seat;
                for sm in seat.component.sms.iter_mut().filter(|sm| sm.is_observed()) {
                    let mut events = lock(&post.events);
                    sm.deliver(end, events.of(seat.number / post.each, sm.id()));
                    sm.deliver_memory(end, &mut events.memory);
                }
            }
            for seat in &mut self.partitions {
                let partition = &mut seat.component.0;
                if partition.is_observed() {
                    partition.deliver(end, &mut lock(&post.events).memory);
                }
            }
        }
        for seat in self.clusters.iter().filter(|seat| seat.changed) {
            let trapped = seat.component.sms.iter().map(Sm::must_stop).min().unwrap_or(NEVER);
            if trapped != NEVER {
                post.trapped.fetch_min(trapped, Ordering::AcqRel);
            }
        }
        if let Some(cycle) = self.dispatcher.as_ref().and_then(|seat| seat.component.finished) {
            post.finished.store(cycle, Ordering::Release);
        }
        if let Some(cycle) = self.dispatcher.as_ref().and_then(|seat| seat.component.ended) {
            post.ended.store(cycle, Ordering::Release);
        }
    }

    /// Delivers all messages, if this thread runs all components; they continue at `end`. Reports
    /// what [`Self::post`] reports. Returns the earliest wake-up time.
    pub(super) fn exchange(&mut self, post: &Post, end: u64) -> u64 {
        self.report(post, end);
        let Self { clusters, partitions, dispatcher, .. } = self;
        let dispatcher = dispatcher.as_mut().expect("the lead thread runs the dispatcher");
        for seat in clusters.iter_mut() {
            let Seat { number, component, .. } = &mut **seat;
            let outbox = &mut component.outbox;
            for partition in outbox.receivers.drain(..) {
                let receiver = &mut partitions[partition];
                receiver.component.0.accept(*number, &mut outbox.to_partition[partition]);
                receiver.changed = true;
            }
            for (arrival, message) in outbox.to_dispatcher.drain(..) {
                dispatcher.component.accept(*number, arrival, message);
                dispatcher.changed = true;
            }
        }
        for seat in partitions.iter_mut() {
            let Seat { number, component, .. } = &mut **seat;
            let outbox = &mut component.1;
            for cluster in outbox.receivers.drain(..) {
                let receiver = &mut clusters[cluster];
                receiver.component.accept(*number, &mut outbox.to_cluster[cluster]);
                receiver.changed = true;
            }
        }
        if dispatcher.changed {
            let outbox = dispatcher.component.outbox.iter_mut();
            for (receiver, orders) in clusters.iter_mut().zip(outbox).filter(|(_, o)| !o.is_empty()) {
                orders.drain(..).for_each(|(arrival, order)| receiver.component.order(arrival, order));
                receiver.changed = true;
            }
        }
        self.plan(end)
    }

    /// Posts all messages, traps, the kernel's end, and the events of observed SMs before `end`.
    pub(super) fn post(&mut self, post: &Post, end: u64) {
        self.report(post, end);
        for seat in &mut self.clusters {
            let Seat { number, component, .. } = &mut **seat;
            let outbox = &mut component.outbox;
            for partition in outbox.receivers.drain(..) {
                lock(&post.to_partitions[partition]).put(*number, &mut outbox.to_partition[partition]);
            }
            if !outbox.to_dispatcher.is_empty() {
                let messages = outbox.to_dispatcher.drain(..);
                lock(&post.to_dispatcher)
                    .extend(messages.map(|(arrival, message)| (*number, arrival, message)));
            }
        }
        for seat in &mut self.partitions {
            let Seat { number, component, .. } = &mut **seat;
            let outbox = &mut component.1;
            for cluster in outbox.receivers.drain(..) {
                lock(&post.to_clusters[cluster])
                    .from_partitions
                    .put(*number, &mut outbox.to_cluster[cluster]);
            }
        }
        if let Some(seat) = &mut self.dispatcher {
            for (cluster, messages) in
                seat.component.outbox.iter_mut().enumerate().filter(|(_, m)| !m.is_empty())
            {
                lock(&post.to_clusters[cluster]).orders.append(messages);
            }
        }
    }

    /// Delivers all posted messages; the components continue at `end`. Returns the earliest wake-up
    /// time.
    pub(super) fn collect(&mut self, post: &Post, end: u64) -> u64 {
        for seat in &mut self.clusters {
            let seat = &mut **seat;
            let mut messages = lock(&post.to_clusters[seat.number]);
            for (arrival, order) in messages.orders.drain(..) {
                seat.component.order(arrival, order);
                seat.changed = true;
            }
            messages.from_partitions.empty(|link, messages| {
                seat.component.accept(link, messages);
                seat.changed = true;
            });
        }
        for seat in &mut self.partitions {
            let seat = &mut **seat;
            lock(&post.to_partitions[seat.number]).empty(|link, messages| {
                seat.component.0.accept(link, messages);
                seat.changed = true;
            });
        }
        if let Some(seat) = &mut self.dispatcher {
            for (cluster, arrival, message) in lock(&post.to_dispatcher).drain(..) {
                seat.component.accept(cluster, arrival, message);
                seat.changed = true;
            }
        }
        self.plan(end)
    }

    /// Returns the earliest wake-up time, at or after `end`.
    fn plan(&mut self, end: u64) -> u64 {
        let clusters = self.clusters.iter_mut().map(|seat| seat.plan(end)).min();
        let partitions = self.partitions.iter_mut().map(|seat| seat.plan(end)).min();
        let dispatcher = self.dispatcher.as_mut().map(|seat| seat.plan(end));
        [clusters, partitions, dispatcher].into_iter().flatten().min().unwrap_or(NEVER)
    }
}
