//! How the code of a launch was compiled.

use crate::words::words;
pub use isa::uop::Spills;

words! {
    /// Source of the number of registers per thread.
    pub enum RegistersSource {
        /// The live ranges of the lowered code.
        Liveness = "liveness",
        /// Set by the launch.
        Given = "given",
    }
}
