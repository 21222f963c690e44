//! Which barriers order conflicting accesses.
//!
//! The barriers of a block divide its execution into intervals. Two conflicting accesses of
//! different threads in different intervals are ordered by any barrier between them. The checker
//! attributes them to the barrier that began the interval of the second access. If no access at all
//! occurred between some barriers, the first one of them counts as that barrier. A barrier
//! instruction to which nothing is attributed in any block is unneeded: all such barriers can be
//! removed together, because each pair of accesses keeps the barrier that it is attributed to.
//!
//! Accesses are compared by word, so accesses to different bytes of a word count as conflicts.
//! Therefore a barrier that is reported is unneeded, but not every unneeded one is reported.

use crate::exec::Kernel;
use crate::racecheck::{Access, Kind, Space};
use isa::uop::{Class, Op};

/// Number of words per page.
const PAGE_WORDS: usize = 512;

/// No thread.
const NONE: u16 = u16::MAX;
/// Several threads.
const SEVERAL: u16 = u16::MAX - 1;

/// Accesses of one kind to a word: threads in the latest interval with such an access, and in all
/// earlier ones.
#[derive(Clone, Copy, Debug)]
struct Threads {
    interval: u32,
    latest: u16,
    earlier: u16,
}

const EMPTY: Threads = Threads { interval: 0, latest: NONE, earlier: NONE };

impl Threads {
    /// Whether a thread other than `thread` made such an access before `interval`.
    fn others_before(self, interval: u32, thread: u16) -> bool {
        let is_other = |known: u16| known != NONE && known != thread;
        is_other(self.earlier) || self.interval < interval && is_other(self.latest)
    }

    fn add(&mut self, interval: u32, thread: u16) {
        let with = |known: u16, thread: u16| match known {
            NONE => thread,
            _ if known == thread || thread == NONE => known,
            _ => SEVERAL,
        };
        if self.interval < interval {
            self.earlier = with(self.earlier, self.latest);
            (self.interval, self.latest) = (interval, NONE);
        }
        self.latest = with(self.latest, thread);
    }
}

/// Accesses to a word in the running block: reads, writes, and reductions, which do not conflict
/// with each other.
#[derive(Clone, Copy, Debug)]
struct Word {
    block: u32,
    by: [Threads; 3],
}

/// Accesses to a memory.
#[derive(Debug, Default)]
struct Shadow {
    pages: Vec<Option<Box<[Word; PAGE_WORDS]>>>,
}

impl Shadow {
    fn word(&mut self, number: u32, block: u32) -> &mut Word {
        let page = number as usize / PAGE_WORDS;
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        let empty = Word { block, by: [EMPTY; 3] };
        let words = self.pages[page].get_or_insert_with(|| Box::new([empty; PAGE_WORDS]));
        let word = &mut words[number as usize % PAGE_WORDS];
        if word.block != block {
            *word = empty;
        }
        word
    }
}

/// Whether the micro-op is a barrier.
fn is_barrier(op: Op) -> bool {
    op.class() == Class::Barrier
}

/// Attributes conflicting accesses to barriers.
#[derive(Debug)]
pub struct Orders {
    shared: Shadow,
    global: Shadow,
    /// Number of the running block among those that were followed, from 1.
    block: u32,
    /// Number of the running interval of the block.
    interval: u32,
    /// Whether an access occurred in the interval.
    accessed: bool,
    /// Instructions of the barrier that began the interval.
    opening: Vec<u32>,
    /// Instructions of the latest barrier.
    completed: Vec<u32>,
    /// For each instruction: how often a barrier completed there, and whether it is needed.
    barriers: Vec<(u64, bool)>,
    /// Whether all of `opening` are needed.
    settled: bool,
    /// Number of barrier instructions that are not needed so far. At 0 accesses have no effect.
    open: usize,
    /// Whether the order of some barriers is not known.
    ignored: bool,
}

impl Orders {
    /// No accesses of a launch of `kernel`. The result of a `bar.red` is a reason for the barrier.
    pub fn new(kernel: &Kernel) -> Self {
        let reduces = |op: Op| matches!(op, Op::BarRedPopc | Op::BarRedAnd | Op::BarRedOr);
        Self {
            shared: Shadow::default(),
            global: Shadow::default(),
            block: 0,
            interval: 0,
            accessed: false,
            opening: Vec::new(),
            completed: Vec::new(),
            barriers: kernel.program.code.iter().map(|inst| (0, reduces(inst.op))).collect(),
            settled: true,
            open: kernel.program.code.iter().filter(|inst| is_barrier(inst.op) && !reduces(inst.op)).count(),
            ignored: false,
        }
    }

    /// Begins the next block.
    pub fn begin_block(&mut self) {
        self.block += 1;
        self.interval = 1;
        self.accessed = false;
        self.opening.clear();
        self.settled = true;
    }

    /// Follows the completion of a barrier whose warps have executed the instructions `pcs`.
    pub fn barrier(&mut self, pcs: impl Iterator<Item = u32>) {
        self.completed.clear();
        self.completed.extend(pcs);
        self.completed.sort_unstable();
        self.completed.dedup();
        self.completed.iter().for_each(|pc| self.barriers[*pc as usize].0 += 1);
        if self.accessed || self.opening.is_empty() {
            std::mem::swap(&mut self.opening, &mut self.completed);
        }
        self.settled = self.opening.iter().all(|pc| self.barriers[*pc as usize].1);
        self.interval += 1;
        self.accessed = false;
    }

    /// From now on no barrier counts as unneeded.
    pub fn ignore(&mut self) {
        self.ignored = true;
    }

    /// Follows an access.
    pub fn access(&mut self, access: &Access) {
        if self.ignored || self.open == 0 {
            return;
        }
        self.accessed = true;
        let shadow = match access.space {
            Space::Shared => &mut self.shared,
            Space::Global => &mut self.global,
        };
        let (own, conflicting): (usize, &[usize]) = match access.kind {
            Kind::Read => (0, &[1, 2]),
            Kind::Write | Kind::Atomic => (1, &[0, 1, 2]),
            Kind::Reduction(_) => (2, &[0, 1]),
        };
        let thread = access.thread() as u16;
        let last = (u64::from(access.address) + u64::from(access.bytes) - 1) / 4;
        for number in access.address / 4..=last as u32 {
            let word = shadow.word(number, self.block);
            if !self.settled && conflicting.iter().any(|by| word.by[*by].others_before(self.interval, thread))
            {
                for pc in &self.opening {
                    self.open -= usize::from(!std::mem::replace(&mut self.barriers[*pc as usize].1, true));
                }
                self.settled = true;
            }
            word.by[own].add(self.interval, thread);
        }
    }

    /// Returns the instructions of the unneeded barriers, with the number of times that each one
    /// completed.
    pub fn unneeded(&self) -> Vec<(u32, u64)> {
        let all = (0..).zip(&self.barriers);
        let unneeded = all.filter(|(_, (times, needed))| *times > 0 && !needed && !self.ignored);
        unneeded.map(|(pc, (times, _))| (pc, *times)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::build::Builder;

    fn access(thread: u32, address: u32, kind: Kind) -> Access {
        Access {
            block: 0,
            warp: thread / 32,
            lane: thread % 32,
            instruction: 0,
            barriers: 0,
            trips: [0, 0],
            pc: 0,
            line: 1,
            space: Space::Shared,
            address,
            bytes: 4,
            kind,
            value: None,
        }
    }

    /// Follows accesses; `None` is a barrier, at instruction 0, 1 and so on.
    fn unneeded(accesses: &[Option<(u32, u32, Kind)>]) -> Vec<u32> {
        let (kernel, _) = Builder::new().rows(1, 0, 0).exit().exit().exit().started();
        let mut orders = Orders::new(&kernel);
        orders.open = usize::MAX;
        orders.begin_block();
        let mut barrier = 0;
        for step in accesses {
            if let Some((thread, address, kind)) = step {
                orders.access(&access(*thread, *address, *kind));
            } else {
                orders.barrier([barrier, barrier].into_iter());
                barrier += 1;
            }
        }
        orders.unneeded().into_iter().map(|(pc, _)| pc).collect()
    }

    #[test]
    fn a_barrier_between_conflicting_accesses_of_two_threads_is_needed() {
        use Kind::{Read, Reduction, Write};
        assert_eq!(unneeded(&[Some((0, 0, Write)), None, Some((1, 0, Read))]), []);
        assert_eq!(unneeded(&[Some((0, 0, Write)), None, Some((0, 0, Read))]), [0]);
        assert_eq!(unneeded(&[Some((0, 0, Read)), None, Some((1, 0, Read))]), [0]);
        assert_eq!(unneeded(&[Some((0, 0, Reduction(0))), None, Some((1, 0, Reduction(0)))]), [0]);
        assert_eq!(unneeded(&[Some((0, 0, Write)), None, Some((1, 4, Read)), None]), [0, 1]);
    }

    #[test]
    fn of_barriers_in_a_row_the_first_one_is_needed() {
        use Kind::{Read, Write};
        assert_eq!(unneeded(&[Some((0, 0, Write)), None, None, Some((1, 0, Read))]), [1]);
        let (write, read) = (Some((0, 0, Write)), Some((1, 0, Read)));
        assert_eq!(unneeded(&[write, None, Some((0, 8, Write)), None, read]), [0]);
    }
}
