//! A test setup for measurements: one chip, one PTX text, and the host calls of a measuring
//! program.

use crate::host::{copy_in, copy_out};
use crate::repeat::{Repeated, repeat};
use crate::{RunError, identities};
use isa::Options;
use isa::diag;
use isa::types::{Capability, Dim3};
use sim_core::config::Chip;
use sim_core::host::fit::Request;
use sim_core::host::{Arg, DevicePtr, Gpu, Launch, ModuleId};
use sim_core::occupancy::Rules;
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;

/// A GPU with a module.
pub struct Lab {
    /// The GPU, for calls without a method here.
    pub gpu: Gpu,
    /// The loaded module.
    pub module: ModuleId,
}

impl Lab {
    /// Creates a GPU of `chip` and loads `ptx`, compiled with `options`; error messages call the
    /// text `file`.
    pub fn new(chip: Chip, file: &'static str, ptx: &str, options: Options) -> Result<Self, RunError> {
        Self::on(Gpu::new(chip), file, ptx, options)
    }

    /// Like [`Self::new`], on an existing GPU.
    pub fn on(mut gpu: Gpu, file: &'static str, ptx: &str, options: Options) -> Result<Self, RunError> {
        let (module, diagnostics) = isa::compile_with(file, ptx, options);
        let module = module
            .ok_or_else(|| RunError::Kernel { file, rendered: diag::render_all(&diagnostics, file, ptx) })?;
        let module = gpu.load(module)?;
        Ok(Self { gpu, module })
    }

    /// `cudaMalloc` for `words` 32-bit words, all zero.
    pub fn allocate(&mut self, words: u64) -> Result<DevicePtr, RunError> {
        Ok(self.gpu.malloc(words * 4)?)
    }

    /// `cudaMalloc` and `cudaMemcpy` to the device.
    pub fn upload(&mut self, words: &[u32]) -> Result<DevicePtr, RunError> {
        let ptr = self.allocate(words.len() as u64)?;
        self.write(ptr, words)?;
        Ok(ptr)
    }

    /// `cudaMemcpy` to the device.
    pub fn write(&mut self, ptr: DevicePtr, words: &[u32]) -> Result<(), RunError> {
        copy_in(&mut self.gpu, ptr, words)
    }

    /// `cudaMemcpy` from the device.
    pub fn download(&mut self, ptr: DevicePtr, words: usize) -> Result<Vec<u32>, RunError> {
        copy_out(&mut self.gpu, ptr, words)
    }

    /// Launches `entry<<<grid, block>>>(args)`, which must finish; with sampling, its first blocks
    /// must.
    pub fn launch(
        &mut self,
        entry: &str,
        grid: impl Into<Dim3>,
        block: impl Into<Dim3>,
        args: impl IntoIterator<Item = Arg>,
    ) -> Result<Report, RunError> {
        let launch = Launch::new(self.module, entry, grid, block).args(args);
        self.run(&launch)
    }

    /// Runs a launch, which must finish.
    pub fn run(&mut self, launch: &Launch) -> Result<Report, RunError> {
        let report = self.gpu.launch(launch)?;
        if report.verdict.is_whole() {
            Ok(report)
        } else {
            Err(RunError::Unfinished(in_words(&report.verdict)))
        }
    }

    /// Makes `of` launches that do the same work each time: see [`repeat`].
    pub fn repeat(
        &mut self,
        of: u32,
        mut launch: impl FnMut(&mut Self, u32) -> Result<Report, RunError>,
    ) -> Result<Repeated, RunError> {
        let sampled = self.gpu.sampling().is_some();
        repeat(sampled, of, |i| launch(self, i))
    }

    /// Like [`Self::run`], with a check of the identities of the report's breakdowns.
    pub fn balanced(&mut self, launch: &Launch) -> Result<Report, RunError> {
        let report = self.run(launch)?;
        identities::check(&report).map_err(RunError::Wrong)?;
        Ok(report)
    }

    /// Nanoseconds of the launch on the chip, as events around it would measure, without the host's
    /// share.
    pub fn kernel_ns(report: &Report) -> f64 {
        report.timing.as_ref().map_or(0.0, |timing| timing.microseconds * 1000.0)
    }
}

/// Number of blocks of a launch that the chip holds at a time, on all its SMs together.
pub fn wave(lab: &Lab, launch: &Launch) -> u32 {
    let (chip, module) = (lab.gpu.chip(), lab.gpu.module(launch.module));
    let Some(program) = module.entries.iter().find(|program| program.name == launch.entry) else {
        return 0;
    };
    let registers = launch.registers.unwrap_or(program.registers);
    let request = Request::of(program, launch.grid, launch.block, launch.dynamic_shared, registers);
    chip.clusters * chip.cluster.sms * request.occupancy(&Rules::of(chip)).blocks
}

/// Compiles a text for `sm_10` for the chip: from compute capability 2.0 on for `sm_20`, so that
/// the rules of `ptxas` for Fermi apply.
pub fn compiled_for(chip: &Chip, text: &str) -> String {
    if chip.capability < Capability::new(2, 0) {
        return text.to_owned();
    }
    text.replace(".version 1.4", ".version 2.1").replace(".target sm_10", ".target sm_20")
}

/// The end of a launch in one line.
pub fn in_words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Finished => "it finished".to_owned(),
        Verdict::Estimated => "its end was estimated".to_owned(),
        Verdict::Trapped { trap } => format!("{} (line {}: `{}`)", trap.message, trap.line, trap.instruction),
        Verdict::Scheduler { .. } => "the scheduling policy returned an invalid decision".to_owned(),
        Verdict::Hung { cycle, stuck } => format!("it hung at cycle {cycle}; {}", stuck.hint),
        Verdict::Interrupted { cycle, .. } => format!("it was interrupted at cycle {cycle}"),
        Verdict::TimeLimit { cycle, .. } => {
            format!("it was stopped by a limit on wall time at cycle {cycle}")
        }
        Verdict::Limit { limit, .. } => format!("it was stopped at cycle {limit}"),
    }
}
