//! A whole chip, with its clocks, crossbar, block dispatcher and host link.

use super::schema::forms::{CapabilityText, FeatureList, Flag, Mebibytes, Megahertz, Or, Part, Text};
use super::{Allocation, ClusterConfig, LONG, Limits, PartitionConfig, SmConfig};
use crate::record;
use isa::feature::Features;
use isa::generic::CONST_WINDOW;
use isa::types::Capability;

/// Longest latency of the host link, in nanoseconds.
const LONG_NS: u64 = 1_000_000_000;

record! {
    /// A whole chip.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Chip {
        /// Short name, which reports show.
        pub name: String = Text;
        /// Board with this chip, such as `GeForce 8800 GTX`.
        pub board: String = Text;
        /// Compute capability.
        pub capability: Capability = CapabilityText, meaning;
        /// Whether programs run on the chip. For a chip that is not simulated only the occupancy is
        /// known, and every launch is refused.
        pub simulated: bool = Flag, meaning;
        /// Instructions after Fermi that the chip has, in groups. They have the costs of their
        /// timing classes, not the costs on a later chip. PTX of a later target runs if the
        /// chip has all its instructions.
        pub features: Features = Or(FeatureList, Features::NONE), meaning;
        /// Clock frequencies.
        pub clocks: Clocks = Part;
        /// Largest launch that the chip accepts.
        pub limits: Limits = Part;
        /// Allocation of an SM's registers and shared memory to blocks.
        pub allocation: Allocation = Part;
        /// Number of clusters of SMs.
        pub clusters: u32 = 1..=64, "clusters", timing;
        /// One cluster.
        pub cluster: ClusterConfig = Part;
        /// One SM.
        pub sm: SmConfig = Part;
        /// Crossbar between the clusters and the memory partitions.
        pub crossbar: CrossbarConfig = Part;
        /// Number of memory partitions. `partition.map` decides which partition owns which chunk
        /// of memory; no program can see the difference.
        pub partitions: u32 = 1..=64, "partitions", timing;
        /// One memory partition.
        pub partition: PartitionConfig = Part;
        /// Block dispatcher.
        pub dispatch: DispatchConfig = Part;
        /// Size of the board's memory. Programs can allocate what error correction leaves of it
        /// (see `partition.dram.ecc_bursts`), at most 4096 MiB; from compute capability 2.0 on
        /// without the last 48 of these, which are the windows of generic addresses.
        pub memory_bytes as "memory_mib": u64 = Mebibytes(1..=65536), "MiB", meaning;
        /// Host link.
        pub pcie: PcieConfig = Part;
    }

    /// Clock frequencies, exact to the kHz. The period of the shader clock, the shader cycle, is
    /// the simulator's unit of time: cycle n of a domain with frequency f begins at shader cycle
    /// ceil(n x shader clock / f). Several cycles of a faster clock begin in one shader cycle.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Clocks {
        /// Shader clock: the clock of the SMs.
        pub shader_khz as "shader_mhz": u64 = Megahertz, "MHz", timing;
        /// Core clock: the clock of the partitions' input arbiters.
        pub core_khz as "core_mhz": u64 = Megahertz, "MHz", timing;
        /// Clock of the DRAM commands. Data is transferred on both edges.
        pub memory_khz as "memory_mhz": u64 = Megahertz, "MHz", timing;
    }

    /// The crossbar between the clusters and the memory partitions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct CrossbarConfig {
        /// Shortest time from the sender to the receiver of a message. It is also the window within
        /// which the components of the simulator run independently.
        pub latency: u32 = 1..=10_000, "shader cycles", timing;
        /// Messages that one link between a cluster and a partition holds, on the wire and in the
        /// receiver's queue. The port of the cluster is slowed down by a depth below
        /// 2 x `crossbar.latency` / `cluster.port_request_cycles`. The warning `E0521` reports
        /// links that limit the throughput of DRAM.
        pub depth: u32 = 1..=65536, "messages", timing;
    }

    /// The block dispatcher.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct DispatchConfig {
        /// Time from the launch to the departure of the first block: at least
        /// 2 x `crossbar.latency`.
        pub launch_cycles: u32 = 2..=LONG, "shader cycles", timing;
        /// Time between two blocks.
        pub block_cycles: u32 = 1..=LONG, "shader cycles", timing;
        /// Number of kernels of different streams that may run at the same time.
        pub concurrent_kernels: u32 = 1..=16, "kernels", timing;
    }

    /// The link between the host and the device.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PcieConfig {
        /// Bandwidth in each direction, for pinned host memory.
        pub bytes_per_second: u64 = 1000..=1 << 50, "bytes/s", timing;
        /// Bandwidth in each direction for pageable host memory, which the driver copies through a
        /// pinned buffer. A value above `pcie.bytes_per_second` has no effect.
        pub pageable_bytes_per_second: u64 = 1000..=1 << 50, "bytes/s", timing;
        /// Time before the first byte of a copy.
        pub latency_ns: u64 = 0..=LONG_NS, "ns", timing;
        /// Time from the launch call of the host to the start of the kernel. The host makes its
        /// next call after this time.
        pub launch_ns: u64 = 0..=LONG_NS, "ns", timing;
        /// Time from the end of the work for which the host waits (`cudaThreadSynchronize`) to the
        /// next call of the host.
        pub sync_ns: u64 = 0..=LONG_NS, "ns", timing;
        /// Number of copy engines, which copy while kernels run. With 2, each direction has one.
        /// With 1, copies take turns. With 0, copies and kernels take turns.
        pub copy_engines: u32 = 0..=2, "engines", timing;
        /// Whether kernels can access host memory over the link (`canMapHostMemory`).
        pub mapped: bool = Flag, meaning;
        /// Time from the last byte of a request of a kernel to the reply of the host, over the link
        /// and back. Has no effect without `pcie.mapped`.
        pub mapped_ns: u64 = 1..=LONG_NS, "ns", timing;
        /// Whether the board copies directly to another board that does so too. Other boards copy
        /// through the host's memory.
        pub peer: bool = Flag, timing;
    }
}

impl Chip {
    /// Bytes of device memory that can be allocated: without the part for error correction, and of
    /// 4 GiB at most. From compute capability 2.0 on, the windows of generic addresses at the top
    /// of 4 GiB are not device memory.
    pub fn usable_bytes(&self) -> u64 {
        let data = match u64::from(self.partition.dram.ecc_bursts) {
            0 => self.memory_bytes,
            data => self.memory_bytes / (data + 1) * data,
        };
        data.min(self.addresses())
    }

    /// Number of addresses of global memory: 4 GiB, from compute capability 2.0 on without the
    /// windows of generic addresses. Mapped host memory has the last of them.
    pub fn addresses(&self) -> u64 {
        if self.capability >= Capability::new(2, 0) { CONST_WINDOW.into() } else { 1 << 32 }
    }
}
