//! All numbers of a set of counters, one after the other, whatever they count.

use super::collect::Totals;
use super::counters::{
    ConstCounters, GlobalCounters, InstCounters, LevelCounters, PcCounters, SharedCounters,
};
use super::ledger::{SlotLedger, WarpLedger};
use super::report::SmReport;
use crate::mem::dram::DramCounters;
use crate::mem::partition::{L2Counters, PartitionCounters};
use crate::sm::l1::L1Counters;

/// A set of counters.
pub(crate) trait Leaves {
    /// Shows `each` every number, always in the same order.
    fn leaves(&mut self, each: &mut dyn FnMut(&mut u64));
}

impl Leaves for u64 {
    fn leaves(&mut self, each: &mut dyn FnMut(&mut u64)) {
        each(self);
    }
}

/// The number of a thing counts nothing.
impl Leaves for u32 {
    fn leaves(&mut self, _: &mut dyn FnMut(&mut u64)) {}
}

impl<A: Leaves, B: Leaves> Leaves for (A, B) {
    fn leaves(&mut self, each: &mut dyn FnMut(&mut u64)) {
        self.0.leaves(each);
        self.1.leaves(each);
    }
}

impl<T: Leaves, const N: usize> Leaves for [T; N] {
    fn leaves(&mut self, each: &mut dyn FnMut(&mut u64)) {
        for part in self {
            part.leaves(each);
        }
    }
}

impl<T: Leaves> Leaves for Vec<T> {
    fn leaves(&mut self, each: &mut dyn FnMut(&mut u64)) {
        for part in self {
            part.leaves(each);
        }
    }
}

/// Every field must be named: a new one that is forgotten here does not compile.
macro_rules! leaves {
    ($($counters:ty { $($field:ident),* $(,)? })*) => {
        $(impl Leaves for $counters {
            fn leaves(&mut self, each: &mut dyn FnMut(&mut u64)) {
                let Self { $($field),* } = self;
                $($field.leaves(each);)*
            }
        })*
    };
}

leaves! {
    InstCounters { warp, thread, flops_sp, flops_dp, branches, divergent_branches, barriers, fences, by_class }
    PcCounters { executed, threads, divergent, held, replay, transactions, warp }
    WarpLedger { by_state }
    SlotLedger {
        issued, paired, held, replay_bank_conflict, replay_constant, shut_by_other, as_first_port, not_pairable,
        no_warp, empty,
    }
    GlobalCounters { requests, transactions, bytes_asked, bytes_moved, coalesced_groups, uncoalesced_groups }
    SharedCounters { requests, passes, conflict_passes, bytes_asked }
    ConstCounters { requests, operands, accesses, hits, misses }
    LevelCounters { hits, misses }
    L1Counters {
        global_load_hit, global_load_miss, uncached_global_loads, local_load_hit, local_load_miss, local_store_hit,
        local_store_miss, local_words_dirtied, local_words_written_back,
    }
    SmReport { sm, blocks, instructions, active_issue_cycles, resident_warp_cycles }
    L2Counters {
        read_sector_queries, read_sector_misses, write_sector_queries, atomic_sector_queries, atomic_sector_misses,
        read_bytes, written_bytes, dirty_sectors,
    }
    DramCounters {
        activates, precharges, reads, writes, row_hits, row_misses, row_conflicts, starvation_picks, refreshes,
        data_busy, bytes,
    }
    PartitionCounters {
        loads, stores, atomics, local_loads, local_stores, lines, const_cache, fences, load_transactions,
        store_transactions, atomic_transactions, load_bytes, store_bytes, arbiter_busy, reply_busy, reply_bytes, l2,
        dram,
    }
    Totals {
        inst, pcs, slots, warps, resident, active, load, store, atomic, local_load, local_store, shared_load,
        shared_store, shared_atomic, constant, fetch, lines_l2, tlb, loads, l1, l1_dirty_words, sms, partitions,
    }
}
