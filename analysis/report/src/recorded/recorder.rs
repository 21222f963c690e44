//! The observer that records the timeline and the active lanes of launches.

use super::lanes::{Counted, Lanes};
use super::number;
use super::timeline::Timeline;
use crate::mangled::plain;
use crate::outcome::weight;
use crate::words::Words;
use isa::uop::Program;
use sim_core::observe::{Event, Launched, Observer, Watch, What};
use sim_core::stats::Report;
use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, PoisonError};

/// The part of a run that is recorded.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Number of the launch, from 1. `None`: all launches are recorded, and the recording of the
    /// one that [`shown`](crate::outcome::shown) returns is kept.
    pub launch: Option<u32>,
    /// Number of the observed SM.
    pub sm: u32,
    /// Shader cycles of the launch.
    pub cycles: Range<u64>,
    /// Largest number of changes of the timeline.
    pub changes: usize,
    /// Whether the launch stops when nothing more is recorded. Its report is then that of an
    /// interrupted launch.
    pub then_stop: bool,
}

/// The recording of a launch.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Place of the launch among the recorded ones, in the order in which they ended.
    pub launch: usize,
    /// States of the warps of this SM.
    pub timeline: Timeline,
    /// Active lanes by source line, over all observed cycles.
    pub lanes: Lanes,
    /// Weight of the launch, for this choice.
    weight: (bool, u64),
}

/// A launch that is being recorded.
struct Open {
    number: u32,
    program: Arc<Program>,
    words: Words,
    count: usize,
    timeline: Timeline,
    counted: Counted,
    /// Shader cycle of the last event.
    last: u64,
}

/// Observes launches.
pub struct Recorder {
    scope: Scope,
    /// Concurrent launches are recorded at the same time.
    open: VecDeque<Open>,
    ended: usize,
    kept: Arc<Mutex<Option<Recording>>>,
}

impl Recorder {
    /// Returns a recorder, and the place in which it leaves the recording at the end of a launch.
    pub fn new(scope: Scope) -> (Self, Kept) {
        let kept = Arc::new(Mutex::new(None));
        let recorder = Self { scope, open: VecDeque::new(), ended: 0, kept: Arc::clone(&kept) };
        (recorder, Kept(kept))
    }
}

/// The place of a recording.
#[derive(Debug)]
pub struct Kept(Arc<Mutex<Option<Recording>>>);

impl Kept {
    /// Takes the recording; `None` if no launch was recorded to its end.
    pub fn take(&self) -> Option<Recording> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Observer for Recorder {
    fn begin(&mut self, launch: &Launched<'_>) -> Option<Watch> {
        let Scope { sm, then_stop, .. } = self.scope;
        let cycles = self.scope.cycles.clone();
        if self.scope.launch.is_some_and(|number| number != launch.number) {
            return None;
        }
        let words = Words::new(launch);
        let most = launch.chip.sm.max_warps;
        let timeline = Timeline::new(&launch.program.name, sm, words.period, most);
        let timeline = Timeline { terms: words.terms(), ..timeline };
        let (program, counted) = (Arc::clone(launch.program), Counted::new(launch.program.code.len()));
        let number = launch.number;
        self.open.push_back(Open { number, program, words, count: 0, timeline, counted, last: 0 });
        Some(Watch { sms: sm..sm + 1, warps: 0..u32::MAX, cycles, then_stop, values: false, memory: false })
    }

    fn events(&mut self, launch: u32, events: &[Event]) -> ControlFlow<()> {
        let Scope { changes, then_stop, .. } = self.scope;
        let Some(open) = self.open.iter_mut().find(|open| open.number == launch) else {
            return ControlFlow::Continue(());
        };
        for event in events {
            open.record(event, changes);
        }
        if open.timeline.cut && then_stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn end(&mut self, report: &Report) {
        let Some(Open { program, mut timeline, counted, last: seen, .. }) = self.open.pop_front() else {
            return;
        };
        let last = report.timing.as_ref().map_or(0, |timing| timing.cycles);
        timeline.cut |= self.scope.then_stop && !report.verdict.is_finished();
        if !timeline.cut {
            timeline.end = last;
        }
        let (launch, weight) = (self.ended, weight(report));
        self.ended += 1;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|kept| weight > kept.weight) {
            let lines = counted.by_line(&program);
            let (kernel, terms) = (plain(&program.name).to_owned(), timeline.terms);
            let lanes = Lanes { kernel, sm: self.scope.sm, cycles: seen, lines, terms };
            *kept = Some(Recording { launch, timeline, lanes, weight });
        }
    }
}

impl Open {
    /// Records an event; the timeline ends when it has more than `most` changes.
    fn record(&mut self, event: &Event, most: usize) {
        let Self { words, count, timeline, counted, .. } = self;
        self.last = event.cycle;
        let mut add = |slot: u32, state: i8, line: u32| {
            if !timeline.cut && timeline.add(event.cycle, slot, state, line) {
                *count += 1;
            }
        };
        match &event.what {
            What::State { warp, pc, state, why, .. } => {
                add(*warp, number(*state), words.line(*pc));
                if let Some(issued) = why.issued().filter(|issued| issued.origin.cycle == event.cycle) {
                    counted.add(*pc, issued.lanes);
                }
            }
            What::BlockRetired { warps, .. } => {
                (0..64).filter(|slot| warps >> slot & 1 == 1).for_each(|slot| add(slot, -1, 0));
            }
            What::BlockStarted { block, warps, .. } => {
                for slot in (0..64).filter(|slot| warps >> slot & 1 == 1) {
                    timeline.blocks[slot].get_or_insert(*block);
                }
            }
            What::Stack { .. } | What::LoadCompleted { .. } | What::Written { .. } => {}
        }
        if !timeline.cut {
            timeline.end = timeline.end.max(event.cycle);
            timeline.cut = *count > most;
        }
    }
}
