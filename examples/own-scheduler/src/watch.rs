//! A policy under observation: what it was asked, and what it answered.

use sim_core::scheduler::{OwnScheduler, SchedulingPolicy, View};
use std::sync::{Arc, Mutex, PoisonError};

/// A warp as a rule knows it. The slot alone is not enough: it is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warp {
    /// Warp slot.
    pub slot: u32,
    /// Launch number.
    pub age: u64,
}

/// One question to a policy, and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Issue cycle.
    pub cycle: u64,
    /// Who could issue.
    pub eligible: Vec<Warp>,
    /// Who of them is at an access to global memory.
    pub global: Vec<Warp>,
    /// Who was picked.
    pub picked: Option<Warp>,
}

impl Ask {
    /// Of what was seen, and the answer to it.
    pub fn new(view: &View, picked: Option<u32>) -> Self {
        let warp = |slot: u32| Warp { slot, age: view.age.get(slot as usize).copied().unwrap_or(u64::MAX) };
        let global = view.eligible_warps().filter(|slot| view.global >> slot & 1 == 1);
        Self {
            cycle: view.cycle,
            eligible: view.eligible_warps().map(warp).collect(),
            global: global.map(warp).collect(),
            picked: picked.map(warp),
        }
    }
}

/// What the schedulers of a chip were asked: for each scheduler a list of its own, in the order of
/// cycles.
#[derive(Clone, Debug, Default)]
pub struct Log(Arc<Mutex<Vec<(u32, u32, Ask)>>>);

impl Log {
    /// A policy for a whole chip, made by `make(sm, scheduler)`, that writes into this log.
    pub fn watch<P>(&self, make: impl Fn(u32, u32) -> P + Send + Sync + 'static) -> OwnScheduler
    where
        P: SchedulingPolicy + Clone,
    {
        let log = self.clone();
        OwnScheduler::new(move |sm, scheduler| Observed {
            policy: make(sm, scheduler),
            place: (sm, scheduler),
            log: log.clone(),
        })
    }

    /// The questions to each scheduler that was asked at all. Empties the log.
    pub fn take(&self) -> Vec<Vec<Ask>> {
        let mut all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        // Host threads write as they come; within a scheduler the order is that of cycles.
        all.sort_by_key(|(sm, scheduler, _)| (*sm, *scheduler));
        let by_scheduler = all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        by_scheduler.map(|asks| asks.iter().map(|(_, _, ask)| ask.clone()).collect()).collect()
    }
}

/// A policy that writes down what it is asked.
#[derive(Clone, Debug)]
pub struct Observed<P> {
    policy: P,
    place: (u32, u32),
    log: Log,
}

impl<P: SchedulingPolicy + Clone> SchedulingPolicy for Observed<P> {
    fn name(&self) -> String {
        self.policy.name()
    }

    fn pick(&mut self, view: &View) -> Option<u32> {
        let picked = self.policy.pick(view);
        let (sm, scheduler) = self.place;
        let mut log = self.log.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.push((sm, scheduler, Ask::new(view, picked)));
        picked
    }
}
