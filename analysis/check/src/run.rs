//! Runs a case on either machine, with any options.

use crate::generate::Case;
use crate::generate::frame::INPUT_BYTES;
use crate::generate::print::Printed;
use isa::Options;
use isa::uop::{Module, Program};
use sim_core::check::Checks;
use sim_core::config::Chip;
use sim_core::host::HostStats;
use sim_core::host::Memory;
use sim_core::host::{Arg, DevicePtr, Gpu, Launch, Mode, RunOptions};
use sim_core::scheduler::OwnScheduler;
use sim_core::stats::Report;
use std::sync::Arc;

/// A prepared case: compiled kernel and checked chip.
pub struct Prepared {
    case: Case,
    printed: Printed,
    module: Module,
    /// Chip of the run.
    pub chip: Chip,
    /// A scheduling policy instead of the chip's.
    pub scheduler: Option<OwnScheduler>,
}

/// Result of a run.
pub struct CaseRun {
    /// Report of the launch.
    pub report: Report,
    /// Serialized report.
    pub bytes: Vec<u8>,
    /// Content of device memory.
    pub memory: Memory,
    /// Number of executions of each block.
    pub counts: Vec<u32>,
    /// Statistics of the host (timed runs).
    pub host: HostStats,
}

/// Returns pseudorandom bytes.
fn noise(seed: u32, bytes: u32) -> Vec<u8> {
    let mut state = u64::from(seed) << 1 | 1;
    let byte = |_| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 56) as u8
    };
    (0..bytes).map(byte).collect()
}

/// Allocates device memory of `bytes` bytes, filled with pseudorandom bytes if there is a seed.
fn allocate(gpu: &mut Gpu, name: &str, bytes: u32, seed: Option<u32>) -> DevicePtr {
    let ptr = gpu.malloc_named(bytes.into(), Some(name)).expect("cases are small");
    if let Some(seed) = seed {
        gpu.copy_in(ptr, &noise(seed, bytes)).expect("the copy fits");
    }
    ptr
}

/// Reads `bytes` bytes of device memory at a pointer.
pub fn contents(gpu: &mut Gpu, (at, bytes): (DevicePtr, u32)) -> Vec<u8> {
    let mut contents = vec![0; bytes as usize];
    gpu.copy_out(at, &mut contents).expect("the copy fits");
    contents
}

/// Contents of the buffers before a launch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contents {
    /// Whether the host writes all buffers, instead of those that the kernel reads only.
    pub all: bool,
    /// Number of a buffer that the host does not write.
    pub unset: Option<usize>,
}

/// A case before its launch.
pub struct Ready {
    /// The GPU with the buffers in its memory.
    pub gpu: Gpu,
    /// Launch of the case.
    pub launch: Launch,
    /// Address and size of each buffer, in the order of the parameters.
    pub buffers: Vec<(DevicePtr, u32)>,
}

impl Prepared {
    /// Compiles the kernel and checks the chip.
    ///
    /// # Panics
    /// Either is invalid: the generators must draw valid ones.
    pub fn new(case: &Case) -> Self {
        Self::compiled(case, Options::default())
    }

    /// Like [`Self::new`], compiled with `options`.
    ///
    /// # Panics
    /// Like [`Self::new`].
    pub fn compiled(case: &Case, options: Options) -> Self {
        let printed = case.printed();
        let (module, diagnostics) = isa::compile_with("k.ptx", &printed.text, options);
        let module = module.unwrap_or_else(|| panic!("{diagnostics:#?}\n{}", printed.text));
        Self { case: case.clone(), printed, module, chip: case.chip.chip(), scheduler: None }
    }

    /// Returns the case with a user's scheduling policy.
    pub fn under(case: &Case, scheduler: OwnScheduler) -> Self {
        Self { scheduler: Some(scheduler), ..Self::new(case) }
    }

    /// Returns the case from which the example was made.
    pub fn case(&self) -> &Case {
        &self.case
    }

    /// Returns the kernel's instructions.
    pub fn program(&self) -> Arc<Program> {
        Arc::clone(self.module.entry("k").expect("cases have one kernel"))
    }

    /// Runs the case in fresh memory.
    pub fn run(&self, mode: Mode, options: RunOptions) -> CaseRun {
        self.run_short(mode, options, 0)
    }

    /// Runs the case in fresh memory with a buffer of results that is `missing` bytes too short: an
    /// access to them traps.
    pub fn run_short(&self, mode: Mode, options: RunOptions, missing: u32) -> CaseRun {
        self.run_observed(mode, options, missing, |_| {})
    }

    /// Like [`Self::run_short`], on a GPU that `observe` has prepared.
    pub fn run_observed(
        &self,
        mode: Mode,
        options: RunOptions,
        missing: u32,
        observe: impl FnOnce(&mut Gpu),
    ) -> CaseRun {
        let Ready { mut gpu, launch, buffers } = self.ready(missing);
        gpu.set_scheduler(self.scheduler.clone());
        observe(&mut gpu);
        let report = gpu.launch(&launch.mode(mode).options(options));
        let report = report.unwrap_or_else(|e| panic!("the launch fits the chip: {e}"));
        let counts = contents(&mut gpu, *buffers.last().expect("there are buffers"));
        CaseRun {
            bytes: serde_json::to_vec(&report).expect("the report can be serialized"),
            report,
            memory: gpu.memory().clone(),
            counts: counts.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect(),
            host: gpu.host_stats(),
        }
    }

    /// Runs the case on the functional machine with checkers, in fresh memory.
    pub fn checked(&self, checks: Checks, contents: Contents) -> Report {
        let Ready { mut gpu, launch, .. } = self.ready_with(0, contents, |gpu| gpu.check(checks));
        let report = gpu.launch(&launch.mode(Mode::Functional));
        report.unwrap_or_else(|e| panic!("the launch fits the chip: {e}"))
    }

    /// Passes fresh memory and its launch to `watch`.
    pub fn observed<T>(&self, watch: impl FnOnce(&mut Gpu, &Launch) -> T) -> T {
        let Ready { mut gpu, launch, .. } = self.ready(0);
        watch(&mut gpu, &launch)
    }

    /// Returns the same case with a different kernel text, for example a damaged one.
    ///
    /// # Panics
    /// The text does not compile.
    #[must_use]
    pub fn with_text(self, text: String) -> Self {
        self.with_text_compiled(text, Options::default())
    }

    /// Same as [`Self::with_text`], compiled with `options`.
    ///
    /// # Panics
    /// The text does not compile.
    #[must_use]
    pub fn with_text_compiled(mut self, text: String, options: Options) -> Self {
        let (module, diagnostics) = isa::compile_with("k.ptx", &text, options);
        self.module = module.unwrap_or_else(|| panic!("{diagnostics:#?}\n{text}"));
        self.printed.text = text;
        self
    }

    /// Returns the text of the kernel.
    pub fn text(&self) -> &str {
        &self.printed.text
    }

    /// Names and sizes of the buffers, with the seeds of those that the host fills. The buffer of
    /// results is `missing` bytes too short.
    fn layout(&self, missing: u32) -> [(&'static str, u32, Option<u32>); 7] {
        let (e, seed) = (self.case.extents, self.case.seed);
        [
            ("input", INPUT_BYTES, Some(seed)),
            ("own", e.own_bytes(), Some(seed ^ 1)),
            ("warp_cells", e.warp_cell_bytes(), Some(seed ^ 2)),
            ("cells", self.printed.cell_bytes, None),
            ("out", e.out_bytes() - missing, None),
            ("tally", e.tally_bytes(), Some(seed ^ 3)),
            ("counts", 4 * e.blocks, None),
        ]
    }

    /// Names and contents of the buffers before the launch.
    pub fn buffers(&self) -> impl Iterator<Item = (&'static str, Vec<u8>)> {
        let contents =
            |bytes: u32, seed: Option<u32>| seed.map_or(vec![0; bytes as usize], |seed| noise(seed, bytes));
        self.layout(0).into_iter().map(move |(name, bytes, seed)| (name, contents(bytes, seed)))
    }

    /// Prepares fresh memory, and the launch on it.
    fn ready(&self, missing: u32) -> Ready {
        self.ready_with(missing, Contents::default(), |_| {})
    }

    /// Prepares fresh memory with these contents on a GPU that `before` has prepared.
    pub fn ready_with(&self, missing: u32, contents: Contents, before: impl FnOnce(&mut Gpu)) -> Ready {
        let mut gpu = Gpu::new(self.chip.clone());
        before(&mut gpu);
        let module = gpu.load(self.module.clone()).expect("the module has no variables");
        let buffers = self.layout(missing);
        let mut number = 0;
        let buffers = buffers.map(|(name, bytes, seed)| {
            let unset = contents.unset == Some(number);
            number += 1;
            let ptr = allocate(&mut gpu, name, bytes, seed.filter(|_| !unset));
            if contents.all && seed.is_none() && !unset {
                gpu.copy_in(ptr, &vec![0; bytes as usize]).expect("the copy fits");
            }
            (ptr, bytes)
        });
        let e = self.case.extents;
        let launch = Launch::new(module, "k", e.blocks, e.threads).args(buffers.map(|(at, _)| Arg::Ptr(at)));
        Ready { gpu, launch, buffers: buffers.to_vec() }
    }
}
