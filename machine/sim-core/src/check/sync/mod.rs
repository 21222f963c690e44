//! Barriers that not all threads of a block execute, wrong thread counts of barriers, and barriers
//! that order no accesses.
//!
//! A barrier of this hardware counts warps, and a warp that exits no longer counts. So a barrier
//! completes although a warp has skipped it, and warps that wait at different barrier instructions
//! with one number release each other. The checker repeats the counting ([`Barriers`]) with the
//! instruction of each arrival, and reports a barrier when it completes without a warp that went
//! around it, or with `bar.sync 0` of different positions. After the first barrier of a block that
//! not all threads execute, the same threads miss later barriers too, so only the first one is
//! reported. Threads that return before a barrier are gone, and no barrier waits for them.
//!
//! Barriers with a thread count and `bar.arrive` are meant for a part of the block or for different
//! positions: only their counts are checked. With them, no barrier is called unneeded, and neither
//! in a launch whose blocks communicate: a barrier can be one link of an order between blocks.

mod orders;

use super::checker::{Checker, Met};
use super::finding::{Finding, Findings, Thread, line_of};
use super::kind::Kind;
use crate::exec::barrier::Arrival;
use crate::exec::trap::{FaultKind, Trap};
use crate::exec::{Kernel, Step, ways};
use crate::gpu::functional::{Ending, Executed};
use crate::sm::barrier::Barriers;
use isa::terms::Terms;
use isa::uop::Op;
use orders::Orders;
use std::collections::BTreeSet;

/// The remedy for a barrier that some threads do not reach.
const ALL_REACH: &str =
    "move the barrier to a place that all {thread}s reach: guard the work, not the barrier";

/// Position of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// It executes instructions.
    Running,
    /// It waits at the barrier instruction `pc`.
    Waiting { pc: u32, barrier: u32, counted: bool },
    /// Its last lanes have exited at `pc`.
    Exited { pc: u32 },
}

/// Checks the barriers of one launch.
#[derive(Debug)]
pub struct Synccheck {
    barriers: Barriers,
    warps: Vec<At>,
    /// Arrivals at each barrier since its last completion: warp and instruction.
    arrived: [Vec<(u32, u32)>; crate::sm::barrier::BARRIERS],
    /// Whether a barrier of the running block that not all threads execute was reported.
    reported: bool,
    /// Pairs of a barrier and an exit, and whether the exit is in code that follows the barrier.
    around: Vec<((u32, u32), bool)>,
    block: u64,
    orders: Orders,
    findings: Findings,
}

impl Synccheck {
    /// A checker of a launch of `kernel`.
    pub fn new(kernel: &Kernel) -> Self {
        Self {
            barriers: Barriers::default(),
            warps: vec![At::Running; kernel.warps_per_block() as usize],
            arrived: std::array::from_fn(|_| Vec::new()),
            reported: false,
            around: Vec::new(),
            block: 0,
            orders: Orders::new(kernel),
            findings: Findings::default(),
        }
    }

    /// Whether it matters for the next access if a barrier orders it.
    pub fn watches(&self) -> bool {
        self.orders.watches()
    }

    /// Follows the arrival of a warp.
    fn arrive(&mut self, executed: &Executed, arrival: &Arrival) {
        let Executed { kernel, warp, pc, access, .. } = *executed;
        let all = self.warps.len() as u32;
        // Lanes that have exited are gone.
        if access.mask != executed.registers.live {
            self.divergent(executed);
        }
        let counted = arrival.warps != 0;
        if counted || !arrival.waits {
            self.orders.ignore();
        }
        let barrier = arrival.id as usize;
        self.arrived[barrier].push((warp.index, pc));
        if arrival.waits {
            self.warps[warp.index as usize] = At::Waiting { pc, barrier: arrival.id, counted };
        }
        let released = self.barriers.arrive(arrival, warp.index, self.live(), all);
        if released.is_ok_and(|release| release.warps != 0) {
            self.complete(kernel, barrier);
        }
    }

    /// Handles the completion of a barrier: its arrivals are in `arrived`.
    fn complete(&mut self, kernel: &Kernel, barrier: usize) {
        let mut arrivals = std::mem::take(&mut self.arrived[barrier]);
        for (warp, _) in &arrivals {
            let at = &mut self.warps[*warp as usize];
            if matches!(at, At::Waiting { barrier: waits, .. } if *waits as usize == barrier) {
                *at = At::Running;
            }
        }
        let plain = |pc: u32| kernel.program.code[pc as usize].op == Op::BarSync;
        if arrivals.iter().all(|(_, pc)| plain(*pc)) {
            self.compare(kernel, &arrivals);
        }
        self.orders.barrier(arrivals.iter().map(|(_, pc)| *pc));
        arrivals.clear();
        self.arrived[barrier] = arrivals;
    }

    /// Reports a barrier without thread count at which some warps arrived at another instruction,
    /// or which some warps went around. A warp that left before the barrier is gone.
    fn compare(&mut self, kernel: &Kernel, arrivals: &[(u32, u32)]) {
        if self.reported {
            return;
        }
        let line = |(_, pc): &&(u32, u32)| (line_of(kernel, *pc), *pc);
        let (Some(first), Some(last)) = (arrivals.iter().min_by_key(line), arrivals.iter().max_by_key(line))
        else {
            return;
        };
        let arrived = arrivals.iter().fold(0u64, |mask, (warp, _)| mask | 1 << warp);
        let missing = (0..self.warps.len() as u32).find(|warp| {
            let at = self.warps[*warp as usize];
            arrived >> warp & 1 == 0
                && matches!(at, At::Exited { pc } if self.went_around(kernel, first.1, pc))
        });
        let different = last.1 != first.1;
        if missing.is_none() && !different {
            return;
        }
        self.reported = true;
        self.skipped(kernel, *first, missing, Some(*last).filter(|_| different));
    }

    /// Whether a warp whose last lanes exited at `exit` went around the barrier at `barrier`: it
    /// came to the end of the code that follows the barrier.
    fn went_around(&mut self, kernel: &Kernel, barrier: u32, exit: u32) -> bool {
        let pair = (barrier, exit);
        if let Some((_, around)) = self.around.iter().find(|(known, _)| *known == pair) {
            return *around;
        }
        let always = kernel.program.code[exit as usize].guard.get().is_none();
        let around = always && ways::follows(&kernel.program, barrier, exit);
        self.around.push((pair, around));
        around
    }

    /// Adds the finding of a skipped barrier. `waits` is a warp that waits and its barrier,
    /// `missing` a warp that went around the barrier and has exited, and `other` a warp that waits
    /// elsewhere and its barrier.
    fn skipped(
        &mut self,
        kernel: &Kernel,
        waits: (u32, u32),
        missing: Option<u32>,
        other: Option<(u32, u32)>,
    ) {
        let block = self.block;
        self.findings.add(Kind::SkippedBarrier, line_of(kernel, waits.1), 1, || {
            let thread = |(warp, pc): (u32, u32), does: &str| Thread::at(kernel, pc, block, warp, 0, does);
            let what = if missing.is_some() && other.is_none() {
                "goes around it, and exits"
            } else {
                "waits at another one"
            };
            let terms = Terms::of(kernel.program.source.files());
            let block = terms.block;
            let message = format!("a warp of the {block} waits at this barrier, and another warp {what}");
            let mut finding = Finding::new(kernel, Kind::SkippedBarrier, waits.1, message);
            if let Some(other) = other {
                finding = finding.thread(thread(other, "waits here"));
            }
            finding = finding.thread(thread(waits, "waits"));
            finding = match missing {
                Some(missing) => finding.note(format!("warp {missing} does not execute the barrier")),
                None => finding,
            };
            let note = "a warp that has exited no longer counts, so the barrier completes; the programming \
                        model requires that all {thread}s that have not exited execute the same barrier";
            finding.note(terms.fill(note)).help(terms.fill(ALL_REACH))
        });
    }

    /// Adds the finding of a barrier that some threads of a warp do not execute with the others.
    fn divergent(&mut self, executed: &Executed) {
        if std::mem::replace(&mut self.reported, true) {
            return;
        }
        let Executed { kernel, warp, pc, access, .. } = *executed;
        self.findings.add(Kind::DivergentBarrier, line_of(kernel, pc), 1, || {
            let lane = access.mask.trailing_zeros().min(31);
            let terms = Terms::of(kernel.program.source.files());
            let message = format!(
                "{} of the {} {}s of a warp reach the barrier, the others are not at the barrier",
                access.mask.count_ones(),
                executed.registers.live.count_ones(),
                terms.thread
            );
            Finding::new(kernel, Kind::DivergentBarrier, pc, message)
                .thread(Thread::at(kernel, pc, warp.block, warp.index, lane, "waits"))
                .help(terms.fill(ALL_REACH))
        });
    }

    /// Mask of the warps that have not exited.
    fn live(&self) -> u64 {
        let live = (0..).zip(&self.warps).filter(|(_, at)| !matches!(at, At::Exited { .. }));
        live.fold(0, |mask, (warp, _)| mask | 1 << warp)
    }

    /// Reports the barriers at which all warps of a block wait for each other.
    fn hung(&mut self, kernel: &Kernel) {
        if self.warps.contains(&At::Running) {
            return;
        }
        let waiting = |(warp, at): (u32, &At)| match *at {
            At::Waiting { pc, barrier, counted } => Some((warp, pc, barrier, counted)),
            At::Running | At::Exited { .. } => None,
        };
        let mut all: Vec<_> = (0..).zip(&self.warps).filter_map(waiting).collect();
        all.sort_by_key(|(warp, pc, ..)| (line_of(kernel, *pc), *warp));
        let block = self.block;
        if let Some((warp, pc, barrier, _)) = all.iter().copied().find(|(.., counted)| *counted) {
            let counts = self.barriers.of(warp).and_then(|(_, gathering)| gathering.counted());
            self.findings.add(Kind::BarrierCount, line_of(kernel, pc), 1, || {
                let (wanted, came) = counts.unwrap_or_default();
                let message = format!(
                    "barrier {barrier} waits for {} threads, but only {} arrive",
                    32 * wanted,
                    32 * came
                );
                Finding::new(kernel, Kind::BarrierCount, pc, message)
                    .thread(Thread::at(kernel, pc, block, warp, 0, "waits"))
                    .note(format!("the block has {} threads; the launch hangs here", kernel.threads()))
                    .help("give the number of threads that execute the barrier")
            });
        } else if let (Some(first), Some(last)) = (all.first(), all.last())
            && !self.reported
        {
            let (first, last) = ((first.0, first.1), (last.0, last.1));
            self.skipped(kernel, first, None, Some(last).filter(|last| last.1 != first.1));
        }
    }
}

impl Checker for Synccheck {
    fn begin_block(&mut self, block: u64) {
        self.barriers = Barriers::default();
        self.warps.fill(At::Running);
        self.arrived.iter_mut().for_each(Vec::clear);
        self.reported = false;
        self.block = block;
        self.orders.begin_block();
    }

    #[expect(clippy::inline_always, reason = "it is called for each executed instruction")]
    #[inline(always)]
    fn executed(&mut self, executed: &Executed, met: Option<Met>) {
        if let Some(met) = met {
            self.orders.accessed(met.ordered);
            if met.between_blocks {
                // A barrier can also order the accesses of its block for other blocks, as the
                // barrier before the atomic with which the last block is found.
                self.orders.ignore();
            }
        }
        match executed.step {
            Step::Barrier => self.arrive(executed, &executed.access.arrival),
            Step::LastExit => {
                self.warps[executed.warp.index as usize] = At::Exited { pc: executed.pc };
                let live = self.live();
                for barrier in 0..self.arrived.len() {
                    // An exit completes barriers one by one, so that each one is known.
                    if self.barriers.complete(barrier, live).warps != 0 {
                        self.complete(executed.kernel, barrier);
                    }
                }
            }
            Step::Next
            | Step::NotTaken
            | Step::Taken
            | Step::Diverged
            | Step::Jump
            | Step::Shared
            | Step::Const
            | Step::Texture
            | Step::Param
            | Step::Local
            | Step::Global
            | Step::Generic
            | Step::FenceBlock
            | Step::FenceGlobal
            | Step::Exit => {}
        }
    }

    fn findings(&mut self, kernel: &Kernel, ending: &Ending) -> Vec<Finding> {
        match ending {
            Ending::Finished => {
                // A compiler can make several instructions of one line, as in an unrolled loop.
                let needed: BTreeSet<u32> = self.orders.needed().map(|pc| line_of(kernel, pc)).collect();
                let unneeded = self.orders.unneeded().into_iter();
                for (pc, times) in unneeded.filter(|(pc, _)| !needed.contains(&line_of(kernel, *pc))) {
                    self.findings.add(Kind::UnneededBarrier, line_of(kernel, pc), times, || {
                        let message = "no access after this barrier conflicts with an access of another \
                                       {thread} before it";
                        let message = Terms::of(kernel.program.source.files()).fill(message);
                        Finding::new(kernel, Kind::UnneededBarrier, pc, message)
                            .note("this holds for the data and the dimensions of this launch")
                            .help("remove the barrier if no launch needs it")
                    });
                }
            }
            Ending::Trapped(trap) => {
                if let Some(finding) = fault(trap, kernel) {
                    self.findings.add(finding.kind, finding.line, 1, || finding);
                }
            }
            Ending::Hung(_) => self.hung(kernel),
            Ending::Limit(_) | Ending::Stopped(..) => {}
        }
        std::mem::take(&mut self.findings).into_vec()
    }
}

/// Returns the finding of a barrier instruction that traps; `None` for another trap.
fn fault(trap: &Trap, kernel: &Kernel) -> Option<Finding> {
    let kind = match trap.fault.kind {
        FaultKind::DivergentBarrier { .. } => Kind::DivergentBarrier,
        FaultKind::NoSuchBarrier { .. }
        | FaultKind::BarrierCount { .. }
        | FaultKind::OtherBarrierCount { .. }
        | FaultKind::MixedBarrier => Kind::BarrierCount,
        FaultKind::OutOfBounds { .. }
        | FaultKind::HostPointer { .. }
        | FaultKind::Misaligned { .. }
        | FaultKind::WrongSpace { .. }
        | FaultKind::BadCall { .. }
        | FaultKind::BadObject { .. }
        | FaultKind::CallStackFull { .. }
        | FaultKind::TrapInstruction
        | FaultKind::AssertionFailed
        | FaultKind::InvalidFree
        | FaultKind::Breakpoint => return None,
    };
    let mut finding = Finding::new(kernel, kind, trap.pc, trap.fault.kind.to_string())
        .thread(Thread::of_trap(trap, kernel, "waits"))
        .note("the barrier traps and ends the launch");
    finding.help = if kind == Kind::DivergentBarrier {
        Some(Terms::of(kernel.program.source.files()).fill(ALL_REACH).into_owned())
    } else {
        trap.fault.kind.help()
    };
    Some(finding)
}
