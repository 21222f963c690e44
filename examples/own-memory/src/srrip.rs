//! A replacement policy of caches: static re-reference interval prediction (Jaleel et al., ISCA
//! 2010). Lines that are read once leave a cache before lines that are read again.

use warpsim::replacement::{ReplacementPolicy, Seat};

/// Predicts for each line how long it is until its next use. A new line is expected back late, and
/// a line that was used again is expected back at once. The line that is expected last is evicted.
#[derive(Clone, Debug)]
pub struct Srrip {
    seat: Seat,
    /// Largest prediction: the next use is far away.
    far: u8,
    /// The prediction of the line in each slot.
    predicted: Vec<u8>,
}

impl Srrip {
    /// Returns the policy of the cache at `seat`, with predictions of `bits` bits, 1 to 8.
    pub fn new(bits: u32, seat: Seat) -> Self {
        let far = u8::MAX >> (8 - bits.clamp(1, 8));
        Self { seat, far, predicted: vec![far; seat.sets * seat.ways] }
    }
}

impl ReplacementPolicy for Srrip {
    fn touch(&mut self, slot: usize) {
        self.predicted[slot] = 0;
    }

    /// The evicted line had the largest prediction of its set. All lines of the set get older by
    /// what this prediction lacked.
    fn install(&mut self, slot: usize) {
        let older = self.far - self.predicted[slot];
        for other in self.seat.set_of(slot) {
            self.predicted[other] = self.predicted[other].saturating_add(older).min(self.far);
        }
        self.predicted[slot] = self.far - 1;
    }

    fn value(&mut self, slot: usize) -> u64 {
        u64::from(self.far - self.predicted[slot])
    }
}
