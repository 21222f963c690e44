//! Scheduling policies written by the user: the trait, and how registered policies are made.

use super::l1::L1Access;
use super::registered::kind;
use super::view::View;
use super::{Registered, Seated};
use dyn_clone::DynClone;

/// Largest number of consecutive issue cycles in which a policy may leave its slot empty although
/// warps are eligible. After that many the launch ends with a scheduler fault.
pub const PATIENCE: u32 = 1 << 20;

/// A user's scheduling policy: selects which eligible warp issues next.
///
/// A program registers it under a word of chip files
/// ([`Registry::scheduler`](crate::registry::Registry::scheduler)), or gives it to one GPU
/// ([`OwnScheduler`](crate::scheduler::OwnScheduler)). Each scheduler of each SM has a separate
/// policy object, which is created before the first cycle of the launch.
///
/// The policy is called once in each issue cycle in which its scheduler is free and at least one
/// warp is eligible, in increasing order of cycles, and once more for a second dispatch port that
/// serves any warp. It is not called in other cycles, so it must not count calls to measure time:
/// see [`View::cycle`].
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
pub trait SchedulingPolicy: DynClone + Send + 'static {
    /// Selects the slot of one warp of [`View::eligible`], or `None` to leave the issue slot empty
    /// although warps could issue. The report counts such a slot as empty, *eligible, not
    /// selected*, and the policy is called again in the next issue cycle.
    ///
    /// A slot that is not eligible ends the launch with
    /// [`Verdict::Scheduler`](crate::stats::report::Verdict). So do [`PATIENCE`] empty slots in a
    /// row.
    fn pick(&mut self, view: &View) -> Option<u32>;

    /// A warp of the scheduler has accessed a line of global memory in the L1. Called in the order
    /// of the look-ups, before the next issue cycle. A policy that does not use the caches leaves
    /// it out.
    fn l1_access(&mut self, access: &L1Access) {
        let _ = access;
    }
}

kind! {
    /// The kind of scheduling policies.
    pub enum Schedulers = "scheduler" in schedulers:
        dyn Fn(&[u64], u32, u32) -> Box<dyn SchedulingPolicy> + Send + Sync
}

impl Registered<Schedulers> {
    /// Creates the policy of a scheduler.
    pub fn seat(self, sm: u32, scheduler: u32) -> Seated<dyn SchedulingPolicy> {
        Seated::new(self.make()(self.values(), sm, scheduler))
    }
}
