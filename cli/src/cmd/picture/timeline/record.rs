//! The observer of a timeline: changes of the states of the warps of one SM.

use sim_core::observe::{Event, Launched, Observer, Watch, What};
use sim_core::stats::{Report, WarpState};
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, PoisonError};

/// The states of a warp slot.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Linear number of the first block with a warp in this slot.
    pub block: Option<u64>,
    /// Changes: shader cycle, state from then on, `None` without a warp.
    pub changes: Vec<(u64, Option<WarpState>)>,
}

/// The states of the warps of one SM.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// Whether the launch has begun.
    pub seen: bool,
    /// Shader cycles of an issue cycle.
    pub period: u32,
    /// Warp slots.
    pub rows: Vec<Row>,
    /// Shader cycles of the launch.
    pub end: Option<u64>,
}

/// Records a timeline.
pub struct Recorder {
    launch: u32,
    sm: u32,
    cycles: Range<u64>,
    kept: Arc<Mutex<Timeline>>,
}

impl Recorder {
    /// Records cycles of SM `sm` in launch number `launch`, from 1.
    pub fn new(launch: u32, sm: u32, cycles: Range<u64>, kept: Arc<Mutex<Timeline>>) -> Self {
        Self { launch, sm, cycles, kept }
    }
}

impl Observer for Recorder {
    fn begin(&mut self, launch: &Launched<'_>) -> Option<Watch> {
        if launch.number != self.launch {
            return None;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.seen = true;
        kept.period = launch.chip.sm.issue_period;
        kept.rows = vec![Row::default(); launch.chip.sm.max_warps as usize];
        let (sms, cycles) = (self.sm..self.sm + 1, self.cycles.clone());
        Some(Watch { sms, warps: 0..u32::MAX, cycles, then_stop: true, values: false })
    }

    fn events(&mut self, _: u32, events: &[Event]) -> ControlFlow<()> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        for event in events {
            let mut add = |slot: u32, state: Option<WarpState>| {
                let changes = &mut kept.rows[slot as usize].changes;
                if changes.last().is_none_or(|last| last.1 != state) {
                    changes.push((event.cycle, state));
                }
            };
            match &event.what {
                What::State { warp, state, .. } => add(*warp, Some(*state)),
                What::BlockRetired { warps, .. } => slots(*warps).for_each(|slot| add(slot, None)),
                What::BlockStarted { block, warps, .. } => {
                    for slot in slots(*warps) {
                        kept.rows[slot as usize].block.get_or_insert(*block);
                    }
                }
                What::Stack { .. } | What::LoadCompleted { .. } | What::Written { .. } => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, report: &Report) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.end = report.timing.as_ref().map(|timing| timing.cycles);
    }
}

/// Iterates over the slots of a mask.
fn slots(mask: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |slot| mask >> slot & 1 == 1)
}
