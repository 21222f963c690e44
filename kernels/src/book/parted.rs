//! Which warps of a block diverge. A report counts divergent branches; who took them, an observer
//! of the timed launch sees.

use sim_core::host::Gpu;
use sim_core::observe::{Event, Launched, Observer, Watch, What, Why};
use sim_core::stats::Report;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// Watches launches of one block of whole warps, and notes who issues an instruction for some of
/// its lanes only. A clone keeps it in the same place.
#[derive(Clone, Debug, Default)]
pub struct Parted(Arc<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    /// Mask of the warp slots that the block has. Its warps have them in order, for the SM is empty
    /// when it moves in.
    slots: u64,
    /// Warp slots of those that issued for some of their lanes.
    parted: BTreeSet<u32>,
}

impl Parted {
    /// Watches the launches of `gpu` from now on.
    pub fn of(gpu: &mut Gpu) -> Self {
        let parted = Self::default();
        gpu.observe(Some(Box::new(parted.clone())));
        parted
    }

    /// The warps that have diverged, by their numbers in the block.
    pub fn warps(&self) -> Vec<f64> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = |slot: &u32| f64::from((seen.slots & ((1u64 << slot) - 1)).count_ones());
        seen.parted.iter().map(number).collect()
    }
}

impl Observer for Parted {
    fn begin(&mut self, launched: &Launched<'_>) -> Option<Watch> {
        let chip = launched.chip;
        let (sms, warps) = (0..super::tools::sms(chip), 0..chip.sm.max_warps);
        Some(Watch { sms, warps, cycles: 0..u64::MAX, then_stop: false })
    }

    fn events(&mut self, _: u32, events: &[Event]) -> ControlFlow<()> {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for event in events {
            match event.what {
                What::BlockStarted { warps, .. } => seen.slots |= warps,
                What::State { warp, lanes, why: Why::Issued(_), .. } if lanes != u32::MAX => {
                    seen.parted.insert(warp);
                }
                _ => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, _: &Report) {}
}
