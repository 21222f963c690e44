//! An observer that keeps what it is told, and what the events say in sum.

use sim_core::host::Gpu;
use sim_core::observe::{Event, Launched, Observer, Watch, What, Why};
use sim_core::stats::{ByState, Report, WarpState};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, MutexGuard};

/// What an observer was told of one launch.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// All events, in the order in which they were told.
    pub events: Vec<Event>,
    /// How many came at once.
    pub pieces: Vec<usize>,
    /// Hot cycles of the launch.
    pub cycles: u64,
}

/// An observer that watches every SM and warp and keeps everything; a clone keeps it in the same
/// place.
#[derive(Clone, Debug)]
pub struct Recording {
    cycles: Range<u64>,
    seen: Arc<Mutex<Seen>>,
}

impl Recording {
    /// Watches the hot cycles `cycles` of `gpu`'s launches from now on.
    pub fn of(gpu: &mut Gpu, cycles: Range<u64>) -> Self {
        let recording = Self { cycles, seen: Arc::default() };
        gpu.observe(Some(Box::new(recording.clone())));
        recording
    }

    /// What has been told of the last launch.
    ///
    /// # Panics
    /// If another thread panicked while it was told something.
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("nobody panicked")
    }
}

impl Observer for Recording {
    fn begin(&mut self, _: &Launched<'_>) -> Option<Watch> {
        *self.seen() = Seen::default();
        Some(Watch { sms: 0..u32::MAX, warps: 0..64, cycles: self.cycles.clone(), then_stop: false })
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

/// What events say in sum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Warp issue cycles by state.
    pub warps: ByState,
    /// Instructions issued.
    pub issues: u64,
    /// Lanes of the running sides over them.
    pub lanes: u64,
    /// Blocks that moved in.
    pub blocks: u64,
}

impl Sums {
    /// Of `events` in issue cycles of `period` hot cycles, of a launch that ended at hot cycle
    /// `end`.
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
                What::Stack { .. } | What::LoadCompleted { .. } => {}
            }
        }
        for (since, state) in open.into_values() {
            sums.warps.add(state, (end - since) / period);
        }
        sums
    }
}
