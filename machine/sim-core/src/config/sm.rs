//! A streaming multiprocessor: slots, schedulers, and the records of its units, classes, memories
//! and caches.

use super::schema::forms::{Choice, Or, Part, PartOrNone, Policy};
use super::schema::units::{Classes, Units};
use super::{
    ClassCost, ConstCacheConfig, FirstPath, InstrCacheConfig, L1Config, LONG, LsuConfig, MAX_SCHEDULERS,
    OperandsConfig, PolicyKind, SecondPort, Throttle, UnitConfig,
};
use crate::record;
use crate::words::words;
use isa::uop::Class;

record! {
    /// A streaming multiprocessor (SM).
    #[derive(Clone, Debug, PartialEq)]
    pub struct SmConfig {
        /// Number of warp slots.
        pub max_warps: u32 = 1..=64, "warps", meaning;
        /// Number of block slots.
        pub max_blocks: u32 = 1..=64, "blocks", meaning;
        /// Number of thread slots, normally 32 x `sm.max_warps`.
        pub max_threads: u32 = 1..=2048, "threads", meaning;
        /// Size of the register file, in registers of 32 bits.
        pub registers: u32 = 32..=1 << 20, "registers", meaning;
        /// Size of shared memory.
        pub shared_bytes: u32 = 0..=1 << 20, "bytes", meaning;
        /// Number of warp schedulers. The warp in slot s belongs to scheduler s mod
        /// `sm.schedulers`: of two schedulers, one has the even slots and one the odd slots.
        pub schedulers: u32 = 1..=MAX_SCHEDULERS as u32, "schedulers", timing;
        /// Time between two issue cycles of a scheduler.
        pub issue_period: u32 = 1..=64, "shader cycles", timing;
        /// Scheduling policy: the eligible warp that a scheduler selects.
        pub policy as "scheduler": PolicyKind = Policy, timing;
        /// How many of the blocks that fit the SM holds at the same time.
        pub throttle: Throttle = Or(Policy, Throttle::Off), timing;
        /// Time from the arrival of a block to the first issue of its warps.
        pub block_start_cycles: u32 = 0..=LONG, "shader cycles", timing;
        /// Execution units, by name.
        pub units: Vec<UnitConfig> = Units;
        /// Costs of the instructions, by class.
        pub classes: [ClassCost; Class::COUNT] = Classes;
        /// Shared memory.
        pub shared: SharedConfig = Part;
        /// Load/store unit.
        pub lsu: LsuConfig = Part;
        /// Time from the arrival of the last warp at a barrier to the first issue after it.
        pub barrier_cycles: u32 = 0..=LONG, "shader cycles", timing;
        /// Path of a divergent branch that runs first.
        pub first_path: FirstPath = Choice, meaning;
        /// Instructions that a scheduler issues through its second dispatch port. The port issues
        /// only in issue cycles in which the first port issues.
        pub second_port: SecondPort = Choice, timing;
        /// Costs of operands of arithmetic that are read from memory.
        pub operands: OperandsConfig = Part;
        /// Constant cache. Without one, every access to constant memory takes the latency of
        /// `ld_const`, for any addresses.
        pub const_cache: Option<ConstCacheConfig> = PartOrNone;
        /// L1 cache of global and local memory. Without one, every load goes to the partitions.
        pub l1: Option<L1Config> = PartOrNone;
        /// Instruction cache. Without one, no instruction fetch misses.
        pub instr_cache: Option<InstrCacheConfig> = PartOrNone;
    }

    /// Shared memory of an SM.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct SharedConfig {
        /// Number of banks of 32-bit words: a power of two.
        pub banks: u32 = 1..=32, "banks", timing;
        /// Number of lanes whose accesses are resolved together: 16 (a half-warp, capability 1.x)
        /// or 32 (a warp, 2.x). With `multicast`, half as many lanes for words of 8 bytes.
        pub group: u32 = 1..=32, "lanes", timing;
        /// Time of one conflict-free pass of a group.
        pub pass_cycles: u32 = 1..=LONG, "shader cycles", timing;
        /// Rule for bank conflicts.
        pub rule: BankRule = Choice, timing;
        /// Additional latency of the result for each pass that a bank conflict adds. The time of
        /// the banks themselves is `sm.shared.pass_cycles`.
        pub conflict_latency: u32 = 0..=LONG, "shader cycles", timing;
        /// Issue slots of each further iteration of the loop of an atomic. Of several lanes that
        /// change the same word, all but one must try again.
        pub retry_slots: u32 = 0..=255, "issue slots", timing;
        /// Time of one pass of an atomic: a load that locks words or a store that unlocks them.
        pub atomic_pass_cycles: u32 = 1..=LONG, "shader cycles", timing;
    }
}

words! {
    /// Rules for bank conflicts: which lanes one pass serves.
    pub enum BankRule {
        /// Capability 1.x: one word is broadcast, and each other bank serves one address.
        OneBroadcast = "one_broadcast",
        /// Capability 2.x: each bank serves one word, to all lanes that access it.
        Multicast = "multicast",
    }
}
