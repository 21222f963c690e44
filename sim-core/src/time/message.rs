//! What travels between clusters and partitions. Plain data, sent by value; arrival cycles travel
//! beside it.

use isa::sem::atomic::Operation;

/// What a request asks of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// Read the lanes' values and send them home.
    Load,
    /// Write the lanes' values; no reply.
    Store,
    /// Answer when it is taken: all that came before on this link has been ordered then.
    Fence,
    /// Change the lanes' words, ascending, and send home what each found.
    Atomic(Operation),
    /// Change the lanes' words, ascending; no reply.
    Reduction(Operation),
    /// Read a whole line of 128 bytes, for an L1; of local memory only its time.
    Fill {
        /// Of local memory.
        local: bool,
    },
    /// Local memory is read: takes the time of a load. The values never left the SM.
    LocalLoad,
    /// Local memory is written: takes the time of a store, and changes nothing.
    LocalStore,
    /// A line of constant memory or of code is read: takes time. The values belong to the launch.
    Line,
}

impl RequestKind {
    /// Whether there is a reply.
    pub fn answered(self) -> bool {
        let reads = matches!(self, Self::Load | Self::Fill { .. } | Self::LocalLoad | Self::Line);
        reads || matches!(self, Self::Fence | Self::Atomic(_))
    }

    /// Whether whole transactions of data come with it: those of stores do; what atomics bring is
    /// charged with their header.
    pub fn carries_data(self) -> bool {
        matches!(self, Self::Store | Self::LocalStore)
    }

    /// Whether it writes what others can read.
    pub fn writes(self) -> bool {
        matches!(self, Self::Store | Self::Atomic(_) | Self::Reduction(_))
    }

    /// Whether the DRAM reads for it.
    pub fn reads_dram(self) -> bool {
        let reads = matches!(self, Self::Load | Self::Fill { .. } | Self::LocalLoad | Self::Line);
        reads || matches!(self, Self::Atomic(_) | Self::Reduction(_))
    }

    /// Whether the DRAM writes for it.
    pub fn writes_dram(self) -> bool {
        self.writes() || self == Self::LocalStore
    }

    /// Words of 32 bits that it brings for each lane that accesses `bytes` bytes.
    pub fn words(self, bytes: u32) -> u32 {
        match self {
            Self::Load | Self::Fill { .. } | Self::LocalLoad | Self::Line | Self::Fence => 0,
            Self::Atomic(Operation::Cas) | Self::Reduction(Operation::Cas) => 2 * bytes.div_ceil(4),
            Self::Store | Self::LocalStore | Self::Atomic(_) | Self::Reduction(_) => bytes.div_ceil(4),
        }
    }
}

/// Lanes of words that one request can carry: a whole line of cc 2.x.
pub const REQUEST_LANES: usize = 32;

/// Different words of 16 bytes that one request has room for: a segment or line of 128 bytes.
pub const QUADS: usize = REQUEST_LANES / 4;

/// Where `quads` has the four words of the k-th lane.
pub fn quad(quads: u64, k: usize) -> usize {
    4 * (quads >> (4 * k) & 0xf) as usize % REQUEST_LANES
}

/// One request from a cluster to a partition: one or some transactions of one warp instruction that
/// lie in one chunk (256 bytes, hence in one partition and one DRAM row). Each transaction is
/// charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// What it asks.
    pub kind: RequestKind,
    /// SM within its cluster, to which the reply goes.
    pub sm: u8,
    /// The sender's name for the access; comes back in the reply.
    pub tag: u16,
    /// Bytes per lane: 1, 2, 4, 8, 16. Lanes that write the same bytes: the highest wins.
    pub bytes: u8,
    /// Transactions by the coalescing rule: what the load/store unit works for.
    pub transactions: u8,
    /// What the arbiter is charged: less where lanes that read one word share a transfer.
    pub transfers: u8,
    /// DRAM bursts to charge (32 bytes each on G80).
    pub bursts: u8,
    /// Under the rule of lines: the 32-byte sectors of its line of 128 bytes that it moves, as
    /// bits. Else 0.
    pub sectors: u8,
    /// Lanes of the warp that take part: at most [`REQUEST_LANES`], at most half of them for
    /// accesses of 8 or 16 bytes and for `cas`, at most a quarter for 8-byte `cas`, and those of 16
    /// bytes at most to [`QUADS`] different addresses.
    pub lanes: u32,
    /// First byte of the chunk; of a line of constants or code, of the line.
    pub chunk: u32,
    /// Byte offset within the chunk of the k-th lowest lane of `lanes`.
    pub offset: [u8; REQUEST_LANES],
    /// Of an access of 16 bytes: where in the data the k-th lowest lane's words are, four bits for
    /// each lane. Lanes with one address share them.
    pub quads: u64,
    /// Store data of the k-th lowest lane: word k, or words 2k (low) and 2k + 1 (high) for 8-byte
    /// accesses, or four words from 4q on for those of 16 bytes, where `quads` says q. An atomic's
    /// operands likewise; for `cas` what it compares with and what it puts in, one behind the
    /// other. Nothing for local memory, whose stores are charged for their data all the same.
    pub data: [u32; REQUEST_LANES],
}

impl Request {
    /// A fence from SM `sm` of a cluster, named `tag`.
    pub fn fence(sm: u8, tag: u16) -> Self {
        Self::of_no_lane(RequestKind::Fence, sm, tag)
    }

    /// A request for the line of constant memory or of code at `address`, of `bursts` bursts, by
    /// what the SMs of a cluster share.
    pub fn line(tag: u16, address: u32, bursts: u8) -> Self {
        Self { chunk: address, bursts, ..Self::of_no_lane(RequestKind::Line, 0, tag) }
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
            data: [0; REQUEST_LANES],
        }
    }
}

/// A partition's answer to a load, an atomic or a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What it answers.
    pub kind: RequestKind,
    /// SM within its cluster.
    pub sm: u8,
    /// The request's tag.
    pub tag: u16,
    /// Bytes per lane.
    pub bytes: u8,
    /// Bytes that the reply occupies the links for (the transactions' sizes).
    pub wire_bytes: u16,
    /// The request's lanes.
    pub lanes: u32,
    /// The request's.
    pub quads: u64,
    /// Loaded values, or what an atomic found, laid out as [`Request::data`]; narrower than 32
    /// bits: zero-extended.
    pub data: [u32; REQUEST_LANES],
}

impl Reply {
    /// A reply to a fence of the first SM, to be filled in.
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

    /// Makes this the reply to `request`, without its data, which are long.
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

    /// Of a load of 16 bytes: four words for each lane, those of the k-th lowest from 4k on.
    pub fn quad_words(&self) -> [u32; 2 * REQUEST_LANES] {
        let mut words = [0; _];
        for (k, words) in words.chunks_exact_mut(4).enumerate() {
            words.copy_from_slice(&self.data[quad(self.quads, k)..][..4]);
        }
        words
    }
}

/// What a partition sends to one cluster. Arrival cycles never decrease in either list. A credit
/// does not take up the room of a reply: there is one for every request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FromPartition {
    /// (arrival cycle, a load's values or a fence's answer).
    pub replies: Vec<(u64, Reply)>,
    /// Arrival cycles of credits: the partition has taken a request off the link, and one place is
    /// free again.
    pub credits: Vec<u64>,
}

impl FromPartition {
    /// Nothing is to be sent.
    pub fn is_empty(&self) -> bool {
        self.replies.is_empty() && self.credits.is_empty()
    }

    /// Forgets what has been taken in.
    pub fn clear(&mut self) {
        self.replies.clear();
        self.credits.clear();
    }
}

/// Mail from one partition to each cluster.
#[derive(Clone, Debug, Default)]
pub struct PartitionOutbox {
    /// Indexed by cluster.
    pub to_cluster: Vec<FromPartition>,
}

impl PartitionOutbox {
    /// An outbox for `clusters` receivers.
    pub fn new(clusters: usize) -> Self {
        Self { to_cluster: vec![FromPartition::default(); clusters] }
    }
}

/// What the dispatcher sends to a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToCluster {
    /// A block moves into an SM.
    Block {
        /// SM within the cluster.
        sm: u8,
        /// Linear number of the block in the grid.
        block: u64,
    },
    /// The last block has retired: send a fence down every link, and answer when all are back.
    Drain,
}

/// What a cluster sends to the dispatcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FromCluster {
    /// A block has moved out.
    BlockDone {
        /// SM within the cluster.
        sm: u8,
    },
    /// Everything that the cluster sent has been ordered.
    Drained,
}

/// Mail from one cluster to one partition: arrival cycles and requests.
pub type ToPartition = Vec<(u64, Request)>;

/// Mail from one cluster: (arrival cycle, message), arrival cycles never decreasing per receiver.
#[derive(Clone, Debug, Default)]
pub struct ClusterOutbox {
    /// Indexed by partition.
    pub to_partition: Vec<ToPartition>,
    /// To the dispatcher.
    pub to_dispatcher: Vec<(u64, FromCluster)>,
}

impl ClusterOutbox {
    /// An outbox for `partitions` receivers and the dispatcher.
    pub fn new(partitions: usize) -> Self {
        Self { to_partition: vec![Vec::new(); partitions], to_dispatcher: Vec::new() }
    }
}
