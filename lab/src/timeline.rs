//! What the warps of one SM do, cycle by cycle, for the picture of the timeline.

use crate::request::{Ready, Request};
use crate::stepper::number;
use report::exit::Failure;
use report::words::Words;
use serde::Serialize;
use sim_core::host::Gpu;
use sim_core::observe::{Event, Launched, Observer, Watch, What};
use sim_core::stats::{Report, WarpState};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// Largest number of recorded changes: a few megabytes of JSON.
const MOST: usize = 200_000;

/// A recorded timeline.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Timeline {
    /// Kernel.
    pub kernel: String,
    /// SM.
    pub sm: u32,
    /// Shader cycles of an issue cycle.
    pub period: u64,
    /// Shader cycle after the last recorded change.
    pub end: u64,
    /// Whether later cycles were not recorded.
    pub cut: bool,
    /// Labels of the states, by number.
    pub labels: Vec<&'static str>,
    /// Changes by warp slot: shader cycle, state or -1 without a warp, source line.
    pub rows: Vec<Vec<(u64, i8, u32)>>,
}

struct Recorder {
    /// Number of the launch.
    launch: u32,
    sm: u32,
    cycles: u64,
    words: Words,
    count: usize,
    kept: Arc<Mutex<Timeline>>,
}

impl Observer for Recorder {
    fn begin(&mut self, launch: &Launched<'_>) -> Option<Watch> {
        if launch.number != self.launch {
            return None;
        }
        self.words = Words::new(launch);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.kernel.clone_from(&launch.program.name);
        kept.period = self.words.period;
        kept.rows = vec![Vec::new(); launch.chip.sm.max_warps as usize];
        let sms = self.sm..self.sm + 1;
        Some(Watch { sms, warps: 0..u32::MAX, cycles: 0..self.cycles, then_stop: true, values: false })
    }

    fn events(&mut self, _: u32, events: &[Event]) -> ControlFlow<()> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        for event in events {
            let mut add = |slot: u32, state: i8, line: u32| {
                let row = &mut kept.rows[slot as usize];
                let same = row.last().is_some_and(|last| (last.1, last.2) == (state, line));
                if !same || state == 0 {
                    row.push((event.cycle, state, line));
                    self.count += 1;
                }
            };
            match &event.what {
                What::State { warp, pc, state, .. } => add(*warp, number(*state), self.words.line(*pc)),
                What::BlockRetired { warps, .. } => {
                    (0..64).filter(|slot| warps >> slot & 1 == 1).for_each(|slot| add(slot, -1, 0));
                }
                What::BlockStarted { .. }
                | What::Stack { .. }
                | What::LoadCompleted { .. }
                | What::Written { .. } => {}
            }
            kept.end = kept.end.max(event.cycle);
        }
        if self.count > MOST {
            kept.cut = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, report: &Report) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let last = report.timing.as_ref().map_or(0, |timing| timing.cycles);
        kept.cut |= !report.verdict.is_finished();
        kept.end = if kept.cut { kept.end } else { last };
    }
}

/// Records the first `cycles` shader cycles of SM `sm` in launch number `launch`, from 1.
///
/// # Errors
///
/// If the request is invalid.
pub fn timeline(request: &Request, launch: u32, sm: u32, cycles: u64) -> Result<Timeline, Failure> {
    let plain = Request { functional: false, checks: Vec::new(), ..request.clone() };
    let Ready { program, chip, settings, .. } = plain.ready()?;
    let kept = Arc::new(Mutex::new(Timeline::default()));
    let words = Words::default();
    let recorder = Recorder { launch, sm, cycles, words, count: 0, kept: Arc::clone(&kept) };
    let mut gpu = Gpu::new(chip);
    gpu.observe(Some(Box::new(recorder)));
    program.run(&mut gpu, settings)?;
    let mut timeline = std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner));
    timeline.sm = sm;
    timeline.labels = WarpState::ALL.iter().map(|state| state.label()).collect();
    Ok(timeline)
}
