//! An observer that records all events, and sums over events.

use sim_core::host::Gpu;
use sim_core::observe::{Event, Launched, Observer, Watch, What, Why};
use sim_core::stats::{ByState, Report, WarpState};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, MutexGuard};

/// Recorded events of one launch.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// All events, in the order of their arrival.
    pub events: Vec<Event>,
    /// Numbers of events per call.
    pub pieces: Vec<usize>,
    /// Shader cycles of the launch.
    pub cycles: u64,
}

/// An observer that records the events of every SM and warp; clones share the record.
#[derive(Clone, Debug)]
pub struct Recording {
    cycles: Range<u64>,
    seen: Arc<Mutex<Seen>>,
}

impl Recording {
    /// Observes the shader cycles `cycles` of `gpu`'s launches from now on.
    pub fn of(gpu: &mut Gpu, cycles: Range<u64>) -> Self {
        let recording = Self { cycles, seen: Arc::default() };
        gpu.observe(Some(Box::new(recording.clone())));
        recording
    }

    /// Returns the record of the last launch.
    ///
    /// # Panics
    /// Another thread panicked while it recorded an event.
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("no thread panicked while recording")
    }
}

impl Observer for Recording {
    fn begin(&mut self, _: &Launched<'_>) -> Option<Watch> {
        *self.seen() = Seen::default();
        Some(Watch { warps: 0..64, cycles: self.cycles.clone(), values: true, ..Watch::ALL })
    }

    fn events(&mut self, _: u32, events: &[Event]) -> ControlFlow<()> {
        let mut seen = self.seen();
        seen.events.extend_from_slice(events);
        seen.pieces.push(events.len());
        ControlFlow::Continue(())
    }

    fn end(&mut self, report: &Report) {
        self.seen().cycles = report.timing.as_ref().map_or(0, |timing| timing.cycles);
    }
}

/// Sums over events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Warp issue cycles by state.
    pub warps: ByState,
    /// Instructions issued.
    pub issues: u64,
    /// Active lanes of the issued instructions.
    pub lanes: u64,
    /// Started blocks.
    pub blocks: u64,
}

impl Sums {
    /// Sums `events` with issue cycles of `period` shader cycles, for a launch that ended at shader
    /// cycle `end`.
    pub fn of(events: &[Event], period: u64, end: u64) -> Self {
        let mut sums = Self::default();
        let mut open: BTreeMap<(u32, u32), (u64, WarpState)> = BTreeMap::new();
        let end = end.div_ceil(period) * period;
        for Event { cycle, sm, what } in events {
            match what {
                What::State { warp, state, why, lanes, .. } => {
                    if let Some((since, state)) = open.insert((*sm, *warp), (*cycle, *state)) {
                        sums.warps.add(state, (cycle - since) / period);
                    }
                    if let Why::Issued(issued) = why
                        && issued.origin.cycle == *cycle
                    {
                        sums.issues += 1;
                        sums.lanes += u64::from(lanes.count_ones());
                    }
                }
                What::BlockRetired { warps, .. } => {
                    for warp in (0..64).filter(|warp| warps >> warp & 1 == 1) {
                        if let Some((since, state)) = open.remove(&(*sm, warp)) {
                            sums.warps.add(state, (cycle - since) / period);
                        }
                    }
                }
                What::BlockStarted { .. } => sums.blocks += 1,
                What::Stack { .. } | What::LoadCompleted { .. } | What::Written { .. } => {}
            }
        }
        for (since, state) in open.into_values() {
            sums.warps.add(state, (end - since) / period);
        }
        sums
    }
}
