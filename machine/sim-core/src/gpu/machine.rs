//! The machine of one launch or of several concurrent launches: all components, built before the
//! launch and dismantled after it.

use super::dispatcher::Dispatcher;
use super::share::Sharing;
use crate::cluster::Cluster;
use crate::config::{Chip, SmConfig};
use crate::events::{Sink, Undelivered, Watch};
use crate::exec::Kernel;
use crate::exec::allocations::NOT_MAPPED;
use crate::hooks::Hooks;
use crate::mem::image::Memory;
use crate::mem::local::LocalArea;
use crate::mem::map::AddressMap;
use crate::mem::partition::{CopyTraffic, Partition};
use crate::sm::context::SmContext;
use crate::sm::scheduler::OwnScheduler;
use crate::sm::throttle::Throttled;
use crate::time::NEVER;
use crate::time::message::PartitionOutbox;
use std::ops::Range;
use std::sync::Arc;

/// A launch, as the machine is built for it.
#[derive(Clone, Debug)]
pub struct Part {
    /// The kernel of the launch.
    pub kernel: Arc<Kernel>,
    /// Blocks of the kernel that fit on an SM.
    pub per_sm: u32,
    /// SM configuration of this launch: shared memory and L1 are divided per launch.
    pub sm: SmConfig,
}

impl Part {
    /// Returns the number of blocks, and the number of blocks that an SM accepts at first.
    fn grid(&self) -> (u64, u32) {
        let throttle = Throttled::new(self.sm.throttle, 0, self.per_sm);
        (self.kernel.grid.count(), throttle.map_or(self.per_sm, |throttle| throttle.offered()))
    }
}

/// All components of a chip, for one launch or several.
#[derive(Clone, crate::state::Part)]
pub struct Machine {
    /// Clusters of SMs.
    #[state(part)]
    pub clusters: Vec<Cluster>,
    /// Memory partitions, each with its outgoing messages.
    #[state(part)]
    pub partitions: Vec<(Partition, PartitionOutbox)>,
    /// The block dispatcher.
    #[state(part)]
    pub dispatcher: Dispatcher,
    /// Latency of the crossbar in shader cycles: the longest window in which components may run
    /// alone.
    #[state(fixed)]
    pub latency: u64,
    /// Map from addresses to partitions.
    #[state(fixed)]
    pub map: AddressMap,
    /// Assignment of components to host threads.
    #[state(fixed)]
    pub(super) sharing: Sharing,
    /// Number of the kept machines to which it belongs; see [`super::kept`].
    #[state(fixed)]
    pub(super) kept_as: Option<u64>,
}

impl Machine {
    /// Builds the components for one kernel or several concurrent ones. The images of `memory` move
    /// into the partitions until [`Self::give_back`]. `scheduler` is a user's policy that replaces
    /// the chip's. The clusters of the first kernel come first, then those of the second, and so
    /// on: see [`super::dispatcher`].
    pub fn new(
        chip: &Chip,
        kernels: &[Part],
        memory: &mut Memory,
        scheduler: Option<&OwnScheduler>,
        hooks: Hooks,
    ) -> Self {
        let map = AddressMap::of(chip);
        let clusters = chip.clusters as usize;
        let seats = kernels.len() * clusters;
        let mapped_from = kernels.first().map_or(NOT_MAPPED, |part| part.kernel.mapped_from);
        let partition = |(i, image)| {
            let mut p = Partition::new(i, map, &chip.partition, chip.clocks, chip.crossbar, seats, image);
            p.map_host(mapped_from, &chip.pcie, chip.clocks.shader_khz);
            (p, PartitionOutbox::new(seats))
        };
        let grids: Vec<(u64, u32)> = kernels.iter().map(Part::grid).collect();
        let latency = chip.crossbar.latency;
        Self {
            clusters: kernels.iter().flat_map(|part| clusters_for(chip, part, scheduler, hooks)).collect(),
            partitions: (0..).zip(memory.take_images(map)).map(partition).collect(),
            dispatcher: Dispatcher::new(chip.dispatch, clusters, chip.cluster, latency, &grids, hooks),
            latency: u64::from(latency),
            map,
            sharing: Sharing::default(),
            kept_as: None,
        }
    }

    /// Makes this machine, at the end of its launch, equal to the machine that [`Self::new`] builds
    /// for another launch of one kernel. `fresh` is such a machine for a similar launch, before its
    /// first cycle.
    pub(super) fn renew(
        &mut self,
        fresh: &mut Self,
        chip: &Chip,
        part: &Part,
        memory: &mut Memory,
        hooks: Hooks,
    ) {
        let Self { clusters, partitions, dispatcher, latency: _, map, sharing, kept_as: _ } = self;
        let context = context_of(chip, part, None, hooks);
        for (cluster, fresh) in clusters.iter_mut().zip(&mut fresh.clusters) {
            cluster.renew(fresh, &context);
        }
        let images = memory.take_images(*map);
        for ((used, fresh), image) in partitions.iter_mut().zip(&mut fresh.partitions).zip(images) {
            used.0.renew(&mut fresh.0, image);
            used.1.clone_from(&fresh.1);
        }
        dispatcher.clone_from(&fresh.dispatcher);
        dispatcher.set_grid(part.grid());
        sharing.clone_from(&fresh.sharing);
    }

    /// Adds a kernel that arrives at shader cycle `at`, the start of an issue cycle. All cycles
    /// before `now` are complete, and not all kernels have ended.
    pub fn join(
        &mut self,
        chip: &Chip,
        part: &Part,
        scheduler: Option<&OwnScheduler>,
        hooks: Hooks,
        (at, now): (u64, u64),
    ) {
        // It has more seats than the machine of a launch.
        self.kept_as = None;
        let new = self.clusters.len();
        self.clusters.extend(clusters_for(chip, part, scheduler, hooks));
        self.clusters[new..].iter_mut().for_each(|cluster| cluster.open(at));
        for (partition, outbox) in &mut self.partitions {
            partition.add_links(self.clusters.len());
            outbox.add_receivers(self.clusters.len());
        }
        self.dispatcher.join(part.grid(), at, now);
    }

    /// Adds the traffic of copies that run beside the kernels; each direction in order of time, and
    /// after the copies that were added before.
    pub fn copy_beside(&mut self, copies: &[CopyTraffic]) {
        if !copies.is_empty() {
            self.partitions.iter_mut().for_each(|(partition, _)| partition.copy_beside(copies));
        }
    }

    /// Lends the images to `memory` until [`Self::take_back`], while the machine pauses at shader
    /// cycle `now`.
    pub fn lend(&mut self, memory: &mut Memory, now: u64) {
        let images = self.partitions.iter_mut().map(|(p, _)| std::mem::take(p.image_of_host(now)));
        memory.put_images(images.collect());
    }

    /// Takes the images back from `memory`.
    pub fn take_back(&mut self, memory: &mut Memory, now: u64) {
        for ((partition, _), image) in self.partitions.iter_mut().zip(memory.take_images(self.map)) {
            *partition.image_of_host(now) = image;
        }
    }

    /// Returns a kernel by its index.
    pub fn kernel(&self, kernel: usize) -> &Arc<Kernel> {
        &self.clusters_of(kernel)[0].context().kernel
    }

    /// Returns the indices of the kernels that have not ended.
    pub fn running(&self) -> impl Iterator<Item = usize> {
        (0..self.dispatcher.kernels()).filter(|kernel| self.dispatcher.finished_of(*kernel).is_none())
    }

    /// Returns the clusters of a kernel.
    pub fn clusters_of(&self, kernel: usize) -> &[Cluster] {
        &self.clusters[self.seats_of(kernel)]
    }

    /// Returns the clusters of a kernel, mutably.
    pub fn clusters_of_mut(&mut self, kernel: usize) -> &mut [Cluster] {
        let seats = self.seats_of(kernel);
        &mut self.clusters[seats]
    }

    fn seats_of(&self, kernel: usize) -> Range<usize> {
        let each = self.clusters.len() / self.dispatcher.kernels();
        kernel * each..(kernel + 1) * each
    }

    /// Starts recording the part of a kernel that `watch` names.
    pub fn watch(&mut self, kernel: usize, watch: &Watch) {
        self.clusters_of_mut(kernel).iter_mut().for_each(|cluster| cluster.watch(watch));
        // A kernel that joins others may find them recording.
        for (partition, _) in self.partitions.iter_mut().filter(|(one, _)| watch.memory && !one.is_observed())
        {
            partition.watch(watch);
        }
    }

    /// Reports the remaining events of the memory system to the observer.
    pub(crate) fn deliver_memory(&mut self, sink: &mut Sink<'_>) {
        let mut undelivered = Undelivered::new(self.launches(), 0);
        self.partitions
            .iter_mut()
            .for_each(|(partition, _)| partition.deliver(NEVER, &mut undelivered.memory));
        // The launch has ended, so the observer's answer has no effect.
        let _ = undelivered.deliver(sink);
    }

    /// Reports the remaining events up to cycle `end`, at which the machine has stopped, to the
    /// observer.
    pub(crate) fn deliver_rest(&mut self, end: u64, sink: &mut Sink<'_>) {
        let launches = self.launches();
        let mut undelivered = Undelivered::new(launches, self.sms());
        for k in 0..self.dispatcher.kernels() {
            for sm in self.clusters_of_mut(k).iter_mut().flat_map(|cluster| &mut cluster.sms) {
                sm.deliver(end, undelivered.of(k, sm.id()));
                sm.deliver_memory(end, &mut undelivered.memory);
            }
        }
        self.partitions.iter_mut().for_each(|(partition, _)| partition.deliver(end, &mut undelivered.memory));
        // The machine has stopped, so the observer's answer has no effect.
        let _ = undelivered.deliver(sink);
    }

    /// Returns the number of SMs of each launch.
    pub(super) fn sms(&self) -> usize {
        self.clusters_of(0).iter().map(|cluster| cluster.sms.count()).sum()
    }

    /// Returns the numbers of the launches.
    pub(super) fn launches(&self) -> Vec<u32> {
        (0..self.dispatcher.kernels()).map(|k| self.kernel(k).number()).collect()
    }

    /// Moves the images back into `memory`.
    pub fn give_back(&mut self, memory: &mut Memory) {
        memory.put_images(self.partitions.iter_mut().map(|(p, _)| p.take_image()).collect());
    }
}

/// Returns what all SMs of a kernel share.
fn context_of(
    chip: &Chip,
    Part { kernel, per_sm, sm }: &Part,
    scheduler: Option<&OwnScheduler>,
    hooks: Hooks,
) -> Arc<SmContext> {
    let (map, burst_bytes) = (AddressMap::of(chip), chip.partition.dram.burst_bytes);
    let context = SmContext::new(Arc::clone(kernel), sm.clone(), map, burst_bytes, hooks);
    let local = LocalArea::of(chip, kernel, *per_sm);
    let in_bank = chip.limits.params_in_bank(chip.allocation.params_in_shared, kernel.program.param_bytes);
    let context = context.local(local).params_in_bank(in_bank).most_blocks(*per_sm);
    Arc::new(context.scheduler(scheduler.cloned()))
}

/// Returns the clusters of a kernel, with empty SMs.
fn clusters_for(
    chip: &Chip,
    part: &Part,
    scheduler: Option<&OwnScheduler>,
    hooks: Hooks,
) -> impl Iterator<Item = Cluster> {
    let context = context_of(chip, part, scheduler, hooks);
    let (config, crossbar, partitions) = (chip.cluster, chip.crossbar, chip.partitions as usize);
    (0..chip.clusters).map(move |i| Cluster::new(i, config, crossbar, partitions, &context))
}
