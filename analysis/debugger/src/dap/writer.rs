//! The instruction that changed a watched word of memory.

use super::breakpoints::{BreakpointKind, Breakpoints};
use super::stop::Stop;
use crate::front::stops::Point;
use isa::uop::MemoryKind;
use report::render::number::count;
use report::words::Words;
use sim_core::debug::{AccessView, Session, WarpView};
use std::ops::ControlFlow;

/// The latest store to a watched word.
struct Writer {
    /// SM and warp slot.
    at: (u32, u32),
    /// Shader cycle of issue.
    cycle: u64,
    /// Sentence about the write and its warp.
    text: String,
    /// The breakpoint.
    id: Option<u32>,
}

/// The stop at a change of watched memory, and the warp that wrote it. `points` are those of the
/// debug console. After a movement back the launch is before the change.
pub fn changed(
    session: &mut Session<'_>,
    words: &Words,
    breakpoints: &Breakpoints,
    points: &[Point],
    forward: bool,
) -> (Stop, Option<(u32, u32)>) {
    let here = session.cycle();
    if !forward {
        session.step_cycle();
    }
    let found = latest(session, words, breakpoints, points);
    session.go_to(here, &mut |_| ControlFlow::Continue(()));
    let mut stop = Stop::new("data breakpoint", "The watched memory changes");
    let Some(Writer { at, text, id, .. }) = found else { return (stop, None) };
    stop.text = text;
    stop.ids = id.into_iter().collect();
    (stop, Some(at))
}

/// The latest store to one of the watched words, of the last accesses of all resident warps.
fn latest(
    session: &Session<'_>,
    words: &Words,
    breakpoints: &Breakpoints,
    points: &[Point],
) -> Option<Writer> {
    let own = breakpoints.all().filter_map(|(_, one)| match &one.kind {
        BreakpointKind::Point(point) => Some((Some(one.shown.id), point)),
        BreakpointKind::Nothing | BreakpointKind::Kernel(_) | BreakpointKind::Launch(_) => None,
    });
    let all: Vec<(Option<u32>, &Point)> = own.chain(points.iter().map(|point| (None, point))).collect();
    let mut best: Option<Writer> = None;
    for warp in session.warps() {
        let Some(access) = session.last_access(warp.sm, warp.slot) else { continue };
        for (id, point) in &all {
            let Some(lane) = stores(&access, &warp, point) else { continue };
            if best.as_ref().is_some_and(|best| best.cycle >= access.cycle) {
                continue;
            }
            let text = format!(
                "The latest store to it is line {}, issued at {} by {} {} warp {}, lane {lane}: {}",
                words.line(access.pc),
                count(access.cycle),
                words.terms().block,
                warp.block_index,
                warp.index,
                words.text(access.pc)
            );
            best = Some(Writer { at: (warp.sm, warp.slot), cycle: access.cycle, text, id: *id });
        }
    }
    best
}

/// The last lane of an access that stores to a watched word.
fn stores(access: &AccessView, warp: &WarpView, point: &Point) -> Option<u32> {
    if access.kind != MemoryKind::Store && !access.kind.is_atomic() {
        return None;
    }
    let in_shared = access.banks.as_ref().map_or(0, |banks| banks.lanes);
    let (lanes, address) = match point {
        Point::Shared { block, address } if *block == warp.block => (in_shared, *address),
        Point::Global(address) => (access.lanes & !in_shared, *address),
        Point::Shared { .. }
        | Point::Register { .. }
        | Point::Variable { .. }
        | Point::Host(_)
        | Point::Break(_) => {
            return None;
        }
    };
    let (first, end) = (u64::from(address), u64::from(address) + 4);
    let covers = |lane: &u32| {
        let start = u64::from(access.addresses[*lane as usize]);
        lanes >> lane & 1 == 1 && start < end && first < start + u64::from(access.bytes)
    };
    (0..32).rev().find(covers)
}
