//! Counts per instruction on the functional machine, precomputed once per launch.

use crate::counters::{Flops, InstCounters, PcCounters};
use crate::exec::mask::count;
use crate::exec::step::only_computes;
use isa::uop::issue::{NO_INSTRUCTION, beginnings};
use isa::uop::{Inst, Program};

/// Count of one micro-op.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    /// Main micro-op of the instruction that this micro-op begins;
    /// [`NO_INSTRUCTION`](isa::uop::issue::NO_INSTRUCTION) if it begins none.
    pub main: u32,
    /// Floating-point operations per lane of that instruction.
    pub flops: Flops,
    /// Number of instructions that earlier micro-ops begin.
    before: u32,
    /// Number of micro-ops, from this one, that can be executed and counted together: they only
    /// compute, and no guard limits the lanes of their floating-point operations.
    pub together: u32,
}

impl Counted {
    /// Returns the counts of all micro-ops of `program`.
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

/// Counts the execution of a micro-op that begins the instruction of micro-op `main`, by the lanes
/// `side`. Returns the number of instructions: 0 if `main` is [`NO_INSTRUCTION`].
#[inline]
pub(super) fn begin(pcs: &mut [PcCounters], main: u32, side: u32) -> u64 {
    if main == NO_INSTRUCTION {
        return 0;
    }
    let counters = &mut pcs[main as usize];
    counters.executed += 1;
    counters.threads += u64::from(count(side));
    1
}

/// A sequence of micro-ops `from..to` that some lanes execute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stretch {
    from: u32,
    to: u32,
    side: u32,
}

/// Counts of straight-line code: executions and threads of each micro-op, as differences to the
/// micro-op before it. A sequence of micro-ops is counted by two additions, at its beginning and at
/// its end. Repetitions of a sequence, as in loops, are added together.
#[derive(Clone, Debug)]
pub(super) struct Stretches {
    /// One element more than there are micro-ops.
    differences: Vec<(i64, i64)>,
    last: Stretch,
    /// Executions of `last` that are not included in `differences`.
    times: i64,
    /// Instructions that the micro-ops of `last` begin, and that its last micro-op begins.
    begins: (u64, u64),
}

impl Stretches {
    /// Creates empty counts for a program of `length` micro-ops.
    pub fn new(length: usize) -> Self {
        Self { differences: vec![(0, 0); length + 1], last: Stretch::default(), times: 0, begins: (0, 0) }
    }

    /// Counts an execution of micro-ops `from..to` by the lanes `side`. Returns the number of
    /// instructions that they begin, and the number that the last micro-op begins.
    #[inline]
    pub fn add(&mut self, counted: &[Counted], from: u32, to: u32, side: u32) -> (u64, u64) {
        let stretch = Stretch { from, to, side };
        if stretch != self.last {
            self.turn_to(stretch, counted);
        }
        self.times += 1;
        self.begins
    }

    /// Counts executions of `stretch` from now on.
    #[inline(never)]
    fn turn_to(&mut self, stretch: Stretch, counted: &[Counted]) {
        self.flush();
        let (first, last) = (&counted[stretch.from as usize], &counted[stretch.to as usize - 1]);
        let begins = u64::from(last.main != NO_INSTRUCTION);
        self.begins = (u64::from(last.before - first.before) + begins, begins);
        self.last = stretch;
    }

    /// Adds the executions of the last sequence.
    fn flush(&mut self) {
        let times = std::mem::take(&mut self.times);
        let threads = times * i64::from(count(self.last.side));
        let first = &mut self.differences[self.last.from as usize];
        *first = (first.0 + times, first.1 + threads);
        let end = &mut self.differences[self.last.to as usize];
        *end = (end.0 - times, end.1 - threads);
    }

    /// Adds all counts to the counters of each instruction, `pcs`, and the floating-point
    /// operations to `counts`.
    pub fn settle(mut self, counted: &[Counted], counts: &mut InstCounters, pcs: &mut [PcCounters]) {
        self.flush();
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
