//! Scheduling policies written by the user: the trait, and how a policy is added to the simulator.
//!
//! Invariant `own-policies`: A user's policy sees what the built-in policies see. It may leave
//! slots empty, and the breakdowns stay exact. A wrong pick ends the launch with a message.

use super::View;
use super::fault::Misconduct;
use crate::components::l1::L1Access;
use crate::components::scheduler::Schedulers;
pub use crate::components::scheduler::{PATIENCE, SchedulingPolicy};
use crate::components::{Registered, Seated};
use std::sync::Arc;

type Make = dyn Fn(u32, u32) -> Box<dyn SchedulingPolicy> + Send + Sync;

/// A user's policy for the launches of one GPU, instead of the policy of its chip
/// ([`Gpu::set_scheduler`](crate::host::Gpu::set_scheduler)): creates one policy object for each
/// scheduler.
#[derive(Clone)]
pub struct OwnScheduler {
    name: String,
    make: Arc<Make>,
}

impl std::fmt::Debug for OwnScheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OwnScheduler({})", self.name)
    }
}

impl OwnScheduler {
    /// Creates a policy factory. For each launch, `make(sm, scheduler)` returns the policy of
    /// scheduler number `scheduler` of SM number `sm` of the chip. The report shows `own: NAME`.
    pub fn new<P: SchedulingPolicy>(
        name: impl Into<String>,
        make: impl Fn(u32, u32) -> P + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), make: Arc::new(move |sm, scheduler| Box::new(make(sm, scheduler))) }
    }

    /// The policy's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Creates the policy of a scheduler.
    pub(super) fn seat(&self, sm: u32, scheduler: u32) -> Own {
        Own { policy: Seated::new((self.make)(sm, scheduler)), refused: 0 }
    }
}

/// A user's policy for one scheduler.
#[derive(Clone)]
pub struct Own {
    policy: Seated<dyn SchedulingPolicy>,
    /// Number of consecutive issue cycles in which it has left its slot empty.
    refused: u32,
}

impl std::fmt::Debug for Own {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Own(refused {} times in a row)", self.refused)
    }
}

impl Own {
    /// Creates a registered policy for a scheduler.
    pub(super) fn registered(registered: Registered<Schedulers>, sm: u32, scheduler: u32) -> Self {
        Self { policy: registered.seat(sm, scheduler), refused: 0 }
    }

    /// A warp of the scheduler has accessed the L1.
    pub(super) fn l1_access(&mut self, access: &L1Access) {
        self.policy.l1_access(access);
    }

    /// Returns the slot that the policy selects, or an error if the selection is invalid.
    pub(super) fn pick(&mut self, view: &View) -> Result<Option<u32>, Misconduct> {
        match self.policy.pick(view) {
            Some(picked) if view.is_eligible(picked) => {
                self.refused = 0;
                Ok(Some(picked))
            }
            Some(picked) => Err(Misconduct::NotEligible { picked }),
            None => {
                self.refused += 1;
                if self.refused >= PATIENCE { Err(Misconduct::Idle) } else { Ok(None) }
            }
        }
    }
}
