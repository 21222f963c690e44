//! How an SM executes, beside its units and classes: which path of a branch comes first, what
//! operands from memory cost.

/// Which side of a divergent branch runs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstPath {
    /// The side that stands later in the program.
    LaterInProgram,
    /// The lanes that take the branch.
    Taken,
    /// The lanes that fall through.
    NotTaken,
}

/// What operands of arithmetic cost that are read from memory as it issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandsConfig {
    /// A word of shared memory (cc 1.x).
    pub shared: OperandConfig,
    /// A word of constant memory.
    pub constant: OperandConfig,
    /// A parameter of the kernel, which lies in shared memory (cc 1.x) or in a constant bank (cc
    /// 2.x).
    pub param: OperandConfig,
}

/// What one such operand costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandConfig {
    /// Hot cycles that the instruction keeps its unit busy, if that is longer than without the
    /// operand.
    pub cycles: u32,
    /// Hot cycles that its result comes later.
    pub latency: u32,
}
