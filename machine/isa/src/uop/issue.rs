//! Fused micro-ops: micro-ops that issue as part of one instruction.
//!
//! The hardware can read an operand from shared or constant memory, negate it or take its magnitude
//! while the operand is read, and can record in a condition code how a result compares with zero.
//! This needs no separate instruction. Such a micro-op keeps its position and meaning in the
//! program, and is marked [`Inst::FUSED`]:
//!
//! ```text
//! { operand }  main  [ test ]
//! ```
//!
//! *Operands* (loads and sign changes) belong to the next main micro-op. A *test* (a comparison)
//! belongs to the preceding one. They issue together with the main micro-op, under its guard. The
//! functional executor executes one micro-op after the other.
//!
//! Invariant `fusing-is-legal`: A fused load passes no store, barrier, fence, atomic or clock, and
//! has the guard of its instruction. The verifier rejects a micro-op that cannot be fused. Both
//! machines count a fused instruction once.

use super::class::Class;
use super::memory::{Memory, MemoryKind, MemorySpace, Width};
use super::op::Op;
use super::program::{Inst, Program};
use crate::lower::live::{Live, LiveRows};
use std::sync::Arc;

/// Maximum number of fused operands of one instruction.
pub const MAX_OPERANDS: usize = 3;

/// Role of a fused micro-op in its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fused {
    /// Produces an operand of the next main micro-op.
    Operand,
    /// Compares the result of the preceding main micro-op.
    Test,
}

/// Returns the role of micro-op `op` with the flags `aux` in its instruction; `None` if it is not
/// fused.
pub fn fused_as(op: Op, aux: u32) -> Option<Fused> {
    if aux & Inst::FUSED == 0 || op == Op::Bra {
        return None;
    }
    Some(if is_test(op) { Fused::Test } else { Fused::Operand })
}

/// Whether a micro-op can be fused as a test.
pub fn is_test(op: Op) -> bool {
    matches!(op.class(), Class::IntCmp | Class::FCmp)
}

/// Returns the state space of a load that can be fused as an operand; `None` for any other
/// micro-op.
pub fn operand_space(op: Op) -> Option<MemorySpace> {
    let Memory { kind: MemoryKind::Load, space, width: Width::B32 } = op.memory()? else { return None };
    match space {
        MemorySpace::Shared | MemorySpace::Const => Some(space),
        MemorySpace::Param | MemorySpace::Global | MemorySpace::Local | MemorySpace::Generic => None,
    }
}

/// Whether a micro-op can be fused as an operand that is read from memory.
pub fn is_memory_operand(op: Op) -> bool {
    operand_space(op).is_some()
}

/// Whether a micro-op can be fused as a sign change of an operand.
pub fn is_modifier(op: Op) -> bool {
    matches!(
        op,
        Op::NegS32 | Op::NegF32 | Op::NegFtzF32 | Op::AbsF32 | Op::AbsFtzF32 | Op::NegF64 | Op::AbsF64
    )
}

/// Makes separate instructions of the fused micro-ops that only compute capability 1.x supports:
/// operands from memory and tests.
pub fn separate(program: &mut Arc<Program>) {
    let old = |inst: &Inst| {
        inst.fused() == Some(Fused::Test) || inst.fused().is_some() && is_memory_operand(inst.op)
    };
    if !program.code.iter().any(old) {
        return;
    }
    let program = Arc::make_mut(program);
    for inst in program.code.iter_mut().filter(|inst| old(inst)) {
        inst.aux &= !Inst::FUSED;
    }
    // The operands are now in hardware registers.
    let live = Live::of(program);
    let most = live.after.iter().map(LiveRows::registers).max();
    program.registers = program.registers.max(most.unwrap_or(0));
}

/// The micro-ops of one instruction, as PCs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// First micro-op. A warp's PC is here before the instruction issues.
    pub first: usize,
    /// Main micro-op, with which the others are fused.
    pub main: usize,
    /// One past the last micro-op.
    pub end: usize,
}

impl Issue {
    /// Whether the instruction has fused micro-ops.
    pub fn is_fused(&self) -> bool {
        self.end - self.first > 1
    }
}

/// Returns the instructions of a program in order. Every micro-op belongs to exactly one.
pub fn issues(code: &[Inst]) -> impl Iterator<Item = Issue> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let first = next;
        let role = |pc: usize| code.get(pc).map(|inst| fused_as(inst.op, inst.aux));
        let mut main = first;
        // A fused operand without a main micro-op is treated as an instruction. No verified program
        // has one.
        while role(main)? == Some(Fused::Operand) && role(main + 1).is_some_and(|r| r != Some(Fused::Test)) {
            main += 1;
        }
        next = main + 1 + usize::from(role(main + 1) == Some(Some(Fused::Test)));
        Some(Issue { first, main, end: next })
    })
}

/// Value in [`beginnings`] for a micro-op that does not begin an instruction.
pub const NO_INSTRUCTION: u32 = u32::MAX;

/// Returns for each micro-op that begins an instruction the PC of its main micro-op. Instructions
/// are counted at their first micro-op.
pub fn beginnings(code: &[Inst]) -> Vec<u32> {
    let mut begins = vec![NO_INSTRUCTION; code.len()];
    for issue in issues(code) {
        begins[issue.first] = issue.main as u32;
    }
    begins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fused(op: Op) -> Inst {
        Inst { aux: Inst::FUSED, ..Inst::new(op) }
    }

    #[test]
    fn operands_belong_to_the_next_micro_op_and_tests_to_the_previous_one() {
        let (load, test) = (fused(Op::LdSharedB32), fused(Op::SetpEqB32));
        let code = [
            Inst::new(Op::AddB32),
            load,
            fused(Op::NegF32),
            Inst::new(Op::MulF32),
            test,
            Inst::new(Op::SetpEqB32),
            Inst::new(Op::SubB32),
            test,
            Inst::new(Op::Exit),
        ];
        let found: Vec<_> = issues(&code).map(|i| (i.first, i.main, i.end, i.is_fused())).collect();
        let expected =
            [(0, 0, 1, false), (1, 3, 5, true), (5, 5, 6, false), (6, 6, 8, true), (8, 8, 9, false)];
        assert_eq!(found, expected);
    }

    #[test]
    fn every_micro_op_belongs_to_one_instruction_for_all_marks() {
        let all = [
            fused(Op::LdSharedB32),
            fused(Op::SetpEqB32),
            Inst::new(Op::AddB32),
            Inst { aux: u32::MAX, ..Inst::new(Op::Bra) },
        ];
        for number in 0..4_usize.pow(5) {
            let code: Vec<Inst> = (0..5).map(|place| all[number / 4_usize.pow(place) % 4]).collect();
            let mut next = 0;
            for issue in issues(&code) {
                assert_eq!(issue.first, next);
                assert!(issue.first <= issue.main && issue.main < issue.end, "{number}: {issue:?}");
                next = issue.end;
            }
            assert_eq!(next, code.len(), "{number}");
        }
    }
}
