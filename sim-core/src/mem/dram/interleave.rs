//! Which banks neighbouring pieces of memory lie in, before rows are counted.

use crate::config::DramConfig;
use crate::time::clock::Divider;

/// Consecutive pieces go round some banks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interleave {
    piece: Divider,
    banks: Divider,
}

impl Interleave {
    /// As the configuration says.
    pub(super) fn new(config: &DramConfig) -> Self {
        Self {
            piece: Divider::new(config.interleave_bytes.into()),
            banks: Divider::new(config.interleaved_banks.into()),
        }
    }

    /// Over how many banks pieces go round.
    pub(super) fn banks(&self) -> u64 {
        self.banks.divisor()
    }

    /// Of a local address: where it lies in the memory of its bank and of those that take its turn
    /// in other rounds, and its turn.
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
    fn pieces_go_round_the_banks() {
        let config = DramConfig { interleaved_banks: 2, interleave_bytes: 256, ..gddr3() };
        let interleave = Interleave::new(&config);
        let apart = [0, 255, 256, 511, 512, 1_000].map(|at| interleave.apart(at));
        assert_eq!(apart, [(0, 0), (255, 0), (0, 1), (255, 1), (256, 0), (488, 1)]);
        let plain = Interleave::new(&gddr3());
        assert_eq!(plain.apart(1_000), (1_000, 0));
    }
}
