//! MEM-21: loads that the threads of a Fermi SM make with tiles of 16, and the number of them that
//! are pending at the same time.

use crate::runner::Follow;
use crate::tools::{follows, sms, timing};
use crate::{Claim, Experiment, Finding, Runner, Shown};
use isa::uop::Class;
use kernels::RunError;
use sim_core::config::Chip;
use sim_core::host::Gpu;
use sim_core::observe::{Event, Launched, Observer, Origin, Watch, What, Why};
use sim_core::stats::Report;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "MEM-21", show: pending }];

/// The slides count 8 blocks; the thread slots of an SM hold only 6.
fn pending(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [tile] = claim.numbers(["tile"]);
    let [slide, slide_blocks, loads_of_block] = claim.numbers(["slide", "slide_blocks", "loads_of_block"]);
    let [threads, blocks, pending] = claim.numbers(["threads", "blocks", "pending"]);
    // Enough blocks to fill the SMs of the chip at least once.
    let size = runner.by_size(160, 256);
    let chip = runner.chip("fermi", &[])?;
    let limits = chip.sm.l1.as_ref().map(|l1| (l1.misses, l1.merges));
    let ((lines, merges), queue) = (limits.ok_or_else(|| no_l1(&chip))?, chip.sm.lsu.queue);
    let (observed, most) = observed(runner);
    let outcome = observed.workload(chip, "matmul-tiled", size)?;
    let report = &outcome.reports[0];
    let occupancy = &report.launch.occupancy;
    let mut shown = Shown::new(format!("the tiled matrix product, {size} x {size}, on Fermi"));
    let block = report.launch.block;
    shown.find(follows("threads of a block", tile * tile, block.count() as f64));
    shown.find(Finding::exact("threads on an SM", threads, occupancy.threads.into()));
    shown.find(Finding::exact("blocks on an SM", blocks, occupancy.blocks.into()));
    // In a phase of the product each thread loads one word of each of two tiles.
    let thread_loads = timing(report).global.load.requests * 32;
    let phases = (size * size) as f64 * size as f64 / tile;
    let of_thread = thread_loads as f64 / phases;
    shown.find(Finding::exact(
        "loads of a block in a phase",
        loads_of_block,
        of_thread * block.count() as f64,
    ));
    let of_blocks = |blocks: f64| blocks * of_thread * block.count() as f64;
    let resident = "loads of the resident threads in a phase";
    shown.find(Finding::exact(resident, pending, of_blocks(occupancy.blocks.into())));
    let what =
        format!("loads in a phase of the slide's {slide_blocks} blocks, which are not resident together");
    shown.find(Finding::exact(what, slide, of_blocks(slide_blocks)));
    let most = *most.lock().unwrap_or_else(PoisonError::into_inner);
    shown.find(Finding::shape(
        "pending loads of threads, maximum of any SM",
        format!("at most {pending}"),
        most.to_string(),
        most > 0 && most as f64 <= pending,
    ));
    shown.because(format!(
        "At most {most} loads of threads were pending on an SM at the same time, counted from their issue until the last value \
         of the warp's load arrived. The resident threads could make {pending} in a phase, but an SM has at most {lines} \
         outstanding lines (MSHRs), each for at most {merges} loads of warps, and {queue} instructions in its load/store \
         queue."
    ));
    shown.because(format!(
        "{} blocks of {} threads fill the {} threads of an SM, so {} of the slide's {slide_blocks} blocks cannot \
         be resident; achieved occupancy was {:.0} %.",
        occupancy.blocks,
        block.count(),
        occupancy.threads,
        slide_blocks - f64::from(occupancy.blocks),
        100.0 * timing(report).achieved_occupancy
    ));
    Ok(shown)
}

fn no_l1(chip: &Chip) -> RunError {
    RunError::Chip(format!("{} has no L1", chip.name))
}

/// Returns `runner` with observed launches, and the largest number of loads of threads that were
/// pending on an SM.
fn observed(runner: &Runner) -> (Runner, Arc<Mutex<u64>>) {
    let (most, own) = (Arc::<Mutex<u64>>::default(), runner.follow.clone());
    let shared = Arc::clone(&most);
    let follow = move |gpu: &mut Gpu| {
        if let Some(Follow(own)) = &own {
            own(gpu);
        }
        gpu.observe(Some(Box::new(Loads { most: Arc::clone(&shared), ..Loads::default() })));
    };
    (Runner { follow: Some(Follow(Arc::new(follow))), ..runner.clone() }, most)
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
