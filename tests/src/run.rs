//! Runs a case on either machine, with any options.

use crate::generate::Case;
use crate::generate::frame::INPUT_BYTES;
use crate::generate::print::Printed;
use isa::uop::{Module, Program};
use sim_core::config::Chip;
use sim_core::gpu::run::HostStats;
use sim_core::host::{Arg, DevicePtr, Gpu, Launch, Mode, RunOptions};
use sim_core::mem::image::Memory;
use sim_core::sm::scheduler::OwnScheduler;
use sim_core::stats::Report;
use std::sync::Arc;

/// A case made ready: compiled kernel and checked chip.
pub struct Prepared {
    case: Case,
    printed: Printed,
    module: Module,
    /// The chip.
    pub chip: Chip,
    /// A scheduling policy instead of the chip's.
    pub scheduler: Option<OwnScheduler>,
}

/// What a run left behind.
pub struct Outcome {
    /// The report.
    pub report: Report,
    /// The report's bytes.
    pub bytes: Vec<u8>,
    /// All of device memory.
    pub memory: Memory,
    /// For each block how often it ran.
    pub counts: Vec<u32>,
    /// What the host did (timed runs).
    pub host: HostStats,
}

/// Bytes that look random.
fn noise(seed: u32, bytes: u32) -> Vec<u8> {
    let mut state = u64::from(seed) << 1 | 1;
    let byte = |_| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 56) as u8
    };
    (0..bytes).map(byte).collect()
}

/// Device memory of `bytes` bytes, filled with noise if there is a seed.
fn allocate(gpu: &mut Gpu, name: &str, bytes: u32, seed: Option<u32>) -> DevicePtr {
    let ptr = gpu.malloc_named(bytes.into(), Some(name)).expect("cases are small");
    if let Some(seed) = seed {
        gpu.copy_in(ptr, &noise(seed, bytes)).expect("the copy fits");
    }
    ptr
}

impl Prepared {
    /// Compiles the kernel and checks the chip.
    ///
    /// # Panics
    /// If either is refused: the generators draw sound ones only.
    pub fn new(case: &Case) -> Self {
        let printed = case.printed();
        let (module, diagnostics) = isa::compile("k.ptx", &printed.text);
        let module = module.unwrap_or_else(|| panic!("{diagnostics:#?}\n{}", printed.text));
        Self { case: case.clone(), printed, module, chip: case.chip.chip(), scheduler: None }
    }

    /// The case under a scheduling policy of one's own.
    pub fn under(case: &Case, scheduler: OwnScheduler) -> Self {
        Self { scheduler: Some(scheduler), ..Self::new(case) }
    }

    /// The case.
    pub fn case(&self) -> &Case {
        &self.case
    }

    /// The kernel's instructions.
    pub fn program(&self) -> Arc<Program> {
        Arc::clone(self.module.entry("k").expect("cases have one kernel"))
    }

    /// Runs it in fresh memory.
    pub fn run(&self, mode: Mode, options: RunOptions) -> Outcome {
        self.run_short(mode, options, 0)
    }

    /// Runs it in fresh memory whose buffer for results lacks its last `missing` bytes: who needs them traps.
    pub fn run_short(&self, mode: Mode, options: RunOptions, missing: u32) -> Outcome {
        self.run_on(&mut Gpu::new(self.chip.clone()), mode, options, missing)
    }

    /// [`Self::run_short`] on a GPU of the case's chip that nothing has been done with but set up.
    pub fn run_on(&self, gpu: &mut Gpu, mode: Mode, options: RunOptions, missing: u32) -> Outcome {
        gpu.set_scheduler(self.scheduler.clone());
        let module = gpu.load(self.module.clone()).expect("the module has no variables");
        let (e, seed) = (self.case.extents, self.case.seed);
        let input = allocate(gpu, "input", INPUT_BYTES, Some(seed));
        let own = allocate(gpu, "own", e.own_bytes(), Some(seed ^ 1));
        let crowd = allocate(gpu, "crowd", e.crowd_bytes(), Some(seed ^ 2));
        let cells = allocate(gpu, "cells", self.printed.cell_bytes, None);
        let out = allocate(gpu, "out", e.out_bytes() - missing, None);
        let counts = allocate(gpu, "counts", 4 * e.blocks, None);
        let args = [input, own, crowd, cells, out, counts].map(Arg::Ptr);
        let launch = Launch::new(module, "k", e.blocks, e.threads).args(args).mode(mode).options(options);
        let report = gpu.launch(&launch).unwrap_or_else(|e| panic!("the launch fits the chip: {e}"));
        let mut counted = vec![0; 4 * e.blocks as usize];
        gpu.copy_out(counts, &mut counted).expect("the copy fits");
        Outcome {
            bytes: serde_json::to_vec(&report).expect("a report serialises"),
            report,
            memory: gpu.memory().clone(),
            counts: counted.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect(),
            host: gpu.host_stats(),
        }
    }
}
