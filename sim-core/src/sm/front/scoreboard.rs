//! The scoreboard: for each warp and register, when its value can be used and who makes it.
//!
//! Invariant `register-ready-cycle`: A register can be read in its ready cycle and in no cycle
//! before.

use crate::counters::WarpState;
use crate::sm::decode::Decoded;
use crate::sm::warps::PerWarp;
use crate::time::NEVER;

/// Who makes a pending value: decides the name of the wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Producer {
    /// An execution unit.
    Execution = 0,
    /// Constant memory or the parameters.
    Constant = 1,
    /// Shared memory.
    Shared = 2,
    /// Global or local memory.
    Memory = 3,
}

impl Producer {
    /// The state of a warp that waits for it.
    pub fn wait(self) -> WarpState {
        match self {
            Self::Execution => WarpState::ExecutionDependency,
            Self::Constant => WarpState::ConstantDependency,
            Self::Shared => WarpState::SharedDependency,
            Self::Memory => WarpState::MemoryDependency,
        }
    }
}

/// A register's entry: ready cycle in the upper 62 bits, producer in the lower two. Of several
/// registers the largest entry is the slowest one.
type Entry = u64;

/// A value that comes by mail.
const PENDING: Entry = NEVER;

/// The entries of all warps of an SM, a row for each warp slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scoreboard {
    rows: PerWarp<Box<[Entry]>>,
}

impl Scoreboard {
    /// For `warps` slots of `registers` scoreboard entries each.
    pub fn new(warps: u32, registers: usize) -> Self {
        let mut rows = PerWarp::new(Box::default());
        (0..warps).for_each(|warp| rows[warp] = vec![0; registers].into());
        Self { rows }
    }

    /// Forgets everything about a slot: a new warp starts in it.
    pub fn clear(&mut self, warp: u32) {
        self.rows[warp].fill(0);
    }

    /// The results of `decoded` can be used from shader cycle `ready` on.
    #[inline]
    pub(in crate::sm) fn results(&mut self, warp: u32, decoded: &Decoded, ready: u64) {
        self.set(warp, decoded.dsts(), ready, decoded.producer);
    }

    /// The registers `registers` can be used from shader cycle `ready` on.
    #[inline]
    pub fn set(&mut self, warp: u32, registers: &[u16], ready: u64, producer: Producer) {
        let row = &mut self.rows[warp];
        for register in registers {
            row[*register as usize] = ready << 2 | producer as u64;
        }
    }

    /// The registers `registers` cannot be used before shader cycle `ready`; an entry that is
    /// later, or pending, stays so.
    pub fn delay(&mut self, warp: u32, registers: &[u16], ready: u64, producer: Producer) {
        let row = &mut self.rows[warp];
        for register in registers {
            let entry = &mut row[*register as usize];
            *entry = (*entry).max(ready << 2 | producer as u64);
        }
    }

    /// The registers `registers` wait for replies from memory.
    pub fn set_pending(&mut self, warp: u32, registers: &[u16]) {
        let row = &mut self.rows[warp];
        for register in registers {
            row[*register as usize] = PENDING;
        }
    }

    /// When an instruction that needs `needs` may issue: `Ok` if by hot cycle `now`, else the cycle
    /// ([`NEVER`]: mail) and the slowest producer.
    #[inline]
    pub fn check(&self, warp: u32, needs: &[u16], now: u64) -> Result<(), (u64, Producer)> {
        let row = &self.rows[warp];
        let slowest = needs.iter().map(|r| row[*r as usize]).max().unwrap_or(0);
        if slowest >> 2 <= now {
            return Ok(());
        }
        let producer = match slowest & 3 {
            0 => Producer::Execution,
            1 => Producer::Constant,
            2 => Producer::Shared,
            _ => Producer::Memory,
        };
        Err((if slowest == PENDING { NEVER } else { slowest >> 2 }, producer))
    }

    /// The slowest of the entries `needs`, and when it can be used ([`NEVER`]: mail).
    pub fn slowest(&self, warp: u32, needs: &[u16]) -> Option<(u16, u64)> {
        let row = &self.rows[warp];
        let slowest = needs.iter().copied().max_by_key(|r| row[*r as usize])?;
        let entry = row[slowest as usize];
        Some((slowest, if entry == PENDING { NEVER } else { entry >> 2 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `register-ready-cycle`.
    #[test]
    fn refused_a_cycle_before_accepted_at_it() {
        let mut board = Scoreboard::new(2, 4);
        board.set(1, &[2], 24, Producer::Execution);
        assert_eq!(board.check(1, &[2], 23), Err((24, Producer::Execution)));
        assert_eq!(board.check(1, &[2], 24), Ok(()));
        assert_eq!(board.check(0, &[2], 0), Ok(()), "another warp's register");
        assert_eq!(board.check(1, &[1, 3], 0), Ok(()), "other registers");
    }

    #[test]
    fn the_slowest_producer_names_the_wait() {
        let mut board = Scoreboard::new(1, 4);
        board.set(0, &[0], 24, Producer::Execution);
        board.set(0, &[1], 36, Producer::Shared);
        assert_eq!(board.check(0, &[0, 1], 10), Err((36, Producer::Shared)));
        board.set_pending(0, &[2]);
        assert_eq!(board.check(0, &[0, 1, 2], 10), Err((NEVER, Producer::Memory)));
    }

    #[test]
    fn a_new_warp_finds_a_clean_slot() {
        let mut board = Scoreboard::new(2, 2);
        board.set_pending(1, &[0]);
        board.clear(1);
        assert_eq!(board.check(1, &[0, 1], 0), Ok(()));
    }
}
