//! The reconvergence stack of a warp: which lanes are where, and where they meet again.
//!
//! The top entry runs. A branch on which the lanes disagree turns it into an entry that waits at
//! the reconvergence point with all the lanes, and puts the two sides above it; a side that reaches
//! the point is dropped, and when both have, the waiting entry goes on. A side that would begin at
//! the point is not made. Where the running entry already heads for the same point (a loop's next
//! round, a second way out), the sides take its place and no new waiting entry is made.
//!
//! A call leaves the running entry waiting at the return address and puts a *frame* above it: the
//! lanes that call, at the function's first instruction. In the frame lanes meet at points of the
//! function, at the latest at its end. Lanes that return leave all entries of the frame; when none
//! is left, the entry of the caller goes on. Where lanes call different functions, one after the
//! other is served, and the others wait at the call. An exit ends lanes everywhere.
//!
//! **Bound.** Count exited lanes as still present. Then the sides of a split are disjoint,
//! non-empty and strictly smaller than what was split, so the entries form a family of distinct
//! sets of 32 lanes in which any two are disjoint or nested. Such a family has at most 2 · 32 - 1
//! sets: [`MAX_DEPTH`], whatever the program does. With calls, count the lanes of a frame that have
//! returned as still present in it. The sets of one frame are distinct, and of those below it only
//! the caller's can be equal to one of them, the frame's first. So each frame adds one entry at
//! most, and there are as many frames as the program's calls can be nested: beyond that, a call is
//! a fault.
//!
//! Invariant `reconvergence-stack`: The reconvergence stack loses no lane and has at most 63
//! entries, for any program.
//!
//! Invariant `reconvergence-with-calls`: With calls it loses no lane either, adds at most one entry
//! for each call, and never reallocates.

use crate::config::FirstPath;
use isa::uop::TO_EXIT;

/// Most entries a stack can have, beside one for each call that lanes are inside of.
pub const MAX_DEPTH: usize = 63;

/// Some lanes of a warp, the instruction that they are at, and the one where they meet others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Next instruction.
    pub pc: u32,
    /// Where the entry ends, or [`TO_EXIT`]: when all its lanes have exited or returned.
    pub reconv: u32,
    /// Lanes; 0 only in an empty stack.
    pub mask: u32,
    /// How many calls the lanes are inside of.
    pub frame: u32,
}

/// Lanes that do not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Which.
    pub lanes: u32,
    /// The instruction at which they will go on.
    pub pc: u32,
    /// Where they meet others then, or [`TO_EXIT`].
    pub until: u32,
    /// They have come to the point where the sides above them meet, or return to; else it is not
    /// their turn yet.
    pub arrived: bool,
}

const NOTHING: Entry = Entry { pc: 0, reconv: TO_EXIT, mask: 0, frame: 0 };

/// A warp's reconvergence stack. Plain data; it allocates when it is made (or copied), never later.
#[derive(Debug, PartialEq, Eq)]
pub struct SimtStack {
    /// What runs, kept out of `below` because every instruction looks at it.
    top: Entry,
    /// What waits, the next to run last.
    below: Vec<Entry>,
    /// Where the calls that the running entry is inside of return to, the innermost last.
    returns: Vec<u32>,
    /// Most calls to be inside of.
    most_calls: u32,
}

impl Clone for SimtStack {
    /// A copy with the same room, so that it does not allocate later either.
    fn clone(&self) -> Self {
        let mut copy = Self::empty(self.most_calls);
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.top = other.top;
        self.below.clear();
        self.below.extend_from_slice(&other.below);
        self.returns.clear();
        self.returns.extend_from_slice(&other.returns);
        self.most_calls = other.most_calls;
    }
}

impl SimtStack {
    /// The stack of no lanes, with room for any program that nests at most so many calls.
    pub fn empty(most_calls: u32) -> Self {
        Self {
            top: NOTHING,
            below: Vec::with_capacity(MAX_DEPTH + most_calls as usize),
            returns: Vec::with_capacity(most_calls as usize),
            most_calls,
        }
    }

    /// Puts `lanes` at the first instruction.
    pub fn start(&mut self, lanes: u32) {
        self.below.clear();
        self.returns.clear();
        self.top = Entry { pc: 0, reconv: TO_EXIT, mask: lanes, frame: 0 };
    }

    /// The instruction to execute next.
    pub fn pc(&self) -> u32 {
        self.top.pc
    }

    /// The lanes that execute it (before the guard).
    pub fn mask(&self) -> u32 {
        self.top.mask
    }

    /// Entries, the running one included; 0 when all lanes have exited.
    pub fn depth(&self) -> usize {
        if self.top.mask == 0 { 0 } else { self.below.len() + 1 }
    }

    /// The entries from the one that waits longest to the running one.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.below.iter().copied().chain((self.top.mask != 0).then_some(self.top))
    }

    /// Where the running entry ends, or [`TO_EXIT`].
    pub fn reconv(&self) -> u32 {
        self.top.reconv
    }

    /// Where the calls that the running lanes are inside of return to, the innermost last.
    pub fn returns(&self) -> &[u32] {
        &self.returns
    }

    /// The lanes that do not run, each once, the next to run first.
    pub fn waiting(&self) -> impl Iterator<Item = Waiting> {
        let (mut above, mut point, mut frame) = (self.top.mask, self.top.reconv, self.top.frame);
        self.below.iter().rev().filter_map(move |entry| {
            let lanes = entry.mask & !above;
            let calls = entry.frame < frame;
            let arrived = entry.pc == if calls { self.returns[frame as usize - 1] } else { point };
            (above, point, frame) = (above | entry.mask, entry.reconv, entry.frame);
            (lanes != 0).then_some(Waiting { lanes, pc: entry.pc, until: entry.reconv, arrived })
        })
    }

    /// Goes on to the next instruction.
    pub fn advance(&mut self) {
        self.go(self.top.pc + 1);
    }

    /// Branches: the lanes `taken` go to `target`, the others to the next instruction; both meet at
    /// `reconv`. Returns whether both sides have lanes, `first` saying which of them then runs
    /// first.
    pub fn branch(&mut self, taken: u32, target: u32, reconv: u32, first: FirstPath) -> bool {
        let Entry { pc, reconv: outer, mask, frame } = self.top;
        let (next, taken) = (pc + 1, taken & mask);
        if taken == 0 || taken == mask {
            self.go(if taken == 0 { next } else { target });
            return false;
        }
        if reconv != outer && reconv != TO_EXIT {
            self.below.push(Entry { pc: reconv, ..self.top });
        }
        let jump = Entry { pc: target, reconv, mask: taken, frame };
        let fall = Entry { pc: next, reconv, mask: mask & !taken, frame };
        let jump_first = match first {
            FirstPath::LaterInProgram => target > next,
            FirstPath::Taken => true,
            FirstPath::NotTaken => false,
        };
        for side in if jump_first { [fall, jump] } else { [jump, fall] } {
            if side.pc != reconv {
                self.below.push(side);
            }
        }
        self.pop();
        true
    }

    /// Calls: the lanes `called` go to `target`; `again` call from here when those are back; the
    /// others wait behind the call. False, and nothing has changed, if there are too many calls
    /// already.
    pub fn call(&mut self, called: u32, again: u32, target: u32) -> bool {
        let Entry { pc, reconv, mask, frame } = self.top;
        let (next, called) = (pc + 1, called & mask);
        if called == 0 {
            self.go(next);
            return true;
        }
        if frame == self.most_calls {
            return false;
        }
        // An entry that would end behind the call has nothing left to do there.
        if next != reconv {
            self.below.push(Entry { pc: next, ..self.top });
        }
        if again & mask & !called != 0 {
            self.below.push(Entry { pc, reconv: next, mask: again & mask & !called, frame });
        }
        self.returns.push(next);
        self.top = Entry { pc: target, reconv: TO_EXIT, mask: called, frame: frame + 1 };
        debug_assert!(self.fits(), "a frame adds one entry at most");
        true
    }

    /// Returns `lanes` from the function that runs. Those of the running entry that stay go on to
    /// the next instruction.
    pub fn ret(&mut self, lanes: u32) {
        let frame = self.top.frame;
        if frame == 0 {
            return self.exit(lanes);
        }
        // The frame's entries lie on top.
        let first = self.below.iter().rposition(|entry| entry.frame < frame).map_or(0, |caller| caller + 1);
        let mut kept = first;
        for i in first..self.below.len() {
            let entry = Entry { mask: self.below[i].mask & !lanes, ..self.below[i] };
            if entry.mask != 0 {
                self.below[kept] = entry;
                kept += 1;
            }
        }
        self.below.truncate(kept);
        self.top.mask &= !lanes;
        if self.top.mask == 0 {
            self.pop();
        } else {
            self.advance();
        }
    }

    /// Ends `lanes` wherever they wait. Those of the running entry that stay go on to the next
    /// instruction.
    pub fn exit(&mut self, lanes: u32) {
        for entry in &mut self.below {
            entry.mask &= !lanes;
        }
        self.below.retain(|entry| entry.mask != 0);
        self.top.mask &= !lanes;
        if self.top.mask == 0 {
            self.pop();
        } else {
            self.advance();
        }
    }

    /// Whether the entries are within their bound.
    fn fits(&self) -> bool {
        self.depth() <= MAX_DEPTH + self.returns.len()
    }

    /// Moves the running entry to `pc`, which may be its end.
    fn go(&mut self, pc: u32) {
        self.top.pc = pc;
        if pc == self.top.reconv {
            self.pop();
        }
    }

    /// Drops the running entry; the next one goes on. None begins at its own end, so one step is
    /// enough.
    fn pop(&mut self) {
        self.top = self.below.pop().unwrap_or(NOTHING);
        self.returns.truncate(self.top.frame as usize);
        debug_assert!(self.fits(), "entries are distinct, nested or disjoint sets of 32 lanes");
        debug_assert!(self.top.mask == 0 || self.top.pc != self.top.reconv, "no entry begins at its own end");
    }
}

#[cfg(test)]
mod tests;
