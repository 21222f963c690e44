//! Runs forward or back to the next stop at a breakpoint or watchpoint.

use super::stops::{Point, Search, holds, watched};
use report::words::Words;
use sim_core::debug::{Halt, Poll, Session};
use sim_core::observe::{Event, What};

/// Why a search ended, and the SM and the warp slot of the event at which it ended.
pub type Found = (Halt, Option<(u32, u32)>);

/// Runs forward or back to the next stop at any of `points`.
pub fn seek(
    session: &mut Session<'_>,
    words: &Words,
    points: &[Point],
    forward: bool,
    poll: Poll<'_>,
) -> Found {
    let memory = |point: &&Point| matches!(point, Point::Global(_) | Point::Shared { .. });
    let places: Vec<Point> = points.iter().filter(memory).cloned().collect();
    if places.is_empty() {
        return seek_event(session, words, points, forward, poll);
    }
    // The stop that comes first: of events, or of a change in memory.
    let value = |session: &Session<'_>| -> Vec<Option<Vec<u8>>> {
        places.iter().map(|point| watched(session, point)).collect()
    };
    let start = session.cycle();
    let (event, at) = seek_event(session, words, points, forward, poll);
    if event == Halt::Interrupted {
        return (event, at);
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
        return (changed, None);
    }
    session.go_to(stop, poll);
    (event, at)
}

/// Runs to the next event, or back to the latest one, that stops at one of the points. Restrictions
/// and conditions are decided in the same pass.
fn seek_event(
    session: &mut Session<'_>,
    words: &Words,
    points: &[Point],
    forward: bool,
    poll: Poll<'_>,
) -> Found {
    let mut search = Search::new(session, words, points.to_vec());
    let own = Search::new(session, words, Vec::new());
    let mut stops = |event: &Event| search.stops(event);
    let mut decide = |session: &Session<'_>, event: &Event| {
        points.iter().any(|point| is_hit_by(session, &own, point, event))
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
    (halt, at)
}

/// Whether `point` stops at `event`, at whose issue cycle the launch is.
pub fn is_hit(session: &Session<'_>, words: &Words, point: &Point, event: &Event) -> bool {
    is_hit_by(session, &Search::new(session, words, Vec::new()), point, event)
}

fn is_hit_by(session: &Session<'_>, search: &Search<'_>, point: &Point, event: &Event) -> bool {
    let What::State { warp, .. } = event.what else { return false };
    match point {
        // The wait may have had several states, so the length is that of the search.
        Point::Break(breakpoint) => {
            search.reaches(point, event, u64::MAX)
                && (!breakpoint.is_stall() || waits(session, event.sm, warp))
                && holds(session, search.words, breakpoint, event.sm, warp)
        }
        Point::Register { .. } | Point::Variable { .. } => search.reaches(point, event, u64::MAX),
        Point::Global(_) | Point::Shared { .. } => false,
    }
}

/// Whether a warp has waited until now.
fn waits(session: &Session<'_>, sm: u32, slot: u32) -> bool {
    let status = session.warp(sm, slot).and_then(|warp| warp.status);
    status.is_some_and(|status| status.state.is_wait())
}
