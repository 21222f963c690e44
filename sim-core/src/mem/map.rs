//! The address map: which partition owns an address, and where in the partition it lies.
//!
//! Chunks go round the partitions in turn, as linear storage does on G80 and GT200: partition = (address / chunk)
//! mod n. A partition sees its own chunks side by side in a local address space.

use crate::time::clock::Divider;

/// The modulo map. Fixed for a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressMap {
    chunk_shift: u32,
    partitions: Divider,
}

impl AddressMap {
    /// A map of chunks of `chunk_bytes` (a power of two) over `partitions` (not zero).
    pub const fn new(chunk_bytes: u32, partitions: u32) -> Self {
        assert!(chunk_bytes.is_power_of_two(), "a chunk is a power of two bytes long");
        Self { chunk_shift: chunk_bytes.trailing_zeros(), partitions: Divider::new(partitions as u64) }
    }

    /// The partition that owns `address`, and the address within that partition's own space.
    #[inline]
    pub const fn locate(self, address: u32) -> (u32, u32) {
        let (round, partition) = self.partitions.div_rem((address >> self.chunk_shift) as u64);
        (partition as u32, ((round as u32) << self.chunk_shift) | (address & (self.chunk_bytes() - 1)))
    }

    /// Consecutive bytes that one partition owns.
    #[inline]
    pub const fn chunk_bytes(self) -> u32 {
        1 << self.chunk_shift
    }

    /// How many partitions share the memory.
    pub const fn partitions(self) -> u32 {
        self.partitions.divisor() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn agrees_with_plain_division() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for chunk in [1, 128, 256, 4096, 1 << 31] {
            for partitions in (1..=16).chain([60, 255, 1 << 20, u32::MAX]) {
                let map = AddressMap::new(chunk, partitions);
                let edges = [0, 1, 255, 256, 257, 1535, 1536, 1 << 31, u32::MAX - 256, u32::MAX];
                for address in edges.into_iter().chain((0..2_000).map(|_| rng.next_u32())) {
                    let expected = (
                        address / chunk % partitions,
                        address / chunk / partitions * chunk + address % chunk,
                    );
                    assert_eq!(
                        map.locate(address),
                        expected,
                        "address {address}, {chunk} bytes, {partitions}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_partition_sees_its_chunks_side_by_side() {
        let map = AddressMap::new(256, 6);
        assert_eq!([0, 255, 256, 1535].map(|a| map.locate(a)), [(0, 0), (0, 255), (1, 0), (5, 255)]);
        assert_eq!([1536, 1791, 1792].map(|a| map.locate(a)), [(0, 256), (0, 511), (1, 256)]);
        assert_eq!((map.chunk_bytes(), map.partitions()), (256, 6));
    }
}
