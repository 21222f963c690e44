//! Values that nothing wrote: registers, and shared, local and global memory.

use super::finding::Finding;
use super::written::Written;
use crate::exec::Kernel;
use crate::gpu::functional::Executed;

/// Follows the values of one launch.
#[derive(Debug)]
pub struct Initcheck {
    written: Written,
}

impl Initcheck {
    /// A checker of a launch of `kernel`; `written` has the bytes of global memory that were written
    /// before.
    pub fn new(_kernel: &Kernel, written: Written) -> Self {
        Self { written }
    }

    /// Begins the next block.
    pub fn begin_block(&mut self) {}

    /// Follows an instruction.
    pub fn executed(&mut self, _executed: &Executed) {}

    /// Returns the findings.
    pub fn findings(&self, _kernel: &Kernel) -> Vec<Finding> {
        Vec::new()
    }

    /// Returns the bytes of global memory that were written so far.
    pub fn into_written(self) -> Written {
        self.written
    }
}
