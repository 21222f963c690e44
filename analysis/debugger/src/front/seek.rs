//! Runs forward or back to the next stop at a breakpoint or watchpoint.

use super::stops::{Point, Search, Tested, stopped_lanes, watched};
use report::words::Words;
use sim_core::debug::{Halt, Poll, Session};
use sim_core::observe::{Event, What};
use std::collections::HashMap;

/// Where a search has ended.
pub struct Found {
    /// Why.
    pub halt: Halt,
    /// SM and warp slot of the event at which it ended.
    pub at: Option<(u32, u32)>,
    /// For each point, what the tests of its condition have found.
    pub tested: Vec<Tested>,
}

/// Warps that have stopped at a line, by SM and warp slot. A line has several instructions: a warp
/// stops there once, until it reaches the line again.
pub type Resting = HashMap<(u32, u32), Rest>;

/// Where a warp has stopped at a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    block: u64,
    /// The first instruction of the line.
    region: u32,
    /// The instruction before which it has stopped.
    pc: u32,
    /// Whether the instruction itself is still to be executed without a stop.
    is_here: bool,
}

/// Runs forward or back to the next stop at any of `points`. A search forward passes the line at
/// which the warp of `resting` in slot and SM `from` is about to execute an instruction.
pub fn seek(
    session: &mut Session<'_>,
    words: &Words,
    points: &[Point],
    (resting, from): (&mut Resting, (u32, u32)),
    forward: bool,
    poll: Poll<'_>,
) -> Found {
    if !forward {
        resting.clear();
    } else if let Some(warp) = session.warp(from.0, from.1) {
        // A search begins behind the event at which the last one has stopped.
        let is_here = session.at_event() != Some(from);
        if is_here || !resting.contains_key(&from) {
            let search = Search::new(session, words, Vec::new());
            let pc = search.main(warp.pc);
            resting.insert(from, Rest { block: warp.block, region: search.region(pc), pc, is_here });
        }
    }
    let memory = |point: &&Point| matches!(point, Point::Global(_) | Point::Shared { .. });
    let places: Vec<Point> = points.iter().filter(memory).cloned().collect();
    if places.is_empty() {
        return seek_event(session, words, points, resting, forward, poll);
    }
    // The stop that comes first: of events, or of a change in memory.
    let value = |session: &Session<'_>| -> Vec<Option<Vec<u8>>> {
        places.iter().map(|point| watched(session, point)).collect()
    };
    let start = session.cycle();
    let found = seek_event(session, words, points, resting, forward, poll);
    if found.halt == Halt::Interrupted {
        return found;
    }
    let stop = session.cycle();
    session.go_to(start, poll);
    let changed =
        if forward { session.find_change(value, stop, poll) } else { session.find_change_back(value, poll) };
    let first = match changed {
        Halt::Changed if forward => session.cycle() <= stop,
        Halt::Changed => session.cycle() >= stop,
        Halt::Interrupted => true,
        Halt::Done | Halt::Event(_) | Halt::Ended | Halt::Start => false,
    };
    if first {
        return Found { halt: changed, at: None, ..found };
    }
    session.go_to(stop, poll);
    found
}

/// Runs to the next event, or back to the latest one, that stops at one of the points. Restrictions
/// and conditions are decided in the same pass.
fn seek_event(
    session: &mut Session<'_>,
    words: &Words,
    points: &[Point],
    resting: &mut Resting,
    forward: bool,
    poll: Poll<'_>,
) -> Found {
    let mut search = Search::new(session, words, points.to_vec());
    let own = Search::new(session, words, Vec::new());
    let mut tested = vec![Tested::default(); points.len()];
    let mut stops = |event: &Event| search.stops(event);
    let mut decide = |session: &Session<'_>, event: &Event| {
        let What::State { warp, pc, .. } = event.what else { return false };
        let place = (event.sm, warp);
        let block = session.warp(event.sm, warp).map_or(0, |warp| warp.block);
        let here = Rest { block, region: own.region(pc), pc, is_here: false };
        let rests = resting.get_mut(&place).is_some_and(|rest| {
            let is_same = (rest.block, rest.region) == (block, here.region);
            is_same && (pc > rest.pc || pc == rest.pc && std::mem::take(&mut rest.is_here))
        });
        if !rests {
            resting.remove(&place);
        }
        let mut is_hit = false;
        for (point, tested) in points.iter().zip(&mut tested) {
            let is_line = point.line().is_some();
            if rests && is_line || lanes_hit(session, &own, point, event, tested) == 0 {
                continue;
            }
            is_hit = true;
            if is_line && forward {
                resting.insert(place, here);
            }
        }
        is_hit
    };
    let decide: Option<sim_core::debug::Holds<'_>> =
        if points.iter().any(Point::is_restricted) { Some(&mut decide) } else { None };
    let halt = if forward {
        session.find_where(&mut stops, decide, poll)
    } else {
        session.find_back_where(&mut stops, decide, poll)
    };
    let at = match &halt {
        Halt::Event(Event { sm, what: What::State { warp, .. }, .. }) => Some((*sm, *warp)),
        _ => None,
    };
    Found { halt, at, tested }
}

/// Returns the lanes for which `point` stops at `event`, at whose issue cycle the launch is: all 32
/// of a point that names no lanes, none if it does not stop.
pub fn hit(session: &Session<'_>, words: &Words, point: &Point, event: &Event) -> u32 {
    let search = Search::new(session, words, Vec::new());
    lanes_hit(session, &search, point, event, &mut Tested::default())
}

fn lanes_hit(
    session: &Session<'_>,
    search: &Search<'_>,
    point: &Point,
    event: &Event,
    tested: &mut Tested,
) -> u32 {
    let What::State { warp, .. } = event.what else { return 0 };
    let reaches = || search.reaches(point, event, u64::MAX);
    match point {
        // The wait may have had several states, so the length is that of the search.
        Point::Break(breakpoint) => {
            if !reaches() || breakpoint.is_stall() && !waits(session, event.sm, warp) {
                return 0;
            }
            stopped_lanes(session, search.words, breakpoint, (event.sm, warp), tested)
        }
        Point::Register { .. } | Point::Variable { .. } => {
            if reaches() {
                u32::MAX
            } else {
                0
            }
        }
        Point::Global(_) | Point::Shared { .. } | Point::Host(_) => 0,
    }
}

/// Whether a warp has waited until now.
fn waits(session: &Session<'_>, sm: u32, slot: u32) -> bool {
    let status = session.warp(sm, slot).and_then(|warp| warp.status);
    status.is_some_and(|status| status.state.is_wait())
}
