//! Options of the compilation: which optimizations of the assembler are applied.

use crate::types::Capability;

/// Optimizations that are applied between instruction selection and the assignment of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the compiler")]
pub struct Options {
    /// Whether copies, constants, addresses and dead code are optimized, as `ptxas` does above
    /// `-O0`. Results stay the same; instruction and register counts change.
    pub optimize: bool,
    /// Whether a product that is used only once, in a sum, is fused with that sum where neither
    /// instruction names a rounding mode: `--fmad` of `ptxas`. Results change. Has no effect
    /// without `optimize`.
    pub fmad: bool,
    /// Whether the instructions of each block are ordered by their latencies. Results stay the
    /// same; the order of instructions changes. Has no effect without `optimize`.
    pub schedule: bool,
    /// Maximum number of registers of a thread: `--maxrregcount` of `ptxas`. Values that do not fit
    /// are computed again or kept in local memory, as far as the code permits. `None`: no limit
    /// except `.maxnreg`. Applies without `optimize` as well.
    pub max_registers: Option<u32>,
    /// Whether 64-bit addresses of global and constant memory keep all bits on chips below 2.0,
    /// whose hardware has 32. A launch that passes more than 32 bits as a pointer needs it.
    pub wide_addresses: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { optimize: true, fmad: false, schedule: false, max_registers: None, wide_addresses: false }
    }
}

impl Options {
    /// No optimization: each instruction becomes the micro-ops of its form (`-O0`).
    pub const PLAIN: Self =
        Self { optimize: false, fmad: false, schedule: false, max_registers: None, wide_addresses: false };

    /// Returns the same options with the optimizations that change no result and no order.
    #[must_use]
    pub const fn optimized(self) -> Self {
        Self { optimize: true, ..self }
    }

    /// Returns the corresponding optimization level of `ptxas`: 0, or 3 for all optimizations.
    pub fn level(self) -> u32 {
        if self.optimize { 3 } else { 0 }
    }
}

/// A compilation with more than compiler options, for [`compile_for`](crate::compile_for).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compilation {
    /// Compiler options.
    pub options: Options,
    /// Whether a header that is newer than the simulator gives a note (`W0302`).
    pub header_note: bool,
    /// Compute capability of the chip. PTX of a newer target is lowered to it if it is below 2.0
    /// (see [`retarget`](crate::retarget)).
    pub chip: Option<Capability>,
}

impl Default for Compilation {
    fn default() -> Self {
        Self { options: Options::default(), header_note: true, chip: None }
    }
}
