//! The instruction cache of an SM. It affects only timing: instructions are read from the launch's
//! program.
//!
//! Instructions are stored consecutively and have the same size; a fused instruction occupies the
//! space of one instruction. A warp keeps the line of its last instruction. If the next instruction
//! is in another line, the cache looks up that line after the issue. While the line is missing, the
//! warp cannot issue (state *fetch*). A missing line is requested once, through the cache level
//! that the SMs of a cluster share for instructions and constants ([`crate::cluster`]).
//!
//! Invariant `instruction-and-address-caches`: Straight-line code longer than an instruction cache
//! waits for each of its lines. A message to an unknown page is late by the latency of the levels
//! that do not know it. A chip has neither unless its file says so.

use super::Front;
use crate::cache::{Miss, Mshr, Place, Tags};
use crate::config::InstrCacheConfig;
use crate::counters::LevelCounters;
use crate::exec::Warp;
use crate::mem::bank;
use crate::sm::decode::Decoded;
use crate::state::{CloneFrom, Part};
use std::collections::VecDeque;

/// The cache and the warps that wait for it.
#[derive(CloneFrom, Debug, Part)]
pub(in crate::sm) struct Fetch {
    #[state(fixed)]
    config: InstrCacheConfig,
    #[state(part)]
    tags: Tags,
    /// MSHRs: the warp slots that wait for each line.
    #[state(part)]
    mshr: Mshr<u32>,
    /// Mask of the warp slots whose next instruction is missing.
    waiting: u64,
    /// Missing lines that have not been requested from the cluster.
    misses: VecDeque<u32>,
    counters: LevelCounters,
}

impl Fetch {
    /// The empty cache of SM number `sm`.
    pub(super) fn new(config: InstrCacheConfig, sm: u32) -> Self {
        Self {
            config,
            tags: Tags::new(config.shape, Place::SmInstructions(sm)),
            mshr: Mshr::unlimited(),
            waiting: 0,
            misses: VecDeque::new(),
            counters: LevelCounters::default(),
        }
    }

    /// Whether the next instruction of `warp` is missing.
    #[inline]
    pub(super) fn is_missing(&self, warp: u32) -> bool {
        self.waiting >> warp & 1 == 1
    }

    /// Line of instruction number `number` of the program.
    fn line(&self, number: u32) -> u32 {
        bank::CODE.wrapping_add(number * self.config.instruction_bytes) / self.config.shape.line_bytes
    }

    /// Moves `warp` to instruction `next`, after instruction `last` if it has issued one.
    fn go_on(&mut self, warp: u32, last: Option<u32>, next: u32) {
        let line = self.line(next);
        if last.is_some_and(|last| self.line(last) == line) {
            return;
        }
        if self.tags.hit(line.into()).is_some() {
            self.counters.hits += 1;
            return;
        }
        self.counters.misses += 1;
        self.waiting |= 1 << warp;
        if let Miss::New(_) = self.mshr.miss(line.into(), warp) {
            self.misses.push_back(line);
        }
    }
}

impl Front {
    /// `warp`, which has issued `last` if any, fetches its next instruction. Returns whether there
    /// are lines to request from the cluster.
    #[inline]
    pub(in crate::sm) fn fetch_next(
        &mut self,
        warp: u32,
        arch: &Warp,
        last: Option<&Decoded>,
        code: &[Decoded],
    ) -> bool {
        let Some(fetch) = &mut self.fetch else { return false };
        if arch.done() {
            return false;
        }
        fetch.go_on(warp, last.map(|last| last.number), code[arch.simt.pc() as usize].number);
        !fetch.misses.is_empty()
    }

    /// Whether `warp` waits for a line of code.
    pub(in crate::sm) fn misses_code(&self, warp: u32) -> bool {
        self.fetch.as_ref().is_some_and(|fetch| fetch.is_missing(warp))
    }

    /// Address of the next line of code to request.
    pub(in crate::sm) fn missing_code(&mut self) -> Option<u32> {
        let fetch = self.fetch.as_mut()?;
        Some(fetch.misses.pop_front()? * fetch.config.shape.line_bytes)
    }

    /// The missing line of code at `address` arrives. Classifies the waiting warps again in issue
    /// cycle `at`.
    pub(in crate::sm) fn code_came(&mut self, at: u64, address: u32) {
        let Some(fetch) = &mut self.fetch else { return };
        let line = address / fetch.config.shape.line_bytes;
        fetch.tags.install(line.into());
        let mut warps = 0;
        fetch.mshr.fill_line(line.into(), |warp| warps |= 1 << warp);
        fetch.waiting &= !warps;
        self.wake_warps(warps, at);
    }

    /// Lookups in the instruction cache.
    pub(in crate::sm) fn fetch_counters(&self) -> LevelCounters {
        self.fetch.as_ref().map(|fetch| fetch.counters).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::{CacheShape, Replacement, SetIndex};

    /// Tests: `instruction-and-address-caches`.
    #[test]
    fn a_line_is_looked_up_when_a_warp_changes_lines() {
        let shape = CacheShape {
            bytes: 128,
            line_bytes: 64,
            ways: 2,
            replacement: Replacement::Lru,
            index: SetIndex::Modulo,
        };
        let mut f = Fetch::new(InstrCacheConfig { shape, instruction_bytes: 8 }, 0);
        f.go_on(0, None, 0);
        f.go_on(1, None, 0);
        assert_eq!((f.waiting, f.misses.len(), f.counters.misses), (3, 1, 2), "both wait for one line");
        f.tags.install(f.line(0).into());
        f.waiting = 0;
        f.go_on(0, Some(0), 7);
        assert_eq!(f.counters, LevelCounters { hits: 0, misses: 2 }, "the same line");
        f.go_on(0, Some(7), 8);
        assert_eq!((f.waiting, f.counters.misses), (1, 3));
        f.go_on(1, Some(20), 3);
        assert_eq!((f.waiting, f.counters.hits), (1, 1));
    }
}
