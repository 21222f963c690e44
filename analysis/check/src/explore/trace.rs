//! The actions of a schedule with the order that decides values: a partial order, which is the
//! same for all schedules that are equivalent.

use super::bits::Bits;
use sim_core::host::{Action, Done, Touch};

/// An action that has been executed.
#[derive(Clone, Debug)]
pub struct Event {
    /// Action that was executed.
    pub action: Action,
    /// Instruction.
    pub pc: u32,
    /// Bytes that take part in the order of the action.
    pub touches: Vec<Touch>,
    /// Bytes of memory that its requests access.
    pub accesses: Vec<Touch>,
    /// First request that it has issued, and their number.
    pub requests: (u32, u32),
    /// All events that must precede it in every equivalent schedule.
    pub before: Bits,
}

/// Two actions that another schedule can have in the other order, with a different result.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// The earlier event.
    pub first: usize,
    /// The first pair of touches that conflict.
    pub touches: (Touch, Touch),
}

/// Returns the first pair of touches that conflict.
pub fn conflict(a: &[Touch], b: &[Touch]) -> Option<(Touch, Touch)> {
    a.iter().find_map(|one| Some((*one, *b.iter().find(|other| one.conflicts(other))?)))
}

/// The actions of a schedule.
#[derive(Clone, Debug)]
pub struct Trace {
    events: Vec<Event>,
    warps_per_block: u32,
}

impl Trace {
    /// An empty schedule.
    pub fn new(warps_per_block: u32) -> Self {
        Self { events: Vec::new(), warps_per_block }
    }

    /// Returns the events in the order of their actions.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Removes the last event.
    pub fn pop(&mut self) {
        self.events.pop();
    }

    /// Adds an executed action. Returns its conflicts with earlier actions, the latest first, that
    /// no action between orders.
    pub fn push(&mut self, action: Action, done: Done) -> Vec<Conflict> {
        let mut before = Bits::default();
        for cause in &done.causes {
            before.add(*cause as usize);
            before.add_all(&self.events[*cause as usize].before);
        }
        let mut conflicts = Vec::new();
        for (number, event) in self.events.iter().enumerate().rev() {
            if before.has(number) {
                continue;
            }
            let Some(touches) = conflict(&event.touches, &done.touches) else { continue };
            before.add(number);
            before.add_all(&event.before);
            if !self.is_queued(event.action, action) {
                conflicts.push(Conflict { first: number, touches });
            }
        }
        let requests = (done.first_request, done.requests);
        let Done { pc, touches, accesses, .. } = done;
        self.events.push(Event { action, pc, touches, accesses, requests, before });
        conflicts
    }

    /// Whether both are deliveries from one SM: their steps decide their order.
    fn is_queued(&self, a: Action, b: Action) -> bool {
        let block = |action: Action| action.warp() / self.warps_per_block.max(1);
        !a.is_step() && !b.is_step() && block(a) == block(b)
    }

    /// Returns the actions that can be the first one after event `first` is moved behind the last
    /// event, with everything that follows from it.
    pub fn initials(&self, first: usize) -> Vec<Action> {
        let last = self.events.len() - 1;
        let mut moved: Vec<usize> = Vec::new();
        let mut initials: Vec<Action> = Vec::new();
        let mut seen: Vec<Action> = Vec::new();
        for number in first + 1..=last {
            let event = &self.events[number];
            if number != last && event.before.has(first) {
                continue;
            }
            let is_first = !seen.contains(&event.action);
            if is_first && !moved.iter().any(|earlier| event.before.has(*earlier)) {
                initials.push(event.action);
            }
            seen.push(event.action);
            moved.push(number);
        }
        initials
    }
}
