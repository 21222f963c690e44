//! The machine of one launch, or of several that are under way together: all islands, built for it and taken apart after
//! it.

use super::dispatcher::Dispatcher;
use super::share::Sharing;
use crate::cluster::Cluster;
use crate::config::{Chip, SmConfig};
use crate::exec::Kernel;
use crate::hooks::Hooks;
use crate::mem::image::Memory;
use crate::mem::local::LocalArea;
use crate::mem::map::AddressMap;
use crate::mem::partition::Partition;
use crate::observe::Observer;
use crate::sm::scheduler::OwnScheduler;
use crate::sm::setup::Setup;
use crate::time::message::PartitionOutbox;
use std::sync::Arc;

/// A launch as the machine is built for it.
#[derive(Clone, Debug)]
pub struct Part {
    /// The kernel.
    pub kernel: Arc<Kernel>,
    /// Blocks of it that an SM holds.
    pub per_sm: u32,
    /// The SMs as it finds them: shared memory and L1 are divided launch by launch.
    pub sm: SmConfig,
}

/// All islands of a chip, loaded with one launch or several.
pub struct Machine {
    /// Clusters of SMs.
    pub clusters: Vec<Cluster>,
    /// Memory partitions, each with the mail it has to send.
    pub partitions: Vec<(Partition, PartitionOutbox)>,
    /// The block dispatcher.
    pub dispatcher: Dispatcher,
    /// Hot cycles of the crossbar: the longest window in which islands may run alone.
    pub latency: u64,
    /// Which partition holds which address.
    pub map: AddressMap,
    /// How host threads share the islands.
    pub(super) sharing: Sharing,
}

impl Machine {
    /// Builds the islands for `kernel`, of whose blocks an SM holds `per_sm`; `memory`'s images move into the
    /// partitions until [`Self::give_back`]. `scheduler` is a user's policy, instead of the chip's.
    pub fn new(
        chip: &Chip,
        kernel: &Arc<Kernel>,
        per_sm: u32,
        memory: &mut Memory,
        scheduler: Option<&OwnScheduler>,
        hooks: Hooks,
    ) -> Self {
        let part = Part { kernel: Arc::clone(kernel), per_sm, sm: chip.sm.clone() };
        Self::together(chip, &[part], memory, scheduler, hooks)
    }

    /// [`Self::new`] for several kernels under way together. There are the
    /// clusters of the first one, then those of the second, and so on: see [`super::dispatcher`].
    pub fn together(
        chip: &Chip,
        kernels: &[Part],
        memory: &mut Memory,
        scheduler: Option<&OwnScheduler>,
        hooks: Hooks,
    ) -> Self {
        let map = AddressMap::of(chip);
        let burst_bytes = chip.partition.dram.burst_bytes;
        let setup = |Part { kernel, per_sm, sm }: &Part| {
            let setup = Setup::new(Arc::clone(kernel), sm.clone(), map, burst_bytes, hooks);
            let local = LocalArea::of(chip, kernel, *per_sm);
            let in_bank = !chip.allocation.params_in_shared;
            Arc::new(setup.local(local).params_in_bank(in_bank).scheduler(scheduler.cloned()))
        };
        let clusters = chip.clusters as usize;
        let seats = kernels.len() * clusters;
        let cluster =
            |i, setup| Cluster::new(i, chip.cluster, chip.crossbar, chip.partitions as usize, setup);
        let partition = |(i, image)| {
            let p = Partition::new(i, map, &chip.partition, chip.clocks, chip.crossbar, seats, image);
            (p, PartitionOutbox::new(seats))
        };
        let setups: Vec<Arc<Setup>> = kernels.iter().map(setup).collect();
        let grids: Vec<(u64, u32)> =
            kernels.iter().map(|part| (part.kernel.grid.count(), part.per_sm)).collect();
        let latency = chip.crossbar.latency;
        Self {
            clusters: setups.iter().flat_map(|s| (0..chip.clusters).map(move |i| cluster(i, s))).collect(),
            partitions: (0..).zip(memory.take_images()).map(partition).collect(),
            dispatcher: Dispatcher::new(chip.dispatch, clusters, chip.cluster, latency, &grids, hooks),
            latency: u64::from(latency),
            map,
            sharing: Sharing::default(),
        }
    }

    /// Takes the clusters out, kernel by kernel.
    pub fn take_clusters(&mut self, kernels: usize) -> Vec<Vec<Cluster>> {
        let each = self.clusters.len() / kernels;
        let mut all = std::mem::take(&mut self.clusters).into_iter();
        (0..kernels).map(|_| all.by_ref().take(each).collect()).collect()
    }

    /// Tells the observer what is not told yet of the cycles before `end`, at which the machine has stopped.
    pub fn hand_on_rest(&mut self, end: u64, observer: &mut dyn Observer) {
        let mut events = Vec::new();
        for sm in self.clusters.iter_mut().flat_map(|c| &mut c.sms) {
            sm.hand_on(end, &mut events);
        }
        events.sort_by_key(|event| (event.cycle, event.sm));
        if !events.is_empty() {
            // It has stopped anyway, whatever the observer wants.
            let _ = observer.events(&events);
        }
    }

    /// Gives the memory's images back.
    pub fn give_back(self, memory: &mut Memory) {
        memory.put_images(self.partitions.into_iter().map(|(p, _)| p.into_image()).collect());
    }
}
