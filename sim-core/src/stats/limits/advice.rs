//! Meaning of each limit, and advice against it.

use super::Limiter;

impl Limiter {
    /// Meaning of the limit for a launch.
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::IssueRate => "the schedulers issue in most of their slots: the SMs do as much as they can",
            Self::ExecutionUnit => "one kind of execution unit takes in instructions without a pause",
            Self::BankConflicts => {
                "shared accesses are replayed because lanes access different words of one bank"
            }
            Self::ConstantSerialization => {
                "constant accesses are replayed because lanes read different addresses, or warps wait for constants"
            }
            Self::InstructionLatency => {
                "warps wait for results of earlier instructions, and too few others are ready"
            }
            Self::MemoryLatency => {
                "warps wait for global memory whose parts are not busy: too few loads are in flight"
            }
            Self::MemoryPorts => {
                "the path of global accesses is full: load/store units, crossbar ports or partition ports"
            }
            Self::L2Bandwidth => "the L2 looks up as many sectors as it can",
            Self::DramBandwidth => "the DRAM moves as many bytes as it can",
            Self::DramRows => {
                "the DRAM opens and closes rows most of the time: few bytes of each open row are used"
            }
            Self::PartitionCamping => "one memory partition has more work than the others",
            Self::Atomics => "atomics on one word execute one after the other",
            Self::Translation => {
                "messages wait for the translation of their addresses: their pages miss in the TLBs"
            }
            Self::Textures => "the texture units serve fetches without a pause",
            Self::Barriers => "warps wait for other warps of their block",
            Self::ResidentWarps => "too few warps are resident to hide latencies",
            Self::TooLittleWork => {
                "the launch ends sooner than its start-up takes: its time says little about the kernel"
            }
            Self::BlockScheduling => "the launch and the distribution of its blocks take most of the time",
            Self::Imbalance => "some blocks have much more work than others, and the other SMs wait for them",
            Self::Tail => "the grid does not divide evenly: most SMs have no block while the last blocks run",
            Self::Divergence => {
                "lanes of a warp take different paths: the warp executes the paths one after the other"
            }
            Self::InstructionFetch => {
                "warps wait for the next instruction, after branches or for the instruction cache"
            }
            Self::Pcie => {
                "copies between host and device take more than half of the time of the program, or a kernel waits for mapped host memory"
            }
        }
    }

    /// Changes that usually help against the limit. Names in backquotes are metrics.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::IssueRate => {
                "Execute fewer instructions: unroll loops, keep addresses in registers, compute several results per \
                 thread, avoid divergence (`warp_execution_efficiency`) and slow integer division."
            }
            Self::ExecutionUnit => {
                "Use fewer instructions of this unit: keep operands in registers, replace division by multiplication, \
                 and use the faster approximate functions where the accuracy allows it."
            }
            Self::BankConflicts => {
                "Let the lanes of a group access different banks: pad rows by one word, or change the stride \
                 (`shared_replay_overhead`)."
            }
            Self::ConstantSerialization => {
                "Let all lanes of a warp read the same constant in an instruction; read data that differs by lane from \
                 shared or global memory."
            }
            Self::InstructionLatency => {
                "Give each warp independent instructions between a result and its use, or raise the occupancy \
                 (`achieved_occupancy`)."
            }
            Self::MemoryLatency => {
                "Keep more loads in flight (`gld_in_flight`): raise the occupancy (`achieved_occupancy`), issue several \
                 independent loads before the first use, or prefetch."
            }
            Self::MemoryPorts => {
                "Make fewer transactions: coalesce accesses (`gld_transactions_per_request`), and reuse data through \
                 shared memory."
            }
            Self::DramBandwidth => {
                "Move fewer bytes: coalesce (`gld_efficiency`), reuse data through shared memory, registers and caches \
                 (`cgma`)."
            }
            Self::L2Bandwidth => {
                "Read fewer sectors from the L2: coalesce (`gld_transactions_per_request`), and reuse data through \
                 shared memory, registers and the L1."
            }
            Self::DramRows => {
                "Let warps that run at the same time access neighboring addresses: consecutive blocks on consecutive \
                 data, no power-of-two strides between threads or rows."
            }
            Self::PartitionCamping => {
                "Spread the addresses that SMs access at one time: pad rows of matrices, or assign blocks to tiles \
                 diagonally."
            }
            Self::Atomics => {
                "Update fewer times: accumulate in registers or shared memory first, and keep one copy of the result for \
                 each block."
            }
            Self::Translation => {
                "Access fewer pages at the same time: keep the data that warps use together in neighboring addresses."
            }
            Self::Textures => {
                "Make fewer fetches, and let the lanes of a warp read neighboring texels: each line is looked up once."
            }
            Self::Barriers => {
                "Use smaller blocks so that more of them are resident, balance the work of the warps of a block, and \
                 remove barriers that a warp does not need."
            }
            Self::ResidentWarps => {
                "Use fewer registers and less shared memory per block, or another block size (`warpsim occupancy`)."
            }
            Self::TooLittleWork => {
                "Launch more blocks at once: enough for several on each SM, with many elements in all. Join small launches."
            }
            Self::BlockScheduling => {
                "Give each launch more work, and each block more than a few instructions."
            }
            Self::Imbalance => {
                "Divide the work evenly: split large blocks, or let each block take the next piece of work from a counter."
            }
            Self::Tail => {
                "Choose a grid that is a multiple of the number of resident blocks, or use smaller blocks so that the \
                 last ones take less time."
            }
            Self::Divergence => {
                "Let all lanes of a warp take the same path: branch on the number of the warp or the block, and sort \
                 data by path (`warp_execution_efficiency`)."
            }
            Self::InstructionFetch => {
                "Unroll short loops: they have a branch for few instructions. Keep a loop smaller than the instruction cache."
            }
            Self::Pcie => {
                "Keep data on the device between kernels, copy less, or overlap copies and kernels in streams. Copy mapped data that a kernel uses more than once."
            }
        }
    }
}
