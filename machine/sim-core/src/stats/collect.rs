//! Collection: the counters of all SMs and partitions of a machine, added in a fixed order.

use super::limits::UnitCycles;
use super::report::SmReport;
use crate::counters::{
    AccessCounters, ByState, ClusterCounters, ConstCounters, Counters, InstCounters, LevelCounters,
    PcCounters, SlotBreakdown, TextureCounters, counters,
};
use crate::gpu::machine::Machine;
use crate::mem::partition::PartitionCounters;
use crate::sm::Sm;
use crate::sm::decode::Decoded;
use crate::sm::memory::l1::L1Counters;
use std::ops::Range;

counters! {
    /// All counters of a timed run.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Totals {
        /// Instructions.
        pub inst: InstCounters,
        /// Counters by instruction.
        pub pcs: Vec<PcCounters>,
        /// Issue slots.
        pub slots: SlotBreakdown,
        /// Warp cycles.
        pub warps: ByState,
        /// Resident warp issue cycles, counted per block.
        pub resident: u64,
        /// Issue cycles of SMs with a resident block.
        pub active: u64,
        /// Accesses to memory.
        pub accesses: AccessCounters,
        /// Reads of constant memory by the SMs.
        pub constant: ConstCounters,
        /// Look-ups of the SMs' instruction caches.
        pub fetch: LevelCounters,
        /// Look-ups of the clusters' caches of constants and code.
        pub lines_l2: LevelCounters,
        /// Texture fetches.
        pub texture: TextureCounters,
        /// Lines of textures requested from partitions.
        pub texture_lines: u64,
        /// Look-ups in the partitions' texture caches.
        pub texture_l2: LevelCounters,
        /// Look-ups of the clusters' TLBs, nearest level first.
        pub tlb: [LevelCounters; 2],
        /// Counters of the L1s of all SMs.
        pub l1: L1Counters,
        /// Dirty words of local memory in the L1s.
        pub l1_dirty_words: u64,
        /// Shader cycles for which each execution unit accepted instructions, by unit number.
        pub unit_cycles: UnitCycles,
        /// Busy cycles of the shared units of each cluster.
        pub clusters: Vec<ClusterCounters>,
        /// Counters of each SM.
        pub sms: Vec<SmReport>,
        /// Counters of each partition.
        pub partitions: Vec<PartitionCounters>,
        /// Shader cycles from the end of the launch until its last write to the DRAM.
        pub write_back_cycles: u64,
    }
}

impl Totals {
    /// Adds the counters that `machine` has of one of its kernels, after all SMs were closed. The
    /// machine stopped at the start of `after`, and its last write to the DRAM was at its end.
    pub fn of(machine: &mut Machine, kernel: usize, after: Range<u64>) -> Self {
        let instructions = machine.kernel(kernel).program.code.len();
        let mut totals = Self {
            pcs: vec![PcCounters::default(); instructions],
            partitions: machine.partitions.iter_mut().map(|(p, _)| p.counters(after.end)).collect(),
            write_back_cycles: after.end - after.start,
            ..Self::default()
        };
        for (partition, _) in &machine.partitions {
            let (lines, level) = partition.texture_counters();
            totals.texture_lines += lines;
            totals.texture_l2.merge(&level);
        }
        let mut idle = None;
        for cluster in machine.clusters_of(kernel) {
            totals.lines_l2.merge(&cluster.line_counters());
            totals.tlb.merge(&cluster.tlb_counters());
            totals.texture.merge(&cluster.texture_counters());
            totals.clusters.push(cluster.busy());
            // Without a block there are no SMs, and all their issue slots are empty.
            if cluster.sms.is_empty() {
                let idle = idle.get_or_insert_with(|| cluster.idle_slots());
                for _ in 0..cluster.sms.count() {
                    totals.slots.merge(idle);
                    totals.sms.push(SmReport { sm: totals.sms.len() as u32, ..SmReport::default() });
                }
            }
            cluster.sms.iter().for_each(|sm| totals.add_sm(sm, &cluster.context().code));
        }
        totals
    }

    /// Adds the counters of an SM that executes `code`.
    fn add_sm(&mut self, sm: &Sm, code: &[Decoded]) {
        let account = &sm.account;
        self.inst.merge(&account.inst(code));
        self.unit_cycles.merge(&account.unit_cycles(code));
        self.slots.merge(&account.slots.breakdown);
        self.warps.merge(&account.warps());
        self.resident += account.resident_cycles;
        self.active += account.active;
        self.accesses.merge(&sm.memory().counters);
        if let Some(cache) = sm.memory().l1() {
            self.l1.merge(&cache.counters);
            self.l1_dirty_words += cache.dirty_words();
        }
        self.constant.merge(&sm.memory().constant_counters());
        self.fetch.merge(&sm.fetch_counters());
        // An SM without a block has no counters by instruction.
        if !account.pcs.is_empty() {
            self.pcs.merge(&account.pcs);
        }
        self.sms.push(SmReport {
            sm: sm.id(),
            blocks: account.blocks_started,
            instructions: account.instructions(),
            active_issue_cycles: account.active,
            resident_warp_cycles: account.resident_cycles,
        });
    }
}
