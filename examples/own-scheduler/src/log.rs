//! Records the decisions of a policy: what it saw and what it picked.

use sim_core::scheduler::{OwnScheduler, SchedulingPolicy, View};
use std::sync::{Arc, Mutex, PoisonError};

/// Identifies a warp in the rules. The slot alone is not enough, because slots are reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warp {
    /// Warp slot.
    pub slot: u32,
    /// Launch number.
    pub age: u64,
}

/// One decision of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Issue cycle.
    pub cycle: u64,
    /// Eligible warps.
    pub eligible: Vec<Warp>,
    /// Eligible warps whose next instruction accesses global memory.
    pub global: Vec<Warp>,
    /// The picked warp.
    pub picked: Option<Warp>,
}

impl Decision {
    /// Returns the decision for `view`.
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

/// Decisions of all schedulers of a chip: (SM, scheduler, decision).
#[derive(Clone, Debug, Default)]
pub struct Log(Arc<Mutex<Vec<(u32, u32, Decision)>>>);

impl Log {
    /// Returns a scheduler that makes policies with `make(sm, scheduler)` and records their
    /// decisions in this log.
    pub fn observe<P>(&self, make: impl Fn(u32, u32) -> P + Send + Sync + 'static) -> OwnScheduler
    where
        P: SchedulingPolicy + Clone,
    {
        let log = self.clone();
        OwnScheduler::new("observed", move |sm, scheduler| Observed {
            policy: make(sm, scheduler),
            place: (sm, scheduler),
            log: log.clone(),
        })
    }

    /// Returns the decisions of each scheduler that made any, in the order of cycles, and empties
    /// the log.
    pub fn take(&self) -> Vec<Vec<Decision>> {
        let mut all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        // Host threads append in any order, but the decisions of one scheduler are in the order of
        // cycles.
        all.sort_by_key(|(sm, scheduler, _)| (*sm, *scheduler));
        let by_scheduler = all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        by_scheduler
            .map(|decisions| decisions.iter().map(|(_, _, decision)| decision.clone()).collect())
            .collect()
    }
}

/// A policy that records its decisions.
#[derive(Clone, Debug)]
pub struct Observed<P> {
    policy: P,
    place: (u32, u32),
    log: Log,
}

impl<P: SchedulingPolicy + Clone> SchedulingPolicy for Observed<P> {
    fn pick(&mut self, view: &View) -> Option<u32> {
        let picked = self.policy.pick(view);
        let (sm, scheduler) = self.place;
        let mut log = self.log.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.push((sm, scheduler, Decision::new(view, picked)));
        picked
    }
}
