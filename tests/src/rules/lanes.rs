//! The rule about reconvergence, with post-dominators worked out in the simplest way there is: a
//! place that no way to the end avoids.

use super::film::{bits, issues};
use super::{Film, Held};
use isa::uop::{Inst, Op};
use sim_core::observe::What;
use std::collections::BTreeMap;

/// The end of the kernel, as a place.
const END: u32 = u32::MAX;

/// Where control may go from `pc`.
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

/// Whether there is a way from `from` to the end that does not pass `avoid`.
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

/// The first place after `pc` that every way from `pc` to the end passes.
fn meeting_place(code: &[Inst], pc: u32) -> u32 {
    let passed: Vec<u32> =
        (0..code.len() as u32).filter(|place| *place != pc && !avoids(code, pc, *place)).collect();
    let first = |place: &&u32| passed.iter().all(|other| *other == **place || !avoids(code, **place, *other));
    passed.iter().find(first).copied().unwrap_or(END)
}

/// Lanes that have parted at a branch.
#[derive(Clone, Copy, Debug)]
struct Parted {
    branch: u32,
    meet: u32,
    taken: u32,
    not_taken: u32,
}

/// One warp.
#[derive(Clone, Default)]
struct Lanes {
    exited: u32,
    parted: Vec<Parted>,
}

impl Lanes {
    /// The warp executes the instruction at `pc` with `lanes`. Returns how many partings ended
    /// here.
    fn execute(&mut self, pc: u32, lanes: u32) -> Result<u64, String> {
        let (live, mut met, mut broken) = (!self.exited, 0, None);
        self.parted.retain(|parted| {
            let (a, b) = (parted.taken & live, parted.not_taken & live);
            if lanes & (a | b) == 0 {
                return a | b != 0;
            }
            if pc == parted.meet {
                if lanes & (a | b) != a | b {
                    broken = Some((*parted, "some of them go on alone from where they should meet"));
                }
                met += 1;
                return false;
            }
            if lanes & a != 0 && lanes & b != 0 {
                broken = Some((*parted, "they run together again elsewhere"));
            }
            true
        });
        match broken {
            Some((parted, what)) => Err(format!(
                "RULE reconvergence: lanes that part at a branch meet at its immediate post-dominator, and not \
                 before. Lanes {:#010x} and {:#010x} parted at instruction {} and should meet at {}; at \
                 instruction {pc} run {lanes:#010x}: {what}",
                parted.taken, parted.not_taken, parted.branch, parted.meet
            )),
            None => Ok(met),
        }
    }
}

/// Lanes that part at a branch run together again from the branch's immediate post-dominator on,
/// and not before. Nothing is said of kernels that call functions: there a lane's place is more
/// than an instruction.
pub fn meet_at_the_post_dominator(film: &Film) -> Held {
    let code = &film.program.code;
    if code.iter().any(|inst| matches!(inst.op, Op::Call | Op::CallInd)) {
        return Ok(0);
    }
    let mut places: BTreeMap<u32, u32> = BTreeMap::new();
    let mut met = 0;
    for sm in 0..film.sms() {
        let mut warps = vec![Lanes::default(); 64];
        for event in film.of_sm(sm) {
            if let What::BlockStarted { warps: slots, .. } = event.what {
                bits(slots).for_each(|slot| warps[slot as usize] = Lanes::default());
            }
            let Some(issued) = issues(event) else { continue };
            let (pc, warp) = (issued.origin.pc, &mut warps[issued.origin.warp as usize]);
            met += warp.execute(pc, issued.lanes).map_err(|e| format!("{e} (SM {sm})"))?;
            let (taken, not_taken) = (issued.guarded, issued.lanes & !issued.guarded);
            match film.inst(pc).op {
                Op::Exit => warp.exited |= issued.guarded,
                Op::Bra if taken != 0 && not_taken != 0 => {
                    let meet = *places.entry(pc).or_insert_with(|| meeting_place(code, pc));
                    warp.parted.push(Parted { branch: pc, meet, taken, not_taken });
                }
                _ => {}
            }
        }
    }
    Ok(met)
}
