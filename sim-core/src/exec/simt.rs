//! The reconvergence stack of a warp: which lanes are where, and where they meet again.
//!
//! The top entry runs. A branch on which the lanes disagree turns it into an entry that waits at the
//! reconvergence point with all the lanes, and puts the two sides above it; a side that reaches the point is
//! dropped, and when both have, the waiting entry goes on. A side that would begin at the point is not made.
//! Where the running entry already heads for the same point (a loop's next round, a second way out), the sides
//! take its place and no new waiting entry is made.
//!
//! **Bound.** Count exited lanes as still present. Then the sides of a split are disjoint, non-empty and strictly
//! smaller than what was split, so the entries form a family of distinct sets of 32 lanes in which any two are
//! disjoint or nested. Such a family has at most 2 · 32 - 1 sets: [`MAX_DEPTH`], whatever the program does.

use crate::config::FirstPath;
use isa::uop::TO_EXIT;

/// Most entries a stack can have.
pub const MAX_DEPTH: usize = 63;

/// Some lanes of a warp, the instruction that they are at, and the one where they meet others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Next instruction.
    pub pc: u32,
    /// Where the entry ends, or [`TO_EXIT`]: when all its lanes have exited.
    pub reconv: u32,
    /// Lanes; 0 only in an empty stack.
    pub mask: u32,
}

const NOTHING: Entry = Entry { pc: 0, reconv: TO_EXIT, mask: 0 };

/// A warp's reconvergence stack. Plain data; it allocates when it is made (or copied), never later.
#[derive(Debug, PartialEq, Eq)]
pub struct SimtStack {
    /// What runs, kept out of `below` because every instruction looks at it.
    top: Entry,
    /// What waits, the next to run last.
    below: Vec<Entry>,
}

impl Clone for SimtStack {
    /// A copy with the same room, so that it does not allocate later either.
    fn clone(&self) -> Self {
        let mut copy = Self::empty();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.top = other.top;
        self.below.clear();
        self.below.extend_from_slice(&other.below);
    }
}

impl SimtStack {
    /// The stack of no lanes, with room for any program.
    pub fn empty() -> Self {
        Self { top: NOTHING, below: Vec::with_capacity(MAX_DEPTH) }
    }

    /// Puts `lanes` at the first instruction.
    pub fn start(&mut self, lanes: u32) {
        self.below.clear();
        self.top = Entry { pc: 0, reconv: TO_EXIT, mask: lanes };
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

    /// Goes on to the next instruction.
    pub fn advance(&mut self) {
        self.go(self.top.pc + 1);
    }

    /// Branches: the lanes `taken` go to `target`, the others to the next instruction; both meet at `reconv`.
    /// Returns whether both sides have lanes, `first` saying which of them then runs first.
    pub fn branch(&mut self, taken: u32, target: u32, reconv: u32, first: FirstPath) -> bool {
        let Entry { pc, reconv: outer, mask } = self.top;
        let (next, taken) = (pc + 1, taken & mask);
        if taken == 0 || taken == mask {
            self.go(if taken == 0 { next } else { target });
            return false;
        }
        if reconv != outer && reconv != TO_EXIT {
            self.below.push(Entry { pc: reconv, reconv: outer, mask });
        }
        let jump = Entry { pc: target, reconv, mask: taken };
        let fall = Entry { pc: next, reconv, mask: mask & !taken };
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

    /// Ends `lanes` wherever they wait. Those of the running entry that stay go on to the next instruction.
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

    /// Moves the running entry to `pc`, which may be its end.
    fn go(&mut self, pc: u32) {
        self.top.pc = pc;
        if pc == self.top.reconv {
            self.pop();
        }
    }

    /// Drops the running entry; the next one goes on. None begins at its own end, so one step is enough.
    fn pop(&mut self) {
        self.top = self.below.pop().unwrap_or(NOTHING);
        debug_assert!(self.depth() <= MAX_DEPTH, "entries are distinct, nested or disjoint sets of 32 lanes");
        debug_assert!(self.top.mask == 0 || self.top.pc != self.top.reconv, "no entry begins at its own end");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(lanes: u32) -> SimtStack {
        let mut stack = SimtStack::empty();
        stack.start(lanes);
        stack
    }

    fn at(stack: &SimtStack) -> (u32, u32) {
        (stack.pc(), stack.mask())
    }

    #[test]
    fn both_sides_of_an_if_run_and_meet() {
        // 0: bra 3 | 1, 2: else | 3: then | 4: meet
        let orders =
            [(FirstPath::LaterInProgram, true), (FirstPath::Taken, true), (FirstPath::NotTaken, false)];
        for (first, jump_first) in orders {
            let mut s = started(0xff);
            assert!(s.branch(0x0f, 3, 4, first));
            assert_eq!(s.depth(), 3);
            if jump_first {
                assert_eq!(at(&s), (3, 0x0f));
                s.advance();
                assert_eq!(at(&s), (1, 0xf0));
                s.advance();
                s.branch(u32::MAX, 4, 4, first);
            } else {
                assert_eq!(at(&s), (1, 0xf0));
                s.advance();
                s.branch(u32::MAX, 4, 4, first);
                assert_eq!(at(&s), (3, 0x0f));
                s.advance();
            }
            assert_eq!((at(&s), s.depth()), ((4, 0xff), 1));
        }
    }

    #[test]
    fn a_side_of_nothing_is_not_made_and_agreement_is_no_split() {
        let mut s = started(0xff);
        assert!(s.branch(0x0f, 2, 2, FirstPath::Taken));
        assert_eq!((at(&s), s.depth()), ((1, 0xf0), 2));
        s.advance();
        assert_eq!((at(&s), s.depth()), ((2, 0xff), 1));
        assert!(!s.branch(0xffff, 9, 12, FirstPath::Taken));
        assert!(!s.branch(0xff00, 20, 12, FirstPath::Taken));
        assert_eq!((at(&s), s.depth()), ((10, 0xff), 1));
        // Both sides are the reconvergence point itself.
        assert!(s.branch(1, 11, 11, FirstPath::Taken));
        assert_eq!((at(&s), s.depth()), ((11, 0xff), 1));
    }

    #[test]
    fn nested_branches_meet_from_the_inside_out() {
        let mut s = started(0xf);
        s.branch(0b0011, 10, 20, FirstPath::Taken);
        assert_eq!(at(&s), (10, 0b0011));
        s.branch(0b0001, 14, 16, FirstPath::Taken);
        assert_eq!((at(&s), s.depth()), ((14, 0b0001), 5));
        s.branch(1, 16, 0, FirstPath::Taken);
        assert_eq!(at(&s), (11, 0b0010));
        s.branch(2, 16, 0, FirstPath::Taken);
        assert_eq!((at(&s), s.depth()), ((16, 0b0011), 3));
        s.branch(3, 20, 0, FirstPath::Taken);
        assert_eq!(at(&s), (1, 0b1100));
        s.branch(0xc, 20, 0, FirstPath::Taken);
        assert_eq!((at(&s), s.depth()), ((20, 0xf), 1));
    }

    #[test]
    fn a_loop_of_unequal_trip_counts_does_not_grow_the_stack() {
        // 0: body | 1: bra 0 if lane > round | 2: after
        let mut s = started(u32::MAX);
        for round in 0..31 {
            assert_eq!(at(&s), (0, u32::MAX << round));
            s.advance();
            assert!(s.branch(u32::MAX << (round + 1), 0, 2, FirstPath::LaterInProgram));
            assert_eq!(s.depth(), 2);
        }
        s.advance();
        assert!(!s.branch(0, 0, 2, FirstPath::LaterInProgram));
        assert_eq!((at(&s), s.depth()), ((2, u32::MAX), 1));
    }

    #[test]
    fn lanes_that_break_wait_for_the_others_behind_the_loop() {
        // 0: break to 3 | 1: body | 2: bra 0 | 3: after
        let mut s = started(0b111);
        for lane in 0..2 {
            assert!(s.branch(1 << lane, 3, 3, FirstPath::Taken));
            assert_eq!((s.pc(), s.depth()), (1, 2));
            s.advance();
            assert!(!s.branch(u32::MAX, 0, TO_EXIT, FirstPath::Taken));
        }
        assert_eq!(at(&s), (0, 0b100));
        assert!(!s.branch(0b100, 3, 3, FirstPath::Taken));
        assert_eq!((at(&s), s.depth()), ((3, 0b111), 1));
    }

    #[test]
    fn lanes_that_exit_in_one_arm_are_missed_by_nobody() {
        let mut s = started(0xf);
        s.branch(0x3, 5, 8, FirstPath::Taken);
        s.exit(0x1);
        assert_eq!(at(&s), (6, 0x2));
        s.exit(0x2);
        assert_eq!(at(&s), (1, 0xc));
        s.branch(0xc, 8, TO_EXIT, FirstPath::Taken);
        assert_eq!((at(&s), s.depth()), ((8, 0xc), 1));
        s.exit(0xc);
        assert_eq!((s.depth(), s.mask()), (0, 0));
    }

    #[test]
    fn sides_that_never_meet_run_one_after_the_other() {
        let mut s = started(0x3);
        assert!(s.branch(0x1, 7, TO_EXIT, FirstPath::NotTaken));
        assert_eq!((at(&s), s.depth()), ((1, 0x2), 2));
        s.exit(0x2);
        assert_eq!((at(&s), s.depth()), ((7, 0x1), 1));
        s.exit(0x1);
        assert_eq!(s.depth(), 0);
    }

    #[test]
    fn the_deepest_stack_stays_within_its_bound_and_never_reallocates() {
        // Each branch keeps one lane fewer on the side that runs and meets at a point of its own.
        let mut s = started(u32::MAX);
        let room = s.below.capacity();
        for k in 1..32 {
            let (target, reconv) = (100 * k, 100_000 - k);
            assert!(s.branch(u32::MAX << k, target, reconv, FirstPath::Taken));
        }
        assert_eq!((s.depth(), s.below.capacity()), (MAX_DEPTH, room));
        assert_eq!(s.clone().below.capacity(), room);
        assert_eq!(s.clone(), s);
    }
}
