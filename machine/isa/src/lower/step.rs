//! View of a micro-op for the analysis of control flow, before and after the assignment of rows.

use super::code::VInst;
use crate::uop::{Guard, Inst, Op};

/// The properties of a micro-op that matter for control flow.
pub trait Step {
    /// Operation.
    fn op(&self) -> Op;
    /// As in [`Inst::imm`]: the target PC of a branch.
    fn imm(&self) -> u32;
    /// As in [`Inst::aux`].
    fn aux(&self) -> u32;
    /// Whether control never continues at the next micro-op.
    fn ends(&self) -> bool;
}

impl Step for VInst {
    fn op(&self) -> Op {
        self.op
    }

    fn imm(&self) -> u32 {
        self.imm
    }

    fn aux(&self) -> u32 {
        self.aux
    }

    fn ends(&self) -> bool {
        Self::ends(self)
    }
}

impl Step for Inst {
    fn op(&self) -> Op {
        self.op
    }

    fn imm(&self) -> u32 {
        self.imm
    }

    fn aux(&self) -> u32 {
        self.aux
    }

    fn ends(&self) -> bool {
        self.guard == Guard::NONE && matches!(self.op, Op::Bra | Op::Exit | Op::Ret | Op::Trap)
    }
}
