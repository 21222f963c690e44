//! From events to decisions: in which issue cycle which scheduler chose which warp out of which.

use super::film::{Film, issues};
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

/// A scheduler's choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Issue cycle.
    pub cycle: u64,
    /// Slots that the instruction takes.
    pub slots: u64,
    /// Who could issue, by slot.
    pub eligible: Vec<Warp>,
    /// Who did.
    pub picked: Warp,
    /// Issue cycle from which the picked warp could have issued, but for the scheduler.
    pub since: u64,
}

impl Decision {
    /// Whether `warp` could issue.
    pub fn has(&self, warp: Warp) -> bool {
        self.eligible.contains(&warp)
    }

    /// The first issue cycle after the instruction's slots.
    pub fn end(&self) -> u64 {
        self.cycle + self.slots
    }
}

/// What a scheduler did.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// SM.
    pub sm: u32,
    /// Scheduler of the SM.
    pub scheduler: u32,
    /// Its choices in order.
    pub decisions: Vec<Decision>,
    /// Issue cycles in which it was free and a warp was eligible, and it issued nothing; with the
    /// warp.
    pub missed: Vec<(u64, Warp)>,
}

/// What is known of a warp slot.
#[derive(Clone, Copy)]
struct Seat {
    age: u64,
    state: WarpState,
    since: u64,
}

/// The SM's warp slots in the present issue cycle, and its schedulers.
struct Stage<'a> {
    film: &'a Film,
    seats: [Option<Seat>; 64],
    schedules: Vec<Schedule>,
    held_until: Vec<u64>,
}

impl Stage<'_> {
    fn apply(&mut self, event: &Event, cycle: u64) {
        match &event.what {
            What::BlockStarted { block, warps, .. } => {
                for (slot, age) in self.film.ages(*block, *warps) {
                    self.seats[slot as usize] = Some(Seat { age, state: WarpState::Fetch, since: cycle });
                }
            }
            What::BlockRetired { warps, .. } => {
                super::film::bits(*warps).for_each(|slot| self.seats[slot as usize] = None);
            }
            What::State { warp, state, .. } => {
                if let Some(seat) = &mut self.seats[*warp as usize]
                    && seat.state != *state
                {
                    (seat.state, seat.since) = (*state, cycle);
                }
            }
            What::Stack { .. } | What::LoadCompleted { .. } => {}
        }
    }

    /// All events of issue cycle `cycle`, before which the slots were `before`, have been applied.
    fn close(&mut self, cycle: u64, events: &[&Event], before: &[Option<Seat>; 64]) {
        for scheduler in 0..self.schedules.len() {
            let mine = |slot: u32| slot as usize % self.schedules.len() == scheduler;
            let waits = |slot: u32| {
                let seat = self.seats[slot as usize].filter(|seat| seat.state == WarpState::NotSelected)?;
                Some(Warp { slot, age: seat.age })
            };
            let mut eligible: Vec<Warp> = (0..64).filter(|slot| mine(*slot)).filter_map(waits).collect();
            let issued = events.iter().filter_map(|event| issues(event)).find(|i| mine(i.origin.warp));
            if let Some(issued) = issued {
                let slot = issued.origin.warp;
                let age = self.seats[slot as usize].map_or(u64::MAX, |seat| seat.age);
                let picked = Warp { slot, age };
                eligible.push(picked);
                eligible.sort_unstable();
                let ready = |seat: &Seat| seat.age == age && seat.state == WarpState::NotSelected;
                let since = before[slot as usize].filter(ready).map_or(cycle, |seat| seat.since);
                let slots = issued.slots();
                self.held_until[scheduler] = cycle + slots;
                self.schedules[scheduler].decisions.push(Decision { cycle, slots, eligible, picked, since });
            } else if let Some(warp) = eligible.first().filter(|_| self.held_until[scheduler] <= cycle) {
                self.schedules[scheduler].missed.push((cycle, *warp));
            }
        }
    }
}

/// What every scheduler of the chip did.
pub fn schedules(film: &Film) -> Vec<Schedule> {
    let mut all = Vec::new();
    for sm in 0..film.sms() {
        let count = film.chip.sm.schedulers;
        let schedule = |scheduler| Schedule { sm, scheduler, decisions: Vec::new(), missed: Vec::new() };
        let mut stage = Stage {
            film,
            seats: [None; 64],
            schedules: (0..count).map(schedule).collect(),
            held_until: vec![0; count as usize],
        };
        let events: Vec<&Event> = film.of_sm(sm).collect();
        for together in events.chunk_by(|a, b| a.cycle == b.cycle) {
            let cycle = together[0].cycle / film.period();
            let before = stage.seats;
            for event in together {
                stage.apply(event, cycle);
            }
            stage.close(cycle, together, &before);
        }
        all.append(&mut stage.schedules);
    }
    all
}
