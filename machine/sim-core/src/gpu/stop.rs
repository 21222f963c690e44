//! The reason for which the host ends a launch.

/// Reason for which a monitor ends a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// A user or a program interrupts it: the verdict is
    /// [`Interrupted`](crate::stats::report::Verdict::Interrupted).
    Interrupted,
    /// A limit on wall time, which the host program measures: the verdict is
    /// [`TimeLimit`](crate::stats::report::Verdict::TimeLimit).
    TimeLimit,
}
