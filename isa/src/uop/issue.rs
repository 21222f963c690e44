//! Which micro-ops issue as one instruction.
//!
//! Hardware reads an operand from shared or constant memory, negates it, or takes its magnitude on
//! the way into a unit, and notes of a result how it compares with zero: no instruction is spent on
//! it. Such a micro-op keeps its place in the program and its meaning, and is marked
//! [`Inst::FUSED`]:
//!
//! ```text
//! { operand }  main  [ test ]
//! ```
//!
//! *Operands*, loads and changes of sign, belong to the main micro-op behind them, a *test*, a
//! comparison, to the one in front of it. They issue with it, under its guard; a machine without
//! time executes one after the other.
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

/// The most operands of one instruction that are micro-ops of their own.
pub const MOST_OPERANDS: usize = 3;

/// What a fused micro-op is to its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fused {
    /// It makes an operand of the micro-op behind it.
    Operand,
    /// It compares the result of the micro-op in front of it.
    Test,
}

/// What micro-op `op`, with the flags `aux`, is to its instruction if it is fused into one.
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

/// State space of a load that can be fused as an operand; `None` of any other micro-op.
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

/// Whether a micro-op can be fused as a change of sign of an operand.
pub fn is_modifier(op: Op) -> bool {
    matches!(
        op,
        Op::NegS32 | Op::NegF32 | Op::NegFtzF32 | Op::AbsF32 | Op::AbsFtzF32 | Op::NegF64 | Op::AbsF64
    )
}

/// Makes instructions of what only compute capability 1.x folds: operands from memory and tests.
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
    // The operands are in registers now.
    let live = Live::of(program);
    let most = live.behind.iter().map(LiveRows::registers).max();
    program.registers = program.registers.max(most.unwrap_or(0));
}

/// The micro-ops of one instruction, by their PCs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The first of them: where a warp stands before it issues.
    pub first: usize,
    /// The one that the others are fused into.
    pub main: usize,
    /// One behind the last.
    pub end: usize,
}

impl Issue {
    /// Whether anything is fused into it.
    pub fn is_fused(&self) -> bool {
        self.end - self.first > 1
    }
}

/// The instructions of a program in order. Every micro-op belongs to one.
pub fn issues(code: &[Inst]) -> impl Iterator<Item = Issue> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let first = next;
        let role = |pc: usize| code.get(pc).map(|inst| fused_as(inst.op, inst.aux));
        let mut main = first;
        // An operand without anything behind it, which no verified program has, is an instruction.
        while role(main)? == Some(Fused::Operand) && role(main + 1).is_some_and(|r| r != Some(Fused::Test)) {
            main += 1;
        }
        next = main + 1 + usize::from(role(main + 1) == Some(Some(Fused::Test)));
        Some(Issue { first, main, end: next })
    })
}

/// In [`beginnings`]: another micro-op begins the instruction.
pub const NO_INSTRUCTION: u32 = u32::MAX;

/// For each micro-op that begins an instruction the main one of it: instructions are counted as
/// they begin.
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
    fn operands_belong_to_what_follows_and_tests_to_what_was() {
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
    fn every_micro_op_belongs_to_one_instruction_whatever_the_marks() {
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
