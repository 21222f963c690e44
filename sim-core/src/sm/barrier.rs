//! Barriers of a block: counters of warps, as the hardware has them.

/// Named barriers of a block (PTX ISA, `bar`).
pub const BARRIERS: usize = 16;

/// The barriers of one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Barriers {
    /// Warp slots that have arrived at each.
    arrived: [u64; BARRIERS],
}

impl Default for Barriers {
    fn default() -> Self {
        Self { arrived: [0; BARRIERS] }
    }
}

impl Barriers {
    /// Warp slot `warp` arrives at barrier `id` of a block whose warps in slots `live` have not exited. Returns the
    /// slots that the barrier lets go, 0 while it waits.
    pub fn arrive(&mut self, id: usize, warp: u32, live: u64) -> u64 {
        self.arrived[id] |= 1 << warp;
        self.complete(id, live)
    }

    /// A warp has exited and `live` are left: the expected count is lower now. Returns the slots let go.
    pub fn exit(&mut self, live: u64) -> u64 {
        (0..BARRIERS).fold(0, |free, id| free | self.complete(id, live))
    }

    /// A barrier is complete when every warp that has not exited is there; it starts anew at once.
    fn complete(&mut self, id: usize, live: u64) -> u64 {
        if self.arrived[id] != 0 && self.arrived[id] & live == live {
            std::mem::take(&mut self.arrived[id])
        } else {
            0
        }
    }

    /// Warps waiting at each barrier, for a hang's explanation.
    pub fn waiting(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.arrived.iter().copied().enumerate().filter(|(_, mask)| *mask != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_until_the_last_warp_and_starts_anew() {
        let mut b = Barriers::default();
        assert_eq!(b.arrive(0, 1, 0b1110), 0);
        assert_eq!(b.arrive(0, 3, 0b1110), 0);
        assert_eq!(b.arrive(0, 2, 0b1110), 0b1110);
        assert_eq!(b.arrive(0, 1, 0b1110), 0);
    }

    #[test]
    fn an_exit_lowers_the_expected_count() {
        let mut b = Barriers::default();
        assert_eq!(b.arrive(0, 0, 0b11), 0);
        assert_eq!(b.exit(0b01), 0b01);
        assert_eq!(b.exit(0), 0);
    }

    #[test]
    fn barriers_are_apart() {
        let mut b = Barriers::default();
        assert_eq!(b.arrive(0, 0, 0b11), 0);
        assert_eq!(b.arrive(1, 1, 0b11), 0);
        assert_eq!(b.waiting().collect::<Vec<_>>(), [(0, 0b01), (1, 0b10)]);
    }
}
