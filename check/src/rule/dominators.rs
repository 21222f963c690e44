//! Post-dominators, computed in the simplest way: an instruction that no path to the end avoids.

use isa::uop::{Inst, Op};

/// The end of the kernel, as a node.
pub(super) const END: u32 = u32::MAX;

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
        // Code after the kernel's is a function that it does not call.
        if place as usize >= code.len() {
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
