//! A memory partition and its DRAM channel.

use super::schema::forms::{Choice, IfAny, Or, Part, PartOrNone, Policy};
use super::{ConstLevelConfig, L2Config, LONG, MAX_QUEUE};
use crate::components::Registered;
use crate::components::dram::DramPolicies;
use crate::components::map::Maps;
use crate::record;
use crate::words::{words, words_with_arguments};

record! {
    /// A memory partition: input arbiter, L2, DRAM channel and reply port.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PartitionConfig {
        /// Number of consecutive bytes that one partition owns: a power of two that divides
        /// `partition.dram.row_bytes`.
        pub chunk_bytes: u32 = 128..=65536, "bytes", timing;
        /// Mapping of chunks to partitions.
        pub map: MapKind = Policy, timing;
        /// Time of one transaction at the input arbiter, which is the point of order.
        pub arbiter_cycles: u32 = 1..=LONG, "core-clock cycles", timing;
        /// Store data that the arbiter accepts, in whole transactions, in addition to the time
        /// `partition.arbiter_cycles`. With 0, the data arrives together with the header.
        pub input_bytes_per_cycle: u32 = 0..=4096, "bytes per core-clock cycle", timing;
        /// Time from the arbiter to the DRAM queue and back, both ways together.
        pub pipeline_cycles: u32 = 0..=LONG, "shader cycles", timing;
        /// Reply data that the partition sends.
        pub reply_bytes_per_cycle: u32 = 1..=4096, "bytes per shader cycle", timing;
        /// Time of the reply port for each reply, in addition to the time for its data.
        pub reply_header_cycles: u32 = 0..=LONG, "shader cycles", timing;
        /// DRAM channel.
        pub dram: DramConfig = Part;
        /// The partition's part of the chip's cache of constants and code.
        pub const_cache: Option<ConstLevelConfig> = PartOrNone;
        /// The partition's part of the chip's texture cache. With an L2 it is not used.
        pub texture_cache: Option<ConstLevelConfig> = IfAny(PartOrNone);
        /// Time between two atomics on the same word, in the L2 or, without an L2, on their way to
        /// DRAM.
        pub atomic_cycles: u32 = 1..=LONG, "shader cycles", timing;
        /// The partition's part of the L2. Without an L2, every access goes to DRAM.
        pub l2: Option<L2Config> = PartOrNone;
    }

    /// A DRAM channel, with times in command clocks. The peak bandwidth of the chip in MB/s is
    /// `partitions` x `burst_bytes` x `clocks.memory_mhz` / `timing.ccd`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct DramConfig {
        /// Number of banks: a power of two.
        pub banks: u32 = 1..=MAX_QUEUE, "banks", timing;
        /// Size of one row, of all memory chips of the channel together: a power of two.
        pub row_bytes: u32 = 32..=65536, "bytes", timing;
        /// Size of one burst: a power of two that divides `partition.chunk_bytes`. A transaction
        /// transfers whole bursts.
        pub burst_bytes: u32 = 4..=256, "bytes", timing;
        /// Number of groups of banks, a power of two: column commands to one group keep `ccdl`
        /// between them, others `ccd` (GDDR5). Bank b is in group b mod `bank_groups`. With 1,
        /// there are no groups.
        pub bank_groups: u32 = 1..=MAX_QUEUE, "groups", timing;
        /// Number of banks that hold consecutive pieces of `interleave_bytes` in turn: a power of
        /// two. The next piece after these is in the first bank again. With 1, the bytes of a row
        /// are consecutive.
        pub interleaved_banks: u32 = 1..=MAX_QUEUE, "banks", timing;
        /// Size of such a piece: a power of two, at least as large as a message (a chunk, at most
        /// 256 bytes) and at most as large as a row.
        pub interleave_bytes: u32 = 32..=65536, "bytes", timing;
        /// Error correction: one burst of check bits belongs to this number of bursts of data. It
        /// is transferred with them, and takes its part of `memory_mib`. A write of a part of a
        /// sector (without an L2: of a burst) reads it first. With 0, error correction is off.
        pub ecc_bursts: u32 = 0..=1024, "bursts", meaning;
        /// Which queued request is served first.
        pub scheduler: DramScheduler = Or(Policy, DramScheduler::FrFcfs), timing;
        /// When a row is closed.
        pub page: PagePolicy = Or(Choice, PagePolicy::Open), timing;
        /// Number of requests that the scheduler sees.
        pub queue: u32 = 1..=MAX_QUEUE, "requests", timing;
        /// Age at which a request is served first, whether it hits the open row or not.
        pub starvation: u32 = 1..=LONG, "command clocks", timing;
        /// DRAM timing.
        pub timing: DramTiming = Part;
    }

    /// DRAM timing, with the names of the data sheets.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct DramTiming {
        /// From a column command to the next one; also the time of a burst on the data bus.
        pub ccd: u32 = 1..=LONG, "command clocks", timing;
        /// From a column command to the next one of the same group of banks: at least `ccd`.
        pub ccdl: u32 = 1..=LONG, "command clocks", timing;
        /// From an activate to an activate of another bank.
        pub rrd: u32 = 1..=LONG, "command clocks", timing;
        /// From an activate to the fourth activate that follows, of any bank; 0 for no limit.
        pub faw: u32 = Or(0..=LONG, 0), "command clocks", timing;
        /// From an activate to a column command.
        pub rcd: u32 = 1..=LONG, "command clocks", timing;
        /// From an activate to the precharge.
        pub ras: u32 = 1..=LONG, "command clocks", timing;
        /// From a precharge to an activate.
        pub rp: u32 = 1..=LONG, "command clocks", timing;
        /// From an activate to the next activate of the same bank: at least `ras` + `rp`.
        pub rc: u32 = 1..=LONG, "command clocks", timing;
        /// From a read command to its first data.
        pub cl: u32 = 1..=LONG, "command clocks", timing;
        /// From a write command to its first data.
        pub wl: u32 = 1..=LONG, "command clocks", timing;
        /// From the last write data to a read command.
        pub cdlr: u32 = 1..=LONG, "command clocks", timing;
        /// From the last write data to a precharge.
        pub wr: u32 = 1..=LONG, "command clocks", timing;
        /// From the last read command to a precharge.
        pub rtp: u32 = 1..=LONG, "command clocks", timing;
        /// From a refresh to the next one on average; 0 for no refresh. It must leave time for the
        /// longest request.
        pub refi: u32 = 0..=100 * LONG, "command clocks", timing;
        /// Duration of a refresh of all banks.
        pub rfc: u32 = 0..=LONG, "command clocks", timing;
    }
}

words_with_arguments! {
    /// Schedulers of a DRAM channel.
    pub enum DramScheduler or Registered<DramPolicies> {
        /// First ready, first come, first served: the oldest request for an open row, then the
        /// oldest request (Rixner et al., ISCA 2000).
        FrFcfs = "fr_fcfs",
        /// First come, first served: the oldest request.
        Fcfs = "fcfs",
    }
}

words! {
    /// When the row of a DRAM bank is closed.
    pub enum PagePolicy {
        /// When another row of the bank is needed.
        Open = "open",
        /// After the last queued request for the row: its last column command precharges the bank
        /// too, as soon as the timing allows it, without a command on the bus.
        Closed = "closed",
    }
}

words_with_arguments! {
    /// Mappings of chunks to partitions.
    pub enum MapKind or Registered<Maps> {
        /// G80, GT200: chunk n belongs to partition n mod `partitions`.
        Modulo = "modulo",
        /// Fermi: each round of `partitions` chunks begins at another partition, so that no stride
        /// of addresses stays in one partition.
        Hashed = "hashed",
    }
}
