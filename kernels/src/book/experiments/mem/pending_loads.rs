//! MEM-21: how many loads the threads of a Fermi SM have to make at a tile of 16, and how many are
//! under way at once.

use crate::RunError;
use crate::book::runner::Follow;
use crate::book::tools::{follows, sms, timing};
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use isa::uop::Class;
use sim_core::config::Chip;
use sim_core::host::Gpu;
use sim_core::observe::{Event, Launched, Observer, Origin, Watch, What, Why};
use sim_core::stats::Report;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "MEM-21", show: pending }];

/// The slides count 8 blocks; the threads of an SM are enough for 6.
fn pending(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [tile] = claim.read("at TILE {} on Fermi")?;
    let [slide, slide_blocks, loads_of_block] = claim.read("the slide's {} ({} blocks x {})")?;
    let [threads, blocks, pending] = claim.read("{} threads allow {} blocks, {}")?;
    // As many blocks as fill the chip's SMs at least once.
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
    // A phase of the product loads a word of each of two tiles in every thread.
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
        "loads of threads under way at once, most on any SM",
        format!("at most {pending}"),
        most.to_string(),
        most > 0 && most as f64 <= pending,
    ));
    shown.because(format!(
        "At once {most} loads of threads were under way on an SM, from their issue until all values of the warp's load were \
         there: the resident threads could make {pending} in a phase, but an SM has at most {lines} lines on their way, each \
         for at most {merges} loads of warps, and {queue} instructions of warps in its load/store queue."
    ));
    shown.because(format!(
        "{} blocks of {} threads fill the {} threads of an SM, so that {} of the slide's {slide_blocks} blocks cannot be \
         resident; achieved occupancy was {:.0} %.",
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

/// `runner` whose launches are observed, and the most loads of threads that were under way at once on
/// an SM.
fn observed(runner: &Runner) -> (Runner, Arc<Mutex<u64>>) {
    let (most, own) = (Arc::<Mutex<u64>>::default(), runner.follow.clone());
    let told = Arc::clone(&most);
    let follow = move |gpu: &mut Gpu| {
        if let Some(Follow(own)) = &own {
            own(gpu);
        }
        gpu.observe(Some(Box::new(Loads { most: Arc::clone(&told), ..Loads::default() })));
    };
    (Runner { follow: Some(Follow(Arc::new(follow))), ..runner.clone() }, most)
}

/// Follows loads of global memory from their issue to their last value.
#[derive(Default)]
struct Loads {
    /// The kernel's loads, by instruction.
    pcs: Vec<u32>,
    /// Threads of loads that have issued, by [`key`].
    issued: HashMap<(u32, u32, u32, u64), u32>,
    /// Of loads that are home: SM, hot cycle, and threads whose loads begin (positive) or have
    /// ended.
    changes: Vec<(u32, u64, i64)>,
    /// What is found.
    most: Arc<Mutex<u64>>,
}

/// SM, warp slot, instruction and cycle of a load.
fn key(sm: u32, Origin { warp, pc, cycle }: Origin) -> (u32, u32, u32, u64) {
    (sm, warp, pc, cycle)
}

impl Observer for Loads {
    fn begin(&mut self, launched: &Launched<'_>) -> Option<Watch> {
        let loads =
            launched.program.code.iter().zip(0..).filter(|(inst, _)| inst.op.class() == Class::LdGlobal);
        self.pcs = loads.map(|(_, pc)| pc).collect();
        let sms = 0..sms(launched.chip);
        Some(Watch { sms, warps: 0..launched.chip.sm.max_warps, cycles: 0..u64::MAX, then_stop: false })
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
        // Of one cycle, what ends comes first.
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
