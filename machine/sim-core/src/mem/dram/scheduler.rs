//! The scheduler of a channel: which queued request is served first.

use super::bank::Bank;
use super::queue::{PLACES, Pending};
use super::schedule::{Key, time_of};
use super::{Dram, bits};
use crate::components::Seated;
use crate::components::dram::{DramPolicy, DramRequest};
use crate::config::DramScheduler;
use crate::state::Value;
use crate::time::NEVER;

/// The scheduler, with its state.
#[derive(Clone, Debug, Value)]
pub(super) enum Scheduler {
    /// See [`DramScheduler::FrFcfs`].
    FrFcfs,
    /// See [`DramScheduler::Fcfs`].
    Fcfs,
    /// See [`DramScheduler::Own`].
    Own(Seated<dyn DramPolicy>),
}

impl Scheduler {
    /// Creates the scheduler of the channel of partition number `partition`.
    pub(super) fn new(kind: DramScheduler, partition: u32) -> Self {
        match kind {
            DramScheduler::FrFcfs => Self::FrFcfs,
            DramScheduler::Fcfs => Self::Fcfs,
            DramScheduler::Own(own) => Self::Own(own.seat(partition)),
        }
    }

    /// Whether it is the scheduler whose best commands are kept up to date.
    #[inline]
    pub(super) const fn is_first_ready(&self) -> bool {
        matches!(self, Self::FrFcfs)
    }
}

/// Returns what a user's scheduler sees of the request in entry `place` at command cycle `now`.
fn seen(place: usize, request: &Pending, bank: &Bank, now: u64) -> DramRequest {
    DramRequest {
        now,
        arrival: request.arrival,
        bank: request.bank.into(),
        row: request.row,
        hit: bank.hits >> place & 1 != 0,
        write: request.write,
        bursts: request.whole,
    }
}

impl Dram {
    /// Returns the command that the scheduler chooses at cycle `from` or later. At least one
    /// request is queued.
    #[inline]
    pub(super) fn best_by_policy(&mut self, from: u64) -> Key {
        match self.scheduler {
            Scheduler::FrFcfs => self.best(from),
            Scheduler::Fcfs => self.for_oldest(from),
            Scheduler::Own(_) => self.best_by_value(from),
        }
    }

    /// Returns the command that the user's scheduler chooses at cycle `from` or later.
    #[cold]
    fn best_by_value(&mut self, from: u64) -> Key {
        let mut first = [None; PLACES];
        if let Scheduler::Own(policy) = &mut self.scheduler {
            for number in bits(self.wanted) {
                let bank = &self.banks[number];
                let value =
                    |place: usize| (policy.value(&seen(place, &self.queue[place], bank, from)), place);
                first[number] = bits(bank.queued).map(value).min();
            }
        }
        let commands = first.iter().flatten().map(|&(value, place)| {
            let key = self.command_for(place as u32, from);
            (time_of(key), value, place, key)
        });
        commands.min().map_or(NEVER, |(.., key)| key)
    }

    /// The first data of the request in entry `place` is transferred at command cycle `now`.
    #[inline]
    pub(super) fn tell_served(&mut self, now: u64, place: usize) {
        if let Scheduler::Own(policy) = &mut self.scheduler {
            let request = &self.queue[place % PLACES];
            policy.served(&seen(place, request, &self.banks[usize::from(request.bank)], now));
        }
    }

    /// Whether the row of a bank is closed after `request`, whose last data is transferred at
    /// command cycle `now`: no other request for the row is queued.
    #[inline]
    pub(super) fn closes_after(&mut self, now: u64, place: usize, request: &Pending) -> bool {
        self.closed_page
            || match &mut self.scheduler {
                Scheduler::FrFcfs | Scheduler::Fcfs => false,
                Scheduler::Own(policy) => {
                    let bank = &self.banks[usize::from(request.bank)];
                    policy.closes(&DramRequest { hit: true, ..seen(place, request, bank, now) })
                }
            }
    }
}
