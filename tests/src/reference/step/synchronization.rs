//! Synchronization of threads: barriers, votes and shuffles. The thread stops and reports its
//! contribution; [`Thread::resume`] gives it the result.

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

/// A thread at a vote or a shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vote {
    /// Index after the instruction.
    pub at: usize,
    /// Vote of the thread; `None` if its guard is false.
    pub value: Option<bool>,
    /// Value that other lanes of a shuffle can read, also if its guard is false.
    pub offers: u32,
}

/// Operands of the live lanes of a warp in a vote or a shuffle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// Lanes that exist and have not exited.
    pub live: u32,
    /// Lanes that execute the instruction.
    pub voted: u32,
    /// Lanes with a true predicate.
    pub for_it: u32,
    /// Value that each lane offers.
    pub offers: [u32; 32],
}

/// Result of a vote, a shuffle or a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Result of a vote or a shuffle: what the lanes of the warp bring.
    Lanes(Lanes),
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
        Ok(Status::Votes(Vote { at: self.pc, value, offers: 0 }))
    }

    /// `shfl{.sync}.mode.b32 d{|p}, a, b, c{, mask}`. `value`: whether its guard is true.
    pub(super) fn shuffle(
        &mut self,
        inst: &Instruction,
        value: Option<bool>,
        context: &Context,
    ) -> Result<Status> {
        let offers = self.read(&inst.operands[1], ScalarType::B32, context)? as u32;
        Ok(Status::Votes(Vote { at: self.pc, value, offers }))
    }

    /// Copies a value of another lane (PTX ISA, "shfl").
    fn copy(&mut self, inst: &Instruction, lanes: &Lanes, context: &Context) -> Result<()> {
        let field = |i: usize, at: u32| -> Result<i64> {
            Ok((self.read(&inst.operands[i], ScalarType::U32, context)? >> at & 31) as i64)
        };
        let lane = i64::from(self.number % 32);
        let (distance, bound, segment) = (field(2, 0)?, field(3, 0)?, field(3, 8)?);
        let bound = (lane & segment) | (bound & !segment);
        let mode = inst.words.iter().find(|word| *word != "sync").map_or("", |word| word);
        let (from, inside) = match mode {
            "up" => (lane - distance, lane - distance >= bound),
            "down" => (lane + distance, lane + distance <= bound),
            "bfly" => (lane ^ distance, lane ^ distance <= bound),
            _ => {
                let from = (lane & segment) | (distance & !segment);
                (from, from <= bound)
            }
        };
        let from = if inside { from } else { lane } as usize;
        if lanes.live >> from & 1 == 0 {
            return Err("a shuffle reads a lane that does not exist".to_owned());
        }
        let value = lanes.offers[from];
        if let Operand::Pair(d, p) = inst.operands[0] {
            let side = |register: Option<usize>| register.map_or(Operand::Sink, Operand::Register);
            self.write(&side(d), value.into(), context)?;
            return self.write(&side(p), inside.into(), context);
        }
        self.write(&inst.operands[0], value.into(), context)
    }

    /// Gives the thread the result of the vote or reduction at which it stopped.
    pub fn resume(&mut self, outcome: Outcome, context: &Context) -> Result<()> {
        let inst = &context.program.code[self.pc - 1];
        let result = match outcome {
            Outcome::Number(number) => number.into(),
            Outcome::Lanes(lanes) if inst.opcode == "shfl" => return self.copy(inst, &lanes, context),
            Outcome::Lanes(lanes) if inst.opcode == "activemask" => lanes.voted.into(),
            Outcome::Lanes(lanes) if inst.has("sync") => {
                let mask = self.read(&inst.operands[2], ScalarType::B32, context)? as u32;
                tally(&inst.words[1], lanes.voted & mask, lanes.for_it & mask)
            }
            Outcome::Lanes(lanes) => tally(inst.first(), lanes.voted, lanes.for_it),
        };
        self.write(&inst.operands[0], result, context)
    }
}

/// Returns the result of a vote.
fn tally(mode: &str, voted: u32, for_it: u32) -> i128 {
    match mode {
        "all" => (voted == for_it).into(),
        "any" => (for_it != 0).into(),
        "uni" => (for_it == 0 || voted == for_it).into(),
        _ => for_it.into(),
    }
}
