//! Breakpoints and watchpoints: which events stop a movement.

use super::InFocus;
use super::command::{Breakpoint, Stop};
use crate::program::Frame;
use isa::source::Files;
use isa::types::Dim3;
use isa::uop::issue::{NO_INSTRUCTION, beginnings};
use isa::uop::{Class, MemoryKind, MemorySpace, Program};
use report::inspect::variables::{Expression, Expressions as _, Sight, never};
use report::render::number::plural;
use report::words::Words;
use sim_core::debug::{Coalescing, Names, Session, WarpView};
use sim_core::observe::{Event, Issued, What, Why};
use sim_core::stats::WarpState;
use sim_core::stats::report::Verdict;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A place where movements stop.
#[derive(Clone, Debug, PartialEq)]
pub enum Point {
    /// A breakpoint at a line or an event.
    Break(Breakpoint),
    /// A watchpoint on a register of the warp in this slot of this SM.
    Register {
        /// Number of the SM.
        sm: u32,
        /// Warp slot.
        slot: u32,
        /// PTX name.
        name: String,
    },
    /// A watchpoint on a variable of CUDA C of a warp.
    Variable {
        /// Number of the SM.
        sm: u32,
        /// Warp slot.
        slot: u32,
        /// Name.
        name: String,
        /// Instructions that write a value of it.
        writers: Vec<u32>,
    },
    /// A watchpoint on four bytes of global memory.
    Global(u32),
    /// A watchpoint on four bytes of the shared memory of a block.
    Shared {
        /// Number of the block.
        block: u64,
        /// Address in shared memory.
        address: u32,
    },
    /// A watchpoint on host code.
    Host(HostWatch),
}

/// A watchpoint on an expression of host code.
#[derive(Clone, Debug, PartialEq)]
pub struct HostWatch {
    /// Expression whose value is watched.
    pub expression: Expression,
    /// The function that sees its variables, and its name; `None`: they belong to the program.
    pub frame: Option<(Frame, String)>,
}

impl Point {
    /// Returns the line of a breakpoint at a line.
    pub fn line(&self) -> Option<u32> {
        match self {
            Self::Break(Breakpoint { stop: Stop::Line(line), .. }) => Some(*line),
            Self::Break(_)
            | Self::Register { .. }
            | Self::Variable { .. }
            | Self::Global(_)
            | Self::Shared { .. }
            | Self::Host(_) => None,
        }
    }
}

impl Point {
    /// Whether an event alone does not decide if the point stops.
    pub fn is_restricted(&self) -> bool {
        match self {
            Self::Break(point) => {
                let Breakpoint { block, warp, thread, condition, .. } = point;
                point.is_stall()
                    || matches!(point.stop, Stop::Line(_))
                    || block.is_some()
                    || warp.is_some()
                    || thread.is_some()
                    || condition.is_some()
            }
            Self::Register { .. }
            | Self::Variable { .. }
            | Self::Global(_)
            | Self::Shared { .. }
            | Self::Host(_) => false,
        }
    }

    /// Returns the text of a point of a program with these files.
    pub fn shown(&self, files: &Files) -> String {
        let text = self.to_string();
        match self.line().filter(|_| !files.is_single()) {
            Some(line) => text.replacen(&format!("line {line}"), &format!("line {}", files.place(line)), 1),
            None => text,
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Break(point) => {
                match point.stop {
                    Stop::Line(line) => write!(f, "breakpoint at line {line}")?,
                    Stop::Here(lines) => write!(f, "breakpoint {lines} lines after the current one")?,
                    Stop::Divergence => write!(f, "breakpoint at divergent branches")?,
                    Stop::BankConflict => write!(f, "breakpoint at bank conflicts")?,
                    Stop::Barrier => write!(f, "breakpoint at barriers")?,
                    Stop::Exit => write!(f, "breakpoint at exits")?,
                    Stop::Uncoalesced => write!(f, "breakpoint at uncoalesced accesses")?,
                    Stop::Access(most) => {
                        write!(
                            f,
                            "breakpoint at accesses with more than {}",
                            plural(most.into(), "transaction")
                        )?;
                    }
                    Stop::Trap => write!(f, "breakpoint at traps (movements stop at every trap)")?,
                    Stop::Hang => write!(f, "breakpoint at hangs (movements stop at every hang)")?,
                    Stop::Stall(cycles) => write!(f, "breakpoint at stalls of {cycles} shader cycles")?,
                }
                if let Some(block) = point.block {
                    write!(f, ", block {block}")?;
                }
                if let Some(warp) = point.warp {
                    write!(f, ", warp {warp}")?;
                }
                if let Some(thread) = point.thread {
                    write!(f, ", thread {thread}")?;
                }
                match &point.condition {
                    Some(condition) => write!(f, ", if {}", condition.text),
                    None => Ok(()),
                }
            }
            Self::Register { sm, slot, name } | Self::Variable { sm, slot, name, .. } => {
                write!(f, "watchpoint on {name} of SM {sm} warp slot {slot}")
            }
            Self::Global(address) => write!(f, "watchpoint on global {address:#x}"),
            Self::Shared { block, address } => {
                write!(f, "watchpoint on shared {address:#x} of block number {block}")
            }
            Self::Host(HostWatch { expression, frame }) => {
                write!(f, "watchpoint on {}", expression.text)?;
                frame.as_ref().map_or(Ok(()), |(_, function)| write!(f, " of {function}"))
            }
        }
    }
}

impl Breakpoint {
    /// Whether it stops at warps that have waited.
    pub fn is_stall(&self) -> bool {
        matches!(self.stop, Stop::Stall(_))
    }
}

/// The bytes that a watchpoint on memory looks at.
pub fn watched(session: &Session<'_>, point: &Point) -> Option<Vec<u8>> {
    match point {
        Point::Global(address) => session.global(*address, 4),
        Point::Shared { block, address } => {
            let at = *address as usize;
            Some(session.shared(*block)?.get(at..at + 4)?.to_vec())
        }
        Point::Break(_) | Point::Register { .. } | Point::Variable { .. } | Point::Host(_) => None,
    }
}

/// Decides for one event after the other whether it stops at a point, apart from restrictions and
/// conditions.
pub struct Search<'a> {
    /// Names of the launch.
    pub words: &'a Words,
    program: Arc<Program>,
    names: Arc<Names>,
    points: Vec<Point>,
    /// For each SM and warp slot the shader cycle from which it waits.
    waits: HashMap<(u32, u32), u64>,
    coalescing: Coalescing,
    /// For each instruction, the first one of its line in its basic block.
    regions: Vec<u32>,
}

impl<'a> Search<'a> {
    /// A search from the cycle at which `session` is.
    pub fn new(session: &Session<'_>, words: &'a Words, points: Vec<Point>) -> Self {
        let program = Arc::clone(session.program());
        let since = |warp: &WarpView| {
            let status = warp.status.filter(|status| status.state.is_wait())?;
            Some(((warp.sm, warp.slot), status.since))
        };
        let has_stall = points.iter().any(|point| matches!(point, Point::Break(point) if point.is_stall()));
        let waiting = if has_stall { session.warps() } else { Vec::new() };
        let waits = waiting.iter().filter_map(since).collect();
        let (names, coalescing) = (session.shared_names(), session.coalescing());
        let regions = regions(&program, words);
        Self { words, program, names, points, waits, coalescing, regions }
    }

    /// Returns the main micro-op of the instruction that a micro-op begins.
    pub fn main(&self, pc: u32) -> u32 {
        let begins = beginnings(&self.program.code);
        begins.get(pc as usize).copied().filter(|main| *main != NO_INSTRUCTION).unwrap_or(pc)
    }

    /// Returns the first instruction of the line of an instruction in its basic block: a warp that
    /// executes the instructions from there on is at the line once.
    pub fn region(&self, pc: u32) -> u32 {
        self.regions.get(pc as usize).copied().unwrap_or(pc)
    }

    /// Whether the search stops at this event; to be asked of each event in order.
    pub fn stops(&mut self, event: &Event) -> bool {
        let What::State { warp, state, .. } = &event.what else { return false };
        let place = (event.sm, *warp);
        // A search back sees earlier events after later ones.
        let waited = self.waits.get(&place).map_or(0, |since| event.cycle.saturating_sub(*since));
        if !state.is_wait() || *state == WarpState::Exited {
            self.waits.remove(&place);
        } else {
            self.waits.entry(place).or_insert(event.cycle);
        }
        self.points.iter().any(|point| self.reaches(point, event, waited))
    }

    /// Whether `point` stops at an event of a warp that has waited for so many shader cycles.
    pub fn reaches(&self, point: &Point, event: &Event, waited: u64) -> bool {
        let What::State { warp, pc, state, why, .. } = &event.what else { return false };
        let issued = why.issued().filter(|issued| issued.origin.cycle == event.cycle);
        let class = || self.program.code[*pc as usize].op.class();
        match point {
            Point::Break(point) => match point.stop {
                Stop::Line(line) => issued.is_some() && self.words.line(*pc) == line,
                Stop::BankConflict => issued.is_some_and(|issued| issued.replay > 0),
                Stop::Barrier => issued.is_some() && class() == Class::Barrier,
                Stop::Exit => *state == WarpState::Exited,
                Stop::Divergence => issued.is_some_and(|issued| {
                    class() == Class::Branch && issued.guarded != 0 && issued.guarded != issued.lanes
                }),
                Stop::Uncoalesced => issued.is_some_and(|issued| self.is_uncoalesced(*pc, issued)),
                Stop::Access(most) => issued.is_some_and(|issued| issued.transactions > most),
                Stop::Stall(cycles) => !state.is_wait() && waited >= cycles,
                Stop::Trap => matches!(why, Why::Trapped),
                Stop::Hang | Stop::Here(_) => false,
            },
            Point::Register { sm, slot, name } => {
                issued.is_some() && (*sm, *slot) == (event.sm, *warp) && self.names.writes(*pc, name)
            }
            Point::Variable { sm, slot, writers, .. } => {
                issued.is_some() && (*sm, *slot) == (event.sm, *warp) && writers.contains(pc)
            }
            Point::Global(_) | Point::Shared { .. } | Point::Host(_) => false,
        }
    }
}

/// For each instruction, the first one of its line in its basic block.
fn regions(program: &Program, words: &Words) -> Vec<u32> {
    let mut begins = vec![false; program.code.len() + 1];
    for (pc, inst) in program.code.iter().enumerate().filter(|(_, inst)| inst.op.class() == Class::Branch) {
        begins[pc + 1] = true;
        if let Some(target) = begins.get_mut(inst.imm as usize) {
            *target = true;
        }
    }
    let mut first: HashMap<u32, u32> = HashMap::new();
    let region = |pc: usize| {
        if begins[pc] {
            first.clear();
        }
        *first.entry(words.line(pc as u32)).or_insert(pc as u32)
    };
    (0..program.code.len()).map(region).collect()
}

impl Search<'_> {
    /// Whether a load or store has more transactions than an aligned access to consecutive words by
    /// the same lanes.
    fn is_uncoalesced(&self, pc: u32, issued: &Issued) -> bool {
        let memory = self.program.code[pc as usize].op.memory();
        let is_counted = |kind: MemoryKind| matches!(kind, MemoryKind::Load | MemoryKind::Store);
        let Some(memory) = memory.filter(|memory| is_counted(memory.kind)) else { return false };
        let bytes = memory.width.bytes();
        let fewest = match memory.space {
            // Local memory is accessed word by word.
            MemorySpace::Local => bytes.div_ceil(4) * self.coalescing.fewest(issued.guarded, 4),
            MemorySpace::Global | MemorySpace::Generic => self.coalescing.fewest(issued.guarded, bytes),
            MemorySpace::Param | MemorySpace::Const | MemorySpace::Shared => return false,
        };
        issued.transactions > fewest
    }
}

/// Returns the lanes for which a breakpoint stops the warp in slot `slot` of SM `sm`, which is
/// about to issue: those that its restrictions name, and in which its condition holds; all 32 of a
/// breakpoint that names no lanes. The test of the condition is counted.
pub fn stopped_lanes(
    session: &Session<'_>,
    words: &Words,
    point: &Breakpoint,
    (sm, slot): (u32, u32),
    tested: &mut Tested,
) -> u32 {
    let Some(warp) = session.warp(sm, slot) else { return 0 };
    if point.block.is_some_and(|block| block != warp.block_index)
        || point.warp.is_some_and(|number| number != warp.index)
    {
        return 0;
    }
    let (_, extents) = session.extents();
    // Lanes for which the breakpoint stops.
    let lanes = match point.thread {
        None => warp.active,
        Some(Dim3 { x, y, z }) => {
            let linear =
                (u64::from(z) * u64::from(extents.y) + u64::from(y)) * u64::from(extents.x) + u64::from(x);
            if linear / 32 == u64::from(warp.index) { warp.active & 1 << (linear % 32) } else { 0 }
        }
    };
    match &point.condition {
        // A warp without lanes, such as one that has exited, meets no condition.
        Some(condition) if lanes != 0 => {
            tested.count(Sight::new(session, words, &warp).lanes_where(condition, lanes, &mut never))
        }
        Some(_) => 0,
        None if point.thread.is_none() => u32::MAX,
        None => lanes,
    }
}

/// Results of the tests of a condition.
#[derive(Clone, Debug, Default)]
pub struct Tested {
    /// Tests with a value.
    pub known: u64,
    /// Tests without a value.
    pub unknown: u64,
    /// Why a test had no value.
    pub why: String,
}

impl Tested {
    /// Counts a test. Returns the lanes that stop.
    pub fn count(&mut self, found: Result<u32, String>) -> u32 {
        match found {
            Ok(lanes) => {
                self.known += 1;
                lanes
            }
            Err(why) => {
                self.unknown += 1;
                self.why = why;
                0
            }
        }
    }

    /// Adds the tests of another movement.
    pub fn add(&mut self, other: &Self) {
        self.known += other.known;
        self.unknown += other.unknown;
        if !other.why.is_empty() {
            self.why.clone_from(&other.why);
        }
    }

    /// Returns a message about a condition that was tested and never had a value.
    pub fn message(&self, name: &str, point: &Point) -> Option<String> {
        let Point::Break(Breakpoint { condition: Some(condition), .. }) = point else { return None };
        (self.known == 0 && self.unknown > 0).then(|| {
            format!(
                "{name}: its condition `{}` was tested {} and could never be evaluated: {}\n",
                condition.text,
                plural(self.unknown, "time"),
                self.why
            )
        })
    }
}

/// The warp and the lane that trapped, or the first warp of a hang.
pub fn ended_at(session: &Session<'_>, verdict: &Verdict) -> Option<InFocus> {
    let (block, number, lane) = match verdict {
        Verdict::Trapped { trap } => (trap.block, trap.warp, trap.lanes.trailing_zeros() % 32),
        Verdict::Hung { stuck, .. } => stuck.warps.first().map(|warp| (warp.block, warp.warp, 0))?,
        Verdict::Finished
        | Verdict::Estimated
        | Verdict::Scheduler { .. }
        | Verdict::Interrupted { .. }
        | Verdict::TimeLimit { .. }
        | Verdict::Limit { .. } => return None,
    };
    let warps = session.warps();
    let warp = warps.iter().find(|warp| (warp.block_index, warp.index) == (block, number))?;
    Some(InFocus { sm: warp.sm, slot: warp.slot, lane })
}
