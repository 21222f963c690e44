//! Results of a search: outcomes with their shortest schedules, data races, and how much has been
//! covered.

use super::schedule::Schedule;
use super::trace::{self, Conflict, Event, Trace};
use super::{Asks, Limits};
use sim_core::host::{End, Interleaved, Place, Touch};
use std::collections::BTreeMap;

/// Schedules of an outcome that are compared to find a short one: all first ones, and more while
/// the shortest one has preemptions or late requests.
const COMPARED: u64 = 64;
const MOST_COMPARED: u64 = 1024;

/// Property by which outcomes differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutcomeKind {
    /// The launch has finished with this result.
    Finished(Vec<u8>),
    /// An instruction could not be executed: its index.
    Trapped(u32),
    /// Warps can never continue: their numbers in the launch, with their instructions.
    Hung(Vec<(u32, u32)>),
}

/// An outcome of a launch with the schedules that lead to it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Property by which it differs from other outcomes.
    pub kind: OutcomeKind,
    /// How it ends.
    pub end: End,
    /// Number of schedules that have it.
    pub schedules: u64,
    /// The schedule with the fewest preemptions and late requests that was found.
    pub schedule: Schedule,
    /// The machine at the end of one of its schedules.
    pub state: Interleaved,
}

/// One of two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// Instruction.
    pub pc: u32,
    /// Warp, by its number in the launch.
    pub warp: u32,
    /// Bytes that the access reads or writes.
    pub touch: Touch,
}

/// Two accesses to the same bytes by different warps, at least one of them a write and not both
/// atomic or volatile, that were executed in either order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// The access with the lower instruction index.
    pub first: Side,
    /// The other access.
    pub second: Side,
    /// Number of times that it was found.
    pub times: u64,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The outcomes, in the order of their discovery.
    pub outcomes: Vec<Outcome>,
    /// The data races, by instructions.
    pub races: Vec<Race>,
    /// Schedules that were run to their end.
    pub schedules: u64,
    /// Schedules that were left before their end because another one has their outcome.
    pub redundant: u64,
    /// Schedules that have reached the limit of actions.
    pub too_long: u64,
    /// Actions that were not tried because of the limit of preemptions.
    pub cut_by_preemptions: u64,
    /// Whether the search was not stopped by the limit of schedules or by the program around it.
    pub is_complete: bool,
    /// Whether the program around the search has stopped it.
    pub is_interrupted: bool,
    /// Most actions of a schedule.
    pub longest: u32,
}

impl Exploration {
    /// Whether all inequivalent schedules were run.
    pub fn is_exhaustive(&self) -> bool {
        self.is_complete && self.too_long == 0 && self.cut_by_preemptions == 0
    }
}

/// Collects what a search finds.
pub(super) struct Found<'a> {
    pub limits: Limits,
    asks: Asks<'a>,
    outcomes: BTreeMap<OutcomeKind, (usize, Outcome)>,
    races: BTreeMap<(u32, u32), Race>,
    schedules: u64,
    redundant: u64,
    too_long: u64,
    pub cut_by_preemptions: u64,
    pub is_complete: bool,
    /// Whether the program around the search goes on.
    is_asked: bool,
    longest: u32,
    warps_per_block: u32,
}

impl<'a> Found<'a> {
    pub fn new(start: &Interleaved, limits: Limits, asks: Asks<'a>) -> Self {
        Self {
            limits,
            asks,
            outcomes: BTreeMap::new(),
            races: BTreeMap::new(),
            schedules: 0,
            redundant: 0,
            too_long: 0,
            cut_by_preemptions: 0,
            is_complete: false,
            is_asked: true,
            longest: 0,
            warps_per_block: start.warps_per_block(),
        }
    }

    /// Number of schedules that were run.
    fn runs(&self) -> u64 {
        self.schedules + self.redundant + self.too_long
    }

    /// Whether the limits allow another action.
    pub fn goes_on(&self) -> bool {
        self.is_asked && self.runs() < self.limits.schedules
    }

    /// Adds a data race, if the conflict is one.
    pub fn conflict(&mut self, trace: &Trace, conflict: &Conflict) {
        let Some(last) = trace.events().last() else { return };
        let earlier = &trace.events()[conflict.first];
        let touches = match conflict.touches.0.place {
            Place::Global | Place::Shared(_) => Some(conflict.touches),
            // Requests of two warps that wait in one queue.
            Place::Queue(_) => trace::conflict(&earlier.accesses, &last.accesses),
            Place::Barrier(_) => None,
        };
        let Some((first, second)) = touches.filter(|(a, b)| !(a.synchronizes && b.synchronizes)) else {
            return;
        };
        let side = |event: &Event, touch| Side { pc: event.pc, warp: event.action.warp(), touch };
        let (a, b) = (side(earlier, first), side(last, second));
        let (first, second) = if a.pc <= b.pc { (a, b) } else { (b, a) };
        let race = self.races.entry((first.pc, second.pc)).or_insert(Race { first, second, times: 0 });
        race.times += 1;
    }

    /// Adds a schedule. `end` is `None` if it has reached the limit of actions.
    pub fn ended(&mut self, state: &Interleaved, end: Option<End>, trace: &Trace) {
        self.longest = self.longest.max(trace.events().len() as u32);
        match end {
            None => self.too_long += 1,
            Some(End::Redundant) => self.redundant += 1,
            Some(end) => {
                self.schedules += 1;
                self.add(state, end, trace);
            }
        }
        let runs = self.runs();
        self.is_asked = self.is_asked && (self.asks.goes_on)(runs);
    }

    fn add(&mut self, state: &Interleaved, end: End, trace: &Trace) {
        let kind = match &end {
            End::Finished | End::Redundant => OutcomeKind::Finished((self.asks.result)(state)),
            End::Trapped(trap) => OutcomeKind::Trapped(trap.pc),
            End::Hung(waiting) => OutcomeKind::Hung(waiting.iter().map(|one| (one.number, one.pc)).collect()),
        };
        let short = || Schedule::short(trace, self.warps_per_block);
        let number = self.outcomes.len();
        if let Some((_, outcome)) = self.outcomes.get_mut(&kind) {
            outcome.schedules += 1;
            let most = if outcome.schedule.cost().0 > 0 { MOST_COMPARED } else { COMPARED };
            if outcome.schedules <= most {
                let schedule = short();
                if schedule.cost() < outcome.schedule.cost() {
                    (outcome.schedule, outcome.state, outcome.end) = (schedule, state.clone(), end);
                }
            }
            return;
        }
        let schedule = short();
        let outcome = Outcome { kind: kind.clone(), end, schedules: 1, schedule, state: state.clone() };
        self.outcomes.insert(kind, (number, outcome));
    }

    /// Returns everything that was found.
    pub fn finish(self) -> Exploration {
        let mut outcomes: Vec<(usize, Outcome)> = self.outcomes.into_values().collect();
        outcomes.sort_by_key(|(number, _)| *number);
        Exploration {
            outcomes: outcomes.into_iter().map(|(_, outcome)| outcome).collect(),
            races: self.races.into_values().collect(),
            schedules: self.schedules,
            redundant: self.redundant,
            too_long: self.too_long,
            cut_by_preemptions: self.cut_by_preemptions,
            is_complete: self.is_complete,
            is_interrupted: !self.is_asked,
            longest: self.longest,
        }
    }
}
