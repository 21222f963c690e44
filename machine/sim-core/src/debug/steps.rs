//! Single steps of a warp.
//!
//! A step forward ends after the issue cycle of an instruction, a step back at the start of an
//! issue cycle. The trail has the positions of the latest steps, so that a step in the other
//! direction returns to the position from which the first one began.

use super::search::key;
use super::session::{Halt, Key, Poll, Session};
use crate::events::{Event, What, Why};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// Largest number of positions of the trail.
const MOST: usize = 1 << 16;

/// Positions of steps of one warp, in ascending order: between two of them the warp executes one
/// instruction.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// SM and warp slot.
    warp: (u32, u32),
    positions: VecDeque<Position>,
}

/// A position of a launch.
#[derive(Clone, Debug)]
struct Position {
    cycle: u64,
    /// The event at which a search has stopped there.
    found: Option<Key>,
    /// The event of the step from here to the next position.
    step: Option<Event>,
}

impl Trail {
    /// Returns the index of the position of a warp at a cycle.
    fn at(&self, warp: (u32, u32), cycle: u64) -> Option<usize> {
        let index = self.positions.binary_search_by_key(&cycle, |position| position.cycle);
        index.ok().filter(|_| self.warp == warp)
    }

    /// Begins again at this position, unless the trail has it.
    fn begin(&mut self, warp: (u32, u32), cycle: u64, found: Option<Key>) {
        if self.at(warp, cycle).is_none() {
            *self = Self { warp, positions: [Position { cycle, found, step: None }].into() };
        }
    }

    /// Adds a position after the last one; `step` is the event between them.
    fn push(&mut self, cycle: u64, found: Option<Key>, step: Event) {
        if let Some(last) = self.positions.back_mut() {
            last.step = Some(step);
        }
        self.positions.push_back(Position { cycle, found, step: None });
        if self.positions.len() > MOST {
            self.positions.pop_front();
        }
    }

    /// Adds the position of an event before the first one.
    fn push_front(&mut self, step: Event) {
        let (cycle, found) = (step.cycle, Some(key(&step)));
        self.positions.push_front(Position { cycle, found, step: Some(step) });
        self.positions.truncate(MOST);
    }
}

impl Session<'_> {
    /// Runs until the warp in slot `warp` of SM `sm` has issued an instruction, or its block has
    /// retired. Returns the event of the instruction. The machine is then after its issue cycle, or
    /// at the position from which a step back began.
    pub fn step_instruction(&mut self, sm: u32, warp: u32, poll: Poll<'_>) -> Halt {
        let (start, found) = (self.cycle(), self.found);
        if let Some(at) = self.trail.at((sm, warp), start)
            && let Some(next) = self.trail.positions.get(at + 1).cloned()
            && let Some(event) = self.trail.positions[at].step.clone()
        {
            return self.return_to(&next, event, poll);
        }
        self.found = None;
        let mut stops = |event: &Event| {
            event.sm == sm
                && (issues(event, warp)
                    || matches!(event.what, What::BlockRetired { warps, .. } if warps >> warp & 1 == 1))
        };
        let halt = self.find(&mut stops, poll);
        self.found = None;
        if let Halt::Event(event) = &halt {
            self.step_cycle();
            if !self.has_ended() {
                self.trail.begin((sm, warp), start, found);
                self.trail.push(self.cycle(), None, event.clone());
            }
        }
        halt
    }

    /// Moves back to the start of the issue cycle in which the warp in slot `warp` of SM `sm`
    /// issued its latest instruction, or to the position from which a step forward began.
    pub fn step_instruction_back(&mut self, sm: u32, warp: u32, poll: Poll<'_>) -> Halt {
        self.step_instructions_back(sm, warp, 1, poll)
    }

    /// Moves back by `count` instructions of a warp, as [`step_instruction_back`] does. Returns the
    /// event of the earliest one.
    ///
    /// [`step_instruction_back`]: Self::step_instruction_back
    pub fn step_instructions_back(&mut self, sm: u32, warp: u32, count: u64, poll: Poll<'_>) -> Halt {
        let mut left = usize::try_from(count).unwrap_or(usize::MAX);
        if left == 0 {
            return Halt::Done;
        }
        let known = self.trail.at((sm, warp), self.cycle()).filter(|_| !self.has_ended());
        if let Some(at) = known.filter(|at| *at > 0) {
            let to = at - left.min(at);
            let position = self.trail.positions[to].clone();
            left -= at - to;
            let halt = match position.step.clone() {
                Some(event) => self.return_to(&position, event, poll),
                None => Halt::Done,
            };
            if left == 0 || halt == Halt::Interrupted {
                return halt;
            }
        }
        let (start, found, has_ended) = (self.cycle(), self.found, self.has_ended());
        if has_ended {
            // The next step forward ends at the end of the launch by itself.
            self.trail = Trail::default();
        } else {
            self.trail.begin((sm, warp), start, found);
        }
        let mut end = self.before();
        let mut earliest = None;
        loop {
            let mut stops = |event: &Event| event.sm == sm && issues(event, warp);
            let (from, all) = match self.part_before(end, &mut stops, true, poll) {
                Ok(Some(part)) => part,
                Ok(None) => break,
                Err(halt) => return halt,
            };
            for event in all.into_iter().rev() {
                // A warp can issue two instructions in one cycle.
                if earliest.replace(event.cycle) == Some(event.cycle) {
                    continue;
                }
                if !has_ended {
                    self.trail.push_front(event.clone());
                }
                left -= 1;
                if left == 0 {
                    self.go_to(event.cycle, &mut |_| ControlFlow::Continue(()));
                    self.found = Some(key(&event));
                    return Halt::Event(event);
                }
            }
            end = from;
        }
        self.go_to(0, &mut |_| ControlFlow::Continue(()));
        Halt::Start
    }

    /// Moves to a position of the trail; `event` is the one that the last step passes.
    fn return_to(&mut self, position: &Position, event: Event, poll: Poll<'_>) -> Halt {
        if self.go_to(position.cycle, poll) == Halt::Interrupted {
            return Halt::Interrupted;
        }
        self.found = position.found;
        Halt::Event(event)
    }
}

/// Whether this event is the issue of an instruction by the warp in slot `warp`.
pub(super) fn issues(event: &Event, warp: u32) -> bool {
    match &event.what {
        What::State { warp: of, why: Why::Issued(issued), .. } => {
            *of == warp && issued.origin.cycle == event.cycle
        }
        What::State { .. }
        | What::BlockStarted { .. }
        | What::BlockRetired { .. }
        | What::Stack { .. }
        | What::LoadCompleted { .. }
        | What::Written { .. } => false,
    }
}
