//! Collection: the counters of all SMs and partitions of a machine, added in a fixed order.

use super::limits::UnitCycles;
use super::report::SmReport;
use crate::cluster::Cluster;
use crate::counters::{
    AccessCounters, ByState, ClusterCounters, ConstCounters, Counters, InstCounters, LevelCounters,
    PcCounters, SlotBreakdown, TextureCounters, counters,
};
use crate::gpu::machine::Machine;
use crate::mem::partition::PartitionCounters;
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
        let clusters = machine.clusters_of(kernel);
        let mut pcs = vec![PcCounters::default(); instructions];
        let mut texture = TextureCounters::default();
        let (mut lines_l2, mut tlb) = (LevelCounters::default(), <[LevelCounters; 2]>::default());
        for cluster in clusters {
            lines_l2.merge(&cluster.line_counters());
            tlb.merge(&cluster.tlb_counters());
            texture.merge(&cluster.texture_counters());
        }
        let busy = clusters.iter().map(Cluster::busy).collect();
        let (mut texture_lines, mut texture_l2) = (0, LevelCounters::default());
        for (partition, _) in &machine.partitions {
            let (lines, level) = partition.texture_counters();
            texture_lines += lines;
            texture_l2.merge(&level);
        }
        let (mut inst, mut slots, mut warps) =
            (InstCounters::default(), SlotBreakdown::default(), ByState::default());
        let (mut resident, mut active, mut l1_dirty_words) = (0, 0, 0);
        let (mut accesses, mut l1) = (AccessCounters::default(), L1Counters::default());
        let (mut constant, mut fetch) = (ConstCounters::default(), LevelCounters::default());
        let (mut sms, mut unit_cycles) = (Vec::new(), UnitCycles::default());
        // Clusters without a block have no SMs; the counters of such SMs are all equal.
        let idle = clusters.iter().find(|cluster| cluster.sms.is_empty()).map(Cluster::idle_sm);
        let all = clusters.iter().flat_map(|c| (0..c.sms.count()).map(move |index| (c, index)));
        for (cluster, index) in all {
            let Some(sm) = cluster.sms.get(index).or(idle.as_ref()) else { continue };
            let l = &sm.account;
            inst.merge(&l.inst(&cluster.context().code));
            unit_cycles.merge(&l.unit_cycles(&cluster.context().code));
            slots.merge(&l.slots.breakdown);
            warps.merge(&l.warps());
            resident += l.resident_cycles;
            active += l.active;
            accesses.merge(&sm.memory().counters);
            if let Some(cache) = sm.memory().l1() {
                l1.merge(&cache.counters);
                l1_dirty_words += cache.dirty_words();
            }
            constant.merge(&sm.memory().constant_counters());
            fetch.merge(&sm.fetch_counters());
            // An SM without a block has no counters by instruction.
            if !l.pcs.is_empty() {
                pcs.merge(&l.pcs);
            }
            sms.push(SmReport {
                sm: sms.len() as u32,
                blocks: l.blocks_started,
                instructions: l.instructions(),
                active_issue_cycles: l.active,
                resident_warp_cycles: l.resident_cycles,
            });
        }
        let partitions = machine.partitions.iter_mut().map(|(p, _)| p.counters(after.end)).collect();
        Self {
            inst,
            pcs,
            slots,
            warps,
            resident,
            active,
            accesses,
            constant,
            fetch,
            lines_l2,
            texture,
            texture_lines,
            texture_l2,
            tlb,
            l1,
            l1_dirty_words,
            unit_cycles,
            clusters: busy,
            sms,
            partitions,
            write_back_cycles: after.end - after.start,
        }
    }
}
