//! Warps of a block that diverge. A report counts divergent branches; an observer of the timed
//! launch also sees the warps that took them.

use sim_core::host::Gpu;
use sim_core::observe::{Event, Launched, Observer, Watch, What, Why};
use sim_core::stats::Report;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// Observes launches of one block of whole warps and records the warps that issue an instruction
/// with only some of their lanes active. Clones share the record.
#[derive(Clone, Debug, Default)]
pub struct DivergentWarps(Arc<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    /// Mask of the block's warp slots. Its warps occupy them in order, because the SM is empty when
    /// the block starts.
    slots: u64,
    /// Slots of the warps that issued with only some lanes active.
    divergent_warps: BTreeSet<u32>,
}

impl DivergentWarps {
    /// Observes the launches of `gpu` from now on.
    pub fn of(gpu: &mut Gpu) -> Self {
        let divergent_warps = Self::default();
        gpu.observe(Some(Box::new(divergent_warps.clone())));
        divergent_warps
    }

    /// Returns the warps that diverged, by their indices in the block.
    pub fn warps(&self) -> Vec<f64> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = |slot: &u32| f64::from((seen.slots & ((1u64 << slot) - 1)).count_ones());
        seen.divergent_warps.iter().map(number).collect()
    }
}

impl Observer for DivergentWarps {
    fn begin(&mut self, launched: &Launched<'_>) -> Option<Watch> {
        let chip = launched.chip;
        let (sms, warps) = (0..super::tools::sms(chip), 0..chip.sm.max_warps);
        Some(Watch { sms, warps, ..Watch::ALL })
    }

    fn events(&mut self, _: u32, events: &[Event]) -> ControlFlow<()> {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for event in events {
            match event.what {
                What::BlockStarted { warps, .. } => seen.slots |= warps,
                What::State { warp, lanes, why: Why::Issued(_), .. } if lanes != u32::MAX => {
                    seen.divergent_warps.insert(warp);
                }
                _ => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, _: &Report) {}
}
