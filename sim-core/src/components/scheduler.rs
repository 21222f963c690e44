//! Scheduling policies written by the user: the trait, and how registered policies are made.

use super::view::View;
use super::{Components, Entry, Factory, Registered};

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
pub trait Seated: Send {
    /// See [`SchedulingPolicy::pick`].
    fn pick(&mut self, view: &View) -> Option<u32>;
    /// Returns a copy.
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

type FromValues = dyn Fn(&[u64], u32, u32) -> Box<dyn Seated> + Send + Sync;

/// Makes the policies of a registered scheduler from the values of its parameters.
pub struct SchedulerFactory(Box<FromValues>);

impl SchedulerFactory {
    /// Creates a factory: `make(values, sm, scheduler)` returns the policy of a scheduler.
    pub fn new<P: SchedulingPolicy + Clone>(
        make: impl Fn(&[u64], u32, u32) -> P + Send + Sync + 'static,
    ) -> Self {
        Self(Box::new(move |values, sm, scheduler| Box::new(make(values, sm, scheduler))))
    }
}

impl Factory for SchedulerFactory {
    const KIND: &'static str = "scheduler";

    fn entries(components: &Components) -> &[Entry<Self>] {
        &components.schedulers
    }
}

impl Registered<SchedulerFactory> {
    /// Creates the policy of a scheduler.
    pub fn seat(self, sm: u32, scheduler: u32) -> Box<dyn Seated> {
        (self.factory().0)(self.values(), sm, scheduler)
    }
}
