//! Whether a block can end, and the report if it cannot.

use super::block::{Block, State};
use super::{Ending, Reached, TELL_EVERY, Tell};
use crate::gpu::stuck::report::{NotStarted, StuckClass, StuckReport};
use crate::gpu::stuck::round::Bytes;
use crate::gpu::stuck::{At, Seen, Unfinished, World, classify};
use std::ops::ControlFlow;

impl Block<'_> {
    /// Reports the progress and examines whether the launch can end, each if it is due.
    pub(super) fn look(&mut self, memory: &impl Bytes, tell: &mut Option<Tell<'_>>) -> Option<Ending> {
        let now = self.executed;
        if let Some(stopped) = self.report(memory, tell) {
            return Some(stopped);
        }
        if now >= self.prove {
            self.prove = (now + 1).next_power_of_two();
            let stuck = self.stuck(memory, false);
            if stuck.class != StuckClass::Limit {
                return Some(Ending::Hung(Box::new(stuck)));
            }
        }
        self.look = if tell.is_some() { self.prove.min(now + TELL_EVERY) } else { self.prove };
        None
    }

    /// Reports the progress. Returns the end of the launch if the callback asks to stop.
    pub(super) fn report(&self, memory: &impl Bytes, tell: &mut Option<Tell<'_>>) -> Option<Ending> {
        let mut warps = self.warps.iter().zip(&self.states);
        let pc = warps.find_map(|(warp, state)| match state {
            State::Ready => Some(warp.simt.pc()),
            State::Waiting { pc, .. } => Some(*pc),
            State::Exited => None,
        });
        match tell.as_mut()?(Reached { retired: self.number, executed: self.executed, pc }) {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(reason) => Some(Ending::Stopped(reason, Box::new(self.stuck(memory, false)))),
        }
    }

    /// Explains why the block does not end. `idle` means that none of its warps can continue.
    pub fn stuck(&self, memory: &impl Bytes, idle: bool) -> StuckReport {
        let warps = self.warps.iter().zip(&self.states).zip(&self.since);
        let at_barrier = |slot: u32, pc, lanes| match self.barriers.of(slot) {
            Some((barrier, gathering)) => At::Barrier { barrier, counted: gathering.counted(), pc, lanes },
            None => At::Going,
        };
        let seen: Vec<Seen> = (0..)
            .zip(warps)
            .map(|(slot, ((warp, state), since))| Seen {
                place: None,
                warp,
                shared: &self.shared,
                since: *since,
                at: match *state {
                    State::Ready => At::Going,
                    State::Waiting { pc, lanes } => at_barrier(slot, pc, lanes),
                    State::Exited => At::Exited,
                },
                coming: Vec::new(),
            })
            .collect();
        // The timed machine would run later blocks at the same time as this one, and those could
        // write the words that it reads.
        let memory = self.is_last().then_some(memory as &dyn Bytes);
        let grid = self.kernel.grid;
        let not_started = (!self.is_last()).then(|| NotStarted {
            kernel: None,
            first: grid.index_of(self.number + 1),
            blocks: grid.count() - self.number - 1,
            holders: vec![grid.index_of(self.number)],
        });
        let block = Unfinished { kernel: self.kernel, seen, queues: Vec::new(), not_started };
        let world = World { idle, closed: true, memory, leftover: false };
        classify(vec![block], &world).remove(0)
    }
}
