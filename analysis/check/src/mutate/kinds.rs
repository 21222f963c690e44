//! The kinds of changes, and what a check that notices them has to show.

use std::fmt;

/// Kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// A barrier is removed.
    Barrier,
    /// A memory fence is removed or has a narrower scope.
    Fence,
    /// A guard, or the condition of a selection, is removed or negated.
    Guard,
    /// A comparison has another border: `<` becomes `<=`, `==` becomes `!=`.
    Bound,
    /// A number is larger or smaller by one, or doubled; an offset is moved by one element.
    Constant,
    /// An atomic operation is removed, or becomes a load, an operation and a store.
    Atomic,
    /// An operation becomes another one: `+` becomes `-`, a multiply-add loses its sum.
    Arithmetic,
    /// `.volatile` or a cache operator of an access is removed.
    Cache,
}

impl ChangeKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 8] = [
        Self::Barrier,
        Self::Fence,
        Self::Guard,
        Self::Bound,
        Self::Constant,
        Self::Atomic,
        Self::Arithmetic,
        Self::Cache,
    ];

    /// The word of the command line and of reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Barrier => "barrier",
            Self::Fence => "fence",
            Self::Guard => "guard",
            Self::Bound => "bound",
            Self::Constant => "constant",
            Self::Atomic => "atomic",
            Self::Arithmetic => "arithmetic",
            Self::Cache => "cache",
        }
    }

    /// Returns the property that an additional check must test to notice such a mutant, as a
    /// sentence.
    pub fn missing_check(self) -> &'static str {
        match self {
            Self::Barrier => {
                "a check has to run blocks of several warps in which a warp reads what another warp wrote \
                 before this barrier, or overwrites what another warp still reads, and use the race checker"
            }
            Self::Fence => {
                "a check has to let another block read what was written before this fence, after it has seen \
                 what was written after it, on several SMs"
            }
            Self::Guard => {
                "a check has to run threads for which this condition is true and threads for which it is \
                 false, and to compare what only one of these groups writes"
            }
            Self::Bound => {
                "a check has to reach the border of this comparison: a size that is not a multiple of the \
                 block, two values that are equal, or a last iteration with an effect on the result"
            }
            Self::Constant => {
                "a check has to have data in which the result depends on this number: different values in \
                 neighboring elements, more than one block, or more than one iteration"
            }
            Self::Atomic => {
                "a check has to let two threads of different warps update the same word, and compare the sum \
                 of all updates"
            }
            Self::Arithmetic => {
                "a check has to have operands for which both operations differ: not 0, not 1, and not equal"
            }
            Self::Cache => {
                "a check has to let a thread read a word again after another SM has written it, on a chip \
                 whose L1 keeps global data"
            }
        }
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
