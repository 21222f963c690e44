//! The definition of an order, step by step: a second implementation of the race checker's rules,
//! for barriers of every kind.
//!
//! For each warp of a block there is the set of the accesses that precede its next one. An access
//! is added to the set of its warp. A barrier adds the sets of all arriving warps to the sets of
//! the warps that wait; a barrier of the whole block also adds the sets of warps that have exited.
//! Within a warp, where the order is always known, the lanes of different instructions are ordered
//! by lockstep only, unless the warp has waited in between. Such a pair counts with the last write
//! of a common byte and the reads since then.

use super::{Kind, MissingOrder, Space};
use std::collections::{BTreeMap, BTreeSet};

/// Lines of two accesses without an order, the smaller line first.
pub type Pair = (Space, MissingOrder, u32, u32);

/// An access of some lanes of a warp.
#[derive(Clone, Debug)]
pub struct LaneAccesses {
    /// Memory.
    pub space: Space,
    /// Load, store, atomic or barrier.
    pub kind: Kind,
    /// Lane, first byte and number of bytes.
    pub lanes: Vec<(u32, u32, u32)>,
}

/// An event of a block.
#[derive(Clone, Debug)]
pub enum Event {
    /// An access of a warp at a line.
    Accesses(u32, u32, LaneAccesses),
    /// A complete barrier.
    Barrier {
        /// Warps that arrived.
        arrived: u8,
        /// Those of them that waited.
        waited: u8,
    },
}

/// Returns all pairs of lines with accesses that conflict and have no order, if `blocks` blocks
/// have the events `events`. The order of the events is one that the barriers allow.
pub fn unordered(events: &[Event], blocks: u32) -> BTreeSet<Pair> {
    let mut found = BTreeSet::new();
    let mut precede = vec![BTreeSet::new(); 8];
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Accesses(warp, line, access) => {
                let precede = &mut precede[*warp as usize];
                for (earlier, event) in events[..at].iter().enumerate() {
                    let Event::Accesses(other, first, from) = event else { continue };
                    if other != warp && !precede.contains(&earlier) {
                        meet((*first, from), (*line, access), MissingOrder::Warps, &mut found);
                    }
                }
                precede.insert(at);
                // The block with the higher number has the same events.
                if blocks > 1 && access.space == Space::Global {
                    for event in events {
                        let Event::Accesses(_, first, from) = event else { continue };
                        meet((*first, from), (*line, access), MissingOrder::Blocks, &mut found);
                    }
                }
            }
            Event::Barrier { arrived, waited } => {
                let of = |mask: u8| (0..8).filter(move |warp| mask >> warp & 1 == 1);
                let known: BTreeSet<usize> = of(*arrived).flat_map(|warp| precede[warp].clone()).collect();
                of(*waited).for_each(|warp| precede[warp].extend(&known));
            }
        }
    }
    (0..8).for_each(|warp| in_a_warp(events, warp, &mut found));
    found
}

/// Whether two accesses to one byte must be ordered, case by case.
pub fn conflicts(a: Kind, b: Kind) -> bool {
    use Kind::{Atomic, Read, Reduction, Write};
    match (a, b) {
        (Read, Read) => false,
        (Write | Atomic, _) | (_, Write | Atomic) | (Read, Reduction(_)) | (Reduction(_), Read) => true,
        (Reduction(a), Reduction(b)) => a != b,
    }
}

/// Adds the lines of two accesses if they conflict.
fn meet(
    (first, from): (u32, &LaneAccesses),
    (second, to): (u32, &LaneAccesses),
    between: MissingOrder,
    found: &mut BTreeSet<Pair>,
) {
    let meets = |(_, at, bytes): &(u32, u32, u32)| {
        to.lanes.iter().any(|(_, other, size)| *at < other + size && *other < at + bytes)
    };
    if from.space == to.space && conflicts(from.kind, to.kind) && from.lanes.iter().any(meets) {
        found.insert((from.space, between, first.min(second), first.max(second)));
    }
}

/// Accesses of a warp to a byte: by the last instruction that wrote it, and reads since then.
#[derive(Clone, Debug, Default)]
struct Byte {
    /// Line, kind and lane.
    writes: Vec<(u32, Kind, u32)>,
    reads: Vec<(u32, Kind, u32)>,
}

/// Adds the pairs of accesses that only the lockstep of `warp` orders, and those of one
/// instruction.
fn in_a_warp(events: &[Event], warp: u32, found: &mut BTreeSet<Pair>) {
    let mut bytes: BTreeMap<(Space, u32), Byte> = BTreeMap::new();
    for event in events {
        let (line, access) = match event {
            Event::Accesses(by, line, access) if *by == warp => (*line, access),
            Event::Accesses(..) => continue,
            Event::Barrier { waited, .. } => {
                if waited >> warp & 1 == 1 {
                    bytes.clear();
                }
                continue;
            }
        };
        let LaneAccesses { space, kind, lanes } = access;
        let (space, kind) = (*space, *kind);
        let mut now: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (lane, at, size) in lanes {
            (*at..at + size).for_each(|byte| now.entry(byte).or_default().push(*lane));
        }
        for (at, lanes) in now {
            if lanes.len() > 1 && conflicts(kind, kind) {
                found.insert((space, MissingOrder::Instruction, line, line));
            }
            let known = bytes.entry((space, at)).or_default();
            for (first, other, by) in known.writes.iter().chain(&known.reads) {
                if conflicts(*other, kind) && lanes.iter().any(|lane| lane != by) {
                    found.insert((space, MissingOrder::Lanes, *first.min(&line), *first.max(&line)));
                }
            }
            let own = lanes.iter().map(|lane| (line, kind, *lane));
            if kind == Kind::Read {
                known.reads.extend(own);
            } else {
                *known = Byte { writes: own.collect(), reads: Vec::new() };
            }
        }
    }
}
