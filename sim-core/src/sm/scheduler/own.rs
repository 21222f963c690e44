//! Scheduling policies written by the user: the trait, and how a policy is added to the simulator.
//!
//! Invariant `own-policies`: A user's policy sees what the built-in policies see. It may leave
//! slots empty, and the breakdowns stay exact. A wrong pick ends the launch with a message.

use super::PolicyKind;
use super::fault::Misconduct;
use super::view::View;
use crate::registry::{Entry, Factory, Registered, Registry};
use crate::words::{Word, Worded};
use std::sync::Arc;

/// Largest number of consecutive issue cycles in which a policy may leave its slot empty although
/// warps are eligible. After that many the launch ends with a scheduler fault.
pub const PATIENCE: u32 = 1 << 20;

/// A user's scheduling policy: selects which eligible warp issues next.
///
/// A program registers it under a word of chip files ([`Registry::scheduler`]), or gives it to one
/// GPU ([`OwnScheduler`]). Each scheduler of each SM has a separate policy object, which is created
/// before the first cycle of the launch. The policy is called once in each issue cycle
/// in which its scheduler is free and at least one warp is eligible, in increasing order of cycles.
/// It is not called in other cycles, so it must not count calls to measure time: see
/// [`View::cycle`].
///
/// The result should depend only on the views so far. Then the same launch gives the same report,
/// byte for byte, on any number of host threads. A policy that reads a clock, or shares state with
/// the policy of another scheduler, loses this guarantee. A panic in a policy is not caught: it
/// passes through [`Gpu::launch`](crate::host::Gpu::launch).
///
/// ```
/// use sim_core::scheduler::{OwnScheduler, SchedulingPolicy, View};
///
/// /// The eligible warp in the lowest slot.
/// #[derive(Clone)]
/// struct LowestSlot;
///
/// impl SchedulingPolicy for LowestSlot {
///     fn pick(&mut self, view: &View) -> Option<u32> {
///         view.eligible_warps().next()
///     }
/// }
///
/// let scheduler = OwnScheduler::new("lowest_slot", |_sm, _scheduler| LowestSlot);
/// assert_eq!(scheduler.name(), "lowest_slot");
/// ```
pub trait SchedulingPolicy: Send + 'static {
    /// Selects the slot of one warp of [`View::eligible`], or `None` to leave the issue slot empty
    /// although warps could issue. The report counts such a slot as empty, *eligible, not
    /// selected*, and the policy is called again in the next issue cycle.
    ///
    /// A slot that is not eligible ends the launch with
    /// [`Verdict::Scheduler`](crate::stats::report::Verdict). So do [`PATIENCE`] empty slots in a
    /// row.
    fn pick(&mut self, view: &View) -> Option<u32>;
}

/// A user's policy as stored in an SM. It can be copied with the rest of the machine's state.
trait Seated: Send {
    fn pick(&mut self, view: &View) -> Option<u32>;
    fn copy(&self) -> Box<dyn Seated>;
}

impl<P: SchedulingPolicy + Clone> Seated for P {
    fn pick(&mut self, view: &View) -> Option<u32> {
        SchedulingPolicy::pick(self, view)
    }

    fn copy(&self) -> Box<dyn Seated> {
        Box::new(self.clone())
    }
}

type Make = dyn Fn(u32, u32) -> Box<dyn Seated> + Send + Sync;

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
    pub fn new<P: SchedulingPolicy + Clone>(
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
        Own { policy: (self.make)(sm, scheduler), refused: 0 }
    }
}

type FromValues = dyn Fn(&[u64], u32, u32) -> Box<dyn Seated> + Send + Sync;

/// Makes the policies of a registered scheduler from the values of its parameters.
pub struct SchedulerFactory(Box<FromValues>);

impl SchedulerFactory {
    /// Creates a factory: `make(values, sm, scheduler)` returns the policy of a scheduler.
    pub(crate) fn new<P: SchedulingPolicy + Clone>(
        make: impl Fn(&[u64], u32, u32) -> P + Send + Sync + 'static,
    ) -> Self {
        Self(Box::new(move |values, sm, scheduler| Box::new(make(values, sm, scheduler))))
    }
}

impl Factory for SchedulerFactory {
    const KIND: &'static str = "scheduler";
    const BUILTIN: &'static [Word] = PolicyKind::LIST;

    fn entries(registry: &Registry) -> &[Entry<Self>] {
        &registry.schedulers
    }
}

impl Registered<SchedulerFactory> {
    /// Creates the policy of a scheduler.
    pub(super) fn seat(&self, sm: u32, scheduler: u32) -> Own {
        Own { policy: (self.factory().0)(self.values(), sm, scheduler), refused: 0 }
    }
}

/// A user's policy for one scheduler.
pub struct Own {
    policy: Box<dyn Seated>,
    /// Number of consecutive issue cycles in which it has left its slot empty.
    refused: u32,
}

impl Clone for Own {
    fn clone(&self) -> Self {
        Self { policy: self.policy.copy(), refused: self.refused }
    }
}

impl std::fmt::Debug for Own {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Own(refused {} times in a row)", self.refused)
    }
}

impl Own {
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
