//! The warp scheduler: which of the eligible warps issues next.
//!
//! A policy depends only on its [`View`] and on its own plain state. It is called only when at
//! least one warp is eligible. A [built-in](builtin) policy always selects one of the eligible
//! warps. A [user's policy](own) may also leave the slot empty; an invalid selection is reported as
//! an error.
//!
//! Invariant `scheduling-rules`: The scheduling rules of docs/extending/rules.md hold: turns,
//! barriers, reconvergence, and blocks with their resources.

pub mod builtin;
pub mod fault;
pub mod own;

use crate::components::l1::L1Access;
pub use crate::components::view::{View, bits};
use crate::state::{Corrupt, Part, Reader, Value, Writer};
pub use builtin::{Builtin, PolicyKind};
pub use fault::{Misconduct, SchedulerFault};
pub use own::{OwnScheduler, PATIENCE, SchedulingPolicy};

/// The policy of one scheduler, with its state.
#[derive(Clone, Debug)]
pub enum Policy {
    /// A built-in policy.
    Builtin(Builtin),
    /// A user's policy.
    Own(own::Own),
}

impl Policy {
    /// Creates the policy of scheduler `scheduler` of `schedulers` of SM number `sm`: the user's
    /// policy for this GPU if there is one, else the policy of the chip.
    pub fn new(
        kind: PolicyKind,
        own: Option<&OwnScheduler>,
        sm: u32,
        scheduler: u32,
        schedulers: u32,
    ) -> Self {
        if let Some(own) = own {
            return Self::Own(own.seat(sm, scheduler));
        }
        match Builtin::new(kind, u64::from(sm) * u64::from(schedulers) + u64::from(scheduler)) {
            Ok(policy) => Self::Builtin(policy),
            Err(registered) => Self::Own(own::Own::registered(registered, sm, scheduler)),
        }
    }

    /// Whether the policy uses [`View::long_wait`], which is expensive to compute.
    pub fn asks_long_wait(&self) -> bool {
        match self {
            Self::Builtin(policy) => policy.asks_long_wait(),
            Self::Own(_) => true,
        }
    }

    /// A warp of the scheduler has accessed the L1.
    pub fn l1_access(&mut self, access: &L1Access) {
        match self {
            Self::Builtin(_) => {}
            Self::Own(policy) => policy.l1_access(access),
        }
    }

    /// Picks one warp of `view.eligible`, or leaves the slot empty.
    pub fn pick(&mut self, view: &View) -> Result<Option<u32>, Misconduct> {
        match self {
            Self::Builtin(policy) => Ok(Some(policy.pick(view))),
            Self::Own(policy) => policy.pick(view),
        }
    }
}

/// A policy of the user has no bytes: a launch with one is neither saved nor restored.
impl Part for Policy {
    fn save(&self, out: &mut Writer) {
        match self {
            Self::Builtin(policy) => policy.put(out),
            Self::Own(_) => {}
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Corrupt> {
        match self {
            Self::Builtin(policy) => *policy = Value::take(from)?,
            Self::Own(_) => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value that it was created with.
    #[derive(Clone)]
    struct Always(Option<u32>);

    impl SchedulingPolicy for Always {
        fn pick(&mut self, _view: &View) -> Option<u32> {
            self.0
        }
    }

    fn policy(answer: Option<u32>) -> Policy {
        let own = OwnScheduler::new("always", move |_, _| Always(answer));
        Policy::new(PolicyKind::OldestFirst, Some(&own), 0, 0, 1)
    }

    const VIEW: View = View {
        cycle: 0,
        eligible: 0b101,
        resident: 0b111,
        long_wait: 0,
        global: 0,
        age: &[],
        last_issue: &[],
        rank: &[],
        block: &[],
    };

    #[test]
    fn an_own_policy_may_select_only_eligible_warps() {
        assert_eq!(policy(Some(2)).pick(&VIEW), Ok(Some(2)));
        for picked in [1, 3, 63, 64, u32::MAX] {
            assert_eq!(policy(Some(picked)).pick(&VIEW), Err(Misconduct::NotEligible { picked }));
        }
    }

    #[test]
    fn an_own_policy_cannot_leave_its_slot_empty_forever() {
        let mut never = policy(None);
        for _ in 1..PATIENCE {
            assert_eq!(never.pick(&VIEW), Ok(None));
        }
        let mut copy = never.clone();
        assert_eq!(never.pick(&VIEW), Err(Misconduct::Idle));
        assert_eq!(copy.pick(&VIEW), Err(Misconduct::Idle), "a copy has waited as long");
    }

    #[test]
    fn each_scheduler_has_its_own_policy_object() {
        let own = OwnScheduler::new("always", |sm, scheduler| Always(Some(10 * sm + scheduler)));
        let view = View { eligible: u64::MAX, ..VIEW };
        for (sm, scheduler) in [(0, 0), (0, 1), (3, 1)] {
            let mut policy = Policy::new(PolicyKind::OldestFirst, Some(&own), sm, scheduler, 2);
            assert_eq!(policy.pick(&view), Ok(Some(10 * sm + scheduler)));
        }
    }
}
