//! [`Gpu`]: what a host program holds.

use super::launch::{Launch, LaunchError};
use super::memory::{DevicePtr, MemoryError};
use super::timeline::Timeline;
use crate::config::Chip;
use crate::stats::Report;
use isa::uop::Module;

/// A loaded module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleId(pub(super) u32);

/// Why a host call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// Allocation, free or copy.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Launch.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// No such module variable.
    #[error("the module has no .global or .const variable `{0}`")]
    NoSymbol(String),
    /// A copy beyond a variable's end.
    #[error("copy of {bytes} bytes at offset {offset} of `{symbol}`, which has {size} bytes")]
    SymbolRange {
        /// Variable.
        symbol: String,
        /// Offset.
        offset: u64,
        /// Bytes to copy.
        bytes: u64,
        /// Its size.
        size: u64,
    },
    /// More constant memory than the chip has.
    #[error("the module needs {needed} bytes of constant memory, the chip has {available}")]
    ConstantMemory {
        /// Needed.
        needed: u64,
        /// Available.
        available: u64,
    },
}

/// A simulated GPU with its device memory.
pub struct Gpu {
    chip: Chip,
}

#[expect(unused_variables, clippy::unused_self, clippy::todo, reason = "the face first: bodies follow within the same change")]
impl Gpu {
    /// A GPU with empty memory.
    pub fn new(chip: Chip) -> Self {
        Self { chip }
    }

    /// The chip it is.
    pub fn chip(&self) -> &Chip {
        &self.chip
    }

    /// `cudaMalloc`: `bytes` bytes of device memory, 256-byte aligned, zero at first.
    pub fn malloc(&mut self, bytes: u64) -> Result<DevicePtr, HostError> {
        todo!()
    }

    /// `cudaFree`.
    pub fn free(&mut self, ptr: DevicePtr) -> Result<(), HostError> {
        todo!()
    }

    /// `cudaMemcpy` to the device; `ptr` may point into an allocation.
    pub fn copy_in(&mut self, ptr: DevicePtr, bytes: &[u8]) -> Result<(), HostError> {
        todo!()
    }

    /// `cudaMemcpy` from the device.
    pub fn copy_out(&mut self, ptr: DevicePtr, bytes: &mut [u8]) -> Result<(), HostError> {
        todo!()
    }

    /// Loads a module: places and initialises its variables.
    pub fn load(&mut self, module: Module) -> Result<ModuleId, HostError> {
        todo!()
    }

    /// A loaded module's contents.
    pub fn module(&self, id: ModuleId) -> &Module {
        todo!()
    }

    /// Size in bytes of a module's `.global` or `.const` variable.
    pub fn symbol_bytes(&self, module: ModuleId, name: &str) -> Result<u64, HostError> {
        todo!()
    }

    /// `cudaMemcpyToSymbol`: writes a `.global` or `.const` variable of a module.
    pub fn copy_to_symbol(&mut self, module: ModuleId, name: &str, offset: u64, bytes: &[u8]) -> Result<(), HostError> {
        todo!()
    }

    /// `cudaMemcpyFromSymbol`.
    pub fn copy_from_symbol(&self, module: ModuleId, name: &str, offset: u64, bytes: &mut [u8]) -> Result<(), HostError> {
        todo!()
    }

    /// Runs a kernel to its end. A kernel that traps, hangs or reaches a limit has a report too: see its verdict.
    /// A launch that the chip cannot take at all is an error.
    pub fn launch(&mut self, launch: &Launch) -> Result<Report, HostError> {
        todo!()
    }

    /// The copies and launches so far, with their times.
    pub fn timeline(&self) -> &Timeline {
        todo!()
    }
}
