//! Explains why a launch did not end: classifies the state of the machine and reports which warps
//! wait.
//!
//! Both machines describe their state as [`Seen`] warps and a [`World`]; the classification is the
//! same for both. A class other than [`StuckClass::Limit`] is reported only if it is proved:
//!
//! - No event is due. If all live warps wait at barriers and no other work is pending, the barriers
//!   can never complete. If a warp waits for a reply, the reply is lost, because it is not under
//!   way.
//! - An event is due, but every live warp waits at a barrier or repeats a loop (see [`round`]), no
//!   request under way changes memory, and no block can begin. A warp that repeats its loop changes
//!   nothing while no other thread changes the memory that the loop reads. This is true of all
//!   these warps, so none of them can be the first to change anything. Memory stays the same, no
//!   warp leaves its loop, no barrier completes, no block ends and none begins.
//!
//! The second argument proves that the launch never ends; the class only explains it. If lanes on
//! the stack wait for lanes that loop, a copy of the warp shows whether the waiting lanes would
//! change a word that the loop reads (see `sibling`). If so, the loop waits for them. Otherwise, if
//! blocks have not started and a loop reads global memory, the loop waits for those blocks.
//!
//! Concurrent kernels share the memory, so the second argument must hold for all of them: every
//! warp of every kernel waits at a barrier or repeats a loop. Each kernel then has a separate
//! class.
//!
//! Invariant `classes-of-hangs`: Every class of a launch that does not end is reported, on both
//! machines.

pub mod report;
pub mod round;
mod sibling;
mod timed;

pub use timed::{explain, last_change, next_instructions, next_look, proved};

use crate::exec::{Kernel, Warp, ways};
use crate::gpu::stuck::report::{
    Arrived, BarrierStuck, Doing, LanesWait, Missing, NotStarted, QueueStuck, StuckClass, StuckReport,
    WarpStuck,
};
pub use crate::sm::status::At;
use isa::types::StateSpace;
use round::Bytes;

/// A resident warp, as its machine describes it.
pub struct Seen<'m> {
    /// SM and warp slot, on the timed machine.
    pub place: Option<(u32, u32)>,
    /// State of the examined warp.
    pub warp: &'m Warp,
    /// Its block's shared memory.
    pub shared: &'m [u8],
    /// Cycle since which it has run with the lanes of its top entry.
    pub since: u64,
    /// Condition for which it waits.
    pub at: At,
    /// Instructions of its pending loads.
    pub coming: Vec<u32>,
}

/// A launch that has not ended.
pub struct Unfinished<'m> {
    /// Program, grid and parameters of the launch.
    pub kernel: &'m Kernel,
    /// All resident warps, sorted by block.
    pub seen: Vec<Seen<'m>>,
    /// Queues that are not empty.
    pub queues: Vec<QueueStuck>,
    /// Blocks that cannot start for lack of resources: blocks of this launch, or of another launch
    /// if all blocks of this one have started.
    pub not_started: Option<NotStarted>,
}

/// The state of the machine outside the warps.
pub struct World<'m> {
    /// Whether no event is due.
    pub idle: bool,
    /// Whether no request that changes memory is under way or younger than a pending load, and no
    /// block can begin unless one retires first.
    pub closed: bool,
    /// Contents of global memory, unless blocks that have not begun may still write it.
    pub memory: Option<&'m dyn Bytes>,
    /// Whether the machine has unfinished work for which no warp waits.
    pub leftover: bool,
}

/// Returns a report on each launch of a machine that explains why it did not end.
pub fn classify(launches: Vec<Unfinished>, world: &World) -> Vec<StuckReport> {
    let describe_all = |launch: &Unfinished| -> Vec<WarpStuck> {
        launch.seen.iter().map(|seen| describe(launch.kernel, seen, world)).collect()
    };
    let warps: Vec<Vec<WarpStuck>> = launches.iter().map(describe_all).collect();
    let mut live = warps.iter().flatten().filter(|w| is_live(w)).peekable();
    let some = live.peek().is_some();
    let never_ends = if world.idle {
        some && !world.leftover && live.all(waits_at_barrier)
    } else {
        world.closed && live.clone().all(|w| repeats(w) || waits_at_barrier(w)) && live.any(repeats)
    };
    let report = |(launch, warps): (Unfinished, Vec<WarpStuck>)| {
        let class = match (never_ends, world.idle) {
            (true, _) => class(&launch, &warps, world),
            (false, true) => StuckClass::LostReply,
            (false, false) => StuckClass::Limit,
        };
        let counted = |warp: usize| match launch.seen[warp].at {
            At::Barrier { counted, .. } => counted,
            _ => None,
        };
        let barriers = barriers(&warps, counted);
        let waits = |w: &WarpStuck| is_live(w) || class == StuckClass::LostReply;
        StuckReport {
            class,
            hint: class.hint().to_owned(),
            warps: warps.into_iter().filter(waits).collect(),
            barriers,
            queues: launch.queues,
            not_started: launch.not_started,
        }
    };
    launches.into_iter().zip(warps).map(report).collect()
}

fn is_live(warp: &WarpStuck) -> bool {
    warp.doing != Doing::Exited
}

fn waits_at_barrier(warp: &WarpStuck) -> bool {
    matches!(warp.doing, Doing::Barrier { .. })
}

fn repeats(warp: &WarpStuck) -> bool {
    matches!(warp.doing, Doing::Repeats(_))
}

/// Returns the class of a launch that never ends, on a machine whose warps all wait at barriers or
/// repeat loops.
fn class(launch: &Unfinished, warps: &[WarpStuck], world: &World) -> StuckClass {
    let waited_for = |(seen, warp): (&Seen, &WarpStuck)| match &warp.doing {
        Doing::Repeats(round) if !warp.others.is_empty() => {
            sibling::is_waited_for(launch.kernel, seen, round, world)
        }
        _ => false,
    };
    let global = |w: &WarpStuck| match &w.doing {
        Doing::Repeats(round) => round.reads.iter().any(|(space, _)| *space == StateSpace::Global),
        _ => false,
    };
    if launch.seen.iter().zip(warps).any(waited_for) {
        StuckClass::DivergedSibling
    } else if launch.not_started.is_some() && (warps.iter().any(global) || warps.is_empty()) {
        StuckClass::NotStarted
    } else if warps.iter().any(repeats) {
        StuckClass::EndlessLoop
    } else if warps.iter().any(is_live) {
        StuckClass::Barrier
    } else {
        StuckClass::LostReply
    }
}

fn describe(kernel: &Kernel, seen: &Seen, world: &World) -> WarpStuck {
    let program = &kernel.program;
    let line = |pc: u32| program.lines.get(pc as usize).copied().unwrap_or(0);
    let simt = &seen.warp.simt;
    let (pc, lanes) = match seen.at {
        At::Barrier { pc, lanes, .. } => (pc, lanes),
        At::Fence { pc } => (pc, simt.mask()),
        At::Going | At::Exited => (simt.pc(), simt.mask()),
    };
    let runs = || Doing::Runs { within: ways::loop_around(program, simt.pc(), simt.reconv()) };
    let doing = match seen.at {
        At::Exited => Doing::Exited,
        At::Barrier { barrier, .. } => Doing::Barrier { barrier },
        At::Fence { .. } if world.idle => Doing::Fence,
        At::Going if world.idle && !seen.coming.is_empty() => {
            let mut lines: Vec<u32> = seen.coming.iter().map(|pc| line(*pc)).collect();
            lines.sort_unstable();
            Doing::Memory { lines }
        }
        At::Going | At::Fence { .. } if world.idle || !world.closed => runs(),
        At::Going | At::Fence { .. } => {
            let found = round::of(kernel, seen.warp, seen.shared, &seen.coming, world.memory);
            found.map_or_else(runs, Doing::Repeats)
        }
    };
    // At a barrier, the arrived lanes may have ended their path with it: all other live lanes are
    // reported as others.
    let stands = |lanes, pc, arrived| LanesWait { lanes, line: line(pc), arrived };
    let top = (simt.mask() & !lanes != 0).then(|| stands(simt.mask() & !lanes, simt.pc(), false));
    let below = simt.waiting().map(|w| (w.lanes & !lanes, w.pc, w.arrived)).filter(|w| w.0 != 0);
    WarpStuck {
        sm: seen.place.map(|p| p.0),
        slot: seen.place.map(|p| p.1),
        block: seen.warp.id.ctaid,
        warp: seen.warp.id.index,
        lanes,
        live: seen.warp.live,
        line: if seen.at == At::Exited { 0 } else { line(pc) },
        since: seen.since,
        doing,
        others: top.into_iter().chain(below.map(|(lanes, pc, arrived)| stands(lanes, pc, arrived))).collect(),
    }
}

/// Returns the barriers that some warps of a block have reached, with arrived and missing warps.
/// `counted` returns the count in [`At`] of the warp with an index.
fn barriers(warps: &[WarpStuck], counted: impl Fn(usize) -> Option<(u32, u32)>) -> Vec<BarrierStuck> {
    let mut found = Vec::new();
    let mut before = 0;
    for block in warps.chunk_by(|a, b| (a.sm, a.block) == (b.sm, b.block)) {
        let number = |w: &WarpStuck| match w.doing {
            Doing::Barrier { barrier } => Some(barrier),
            _ => None,
        };
        let mut numbers: Vec<u32> = block.iter().filter_map(number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for barrier in numbers {
            let here = |w: &&WarpStuck| number(w) == Some(barrier);
            let exited = |w: &&WarpStuck| w.doing == Doing::Exited;
            let arrived = |w: &WarpStuck| Arrived { warp: w.warp, lanes: w.lanes, line: w.line };
            let missing = |w: &WarpStuck| Missing { warp: w.warp, line: w.line, doing: w.doing.clone() };
            found.push(BarrierStuck {
                block: block[0].block,
                barrier,
                counted: block.iter().position(|w| here(&w)).and_then(|first| counted(before + first)),
                arrived: block.iter().filter(here).map(arrived).collect(),
                missing: block.iter().filter(|w| !here(w) && !exited(w)).map(missing).collect(),
                exited: block.iter().filter(exited).map(|w| w.warp).collect(),
            });
        }
        before += block.len();
    }
    found
}

#[cfg(test)]
mod tests;
