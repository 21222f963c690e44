//! Stores to shared memory between the barriers of a block, and the elements that their threads
//! read.

use crate::output::interrupt;
use figures::tree::{Step, Tree};
use isa::uop::issue::issues;
use isa::uop::{Class, MemoryKind, MemorySpace, Op, Program};
use report::words::Words;
use sim_core::debug::{Debugger, Halt, Session};
use sim_core::observe::{Event, What, Why};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Largest number of accesses of a block.
const MOST_ACCESSES: usize = 100_000;

/// Steps a launch to the end of its first block; the launch then runs to its end.
pub struct Search {
    /// Number of the launch, from 1.
    pub launch: u32,
    /// Requested source line.
    pub line: Option<u32>,
    /// The result, or the reason why there is none.
    pub kept: Arc<Mutex<Option<Result<Tree, String>>>>,
}

impl Debugger for Search {
    fn debug(&mut self, session: &mut Session<'_>) {
        if session.launch() == self.launch {
            let tree = search(session, self.line);
            *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(tree);
        }
    }
}

/// An access of a warp to shared memory.
#[derive(Clone, Copy, Debug)]
struct Access {
    cycle: u64,
    /// Warp within the block.
    warp: usize,
    /// Barriers that the warp has executed before.
    step: u32,
    pc: u32,
    lanes: u32,
    is_store: bool,
}

/// Activity of the block on the first SM.
#[derive(Default)]
struct Block {
    /// Linear number, and warp slots in the order of the warps.
    block: Option<(u64, Vec<u32>)>,
    /// Barriers that each warp has executed.
    barriers: Vec<u32>,
    accesses: Vec<Access>,
}

fn search(session: &mut Session<'_>, wanted: Option<u32>) -> Result<Tree, String> {
    let block = observe(session)?;
    let Some((number, slots)) = block.block else { return Err("no block started on SM 0".to_owned()) };
    let words = Words::of(session.program(), session.chip());
    let terms = words.terms();
    let shared = terms.shared;
    // The barriers between which each source line stores.
    let mut lines: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for access in block.accesses.iter().filter(|access| access.is_store && access.lanes != 0) {
        lines.entry(words.line(access.pc)).or_default().insert(access.step);
    }
    let line = match wanted {
        Some(line) if lines.contains_key(&line) => line,
        Some(line) => {
            let known: Vec<String> = lines.keys().map(u32::to_string).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(format!("line {line} does not store to {shared}\nhelp: lines that do: {known}"));
        }
        None => match lines.iter().rev().max_by_key(|(_, steps)| steps.len()) {
            Some((line, steps)) if steps.len() > 1 => *line,
            Some(_) | None => {
                return Err(format!(
                    "no store to {shared} executes between several barriers, so there is no tree"
                ));
            }
        },
    };
    let stores = |access: &&Access| access.is_store && access.lanes != 0 && words.line(access.pc) == line;
    let text =
        block.accesses.iter().find(stores).map_or_else(String::new, |one| words.text(one.pc).to_owned());
    let mut steps: BTreeMap<u32, Step> = BTreeMap::new();
    for access in block.accesses.iter().filter(stores) {
        let empty = || Step { masks: vec![0; slots.len()], edges: Vec::new() };
        steps.entry(access.step).or_insert_with(empty).masks[access.warp] |= access.lanes;
    }
    edges(session, &block.accesses, &slots, (line, &words), &mut steps);
    let threads = session.extents().1.count() as u32;
    Ok(Tree { terms, block: number, threads, line, text, steps: steps.into_values().collect() })
}

/// Access of an instruction to the shared memory of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// It does not access shared memory.
    Nothing,
    Barrier,
    /// It reads, also as an operand of an arithmetic instruction.
    Load,
    /// It writes.
    Store,
}

/// Returns the use of each micro-op; those that issue together have one use.
fn shared_uses(program: &Program) -> Vec<Use> {
    let mut uses = vec![Use::Nothing; program.code.len()];
    for issue in issues(&program.code) {
        let ops = || program.code[issue.first..issue.end].iter().map(|inst| inst.op);
        let kinds = || ops().filter_map(Op::memory).filter(|memory| memory.space == MemorySpace::Shared);
        let used = if ops().any(|op| op.class() == Class::Barrier) {
            Use::Barrier
        } else if kinds().any(|memory| memory.kind == MemoryKind::Store) {
            Use::Store
        } else if kinds().next().is_some() {
            Use::Load
        } else {
            Use::Nothing
        };
        uses[issue.first..issue.end].fill(used);
    }
    uses
}

/// Observes the first block of SM 0 from its start to its end.
fn observe(session: &mut Session<'_>) -> Result<Block, String> {
    let uses = shared_uses(session.program());
    let mut found = Block::default();
    let mut too_many = false;
    let halt = session.find(
        &mut |event| {
            too_many = found.accesses.len() > MOST_ACCESSES;
            event.sm == 0 && (found.take(event, &uses) || too_many)
        },
        &mut |_| interrupt::flow(),
    );
    match halt {
        Halt::Interrupted => Err("interrupted".to_owned()),
        Halt::Done | Halt::Event(_) | Halt::Changed | Halt::Ended | Halt::Start if too_many => {
            Err(format!("the first block has more than {MOST_ACCESSES} accesses to shared memory"))
        }
        Halt::Done | Halt::Event(_) | Halt::Changed | Halt::Ended | Halt::Start => Ok(found),
    }
}

impl Block {
    /// Takes an event. Returns whether the block has ended.
    fn take(&mut self, event: &Event, uses: &[Use]) -> bool {
        match &event.what {
            What::BlockStarted { block, warps, .. } if self.block.is_none() => {
                let slots: Vec<u32> = (0..64).filter(|slot| warps >> slot & 1 == 1).collect();
                self.barriers = vec![0; slots.len()];
                self.block = Some((*block, slots));
                false
            }
            What::State { warp, pc, why: Why::Issued(issued), .. } if issued.origin.cycle == event.cycle => {
                let slot = |slots: &Vec<u32>| slots.iter().position(|slot| slot == warp);
                let Some(warp) = self.block.as_ref().and_then(|(_, slots)| slot(slots)) else { return false };
                let is_store = match uses[*pc as usize] {
                    Use::Nothing => return false,
                    Use::Barrier => {
                        self.barriers[warp] += 1;
                        return false;
                    }
                    Use::Load => false,
                    Use::Store => true,
                };
                let (step, lanes) = (self.barriers[warp], issued.guarded);
                self.accesses.push(Access { cycle: event.cycle, warp, step, pc: *pc, lanes, is_store });
                false
            }
            What::BlockRetired { block, .. } => self.block.as_ref().is_some_and(|(own, _)| own == block),
            What::BlockStarted { .. }
            | What::State { .. }
            | What::Stack { .. }
            | What::LoadCompleted { .. }
            | What::Written { .. } => false,
        }
    }
}

/// Adds the elements that each thread reads between the barriers of its store.
fn edges(
    session: &mut Session<'_>,
    accesses: &[Access],
    slots: &[u32],
    (line, words): (u32, &Words),
    steps: &mut BTreeMap<u32, Step>,
) {
    let period = session.issue_period();
    // Addresses by step, warp and lane: stored, and read.
    let mut stored: BTreeMap<(u32, usize, u32), u32> = BTreeMap::new();
    let mut read: BTreeMap<(u32, usize, u32), BTreeSet<u32>> = BTreeMap::new();
    let mut bytes = 4;
    for access in accesses.iter().filter(|access| steps.contains_key(&access.step)) {
        session.go_to(access.cycle + period, &mut |_| interrupt::flow());
        let Some(view) = session.last_access(0, slots[access.warp]) else { continue };
        if view.cycle != access.cycle || access.is_store && words.line(access.pc) != line {
            continue;
        }
        for lane in (0..32u32).filter(|lane| access.lanes >> lane & 1 == 1) {
            let (key, address) = ((access.step, access.warp, lane), view.addresses[lane as usize]);
            if access.is_store {
                bytes = view.bytes.max(1);
                stored.insert(key, address);
            } else {
                read.entry(key).or_default().insert(address);
            }
        }
    }
    let first = stored.values().chain(read.values().flatten()).min().copied().unwrap_or(0);
    let element = |address: u32| (address - first) / bytes;
    for (key, own) in &stored {
        let others = read.get(key).into_iter().flatten().filter(|address| *address != own);
        if let Some(step) = steps.get_mut(&key.0) {
            step.edges.extend(others.map(|address| (element(*address), element(*own))));
        }
    }
}
