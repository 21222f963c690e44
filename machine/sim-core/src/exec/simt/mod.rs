//! The reconvergence stack of a warp: the paths of divergent lanes and their reconvergence points.
//!
//! The top entry runs. A divergent branch changes it to an entry that waits at the reconvergence
//! point with all lanes, and pushes the two sides above it. A side that reaches the point is
//! popped; after both, the waiting entry continues. A side that would start at the point is not
//! pushed. If the running entry already has the same reconvergence point (the next iteration of a
//! loop, a second loop exit), the sides replace it and no new waiting entry is pushed.
//!
//! A call leaves the running entry waiting at the return address and pushes a *frame*: the calling
//! lanes, at the first instruction of the function. Lanes in the frame reconverge at points of the
//! function, at the latest at its end. Lanes that return are removed from all entries of the frame.
//! When the frame is empty, the entry of the caller continues. If lanes call different functions,
//! the calls are executed one after the other, and the other lanes wait at the call. An exit
//! removes lanes from all entries.
//!
//! **Bound.** Count exited lanes as still present. Then the sides of a split are disjoint,
//! non-empty and strictly smaller than the split entry. The entries therefore form a family of
//! distinct subsets of 32 lanes in which any two are disjoint or nested. Such a family has at most
//! 2 · 32 - 1 sets: [`MAX_DEPTH`], for any program.
//!
//! With calls, count the lanes of a frame that have returned as still present in it. The sets of
//! one frame are distinct. Of the sets below it, only the caller's can equal a set of the frame,
//! namely its first. Each frame therefore adds at most one entry, and the number of frames is
//! limited by the nesting of the program's calls: a deeper call is a fault.
//!
//! Invariant `reconvergence-stack`: The reconvergence stack loses no lane and has at most 63
//! entries, for any program.
//!
//! Invariant `reconvergence-with-calls`: With calls it loses no lane either, adds at most one entry
//! for each call, and never reallocates.

use crate::config::FirstPath;
use crate::state::Value;
use isa::uop::TO_EXIT;

/// Largest number of entries without calls. Each call in progress adds at most one more.
pub const MAX_DEPTH: usize = 63;

/// A set of lanes of a warp with their next instruction and their reconvergence point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub struct Entry {
    /// Next instruction.
    pub pc: u32,
    /// Reconvergence point, or [`TO_EXIT`] if the entry ends when all its lanes have exited or
    /// returned.
    pub reconv: u32,
    /// Lanes; 0 only in an empty stack.
    pub mask: u32,
    /// Number of calls in progress.
    pub frame: u32,
}

/// Lanes that wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub struct Waiting {
    /// Lane mask.
    pub lanes: u32,
    /// Instruction at which they will continue.
    pub pc: u32,
    /// Their reconvergence point, or [`TO_EXIT`].
    pub until: u32,
    /// Whether they wait at the reconvergence point or the return address of the entry above;
    /// otherwise they wait for their turn.
    pub arrived: bool,
}

const NOTHING: Entry = Entry { pc: 0, reconv: TO_EXIT, mask: 0, frame: 0 };

/// A warp's reconvergence stack. A new stack has all its memory; a copy may allocate when it grows.
#[derive(Clone, Debug, PartialEq, Eq, Value)]
pub struct SimtStack {
    /// The running entry, separate from `below` because every instruction accesses it.
    top: Entry,
    /// The waiting entries; the last is the next to run.
    below: Vec<Entry>,
    /// Return addresses of the calls in progress in the running entry, the innermost last.
    returns: Vec<u32>,
    /// Largest number of nested calls.
    most_calls: u32,
}

impl Default for SimtStack {
    /// An empty stack without memory.
    fn default() -> Self {
        Self { top: NOTHING, below: Vec::new(), returns: Vec::new(), most_calls: 0 }
    }
}

impl SimtStack {
    /// An empty stack, with capacity for any program with at most `most_calls` nested calls.
    pub fn empty(most_calls: u32) -> Self {
        Self {
            top: NOTHING,
            below: Vec::with_capacity(MAX_DEPTH + most_calls as usize),
            returns: Vec::with_capacity(most_calls as usize),
            most_calls,
        }
    }

    /// Whether the stack has memory for its entries.
    pub fn is_allocated(&self) -> bool {
        self.below.capacity() > 0
    }

    /// Starts `lanes` at the first instruction.
    pub fn start(&mut self, lanes: u32) {
        self.below.clear();
        self.returns.clear();
        self.top = Entry { pc: 0, reconv: TO_EXIT, mask: lanes, frame: 0 };
    }

    /// The instruction to execute next.
    pub fn pc(&self) -> u32 {
        self.top.pc
    }

    /// The lanes of the running entry, before the guard.
    pub fn mask(&self) -> u32 {
        self.top.mask
    }

    /// Number of entries, including the running one; 0 when all lanes have exited.
    pub fn depth(&self) -> usize {
        if self.top.mask == 0 { 0 } else { self.below.len() + 1 }
    }

    /// The entries, the running one last.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.below.iter().copied().chain((self.top.mask != 0).then_some(self.top))
    }

    /// Reconvergence point of the running entry, or [`TO_EXIT`].
    pub fn reconv(&self) -> u32 {
        self.top.reconv
    }

    /// Return addresses of the calls in progress in the running lanes, the innermost last.
    pub fn returns(&self) -> &[u32] {
        &self.returns
    }

    /// The lanes that wait, each once; the next to run first.
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

    /// Whether the stack equals another one, except that the next instructions need only be alike.
    pub fn is_like(&self, other: &Self, alike: impl Fn(u32, u32) -> bool) -> bool {
        let top = Entry { pc: other.top.pc, ..self.top };
        top == other.top
            && alike(self.top.pc, other.top.pc)
            && self.below == other.below
            && self.returns == other.returns
    }

    /// Advances to the next instruction.
    pub fn advance(&mut self) {
        self.go(self.top.pc + 1);
    }

    /// Number of instructions from the next one to the reconvergence point; at least 1.
    #[inline]
    pub fn until_reconv(&self) -> u32 {
        // The point of a loop can be behind the running lanes.
        match self.top.reconv.checked_sub(self.top.pc) {
            None | Some(0) => u32::MAX,
            Some(instructions) => instructions,
        }
    }

    /// Advances by `instructions`, at most [`Self::until_reconv`].
    #[inline]
    pub fn advance_by(&mut self, instructions: u32) {
        if instructions > 0 {
            self.go(self.top.pc + instructions);
        }
    }

    /// Executes a branch: the lanes `taken` continue at `target`, the others at the next
    /// instruction; both reconverge at `reconv`. `first` selects the side that runs first. Returns
    /// whether both sides have lanes.
    #[inline]
    pub fn branch(&mut self, taken: u32, target: u32, reconv: u32, first: FirstPath) -> bool {
        let Entry { pc, mask, .. } = self.top;
        let taken = taken & mask;
        if taken == 0 || taken == mask {
            self.go(if taken == 0 { pc + 1 } else { target });
            return false;
        }
        self.split(taken, target, reconv, first);
        true
    }

    /// Executes a divergent branch.
    #[inline(never)]
    fn split(&mut self, taken: u32, target: u32, reconv: u32, first: FirstPath) {
        let Entry { pc, reconv: outer, mask, frame } = self.top;
        let next = pc + 1;
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
    }

    /// Executes a call: the lanes `called` continue at `target`; the lanes `again` call from here
    /// after those have returned; the others wait after the call. Returns false, and changes
    /// nothing, if the calls are nested too deeply.
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
        // An entry that ends directly after the call is not needed.
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

    /// Returns `lanes` from the current function. The remaining lanes of the running entry continue
    /// at the next instruction.
    pub fn ret(&mut self, lanes: u32) {
        let frame = self.top.frame;
        if frame == 0 {
            return self.exit(lanes);
        }
        // The entries of the frame are on top.
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

    /// Ends `lanes` in all entries. The remaining lanes of the running entry continue at the next
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

    /// Whether the number of entries is within the bound.
    fn fits(&self) -> bool {
        self.depth() <= MAX_DEPTH + self.returns.len()
    }

    /// Moves the running entry to `pc`, which may be its reconvergence point.
    fn go(&mut self, pc: u32) {
        self.top.pc = pc;
        if pc == self.top.reconv {
            self.pop();
        }
    }

    /// Pops the running entry; the next one continues. No entry starts at its own reconvergence
    /// point, so one step is enough.
    fn pop(&mut self) {
        self.top = self.below.pop().unwrap_or(NOTHING);
        self.returns.truncate(self.top.frame as usize);
        debug_assert!(self.fits(), "entries are distinct, nested or disjoint sets of 32 lanes");
        debug_assert!(self.top.mask == 0 || self.top.pc != self.top.reconv, "no entry starts at its own end");
    }
}

#[cfg(test)]
mod tests;
