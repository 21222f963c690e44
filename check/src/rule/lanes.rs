//! Divergence, followed from the issued instructions, with post-dominators computed in the simplest
//! way: an instruction that no path to the end avoids.

use super::sm::{Facts, Setup};
use isa::uop::{Inst, Op};
use sim_core::observe::Issued;

/// The end of the kernel, as a node.
const END: u32 = u32::MAX;

/// Returns the successors of `pc`.
fn next(code: &[Inst], pc: u32) -> Vec<u32> {
    let inst = &code[pc as usize];
    let mut places = match inst.op {
        Op::Bra => vec![inst.imm],
        Op::Exit | Op::Trap => vec![END],
        _ => return vec![pc + 1],
    };
    if inst.guard.get().is_some() {
        places.push(pc + 1);
    }
    places
}

/// Whether there is a path from `from` to the end that avoids `avoid`.
fn avoids(code: &[Inst], from: u32, avoid: u32) -> bool {
    let mut seen = vec![false; code.len()];
    let mut todo = next(code, from);
    while let Some(place) = todo.pop() {
        if place == END {
            return true;
        }
        if place != avoid && !std::mem::replace(&mut seen[place as usize], true) {
            todo.extend(next(code, place));
        }
    }
    false
}

/// Returns the immediate post-dominator of `pc`: the first instruction after it on every path to
/// the end.
pub(super) fn post_dominator(code: &[Inst], pc: u32) -> u32 {
    let passed: Vec<u32> =
        (0..code.len() as u32).filter(|place| *place != pc && !avoids(code, pc, *place)).collect();
    let first = |place: &&u32| passed.iter().all(|other| *other == **place || !avoids(code, **place, *other));
    passed.iter().find(first).copied().unwrap_or(END)
}

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
            facts.ran_alone |= alone;
            facts.met_early |= early;
            facts.met |= meets;
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
