//! Common parts of the host programs: a session on a GPU that keeps track of its allocations, and
//! the outcome of a run.

use crate::Workload;
use crate::check::Check;
use isa::types::Dim3;
use isa::uop::Module;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Gpu, HostError, Launch, LaunchSettings, ModuleId};
use sim_core::stats::Report;

/// Settings of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Problem size; `None` means the workload's default.
    pub size: Option<u64>,
    /// Settings of its launches.
    pub launches: LaunchSettings,
}

/// Outcome of a run.
#[derive(Clone, Debug)]
pub struct HostRun {
    /// One report per launch, in order.
    pub reports: Vec<Report>,
    /// Comparison of the results with the host's.
    pub check: Check,
    /// One line: the computation, and whether its result is correct.
    pub summary: String,
}

/// Reason why a workload could not be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The workload does not exist.
    #[error("unknown kernel `{0}`")]
    Unknown(String),
    /// A size that the kernel does not support.
    #[error("{workload} cannot have size {size}: {why}")]
    Size {
        /// Name of the workload.
        workload: &'static str,
        /// Requested size.
        size: u64,
        /// Reason.
        why: String,
    },
    /// The workload's own PTX text has errors.
    #[error("{file} has errors:\n{rendered}")]
    Kernel {
        /// Name of the PTX file.
        file: &'static str,
        /// Rendered diagnostics.
        rendered: String,
    },
    /// A kernel whose result is needed did not finish.
    #[error("the kernel did not finish: {0}")]
    Unfinished(String),
    /// A chip is invalid.
    #[error("{0}")]
    Chip(String),
    /// The overrides of a built-in chip are invalid.
    #[error("on {chip}: {complaints}")]
    Numbers {
        /// Name of the chip.
        chip: String,
        /// Rendered error messages.
        complaints: String,
    },
    /// A kernel of an experiment gave a wrong result.
    #[error("wrong result: {0}")]
    Wrong(String),
    /// A host call failed.
    #[error(transparent)]
    Host(#[from] HostError),
}

/// A loaded workload on a GPU.
pub struct Session<'g> {
    workload: &'static Workload,
    gpu: &'g mut Gpu,
    module: ModuleId,
    settings: Settings,
    allocated: Vec<DevicePtr>,
}

impl<'g> Session<'g> {
    /// Loads the workload's compiled module.
    pub fn new(
        workload: &'static Workload,
        module: Module,
        gpu: &'g mut Gpu,
        settings: Settings,
    ) -> Result<Self, RunError> {
        let module = gpu.load(module)?;
        Ok(Self { workload, gpu, module, settings, allocated: Vec::new() })
    }

    /// Returns the chip of the GPU.
    pub fn chip(&self) -> &Chip {
        self.gpu.chip()
    }

    /// Returns the error for an unsupported `size`.
    pub fn bad_size(&self, size: u64, why: impl Into<String>) -> RunError {
        RunError::Size { workload: self.workload.name, size, why: why.into() }
    }

    /// Checks that the vectors of this size, `words` 32-bit words in total, fit into device memory.
    pub fn require_memory(&self, size: u64, words: u128) -> Result<(), RunError> {
        let (bytes, available) = (words * 4, self.gpu.chip().usable_bytes());
        if bytes > u128::from(available) {
            let why =
                format!("the kernel requires {bytes} bytes of device memory, but the chip has {available}");
            return Err(self.bad_size(size, why));
        }
        Ok(())
    }

    /// Returns the number of blocks of `per_block` elements each for `size` elements, if it does
    /// not exceed the maximum width of a grid.
    pub fn blocks(&self, size: u64, per_block: u32) -> Result<u32, RunError> {
        let (blocks, limit) = (size.div_ceil(u64::from(per_block)), self.gpu.chip().limits.grid.x);
        if size == 0 {
            return Err(self.bad_size(size, "it must be at least 1"));
        }
        if blocks > u64::from(limit) {
            let most = u64::from(limit) * u64::from(per_block);
            let why = format!(
                "it needs {blocks} blocks, but a grid has at most {limit} in x: the largest size is {most}"
            );
            return Err(self.bad_size(size, why));
        }
        Ok(blocks as u32)
    }

    /// `cudaMalloc` for `words` 32-bit words.
    pub fn allocate(&mut self, words: u64) -> Result<DevicePtr, RunError> {
        let pointer = self.gpu.malloc(words * 4)?;
        self.allocated.push(pointer);
        Ok(pointer)
    }

    /// `cudaMalloc` and `cudaMemcpy` to the device.
    pub fn upload(&mut self, values: &[f32]) -> Result<DevicePtr, RunError> {
        self.upload_words(&values.iter().map(|v| v.to_bits()).collect::<Vec<_>>())
    }

    /// `cudaMemcpyToSymbol`.
    pub fn copy_to_symbol(&mut self, name: &str, offset: u64, bytes: &[u8]) -> Result<(), RunError> {
        Ok(self.gpu.copy_to_symbol(self.module, name, offset, bytes)?)
    }

    /// `cudaMemcpy` from the device.
    pub fn download(&mut self, pointer: DevicePtr, words: u64) -> Result<Vec<f32>, RunError> {
        Ok(self.download_words(pointer, words)?.into_iter().map(f32::from_bits).collect())
    }

    /// Launches `entry<<<grid, block>>>(args)`.
    pub fn launch(
        &mut self,
        entry: &str,
        grid: impl Into<Dim3>,
        block: impl Into<Dim3>,
        args: impl IntoIterator<Item = Arg>,
    ) -> Result<Report, RunError> {
        let launch = Launch::new(self.module, entry, grid, block).args(args);
        let launch = Launch { registers: self.workload.registers, ..launch }.with(self.settings.launches);
        Ok(self.gpu.launch(&launch)?)
    }

    /// [`Self::upload`] of whole numbers.
    pub fn upload_words(&mut self, values: &[u32]) -> Result<DevicePtr, RunError> {
        let pointer = self.allocate(values.len() as u64)?;
        copy_in(self.gpu, pointer, values)?;
        Ok(pointer)
    }

    /// [`Self::download`] of whole numbers.
    pub fn download_words(&mut self, pointer: DevicePtr, words: u64) -> Result<Vec<u32>, RunError> {
        copy_out(self.gpu, pointer, words as usize)
    }

    /// `cudaFree` for all allocations.
    pub fn free_all(&mut self) -> Result<(), RunError> {
        for pointer in std::mem::take(&mut self.allocated) {
            self.gpu.free(pointer)?;
        }
        Ok(())
    }
}

/// `cudaMemcpy` of words to the device.
pub fn copy_in(gpu: &mut Gpu, pointer: DevicePtr, words: &[u32]) -> Result<(), RunError> {
    // Not `flat_map`, which copies single bytes.
    let bytes = words.iter().map(|word| word.to_le_bytes()).collect::<Vec<_>>().into_flattened();
    Ok(gpu.copy_in(pointer, &bytes)?)
}

/// `cudaMemcpy` of words from the device.
pub fn copy_out(gpu: &mut Gpu, pointer: DevicePtr, words: usize) -> Result<Vec<u32>, RunError> {
    let mut bytes = vec![0; words * 4];
    gpu.copy_out(pointer, &mut bytes)?;
    Ok(bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
}
