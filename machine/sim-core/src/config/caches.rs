//! The caches of constants and instructions, and lists of all caches of a chip.

use super::schema::forms::{Choice, Inline, Or, Policy};
use super::{Chip, LONG, PolicyKind};
use crate::cache::{CacheShape, Replacement, SetIndex};
use crate::{record, record_fields};

/// Longest line of a cache of constants or instructions. No message is longer: an uncoalesced
/// half-warp has as many bytes.
const LONGEST_LINE: u32 = 512;

impl Chip {
    /// Returns the caches of the chip, with their paths in a chip file.
    pub fn caches(&self) -> impl Iterator<Item = (&'static str, CacheShape)> {
        let (sm, tlb) = (&self.sm, self.cluster.tlb);
        let all = [
            ("sm.const_cache", sm.const_cache.map(|cache| cache.shape)),
            ("sm.instr_cache", sm.instr_cache.map(|cache| cache.shape)),
            ("sm.l1", sm.l1.map(|l1| l1.shape())),
            ("cluster.const_cache", self.cluster.const_cache.map(|level| level.shape)),
            ("cluster.tlb.first", tlb.map(|tlb| tlb.first.shape())),
            ("cluster.tlb.second", tlb.and_then(|tlb| tlb.second).map(|level| level.shape())),
            ("partition.const_cache", self.partition.const_cache.map(|level| level.shape)),
            ("cluster.texture_cache", self.cluster.texture_cache.map(|cache| cache.shape)),
            ("partition.texture_cache", self.partition.texture_cache.map(|level| level.shape)),
            ("partition.l2", self.partition.l2.map(|l2| l2.shape())),
        ];
        all.into_iter().filter_map(|(path, shape)| Some((path, shape?)))
    }

    /// Returns the seeds of the random policies of the chip, by the path of the scheduler or cache
    /// in a chip file.
    pub fn seeds(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let scheduler = match self.sm.policy {
            PolicyKind::Random { seed } => Some(("sm.scheduler", seed)),
            PolicyKind::LooseRoundRobin
            | PolicyKind::OldestFirst
            | PolicyKind::GreedyThenOldest
            | PolicyKind::TwoLevel { .. }
            | PolicyKind::Priority
            | PolicyKind::Own(_) => None,
        };
        let caches = self.caches().filter_map(|(path, shape)| match shape.replacement {
            Replacement::Random { seed } | Replacement::Biased { seed } => Some((path, seed)),
            Replacement::Lru | Replacement::Fifo | Replacement::PseudoLru | Replacement::Own(_) => None,
        });
        scheduler.into_iter().chain(caches)
    }

    /// Returns the components of the chip that the program has registered: the path in a chip file,
    /// and the text.
    pub fn registered(&self) -> impl Iterator<Item = (&'static str, String)> {
        let (sm, partition) = (&self.sm, &self.partition);
        let one = [
            ("sm.scheduler", sm.policy.own().map(|own| own.to_string())),
            ("sm.throttle", sm.throttle.own().map(|own| own.to_string())),
            ("sm.lsu.rule", sm.lsu.rule.own().map(|own| own.to_string())),
            ("sm.l1.prefetch", sm.l1.and_then(|l1| l1.prefetch.own()).map(|own| own.to_string())),
            ("partition.map", partition.map.own().map(|own| own.to_string())),
            ("partition.dram.scheduler", partition.dram.scheduler.own().map(|own| own.to_string())),
        ];
        let one = one.into_iter().filter_map(|(path, own)| Some((path, own?)));
        one.chain(
            self.caches().filter_map(|(path, shape)| Some((path, shape.replacement.own()?.to_string()))),
        )
    }
}

record! {
    /// The constant cache of an SM. It serves constant memory and, unless
    /// `allocation.params_in_shared` is set, kernel parameters, both for loads and for operands of
    /// arithmetic.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ConstCacheConfig {
        /// Size and shape.
        pub shape: CacheShape = Inline;
        /// Part of the latency of `ld_const` until the cache delivers the word. The rest of the
        /// latency follows, after a miss when the line has arrived. It is also a part of the
        /// latency of `ld_param`, where parameters are in constant memory.
        pub hit_cycles: u32 = 0..=65535, "shader cycles", timing;
        /// Number of lanes whose addresses are compared together: 16 (a half-warp, capability 1.x)
        /// or 32 (a warp, 2.x).
        pub group: u32 = 1..=32, "lanes", timing;
        /// Bytes of an access, from one address: 4, 8 or 16. Wider constants take several accesses.
        pub word_bytes: u32 = 4..=16, "bytes", timing;
        /// Time of each access. Passes beyond the slots of the instruction are replays.
        pub pass_cycles: u32 = 1..=LONG, "shader cycles", timing;
    }

    /// A level behind the constant and instruction caches of the SMs. Without
    /// `partition.const_cache`, a partition reads a line of constants from its L2 or, without an
    /// L2, from DRAM for every request. A chip with an L2 has no `partition.const_cache`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ConstLevelConfig {
        /// Size and shape.
        pub shape: CacheShape = Inline;
        /// Latency of a hit. In a cluster: from the access that missed in the SM to the arrival of
        /// the line there. In a partition: from the arbiter to the reply port.
        pub hit_cycles: u32 = 1..=LONG, "shader cycles", timing;
        /// Latency that a miss adds. In a cluster: from the access that missed in the SM until the
        /// request for the line may leave. In a partition: after DRAM and half of
        /// `partition.pipeline_cycles`.
        pub miss_cycles: u32 = 0..=LONG, "shader cycles", timing;
    }

    /// The texture units of a cluster and their cache. A fetch of a warp looks up the lines of its
    /// texels. A missing line is read from the texture cache of its partition or, without one, from
    /// the L2 or DRAM.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TextureCacheConfig {
        /// Size and shape.
        pub shape: CacheShape = Inline;
        /// Latency of a fetch whose lines all hit: from the start of the fetch to the arrival of
        /// the result in the SM. `sm.classes.tex.latency` follows.
        pub hit_cycles: u32 = 1..=LONG, "shader cycles", timing;
        /// From the start of a fetch until the requests for its missing lines may leave.
        pub miss_cycles: u32 = 0..=LONG, "shader cycles", timing;
        /// From the arrival of the last missing line of a fetch to the arrival of the result in the
        /// SM.
        pub fill_cycles: u32 = 0..=LONG, "shader cycles", timing;
        /// Time of the units for a fetch of a warp with at most four texels in each lane. A fetch
        /// with eight texels (three dimensions and a filter) takes twice as long.
        pub fetch_cycles: u32 = 1..=LONG, "shader cycles", timing;
        /// Time of the cache for each line of a fetch, while the units work.
        pub line_cycles: u32 = 1..=LONG, "shader cycles", timing;
        /// Number of lines that can be outstanding. A fetch waits for a free entry.
        pub misses: u32 = 1..=65535, "lines", timing;
    }

    /// The instruction cache of an SM. Behind it are `cluster.const_cache` and
    /// `partition.const_cache` or, without these, the partitions. The built-in chips have no
    /// instruction cache, because the sizes were measured, but not the cost of a miss. GT200's size
    /// is `--set 'sm.instr_cache=(bytes: 4096, line_bytes: 256, ways: 4, instruction_bytes: 8)'`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct InstrCacheConfig {
        /// Size and shape.
        pub shape: CacheShape = Inline;
        /// Size of an instruction. A fused instruction takes no space.
        pub instruction_bytes: u32 = 4..=16, "bytes", timing;
    }
}

record_fields! {
    /// Size, shape and replacement policy of a cache.
    CacheShape {
        /// Size: whole sets, at least one.
        bytes: u32 = 16..=1 << 20, "bytes", timing;
        /// Size of a line: a power of two, at most `partition.chunk_bytes`. A line is at least as
        /// long as the lines of the caches in front of this one.
        line_bytes: u32 = 16..=LONGEST_LINE, "bytes", timing;
        /// Number of lines in a set.
        ways: u32 = 1..=1024, "lines", timing;
        /// Replacement policy: the line of a full set that is evicted.
        replacement: Replacement = Or(Policy, Replacement::Lru), timing;
        /// The set of a line.
        index: SetIndex = Or(Choice, SetIndex::Modulo), timing;
    }
}
