//! Blocks of a launch on several host threads, with the result of one thread.
//!
//! Blocks run in linear order on the functional machine. Here groups of later blocks run ahead on
//! several threads, each group with its own [`View`] of the memory before the first group. The
//! groups are then taken in order. A group is valid if it has read no word that an earlier group
//! has written, so its values are those of one thread; its writes are copied into the memory, and
//! its counters are added. The first group that is not valid, or has not finished within a limit,
//! ends the attempt: its blocks run again on one thread, as do more and more blocks after each such
//! end. Traps, hangs and limits therefore occur on one thread only.
//!
//! Invariant `functional-threads`: Memory, counters and verdict of a launch on the functional
//! machine are the same for any number of host threads.

use super::block::Block;
use super::view::{Accesses, View, Written};
use super::{Ending, Hooks, Reached, Tell, UNOBSERVED};
use crate::gpu::stop::StopReason;
use crate::mem::image::Memory;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Warp instructions of a group: some milliseconds, so that the start of a thread does not matter.
const GROUP: u64 = 1 << 17;

/// Most groups for each thread of an attempt, so that threads end at about the same time.
const GROUPS_PER_THREAD: u64 = 4;

/// Most pages that a group copies for each host thread. With more, copying takes longer than the
/// other threads save.
const PAGES_PER_THREAD: usize = 128;

/// Warp instructions on one thread after the first attempt that fails, the factor for each later
/// one, and the most.
const PAUSE: (u64, u64, u64) = (GROUP, 4, 1 << 26);

/// When groups of the blocks of a kernel run ahead; kept from launch to launch.
#[derive(Debug)]
pub struct Speculation {
    threads: usize,
    /// Number of warp instructions at the last question.
    seen: u64,
    /// Warp instructions on one thread before the next attempt.
    left: u64,
    /// Warp instructions on one thread after the next attempt that fails.
    pause: u64,
    /// Groups for each thread of the next attempt: one after an attempt that failed.
    groups: u64,
    /// Whether views note all words that are read: groups of an earlier attempt may have read what
    /// others have written.
    words: bool,
}

/// The groups of an attempt.
struct Plan {
    groups: usize,
    /// Blocks of each group.
    blocks: u64,
    /// Warp instructions of a group after which it has failed.
    limit: u64,
}

/// A group that has finished.
struct Group<'k> {
    block: Block<'k>,
    accesses: Accesses,
}

/// The state before the first launch of a kernel.
impl Default for Speculation {
    fn default() -> Self {
        Self { threads: 1, seen: 0, left: 0, pause: PAUSE.0, groups: 1, words: false }
    }
}

impl Speculation {
    /// Returns the state at the start of a launch on `threads` threads.
    pub fn on(&mut self, threads: usize) -> &mut Self {
        (self.threads, self.seen) = (threads, 0);
        self
    }

    /// Runs groups of blocks after `block`, which has finished, if it can pay. Returns whether a
    /// group was valid; `block` is then the last block that has finished.
    pub(super) fn run(
        &mut self,
        block: &mut Block<'_>,
        memory: &mut Memory,
        tell: &mut Option<Tell<'_>>,
    ) -> bool {
        let (done, left) = (block.number + 1, block.left());
        let each = (block.executed / done).max(1);
        let blocks = (GROUP / each).max(1);
        let groups = (left / blocks).min(self.groups * self.threads as u64);
        let ran = block.executed - std::mem::replace(&mut self.seen, block.executed);
        self.left = self.left.saturating_sub(ran);
        if self.left > 0 || groups < 2 || left.saturating_mul(each) < GROUP {
            return false;
        }
        // A group that needs much more than expected may wait for an earlier block.
        let limit = (blocks * each).saturating_mul(32).max(16 * GROUP);
        let plan = Plan { groups: groups as usize, blocks, limit };
        let ended = self.finished(block, memory, &plan, tell);
        let mut written = Written::default();
        let (mut valid, mut conflict) = (0, false);
        for Group { block: group, accesses } in ended {
            let executed = block.executed.checked_add(group.executed);
            if accesses.read_any(&written) {
                // More exact notes may show that it is valid.
                conflict = true;
                break;
            }
            if executed.is_none_or(|executed| executed > block.limit) {
                break;
            }
            accesses.commit(memory.linear_mut(), &mut written);
            block.absorb(group);
            valid += 1;
        }
        if valid == groups {
            self.pause = PAUSE.0;
            self.groups = (2 * self.groups).min(GROUPS_PER_THREAD);
        } else if conflict && !self.words {
            self.words = true;
        } else {
            self.left = self.pause;
            self.pause = (PAUSE.1 * self.pause).min(PAUSE.2);
            self.groups = 1;
        }
        self.seen = block.executed;
        valid > 0
    }

    /// Runs the planned groups after `block`. Returns the ones before the first that has not
    /// finished.
    fn finished<'k>(
        &self,
        block: &Block<'k>,
        memory: &Memory,
        &Plan { groups, blocks, limit }: &Plan,
        tell: &mut Option<Tell<'_>>,
    ) -> Vec<Group<'k>> {
        let stopped = AtomicBool::new(false);
        let room = PAGES_PER_THREAD * self.threads;
        let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(groups));
        let ended: Mutex<Vec<Option<Group<'k>>>> = Mutex::new((0..groups).map(|_| None).collect());
        let work = |tell: Tell<'_>| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= failed.load(Ordering::Relaxed) {
                    return;
                }
                let first = block.number + 1 + index as u64 * blocks;
                let mut group = block.ahead(first..first + blocks, limit);
                let mut view = View::new(memory.linear(), block.kernel.program.code.len(), room, self.words);
                if finish(&mut group, &mut view, tell) {
                    let group = Group { block: group, accesses: view.accesses() };
                    ended.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(group);
                } else {
                    failed.fetch_min(index, Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads.min(groups) {
                let other = || {
                    work(&mut |_| {
                        if stopped.load(Ordering::Relaxed) {
                            ControlFlow::Break(StopReason::Interrupted)
                        } else {
                            ControlFlow::Continue(())
                        }
                    });
                };
                // If the system has no thread, the others do the work.
                drop(std::thread::Builder::new().spawn_scoped(scope, other));
            }
            work(&mut |reached| {
                let reached = Reached { retired: block.number, executed: block.executed, ..reached };
                let answer = tell.as_mut().map_or(ControlFlow::Continue(()), |tell| tell(reached));
                stopped.fetch_or(answer.is_break(), Ordering::Relaxed);
                answer
            });
        });
        ended
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .into_iter()
            .map_while(|group| group)
            .collect()
    }
}

/// Runs all blocks of a group. Returns whether all have finished.
fn finish(group: &mut Block<'_>, view: &mut View<'_>, tell: Tell<'_>) -> bool {
    let mut hooks = Hooks { tell: Some(tell), watch: UNOBSERVED, speculation: None };
    loop {
        match group.run(view, &mut hooks) {
            Some(Ending::Finished) if view.is_full() => return false,
            Some(Ending::Finished) if group.start_next() => {}
            ending => return ending == Some(Ending::Finished),
        }
    }
}

#[cfg(test)]
mod tests;
