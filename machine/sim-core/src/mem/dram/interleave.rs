//! Where the bytes of a channel are: bank and row of a local address.

use crate::config::DramConfig;

/// The map of local addresses: the widths of its parts in bits. All sizes of a channel are powers
/// of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interleave {
    /// Of an address within a piece.
    piece: u32,
    /// Of the number of a bank among those over which consecutive pieces are distributed.
    banks: u32,
    /// Of an address within a row.
    row: u32,
    /// Of the number of a group of interleaved banks.
    groups: u32,
}

impl Interleave {
    /// Creates the map of a configuration.
    pub(super) fn new(config: &DramConfig) -> Self {
        let bits = |size: u32| {
            assert!(size.is_power_of_two(), "all sizes of a DRAM channel are powers of two");
            size.trailing_zeros()
        };
        Self {
            piece: bits(config.interleave_bytes),
            banks: bits(config.interleaved_banks),
            row: bits(config.row_bytes),
            groups: bits(config.banks / config.interleaved_banks),
        }
    }

    /// Returns the number of the bank and of the row of a local address.
    #[inline]
    pub(super) fn place(&self, local: u32) -> (usize, u32) {
        let local = u64::from(local);
        let part = |value: u64, bits: u32| value & ((1 << bits) - 1);
        let low = part(local >> self.piece, self.banks);
        // The address within one of the interleaved banks.
        let within = local >> (self.piece + self.banks) << self.piece | part(local, self.piece);
        let number = within >> self.row;
        let bank = part(number, self.groups) << self.banks | low;
        (bank as usize, (number >> self.groups) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::dram::tests::gddr3;

    #[test]
    fn pieces_are_distributed_over_the_banks() {
        let config = DramConfig { interleaved_banks: 2, interleave_bytes: 256, ..gddr3() };
        let interleave = Interleave::new(&config);
        let place = |local| interleave.place(local);
        assert_eq!([0, 255, 256, 511, 512].map(place), [(0, 0), (0, 0), (1, 0), (1, 0), (0, 0)]);
        // Two banks hold the first 4,096 bytes, and all banks the first 16,384.
        assert_eq!(
            [4_095, 4_096, 4_352, 16_384, 16_640].map(place),
            [(1, 0), (2, 0), (3, 0), (0, 1), (1, 1)]
        );
        let plain = Interleave::new(&gddr3());
        assert_eq!([2_047, 2_048, 16_384].map(|local| plain.place(local)), [(0, 0), (1, 0), (0, 1)]);
    }
}
