//! Instructions that combine the lanes of a warp: votes and shuffles.

use super::super::resolve::{ArgKind, Inst};
use super::{Selected, Selector};
use crate::lower::code::{File, OperandRow};
use crate::ptx::forms::{Opcode, Shuffle, Vote};
use crate::types::ScalarType;
use crate::uop::Op;

impl Selector<'_, '_> {
    /// `vote` and `vote.sync`.
    pub(super) fn vote(&mut self, inst: &Inst) -> Selected {
        let sync = inst.form.opcode == Opcode::VoteSync;
        let pick = |with_mask, of_all| if sync { with_mask } else { of_all };
        let (op, ty) = match inst.form.vote {
            Some(Vote::All) => (pick(Op::VoteSyncAll, Op::VoteAll), ScalarType::Pred),
            Some(Vote::Any) => (pick(Op::VoteSyncAny, Op::VoteAny), ScalarType::Pred),
            Some(Vote::Uni) => (pick(Op::VoteSyncUni, Op::VoteUni), ScalarType::Pred),
            Some(Vote::Ballot) => (pick(Op::VoteSyncBallot, Op::VoteBallot), ScalarType::B32),
            None => return Err(self.missing(inst)),
        };
        let dst = self.destination(inst, self.operand(inst, 0)?, ty)?;
        let mut sources = vec![self.read(inst, self.operand(inst, 1)?, ScalarType::Pred)?];
        if sync {
            sources.push(self.read(inst, self.operand(inst, 2)?, ScalarType::B32)?);
        }
        self.emit(op, dst, &sources);
        Ok(())
    }

    /// `activemask`.
    pub(super) fn active_mask(&mut self, inst: &Inst) -> Selected {
        let dst = self.destination(inst, self.operand(inst, 0)?, ScalarType::B32)?;
        self.emit(Op::ActiveMask, dst, &[]);
        Ok(())
    }

    /// `shfl` and `shfl.sync`. The mask of `shfl.sync` has no effect: the lanes of a warp execute
    /// in lockstep.
    pub(super) fn shuffle(&mut self, inst: &Inst) -> Selected {
        let op = match inst.form.shuffle {
            Some(Shuffle::Up) => Op::ShflUp,
            Some(Shuffle::Down) => Op::ShflDown,
            Some(Shuffle::Bfly) => Op::ShflBfly,
            Some(Shuffle::Idx) => Op::ShflIdx,
            None => return Err(self.missing(inst)),
        };
        let ty = ScalarType::B32;
        let first = self.operand(inst, 0)?;
        let (dst, inside) = match first.kind {
            ArgKind::Pair(value, inside) => {
                let half = |register: Option<u32>| register.map_or(ArgKind::Sink, ArgKind::Register);
                let part = |kind| super::super::resolve::Arg { kind, span: first.span };
                let value = self.destination(inst, &part(half(value)), ty)?;
                (value, self.destination(inst, &part(half(inside)), ScalarType::Pred)?)
            }
            _ => (self.destination(inst, first, ty)?, self.code.register(File::P)),
        };
        let mut sources = [OperandRow::None; 3];
        for (place, source) in (1..).zip(&mut sources) {
            *source = self.read(inst, self.operand(inst, place)?, ty)?;
        }
        if inst.form.opcode == Opcode::ShflSync {
            self.read(inst, self.operand(inst, 4)?, ty)?;
        }
        self.emit(op, dst, &sources).dst2 = inside;
        Ok(())
    }
}
