//! Converts events to decisions: the issue cycle, the scheduler, the selected warp and the eligible
//! warps.

use super::trace::{Trace, issues};
use sim_core::observe::{Event, What};
use sim_core::stats::WarpState;

/// A warp: its slot and its launch number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warp {
    /// Slot in the SM.
    pub slot: u32,
    /// Launch number; smaller is older.
    pub age: u64,
}

/// A scheduler's selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Issue cycle.
    pub cycle: u64,
    /// Slots that the instruction occupies.
    pub slots: u64,
    /// Eligible warps, by slot.
    pub eligible: Vec<Warp>,
    /// Selected warp.
    pub picked: Warp,
    /// Issue cycle from which the selected warp was eligible.
    pub since: u64,
}

impl Decision {
    /// Whether `warp` was eligible.
    pub fn has(&self, warp: Warp) -> bool {
        self.eligible.contains(&warp)
    }

    /// Returns the first issue cycle after the instruction's slots.
    pub fn end(&self) -> u64 {
        self.cycle + self.slots
    }
}

/// The decisions of a scheduler.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// SM.
    pub sm: u32,
    /// Index of the scheduler in the SM.
    pub scheduler: u32,
    /// Its decisions in order.
    pub decisions: Vec<Decision>,
    /// Issue cycles in which it was free and a warp was eligible, but nothing issued; with the
    /// warp.
    pub missed: Vec<(u64, Warp)>,
}

/// State of a warp slot.
#[derive(Clone, Copy)]
struct SlotState {
    age: u64,
    state: WarpState,
    since: u64,
}

/// The SM's warp slots in the current issue cycle, and its schedulers.
struct SmState<'a> {
    trace: &'a Trace,
    slot_states: [Option<SlotState>; 64],
    schedules: Vec<Schedule>,
    held_until: Vec<u64>,
}

impl SmState<'_> {
    fn apply(&mut self, event: &Event, cycle: u64) {
        match &event.what {
            What::BlockStarted { block, warps, .. } => {
                for (slot, age) in self.trace.ages(*block, *warps) {
                    self.slot_states[slot as usize] =
                        Some(SlotState { age, state: WarpState::Fetch, since: cycle });
                }
            }
            What::BlockRetired { warps, .. } => {
                super::trace::bits(*warps).for_each(|slot| self.slot_states[slot as usize] = None);
            }
            What::State { warp, state, .. } => {
                if let Some(slot_state) = &mut self.slot_states[*warp as usize]
                    && slot_state.state != *state
                {
                    (slot_state.state, slot_state.since) = (*state, cycle);
                }
            }
            What::Stack { .. } | What::LoadCompleted { .. } | What::Written { .. } => {}
        }
    }

    /// Completes issue cycle `cycle`, whose events have been applied; `before` is the state of the
    /// slots before it.
    fn close(&mut self, cycle: u64, events: &[&Event], before: &[Option<SlotState>; 64]) {
        for scheduler in 0..self.schedules.len() {
            let mine = |slot: u32| slot as usize % self.schedules.len() == scheduler;
            let waits = |slot: u32| {
                let slot_state = self.slot_states[slot as usize]
                    .filter(|slot_state| slot_state.state == WarpState::NotSelected)?;
                Some(Warp { slot, age: slot_state.age })
            };
            let mut eligible: Vec<Warp> = (0..64).filter(|slot| mine(*slot)).filter_map(waits).collect();
            let issued = events.iter().filter_map(|event| issues(event)).find(|i| mine(i.origin.warp));
            if let Some(issued) = issued {
                let slot = issued.origin.warp;
                let age = self.slot_states[slot as usize].map_or(u64::MAX, |slot_state| slot_state.age);
                let picked = Warp { slot, age };
                eligible.push(picked);
                eligible.sort_unstable();
                let ready = |slot_state: &SlotState| {
                    slot_state.age == age && slot_state.state == WarpState::NotSelected
                };
                let since = before[slot as usize].filter(ready).map_or(cycle, |slot_state| slot_state.since);
                let slots = issued.slots();
                self.held_until[scheduler] = cycle + slots;
                self.schedules[scheduler].decisions.push(Decision { cycle, slots, eligible, picked, since });
            } else if let Some(warp) = eligible.first().filter(|_| self.held_until[scheduler] <= cycle) {
                self.schedules[scheduler].missed.push((cycle, *warp));
            }
        }
    }
}

/// Returns the decisions of every scheduler of the chip.
pub fn schedules(trace: &Trace) -> Vec<Schedule> {
    let mut all = Vec::new();
    for sm in 0..trace.sms() {
        let count = trace.chip.sm.schedulers;
        let schedule = |scheduler| Schedule { sm, scheduler, decisions: Vec::new(), missed: Vec::new() };
        let mut stage = SmState {
            trace,
            slot_states: [None; 64],
            schedules: (0..count).map(schedule).collect(),
            held_until: vec![0; count as usize],
        };
        let events: Vec<&Event> = trace.of_sm(sm).collect();
        for together in events.chunk_by(|a, b| a.cycle == b.cycle) {
            let cycle = together[0].cycle / trace.period();
            let before = stage.slot_states;
            for event in together {
                stage.apply(event, cycle);
            }
            stage.close(cycle, together, &before);
        }
        all.append(&mut stage.schedules);
    }
    all
}
