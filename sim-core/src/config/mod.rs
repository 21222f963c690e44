//! A checked chip: plain numbers, each unit's in a struct of its own, with units in the field's
//! documentation.
//!
//! [`tree`] turns RON text into nodes with places, [`base`] lays a chip over the one that it is
//! based on, [`set`] lays `--set` arguments over them, [`read`] asks them for typed values,
//! [`mod@file`] knows which value stands where, and [`check`] holds the rules over several values.
//! All complaints come at once, each with its place, in [`source::Complaints`]. Fields marked
//! **meaning** can change what a kernel computes or whether it may run; all others are **timing**:
//! for an ordered launch they change nothing but cycles (see `docs/MODEL.md`). "Hot cycle" is one
//! period of the shader clock, the simulator's unit of time.
//!
//! Invariant `occupancy-only-chips`: A chip of which only the occupancy is known runs nothing.

pub mod base;
pub mod builtin;
pub mod caches;
pub mod check;
pub mod codes;
pub mod data_caches;
pub mod execution;
pub mod file;
pub mod launch;
mod policy;
pub mod read;
pub mod set;
pub mod source;
pub mod tree;
mod units;

pub use crate::cache::CacheShape;
pub use crate::words::Worded;
pub use caches::{ConstCacheConfig, ConstLevelConfig, InstrCacheConfig, TlbConfig, TlbLevelConfig};
pub use data_caches::{CachePreference, L1Config, L2Config, Split};
pub use execution::{FirstPath, OperandConfig, OperandsConfig};
pub use launch::{Allocation, Limits, RegisterScope};
pub use policy::PolicyKind;

use crate::words::words;
use isa::generic::CONST_WINDOW;
use isa::types::Capability;
use isa::uop::Class;
pub use units::{ClassCost, MAX_SCHEDULERS, MAX_UNITS, SecondCost, SecondPort, UnitConfig};

/// Bytes of the smallest transaction of global memory.
pub const SEGMENT: u32 = 32;

/// The most bytes that the transactions of one message have: an uncoalesced half-warp's on cc 1.0.
pub const LONGEST_TRAIN: u32 = 16 * SEGMENT;

/// Largest request queue and most banks of a DRAM channel.
pub const MAX_QUEUE: u32 = 64;

/// A whole chip.
#[derive(Clone, Debug, PartialEq)]
pub struct Chip {
    /// Short name, such as `g80`.
    pub name: String,
    /// The board it stands for, such as `GeForce 8800 GTX`.
    pub board: String,
    /// Compute capability. **Meaning.**
    pub capability: Capability,
    /// Programs run on it; of a chip that is not simulated only the occupancy is known.
    /// **Meaning.**
    pub simulated: bool,
    /// Clocks.
    pub clocks: Clocks,
    /// Limits of a launch. **Meaning.**
    pub limits: Limits,
    /// How registers and shared memory are handed out. **Meaning** (a launch may not fit).
    pub allocation: Allocation,
    /// How many clusters.
    pub clusters: u32,
    /// One cluster.
    pub cluster: ClusterConfig,
    /// One SM.
    pub sm: SmConfig,
    /// The crossbar between clusters and partitions.
    pub crossbar: CrossbarConfig,
    /// How many memory partitions. **Meaning** only in who owns which chunk, which no program can
    /// see.
    pub partitions: u32,
    /// One partition.
    pub partition: PartitionConfig,
    /// The block dispatcher.
    pub dispatch: DispatchConfig,
    /// Bytes of device memory (at most 4 GiB). **Meaning.**
    pub memory_bytes: u64,
    /// Host link.
    pub pcie: PcieConfig,
}

/// Clock frequencies in kHz; cycle n of a domain with frequency f begins at hot cycle ceil(n · hot
/// / f).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Shader clock.
    pub hot_khz: u64,
    /// Core clock: crossbar, partitions.
    pub core_khz: u64,
    /// DRAM command clock.
    pub memory_khz: u64,
}

/// A cluster: some SMs behind one crossbar port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterConfig {
    /// SMs.
    pub sms: u32,
    /// Hot cycles that the port needs for one request packet header.
    pub port_request_cycles: u32,
    /// Bytes of store data that the port sends in a hot cycle.
    pub port_bytes_per_cycle: u32,
    /// Bytes of reply data that the cluster takes in a hot cycle.
    pub reply_bytes_per_cycle: u32,
    /// Requests with a reply (loads, fences) that may be on their way at once: room reserved for
    /// their replies.
    pub reply_room: u32,
    /// What its SMs' constant and instruction caches share.
    pub const_cache: Option<ConstLevelConfig>,
    /// Translation of addresses; without it every page is known.
    pub tlb: Option<TlbConfig>,
}

/// One SM.
#[derive(Clone, Debug, PartialEq)]
pub struct SmConfig {
    /// Warp slots.
    pub max_warps: u32,
    /// Block slots.
    pub max_blocks: u32,
    /// Thread slots.
    pub max_threads: u32,
    /// 32-bit registers.
    pub registers: u32,
    /// Bytes of shared memory.
    pub shared_bytes: u32,
    /// Warp schedulers. A warp belongs to scheduler (slot mod schedulers).
    pub schedulers: u32,
    /// Hot cycles between two issues of one scheduler.
    pub issue_period: u32,
    /// Which warp goes first.
    pub policy: PolicyKind,
    /// Hot cycles from the arrival of a block to the first issue of its warps.
    pub block_start_cycles: u32,
    /// Execution units.
    pub units: Vec<UnitConfig>,
    /// For each instruction class (by number) what it costs.
    pub classes: [ClassCost; Class::COUNT],
    /// Shared memory.
    pub shared: SharedConfig,
    /// Load/store unit.
    pub lsu: LsuConfig,
    /// Hot cycles from the last warp's arrival at a barrier to the first issue after it.
    pub barrier_cycles: u32,
    /// **Meaning**: which side of a divergent branch runs first.
    pub first_path: FirstPath,
    /// What a scheduler's second dispatch port issues.
    pub second_port: SecondPort,
    /// What operands of arithmetic cost that do not come from registers.
    pub operands: OperandsConfig,
    /// Constant cache; without one constants are read in the time of a hit.
    pub const_cache: Option<ConstCacheConfig>,
    /// L1; without one every load goes to the partitions.
    pub l1: Option<L1Config>,
    /// Instruction cache; without one every instruction is there.
    pub instr_cache: Option<InstrCacheConfig>,
}

impl Chip {
    /// Bytes of device memory that can be handed out: from compute capability 2.0 on nothing lies
    /// in the windows of generic addresses, at the top of 4 GiB.
    pub fn usable_bytes(&self) -> u64 {
        let generic = self.capability >= Capability::new(2, 0);
        if generic { self.memory_bytes.min(CONST_WINDOW.into()) } else { self.memory_bytes }
    }
}

/// Shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedConfig {
    /// Banks of 32-bit words.
    pub banks: u32,
    /// Lanes whose accesses are resolved together: 16 (half-warp) on cc 1.x.
    pub group: u32,
    /// Hot cycles for one conflict-free pass of a group.
    pub pass_cycles: u32,
    /// Bank rules of the generation.
    pub rule: BankRule,
    /// Hot cycles by which each pass beyond the least makes a load later.
    pub conflict_latency: u32,
    /// Issue slots of an atomic's loop, run again for each further turn at a word that several
    /// lanes change.
    pub retry_slots: u32,
    /// Hot cycles for one pass of an atomic: a load that locks, or a store that unlocks.
    pub atomic_pass_cycles: u32,
}

/// How lanes of one pass are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankRule {
    /// cc 1.x: one word is broadcast, and each other bank serves one address.
    OneBroadcast,
    /// cc 2.x: every bank serves one word, to all lanes that ask for it.
    Multicast,
}

/// Load/store unit of an SM: takes global accesses in issue order and makes transactions of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LsuConfig {
    /// Warp instructions that fit into its queue.
    pub queue: u32,
    /// Hot cycles from issue to the first transaction.
    pub latency: u32,
    /// Hot cycles per transaction.
    pub transaction_cycles: u32,
    /// Lanes that are coalesced together: 16 (half-warp) on cc 1.x, 32 (warp) on cc 2.x.
    pub group: u32,
    /// The generation's coalescing rule.
    pub rule: CoalesceRule,
    /// Strict rule only: lanes of an uncoalesced group that read the same word share one transfer.
    pub same_word_once: bool,
}

words! {
    /// Coalescing rules (CUDA C Programming Guide 5.5, G.3.2 and G.4.2).
    pub enum CoalesceRule {
        /// cc 1.0 and 1.1: lane k must access word k of one aligned segment, else one 32-byte
        /// transaction per lane.
        Strict = "strict",
        /// cc 1.2 and 1.3: the segments that the lanes touch, each shrunk to the half or quarter
        /// that is used.
        Segments = "segments",
        /// cc 2.x: the 128-byte lines that the lanes touch; of a line that is written the touched
        /// 32-byte sectors.
        Lines = "lines",
    }
}

impl CoalesceRule {
    /// Lanes that the rule coalesces together, which `sm.lsu.group` must be, and the reason in
    /// words.
    pub const fn group(self) -> (u32, &'static str) {
        match self {
            Self::Strict => (16, "the strict rule coalesces half-warps"),
            Self::Segments => (16, "the segments rule coalesces half-warps"),
            Self::Lines => (32, "the lines rule coalesces warps"),
        }
    }

    /// Whether its messages are for lines, as caches of global memory need them.
    pub const fn makes_lines(self) -> bool {
        match self {
            Self::Strict | Self::Segments => false,
            Self::Lines => true,
        }
    }
}

/// The crossbar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrossbarConfig {
    /// Least hot cycles from sender to receiver: the window in which islands run alone.
    pub latency: u32,
    /// Messages that one link (cluster to partition) holds, on the wire and in the receiver's
    /// queue.
    pub depth: u32,
}

/// One memory partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionConfig {
    /// Consecutive bytes that one partition owns. A power of two.
    pub chunk_bytes: u32,
    /// Which partition owns which chunk.
    pub map: MapKind,
    /// Core-clock cycles for one transaction at the input arbiter, the point of order.
    pub arbiter_cycles: u32,
    /// Bytes of data that a request brings to the arbiter in a core-clock cycle, beside
    /// `arbiter_cycles`; 0: all at once.
    pub input_bytes_per_cycle: u32,
    /// Hot cycles between the arbiter and the DRAM queue, and back together: what the pipeline adds
    /// to a load.
    pub pipeline_cycles: u32,
    /// Reply bytes that leave in a hot cycle.
    pub reply_bytes_per_cycle: u32,
    /// Hot cycles that a reply occupies the port for beside its data.
    pub reply_header_cycles: u32,
    /// The DRAM channel.
    pub dram: DramConfig,
    /// Hot cycles between two atomics on the same word.
    pub atomic_cycles: u32,
    /// L2; without one everything goes to the DRAM.
    pub l2: Option<L2Config>,
    /// Its part of the chip's cache of constants and code.
    pub const_cache: Option<ConstLevelConfig>,
}

/// How chunks are spread over the partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapKind {
    /// G80, GT200: in turn, always in the same order.
    Modulo,
    /// Fermi: in turn, each round beginning at another partition.
    Hashed,
}

/// A DRAM channel; all times in command clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DramConfig {
    /// Banks.
    pub banks: u32,
    /// Bytes of one row (all chips of the channel together).
    pub row_bytes: u32,
    /// Bytes that one burst moves.
    pub burst_bytes: u32,
    /// Groups of banks: column commands to one group keep tCCDL between them, others tCCD (GDDR5).
    /// 1: no groups.
    pub bank_groups: u32,
    /// Banks over which consecutive pieces of `interleave_bytes` go round, before a bank's next
    /// column. 1: none.
    pub interleaved_banks: u32,
    /// Bytes of such a piece.
    pub interleave_bytes: u32,
    /// Error correction keeps its bits beside the data: one more burst is moved for each so many.
    /// 0: it is off.
    pub ecc_bursts: u32,
    /// Requests that the scheduler sees.
    pub queue: u32,
    /// A request older than this many command clocks goes first, row hit or not.
    pub starvation: u32,
    /// The timing table.
    pub timing: DramTiming,
}

/// DRAM timing in command clocks, under the data sheets' names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DramTiming {
    /// Column command to column command; also the data bus time of a burst.
    pub ccd: u32,
    /// Column command to column command of the same group of banks, where there are groups.
    pub ccdl: u32,
    /// Activate to activate, different banks.
    pub rrd: u32,
    /// Activate to column command.
    pub rcd: u32,
    /// Activate to precharge.
    pub ras: u32,
    /// Precharge to activate.
    pub rp: u32,
    /// Activate to activate, same bank.
    pub rc: u32,
    /// Read command to first data.
    pub cl: u32,
    /// Write command to first data.
    pub wl: u32,
    /// Last write data to read command.
    pub cdlr: u32,
    /// Last write data to precharge.
    pub wr: u32,
    /// Last read command to precharge.
    pub rtp: u32,
    /// Average interval of refreshes (0: none).
    pub refi: u32,
    /// Duration of a refresh of all banks.
    pub rfc: u32,
}

/// The block dispatcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DispatchConfig {
    /// Hot cycles from launch to the first block's departure.
    pub launch_cycles: u32,
    /// Hot cycles between two blocks.
    pub block_cycles: u32,
    /// Kernels of different streams that may be under way together.
    pub concurrent_kernels: u32,
}

/// The host link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PcieConfig {
    /// Bytes per second, each way.
    pub bytes_per_second: u64,
    /// Nanoseconds before a copy's first byte.
    pub latency_ns: u64,
    /// Nanoseconds from the host's launch call to the kernel's start.
    pub launch_ns: u64,
    /// Copy engines, which work beside kernels: 0, 1 or 2 (one for each direction).
    pub copy_engines: u32,
}

/// Threads of a warp. Every chip of the era has 32, and masks are 32 bits wide.
pub const WARP_SIZE: u32 = 32;

#[cfg(test)]
mod tests;
