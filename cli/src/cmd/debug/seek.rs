//! Runs forward or back to the next stop at a breakpoint or watchpoint.

use super::command::{Breakpoint, Stop};
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

/// Runs to the next event, or back to the latest one, that stops at one of the points.
fn seek_event(
    session: &mut Session<'_>,
    words: &Words,
    points: &[Point],
    forward: bool,
    poll: Poll<'_>,
) -> Found {
    loop {
        let mut search = Search::new(session, words, points.to_vec());
        let mut stops = |event: &Event| search.stops(event);
        let halt = if forward { session.find(&mut stops, poll) } else { session.find_back(&mut stops, poll) };
        let Halt::Event(event) = &halt else { return (halt, None) };
        let What::State { warp, .. } = event.what else { return (halt, None) };
        let at = (event.sm, warp);
        if points.iter().any(|point| is_hit(session, words, point, event)) {
            return (halt, Some(at));
        }
    }
}

/// Whether `point` stops at `event`, at whose issue cycle the launch is.
pub fn is_hit(session: &Session<'_>, words: &Words, point: &Point, event: &Event) -> bool {
    let What::State { warp, state, .. } = event.what else { return false };
    let stops = || Search::new(session, words, vec![point.clone()]).stops(event);
    match point {
        // The wait may have had several states, so the search alone knows its length.
        Point::Break(Breakpoint { stop: Stop::Stall(_), .. }) if state.is_wait() => false,
        Point::Break(breakpoint) => {
            let waited = || {
                let status = session.warp(event.sm, warp).and_then(|warp| warp.status);
                status.is_some_and(|status| status.state.is_wait())
            };
            let is_stall = matches!(breakpoint.stop, Stop::Stall(_));
            (if is_stall { waited() } else { stops() }) && holds(session, breakpoint, event.sm, warp)
        }
        Point::Register { .. } => stops(),
        Point::Global(_) | Point::Shared { .. } => false,
    }
}
