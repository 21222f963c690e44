//! The address map: the partition that owns an address, and the local address in that partition.
//!
//! Consecutive chunks belong to consecutive partitions, as linear storage does on G80 and GT200:
//! partition = (address / chunk) mod n. The hashed map begins each round of n chunks at another
//! partition, so that no stride stays on one partition; Fermi's hash is not published. A partition
//! sees its chunks as a contiguous local address space. Both maps give a chunk the same local
//! address, because a round has exactly one chunk per partition.
//!
//! Invariant `one-owner-per-chunk`: An access never crosses a chunk, and one partition owns each
//! chunk. Assertions in the coalescer and the partition check it too.
//!
//! Invariant `camping`: A stride of one chunk of every partition uses one partition only under the
//! `modulo` map, and not under the `hashed` one.

use crate::components::Registered;
use crate::components::map::{Chunk, Maps};
use crate::config::{Chip, MapKind};
use crate::time::clock::Divider;

/// An address map. It is fixed for a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressMap {
    chunk_shift: u32,
    partitions: Divider,
    kind: MapKind,
}

impl AddressMap {
    /// The map of one partition, in which each address is its own local address.
    pub const LINEAR: Self = Self::new(1 << 12, 1);

    /// Creates a modulo map of chunks of `chunk_bytes` (a power of two) over `partitions` (not
    /// zero).
    pub const fn new(chunk_bytes: u32, partitions: u32) -> Self {
        Self::of_kind(chunk_bytes, partitions, MapKind::Modulo)
    }

    /// Creates a map of chunks of `chunk_bytes` (a power of two) over `partitions` (not zero).
    pub const fn of_kind(chunk_bytes: u32, partitions: u32, kind: MapKind) -> Self {
        assert!(chunk_bytes.is_power_of_two(), "the chunk size is a power of two");
        Self { chunk_shift: chunk_bytes.trailing_zeros(), partitions: Divider::new(partitions as u64), kind }
    }

    /// Returns the map of a chip.
    pub const fn of(chip: &Chip) -> Self {
        Self::of_kind(chip.partition.chunk_bytes, chip.partitions, chip.partition.map)
    }

    /// Returns the partition that owns `address`, and the local address in that partition.
    #[inline]
    pub fn locate(self, address: u32) -> (u32, u32) {
        if self.partitions() == 1 {
            return (0, address);
        }
        let (round, turn) = self.partitions.div_rem((address >> self.chunk_shift) as u64);
        let partition = match self.kind {
            MapKind::Modulo => turn,
            MapKind::Hashed => self.partitions.div_rem(turn + self.first_of(round as u32) as u64).1,
            MapKind::Own(own) => self.rank(own, turn as u32, round as u32).into(),
        };
        (partition as u32, ((round as u32) << self.chunk_shift) | (address & (self.chunk_bytes() - 1)))
    }

    /// Same as [`Self::locate`], for the addresses of 32 lanes: the partitions, and the local
    /// addresses. The loop is vectorized.
    #[inline]
    pub fn locate_all(self, addresses: &[u32; 32]) -> ([u32; 32], [u32; 32]) {
        match self.kind {
            MapKind::Modulo => self.locate_by(addresses, |turn, _| turn),
            MapKind::Hashed => self.locate_by(addresses, |turn, round| {
                let (first, left) = (self.first_of(round), self.partitions() - turn);
                if first >= left { first - left } else { first + turn }
            }),
            MapKind::Own(own) => self.locate_by(addresses, |turn, round| self.rank(own, turn, round)),
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "only an inlined closure is vectorized")]
    fn locate_by(self, addresses: &[u32; 32], partition: impl Fn(u32, u32) -> u32) -> ([u32; 32], [u32; 32]) {
        let (mut partitions, mut locals) = ([0; 32], [0; 32]);
        // Division as by `Divider`, with 32 bits.
        let divisor = self.partitions();
        let reciprocal = u64::from(u32::MAX / divisor);
        for ((address, own), local) in addresses.iter().zip(&mut partitions).zip(&mut locals) {
            let chunk = address >> self.chunk_shift;
            let estimate = ((u64::from(chunk) * reciprocal) >> 32) as u32;
            let rest = chunk - estimate * divisor;
            let (round, turn) =
                if rest >= divisor { (estimate + 1, rest - divisor) } else { (estimate, rest) };
            *own = partition(turn, round);
            *local = round << self.chunk_shift | address & (self.chunk_bytes() - 1);
        }
        (partitions, locals)
    }

    /// Returns the partition at which the hashed map begins a round. It is distributed evenly,
    /// independently of any stride.
    const fn first_of(self, round: u32) -> u32 {
        let mut hash = round;
        hash = (hash ^ hash >> 15).wrapping_mul(0x2c1b_3c6d);
        hash = (hash ^ hash >> 12).wrapping_mul(0x297a_2d39);
        hash ^= hash >> 15;
        ((hash as u64 * self.partitions.divisor()) >> 32) as u32
    }

    /// Returns the partition of a chunk under the map of a program: its rank in the round.
    #[cold]
    #[inline(never)]
    fn rank(self, own: Registered<Maps>, turn: u32, round: u32) -> u32 {
        let partitions = self.partitions();
        let place = |turn| (own.make()(own.values(), Chunk { round, turn, partitions }), turn);
        let this = place(turn);
        (0..partitions).filter(|turn| place(*turn) < this).count() as u32
    }

    /// Returns the number of consecutive bytes that one partition owns.
    #[inline]
    pub const fn chunk_bytes(self) -> u32 {
        1 << self.chunk_shift
    }

    /// Returns the number of partitions that share the memory.
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
    fn the_map_agrees_with_plain_division() {
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
    fn lanes_are_located_like_single_addresses() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for kind in [MapKind::Modulo, MapKind::Hashed] {
            for (chunk, partitions) in
                [(256, 6), (256, 8), (128, 5), (1, 3), (4096, 1), (256, 60), (1, u32::MAX), (1 << 31, 2)]
            {
                let map = AddressMap::of_kind(chunk, partitions, kind);
                for round in 0..200 {
                    let edge = [0, u32::MAX, u32::MAX - 1, 1 << 31];
                    let addresses: [u32; 32] =
                        std::array::from_fn(|k| if round == 0 { edge[k % 4] } else { rng.next_u32() });
                    let (owners, locals) = map.locate_all(&addresses);
                    for (k, address) in addresses.iter().enumerate() {
                        assert_eq!(
                            (owners[k], locals[k]),
                            map.locate(*address),
                            "{address} {chunk} {partitions}"
                        );
                    }
                }
            }
        }
    }

    /// Tests: `one-owner-per-chunk`.
    #[test]
    fn the_chunks_of_a_partition_are_contiguous_in_local_memory() {
        let map = AddressMap::new(256, 6);
        assert_eq!([0, 255, 256, 1535].map(|a| map.locate(a)), [(0, 0), (0, 255), (1, 0), (5, 255)]);
        assert_eq!([1536, 1791, 1792].map(|a| map.locate(a)), [(0, 256), (0, 511), (1, 256)]);
        assert_eq!((map.chunk_bytes(), map.partitions()), (256, 6));
    }

    /// No two addresses share a local address, and every partition has one chunk per round, so no
    /// local address is unused.
    ///
    /// Tests: `one-owner-per-chunk`.
    #[test]
    fn the_hashed_map_is_a_permutation() {
        for (chunk, partitions) in [(256, 1), (256, 6), (128, 5), (1024, 8), (256, 64)] {
            let map = AddressMap::of_kind(chunk, partitions, MapKind::Hashed);
            let plain = AddressMap::new(chunk, partitions);
            let last_round = u32::MAX / chunk / partitions;
            for round in (0..500).chain(last_round.saturating_sub(3)..last_round) {
                let mut owners = 0u64;
                for turn in 0..partitions {
                    let address = (round * partitions + turn) * chunk + 5;
                    let (owner, local) = map.locate(address);
                    assert!(owner < partitions && owners >> owner & 1 == 0, "round {round}: {owner} twice");
                    owners |= 1 << owner;
                    assert_eq!(local, plain.locate(address).1);
                    assert_eq!(map.locate(address - 5), (owner, local - 5), "a chunk has one owner");
                }
            }
        }
    }

    /// Returns the number of requests to the busiest of 6 partitions, for 600 requests at a stride
    /// of `stride` bytes.
    fn busiest(map: AddressMap, stride: u32) -> u32 {
        let mut load = [0; 6];
        (0..600).for_each(|n: u32| load[map.locate(n * stride).0 as usize] += 1);
        load.into_iter().max().unwrap()
    }

    /// Tests: `camping`.
    #[test]
    fn a_stride_causes_partition_camping_only_with_the_modulo_map() {
        let (modulo, hashed) = (AddressMap::new(256, 6), AddressMap::of_kind(256, 6, MapKind::Hashed));
        assert_eq!(busiest(modulo, 6 * 256), 600);
        assert_eq!(
            busiest(modulo, 4096),
            200,
            "a stride of 16 chunks uses three partitions, every second of the six"
        );
        for stride in (1..=64).map(|n| n * 6 * 256).chain((9..20).map(|bit| 1 << bit)) {
            assert!(busiest(hashed, stride) <= 140, "stride {stride}: {}", busiest(hashed, stride));
        }
        for map in [modulo, hashed] {
            assert_eq!(busiest(map, 256), 100, "consecutive chunks load all partitions equally");
        }
    }
}
