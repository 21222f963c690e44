//! The slots of one SM, as far as they are booked: those of each scheduler's first dispatch port, and of its second one
//! if it has one.
//!
//! Slots are booked when an instruction issues, for as long as it takes; what lies between two of those is empty. An
//! empty slot of a first port goes by the least blocked of the scheduler's warps. The second port issues only beside the
//! first: where that issues and it does not, there was nothing to pair; everywhere else its slot is as that of the first.

use crate::counters::{PcCounters, SlotLedger, WarpState};
use crate::sm::execute::{Extra, Issue};

/// The slots of one port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Booked {
    /// All issue cycles before this are booked.
    until: u64,
    /// All before this as issued, held, replayed, shut or unpaired, or empty before that.
    used_until: u64,
    /// Why its slots have been empty since: the least blocked state, or none if no warp is resident.
    reason: Option<WarpState>,
    /// Of the last instruction: where it stands and what it took, should the run be cut short within it.
    pc: u32,
    took: Extra,
    /// For how many issue cycles behind it another scheduler's instruction kept it from issuing.
    shut: u64,
}

impl Booked {
    /// An instruction at `pc` issues at issue cycle `at` and takes the slots of `took` more.
    fn used(&mut self, at: u64, pc: u32, took: Extra) {
        let until = at + 1 + took.slots();
        *self = Self { until, used_until: until, reason: None, pc, took, shut: 0 };
    }
}

/// The ports of all schedulers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotBooks {
    first: Vec<Booked>,
    /// Empty without second ports.
    second: Vec<Booked>,
    /// What was booked.
    pub slots: SlotLedger,
}

impl SlotBooks {
    /// Empty books of so many schedulers with one port or two.
    pub fn new(schedulers: usize, ports: u32) -> Self {
        let booked = vec![Booked::default(); schedulers];
        let second = if ports == 2 { booked.clone() } else { Vec::new() };
        Self { first: booked, second, slots: SlotLedger::default() }
    }

    /// Books the slots of a first port before issue cycle `at` that are not booked yet: they were empty.
    #[inline]
    fn settle_first(&mut self, scheduler: usize, at: u64) {
        let booked = &mut self.first[scheduler];
        if booked.until < at {
            self.slots.book_empty(booked.reason, at - booked.until);
            booked.until = at;
        }
    }

    fn settle_second(&mut self, scheduler: usize, at: u64) {
        let booked = &mut self.second[scheduler];
        if booked.until < at {
            self.slots.as_first_port += at - booked.until;
            booked.until = at;
        }
    }

    /// Why the slots of `scheduler` are empty from issue cycle `at` on.
    #[inline]
    pub fn empty(&mut self, scheduler: usize, at: u64, reason: Option<WarpState>) {
        if self.first[scheduler].reason != reason {
            self.settle_first(scheduler, at);
            self.first[scheduler].reason = reason;
        }
    }

    /// An instruction issued and takes the slots of `took` more. What it takes more through a second port, it takes of the
    /// first one.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in two pipelines")]
    pub(in crate::sm) fn used(&mut self, issue: &Issue, took: Extra, counters: &mut [PcCounters]) {
        let &Issue { scheduler, cycle, pc, .. } = issue;
        self.slots.issued += 1;
        if took.slots() != 0 {
            let Extra { held, replay, constant, .. } = took;
            self.slots.held += held;
            self.slots.replay_bank_conflict += replay;
            self.slots.replay_constant += constant;
            let counters = &mut counters[pc as usize];
            counters.held += held;
            counters.replay += replay + constant;
        }
        if issue.second {
            self.settle_second(scheduler, cycle);
            self.slots.paired += 1;
            self.second[scheduler].used(cycle, pc, Extra::default());
            if took.slots() == 0 {
                return;
            }
        }
        self.settle_first(scheduler, cycle);
        self.first[scheduler].used(cycle, pc, took);
    }

    /// The first port of `scheduler` issued at issue cycle `at`, and the second one did not: nothing could go with it,
    /// or (`left`) a user's policy took nothing.
    pub fn second_alone(&mut self, scheduler: usize, at: u64, left: bool) {
        self.settle_second(scheduler, at);
        if left {
            self.slots.book_empty(Some(WarpState::NotSelected), 1);
        } else {
            self.slots.not_pairable += 1;
        }
        let until = at + 1;
        self.second[scheduler] = Booked { until, used_until: until, ..Booked::default() };
    }

    /// An instruction of another scheduler keeps `scheduler` from issuing in issue cycles `from..to`, as far as its own
    /// does not. What it did before `from` is booked as empty if it is not yet booked.
    pub fn shut(&mut self, scheduler: usize, from: u64, to: u64) {
        let booked = &mut self.first[scheduler];
        let from = from.max(booked.used_until);
        if from >= to {
            return;
        }
        if booked.until < from {
            self.slots.book_empty(booked.reason, from - booked.until);
        }
        self.slots.shut_by_other += to - from;
        (booked.until, booked.used_until, booked.shut) = (to, to, to - from);
    }

    /// Closes the books at issue cycle `end`: what was booked beyond it is taken back.
    pub fn close(&mut self, end: u64, counters: &mut [PcCounters]) {
        (0..self.first.len()).for_each(|scheduler| self.settle_first(scheduler, end));
        (0..self.second.len()).for_each(|scheduler| self.settle_second(scheduler, end));
        let slots = &mut self.slots;
        for (booked, first) in
            self.first.iter().map(|b| (b, true)).chain(self.second.iter().map(|b| (b, false)))
        {
            // Empty slots that were booked beyond the end, before it was known to be the end.
            let empty = booked.until - booked.used_until.max(end);
            match booked.reason {
                _ if !first => slots.as_first_port -= empty,
                Some(state) => slots.empty[state] -= empty,
                None => slots.no_warp -= empty,
            }
            // The last instruction reached beyond the end: its replays come last, its held slots before them; behind
            // both another scheduler's instruction may have kept it from issuing.
            let beyond = booked.used_until.saturating_sub(end);
            let shut = beyond.min(booked.shut);
            let constant = (beyond - shut).min(booked.took.constant);
            let replay = (beyond - shut - constant).min(booked.took.replay);
            let held = beyond - shut - constant - replay;
            slots.shut_by_other -= shut;
            slots.replay_constant -= constant;
            slots.replay_bank_conflict -= replay;
            slots.held -= held;
            counters[booked.pc as usize].replay -= replay + constant;
            counters[booked.pc as usize].held -= held;
        }
    }
}
