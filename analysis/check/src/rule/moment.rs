//! Input of a rule: one moment of the machine, for one subject.

use super::grid::Grid;
use super::setup::Warp;
use super::slot::Slot;
use super::sm::Sm;
use sim_core::observe::{Event, Issued};

/// Subject of a rule. There is a separate copy of the rule for each subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A scheduler of an SM, in each issue cycle in which something changes.
    Scheduler,
    /// A resident warp, in each issue cycle in which something changes on its SM.
    Warp,
    /// Two resident warps of one scheduler, [`Moment::warp`] being the older one.
    Pair,
    /// An SM, at each of its events.
    Sm,
    /// The whole grid, at each block that starts or ends.
    Grid,
}

/// One subject at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// Issue cycle.
    pub cycle: u64,
    /// The SM, after the events of this cycle; for [`Subject::Sm`], after this event.
    pub sm: &'a Sm,
    /// Blocks that have started until this moment.
    pub grid: &'a Grid,
    /// Index of the scheduler in the SM (all subjects but [`Subject::Sm`] and [`Subject::Grid`]).
    pub scheduler: u32,
    /// The warp ([`Subject::Warp`], [`Subject::Pair`]).
    pub warp: Warp,
    /// The younger warp ([`Subject::Pair`]).
    pub other: Warp,
    /// The event ([`Subject::Sm`], [`Subject::Grid`]).
    pub event: Option<&'a Event>,
}

impl Moment<'_> {
    /// The slot of [`Self::warp`].
    pub fn slot(&self) -> Option<&Slot> {
        self.sm.slots[self.warp.slot as usize].as_ref().filter(|slot| slot.warp == self.warp)
    }

    /// The instruction that the scheduler issues in this cycle.
    pub fn issued(&self) -> Option<&Issued> {
        self.sm.schedulers.get(self.scheduler as usize)?.issued.as_ref()
    }

    /// The warp that the scheduler selects in this cycle.
    pub fn selected(&self) -> Option<Warp> {
        let slot = self.issued()?.origin.warp;
        self.sm.slots[slot as usize].as_ref().map(|slot| slot.warp)
    }

    /// The scheduler's warps that can issue in this cycle, the one that issues included: a mask of
    /// slots.
    pub fn eligible(&self) -> u64 {
        self.sm.schedulers.get(self.scheduler as usize).map_or(0, |scheduler| scheduler.eligible)
    }

    /// The scheduler's eligible warps.
    pub fn eligible_warps(&self) -> impl Iterator<Item = Warp> {
        let of = |slot: u32| self.sm.slots[slot as usize].as_ref().map(|slot| slot.warp);
        sim_core::scheduler::View { eligible: self.eligible(), ..Default::default() }
            .eligible_warps()
            .filter_map(of)
    }

    /// Describes the moment, for a message.
    pub(super) fn describe(&self, subject: Subject) -> String {
        let selected = || match self.selected() {
            Some(warp) => format!("{warp} issues"),
            None => "nothing issues".to_owned(),
        };
        let eligible = || {
            let warps: Vec<String> = self.eligible_warps().map(|warp| warp.slot.to_string()).collect();
            if warps.is_empty() { "none".to_owned() } else { warps.join(", ") }
        };
        match subject {
            Subject::Scheduler => format!("{}; eligible slots: {}", selected(), eligible()),
            Subject::Warp => {
                let state = self.slot().map_or("not resident".to_owned(), Slot::describe);
                format!("{}: {state}; {}; eligible slots: {}", self.warp, selected(), eligible())
            }
            Subject::Pair => {
                format!("{} and {}; {}; eligible slots: {}", self.warp, self.other, selected(), eligible())
            }
            Subject::Sm | Subject::Grid => {
                let what = self.event.map_or(String::new(), |event| format!("{:?}", event.what));
                let why = self.sm.facts.text.as_deref().or(self.grid.text.as_deref());
                why.map_or(what.clone(), |why| format!("{why}: {what}"))
            }
        }
    }
}
