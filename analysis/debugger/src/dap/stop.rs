//! Why a launch stopped, in the words of the protocol and as a sentence.

use super::breakpoints::{BreakpointKind, Breakpoints, Group};
use crate::front::command;
use crate::front::seek::hit;
use crate::front::stops::Point;
use report::inspect::{ending, time};
use report::render::number::{count, plural};
use report::words::Words;
use sim_core::debug::Session;
use sim_core::observe::{Event, What};

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
    /// Lanes that it stops; all 32 of a breakpoint that names no lanes.
    pub lanes: u32,
    /// Its kind.
    group: Group,
    /// Position of the stop.
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
        let BreakpointKind::Point(point) = &one.kind else { continue };
        let lanes = hit(session, words, point, event);
        if lanes != 0 {
            let log = one.log.clone().filter(|text| !text.is_empty());
            all.push(Reached { id: one.shown.id, log, lanes, group, point: point.clone() });
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

/// Describes an event as a sentence.
fn sentence(words: &Words, event: &Event, point: &Point) -> String {
    let What::State { warp, pc, why, .. } = &event.what else { return String::new() };
    let (line, text) = (words.place(*pc), words.text(*pc));
    let issued = why.issued();
    let (lanes, guarded) = issued.map_or((0, 0), |issued| (issued.lanes, issued.guarded));
    let replay = issued.map_or(0, |issued| issued.replay);
    let transactions = plural(issued.map_or(0, |issued| issued.transactions).into(), "transaction");
    match point {
        Point::Break(breakpoint) => match breakpoint.stop {
            command::Stop::Line(_) | command::Stop::Here(_) | command::Stop::Trap | command::Stop::Hang => {
                format!("line {line}: {text}")
            }
            command::Stop::Divergence => format!(
                "Divergent branch at line {line}: {} of {} lanes take it",
                guarded.count_ones(),
                lanes.count_ones()
            ),
            command::Stop::BankConflict => {
                format!("Bank conflicts at line {line}: {} to replay", plural(replay, "issue slot"))
            }
            command::Stop::Uncoalesced => {
                format!(
                    "Uncoalesced access at line {line}: {transactions} for {} lanes",
                    guarded.count_ones()
                )
            }
            command::Stop::Access(most) => {
                format!("Access with more than {most} transactions at line {line}: {transactions}")
            }
            command::Stop::Barrier => format!("Barrier at line {line}"),
            command::Stop::Exit => format!("The warp in slot {warp} exits at line {line}"),
            command::Stop::Stall(cycles) => {
                format!("The warp continues after at least {} shader cycles, at line {line}", count(cycles))
            }
        },
        Point::Register { name, .. } | Point::Variable { name, .. } => {
            format!("line {line} writes {name}: {text}")
        }
        Point::Global(address) => format!("global {address:#x} changes"),
        Point::Shared { address, .. } => format!("shared {address:#x} changes"),
        // It stops in host code only, which names the values.
        Point::Host(_) => String::new(),
    }
}

/// The text about the end of a launch, and its first line for a trap or a hang.
pub fn ended(session: &Session<'_>) -> (String, String) {
    if let Some(message) = ending(session) {
        let first = message.lines().next().unwrap_or("").trim_start_matches("error: ").to_owned();
        (first, message)
    } else {
        let text = format!("The launch has finished at {}", time(session));
        (text.clone(), text)
    }
}
