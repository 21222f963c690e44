//! Mapped host memory (zero copy): page-locked memory of the host that kernels access over the
//! link.
//!
//! The host accesses it as its own memory: at once, without a copy and without time on the
//! timeline. See [`crate::mem::partition`] for the time of a kernel's accesses.

use super::gpu::{Gpu, HostError};
use super::memory::{DevicePtr, MemoryError};
use std::ops::Range;

impl Gpu {
    /// `cudaHostAlloc` with `cudaHostAllocMapped`, and `cudaHostGetDevicePointer`: allocates
    /// `bytes` bytes of host memory that kernels can access, filled with zeros. The pointer is that
    /// of the kernels. [`Gpu::free`] frees the memory.
    ///
    /// # Errors
    ///
    /// The chip cannot map host memory (`pcie.mapped`), or no addresses are free.
    pub fn alloc_mapped(&mut self, bytes: u64) -> Result<DevicePtr, HostError> {
        self.alloc_mapped_named(bytes, None)
    }

    /// [`Self::alloc_mapped`] with a name for error messages.
    pub fn alloc_mapped_named(&mut self, bytes: u64, name: Option<&str>) -> Result<DevicePtr, HostError> {
        if !self.chip.pcie.mapped {
            return Err(MemoryError::CannotMap(self.chip.name.clone()).into());
        }
        let ptr = self.allocator.allocate_mapped(bytes, name)?;
        self.memory.fill(ptr.address(), bytes as usize, 0);
        self.checking.allocated(ptr.address(), bytes);
        Ok(ptr)
    }

    /// Writes mapped memory as the host does, in no time; `ptr` may point into an allocation.
    ///
    /// # Errors
    ///
    /// The bytes are not all inside one mapped allocation.
    pub fn write_mapped(&mut self, ptr: DevicePtr, bytes: &[u8]) -> Result<(), HostError> {
        self.allocator.check_mapped(ptr, bytes.len() as u64)?;
        self.write(ptr.address(), bytes);
        Ok(())
    }

    /// Reads mapped memory as the host does; see [`Self::write_mapped`].
    pub fn read_mapped(&self, ptr: DevicePtr, bytes: &mut [u8]) -> Result<(), HostError> {
        self.allocator.check_mapped(ptr, bytes.len() as u64)?;
        self.memory.read(ptr.address(), bytes);
        Ok(())
    }

    /// Returns the addresses that mapped memory had at some time: no program has changed another
    /// byte above [`Gpu::highest_address`]. Empty without mapped memory.
    pub fn mapped_addresses(&self) -> Range<u64> {
        self.allocator.mapped_ever()
    }
}
