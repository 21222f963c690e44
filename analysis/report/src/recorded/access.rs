//! Accesses of a warp to memory: transactions or passes over banks, and one access of each memory
//! instruction of a kernel.

use crate::words::{Words, access_kind, memory_space};
use isa::terms::Terms;
use serde::Serialize;
use sim_core::debug::{AccessView, Block, Debugger, Session};
use std::sync::{Arc, Mutex, PoisonError};

/// An access of a warp.
#[derive(Debug, Serialize)]
pub struct Access {
    /// Source line.
    pub line: u32,
    /// PTX text.
    pub text: String,
    /// Shader cycle of issue.
    pub cycle: u64,
    /// `load`, `store` or `atomic`.
    pub kind: &'static str,
    /// State space.
    pub space: &'static str,
    /// The words of the kernel.
    #[serde(skip)]
    pub terms: &'static Terms,
    /// Bytes per lane.
    pub bytes: u32,
    /// Lanes that access memory, as a mask.
    pub lanes: u32,
    /// Address of each lane; meaningful for lanes of `lanes`.
    pub addresses: Vec<u32>,
    /// Transactions; empty if no lane accesses global or local memory.
    pub transactions: Vec<Segment>,
    /// The fewest transactions of an access of this width.
    pub fewest: u32,
    /// Passes over the banks of shared memory.
    pub banks: Option<Banks>,
}

/// A transaction.
#[derive(Debug, Serialize)]
pub struct Segment {
    /// Lanes that it serves, as a mask.
    pub lanes: u32,
    /// First byte.
    pub address: u32,
    /// Bytes of the segment.
    pub span: u32,
    /// Bytes that are transferred.
    pub bytes: u32,
}

/// Passes over banks.
#[derive(Debug, Serialize)]
pub struct Banks {
    /// Number of banks.
    pub banks: u32,
    /// Lanes that are served together.
    pub group: u32,
    /// Lanes that access shared memory, as a mask.
    pub lanes: u32,
    /// Bank of the first word of each lane.
    pub of_lane: Vec<u32>,
    /// Passes of the banks.
    pub passes: u32,
    /// Passes without conflicts.
    pub fewest: u32,
}

/// Describes an access.
pub fn describe(access: &AccessView, words: &Words) -> Access {
    let segment = |one: &sim_core::debug::Transaction| Segment {
        lanes: one.lanes,
        address: one.address,
        span: one.span,
        bytes: one.bytes,
    };
    Access {
        line: words.line(access.pc),
        text: words.text(access.pc).to_owned(),
        cycle: access.cycle,
        kind: access_kind(access.kind),
        space: memory_space(access.space, &Terms::PTX),
        terms: words.terms(),
        bytes: access.bytes,
        lanes: access.lanes,
        addresses: access.addresses.to_vec(),
        transactions: access.transactions.iter().map(segment).collect(),
        fewest: access.fewest,
        banks: access.banks.as_ref().map(|banks| Banks {
            banks: banks.banks,
            group: banks.group,
            lanes: banks.lanes,
            of_lane: banks.of_lane.to_vec(),
            passes: banks.passes,
            fewest: banks.fewest,
        }),
    }
}

/// Issue cycles after which the search for accesses ends: enough for two iterations of most loops.
const CYCLES: usize = 100_000;

/// An access with the warp that executed it.
#[derive(Debug, Serialize)]
pub struct Found {
    /// Warp slot of SM 0.
    pub warp: u32,
    /// Recorded access.
    #[serde(flatten)]
    pub access: Access,
    /// The access as the debugger shows it.
    #[serde(skip)]
    pub view: AccessView,
    /// Whether it is the second access of the warp by this instruction.
    #[serde(skip)]
    is_second: bool,
}

impl Found {
    /// Whether there is something to draw: transactions or banks.
    pub fn is_drawn(&self) -> bool {
        !self.access.transactions.is_empty() || self.access.banks.is_some()
    }
}

/// Steps a launch from its start, and returns one access of each memory instruction that the first
/// block of SM 0 executes, ordered by line: of the first warp if it executes the instruction, and
/// its second access, if it has one, because the first iteration of a loop is often special.
///
/// `go_on` is asked regularly; false ends the search.
pub fn accesses(session: &mut Session<'_>, words: &Words, go_on: &mut dyn FnMut() -> bool) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut seen = vec![u64::MAX; session.warp_slots() as usize];
    let mut first: Option<Block> = None;
    for cycle in 0..CYCLES {
        if session.has_ended() || (cycle % 1024 == 0 && !go_on()) {
            break;
        }
        session.step_cycle();
        let is_it = |block: &Block| first.as_ref().is_none_or(|first| first.number == block.number);
        let mut resident = session.blocks().into_iter().filter(|block| block.sm == 0);
        match (resident.find(is_it), first.is_some()) {
            (Some(block), _) => first = Some(block),
            (None, false) => continue,
            // The block has retired.
            (None, true) => break,
        }
        let warps = first.as_ref().map_or(0, |block| block.warps);
        for slot in (0..64).filter(|slot| warps >> slot & 1 == 1) {
            let Some(view) = session.last_access(0, slot) else { continue };
            let seen = &mut seen[slot as usize];
            if std::mem::replace(seen, view.cycle) == view.cycle {
                continue;
            }
            keep(&mut found, &view, slot, words);
        }
    }
    found.sort_by_key(|one| (one.access.line, one.view.pc));
    found
}

/// Keeps an access if it is better than the known one of its instruction.
fn keep(found: &mut Vec<Found>, view: &AccessView, warp: u32, words: &Words) {
    let new = |is_second| Found { warp, access: describe(view, words), view: view.clone(), is_second };
    match found.iter_mut().find(|known| known.view.pc == view.pc) {
        None => found.push(new(false)),
        Some(known) if warp < known.warp => *known = new(false),
        Some(known) if warp == known.warp && !known.is_second => *known = new(true),
        Some(_) => {}
    }
}

/// A debugger that finds the accesses of one launch, and ends it and its program.
pub struct Finder {
    /// Number of the launch, from 1.
    launch: u32,
    go_on: fn() -> bool,
    found: FoundAccesses,
}

/// The accesses that a [`Finder`] has found; `None` if the launch was not reached.
pub type FoundAccesses = Arc<Mutex<Option<Vec<Found>>>>;

impl Finder {
    /// Returns a debugger for launch number `launch`, from 1, and the place in which it leaves what
    /// it finds. `go_on` is asked regularly; false ends the program.
    pub fn new(launch: u32, go_on: fn() -> bool) -> (Self, FoundAccesses) {
        let found = FoundAccesses::default();
        (Self { launch, go_on, found: Arc::clone(&found) }, found)
    }
}

impl Debugger for Finder {
    fn debug(&mut self, session: &mut Session<'_>) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if session.launch() == self.launch {
            let words = Words::of(session.program(), session.chip());
            *found = Some(accesses(session, &words, &mut self.go_on));
        }
        if found.is_some() || !(self.go_on)() {
            session.kill();
        }
    }
}
