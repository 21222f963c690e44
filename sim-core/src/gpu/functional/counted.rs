//! What the functional machine counts of each instruction, worked out once per launch.

use crate::counters::{Flops, InstCounters, PcCounters};
use crate::exec::mask::count;
use crate::exec::step::only_computes;
use isa::uop::issue::{NO_INSTRUCTION, beginnings};
use isa::uop::{Inst, Program};

/// What is counted where a micro-op is executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    /// The main micro-op of the instruction that it begins;
    /// [`NO_INSTRUCTION`](isa::uop::issue::NO_INSTRUCTION) if another one begins it.
    pub main: u32,
    /// Floating-point operations of a lane of that instruction.
    pub flops: Flops,
    /// Instructions that micro-ops before this one begin.
    before: u32,
    /// Micro-ops from this one on that can be executed and counted together: they only compute, and
    /// no guard says how many lanes their floating-point operations have.
    pub together: u32,
}

impl Counted {
    /// Of all micro-ops of `program`.
    pub fn all(program: &Program) -> Vec<Self> {
        let of = |inst: &Inst| Flops::of(inst.op);
        let flops = |main: u32| program.code.get(main as usize).map_or(Flops::default(), of);
        let mut before = 0;
        let mut all: Vec<Self> = beginnings(&program.code)
            .into_iter()
            .map(|main| {
                let counted = Self { main, flops: flops(main), before, together: 0 };
                before += u32::from(main != NO_INSTRUCTION);
                counted
            })
            .collect();
        let joins = |counted: &Self, inst: &Inst| {
            only_computes(inst.op) && (counted.flops.is_none() || inst.guard.get().is_none())
        };
        let mut together = 0;
        for (counted, inst) in all.iter_mut().zip(&program.code).rev() {
            together = if joins(counted, inst) { together + 1 } else { 0 };
            counted.together = together;
        }
        all
    }
}

/// Counts of straight-line code: how often each micro-op was executed, and by how many threads, as
/// differences to the micro-op before it. A stretch of micro-ops is counted by two additions, where
/// it begins and where it ends.
#[derive(Clone, Debug)]
pub(super) struct Stretches {
    /// One more than there are micro-ops.
    differences: Vec<(i64, i64)>,
}

impl Stretches {
    /// Nothing of a program of `length` micro-ops was executed.
    pub fn new(length: usize) -> Self {
        Self { differences: vec![(0, 0); length + 1] }
    }

    /// The micro-ops `from..to` were executed, by the lanes `side`. Returns how many instructions
    /// they begin, and how many of those the last of them.
    #[inline]
    pub fn add(&mut self, counted: &[Counted], from: u32, to: u32, side: u32) -> (u64, u64) {
        let threads = i64::from(count(side));
        let first = &mut self.differences[from as usize];
        *first = (first.0 + 1, first.1 + threads);
        let end = &mut self.differences[to as usize];
        *end = (end.0 - 1, end.1 - threads);
        let last = &counted[to as usize - 1];
        let begins = u64::from(last.main != NO_INSTRUCTION);
        (u64::from(last.before - counted[from as usize].before) + begins, begins)
    }

    /// Adds everything to the counters by instruction `pcs`, and floating-point operations to
    /// `counts`.
    pub fn settle(&self, counted: &[Counted], counts: &mut InstCounters, pcs: &mut [PcCounters]) {
        let (mut executed, mut threads) = (0, 0);
        for ((more, lanes), Counted { main, flops, .. }) in self.differences.iter().zip(counted) {
            (executed, threads) = (executed + more, threads + lanes);
            if *main != NO_INSTRUCTION {
                let pc = &mut pcs[*main as usize];
                pc.executed += executed as u64;
                pc.threads += threads as u64;
                counts.operations(*flops, threads as u64);
            }
        }
    }
}
