//! Gathering: the counters of all SMs and partitions of a machine, added up in a fixed order.

use super::report::SmReport;
use crate::counters::breakdown::SlotLedger;
use crate::counters::by::ByState;
use crate::counters::{
    ConstCounters, GlobalCounters, InstCounters, LevelCounters, PcCounters, SharedCounters,
};
use crate::counters::{Counters, counters};
use crate::gpu::machine::Machine;
use crate::mem::partition::PartitionCounters;
use crate::sm::memory::l1::L1Counters;

counters! {
    /// Everything that a timed run has counted.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Totals {
        /// Instructions.
        pub inst: InstCounters,
        /// By instruction.
        pub pcs: Vec<PcCounters>,
        /// Issue slots.
        pub slots: SlotLedger,
        /// Warp cycles.
        pub warps: ByState,
        /// Resident warp issue cycles, counted by blocks.
        pub resident: u64,
        /// Issue cycles of SMs with a resident block.
        pub active: u64,
        /// Global loads.
        pub load: GlobalCounters,
        /// Global stores.
        pub store: GlobalCounters,
        /// Atomics on global memory.
        pub atomic: GlobalCounters,
        /// Local loads.
        pub local_load: GlobalCounters,
        /// Local stores.
        pub local_store: GlobalCounters,
        /// Shared loads.
        pub shared_load: SharedCounters,
        /// Shared stores.
        pub shared_store: SharedCounters,
        /// Atomics on shared memory.
        pub shared_atomic: SharedCounters,
        /// Reads of constant memory by the SMs.
        pub constant: ConstCounters,
        /// Look-ups of the SMs' instruction caches.
        pub fetch: LevelCounters,
        /// Look-ups of the clusters' caches of constants and code.
        pub lines_l2: LevelCounters,
        /// Look-ups of the clusters' translation, the nearest level first.
        pub tlb: [LevelCounters; 2],
        /// Global loads that finished.
        pub loads_finished: u64,
        /// Hot cycles from their issue until their values could be used, summed.
        pub load_cycles: u64,
        /// L1 of all SMs.
        pub l1: L1Counters,
        /// Words of local memory that are dirty in them.
        pub l1_dirty_words: u64,
        /// Each SM.
        pub sms: Vec<SmReport>,
        /// Each partition.
        pub partitions: Vec<PartitionCounters>,
    }
}

impl Totals {
    /// Adds up what `machine`, its books closed, has counted; DRAM as of hot cycle `end`.
    pub fn of(machine: &mut Machine, instructions: usize, end: u64) -> Self {
        let mut t = Self { pcs: vec![PcCounters::default(); instructions], ..Self::default() };
        for cluster in &machine.clusters {
            t.lines_l2.merge(&cluster.line_counters());
            t.tlb.merge(&cluster.tlb_counters());
        }
        for (cluster, sm) in machine.clusters.iter().flat_map(|c| c.sms.iter().map(move |sm| (c, sm))) {
            let l = &sm.account;
            t.inst.merge(&l.inst(&cluster.setup().code));
            t.slots.merge(&l.books.slots);
            t.warps.merge(&l.warps());
            t.resident += l.resident_cycles;
            t.active += l.active;
            t.load.merge(&l.load);
            t.store.merge(&l.store);
            t.local_load.merge(&l.local_load);
            t.local_store.merge(&l.local_store);
            t.shared_load.merge(&l.shared_load);
            t.shared_store.merge(&l.shared_store);
            t.atomic.merge(&l.atomic);
            t.shared_atomic.merge(&l.shared_atomic);
            if let Some(l1) = sm.l1() {
                t.l1.merge(&l1.counters);
                t.l1_dirty_words += l1.dirty_words();
            }
            t.constant.merge(&sm.constant_counters());
            t.fetch.merge(&sm.fetch_counters());
            t.loads_finished += l.loads_finished;
            t.load_cycles += l.load_cycles;
            t.pcs.merge(&l.pcs);
            t.sms.push(SmReport {
                sm: sm.id(),
                blocks: l.blocks_started,
                instructions: l.instructions(),
                active_issue_cycles: l.active,
                resident_warp_cycles: l.resident_cycles,
            });
        }
        t.partitions = machine.partitions.iter_mut().map(|(p, _)| p.counters(end)).collect();
        t
    }
}
