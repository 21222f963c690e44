//! Breakpoints and watchpoints: which events stop a movement.

use super::InFocus;
use super::command::{Breakpoint, Compare, Condition, Stop, Value};
use isa::source::Files;
use isa::types::{Dim3, ScalarType};
use isa::uop::{Class, MemoryKind, MemorySpace, OperandKind, Program};
use report::inspect::variables::Sight;
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
    /// A breakpoint.
    Break(Breakpoint),
    /// A watchpoint on a register of the warp in this slot of this SM.
    Register {
        /// SM.
        sm: u32,
        /// Warp slot.
        slot: u32,
        /// PTX name.
        name: String,
    },
    /// A watchpoint on a variable of CUDA C of a warp.
    Variable {
        /// SM.
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
        /// Address.
        address: u32,
    },
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
            | Self::Shared { .. } => None,
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
                    || block.is_some()
                    || warp.is_some()
                    || thread.is_some()
                    || condition.is_some()
            }
            Self::Register { .. } | Self::Variable { .. } | Self::Global(_) | Self::Shared { .. } => false,
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
                    Some(condition) => write!(f, ", if {condition}"),
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
        Point::Break(_) | Point::Register { .. } | Point::Variable { .. } => None,
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
        Self { words, program, names, points, waits, coalescing }
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
                Stop::Hang => false,
            },
            Point::Register { sm, slot, name } => {
                issued.is_some() && (*sm, *slot) == (event.sm, *warp) && self.names.writes(*pc, name)
            }
            Point::Variable { sm, slot, writers, .. } => {
                issued.is_some() && (*sm, *slot) == (event.sm, *warp) && writers.contains(pc)
            }
            Point::Global(_) | Point::Shared { .. } => false,
        }
    }
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

/// Whether the restrictions and the condition of a breakpoint hold for the warp in slot `slot` of
/// SM `sm`, which is about to issue.
///
/// # Errors
/// The register of the condition has no value.
pub fn holds(session: &Session<'_>, words: &Words, point: &Breakpoint, sm: u32, slot: u32) -> bool {
    let Some(warp) = session.warp(sm, slot) else { return false };
    if point.block.is_some_and(|block| block != warp.block_index)
        || point.warp.is_some_and(|number| number != warp.index)
    {
        return false;
    }
    let (_, extents) = session.extents();
    // Lanes for which the breakpoint stops.
    let lanes = match point.thread {
        None => warp.active,
        Some(Dim3 { x, y, z }) => {
            let linear = (z * extents.y + y) * extents.x + x;
            if linear / 32 == warp.index { warp.active & 1 << (linear % 32) } else { 0 }
        }
    };
    if lanes == 0 && point.thread.is_some() {
        return false;
    }
    let warp = WarpView { active: lanes, ..warp };
    point.condition.as_ref().is_none_or(|condition| is_met(session, words, condition, &warp))
}

/// Whether a condition holds in an active lane; not if its register or variable has no value.
fn is_met(session: &Session<'_>, words: &Words, condition: &Condition, warp: &WarpView) -> bool {
    let Condition { register: name, value: constant, .. } = condition;
    let (ty, lanes) = if session.names().all().contains(name) {
        let found = session.register(warp.sm, warp.slot, name);
        let row =
            found.and_then(|r| Some((r.kind, r.lanes, session.row(warp.sm, warp.slot, r.kind, r.row)?)));
        let Some((kind, known, row)) = row else { return false };
        let ty = match (constant, kind) {
            (Value::Int(_), OperandKind::W) => ScalarType::S32,
            (Value::Int(_), _) => ScalarType::S64,
            (Value::Float(_), OperandKind::D) => ScalarType::F64,
            (Value::Float(_), _) => ScalarType::F32,
        };
        (ty, std::array::from_fn(|lane| (known >> lane & 1 == 1).then_some(row[lane])))
    } else {
        let sight = Sight::new(session, words, warp);
        let Some(found) = sight.and_then(|sight| sight.current(name)) else { return false };
        found
    };
    let active = (0..32).filter(|lane| warp.active >> lane & 1 == 1);
    active.filter_map(|lane| lanes[lane]).any(|bits| condition.is_met(ty, bits))
}

impl Condition {
    /// Whether a value of a type meets the condition.
    pub fn is_met(&self, ty: ScalarType, bits: u64) -> bool {
        let order = match (self.value, ty) {
            (constant, ScalarType::F32) => {
                f64::from(f32::from_bits(bits as u32)).partial_cmp(&constant.as_float())
            }
            (constant, ScalarType::F64) => f64::from_bits(bits).partial_cmp(&constant.as_float()),
            (Value::Float(constant), ty) => (integer(ty, bits) as f64).partial_cmp(&constant),
            (Value::Int(constant), ty) => Some(integer(ty, bits).cmp(&constant.into())),
        };
        order.is_some_and(|order| match self.compare {
            Compare::Equal => order.is_eq(),
            Compare::NotEqual => order.is_ne(),
            Compare::Less => order.is_lt(),
            Compare::Greater => order.is_gt(),
            Compare::AtMost => order.is_le(),
            Compare::AtLeast => order.is_ge(),
        })
    }
}

/// The value of an integer by its type.
fn integer(ty: ScalarType, bits: u64) -> i128 {
    match ty {
        ScalarType::S8 | ScalarType::S16 | ScalarType::S32 => (bits as u32 as i32).into(),
        ScalarType::S64 => (bits as i64).into(),
        _ => bits.into(),
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
