//! Synchronization of threads: barriers and votes. The thread stops and reports its contribution;
//! [`Thread::resume`] gives it the result.

use super::{Context, Instruction, Operand, Result, Status, Thread};
use isa::types::ScalarType;

/// Reduction of the predicates of a barrier's threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Number of true predicates.
    Count,
    /// Whether all are true.
    And,
    /// Whether any is true.
    Or,
}

/// A thread at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Number of the barrier.
    pub barrier: u64,
    /// Number of participating threads; `None` means all of the block.
    pub threads: Option<u64>,
    /// For a reduction: its kind, and the thread's predicate.
    pub reduction: Option<(Reduction, bool)>,
}

/// A thread at a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vote {
    /// Index after the vote instruction.
    pub at: usize,
    /// Vote of the thread; `None` if its guard is false.
    pub value: Option<bool>,
}

/// Result of a vote or a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Result of a vote: the lanes that voted, and those with a true predicate.
    Lanes(u32, u32),
    /// Result of a barrier.
    Number(u64),
}

impl Thread {
    /// `bar.sync a{, b}`, `bar.arrive a, b` and `bar.red.op.type d, a{, b}, c`.
    pub(super) fn barrier(&mut self, inst: &Instruction, context: &Context) -> Result<Status> {
        let value = |operand: &Operand| self.read(operand, ScalarType::U32, context);
        let operands = inst.operands.as_slice();
        if inst.has("arrive") {
            return Ok(Status::Arrives(value(&operands[0])?));
        }
        let (operands, reduction) = if inst.has("red") {
            let [_, middle @ .., predicate] = operands else { return Err("too few operands".to_owned()) };
            let kind = match inst.words[1].as_str() {
                "popc" => Reduction::Count,
                "and" => Reduction::And,
                _ => Reduction::Or,
            };
            (middle, Some((kind, self.read(predicate, ScalarType::Pred, context)? == 1)))
        } else {
            (operands, None)
        };
        let threads = match operands.get(1) {
            Some(operand) => Some(value(operand)?),
            None => None,
        };
        Ok(Status::Waits(Wait { barrier: value(&operands[0])?, threads, reduction }))
    }

    /// `vote.mode.type d, {!}a`.
    pub(super) fn vote(&mut self, inst: &Instruction, context: &Context) -> Result<Status> {
        let value = Some(self.read(&inst.operands[1], ScalarType::Pred, context)? == 1);
        Ok(Status::Votes(Vote { at: self.pc, value }))
    }

    /// Gives the thread the result of the vote or reduction at which it stopped.
    pub fn resume(&mut self, outcome: Outcome, context: &Context) -> Result<()> {
        let inst = &context.program.code[self.pc - 1];
        let result = match outcome {
            Outcome::Number(number) => number.into(),
            Outcome::Lanes(voted, for_it) => match inst.first() {
                "all" => (voted == for_it).into(),
                "any" => (for_it != 0).into(),
                "uni" => (for_it == 0 || voted == for_it).into(),
                _ => for_it.into(),
            },
        };
        self.write(&inst.operands[0], result, context)
    }
}
