//! Where a thread needs others to go on: barriers and votes. The thread stops and says what it
//! brings; what came of it is told by [`Thread::go_on`].

use super::{Instruction, Operand, Result, Surroundings, Then, Thread};
use isa::types::ScalarType;

/// What a barrier makes of its threads' predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// How many hold.
    Count,
    /// Whether all hold.
    And,
    /// Whether any holds.
    Or,
}

/// A thread at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The barrier's number.
    pub barrier: u64,
    /// For how many threads it is; all of the block, if it does not say.
    pub threads: Option<u64>,
    /// With a reduction: which, and the thread's predicate.
    pub reduction: Option<(Reduction, bool)>,
}

/// A thread at a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vote {
    /// Behind which instruction.
    pub at: usize,
    /// Its vote, unless its guard keeps it from voting.
    pub value: Option<bool>,
}

/// What came of a vote or a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Of a vote: the lanes that voted, and those of them that voted for it.
    Lanes(u32, u32),
    /// Of a barrier.
    Number(u64),
}

impl Thread {
    /// `bar.sync a{, b}`, `bar.arrive a, b` and `bar.red.op.type d, a{, b}, c`.
    pub(super) fn barrier(&mut self, inst: &Instruction, around: &Surroundings) -> Result<Then> {
        let value = |operand: &Operand| self.read(operand, ScalarType::U32, around);
        let operands = inst.operands.as_slice();
        if inst.has("arrive") {
            return Ok(Then::Arrives(value(&operands[0])?));
        }
        let (operands, reduction) = if inst.has("red") {
            let [_, middle @ .., predicate] = operands else { return Err("too few operands".to_owned()) };
            let kind = match inst.words[1].as_str() {
                "popc" => Reduction::Count,
                "and" => Reduction::And,
                _ => Reduction::Or,
            };
            (middle, Some((kind, self.read(predicate, ScalarType::Pred, around)? == 1)))
        } else {
            (operands, None)
        };
        let threads = match operands.get(1) {
            Some(operand) => Some(value(operand)?),
            None => None,
        };
        Ok(Then::Waits(Wait { barrier: value(&operands[0])?, threads, reduction }))
    }

    /// `vote.mode.type d, {!}a`.
    pub(super) fn vote(&mut self, inst: &Instruction, around: &Surroundings) -> Result<Then> {
        let value = Some(self.read(&inst.operands[1], ScalarType::Pred, around)? == 1);
        Ok(Then::Votes(Vote { at: self.pc, value }))
    }

    /// Tells the thread what came of the vote or the reduction that it stopped behind.
    pub fn go_on(&mut self, outcome: Outcome, around: &Surroundings) -> Result<()> {
        let inst = &around.program.code[self.pc - 1];
        let result = match outcome {
            Outcome::Number(number) => number.into(),
            Outcome::Lanes(voted, for_it) => match inst.first() {
                "all" => (voted == for_it).into(),
                "any" => (for_it != 0).into(),
                "uni" => (for_it == 0 || voted == for_it).into(),
                _ => for_it.into(),
            },
        };
        self.write(&inst.operands[0], result, around)
    }
}
