//! Pending loads: the number of loads of threads that an SM has issued, and whose last value has
//! not arrived.

use crate::runner::{Follow, Runner};
use crate::tools::sms;
use isa::uop::Class;
use sim_core::host::Gpu;
use sim_core::observe::{Event, Launched, Observer, Origin, Watch, What, Why};
use sim_core::stats::Report;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// The largest number of loads of threads that were pending on an SM.
#[derive(Clone, Debug, Default)]
pub struct PendingLoads(Arc<Mutex<u64>>);

impl PendingLoads {
    /// Returns `runner` with observed launches.
    pub fn observed(&self, runner: &Runner) -> Runner {
        let (most, own) = (Arc::clone(&self.0), runner.follow.clone());
        let follow = move |gpu: &mut Gpu| {
            if let Some(Follow(own)) = &own {
                own(gpu);
            }
            gpu.observe(Some(Box::new(Loads { most: Arc::clone(&most), ..Loads::default() })));
        };
        Runner { follow: Some(Follow(Arc::new(follow))), ..runner.clone() }
    }

    /// Returns the number.
    pub fn most(&self) -> u64 {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Observes loads of global memory from their issue to their last value.
#[derive(Default)]
struct Loads {
    /// Program counters of the kernel's global loads.
    pcs: Vec<u32>,
    /// Number of active threads of each pending load, by [`key`].
    issued: HashMap<(u32, u32, u32, u64), u32>,
    /// Of completed loads: SM, shader cycle, and change of the number of pending loads (positive at
    /// the issue, negative at the end).
    changes: Vec<(u32, u64, i64)>,
    /// Largest number found.
    most: Arc<Mutex<u64>>,
}

/// Returns SM, warp slot, program counter and issue cycle of a load.
fn key(sm: u32, Origin { warp, pc, cycle }: Origin) -> (u32, u32, u32, u64) {
    (sm, warp, pc, cycle)
}

impl Observer for Loads {
    fn begin(&mut self, launched: &Launched<'_>) -> Option<Watch> {
        let loads =
            launched.program.code.iter().zip(0..).filter(|(inst, _)| inst.op.class() == Class::LdGlobal);
        self.pcs = loads.map(|(_, pc)| pc).collect();
        let sms = 0..sms(launched.chip);
        Some(Watch { sms, warps: 0..launched.chip.sm.max_warps, ..Watch::ALL })
    }

    fn events(&mut self, _: u32, events: &[Event]) -> ControlFlow<()> {
        for event in events {
            match event.what {
                What::State { why: Why::Issued(issued), .. } if self.pcs.contains(&issued.origin.pc) => {
                    self.issued.insert(key(event.sm, issued.origin), issued.guarded.count_ones());
                }
                What::LoadCompleted { load, at, .. } => {
                    let threads = self.issued.remove(&key(event.sm, load)).map_or(0, i64::from);
                    self.changes.push((event.sm, load.cycle, threads));
                    self.changes.push((event.sm, at, -threads));
                }
                _ => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, _: &Report) {
        // Within one cycle, loads end before others begin.
        self.changes.sort_unstable();
        let mut most = self.most.lock().unwrap_or_else(PoisonError::into_inner);
        for of_sm in self.changes.chunk_by(|one, other| one.0 == other.0) {
            let mut now = 0i64;
            for (_, _, change) in of_sm {
                now += change;
                *most = (*most).max(u64::try_from(now).unwrap_or(0));
            }
        }
    }
}
