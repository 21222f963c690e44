//! Messages between clusters and partitions. Plain data, sent by value; the arrival cycles are sent
//! together with the messages.

use crate::state::{CloneFrom, Part, Value};
use isa::sem::atomic::Operation;

/// Kind of a request to a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub enum RequestKind {
    /// Reads the lanes' values and returns them in a reply.
    Load,
    /// Writes the lanes' values; no reply.
    Store,
    /// Fence: the partition replies when it accepts the fence. All earlier requests on this link
    /// are ordered then.
    Fence,
    /// Changes the lanes' words in ascending order, and returns the old values in a reply.
    Atomic(Operation),
    /// Changes the lanes' words in ascending order; no reply.
    Reduction(Operation),
    /// Reads sectors of a line of 128 bytes for an L1; the offsets and the reply have the words
    /// of the whole line. For local memory only the timing is modeled.
    Fill {
        /// Whether the line is of local memory.
        local: bool,
    },
    /// Models the timing of a load from local memory. The values are stored in the SM.
    LocalLoad,
    /// Models the timing of a store to local memory. It changes no value.
    LocalStore,
    /// Models the timing of a read of a line of constant memory or of code. The values are part of
    /// the launch.
    Line,
    /// Models the timing of a read of a line of a texture. The values are part of the launch.
    Texture,
}

impl RequestKind {
    /// Whether the request has a reply.
    #[inline]
    pub fn answered(self) -> bool {
        let reads =
            matches!(self, Self::Load | Self::Fill { .. } | Self::LocalLoad | Self::Line | Self::Texture);
        reads || matches!(self, Self::Fence | Self::Atomic(_))
    }

    /// Whether the request carries data in whole transactions, as stores do. The operands of
    /// atomics are charged with their header.
    pub fn carries_data(self) -> bool {
        matches!(self, Self::Store | Self::LocalStore)
    }

    /// Whether the request writes memory that other SMs can read.
    #[inline]
    pub fn writes(self) -> bool {
        matches!(self, Self::Store | Self::Atomic(_) | Self::Reduction(_))
    }

    /// Whether the request causes a DRAM read.
    pub fn reads_dram(self) -> bool {
        let reads =
            matches!(self, Self::Load | Self::Fill { .. } | Self::LocalLoad | Self::Line | Self::Texture);
        reads || matches!(self, Self::Atomic(_) | Self::Reduction(_))
    }

    /// Whether the request causes a DRAM write.
    pub fn writes_dram(self) -> bool {
        self.writes() || self == Self::LocalStore
    }

    /// Number of 32-bit words in the request for each lane that accesses `bytes` bytes.
    pub fn words(self, bytes: u32) -> u32 {
        match self {
            Self::Load | Self::Fill { .. } | Self::LocalLoad | Self::Line | Self::Texture | Self::Fence => 0,
            Self::Atomic(Operation::Cas) | Self::Reduction(Operation::Cas) => 2 * bytes.div_ceil(4),
            Self::Store | Self::LocalStore | Self::Atomic(_) | Self::Reduction(_) => bytes.div_ceil(4),
        }
    }
}

/// Largest number of one-word lanes in a request: a whole line of cc 2.x.
pub const REQUEST_LANES: usize = 32;

/// Largest number of different 16-byte words in a request: a segment or line of 128 bytes.
pub const QUADS: usize = REQUEST_LANES / 4;

/// Index in the data of the four words of the k-th lane, as stored in `quads`.
pub fn quad(quads: u64, k: usize) -> usize {
    4 * (quads >> (4 * k) & 0xf) as usize % REQUEST_LANES
}

/// One request from a cluster to a partition: one or several transactions of one warp instruction
/// in one chunk (256 bytes, hence in one partition and one DRAM row). Each transaction is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub struct Request {
    /// Kind of the request.
    pub kind: RequestKind,
    /// SM within its cluster; it receives the reply.
    pub sm: u8,
    /// The sender's identifier of the access; the reply contains it.
    pub tag: u16,
    /// Bytes per lane: 1, 2, 4, 8, 16. If several lanes write the same bytes, the highest lane
    /// wins.
    pub bytes: u8,
    /// Number of transactions by the coalescing rule, as charged in the load/store unit.
    pub transactions: u8,
    /// Number of transfers charged in the arbiter: fewer if lanes that read one word share a
    /// transfer.
    pub transfers: u8,
    /// Number of DRAM bursts to charge (32 bytes each on G80).
    pub bursts: u8,
    /// Under the rule of lines: bit mask of the 32-byte sectors that the request transfers of its
    /// 128-byte line. Else 0.
    pub sectors: u8,
    /// Active lanes of the warp: at most [`REQUEST_LANES`]. For accesses of 8 or 16 bytes and for
    /// `cas` at most half of that; for 8-byte `cas` at most a quarter. Accesses of 16 bytes have at
    /// most [`QUADS`] different addresses.
    pub lanes: u32,
    /// Address of the first byte of the chunk, or of the line of constants or code.
    pub chunk: u32,
    /// Byte offset within the chunk of the k-th lowest lane of `lanes`.
    pub offset: [u8; REQUEST_LANES],
    /// For an access of 16 bytes: position of the k-th lowest lane's words in the data, four bits
    /// for each lane. Lanes with one address share a position.
    pub quads: u64,
}

/// Data of a request that writes ([`RequestKind::writes`]), or of a reply. Word k belongs to the
/// k-th lowest lane; for 8-byte accesses words 2k (low) and 2k + 1 (high); for 16-byte accesses
/// four words from 4q on, where `quads` contains q. The operands of an atomic are stored likewise;
/// `cas` has the compare value followed by the new value. There are no data for local memory, but
/// its stores are charged for them.
pub type Words = [u32; REQUEST_LANES];

impl Request {
    /// A fence from SM `sm` of a cluster, with tag `tag`.
    pub fn fence(sm: u8, tag: u16) -> Self {
        Self::of_no_lane(RequestKind::Fence, sm, tag)
    }

    /// A request by the shared cache of a cluster for the line of constant memory or of code at
    /// `address`. The line has `bursts` bursts.
    pub fn line(tag: u16, address: u32, bursts: u8) -> Self {
        Self { chunk: address, bursts, ..Self::of_no_lane(RequestKind::Line, 0, tag) }
    }

    /// A request by the texture cache of a cluster for the line at `address`, which has `bursts`
    /// bursts.
    pub fn texture(tag: u16, address: u32, bursts: u8) -> Self {
        Self { chunk: address, bursts, ..Self::of_no_lane(RequestKind::Texture, 0, tag) }
    }

    fn of_no_lane(kind: RequestKind, sm: u8, tag: u16) -> Self {
        Self {
            kind,
            sm,
            tag,
            bytes: 4,
            transactions: 1,
            transfers: 1,
            bursts: 0,
            sectors: 0,
            lanes: 0,
            chunk: 0,
            offset: [0; REQUEST_LANES],
            quads: 0,
        }
    }
}

const _: () = assert!(size_of::<Request>() <= 64, "requests are copied several times");

/// A partition's reply to a load, an atomic or a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub struct Reply {
    /// Kind of the request.
    pub kind: RequestKind,
    /// SM within its cluster.
    pub sm: u8,
    /// The request's tag.
    pub tag: u16,
    /// Bytes per lane.
    pub bytes: u8,
    /// Bytes for which the reply occupies the links (the sizes of the transactions).
    pub wire_bytes: u16,
    /// The request's lanes.
    pub lanes: u32,
    /// Positions of 16-byte words, as in the request.
    pub quads: u64,
    /// Loaded values, or the old values of an atomic. Values narrower than 32 bits are
    /// zero-extended.
    pub data: Words,
}

impl Reply {
    /// A reply to a fence of the first SM, to be overwritten.
    pub const EMPTY: Self = Self {
        kind: RequestKind::Fence,
        sm: 0,
        tag: 0,
        bytes: 4,
        wire_bytes: 0,
        lanes: 0,
        quads: 0,
        data: [0; REQUEST_LANES],
    };

    /// Makes this the reply to `request`, without its data, which would be expensive to copy.
    #[inline]
    pub fn answer(&mut self, request: &Request, bytes_on_wire: u16) {
        self.kind = request.kind;
        self.sm = request.sm;
        self.tag = request.tag;
        self.bytes = request.bytes;
        self.wire_bytes = bytes_on_wire;
        self.lanes = request.lanes;
        self.quads = request.quads;
    }

    /// For a load of 16 bytes: four words for each lane; the k-th lowest lane has the words from 4k
    /// on.
    pub fn quad_words(&self) -> [u32; 2 * REQUEST_LANES] {
        let mut words = [0; _];
        for (k, words) in words.chunks_exact_mut(4).enumerate() {
            words.copy_from_slice(&self.data[quad(self.quads, k)..][..4]);
        }
        words
    }
}

/// Messages from a partition to one cluster. Arrival cycles never decrease in either list. A credit
/// does not occupy the capacity of a reply: each request has one.
#[derive(CloneFrom, Debug, Default, PartialEq, Eq, Value)]
pub struct FromPartition {
    /// Arrival cycle and reply: the values of a load or atomic, or the reply to a fence.
    pub replies: Vec<(u64, Reply)>,
    /// Arrival cycles of credits: the partition has accepted a request from the link, and one link
    /// entry is free again.
    pub credits: Vec<u64>,
}

impl FromPartition {
    /// Whether there is no message to send.
    pub fn is_empty(&self) -> bool {
        self.replies.is_empty() && self.credits.is_empty()
    }
}

/// Messages from one partition to each cluster.
#[derive(CloneFrom, Debug, Default, Part)]
pub struct PartitionOutbox {
    /// Indexed by cluster.
    pub to_cluster: Vec<FromPartition>,
    /// Clusters with messages.
    pub receivers: Vec<usize>,
}

impl PartitionOutbox {
    /// An outbox for `clusters` receiving clusters.
    pub fn new(clusters: usize) -> Self {
        Self { to_cluster: vec![FromPartition::default(); clusters], receivers: Vec::with_capacity(clusters) }
    }

    /// Increases the number of receiving clusters to `clusters`.
    pub fn add_receivers(&mut self, clusters: usize) {
        self.to_cluster.resize(clusters, FromPartition::default());
    }

    /// Returns the messages to `cluster`, of which one must be added.
    #[inline]
    pub fn to(&mut self, cluster: usize) -> &mut FromPartition {
        let messages = &mut self.to_cluster[cluster];
        if messages.is_empty() {
            self.receivers.push(cluster);
        }
        messages
    }
}

/// Message from the dispatcher to a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub enum ToCluster {
    /// A block to start on an SM.
    Block {
        /// SM within the cluster.
        sm: u8,
        /// Linear number of the block in the grid.
        block: u64,
    },
    /// The last block has retired: send a fence on every link, and reply when all fence replies
    /// have arrived.
    Drain,
}

/// Message from a cluster to the dispatcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub enum FromCluster {
    /// A block has retired.
    BlockDone {
        /// SM within the cluster.
        sm: u8,
        /// Number of further blocks that the SM accepts: 1 unless a throttle decides otherwise.
        places: u32,
    },
    /// All requests of the cluster have been ordered.
    Drained,
}

/// Messages from one cluster to one partition.
#[derive(CloneFrom, Debug, Default, Value)]
pub struct ToPartition {
    /// Arrival cycles and requests.
    pub requests: Vec<(u64, Request)>,
    /// The data of those requests that write, in their order.
    pub words: Vec<Words>,
}

impl ToPartition {
    /// Adds a request with its arrival; `words` is `None` if it writes nothing.
    #[inline]
    pub fn push(&mut self, arrival: u64, request: &Request, words: Option<&Words>) {
        debug_assert_eq!(words.is_some(), request.kind.writes(), "only writes have data");
        self.requests.push((arrival, *request));
        self.words.extend(words);
    }
}

/// Messages from one cluster: (arrival cycle, message). Arrival cycles never decrease per receiver.
#[derive(CloneFrom, Debug, Default, Value)]
pub struct ClusterOutbox {
    /// Indexed by partition.
    pub to_partition: Vec<ToPartition>,
    /// Partitions with messages.
    pub receivers: Vec<usize>,
    /// Messages to the dispatcher.
    pub to_dispatcher: Vec<(u64, FromCluster)>,
}

impl ClusterOutbox {
    /// An outbox for `partitions` receiving partitions and the dispatcher.
    pub fn new(partitions: usize) -> Self {
        Self {
            to_partition: vec![ToPartition::default(); partitions],
            receivers: Vec::with_capacity(partitions),
            to_dispatcher: Vec::new(),
        }
    }

    /// Returns the messages to `partition`, of which one must be added.
    #[inline]
    pub fn to(&mut self, partition: usize) -> &mut ToPartition {
        let messages = &mut self.to_partition[partition];
        if messages.requests.is_empty() {
            self.receivers.push(partition);
        }
        messages
    }
}
