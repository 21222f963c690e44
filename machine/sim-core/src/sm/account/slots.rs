//! Issue slot breakdown of one SM: the slots of each scheduler's first dispatch port, and of its
//! second one if it has one.
//!
//! All slots of an instruction are charged when it issues. The slots between two instructions are
//! empty. An empty slot of a first port is charged to the least blocked of the scheduler's warps;
//! these slots are counted when the reason changes or the next instruction issues. The second port
//! issues only together with the first. If only the first port issues, the slot of the second is
//! counted as not pairable; in all other cycles it is counted like the slot of the first port.

use crate::config::MAX_SCHEDULERS;
use crate::counters::{PcCounters, SlotBreakdown, WarpState};
use crate::sm::execute::{ExtraSlots, Issue};
use crate::state::{CloneFrom, Value};

/// Accounting state of one port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
struct Counted {
    /// The slots of all issue cycles before this one are counted.
    until: u64,
    /// End of the slots of the last instruction; the slots from here to `until` are counted as
    /// empty.
    used_until: u64,
    /// Reason why the slots have been empty since then: the least blocked state, or none if no warp
    /// is resident.
    reason: Option<WarpState>,
    /// The last instruction and the slots that it used, for a run that ends within them.
    pc: u32,
    took: ExtraSlots,
    /// Issue cycles after that instruction in which an instruction of another scheduler blocked
    /// this one.
    shut: u64,
}

impl Counted {
    /// An instruction at `pc` issues at issue cycle `at` and uses the further slots of `took`.
    #[inline]
    fn used(&mut self, at: u64, pc: u32, took: ExtraSlots) {
        let until = at + 1 + took.slots();
        (self.until, self.used_until, self.reason) = (until, until, None);
        // A single slot is always before the end of the run, so `close` subtracts nothing.
        if took.slots() != 0 {
            (self.pc, self.took, self.shut) = (pc, took, 0);
        }
    }
}

/// The ports of all schedulers.
#[derive(CloneFrom, Debug, PartialEq, Eq, Value)]
pub struct SlotAccount {
    first: [Counted; MAX_SCHEDULERS],
    second: [Counted; MAX_SCHEDULERS],
    schedulers: usize,
    /// Whether the schedulers have second ports.
    two_ports: bool,
    /// The counted slots.
    pub breakdown: SlotBreakdown,
}

impl SlotAccount {
    /// The empty account of `schedulers` schedulers with one or two ports.
    pub fn new(schedulers: usize, ports: u32) -> Self {
        let booked = [Counted::default(); MAX_SCHEDULERS];
        let (first, second, breakdown) = (booked, booked, SlotBreakdown::default());
        Self { first, second, schedulers, two_ports: ports == 2, breakdown }
    }

    /// Counts the uncounted slots of a first port before issue cycle `at` as empty.
    #[inline]
    fn settle_first(&mut self, scheduler: usize, at: u64) {
        let booked = &mut self.first[scheduler % MAX_SCHEDULERS];
        if booked.until < at {
            self.breakdown.count_empty(booked.reason, at - booked.until);
            booked.until = at;
        }
    }

    /// Counts the uncounted slots of all first ports before issue cycle `at` as empty.
    pub fn settle(&mut self, at: u64) {
        (0..self.schedulers).for_each(|scheduler| self.settle_first(scheduler, at));
    }

    /// Same as [`Self::settle_first`], for a second port.
    fn settle_second(&mut self, scheduler: usize, at: u64) {
        let booked = &mut self.second[scheduler % MAX_SCHEDULERS];
        if booked.until < at {
            self.breakdown.as_first_port += at - booked.until;
            booked.until = at;
        }
    }

    /// From issue cycle `at` on, the slots of `scheduler` are empty because of `reason`.
    #[inline]
    pub fn empty(&mut self, scheduler: usize, at: u64, reason: Option<WarpState>) {
        if self.first[scheduler % MAX_SCHEDULERS].reason != reason {
            self.settle_first(scheduler, at);
            self.first[scheduler % MAX_SCHEDULERS].reason = reason;
        }
    }

    /// Counts the slots of an instruction: the first one and the further slots of `took`. An
    /// instruction of a second port uses further slots of the first port.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in two pipelines")]
    pub(in crate::sm) fn used(&mut self, issue: Issue<'_>, took: ExtraSlots, counters: &mut [PcCounters]) {
        let Issue { scheduler, cycle, .. } = issue;
        let pc = issue.pc();
        self.breakdown.issued += 1;
        if took.slots() != 0 {
            let ExtraSlots { held, replay, constant, .. } = took;
            self.breakdown.held += held;
            self.breakdown.replay_bank_conflict += replay;
            self.breakdown.replay_constant += constant;
            let counters = &mut counters[pc as usize];
            counters.held += held;
            counters.replay += replay + constant;
        }
        if issue.second {
            self.settle_second(scheduler, cycle);
            self.breakdown.paired += 1;
            self.second[scheduler % MAX_SCHEDULERS].used(cycle, pc, ExtraSlots::default());
            if took.slots() == 0 {
                return;
            }
        }
        self.settle_first(scheduler, cycle);
        self.first[scheduler % MAX_SCHEDULERS].used(cycle, pc, took);
    }

    /// Counts a cycle `at` in which only the first port of `scheduler` issued: no instruction could
    /// be paired, or (`left`) a user's policy selected none.
    pub fn second_alone(&mut self, scheduler: usize, at: u64, left: bool) {
        self.settle_second(scheduler, at);
        if left {
            self.breakdown.count_empty(Some(WarpState::NotSelected), 1);
        } else {
            self.breakdown.not_pairable += 1;
        }
        let until = at + 1;
        self.second[scheduler % MAX_SCHEDULERS] = Counted { until, used_until: until, ..Counted::default() };
    }

    /// An instruction of another scheduler blocks `scheduler` in issue cycles `from..to`, except
    /// where its own instruction uses the slots. Uncounted slots before `from` were empty.
    pub fn shut(&mut self, scheduler: usize, from: u64, to: u64) {
        let booked = &mut self.first[scheduler % MAX_SCHEDULERS];
        let from = from.max(booked.used_until);
        if from >= to {
            return;
        }
        if booked.until < from {
            self.breakdown.count_empty(booked.reason, from - booked.until);
        }
        self.breakdown.shut_by_other += to - from;
        (booked.until, booked.used_until, booked.shut) = (to, to, to - from);
    }

    /// Begins the breakdown at issue cycle `at`: no slot has been counted.
    pub fn open(&mut self, at: u64) {
        for booked in self.first.iter_mut().chain(&mut self.second) {
            (booked.until, booked.used_until) = (at, at);
        }
    }

    /// Completes the breakdown at issue cycle `end`: subtracts the slots that were counted after
    /// it.
    pub fn close(&mut self, end: u64, counters: &mut [PcCounters]) {
        self.settle(end);
        let seconds = if self.two_ports { self.schedulers } else { 0 };
        (0..seconds).for_each(|scheduler| self.settle_second(scheduler, end));
        let slots = &mut self.breakdown;
        for (booked, first) in self.first[..self.schedulers]
            .iter()
            .map(|b| (b, true))
            .chain(self.second[..seconds].iter().map(|b| (b, false)))
        {
            // Empty slots may have been counted beyond the end, before the end was known.
            let empty = booked.until - booked.used_until.max(end);
            match booked.reason {
                _ if !first => slots.as_first_port -= empty,
                Some(state) => slots.empty[state] -= empty,
                None => slots.no_warp -= empty,
            }
            // The last instruction uses slots beyond the end. The slots of its sequence come first,
            // then its replays, then the slots in which another scheduler's instruction blocked
            // this scheduler.
            let beyond = booked.used_until.saturating_sub(end);
            let shut = beyond.min(booked.shut);
            let constant = (beyond - shut).min(booked.took.constant);
            let replay = (beyond - shut - constant).min(booked.took.replay);
            let held = beyond - shut - constant - replay;
            slots.shut_by_other -= shut;
            slots.replay_constant -= constant;
            slots.replay_bank_conflict -= replay;
            slots.held -= held;
            // An SM without a block has no counters.
            if let Some(counters) = counters.get_mut(booked.pc as usize) {
                counters.replay -= replay + constant;
                counters.held -= held;
            }
        }
    }
}
