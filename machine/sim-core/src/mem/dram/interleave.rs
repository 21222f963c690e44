//! Interleaving of consecutive pieces of memory over banks, below the row address.

use crate::config::DramConfig;
use crate::time::clock::Divider;

/// Distributes consecutive pieces over a group of banks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interleave {
    piece: Divider,
    banks: Divider,
}

impl Interleave {
    /// Creates the interleaving of a configuration.
    pub(super) fn new(config: &DramConfig) -> Self {
        Self {
            piece: Divider::new(config.interleave_bytes.into()),
            banks: Divider::new(config.interleaved_banks.into()),
        }
    }

    /// Returns the number of banks over which pieces are distributed.
    pub(super) fn banks(&self) -> u64 {
        self.banks.divisor()
    }

    /// Splits a local address into an address within one of the interleaved banks and the number
    /// of that bank among them.
    #[inline]
    pub(super) fn apart(&self, local: u32) -> (u64, u64) {
        if self.banks() == 1 {
            return (local.into(), 0);
        }
        let (piece, offset) = self.piece.div_rem(local.into());
        let (round, turn) = self.banks.div_rem(piece);
        (round * self.piece.divisor() + offset, turn)
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
        let apart = [0, 255, 256, 511, 512, 1_000].map(|at| interleave.apart(at));
        assert_eq!(apart, [(0, 0), (255, 0), (0, 1), (255, 1), (256, 0), (488, 1)]);
        let plain = Interleave::new(&gddr3());
        assert_eq!(plain.apart(1_000), (1_000, 0));
    }
}
