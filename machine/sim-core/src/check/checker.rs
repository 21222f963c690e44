//! The trait of the checkers.

use super::finding::Finding;
use crate::exec::Kernel;
use crate::gpu::functional::{Ending, Executed};

/// A checker of one launch.
pub trait Checker {
    /// Begins block number `block`.
    fn begin_block(&mut self, _block: u64) {}

    /// Follows an executed instruction. `met` is about its access to shared or global memory, if a
    /// checker needs that.
    fn executed(&mut self, executed: &Executed, met: Option<Met>);

    /// Whether the launch must be repeated from the same memory, for [`Self::repeated`].
    fn needs_repetition(&self) -> bool {
        false
    }

    /// Follows an executed instruction of the repetition.
    fn repeated(&mut self, _executed: &Executed) {}

    /// Returns the findings at the end of the launch.
    fn findings(&mut self, kernel: &Kernel, ending: &Ending) -> Vec<Finding>;
}

/// Result of a `Screen` for an access, and for all accesses before it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Met {
    /// Whether it conflicts with an access of another thread of the block before the latest
    /// barrier; only if `Synccheck::watches`.
    pub ordered: bool,
    /// Whether this or an earlier access has no order with another one.
    pub unordered: bool,
    /// Whether this or an earlier access conflicts with an access of another block.
    pub between_blocks: bool,
}
