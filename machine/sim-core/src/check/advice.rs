//! Advice: what to change in a kernel, as data. The text of a finding's help is made from it.

use crate::words::words;
use serde::Serialize;

words! {
    /// Kind of a change.
    #[derive(PartialOrd, Ord)]
    pub enum AdviceKind {
        /// Insert a barrier of the block before line `before`.
        Barrier = "barrier",
        /// Put the body of the loop at `line` in braces, and end it with a barrier of the block.
        LoopBarrier = "loop_barrier",
        /// End the `if` of `line` before line `before`, insert a barrier of the block, and continue
        /// with an `if` of the same condition.
        SplitIf = "split_if",
        /// Instead of the `return` of `line`, put the code behind it in an `if` of the opposite
        /// condition, which ends before line `before`; insert a barrier of the block, and continue
        /// with an `if` of the same condition.
        SplitReturn = "split_return",
        /// Give the loop at `line` the same number of iterations in all threads, test the bound in
        /// an `if` inside it, and insert a barrier of the block before line `before`, outside of
        /// that `if`.
        EqualTrips = "equal_trips",
        /// Split the statement at `line`: read into a variable, a barrier of the block, write.
        SplitStatement = "split_statement",
        /// Let all threads of the block execute a barrier between the accesses; there is no line at
        /// which they do.
        BarrierBetween = "barrier_between",
        /// Declare `variable` volatile.
        Volatile = "volatile",
        /// Use an atomic at `line`.
        Atomic = "atomic",
        /// Let one thread execute the store at `line`.
        OneWriter = "one_writer",
        /// Move the access at `line` to another launch.
        NextLaunch = "next_launch",
        /// Move the access at `line` out of its branch, or let one lane execute it.
        OnePath = "one_path",
    }
}

/// A change to a kernel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Advice {
    /// Kind of the change.
    pub kind: AdviceKind,
    /// Line of the statement that changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Line before which a barrier is inserted, as a separate line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<u32>,
    /// Name of the variable that changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
}

impl Advice {
    /// Advice without places.
    pub const fn new(kind: AdviceKind) -> Self {
        Self { kind, line: None, before: None, variable: None }
    }

    /// Advice on a line.
    #[must_use]
    pub fn at(self, line: u32) -> Self {
        Self { line: Some(line), ..self }
    }

    /// Advice on a barrier before a line.
    #[must_use]
    pub fn before(self, line: u32) -> Self {
        Self { before: Some(line), ..self }
    }
}
