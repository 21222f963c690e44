//! Why a launch stopped, in the words of the protocol and as a sentence.

use super::breakpoints::{Breakpoints, Group, Kind};
use crate::cmd::debug::command;
use crate::cmd::debug::seek::is_hit;
use crate::cmd::debug::stops::Point;
use crate::render::number::{count, plural};
use crate::trace::Words;
use sim_core::debug::{Ending, Session};
use sim_core::observe::{Event, What, Why};

/// A reason of the protocol, and its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// Reason in the words of the protocol.
    pub reason: &'static str,
    /// The reason as a short text.
    pub description: String,
    /// Details.
    pub text: String,
    /// Breakpoints that were reached.
    pub ids: Vec<u32>,
}

impl Stop {
    /// A stop without breakpoints.
    pub fn new(reason: &'static str, description: impl Into<String>) -> Self {
        Self { reason, description: description.into(), ..Self::default() }
    }
}

/// The breakpoints that are reached at an event, with their texts.
pub struct Reached {
    /// Number of the breakpoint.
    pub id: u32,
    /// Its text for the debug console; `None`: it stops.
    pub log: Option<String>,
    /// Its kind.
    group: Group,
    /// What it stops at.
    point: Point,
}

/// Returns the breakpoints of the client at which a search stopped.
pub fn reached(
    session: &Session<'_>,
    words: &Words,
    breakpoints: &Breakpoints,
    event: &Event,
) -> Vec<Reached> {
    let mut all = Vec::new();
    for (group, one) in breakpoints.all() {
        if let Kind::Point(point) = &one.kind
            && is_hit(session, words, point, event)
        {
            let log = one.log.clone().filter(|text| !text.is_empty());
            all.push(Reached { id: one.shown.id, log, group, point: point.clone() });
        }
    }
    all
}

/// The stop at these breakpoints; without any, the stop at a breakpoint of the debug console.
pub fn at(words: &Words, event: &Event, reached: &[Reached]) -> Stop {
    let ids = reached.iter().map(|one| one.id).collect();
    let Some(first) = reached.first() else {
        return Stop::new("breakpoint", "Stopped at a breakpoint of the debug console");
    };
    let (reason, description) = match first.group {
        Group::Lines => ("breakpoint", "Stopped at a breakpoint".to_owned()),
        Group::Functions => ("function breakpoint", "Stopped at a kernel".to_owned()),
        Group::Data => ("data breakpoint", "Stopped before a write".to_owned()),
        Group::Exceptions => ("exception", sentence(words, event, &first.point)),
    };
    Stop { reason, text: sentence(words, event, &first.point), description, ids }
}

/// What happens at an event.
fn sentence(words: &Words, event: &Event, point: &Point) -> String {
    let What::State { warp, pc, why, .. } = &event.what else { return String::new() };
    let (line, text) = (words.line(*pc), words.text(*pc));
    let (lanes, guarded, replay) = match why {
        Why::Issued(issued) => (issued.lanes, issued.guarded, issued.replay),
        Why::Taken { .. }
        | Why::LeftEmpty
        | Why::Unit { .. }
        | Why::QueueFull
        | Why::Fetch { .. }
        | Why::Register { .. }
        | Why::Barrier { .. }
        | Why::Fence { .. }
        | Why::Exited { .. }
        | Why::Trapped => (0, 0, 0),
    };
    match point {
        Point::Break(breakpoint) => match breakpoint.stop {
            command::Stop::Line(_) => format!("line {line}: {text}"),
            command::Stop::Divergence => format!(
                "Divergent branch at line {line}: {} of {} lanes take it",
                guarded.count_ones(),
                lanes.count_ones()
            ),
            command::Stop::BankConflict => {
                format!("Bank conflicts at line {line}: {} to replay", plural(replay, "issue slot"))
            }
            command::Stop::Barrier => format!("Barrier at line {line}"),
            command::Stop::Exit => format!("The warp in slot {warp} exits at line {line}"),
            command::Stop::Stall(cycles) => {
                format!("The warp continues after at least {} shader cycles, at line {line}", count(cycles))
            }
        },
        Point::Register { name, .. } => format!("line {line} writes {name}: {text}"),
        Point::Global(address) => format!("global {address:#x} changes"),
        Point::Shared { address, .. } => format!("shared {address:#x} changes"),
    }
}

/// The text about the end of a launch.
pub fn ended(ending: &Ending, cycle: u64) -> String {
    let cycle = count(cycle);
    match ending {
        Ending::Finished => format!("The launch has finished at shader cycle {cycle}"),
        Ending::Trapped(Some(trap)) => {
            format!("Trap at line {}: {} (block {}, warp {})", trap.line, trap.message, trap.block, trap.warp)
        }
        Ending::Trapped(None) => format!("The scheduling policy made an illegal choice before cycle {cycle}"),
        Ending::Hung => format!("The launch can make no progress: hang, at shader cycle {cycle}"),
        Ending::Limit => format!("The launch has reached its limit, at shader cycle {cycle}"),
    }
}
