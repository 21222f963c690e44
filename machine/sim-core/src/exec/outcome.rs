//! The outcome of a micro-op: what the timing model has to do, or that it has faulted.

use super::Access;
use super::trap::Fault;

/// Kind of an executed instruction, for the timing model. The warp is at its next instruction.
/// [`Access::mask`] has the lanes that executed it; it may be 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Only registers were accessed: the timing depends only on the class.
    Next,
    /// A branch at which no lane jumped.
    NotTaken,
    /// A branch at which all lanes jumped.
    Taken,
    /// A branch at which some lanes jumped and some did not.
    Diverged,
    /// A call or a return: control was transferred, unless no lane was active.
    Jump,
    /// An executed shared-memory load, store or atomic. [`Access::addr`] has byte offsets in the
    /// block's shared memory.
    Shared,
    /// An executed load from constant memory. [`Access::addr`] has byte offsets in it.
    Const,
    /// An executed load of a parameter. [`Access::addr`] has byte offsets in the parameter block.
    Param,
    /// An executed load or store of local memory. [`Access::addr`] has byte offsets in the local
    /// memory of each thread.
    Local,
    /// A global load, store or atomic that has been checked but *not* executed. [`Access`]
    /// describes it.
    Global,
    /// An access through generic addresses. It has been executed in the lanes of [`Access::parts`]
    /// that access shared, local or constant memory. The lanes that access global memory have been
    /// checked but *not* executed.
    Generic,
    /// An executed texture fetch. [`Access::texels`] has the device addresses of the texels.
    Texture,
    /// Lanes have reached a barrier, as [`Access::arrival`] says: all live lanes, unless the rule
    /// is [`BarrierRule::Hardware`](super::BarrierRule::Hardware). If the warp waits there, it must
    /// not execute another step before the barrier is complete and
    /// [`deliver`](super::barrier::deliver) has been called for it.
    Barrier,
    /// A memory fence, `membar.cta`.
    FenceBlock,
    /// A memory fence, `membar.gl`.
    FenceGlobal,
    /// Lanes, perhaps none, have exited; others have not.
    Exit,
    /// The last lanes of the warp have exited.
    LastExit,
}

/// Kind of the executed instruction, or the fault that prevented its execution; then nothing has
/// been written.
pub(super) type StepResult = Result<Step, Box<Fault>>;

/// A fault prevented the execution of an instruction, and nothing has been written.
/// [`Access::take_fault`] returns the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faulted;

impl Access {
    /// Removes the fault of the instruction for which [`step`](super::step()) has returned
    /// [`Faulted`].
    #[cold]
    pub fn take_fault(&mut self) -> Fault {
        *self.fault.take().expect("the instruction has faulted")
    }
}

// A result with data beside its kind is stored byte by byte and then copied as a whole, for which
// the processor waits.
const _: () = assert!(size_of::<Result<Step, Faulted>>() == 1, "a number");
