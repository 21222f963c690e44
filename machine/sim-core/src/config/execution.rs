//! Divergent branches, and operands that arithmetic reads from memory.

use super::LONG;
use super::schema::forms::Part;
use crate::record;
use crate::words::words;

words! {
    /// Path of a divergent branch that runs first.
    pub enum FirstPath {
        /// The path that is later in the program.
        LaterInProgram = "later_in_program",
        /// The lanes that take the branch.
        Taken = "taken",
        /// The lanes that do not take the branch.
        NotTaken = "not_taken",
    }
}

record! {
    /// Costs of the operands of arithmetic that an instruction reads from memory as it issues.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct OperandsConfig {
        /// A word of shared memory (capability 1.x).
        pub shared: OperandConfig = Part;
        /// A word of constant memory.
        pub constant: OperandConfig = Part;
        /// A kernel parameter, which is in shared memory (capability 1.x) or in constant memory
        /// (2.x).
        pub param: OperandConfig = Part;
    }

    /// Cost of one operand from memory.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct OperandConfig {
        /// Time that the instruction occupies its unit, if that is longer than without the operand.
        pub cycles: u32 = 1..=LONG, "shader cycles", timing;
        /// Additional latency of the result.
        pub latency: u32 = 0..=LONG, "shader cycles", timing;
    }
}
