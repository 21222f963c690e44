//! An address map: the turns of a round are permuted by an exclusive or with bits of its number
//! (Zhang et al., MICRO 2000, for banks).

use warpsim::map::Chunk;

/// Orders the chunks of a round: chunk t of round r belongs to partition t xor (r mod n), if the
/// number n of partitions is a power of two; else to another permutation.
pub fn exclusive_or(chunk: Chunk) -> u64 {
    u64::from(chunk.turn ^ (chunk.round % chunk.partitions))
}
