//! Where the lanes of a branch meet, computed in the simplest way: the first instruction that no
//! path of the lanes that stay avoids.

use isa::uop::{Class, Inst, Op};

/// The end of the kernel, as a node.
pub(super) const END: u32 = u32::MAX;

/// Returns the successors of `pc`, except the end.
fn next(code: &[Inst], pc: u32) -> Vec<u32> {
    let inst = &code[pc as usize];
    let always = inst.guard.get().is_none();
    let mut places = if inst.op == Op::Bra { vec![inst.imm] } else { Vec::new() };
    if !always || !matches!(inst.op, Op::Bra | Op::Exit | Op::Trap) {
        places.push(pc + 1);
    }
    // Code after the kernel's is a function that it does not call.
    places.retain(|place| (*place as usize) < code.len());
    places
}

/// Instructions that `pc` reaches by `next`, without `pc` itself unless it is in a loop.
fn reached(code: &[Inst], pc: u32, next: impl Fn(u32) -> Vec<u32>) -> Vec<bool> {
    let mut seen = vec![false; code.len()];
    let mut todo = next(pc);
    while let Some(place) = todo.pop() {
        if !std::mem::replace(&mut seen[place as usize], true) {
            todo.extend(next(place));
        }
    }
    seen
}

/// The paths of the lanes that stay.
pub(super) struct Paths {
    /// Successors of each instruction; none at an end.
    next: Vec<Vec<u32>>,
    /// Whether a path ends at each instruction: without successors, or at the first instruction of
    /// a loop that the lanes that stay never leave.
    ends: Vec<bool>,
}

impl Paths {
    /// A lane that can only exit leaves, if the others can come to a barrier, and it cannot. Of the
    /// ends that a lane
    /// can reach, it stays on the way to the one that is first: traps are last, then the end behind
    /// more of the last barriers is first, then the later one.
    pub(super) fn of(code: &[Inst]) -> Self {
        let all = || 0..code.len() as u32;
        let exits = |pc: &u32| matches!(code[*pc as usize].op, Op::Bra | Op::Exit);
        let leaves: Vec<bool> = all()
            .map(|pc| {
                let seen = reached(code, pc, |at| next(code, at));
                exits(&pc) && all().filter(|at| seen[*at as usize]).all(|at| exits(&at))
            })
            .collect();
        let stays = |pc: u32| {
            let mut places = next(code, pc);
            places.retain(|place| !leaves[*place as usize]);
            places
        };
        let ahead: Vec<Vec<bool>> = all().map(|pc| reached(code, pc, stays)).collect();
        let reaches = |from: u32, to: u32| ahead[from as usize][to as usize];
        // Instructions of one loop that nothing after it follows.
        let last = |pc: u32, among: &dyn Fn(u32) -> bool| {
            all().all(|other| !among(other) || !reaches(pc, other) || reaches(other, pc))
        };
        let first_of_loop = |pc: u32| all().find(|at| *at == pc || reaches(pc, *at) && reaches(*at, pc));
        let barrier = |pc: u32| code[pc as usize].op.class() == Class::Barrier;
        let mut barriers: Vec<u32> =
            all().filter(|pc| barrier(*pc) && last(*pc, &barrier)).filter_map(first_of_loop).collect();
        barriers.dedup();
        let rank = |end: u32| {
            let before =
                barriers.iter().filter(|barrier| **barrier == end || reaches(**barrier, end)).count();
            (code[end as usize].op != Op::Trap, before, end)
        };
        let ends: Vec<u32> = all().filter(|pc| last(*pc, &|_| true)).collect();
        let main = |pc: u32| {
            let ends = ends.iter().filter(|end| **end == pc || reaches(pc, **end));
            ends.map(|end| rank(*end)).max()
        };
        let main: Vec<_> = all().map(main).collect();
        let kept = |pc: u32| {
            let mut places = next(code, pc);
            let on = |place: u32| !leaves[place as usize] && main[place as usize] == main[pc as usize];
            let waits = |place: u32| {
                !leaves[place as usize] && all().any(|at| barrier(at) && (at == place || reaches(place, at)))
            };
            let (main, off): (Vec<u32>, Vec<u32>) = places.iter().partition(|place| on(**place));
            if main.into_iter().any(waits) && !off.into_iter().any(waits) {
                places.retain(|place| on(*place));
            }
            places
        };
        let next: Vec<Vec<u32>> = all().map(kept).collect();
        let ahead: Vec<Vec<bool>> =
            all().map(|pc| reached(code, pc, |at| next[at as usize].clone())).collect();
        let is_first_of_endless_loop = |pc: u32| {
            let mut inside = all().filter(|at| ahead[pc as usize][*at as usize]).peekable();
            inside.peek() == Some(&pc) && inside.all(|at| ahead[at as usize][pc as usize])
        };
        let ends = all().map(|pc| next[pc as usize].is_empty() || is_first_of_endless_loop(pc)).collect();
        Self { next, ends }
    }

    /// Whether there is a path from `from` to an end that avoids `avoid`.
    fn avoids(&self, from: u32, avoid: u32) -> bool {
        if self.next[from as usize].is_empty() {
            return true;
        }
        let mut seen = vec![false; self.next.len()];
        let mut todo = vec![from];
        while let Some(place) = todo.pop() {
            for place in &self.next[place as usize] {
                if *place != avoid && self.ends[*place as usize] {
                    return true;
                }
                if *place != avoid && !std::mem::replace(&mut seen[*place as usize], true) {
                    todo.push(*place);
                }
            }
        }
        false
    }

    /// Returns where the lanes that diverge at `pc` meet: the first instruction after it on every
    /// path of those that stay.
    pub(super) fn meeting(&self, pc: u32) -> u32 {
        let all = 0..self.next.len() as u32;
        let passed: Vec<u32> = all.filter(|place| *place != pc && !self.avoids(pc, *place)).collect();
        let first =
            |place: &&u32| passed.iter().all(|other| other == *place || !self.avoids(**place, *other));
        passed.iter().find(first).copied().unwrap_or(END)
    }
}
