//! Address maps, written by the user.

use super::registered::kind;

/// A chunk of memory: consecutive bytes that belong to one partition.
///
/// A *round* is as many consecutive chunks as there are partitions. Each partition owns one chunk
/// of a round, at the same local address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Number of the round.
    pub round: u32,
    /// Number of the chunk within the round, less than `partitions`.
    pub turn: u32,
    /// Number of partitions.
    pub partitions: u32,
}

kind! {
    /// The kind of address maps. A map is a function without state: it is called for each access of
    /// each host thread, in any order, and must return the same value for the same chunk.
    ///
    /// The chunks of a round belong to the partitions in ascending order of their values; among
    /// equals in order of their turns. So a round is a permutation for any function, and no two
    /// addresses share a place.
    pub enum Maps = "address map" in maps:
        dyn Fn(&[u64], Chunk) -> u64 + Send + Sync
}
