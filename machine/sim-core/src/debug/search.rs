//! Searches for an event, forward and back.
//!
//! A search has a filter on events and may have a condition on the state of the launch at the start
//! of the event's issue cycle. An event is known only after its cycle. So the launch runs over a
//! part of the search, the filter collects the events, and the launch runs over the part once more
//! to decide the condition at each of them. The time of a search is therefore proportional to the
//! number of cycles that it passes, whether the condition ever holds or not.

use super::session::{CHUNK, Halt, Key, Poll, Session};
use crate::events::{Event, What};
use std::ops::ControlFlow;

/// Shader cycles of the first part of a search.
const FIRST_CHUNK: u64 = 1 << 6;

/// A condition on the state of a launch at the start of the issue cycle of an event.
pub type Holds<'a> = &'a mut dyn FnMut(&Session<'_>, &Event) -> bool;

impl Session<'_> {
    /// Runs to the first event for which `stops` is true, after the event at which the last search
    /// stopped.
    pub fn find(&mut self, stops: &mut dyn FnMut(&Event) -> bool, poll: Poll<'_>) -> Halt {
        self.find_where(stops, None, poll)
    }

    /// Runs to the first event for which `stops` is true and the condition holds, as
    /// [`find`](Self::find) does.
    pub fn find_where(
        &mut self,
        stops: &mut dyn FnMut(&Event) -> bool,
        mut holds: Option<Holds<'_>>,
        poll: Poll<'_>,
    ) -> Halt {
        let after = self.found.take();
        let (mut chunk, mut has_rejected) = (FIRST_CHUNK, false);
        loop {
            if self.has_ended() {
                return Halt::Ended;
            }
            if poll(self.cycle()).is_break() {
                return Halt::Interrupted;
            }
            // A step is often short: a copy at its start is nearer than those of the history.
            let start = self.cycle();
            let near = (chunk < CHUNK || has_rejected).then(|| self.state.clone());
            let mut all: Vec<Event> = Vec::new();
            self.advance(start + chunk, &mut |event| {
                let is_new = after.is_none_or(|after| key(event) > after);
                if is_new && stops(event) {
                    if holds.is_none() {
                        all.retain(|first| key(first) <= key(event));
                    }
                    if holds.is_some() || all.is_empty() {
                        all.push(event.clone());
                    }
                }
            });
            chunk = CHUNK.min(4 * chunk);
            if all.is_empty() {
                continue;
            }
            all.sort_by_key(key);
            let end = self.cycle();
            match near {
                Some(near) => self.state = near,
                None => _ = self.go_to(start, &mut |_| ControlFlow::Continue(())),
            }
            for event in all {
                self.go_to(event.cycle, &mut |_| ControlFlow::Continue(()));
                if holds.as_mut().is_none_or(|holds| holds(self, &event)) {
                    self.found = Some(key(&event));
                    return Halt::Event(event);
                }
            }
            has_rejected = true;
            self.go_to(end, &mut |_| ControlFlow::Continue(()));
        }
    }

    /// Moves back to the latest event before this cycle for which `stops` is true.
    pub fn find_back(&mut self, stops: &mut dyn FnMut(&Event) -> bool, poll: Poll<'_>) -> Halt {
        self.find_back_where(stops, None, poll)
    }

    /// Moves back to the latest event before this cycle for which `stops` is true and the condition
    /// holds.
    pub fn find_back_where(
        &mut self,
        stops: &mut dyn FnMut(&Event) -> bool,
        mut holds: Option<Holds<'_>>,
        poll: Poll<'_>,
    ) -> Halt {
        let keeps_all = holds.is_some();
        let mut end = self.before();
        loop {
            let (from, mut all) = match self.part_before(end, stops, keeps_all, poll) {
                Ok(Some(part)) => part,
                Ok(None) => break,
                Err(halt) => return halt,
            };
            if let Some(holds) = &mut holds
                && !all.is_empty()
            {
                self.go_to(from, &mut |_| ControlFlow::Continue(()));
                let mut latest = None;
                for event in all {
                    if poll(self.cycle()).is_break() {
                        return Halt::Interrupted;
                    }
                    self.go_to(event.cycle, &mut |_| ControlFlow::Continue(()));
                    if holds(self, &event) {
                        latest = Some(event);
                    }
                }
                all = latest.into_iter().collect();
            }
            if let Some(last) = all.pop() {
                self.go_to(last.cycle, &mut |_| ControlFlow::Continue(()));
                self.found = Some(key(&last));
                return Halt::Event(last);
            }
            end = from;
        }
        self.go_to(0, &mut |_| ControlFlow::Continue(()));
        Halt::Start
    }

    /// Returns the cycle before which an event is earlier than this position.
    pub(super) fn before(&self) -> u64 {
        // The event at the current position is not before it.
        self.found.map_or_else(|| self.cycle(), |(cycle, ..)| cycle)
    }

    /// Runs from the latest copy before shader cycle `end` to `end`. Returns the cycle of the copy
    /// and the events before `end` for which `stops` is true, or only the last one of them. Returns
    /// `None` at the start of the launch.
    pub(super) fn part_before(
        &mut self,
        end: u64,
        stops: &mut dyn FnMut(&Event) -> bool,
        keeps_all: bool,
        poll: Poll<'_>,
    ) -> Result<Option<(u64, Vec<Event>)>, Halt> {
        let Some(last) = end.checked_sub(1) else { return Ok(None) };
        self.found = None;
        self.restart(last);
        let from = self.cycle();
        let mut all: Vec<Event> = Vec::new();
        while self.cycle() < end && !self.has_ended() {
            if poll(self.cycle()).is_break() {
                return Err(Halt::Interrupted);
            }
            self.advance(end.min(self.cycle() + CHUNK), &mut |event| {
                if event.cycle < end && stops(event) {
                    if !keeps_all {
                        all.clear();
                    }
                    all.push(event.clone());
                }
            });
        }
        Ok(Some((from, all)))
    }
}

/// Returns cycle, SM and warp slot of an event; events of blocks are ordered before those of warps.
pub(super) fn key(event: &Event) -> Key {
    let warp = match &event.what {
        What::BlockStarted { .. } | What::BlockRetired { .. } => 0,
        What::State { warp, .. } | What::Stack { warp, .. } => *warp,
        What::LoadCompleted { load, .. } => load.warp,
        What::Written { by, .. } => by.warp,
    };
    (event.cycle, event.sm, warp)
}
