//! The rule about reconvergence, with post-dominators computed in the simplest way: an instruction
//! that no path to the end avoids.

use super::trace::{bits, issues};
use super::{RuleResult, Trace};
use isa::uop::{Inst, Op};
use sim_core::observe::What;
use std::collections::BTreeMap;

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
fn post_dominator(code: &[Inst], pc: u32) -> u32 {
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

/// One warp.
#[derive(Clone, Default)]
struct Lanes {
    exited: u32,
    diverged: Vec<Divergence>,
}

impl Lanes {
    /// Executes the instruction at `pc` with `lanes`. Returns the number of divergences that end
    /// here.
    fn execute(&mut self, pc: u32, lanes: u32) -> Result<u64, String> {
        let (live, mut met, mut broken) = (!self.exited, 0, None);
        self.diverged.retain(|divergence| {
            let (a, b) = (divergence.taken & live, divergence.not_taken & live);
            if lanes & (a | b) == 0 {
                return a | b != 0;
            }
            if pc == divergence.meet {
                if lanes & (a | b) != a | b {
                    broken = Some((*divergence, "some of them continue alone from the reconvergence point"));
                }
                met += 1;
                return false;
            }
            if lanes & a != 0 && lanes & b != 0 {
                broken = Some((*divergence, "they run together at another instruction"));
            }
            true
        });
        match broken {
            Some((divergence, what)) => Err(format!(
                "RULE reconvergence: lanes that diverge at a branch reconverge at its immediate post-dominator, and not \
                 before. Lanes {:#010x} and {:#010x} diverged at instruction {} and should reconverge at {}; at \
                 instruction {pc} lanes {lanes:#010x} run: {what}",
                divergence.taken, divergence.not_taken, divergence.branch, divergence.meet
            )),
            None => Ok(met),
        }
    }
}

/// Lanes that diverge at a branch reconverge at the branch's immediate post-dominator, and not
/// before. Kernels with function calls are not checked, because there a lane's position is more
/// than an instruction.
pub fn reconverge_at_the_post_dominator(trace: &Trace) -> RuleResult {
    let code = &trace.program.code;
    if code.iter().any(|inst| matches!(inst.op, Op::Call | Op::CallInd)) {
        return Ok(0);
    }
    let mut places: BTreeMap<u32, u32> = BTreeMap::new();
    let mut met = 0;
    for sm in 0..trace.sms() {
        let mut warps = vec![Lanes::default(); 64];
        for event in trace.of_sm(sm) {
            if let What::BlockStarted { warps: slots, .. } = event.what {
                bits(slots).for_each(|slot| warps[slot as usize] = Lanes::default());
            }
            let Some(issued) = issues(event) else { continue };
            let (pc, warp) = (issued.origin.pc, &mut warps[issued.origin.warp as usize]);
            met += warp.execute(pc, issued.lanes).map_err(|e| format!("{e} (SM {sm})"))?;
            let (taken, not_taken) = (issued.guarded, issued.lanes & !issued.guarded);
            match trace.inst(pc).op {
                Op::Exit => warp.exited |= issued.guarded,
                Op::Bra if taken != 0 && not_taken != 0 => {
                    let meet = *places.entry(pc).or_insert_with(|| post_dominator(code, pc));
                    warp.diverged.push(Divergence { branch: pc, meet, taken, not_taken });
                }
                _ => {}
            }
        }
    }
    Ok(met)
}
