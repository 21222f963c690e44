//! Why a launch did not end: classifies what the machine stands in, and tells who waits for whom.
//!
//! Both machines describe themselves as [`Seen`] warps and a [`World`]; what follows from that is
//! the same for both. A class other than [`StuckClass::Limit`] is claimed only if it is proved:
//!
//! - Nothing is due anywhere. If all warps that live wait at barriers, and nothing else is left
//!   undone, the barriers can never complete; if anything waits for an answer, the answer is lost,
//!   for it is not under way.
//! - Something is due, but every warp that lives waits at a barrier or repeats a loop (see
//!   [`round`]), nothing under way changes memory and no block can begin. A warp that repeats its
//!   loop changes nothing as long as no other thread changes what the loop reads. Since that is so
//!   of all of them, none is ever the first to change anything: memory stays as it is, no warp
//!   leaves its loop, no barrier completes, no block ends and none begins.
//!
//! The second argument proves that the launch never ends; which class it then has is only a matter
//! of its explanation. If lanes wait on the stack for lanes that loop, a copy of the warp shows
//! whether these lanes would change a word that the loop reads (see `sibling`): then the loop waits
//! for them. Otherwise, if blocks have not started and a loop reads global memory, it waits for
//! those.
//!
//! Concurrent kernels share the memory, so the second argument needs all of them: every warp of
//! every kernel waits at a barrier or repeats a loop. Then each kernel has its own class.
//!
//! Invariant `classes-of-hangs`: Every class of a launch that does not end is reported, on both
//! machines.

pub mod report;
pub mod round;
mod sibling;
mod timed;

pub use timed::{explain, last_change, next_look, proved};

use crate::exec::{Kernel, Warp, ways};
use crate::gpu::stuck::report::{
    Arrived, BarrierStuck, Doing, LanesWait, Missing, NotStarted, QueueStuck, StuckClass, StuckReport,
    WarpStuck,
};
pub use crate::sm::standing::At;
use isa::types::StateSpace;
use round::Bytes;

/// A resident warp as its machine describes it.
pub struct Seen<'m> {
    /// SM and warp slot, on the timed machine.
    pub place: Option<(u32, u32)>,
    /// The warp.
    pub warp: &'m Warp,
    /// Its block's shared memory.
    pub shared: &'m [u8],
    /// Since when it has run with the lanes of its top entry.
    pub since: u64,
    /// What it waits for.
    pub at: At,
    /// The instructions of its loads whose values are on their way.
    pub coming: Vec<u32>,
}

/// A launch that has not ended.
pub struct Unfinished<'m> {
    /// The kernel.
    pub kernel: &'m Kernel,
    /// All resident warps, block by block.
    pub seen: Vec<Seen<'m>>,
    /// Queues that are not empty.
    pub queues: Vec<QueueStuck>,
    /// Blocks for which there is no room: blocks of this launch, or if all of these have started,
    /// of another one.
    pub not_started: Option<NotStarted>,
}

/// The rest of a machine.
pub struct World<'m> {
    /// Nothing is due anywhere.
    pub idle: bool,
    /// Nothing that changes memory is under way or younger than a load on its way, and no block can
    /// begin unless one retires first.
    pub closed: bool,
    /// What global memory holds, unless blocks that have not begun may yet write it.
    pub memory: Option<&'m dyn Bytes>,
    /// Something of the machine is not done though no warp waits for it.
    pub leftover: bool,
}

/// Says of each launch of a machine why it did not end.
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

/// Why a launch never ends of a machine on which all warps are proved to wait at barriers or to
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
    // At a barrier the lanes that came with it may have ended their side with it: all but them are
    // others.
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

/// The barriers that some warps of a block have reached: who is there, and who is not. `counted` is
/// what [`At`] says of the warp of an index.
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
