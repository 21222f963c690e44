//! Which barriers order conflicting accesses.
//!
//! The barriers of a block divide its execution into intervals. Two conflicting accesses of
//! different threads in different intervals are ordered by any barrier between them. The checker
//! attributes them to the barrier that began the interval of the second access. If no access at all
//! occurred between some barriers, the first one of them counts as that barrier. A barrier
//! instruction to which nothing is attributed in any block is unneeded: all such barriers can be
//! removed together, because each pair of accesses keeps the barrier that it is attributed to.
//!
//! So the barriers that are reported can be removed together, but they are not always the largest
//! such set. [`Screen`](crate::check::race::Screen) compares the accesses.

use crate::exec::Kernel;
use isa::uop::{Class, Op};

/// Whether the micro-op is a barrier.
fn is_barrier(op: Op) -> bool {
    op.class() == Class::Barrier
}

/// Attributes conflicting accesses to barriers.
#[derive(Debug)]
pub struct Orders {
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
        self.accessed = false;
    }

    /// From now on no barrier counts as unneeded.
    pub fn ignore(&mut self) {
        self.ignored = true;
    }

    /// Whether it matters for the next access if a barrier orders it.
    pub fn watches(&self) -> bool {
        !self.ignored && self.open > 0 && !self.settled
    }

    /// Follows an access. `ordered`: it conflicts with an access of another thread of the block
    /// before the latest barrier.
    pub fn accessed(&mut self, ordered: bool) {
        self.accessed = true;
        if ordered && !self.settled {
            for pc in &self.opening {
                self.open -= usize::from(!std::mem::replace(&mut self.barriers[*pc as usize].1, true));
            }
            self.settled = true;
        }
    }

    /// Iterates over the instructions of the barriers that order accesses.
    pub fn needed(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.barriers).filter(|(_, (times, needed))| *times > 0 && *needed).map(|(pc, _)| pc)
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
    use crate::check::race::{Kind, Screen, WarpAccess};
    use crate::exec::Parts;
    use crate::exec::build::Builder;
    use crate::exec::stride::Strides;

    /// Follows accesses of a thread to a shared word; `None` is a barrier, at instruction 0, 1 and
    /// so on.
    fn unneeded(accesses: &[Option<(u32, u32, Kind)>]) -> Vec<u32> {
        let (kernel, _) = Builder::new().rows(1, 0, 0).exit().exit().exit().started();
        let mut orders = Orders::new(&kernel);
        orders.open = usize::MAX;
        orders.begin_block();
        let (mut screen, mut barriers) = (Screen::default(), 0);
        for step in accesses {
            if let Some((thread, address, kind)) = *step {
                let access = crate::exec::Access { addr: [address; 32], ..crate::exec::Access::new() };
                let parts = Parts { shared: 1 << (thread % 32), ..Parts::default() };
                let (block, warp, access, strides) = (0, thread / 32, &access, Strides::default());
                let access = WarpAccess { block, warp, barriers, kind, access, strides, parts };
                orders.accessed(screen.access(&access, orders.watches()));
            } else {
                orders.barrier([barriers, barriers].into_iter());
                barriers += 1;
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
