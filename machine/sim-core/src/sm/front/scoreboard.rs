//! The scoreboard: the ready cycle and the producer of each register of each warp.
//!
//! Invariant `register-ready-cycle`: A register can be read in its ready cycle and in no cycle
//! before.

use crate::counters::WarpState;
use crate::sm::decode::{Decoded, Needs};
use crate::sm::warps::{MAX_WARPS, PerWarp};
use crate::state::{CloneFrom, Value};
use crate::time::NEVER;

/// Producer of a pending value. It determines the stall reason.
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
    /// The producer in an entry.
    #[inline]
    fn of(entry: Entry) -> Self {
        match entry & 3 {
            0 => Self::Execution,
            1 => Self::Constant,
            2 => Self::Shared,
            _ => Self::Memory,
        }
    }

    /// Stall state of a warp that waits for this producer.
    pub const fn wait(self) -> WarpState {
        match self {
            Self::Execution => WarpState::ExecutionDependency,
            Self::Constant => WarpState::ConstantDependency,
            Self::Shared => WarpState::SharedDependency,
            Self::Memory => WarpState::MemoryDependency,
        }
    }
}

/// [`Producer::wait`] of each producer, by its number.
const WAITS: [WarpState; 4] =
    [Producer::Execution.wait(), Producer::Constant.wait(), Producer::Shared.wait(), Producer::Memory.wait()];

/// Entry of a register: the upper 62 bits are the ready cycle, the lower two bits the producer. The
/// largest of several entries is the slowest register.
type Entry = u64;

/// Entry of a pending load: a reply brings the value.
const PENDING: Entry = NEVER;

/// Entries behind those of the registers, which complete the lists of [`Decoded`]: one is always
/// ready, and the other is never read.
const PADDING: usize = 2;

/// The entries of all warps of an SM: one row for each warp slot.
#[derive(CloneFrom, Debug, PartialEq, Eq, Value)]
pub struct Scoreboard {
    rows: PerWarp<Box<[Entry]>>,
}

impl Scoreboard {
    /// A scoreboard with `registers` entries for each of `warps` slots, and [`PADDING`] more.
    pub fn new(warps: u32, registers: usize) -> Self {
        let mut rows = PerWarp::new(Box::default());
        (0..warps).for_each(|warp| rows[warp] = vec![0; registers + PADDING].into());
        Self { rows }
    }

    /// Makes a scoreboard on which nothing was set one with `registers` entries for each slot.
    pub fn resize(&mut self, registers: usize) {
        for warp in 0..MAX_WARPS as u32 {
            let row = &mut self.rows[warp];
            if !row.is_empty() && row.len() != registers + PADDING {
                *row = vec![0; registers + PADDING].into();
            }
        }
    }

    /// Clears the entries of a slot, for a new warp.
    pub fn clear(&mut self, warp: u32) {
        self.rows[warp].fill(0);
    }

    /// Marks the results of `decoded` as ready from shader cycle `ready` on.
    #[inline]
    pub(in crate::sm) fn results(&mut self, warp: u32, decoded: &Decoded, ready: u64) {
        let entry = ready << 2 | decoded.producer as u64;
        let row = &mut self.rows[warp];
        let (first, more) = decoded.results();
        row[first as usize] = entry;
        if let Some(more) = more {
            for register in more {
                row[*register as usize] = entry;
            }
        }
    }

    /// Marks the `registers` as ready from shader cycle `ready` on.
    #[inline]
    pub fn set(&mut self, warp: u32, registers: &[u16], ready: u64, producer: Producer) {
        let row = &mut self.rows[warp];
        for register in registers {
            row[*register as usize] = ready << 2 | producer as u64;
        }
    }

    /// Delays the `registers` at least to shader cycle `ready`. An entry that is later, or pending,
    /// does not change.
    pub fn delay(&mut self, warp: u32, registers: &[u16], ready: u64, producer: Producer) {
        let row = &mut self.rows[warp];
        for register in registers {
            let entry = &mut row[*register as usize];
            *entry = (*entry).max(ready << 2 | producer as u64);
        }
    }

    /// Marks the `registers` as waiting for replies from memory.
    pub fn set_pending(&mut self, warp: u32, registers: &[u16]) {
        let row = &mut self.rows[warp];
        for register in registers {
            row[*register as usize] = PENDING;
        }
    }

    /// Whether an instruction that needs `needs` may issue at shader cycle `now`. The error is the
    /// ready cycle ([`NEVER`] for a pending load) and the stall state for the slowest producer.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    pub fn check(&self, warp: u32, needs: Needs<'_>, now: u64) -> Result<(), (u64, WarpState)> {
        let row = &self.rows[warp];
        let (first, more) = needs;
        let [a, b, c, d] = first.map(|register| row[register as usize]);
        let mut slowest = a.max(b).max(c.max(d));
        if let Some(more) = more {
            slowest = more.iter().fold(slowest, |slowest, register| slowest.max(row[*register as usize]));
        }
        if slowest >> 2 <= now {
            return Ok(());
        }
        let wait = WAITS[(slowest & 3) as usize];
        Err((if slowest == PENDING { NEVER } else { slowest >> 2 }, wait))
    }

    /// The entries of a warp that are not ready at shader cycle `now`: entry, ready cycle (`None`
    /// for a pending load) and producer.
    pub fn busy(&self, warp: u32, now: u64) -> impl Iterator<Item = (u16, Option<u64>, Producer)> {
        let row = &self.rows[warp];
        let registers = &row[..row.len().saturating_sub(PADDING)];
        let busy = (0..).zip(registers).filter(move |(_, entry)| **entry >> 2 > now);
        busy.map(|(register, entry)| {
            let ready = (*entry != PENDING).then_some(*entry >> 2);
            (register, ready, Producer::of(*entry))
        })
    }

    /// The slowest of the entries `needs`, and its ready cycle ([`NEVER`] for a pending load).
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

    /// The needs `list` on a scoreboard with `registers` entries.
    fn needs<const N: usize>(registers: u16, list: [u16; N]) -> Needs<'static> {
        (std::array::from_fn(|i| list.get(i).copied().unwrap_or(registers)), None)
    }

    /// Tests: `register-ready-cycle`.
    #[test]
    fn a_register_is_ready_at_its_ready_cycle_and_not_before() {
        let mut board = Scoreboard::new(2, 4);
        board.set(1, &[2], 24, Producer::Execution);
        assert_eq!(board.check(1, needs(4, [2]), 23), Err((24, WarpState::ExecutionDependency)));
        assert_eq!(board.check(1, needs(4, [2]), 24), Ok(()));
        assert_eq!(board.check(0, needs(4, [2]), 0), Ok(()), "another warp's register");
        assert_eq!(board.check(1, needs(4, [1, 3]), 0), Ok(()), "other registers");
    }

    #[test]
    fn the_slowest_producer_is_the_stall_reason() {
        let mut board = Scoreboard::new(1, 4);
        board.set(0, &[0], 24, Producer::Execution);
        board.set(0, &[1], 36, Producer::Shared);
        assert_eq!(board.check(0, needs(4, [0, 1]), 10), Err((36, WarpState::SharedDependency)));
        board.set_pending(0, &[2]);
        assert_eq!(board.check(0, needs(4, [0, 1, 2]), 10), Err((NEVER, WarpState::MemoryDependency)));
    }

    #[test]
    fn a_new_warp_has_an_empty_scoreboard() {
        let mut board = Scoreboard::new(2, 2);
        board.set_pending(1, &[0]);
        board.clear(1);
        assert_eq!(board.check(1, needs(2, [0, 1]), 0), Ok(()));
    }
}
