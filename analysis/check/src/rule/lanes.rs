//! Divergence, followed from the issued instructions.

use super::dominators::END;
use super::setup::{Fact, Facts, Setup};
use isa::uop::Op;
use sim_core::observe::Issued;

/// Lanes that diverged at a branch.
#[derive(Clone, Copy, Debug)]
struct Divergence {
    branch: u32,
    meet: u32,
    taken: u32,
    not_taken: u32,
}

/// The lanes of a warp.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes {
    exited: u32,
    diverged: Vec<Divergence>,
}

impl Lanes {
    /// Executes an instruction. Kernels with function calls are not followed: there a lane's
    /// position is more than an instruction.
    pub fn execute(&mut self, issued: &Issued, setup: &Setup, facts: &mut Facts) {
        if setup.calls {
            return;
        }
        let (pc, lanes, live) = (issued.origin.pc, issued.lanes, !self.exited);
        self.diverged.retain(|divergence| {
            let (a, b) = (divergence.taken & live, divergence.not_taken & live);
            if lanes & (a | b) == 0 {
                return a | b != 0;
            }
            let meets = pc == divergence.meet;
            let alone = meets && lanes & (a | b) != a | b;
            let early = !meets && lanes & a != 0 && lanes & b != 0;
            if alone || early {
                facts.text = Some(format!(
                    "lanes {:#010x} and {:#010x} diverged at instruction {} and meet at {}; at instruction {pc} lanes \
                     {lanes:#010x} run",
                    divergence.taken, divergence.not_taken, divergence.branch, divergence.meet
                ));
            }
            facts.add(Fact::RanAlone, alone);
            facts.add(Fact::MetEarly, early);
            facts.add(Fact::Met, meets);
            !meets
        });
        let (taken, not_taken) = (issued.guarded, lanes & !issued.guarded);
        match setup.inst(pc).op {
            Op::Exit => self.exited |= issued.guarded,
            Op::Bra if taken != 0 && not_taken != 0 => {
                let meet = setup.meets.get(&pc).copied().unwrap_or(END);
                self.diverged.push(Divergence { branch: pc, meet, taken, not_taken });
            }
            _ => {}
        }
    }
}
