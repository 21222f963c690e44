//! Groups of metrics, and the metrics of sim-core's groups of counters.

use super::Metric;
use super::Value::Sum;
use sim_core::stats::{Counter, Counters};

macro_rules! groups {
    ($($group:ident $title:literal;)*) => {
        /// Group of a metric, its section in lists.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Group {
            $(#[doc = $title] $group),*
        }

        impl Group {
            /// All groups, in the order of the lists.
            pub const ALL: [Self; [$($title),*].len()] = [$(Self::$group),*];

            /// Returns the title of the group.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$group => $title),* }
            }
        }
    };
}

groups! {
    Time "Time and instructions";
    Occupancy "Occupancy and resources";
    Control "Control flow";
    Global "Global memory";
    Local "Local memory";
    Shared "Shared memory";
    Constant "Constant memory and parameters";
    Texture "Textures";
    Mapped "Mapped host memory";
    L1 "L1 cache";
    L2 "L2 cache";
    Fetch "Instruction fetch";
    Tlb "Address translation";
    Dram "DRAM";
    Slots "Issue slot breakdown";
    Warps "Warp state breakdown";
    Chip "Chip";
}

/// Metrics whose names are not made from prefix and counter.
const RENAMED: &[(&str, &str)] = &[
    ("shared_load_requests", "shared_load"),
    ("shared_load_bytes_asked", "shared_load_bytes"),
    ("shared_store_requests", "shared_store"),
    ("shared_store_bytes_asked", "shared_store_bytes"),
    ("shared_atom_requests", "shared_atom"),
    ("shared_atom_bytes_asked", "shared_atom_bytes"),
    ("l2_read_bytes", "l2_dram_read_bytes"),
    ("l2_written_bytes", "l2_dram_write_bytes"),
    ("const_l1_requests", "const_cache_requests"),
    ("const_l1_operands", "const_cache_operands"),
    ("const_l1_accesses", "const_cache_accesses"),
    ("tex_cache_hits", "tex_cache_hit"),
    ("tex_cache_misses", "tex_cache_miss"),
];

/// Advice for counters, by name of the metric.
const ADVICE: &[(&str, &str)] = &[
    ("gld_uncoalesced_groups", "Coalesce the accesses; see `gld_efficiency`."),
    ("gst_uncoalesced_groups", "Coalesce the accesses; see `gst_efficiency`."),
    ("gld_transactions", "Coalesce the accesses (`gld_efficiency`), and load each word once (`cgma`)."),
    ("gst_transactions", "Coalesce the accesses; see `gst_efficiency`."),
    (
        "atom_requests",
        "Combine updates in registers or shared memory first, then use one atomic for the sum.",
    ),
    ("local_load_requests", "Use less local memory; see `local_bytes`."),
    ("local_store_requests", "Use less local memory; see `local_bytes`."),
    ("shared_load_conflict_passes", "Remove bank conflicts; see `shared_replay_overhead`."),
    ("shared_store_conflict_passes", "Remove bank conflicts; see `shared_replay_overhead`."),
    ("shared_atom_conflict_passes", "Let the lanes of a warp update different words, in different banks."),
    ("l2_read_sector_misses", "Reuse data while it is in the L2; see `l2_read_hit_rate`."),
    ("const_l1_misses", "Keep the constants in use smaller than the constant cache of an SM."),
    ("tex_cache_miss", "Let the threads of a block fetch texels near each other; see `tex_cache_hit_rate`."),
    ("fetch_misses", "Unroll less, so that the loop fits into the instruction cache."),
    (
        "tlb_first_misses",
        "Access few pages at a time: consecutive blocks should access consecutive addresses.",
    ),
];

/// Returns the metrics of a group of counters, which is at `path` in the report. Their names begin
/// with `prefix`; `of` names the counted unit.
pub(super) fn counters_of<T: Counters>(prefix: &str, path: &str, of: &str) -> Vec<Metric> {
    let of_counter = |counter: &Counter| {
        let Counter { name, unit, meaning } = *counter;
        let plain = format!("{prefix}_{name}");
        let renamed = RENAMED.iter().find(|(from, _)| *from == plain);
        let improve = ADVICE.iter().find(|(metric, _)| *metric == plain).map_or("", |(_, advice)| advice);
        let (first, rest) = meaning.trim_end_matches('.').split_at(1);
        Metric {
            name: renamed.map_or_else(|| &*plain.leak(), |(_, to)| to),
            unit,
            value: Sum(format!("{path}.{name}").leak()),
            about: format!("{of}: {}{rest}", first.to_lowercase()).leak(),
            // The registry sets the group.
            group: Group::Time,
            formula: "",
            improve,
        }
    };
    T::LIST.iter().filter(|counter| !counter.unit.is_empty()).map(of_counter).collect()
}
