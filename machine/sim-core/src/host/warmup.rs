//! Warm-up: the first blocks of a launch run on the functional machine, the rest with timing.
//!
//! The timed machine begins with the memory that these blocks leave, at shader cycle 0 with empty
//! caches, closed DRAM rows and free SMs, and its first block is the first one that has not run.
//! All counters and times of the report count the timed blocks only.
//!
//! Invariant `warm-up`: A launch with a warm-up and a plain launch leave the same memory, if the
//! blocks do not depend on each other's order.

use super::gpu::Gpu;
use super::identity::of_prefix;
use super::monitor::functional_progress;
use super::start::Ready;
use crate::exec::{Kernel, Mode};
use crate::gpu::functional::block::Block;
use crate::gpu::functional::{self, Ending, FunctionalEnd, Hooks};
use crate::mem::image::Memory;
use crate::stats::ending::functional_verdict;
use crate::stats::report::Report;
use crate::stats::sampled::WarmupReport;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Most results that a cache keeps.
const KEPT: usize = 8;

/// Result of the first blocks of a launch, for the launches that differ only in their timing.
#[derive(Clone)]
struct Warmed {
    memory: Memory,
    instructions: u64,
}

/// A place for a result: empty until the first of several GPUs has computed it, `None` if the
/// blocks did not run to their end.
type Place = Arc<OnceLock<Option<Warmed>>>;

/// The places by the digest of what decides their results, the oldest first.
type Places = VecDeque<([u8; 32], Place)>;

/// Results of warm-ups that several GPUs share, also from different host threads: the same blocks
/// of the same launch with the same memory run once. The latest eight results are kept.
#[derive(Clone, Default)]
pub struct WarmupCache(Arc<Mutex<Places>>);

impl WarmupCache {
    fn place(&self, digest: [u8; 32]) -> Place {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, place)) = places.iter().find(|(other, _)| *other == digest) {
            return Arc::clone(place);
        }
        if places.len() == KEPT {
            places.pop_front();
        }
        let place = Place::default();
        places.push_back((digest, Arc::clone(&place)));
        place
    }
}

/// The warm-up of later launches.
pub(super) struct Warmup {
    blocks: u64,
    cache: Option<WarmupCache>,
}

impl Gpu {
    /// From now on the first `blocks` blocks of each timed launch run on the functional machine; 0
    /// turns the warm-up off. It applies to launches of more blocks that run alone and are not
    /// sampled; their reports have a [`WarmupReport`]. Blocks that trap or hang there end the
    /// launch with the report of the functional machine. With a `cache`, results are shared.
    pub fn warm_up(&mut self, blocks: u64, cache: Option<WarmupCache>) {
        self.warmup = (blocks > 0).then_some(Warmup { blocks, cache });
    }

    /// Runs the first blocks of a launch, if it has a warm-up. The error is the report of a launch
    /// that ended there.
    pub(super) fn warmed(&mut self, launches: &[Ready<'_>]) -> Result<Option<WarmupReport>, Box<Report>> {
        let ([ready], Some(Warmup { blocks, cache })) = (launches, &self.warmup) else { return Ok(None) };
        let (blocks, cache) = (*blocks, cache.clone());
        let timed = ready.launch.mode == Mode::Timed && self.sampling.is_none();
        if !timed || ready.kernel.grid.count() <= blocks {
            return Ok(None);
        }
        let limit = ready.launch.options.max_cycles;
        if let Some(cache) = cache {
            let place = cache.place(of_prefix(&ready.kernel, blocks, limit, &self.memory));
            let mut report = None;
            let warmed = place.get_or_init(|| match self.run_prefix(ready, blocks) {
                Ok(instructions) => Some(Warmed { memory: self.memory.clone(), instructions }),
                Err(ended) => {
                    report = Some(ended);
                    None
                }
            });
            if let Some(Warmed { memory, instructions }) = warmed {
                self.memory = memory.clone();
                return Ok(Some(WarmupReport { blocks, instructions: *instructions }));
            }
            if let Some(report) = report {
                return Err(report);
            }
        }
        self.run_prefix(ready, blocks).map(|instructions| Some(WarmupReport { blocks, instructions }))
    }

    /// Runs the first `blocks` blocks. Returns the number of warp instructions.
    fn run_prefix(&mut self, ready: &Ready<'_>, blocks: u64) -> Result<u64, Box<Report>> {
        let kernel: &Kernel = &ready.kernel;
        let mut monitor = self.monitor.take();
        let mut told = monitor.as_mut().map(|monitor| functional_progress(monitor, kernel));
        let mut block = Block::new(kernel, told.is_some());
        block.only_first(blocks);
        block.limit = ready.launch.options.max_cycles;
        let tell = told.as_mut().map(|tell| tell as functional::Tell<'_>);
        let speculation = self.speculations.of(ready);
        let hooks = Hooks { tell, watch: functional::UNOBSERVED, speculation };
        let FunctionalEnd { ending, counts, pcs } = functional::finish(block, &mut self.memory, hooks);
        drop(told);
        self.monitor = monitor;
        if matches!(ending, Ending::Finished) {
            return Ok(counts.warp);
        }
        let verdict = functional_verdict(&ending, counts.warp, kernel);
        let counted = (&counts, &pcs[..]);
        let report = self.report(Mode::Functional, kernel, ready.launched.clone(), verdict, counted, None);
        let warmup = Some(WarmupReport { blocks, instructions: counts.warp });
        Err(Box::new(Report { warmup, ..report }))
    }
}
