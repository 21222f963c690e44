//! How text is compiled: what of the assembler's work is done.

/// What of the assembler's work is done between micro-ops and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Whether copies, constants, addresses and dead code are folded, as `ptxas` does above `-O0`.
    /// Results stay the same; counts of instructions and registers do not.
    pub optimise: bool,
    /// Whether a product that is used once, in a sum, is fused with it, where neither names its
    /// rounding: `--fmad` of `ptxas`. Results change. Only with `optimise`.
    pub fmad: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { optimise: true, fmad: false }
    }
}

impl Options {
    /// Each instruction is what its form becomes, and nothing more: `-O0`.
    pub const PLAIN: Self = Self { optimise: false, fmad: false };

    /// The level by which `ptxas` calls it: 0, or 3 for all that is done.
    pub fn level(self) -> u32 {
        if self.optimise { 3 } else { 0 }
    }
}
